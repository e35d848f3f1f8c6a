//! The committees of one epoch: any two of them have an honest member in common.
//!
//! The agreement about new shares rests on it (A2 of `docs/spec/agreement.md`). A caller may ask for two changes at once, and a
//! gateway may begin both.

use custody_core::{KeyId, KeySpec, Reason, Refusal};
use quorate::keys::agreement::ATTEMPTS_PER_EPOCH;
use quorate_store::Ledger;
use serde::{Deserialize, Serialize};

use crate::rows::{Stored, decode, encode, ledger, name};

/// A committee in the ledger.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Committee {
    threshold: u16,
    members: Vec<u16>,
}

impl Committee {
    /// Returns whether the two share as many members as the greater threshold: fewer than that are corrupt.
    fn meets(&self, other: &Self) -> bool {
        let shared = self.members.iter().filter(|member| other.members.contains(member)).count();
        shared >= usize::from(self.threshold.max(other.threshold))
    }
}

/// Records that the node takes part in a change of this epoch.
///
/// # Errors
/// The refusal. The outer error is of the database.
pub(crate) fn bind(
    rows: &mut Ledger<'_>,
    key: &KeyId,
    epoch: u32,
    spec: &KeySpec,
) -> Stored<Result<(), Refusal>> {
    let members = spec.members.iter().map(|party| party.get()).collect();
    let new = Committee { threshold: spec.threshold, members };
    let name = name(&[key.as_bytes(), &epoch.to_be_bytes()]);
    let known = rows.get(ledger::COMMITTEES, &name)?.map(|row| decode::<Vec<Committee>>(&row));
    let mut known = match known.transpose() {
        Ok(known) => known.unwrap_or_default(),
        Err(why) => return Ok(Err(why)),
    };
    if known.contains(&new) {
        return Ok(Ok(()));
    }
    if known.len() >= ATTEMPTS_PER_EPOCH || !known.iter().all(|other| other.meets(&new)) {
        let detail = "another change of this epoch has begun, with too few of the same members: \
                      end that one first, or keep as many members as the threshold";
        return Ok(Err(Refusal::new(Reason::RequestConflict, detail)));
    }
    known.push(new);
    match encode(&known) {
        Ok(content) => rows.put(ledger::COMMITTEES, &name, &content).map(Ok),
        Err(why) => Ok(Err(why)),
    }
}
