//! The facts of a spend.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use super::script;
use super::sighash::leaf_hash;
use super::spend::{Path, SighashType, Spend};
use super::transaction::{Input, Output, total};
use crate::facts::{Facts, Value};

/// The sequence number of an input that neither waits nor can be replaced.
const FINAL: u32 = u32::MAX;

pub(super) fn add(spend: &Spend, facts: &mut Facts) {
    let Spend { transaction, spent, input, path, sighash } = spend;
    facts.add("path", path_name(path));
    facts.add("sighash", if *sighash == SighashType::All { "all" } else { "default" });
    facts.add("input", u64::from(*input));
    if let Some((input, output)) = spend.spends() {
        facts.add("outpoint", outpoint(input));
        facts.add("amount", output.amount);
        facts.add("script", &output.script[..]);
        add_program(path, &output.script, facts);
    }
    facts.add("version", u64::from(transaction.version));
    facts.add("locktime", u64::from(transaction.locktime));
    let any = |below: u32| transaction.inputs.iter().any(|input| input.sequence < below);
    facts.add("locktime_enforced", transaction.locktime != 0 && any(FINAL));
    facts.add("replaceable", any(FINAL.saturating_sub(1)));
    facts.add("outpoints", list(&transaction.inputs, outpoint));
    facts.add("sequences", list(&transaction.inputs, |input| u64::from(input.sequence)));
    let outputs = &transaction.outputs;
    facts.add("output_amounts", list(outputs, |output| output.amount));
    facts.add("output_scripts", list(outputs, |output| &output.script[..]));
    facts.add("output_types", list(outputs, |output| script::name(&output.script)));
    // Both sums were checked when the spend was made.
    let (from, to) = (total(spent).unwrap_or_default(), total(outputs).unwrap_or_default());
    facts.add("output_total", to);
    if spend.commits_to_spent() {
        facts.add("input_amounts", list(spent, |output: &Output| output.amount));
        facts.add("input_scripts", list(spent, |output: &Output| &output.script[..]));
        facts.add("input_total", from);
        facts.add("fee", from.saturating_sub(to));
    }
}

/// The key or the script that the output names.
fn add_program(path: &Path, output: &[u8], facts: &mut Facts) {
    if let Some(key) = script::output_key(output) {
        facts.add("output_key", &key[..]);
    }
    if let Some(hash) = script::key_hash(output) {
        facts.add("key_hash", &hash[..]);
    }
    if let Some(hash) = script::script_hash(output) {
        facts.add("script_hash", &hash[..]);
    }
    if let Some(script) = path.script() {
        facts.add("witness_script", &script[..]);
        if path.is_taproot() {
            facts.add("leaf_hash", &leaf_hash(script)[..]);
        }
    }
}

const fn path_name(path: &Path) -> &'static str {
    match path {
        Path::TaprootKey => "taproot-key",
        Path::TaprootScript(_) => "taproot-script",
        Path::SegwitKey => "segwit-key",
        Path::SegwitScript(_) => "segwit-script",
    }
}

fn list<'a, T, V: Into<Value>>(items: &'a [T], value: impl Fn(&'a T) -> V) -> Value {
    Value::List(items.iter().map(|item| value(item).into()).collect::<Vec<_>>())
}

/// The transaction's id as explorers show it, and the number of the output.
fn outpoint(input: &Input) -> String {
    let mut text = String::new();
    for byte in input.txid.iter().rev() {
        // Writing into a text does not fail.
        text.write_str(&format!("{byte:02x}")).unwrap_or_default();
    }
    text + &format!(":{}", input.index)
}
