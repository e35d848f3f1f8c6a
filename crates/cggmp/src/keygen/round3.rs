//! Round 3: prove knowledge of the share.

use alloc::vec::Vec;

use quorate_session::{Abort, Fault, Inbox, Message, Outbox, PartyId, Run};

use super::reveal::Reveal;
use super::round4::Confirming;
use crate::schnorr::{self, Nonce};
use crate::wire::SCALAR;
use crate::{EcdsaCurve, KeyShare};

/// What P_i remembers when its proof is sent.
pub(super) struct Proving<C: EcdsaCurve> {
    pub(super) share: KeyShare<C>,
    /// What every party revealed, its own included, by ascending party.
    pub(super) reveals: Vec<(PartyId, Reveal<C>)>,
    /// The answer of its own proof: z_i.
    pub(super) answer: [u8; SCALAR],
}

impl<C: EcdsaCurve> Proving<C> {
    /// Answers the challenge for the own share, x_i.
    pub(super) fn new(
        run: &Run,
        share: KeyShare<C>,
        nonce: Nonce<C>,
        reveals: Vec<(PartyId, Reveal<C>)>,
    ) -> (Self, Outbox) {
        let own = reveals.iter().find(|(party, _)| *party == run.me());
        let challenge = own.and_then(|(me, reveal)| challenge(run, &share, *me, reveal));
        // The own reveal is always there.
        let z = nonce.answer(&challenge.unwrap_or_default(), share.secret().expose());
        let answer = C::encode_scalar(&z);
        (Self { share, reveals, answer }, Outbox::broadcast(answer.to_vec()))
    }

    /// Figure 6, output: verifies every proof. The key is kept back until all have confirmed it.
    pub(super) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(Confirming<C>, Outbox), Abort> {
        let mut answers = inbox.verify(|from, message| self.verify(run, from, message))?;
        answers.push((run.me(), self.answer));
        answers.sort_unstable_by_key(|(party, _)| *party);
        let mut transcript = run.transcript("quorate-cggmp keygen confirm");
        transcript.append_list("reveals", self.reveals.iter().map(|(_, one)| one.to_bytes()));
        transcript.append_list("answers", answers.iter().map(|(_, answer)| answer));
        transcript.append("key", &self.share.info().to_bytes());
        let digest = transcript.finish32();
        Ok((Confirming { digest, share: self.share }, Outbox::broadcast(digest.to_vec())))
    }

    fn verify(
        &self,
        run: &Run,
        from: PartyId,
        message: Message<'_>,
    ) -> Result<[u8; SCALAR], Fault> {
        let answer = <[u8; SCALAR]>::try_from(message.broadcast).map_err(|_| Fault::WrongLength)?;
        let z = C::decode_scalar(&answer).ok_or(Fault::InvalidScalar)?;
        let revealed = self.reveals.iter().find(|(party, _)| *party == from);
        let (_, reveal) = revealed.ok_or(Fault::InvalidProof)?;
        let x = self.share.info().share_point(from).ok_or(Fault::InvalidProof)?;
        let e = challenge(run, &self.share, from, reveal).ok_or(Fault::InvalidProof)?;
        if schnorr::verifies::<C>(x, &reveal.nonce.0, &z, &e) {
            Ok(answer)
        } else {
            Err(Fault::InvalidProof)
        }
    }
}

/// e = H(sid, i, rid, X_i, A_i); the session id is in the run's context.
fn challenge<C: EcdsaCurve>(
    run: &Run,
    share: &KeyShare<C>,
    party: PartyId,
    reveal: &Reveal<C>,
) -> Option<C::Scalar> {
    let x = share.info().verifying_share(party)?;
    let mut context = run.transcript("quorate-cggmp keygen proof of knowledge");
    context.append_u64("party", party.get().into());
    context.append("rid", share.info().rid());
    Some(schnorr::challenge::<C>(context, x, &reveal.nonce.1))
}
