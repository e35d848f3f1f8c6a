//! Round 1: commit.

use alloc::vec::Vec;

use quorate_curve::{RandomnessError, Secret};
use quorate_session::{Abort, Inbox, Outbox, PartyId, Run};
use quorate_sharing::Polynomial;
use zeroize::Zeroizing;

use super::reveals::AwaitingReveals;
use crate::EcdsaCurve;
use crate::keygen::messages::{Reveal, encode_shares};
use crate::keygen::view::View;
use crate::proofs::{digests, random_string};
use crate::schnorr::Nonce;

/// The state of P_i when V_i is sent, until all V_j are there.
pub struct AwaitingDigests<C: EcdsaCurve> {
    pub(crate) view: View<C>,
    /// The party's polynomial: f_i.
    pub(crate) polynomial: Polynomial<C>,
    /// The nonce of its proof: α_i.
    nonce: Nonce<C>,
    pub(crate) reveal: Reveal<C>,
}

impl<C: EcdsaCurve> AwaitingDigests<C> {
    /// Figure 6, round 1.
    pub(crate) fn new(threshold: u16, run: &Run) -> Result<(Self, Outbox), RandomnessError> {
        let polynomial = Polynomial::<C>::random(threshold, &mut run.rng("polynomial"))?;
        let view = View::new(run.into(), run.parties(), threshold);
        if let Some(again) = Self::recall(&view, run)? {
            let (nonce, reveal, sent) = again;
            return Ok((Self { view, polynomial, nonce, reveal }, sent));
        }
        let (nonce, a) = Nonce::<C>::new(&mut run.rng("proof of knowledge"))?;
        let reveal = Reveal {
            rid: random_string(run, "rid"),
            chain_code: random_string(run, "chain code"),
            blinding: random_string(run, "blinding"),
            nonce: (a, C::encode_point(&a)),
            commitment: polynomial.commit(),
        };
        let digest = reveal.digest(run, run.party_id());
        let checkpoint = Zeroizing::new(reveal.to_bytes());
        let outbox = Outbox { checkpoint, ..Outbox::broadcast(digest.to_vec()) };
        Ok((Self { view, polynomial, nonce, reveal }, outbox))
    }

    /// α_i and the reveal of an opened session.
    #[allow(clippy::type_complexity, reason = "taken apart at once")]
    fn recall(
        view: &View<C>,
        run: &Run,
    ) -> Result<Option<(Nonce<C>, Reveal<C>, Outbox)>, RandomnessError> {
        let Some(sent) = run.recalled() else { return Ok(None) };
        let reveal = Reveal::from_bytes(&sent.checkpoint, view.threshold.into());
        let nonce = Nonce::<C>::same(&mut run.rng("proof of knowledge"))?;
        Ok(reveal.ok().map(|reveal| (nonce, reveal, sent)))
    }

    /// Figure 6, round 2: having all V_j, reveals, and deals the shares.
    pub(super) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(AwaitingReveals<C>, Outbox), Abort> {
        let digests = digests(inbox)?;
        let Self { view, polynomial, nonce, reveal } = self;
        let outbox = match run.recalled() {
            Some(sent) => sent,
            None => {
                let others: Vec<PartyId> = run.others().collect();
                let shares = polynomial.evaluate_many(&others);
                let direct = encode_shares::<C>(&others, shares.expose());
                Outbox::new(Some(reveal.to_bytes()), direct)
            }
        };
        let own = Secret::make(|| polynomial.evaluate(run.party_id()));
        let view = View { digests, ..view };
        Ok((AwaitingReveals { view, own, nonce, reveal }, outbox))
    }
}
