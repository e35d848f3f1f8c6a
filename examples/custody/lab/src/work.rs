//! The messages that clusters of the laboratory sign, and their policy.

use anyhow::Result;
use custody_core::{KeySpec, PartyId, Scheme};
use quorate_purpose::evm::{Fees, Transaction, Unsigned};
use quorate_purpose::{Kind, OpaqueMessage, Purpose};

/// The administrator makes keys; payments of at most 5 ether and any message are signed.
pub const POLICY: &str = r#"
@id("administer") permit (principal, action in Action::"administer", resource) when { principal.roles.contains("administer") };
@id("pay") permit (principal == Caller::"payments", action == Action::"evm-transaction", resource)
when { context.chain == "1" && context.holds.contains("value <= 5000000000000000000") };
@id("message") permit (principal == Caller::"payments", action == Action::"opaque-message", resource);
"#;

/// A key of the nodes 1 to 3, two of which sign.
#[must_use]
pub fn spec(scheme: Scheme, kind: Kind) -> KeySpec {
    KeySpec {
        scheme,
        threshold: 2,
        members: (1..=3).filter_map(PartyId::new).collect(),
        purposes: vec![kind],
        scope: "test".into(),
        labels: Default::default(),
    }
}

/// A payment on Ethereum.
///
/// # Errors
/// None for a sum that fits.
pub fn payment(ether: u64, nonce: u64) -> Result<Purpose> {
    let fees = Fees::Dynamic {
        max_fee: 30_000_000_000,
        max_priority_fee: 1_000_000_000,
        access_list: vec![],
    };
    Ok(Purpose::from(Transaction::new(Unsigned {
        chain: 1,
        nonce,
        fees,
        gas_limit: 21_000,
        to: Some([0x35; 20]),
        value: format!("{ether}000000000000000000").parse()?,
        data: vec![],
    })?))
}

/// A message that is signed as it is.
///
/// # Errors
/// None for a text that is short.
pub fn message(text: &str) -> Result<Purpose> {
    Ok(Purpose::from(OpaqueMessage::raw(text.as_bytes())?))
}
