//! Counts of the frames that were not taken.

use alloc::{collections::BTreeMap, vec::Vec};

use crate::{PartyId, Rejected, Rejection};

/// The frames of each peer that were not taken: how many, and why the last one was not. At most
/// one entry for each peer, however many frames it sends.
#[derive(Default)]
pub(super) struct Rejections(BTreeMap<PartyId, (u64, Rejected)>);

impl Rejections {
    pub(super) fn count(&mut self, from: PartyId, why: Rejected) {
        let entry = self.0.entry(from).or_insert((0, why));
        *entry = (entry.0.saturating_add(1), why);
    }

    pub(super) fn list(&self) -> Vec<Rejection> {
        let each = self.0.iter();
        each.map(|(from, (count, last))| Rejection { from: *from, count: *count, last: *last })
            .collect()
    }
}
