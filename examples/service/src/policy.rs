//! The rule for messages: payments to recipients whom the operator of the node has listed, each up to a limit.

use std::{fs, path::Path};

use crate::Result;

/// Returns an error that says which rule forbids the message, unless it is a `pay AMOUNT to NAME` that the policy allows. The
/// policy has a line for each recipient, with a name and a limit: `Carol 100`.
pub(crate) fn check(folder: &Path, message: &[u8]) -> Result<()> {
    let policy = fs::read_to_string(folder.join("policy"))?;
    let text = core::str::from_utf8(message)?;
    let payment = text.strip_prefix("pay ").and_then(|rest| rest.split_once(" to "));
    let payment = payment.filter(|(amount, _)| !amount.starts_with(['+', '0'])); // one form for an amount
    let (amount, name) = payment.ok_or("it is no payment")?;
    let mut limits = policy.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    let limit = limits.find_map(|limit| limit.parse::<u64>().ok());
    let limit = limit.ok_or_else(|| format!("{name} is not a recipient"))?;
    let within = amount.parse::<u64>()? <= limit;
    if within { Ok(()) } else { Err(format!("the limit of {name} is {limit}").into()) }
}
