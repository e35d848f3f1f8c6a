//! Round 3: commitments to public values on their way.

use alloc::vec::Vec;

use quorate_session::{Abort, Fault, Inbox, Outbox, PerParty, Run};

use super::images::AwaitingImages;
use crate::dkg::made::Made;
use crate::dkg::terms::{HASH, Terms};

/// Round 3: e_S are on their way.
pub struct AwaitingCommitments {
    pub(crate) terms: Terms,
    pub(crate) made: Made,
    /// b_S, by leader.
    pub(crate) keys: PerParty<Vec<[u8; HASH]>>,
}

impl AwaitingCommitments {
    /// Checks that each leader commits to a value for each of its sets.
    pub(crate) fn verify(&self, inbox: Inbox<'_>) -> Result<PerParty<Vec<[u8; HASH]>>, Abort> {
        inbox.verify(|from, message| {
            let (hashes, rest) = message.broadcast.as_chunks::<HASH>();
            let fits = rest.is_empty() && hashes.len() == self.terms.led(from).len();
            if fits { Ok(hashes.to_vec()) } else { Err(Fault::WrongLength) }
        })
    }

    /// Shows t_S of the sets that this party leads.
    pub(crate) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(AwaitingImages, Outbox), Abort> {
        let committed = self.verify(inbox)?;
        let Self { terms, made, keys } = self;
        let sets = terms.led(run.party_id());
        let led = made.images.iter().filter(|(set, _)| sets.contains(set));
        let body = led.flat_map(|(_, t)| t).copied().collect();
        Ok((AwaitingImages { terms, made, keys, committed }, Outbox::broadcast(body)))
    }
}
