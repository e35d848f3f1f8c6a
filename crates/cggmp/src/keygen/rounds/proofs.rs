//! Round 3: prove knowledge of the share.

use quorate_session::{Abort, Inbox, Outbox, PerParty, Run};

use crate::keygen::messages::{PROOF, encode_proof};
use crate::keygen::view::{View, checkpoint};
use crate::proofs::internal;
use crate::schnorr::Nonce;
use crate::{EcdsaCurve, KeyShare};
use quorate_session::rounds::AwaitingConfirmations;

/// The state of P_i when its proof is sent, until those of all are there.
pub struct AwaitingProofs<C: EcdsaCurve> {
    /// With the reveals of all parties.
    view: View<C>,
    share: KeyShare<C>,
    /// The party's own proof: A'_i, z_i.
    proof: [u8; PROOF],
}

impl<C: EcdsaCurve> AwaitingProofs<C> {
    /// Proves this party's share, x_i. α'_i depends on everything that was received.
    pub(super) fn new(
        run: &Run,
        view: View<C>,
        share: KeyShare<C>,
        nonce: Nonce<C>,
    ) -> Result<(Self, Outbox), Abort> {
        let late = Nonce::<C>::new(&mut run.rng("late proof of knowledge"));
        let (late, commitment) = late.map_err(|_| internal(run))?;
        let commitment = C::encode_point(&commitment);
        let e = view.challenge(share.public(), run.party_id(), &commitment);
        let e = e.ok_or_else(|| internal(run))?;
        let z = nonce.answer(late, &e, share.secret().expose());
        let proof = encode_proof::<C>(&commitment, &z);
        let outbox =
            Outbox { checkpoint: share.to_checkpoint(), ..Outbox::broadcast(proof.to_vec()) };
        Ok((Self { view, share, proof }, outbox))
    }

    /// The round of an opened session, with the share of its checkpoint.
    pub(super) fn recall(run: &Run, view: View<C>) -> Option<(Self, Outbox)> {
        let sent = run.recalled()?;
        let proof = sent.broadcast.as_deref()?.try_into().ok()?;
        Some((Self { view, share: checkpoint(run)?, proof }, sent))
    }

    /// Figure 6, output: verifies every proof. The key is withheld until all have confirmed it.
    pub(super) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(AwaitingConfirmations<KeyShare<C>>, Outbox), Abort> {
        let proofs = self.verify(inbox)?.with(run.party_id(), self.proof);
        let digest = self.view.confirmation(self.share.public(), &proofs);
        Ok(AwaitingConfirmations::new(self.share, &digest))
    }

    /// The proof of every peer.
    pub(super) fn verify(&self, inbox: Inbox<'_>) -> Result<PerParty<[u8; PROOF]>, Abort> {
        let key = self.share.public();
        inbox.verify(|from, message| self.view.verify_proof(key, from, message.broadcast))
    }
}
