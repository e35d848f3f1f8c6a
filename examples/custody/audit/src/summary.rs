//! The summary of a request's content.

use std::collections::BTreeMap;

use custody_core::Sign;
use quorate_purpose::Facts;
use sha2::{Digest as _, Sha256};

use crate::hex::Hex;

/// The highest number of facts.
const FACTS: usize = 64;
/// The longest name or value, in bytes.
const LENGTH: usize = 160;

/// The beginning of the names of what a request says beside its purpose. No fact has such a name.
const BESIDE: &str = "request.";

/// The facts of a purpose as texts, by name, for a [`Decision`](crate::Decision).
///
/// A name or value of more than 160 bytes is replaced by its SHA-256. Of more than 64 facts the first stand there, and their
/// number under the name `…`.
///
/// A request to sign adds what it says beside the purpose: `request.path`, and where it has them `request.merkle_root`,
/// `request.context` and `request.on_behalf`.
#[must_use]
pub fn summary(facts: &Facts, sign: Option<&Sign>) -> BTreeMap<String, String> {
    let all = facts.iter().count();
    let shown = facts.iter().take(FACTS);
    let mut summary: BTreeMap<_, _> =
        shown.map(|(name, value)| (short(name.into()), short(value.to_string()))).collect();
    if all > FACTS {
        summary.insert("…".into(), all.to_string());
    }
    summary.extend(sign.into_iter().flat_map(beside));
    summary
}

/// What a request to sign says beside its purpose. Releases without this logged no path.
fn beside(sign: &Sign) -> impl Iterator<Item = (String, String)> {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let context = Some(&sign.context).filter(|context| !context.is_empty());
    let all = [
        ("path", Some(sign.path.to_string())),
        ("merkle_root", sign.merkle_root.map(|root| root.to_string())),
        ("context", context.map(|context| hex(context))),
        ("on_behalf", sign.on_behalf.clone()),
    ];
    all.into_iter().filter_map(|(name, value)| Some((format!("{BESIDE}{name}"), short(value?))))
}

/// Returns whether two summaries are of one content. One of a release that logged no path is compared by the facts alone.
pub(crate) fn is_same(one: &BTreeMap<String, String>, other: &BTreeMap<String, String>) -> bool {
    let has_path = |of: &BTreeMap<String, String>| of.contains_key("request.path");
    let all = has_path(one) == has_path(other);
    let seen = |(name, _): &(&String, &String)| all || !name.starts_with(BESIDE);
    one.iter().filter(seen).eq(other.iter().filter(seen))
}

fn short(text: String) -> String {
    if text.len() <= LENGTH {
        return text;
    }
    format!("sha256:{} of {} bytes", Hex::<32>(Sha256::digest(&text).into()), text.len())
}
