//! Round 3: prove knowledge of the share.

use quorate_session::{Abort, Inbox, Outbox, PerParty, Run};

use super::reveal::Reveal;
use super::round4::Confirming;
use super::view::View;
use crate::proofs::internal;
use crate::schnorr::Nonce;
use crate::wire::{POINT, SCALAR};
use crate::{EcdsaCurve, KeyShare};

/// Bytes of a proof: A' ‖ z.
pub(crate) const PROOF: usize = POINT + SCALAR;

/// What P_i remembers when its proof is sent.
pub(super) struct Proving<C: EcdsaCurve> {
    pub(super) share: KeyShare<C>,
    /// What every party revealed, its own included.
    pub(super) reveals: PerParty<Reveal<C>>,
    /// Its own proof: A'_i, z_i.
    pub(super) proof: [u8; PROOF],
}

impl<C: EcdsaCurve> Proving<C> {
    /// Proves the own share, x_i. α'_i depends on everything that was received.
    pub(super) fn new(
        run: &Run,
        share: KeyShare<C>,
        nonce: Nonce<C>,
        reveals: PerParty<Reveal<C>>,
    ) -> Result<(Self, Outbox), Abort> {
        let reveal = reveals.get(run.me()).ok_or_else(|| internal(run))?;
        let late = Nonce::<C>::new(&mut run.rng("late proof of knowledge"));
        let (late, commitment) = late.map_err(|_| internal(run))?;
        let commitment = C::encode_point(&commitment);
        let view = View { names: run.into(), key: share.info(), reveals: &reveals };
        let e = view.challenge(run.me(), [&reveal.nonce.1, &commitment]);
        let e = e.ok_or_else(|| internal(run))?;
        let z = C::encode_scalar(&nonce.answer(late, &e, share.secret().expose()));
        let mut proof = [0; PROOF];
        proof.iter_mut().zip(commitment.iter().chain(&z)).for_each(|(to, from)| *to = *from);
        Ok((Self { share, reveals, proof }, Outbox::broadcast(proof.to_vec())))
    }

    /// Figure 6, output: verifies every proof. The key is kept back until all have confirmed it.
    pub(super) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(Confirming<C>, Outbox), Abort> {
        let proofs = self.verify(run, inbox)?.with(run.me(), self.proof);
        let digest = self.view(run).confirmation(&proofs);
        Ok((Confirming::new(digest, self.share), Outbox::broadcast(digest.to_vec())))
    }

    /// The proof of every peer.
    pub(super) fn verify(
        &self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<PerParty<[u8; PROOF]>, Abort> {
        let view = self.view(run);
        inbox.verify(|from, message| view.verify(from, message.broadcast))
    }

    fn view(&self, run: &Run) -> View<'_, C> {
        View { names: run.into(), key: self.share.info(), reveals: &self.reveals }
    }
}
