//! The frames of a run in order.

use alloc::vec::Vec;

use quorate_session::{PartyId, PerParty};

use super::finding::Finding;

/// The frames of the accused in its last round, and the broadcasts of all in the rounds that it has attested to.
pub(crate) struct Log<'e> {
    pub(super) culprit: PartyId,
    /// The last round of the accused.
    pub(super) round: u8,
    pub(super) broadcast: Option<&'e [u8]>,
    /// The message of the accused in its last round, with the receiver, which is the accuser.
    pub(super) direct: Option<(PartyId, &'e [u8])>,
    /// The message of round 1 from the culprit to the accuser; `None` if round 1 is the one at fault.
    pub(super) first: Option<&'e [u8]>,
    /// By round.
    pub(super) rounds: Vec<PerParty<&'e [u8]>>,
}

impl<'e> Log<'e> {
    /// The broadcast of the accused in its last round.
    pub(super) fn broadcast(&self) -> Result<&'e [u8], Finding> {
        self.broadcast.ok_or(Finding::Incomplete)
    }

    /// The message of the accused to the accuser in its last round, with the accuser.
    pub(super) fn direct(&self) -> Result<(PartyId, &'e [u8]), Finding> {
        self.direct.ok_or(Finding::Incomplete)
    }

    /// The broadcasts of all parties in a round before the last; none if it is not before it.
    pub(super) fn earlier(&self, round: usize) -> impl Iterator<Item = (PartyId, &'e [u8])> {
        let bodies = round.checked_sub(1).and_then(|index| self.rounds.get(index));
        bodies.into_iter().flatten().map(|(party, body)| (party, *body))
    }

    /// Reads all of these broadcasts.
    pub(super) fn read_all<T>(
        &self,
        round: usize,
        read: impl Fn(PartyId, &'e [u8]) -> Option<T>,
    ) -> Result<PerParty<T>, Finding> {
        let each = self.earlier(round).map(|(party, body)| Some((party, read(party, body)?)));
        each.collect::<Option<_>>().ok_or(Finding::Incomplete)
    }
}
