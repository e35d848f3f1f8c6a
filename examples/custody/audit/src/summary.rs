//! The summary of a request's content.

use std::collections::BTreeMap;

use quorate_purpose::Facts;
use sha2::{Digest as _, Sha256};

use crate::hex::Hex;

/// The highest number of facts.
const FACTS: usize = 64;
/// The longest name or value, in bytes.
const LENGTH: usize = 160;

/// The facts of a purpose as texts, by name, for a [`Decision`](crate::Decision).
///
/// A name or value of more than 160 bytes is replaced by its SHA-256. Of more than 64 facts the first stand there, and their
/// number under the name `…`.
#[must_use]
pub fn summary(facts: &Facts) -> BTreeMap<String, String> {
    let all = facts.iter().count();
    let shown = facts.iter().take(FACTS);
    let mut summary: BTreeMap<_, _> =
        shown.map(|(name, value)| (short(name.into()), short(value.to_string()))).collect();
    if all > FACTS {
        summary.insert("…".into(), all.to_string());
    }
    summary
}

fn short(text: String) -> String {
    if text.len() <= LENGTH {
        return text;
    }
    format!("sha256:{} of {} bytes", Hex::<32>(Sha256::digest(&text).into()), text.len())
}
