//! Round 1: commitments, and the keys of the sets, on their way.

use alloc::vec::Vec;

use quorate_declassify::declassify;
use quorate_session::{Abort, Fault, Inbox, Outbox, PartyId, PerParty, Run};
use rand_core::Rng;

use super::reveals::{AwaitingReveals, Committed};
use crate::dkg::terms::{Complaints, HASH, Terms, commit_key, commit_part};
use crate::secret::SubsetKey;
use crate::subset::Subset;

/// Round 1: a_j, b_S and K_S are on their way.
pub struct AwaitingKeys {
    terms: Terms,
    /// r_i
    part: [u8; 32],
    /// K_S of the sets that this party leads.
    keys: Vec<(Subset, SubsetKey)>,
    own: Committed,
}

/// The content of a peer's messages in this round: its commitments, and the keys of the sets that it leads.
type Received = (Committed, Vec<(Subset, SubsetKey)>);

impl AwaitingKeys {
    /// Draws r_i and the keys of the sets that this party leads.
    pub(crate) fn new(terms: Terms, run: &Run) -> (Self, Outbox) {
        let (me, context) = (run.party_id(), run.context());
        let mut part = [0; 32];
        run.rng("part").fill_bytes(&mut part);
        // All parties learn it after the next round. Until then they know its hash.
        let part = declassify(part);
        let mut rng = run.rng("keys");
        let mut draw = |set| (set, SubsetKey::filled(|bytes| rng.fill_bytes(bytes)));
        let keys: Vec<_> = terms.led(me).into_iter().map(&mut draw).collect();
        let commit = |(set, key): &(Subset, SubsetKey)| commit_key(&context, *set, key);
        let own = Committed {
            part: commit_part(&context, me, &part),
            keys: keys.iter().map(commit).collect(),
        };
        let mut body = own.part.to_vec();
        own.keys.iter().for_each(|hash| body.extend_from_slice(hash));
        let direct = run.others().map(|to| (to, confidential(&terms, &keys, me, to)));
        // If every set has one member, there is no confidential message.
        let direct = direct.filter(|(_, body)| !body.is_empty()).collect();
        (Self { terms, part, keys, own }, Outbox::new(Some(body), direct))
    }

    /// Checks the form of the messages of each peer.
    pub(crate) fn verify(&self, run: &Run, inbox: Inbox<'_>) -> Result<PerParty<Received>, Abort> {
        inbox.verify(|from, message| {
            let (sets, shared) = (self.terms.led(from), self.terms.shared(from, run.party_id()));
            let wrong = Fault::WrongLength;
            let (part, rest) = message.broadcast.split_first_chunk().ok_or(wrong)?;
            let (keys, rest) = rest.as_chunks::<HASH>();
            let (secrets, left) = message.direct.as_chunks::<32>();
            let lengths = (keys.len(), secrets.len()) == (sets.len(), shared.len());
            if !lengths || !rest.is_empty() || !left.is_empty() {
                return Err(wrong);
            }
            let secret = |bytes: &[u8; 32]| SubsetKey::filled(|to| *to = *bytes);
            let secrets = shared.into_iter().zip(secrets.iter().map(secret)).collect();
            Ok((Committed { part: *part, keys: keys.to_vec() }, secrets))
        })
    }

    /// Checks each key against its commitment, reports the result, and reveals r_i.
    pub(crate) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(AwaitingReveals, Outbox), Abort> {
        let received = self.verify(run, inbox)?;
        let Self { terms, part, mut keys, own } = self;
        let (mut committed, mut complaints) =
            (PerParty::new().with(run.party_id(), own), Vec::new());
        for (from, (theirs, secrets)) in received {
            let sets = terms.led(from);
            for (set, key) in secrets {
                let hash = sets.iter().zip(&theirs.keys).find(|(led, _)| **led == set);
                let fits = |hash: &[u8; HASH]| *hash == commit_key(&run.context(), set, &key);
                if hash.is_none_or(|(_, hash)| !fits(hash)) {
                    complaints.push(set);
                }
                keys.push((set, key));
            }
            committed.insert(from, theirs);
        }
        let complaints = Complaints(complaints);
        let mut body = part.to_vec();
        complaints.put(terms.shape, &mut body);
        let round = AwaitingReveals { terms, part, keys, committed, complaints };
        Ok((round, Outbox::broadcast(body)))
    }
}

/// The keys of the sets that this party leads and another is a member of.
fn confidential(terms: &Terms, keys: &[(Subset, SubsetKey)], me: PartyId, to: PartyId) -> Vec<u8> {
    let sets = terms.shared(me, to);
    // The session wipes what it sends. The capacity is exact, so that growing leaves no copy behind.
    let mut body = Vec::with_capacity(sets.len() * 32);
    for (_, key) in keys.iter().filter(|(set, _)| sets.contains(set)) {
        body.extend_from_slice(key.expose());
    }
    body
}
