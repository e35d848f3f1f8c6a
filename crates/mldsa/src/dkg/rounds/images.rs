//! Round 4: public values on their way.

#[cfg(not(target_has_atomic = "ptr"))]
use alloc::rc::Rc as Shared;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc as Shared;
use alloc::vec::Vec;

use quorate_session::{Abort, Fault, Inbox, Outbox, PerParty, Run};

use super::confirmations::AwaitingConfirmations;
use crate::dkg::made::Made;
use crate::dkg::terms::{Complaints, HASH, Terms, commit_image, confirmation};
use crate::package::PublicKeyPackage;
use crate::packing::{FULL_LEN, full};
use crate::share::KeyShare;
use crate::subset::Subset;

/// The values t_S of a leader's sets, packed.
type Images<'i> = Vec<(Subset, &'i [u8])>;

/// Round 4: t_S are on their way.
pub struct AwaitingImages {
    pub(crate) terms: Terms,
    pub(crate) made: Made,
    /// b_S, by leader.
    pub(crate) keys: PerParty<Vec<[u8; HASH]>>,
    /// e_S, by leader.
    pub(crate) committed: PerParty<Vec<[u8; HASH]>>,
}

impl AwaitingImages {
    /// Checks the values of each leader: their lengths, their commitments, and that coefficients are below q.
    pub(crate) fn verify<'i>(
        &self,
        run: &Run,
        inbox: Inbox<'i>,
    ) -> Result<PerParty<Images<'i>>, Abort> {
        let length = self.terms.image_len();
        inbox.verify(|from, message| {
            let sets = self.terms.led(from);
            if message.broadcast.len() != sets.len() * length {
                return Err(Fault::WrongLength);
            }
            let images = sets.into_iter().zip(message.broadcast.chunks(length));
            let images: Images<'_> = images.collect();
            let commit = |(set, t): &(Subset, &[u8])| {
                commit_image(&run.context(), &self.made.parts, *set, t)
            };
            if !self
                .committed
                .get(from)
                .is_some_and(|hashes| images.iter().map(commit).eq(hashes.iter().copied()))
            {
                return Err(Fault::InvalidDecommitment);
            }
            if message.broadcast.chunks(FULL_LEN).any(|poly| full(poly).is_none()) {
                return Err(Fault::Malformed);
            }
            Ok(images)
        })
    }

    /// Puts the key together, checks that each value is that of its secret, and confirms.
    pub(crate) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(AwaitingConfirmations, Outbox), Abort> {
        let received = self.verify(run, inbox)?;
        let Self { terms, made, keys, .. } = self;
        let all: Images<'_> = received.values().flatten().copied().collect();
        let differs = |(set, t): &&(Subset, Vec<u8>)| {
            all.iter().any(|(of, theirs)| of == set && *theirs != t.as_slice())
        };
        let complaints =
            Complaints(made.images.iter().filter(differs).map(|(set, _)| *set).collect());
        let image = |set| {
            let theirs = all.iter().find(|(of, _)| *of == set).map(|(_, t)| *t);
            let own = made.images.iter().find(|(of, _)| *of == set).map(|(_, t)| t.as_slice());
            theirs.or(own).into_iter().flat_map(|t| t.chunks(FULL_LEN)).filter_map(full).collect()
        };
        let parameters = (terms.set, terms.shape);
        let public = PublicKeyPackage::new(parameters, terms.parties.clone(), made.rho, image);
        let hashes: Vec<[u8; HASH]> = keys.values().flatten().copied().collect();
        let digest = confirmation(&run.context(), &public, &hashes);
        let mut body = digest.to_vec();
        complaints.put(terms.shape, &mut body);
        let share = KeyShare::new(run.party_id(), Shared::new(public), made.seeds);
        let round = AwaitingConfirmations { terms, share, digest, complaints };
        Ok((round, Outbox::broadcast(body)))
    }
}
