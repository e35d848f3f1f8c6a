//! Round 2: the parts on which every value depends, and complaints about keys, on their way.

use alloc::vec::Vec;

use quorate_session::{Abort, Fault, Inbox, Outbox, PerParty, Run};

use super::commitments::AwaitingCommitments;
use crate::dkg::complaints::{accuse, heed, together};
use crate::dkg::made::make;
use crate::dkg::terms::{Complaints, HASH, Terms, commit_image, commit_part};
use crate::secret::SubsetKey;
use crate::subset::Subset;

/// The commitments of a party in round 1.
pub(crate) struct Committed {
    /// a_j
    pub(crate) part: [u8; HASH],
    /// b_S of the sets that it leads.
    pub(crate) keys: Vec<[u8; HASH]>,
}

/// Round 2: r_j are on their way.
pub struct AwaitingReveals {
    pub(crate) terms: Terms,
    pub(crate) part: [u8; 32],
    /// K_S of the sets that this party is a member of.
    pub(crate) keys: Vec<(Subset, SubsetKey)>,
    pub(crate) committed: PerParty<Committed>,
    pub(crate) complaints: Complaints,
}

impl AwaitingReveals {
    /// Checks each r_j against its commitment, and the form of the complaints.
    fn verify(
        &self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<PerParty<([u8; 32], Complaints)>, Abort> {
        inbox.verify(|from, message| {
            let (part, rest) = message.broadcast.split_first_chunk().ok_or(Fault::WrongLength)?;
            if rest.len() != Complaints::len(self.terms.shape) {
                return Err(Fault::WrongLength);
            }
            let committed = self.committed.get(from).map(|committed| committed.part);
            if committed != Some(commit_part(&run.context(), from, part)) {
                return Err(Fault::InvalidDecommitment);
            }
            let complaints = Complaints::read(&self.terms, from, rest).ok_or(Fault::Malformed)?;
            Ok((*part, complaints))
        })
    }

    /// Checks what has arrived, and names the leaders whose keys do not fit their commitments, whether they sent
    /// more messages or not.
    pub(crate) fn settle(
        &self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<PerParty<([u8; 32], Complaints)>, Abort> {
        let accused = accuse(&self.terms, &self.complaints, Fault::InvalidDecommitment, inbox);
        let received = together(accused, self.verify(run, inbox))?;
        heed(received.values().map(|(_, complaints)| complaints), run)?;
        Ok(received)
    }

    /// Derives ρ and the secrets, and commits to t_S of the sets that this party leads.
    pub(crate) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(AwaitingCommitments, Outbox), Abort> {
        let received = self.settle(run, inbox)?;
        let parts = received.map(|_, (part, _)| part).with(run.party_id(), self.part);
        let parts: Vec<u8> = parts.values().flatten().copied().collect();
        let made = make(&self.terms, parts, &self.keys, run);
        let led = self.terms.led(run.party_id());
        let own = made.images.iter().filter(|(set, _)| led.contains(set));
        let hash =
            |(set, t): &(Subset, Vec<u8>)| commit_image(&run.context(), &made.parts, *set, t);
        let body = own.flat_map(hash).collect();
        let keys = self.committed.map(|_, committed| committed.keys);
        let round = AwaitingCommitments { terms: self.terms, made, keys };
        Ok((round, Outbox::broadcast(body)))
    }
}
