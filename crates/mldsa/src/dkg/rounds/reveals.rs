//! Round 2: parts of what all depends on, and complaints about keys, on their way.

use alloc::vec::Vec;

use quorate_session::{Abort, Check, Fault, Inbox, Outbox, PerParty, Run};

use super::commitments::AwaitingCommitments;
use crate::dkg::terms::{Complaints, HASH, Terms, commit_image, commit_part, rho};
use crate::matrix::Matrix;
use crate::packing::put_full;
use crate::secret::{Seed, SubsetKey, image, seed};
use crate::subset::Subset;

/// What a party commits to in round 1.
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

/// What a party has made of the keys: its secrets, and the public values of those.
pub(crate) struct Made {
    /// r_1 ‖ … ‖ r_N
    pub(crate) parts: Vec<u8>,
    pub(crate) rho: [u8; 32],
    pub(crate) seeds: Vec<(Subset, Seed)>,
    /// t_S of the sets that this party is a member of, packed.
    pub(crate) images: Vec<(Subset, Vec<u8>)>,
}

impl AwaitingReveals {
    /// Checks each r_j against its commitment, and the form of the complaints.
    pub(crate) fn verify(
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

    /// Makes ρ and the secrets, and commits to t_S of the sets that this party leads.
    pub(crate) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(AwaitingCommitments, Outbox), Abort> {
        let received = self.verify(run, inbox)?;
        accuse(&self.terms, &self.complaints, Fault::InvalidDecommitment, inbox)?;
        heed(received.values().map(|(_, complaints)| complaints), run)?;
        let parts = received.map(|_, (part, _)| part).with(run.me(), self.part);
        let parts: Vec<u8> = parts.values().flatten().copied().collect();
        let made = make(&self.terms, parts, &self.keys, run);
        let led = self.terms.led(run.me());
        let own = made.images.iter().filter(|(set, _)| led.contains(set));
        let hash =
            |(set, t): &(Subset, Vec<u8>)| commit_image(&run.context(), &made.parts, *set, t);
        let body = own.flat_map(hash).collect();
        let keys = self.committed.map(|_, committed| committed.keys);
        let round = AwaitingCommitments { terms: self.terms, made, keys };
        Ok((round, Outbox::broadcast(body)))
    }
}

/// ρ, and the seed and the value t_S of each set that this party is a member of.
fn make(terms: &Terms, parts: Vec<u8>, keys: &[(Subset, SubsetKey)], run: &Run) -> Made {
    let (context, level) = (run.context(), terms.set.level);
    let rho = rho(&context, &parts);
    let a = Matrix::expand(level, &rho);
    let common = [&context, &parts[..]].concat();
    let (mut seeds, mut images) = (Vec::new(), Vec::new());
    // In the order of the sets, as a share has them.
    for set in terms.sets_of(run.me()) {
        let Some((_, key)) = keys.iter().find(|(of, _)| *of == set) else { continue };
        let threshold = terms.shape.threshold.into();
        let seed = seed((level, threshold, &terms.parties), &common, set, key);
        let mut packed = Vec::with_capacity(terms.image_len());
        image(level, &a, &seed).iter().for_each(|t| put_full(&mut packed, t));
        seeds.push((set, seed));
        images.push((set, packed));
    }
    Made { parts, rho, seeds, images }
}

/// Blames the leaders of the sets that this party complains about: what they told all, and what they told this party
/// alone, do not fit.
pub(crate) fn accuse(
    terms: &Terms,
    complaints: &Complaints,
    fault: Fault,
    inbox: Inbox<'_>,
) -> Result<(), Abort> {
    let mut leaders: Vec<_> = complaints.0.iter().filter_map(|set| terms.leader(*set)).collect();
    leaders.sort_unstable();
    leaders.dedup();
    if leaders.is_empty() {
        return Ok(());
    }
    Err(inbox.blame(leaders.into_iter().map(|leader| (leader, fault))))
}

/// Fails if others complain: this party cannot know who lies.
pub(crate) fn heed<'c>(
    others: impl IntoIterator<Item = &'c Complaints>,
    run: &Run,
) -> Result<(), Abort> {
    if others.into_iter().any(|complaints| !complaints.0.is_empty()) {
        return Err(Abort::unattributed(run.round(), Check::Complaint));
    }
    Ok(())
}
