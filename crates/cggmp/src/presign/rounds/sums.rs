//! Round 3: the sums.

use alloc::vec::Vec;

use quorate_bignum::SecretInteger;
use quorate_curve::Secret;
use quorate_paillier::Error as Refused;
use quorate_session::{Abort, Inbox, Outbox, PerParty, Run};
use quorate_zk::{Error, Prover, pi_elog, prove_many, scalar};

use crate::EcdsaCurve;
use crate::presign::factor::{ByFactor, Factor, Pair};
use crate::presign::messages::{ELOG, Round3Broadcast};
use crate::presign::presignature::{Presignature, PresignatureInfo, results_digest};
use crate::presign::red_alert::alarm::Alarm;
use crate::presign::red_alert::rounds::decryptions::AwaitingDecryptions;
use crate::presign::secrets::Sent;
use crate::presign::signer::Signer;
use crate::presign::view::ELOG_DELTA;
use crate::proofs::{Faults, internal, mismatch};
use quorate_session::rounds::Step;

/// The state of P_i when its sums are sent, until those of all signers are there.
pub struct AwaitingSums<C: EcdsaCurve> {
    /// With the broadcasts of rounds 1 and 2 in view.
    signer: Signer<C>,
    sent: PerParty<ByFactor<Sent>>,
    received: PerParty<ByFactor<Pair>>,
    /// δ_i and χ_i over the integers.
    totals: ByFactor<SecretInteger>,
    /// Its own broadcast.
    sums: Round3Broadcast<C>,
}

impl<C: EcdsaCurve> AwaitingSums<C> {
    /// Figure 8, round 3.
    pub(super) fn new(
        signer: Signer<C>,
        sent: PerParty<ByFactor<Sent>>,
        received: PerParty<ByFactor<Pair>>,
        run: &Run,
    ) -> Result<(Self, Outbox), Abort> {
        let gamma = signer.view.gamma();
        // Γ ≠ O. The last to speak can have brought it about, but nobody alone is to be seen.
        if C::is_identity(&gamma) {
            return Err(mismatch(run));
        }
        let totals = add_up(&signer, &sent, &received).map_err(|_| internal(run))?;
        let chi = Secret::make(|| scalar::<C>(&totals.share));
        let big_delta = C::mul(&gamma, signer.secrets.k.scalar.expose());
        let sums = Round3Broadcast {
            delta: scalar::<C>(&totals.gamma),
            s: C::mul(&gamma, chi.expose()),
            big_delta,
            elog: prove(&signer, [gamma, big_delta], run).map_err(|_| internal(run))?,
        };
        let outbox = Outbox::broadcast(sums.to_bytes());
        Ok((Self { signer, sent, received, totals, sums }, outbox))
    }

    /// Figure 8, output: verifies Πelog of all, and that the sums add up.
    pub(super) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<Step<AwaitingDecryptions<C>, Presignature<C>>, Abort> {
        let sums = self.verify(run, inbox)?.with(run.me(), self.sums);
        let Self { mut signer, sent, received, totals, .. } = self;
        signer.view.sums = sums;
        // δG = ΣΔ_j, δX = ΣS_j.
        if let Some(factor) = signer.view.wrong_sum() {
            let alarm = Alarm { signer, sent, received, totals, factor };
            return Ok(Step::round(AwaitingDecryptions::new(alarm, run)?, |round| round));
        }
        let presignature = finish(&signer, &totals.share, run);
        presignature.map(Step::Done).ok_or_else(|| mismatch(run))
    }

    /// The sums of every peer, with Πelog verified.
    pub(super) fn verify(
        &self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<PerParty<Round3Broadcast<C>>, Abort> {
        let Signer { engine, view, .. } = &self.signer;
        let mut faults = Faults::default();
        let read =
            faults.read(inbox, |_, message| Ok(Round3Broadcast::from_bytes(message.broadcast)?));
        let verdicts = view.verify_round3(engine, &read, self.signer.own());
        faults.add_refused(verdicts.ok_or_else(|| internal(run))?);
        faults.settle(inbox)?;
        Ok(read)
    }
}

/// Decrypts the products received, and adds: `γ_i k_i + Σ(α + β)` and `x_i k_i + Σ(α̂ + β̂)`, over the
/// integers.
fn add_up<C: EcdsaCurve>(
    signer: &Signer<C>,
    sent: &PerParty<ByFactor<Sent>>,
    received: &PerParty<ByFactor<Pair>>,
) -> Result<ByFactor<SecretInteger>, Refused> {
    let products =
        Factor::BOTH.iter().flat_map(|factor| received.values().map(|pairs| &pairs.get(*factor).d));
    let products = products.collect::<Vec<_>>();
    let mut alphas = signer.key().decrypt_many(&signer.engine, &products)?.into_iter();
    let k = &signer.secrets.k.integer;
    Ok(ByFactor::new(|factor| {
        let alphas = alphas.by_ref().take(received.len());
        // β is the negative of what was encrypted.
        let betas = sent.values().map(|sent| sent.get(factor).mask.y.neg());
        let own = k.mul(signer.secrets.factor(factor));
        alphas.chain(betas).fold(own, |sum, term| sum.add(&term))
    }))
}

/// Πelog of Δ_i.
fn prove<C: EcdsaCurve>(
    signer: &Signer<C>,
    [gamma, big_delta]: [C::Point; 2],
    run: &Run,
) -> Result<[u8; ELOG], Error> {
    let Signer { secrets, view, .. } = signer;
    let statement = view.elog_delta(run.me(), gamma, big_delta).ok_or(Error::Relation)?;
    let witness = pi_elog::Witness { y: secrets.k.scalar.expose(), lambda: secrets.a.expose() };
    let instance = view.binding.instance(ELOG_DELTA);
    let context = view.binding.broadcast(run.me(), &instance);
    let prover = Prover::new(&statement, witness, context, signer.own(), &mut run.rng(ELOG_DELTA))?;
    let proof = prove_many(&signer.engine, [prover].into())?.pop().ok_or(Error::Values)?;
    proof.as_bytes().try_into().map_err(|_| Error::Values)
}

/// Figure 8, output: Γ, k̃ = k_i/δ, χ̃ = χ_i/δ, `Δ̃_j = Δ_j/δ`, `S̃_j = S_j/δ`.
fn finish<C: EcdsaCurve>(
    signer: &Signer<C>,
    chi: &SecretInteger,
    run: &Run,
) -> Option<Presignature<C>> {
    let delta = signer.view.delta();
    // δ ≠ 0. Otherwise k = 0 as well, which no party alone can bring about.
    if delta == C::Scalar::default() {
        return None;
    }
    let info = PresignatureInfo::from_view(&signer.view)?;
    let inverse = C::invert(&delta);
    let chi = Secret::make(|| scalar::<C>(chi));
    let k = Secret::make(|| inverse * *signer.secrets.k.scalar.expose());
    let chi = Secret::make(|| inverse * *chi.expose());
    let results = results_digest(info.id().run(), [info.digest()]);
    Presignature::checked(run.me(), info, results, k, chi)
}
