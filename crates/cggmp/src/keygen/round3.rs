//! Round 3: prove knowledge of the share.

use alloc::vec::Vec;

use quorate_session::{Abort, Fault, Inbox, Message, Outbox, PartyId, Run};

use super::reveal::Reveal;
use super::round4::Confirming;
use crate::proofs::internal;
use crate::schnorr::{self, Nonce};
use crate::wire::{POINT, SCALAR};
use crate::{EcdsaCurve, KeyShare};

/// Bytes of a proof: A' ‖ z.
pub(super) const PROOF: usize = POINT + SCALAR;

/// What P_i remembers when its proof is sent.
pub(super) struct Proving<C: EcdsaCurve> {
    pub(super) share: KeyShare<C>,
    /// What every party revealed, its own included, by ascending party.
    pub(super) reveals: Vec<(PartyId, Reveal<C>)>,
    /// Its own proof: A'_i, z_i.
    pub(super) proof: [u8; PROOF],
}

impl<C: EcdsaCurve> Proving<C> {
    /// Proves the own share, x_i. α'_i depends on everything that was received.
    pub(super) fn new(
        run: &Run,
        share: KeyShare<C>,
        nonce: Nonce<C>,
        reveals: Vec<(PartyId, Reveal<C>)>,
    ) -> Result<(Self, Outbox), Abort> {
        let own = reveals.iter().find(|(party, _)| *party == run.me());
        let (_, reveal) = own.ok_or_else(|| internal(run))?;
        let late = Nonce::<C>::new(&mut run.rng("late proof of knowledge"));
        let (late, commitment) = late.map_err(|_| internal(run))?;
        let commitment = C::encode_point(&commitment);
        let e = challenge(run, &share, run.me(), [&reveal.nonce.1, &commitment]);
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
        let mut proofs = inbox.verify(|from, message| self.verify(run, from, message))?;
        proofs.push((run.me(), self.proof));
        proofs.sort_unstable_by_key(|(party, _)| *party);
        let mut transcript = run.transcript("quorate-cggmp keygen confirm");
        transcript.append_list("reveals", self.reveals.iter().map(|(_, one)| one.to_bytes()));
        transcript.append_list("proofs", proofs.iter().map(|(_, proof)| proof));
        transcript.append("key", &self.share.info().to_bytes());
        let digest = transcript.finish32();
        Ok((Confirming { digest, share: self.share }, Outbox::broadcast(digest.to_vec())))
    }

    fn verify(&self, run: &Run, from: PartyId, message: Message<'_>) -> Result<[u8; PROOF], Fault> {
        let proof = <[u8; PROOF]>::try_from(message.broadcast).map_err(|_| Fault::WrongLength)?;
        let (late_bytes, z) = proof.split_first_chunk::<POINT>().ok_or(Fault::WrongLength)?;
        let late = C::decode_point(late_bytes).ok_or(Fault::InvalidPoint)?;
        let z = C::decode_scalar(z).ok_or(Fault::InvalidScalar)?;
        let revealed = self.reveals.iter().find(|(party, _)| *party == from);
        let (_, reveal) = revealed.ok_or(Fault::InvalidProof)?;
        let x = self.share.info().share_point(from).ok_or(Fault::InvalidProof)?;
        let commitments = [&reveal.nonce.1, late_bytes];
        let e = challenge(run, &self.share, from, commitments).ok_or(Fault::InvalidProof)?;
        if schnorr::verifies::<C>(x, &(reveal.nonce.0 + late), &z, &e) {
            Ok(proof)
        } else {
            Err(Fault::InvalidProof)
        }
    }
}

/// e = H(sid, i, rid, X_i, A_i, A'_i); the session id is in the run's context.
fn challenge<C: EcdsaCurve>(
    run: &Run,
    share: &KeyShare<C>,
    party: PartyId,
    commitments: [&C::PointBytes; 2],
) -> Option<C::Scalar> {
    let x = share.info().verifying_share(party)?;
    let mut context = run.transcript("quorate-cggmp keygen proof of knowledge");
    context.append_u64("party", party.get().into());
    context.append("rid", share.info().rid());
    Some(schnorr::challenge::<C>(context, x, commitments))
}
