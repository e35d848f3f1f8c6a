//! Round 1: commit.

use alloc::vec::Vec;

use quorate_curve::{RandomnessError, Secret};
use quorate_session::{Abort, Fault, Inbox, Outbox, PartyId, PerParty, Run};
use quorate_sharing::Polynomial;
use rand_core::Rng;
use zeroize::Zeroizing;

use super::reveal::Reveal;
use super::round2::Revealed;
use crate::EcdsaCurve;
use crate::schnorr::Nonce;

/// Bytes of V_i.
pub(super) const DIGEST: usize = 32;

/// What P_i remembers when V_i is sent.
pub(super) struct Committed<C: EcdsaCurve> {
    /// Its polynomial: f_i.
    pub(super) polynomial: Polynomial<C>,
    /// The nonce of its proof: α_i.
    pub(super) nonce: Nonce<C>,
    pub(super) reveal: Reveal<C>,
}

impl<C: EcdsaCurve> Committed<C> {
    /// Figure 6, round 1.
    pub(super) fn new(threshold: u16, run: &Run) -> Result<(Self, Outbox), RandomnessError> {
        let polynomial = Polynomial::<C>::random(threshold, &mut run.rng("polynomial"))?;
        let (nonce, a) = Nonce::<C>::new(&mut run.rng("proof of knowledge"))?;
        let string = |purpose| {
            let mut bytes = [0; 32];
            run.rng(purpose).fill_bytes(&mut bytes);
            bytes
        };
        let reveal = Reveal {
            rid: string("rid"),
            chain_code: string("chain code"),
            blinding: string("blinding"),
            nonce: (a, C::encode_point(&a)),
            commitment: polynomial.commit(),
        };
        let digest = reveal.digest(run, run.me());
        Ok((Self { polynomial, nonce, reveal }, Outbox::broadcast(digest.to_vec())))
    }

    /// Figure 6, round 2: having all V_j, reveals, and deals the shares.
    pub(super) fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<(Revealed<C>, Outbox), Abort> {
        let digests = digests(inbox)?;
        let Self { polynomial, nonce, reveal } = self;
        let others: Vec<PartyId> = run.others().collect();
        let shares = polynomial.evaluate_many(&others);
        let direct = deal::<C>(&others, shares.expose());
        let own = Secret::make(|| polynomial.evaluate(run.me()));
        let broadcast = Some(reveal.to_bytes());
        Ok((Revealed { digests, own, nonce, reveal }, Outbox { broadcast, direct }))
    }
}

/// V_j of every peer.
pub(super) fn digests(inbox: Inbox<'_>) -> Result<PerParty<[u8; DIGEST]>, Abort> {
    inbox.verify(|_, message| {
        <[u8; DIGEST]>::try_from(message.broadcast).map_err(|_| Fault::WrongLength)
    })
}

/// The shares as they are sent.
fn deal<C: EcdsaCurve>(to: &[PartyId], shares: &[C::Scalar]) -> Vec<(PartyId, Vec<u8>)> {
    let encode = |share| Zeroizing::new(C::encode_scalar(share)).to_vec();
    to.iter().zip(shares).map(|(to, share)| (*to, encode(share))).collect()
}
