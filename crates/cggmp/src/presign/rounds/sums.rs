//! Round 3: the sums.

use alloc::vec::Vec;

use quorate_bignum::SecretInteger;
use quorate_curve::Secret;
use quorate_paillier::Error as Refused;
use quorate_session::{Abort, Inbox, Outbox, PerParty, Run};
use quorate_zk::{Error, Prover, pi_elog, prove_many, scalar};

use crate::EcdsaCurve;
use crate::presign::factor::{ByFactor, Factor, Pair};
use crate::presign::messages::{Round3Broadcast, Sums};
use crate::presign::presignature::{Presignature, PresignatureInfo, results_digest};
use crate::presign::red_alert::alarm::Alarm;
use crate::presign::red_alert::rounds::decryptions::AwaitingDecryptions;
use crate::presign::secrets::Sent;
use crate::presign::signer::Signer;
use crate::presign::view::ELOG_DELTA;
use crate::proofs::{Faults, internal, mismatch};
use quorate_session::rounds::RoundOutcome;
use zeroize::Zeroizing;

/// By peer and presignature.
pub(super) type ByPeer<T> = PerParty<Vec<ByFactor<T>>>;

/// The state of P_i when its sums are sent, until those of all signers are there.
pub struct AwaitingSums<C: EcdsaCurve> {
    /// With the broadcasts of rounds 1 and 2 in view.
    signer: Signer<C>,
    /// By peer and presignature.
    sent: ByPeer<Sent>,
    received: ByPeer<Pair>,
    /// δ_i and χ_i over the integers, of each presignature.
    totals: Vec<ByFactor<SecretInteger>>,
    /// The signer's own broadcast.
    sums: Round3Broadcast<C>,
}

/// Products that are decrypted at a time: memory does not grow with their number.
const BLOCK: usize = 128;

impl<C: EcdsaCurve> AwaitingSums<C> {
    /// Figure 8, round 3.
    pub(super) fn new(
        signer: Signer<C>,
        sent: ByPeer<Sent>,
        received: ByPeer<Pair>,
        run: &Run,
    ) -> Result<(Self, Outbox), Abort> {
        if let Some(outbox) = run.recalled() {
            let state = Self::recall(signer, (sent, received), &outbox);
            return Ok((state.ok_or_else(|| internal(run))?, outbox));
        }
        let totals = add_up(&signer, &sent, &received).map_err(|_| internal(run))?;
        Self::of_totals(signer, (sent, received), totals, run)
    }

    /// Figure 8, round 3, with the totals.
    pub(super) fn of_totals(
        signer: Signer<C>,
        (sent, received): (ByPeer<Sent>, ByPeer<Pair>),
        totals: Vec<ByFactor<SecretInteger>>,
        run: &Run,
    ) -> Result<(Self, Outbox), Abort> {
        let gammas: Vec<_> =
            (0..signer.view.count()).map(|index| signer.view.gamma(index)).collect();
        // Γ ≠ O. The last to send may have caused it, but no single culprit can be shown.
        if gammas.iter().any(C::is_identity) {
            return Err(mismatch(run));
        }
        let each = sums(&signer, &gammas, &totals, run).map_err(|_| internal(run))?;
        let sums = Round3Broadcast { each };
        let outbox = Outbox {
            checkpoint: totals_to_checkpoint(&totals),
            ..Outbox::broadcast(sums.to_bytes())
        };
        Ok((Self { signer, sent, received, totals, sums }, outbox))
    }

    /// The state of an opened session, from its own messages and its checkpoint.
    fn recall(
        signer: Signer<C>,
        (sent, received): (ByPeer<Sent>, ByPeer<Pair>),
        outbox: &Outbox,
    ) -> Option<Self> {
        let count = signer.view.count();
        let sums = Round3Broadcast::from_bytes(outbox.broadcast.as_deref()?, count).ok()?;
        let totals = totals_from_checkpoint(&outbox.checkpoint, count)?;
        Some(Self { signer, sent, received, totals, sums })
    }

    /// Figure 8, output: verifies Πelog of all, and that the sums add up.
    pub(super) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<RoundOutcome<AwaitingDecryptions<C>, Vec<Presignature<C>>>, Abort> {
        let sums = self.verify(run, inbox)?.with(run.party_id(), self.sums);
        let Self { mut signer, sent, received, totals, .. } = self;
        signer.view.sums = sums;
        // δG = ΣΔ_j, δX = ΣS_j, for each presignature. The first that fails ends all of them.
        if let Some(wrong) = signer.view.wrong_sum() {
            let alarm = Alarm::new(signer, (sent, received), totals, wrong);
            let alarm = alarm.ok_or_else(|| internal(run))?;
            return Ok(RoundOutcome::round(AwaitingDecryptions::new(alarm, run)?, |round| round));
        }
        finish(&signer, &totals, run).map(RoundOutcome::Done).ok_or_else(|| mismatch(run))
    }

    /// The sums of every peer, with Πelog verified.
    pub(super) fn verify(
        &self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<PerParty<Round3Broadcast<C>>, Abort> {
        let Signer { engine, view, .. } = &self.signer;
        let mut faults = Faults::default();
        let read = faults.read(inbox, |_, message| {
            Ok(Round3Broadcast::from_bytes(message.broadcast, view.count())?)
        });
        if !run.is_verified() {
            let verdicts = view.verify_round3(engine, &read, self.signer.own());
            faults.add_refused(verdicts.ok_or_else(|| internal(run))?);
        }
        faults.settle(inbox)?;
        Ok(read)
    }
}

/// Decrypts the products received, and adds: `γ_i k_i + Σ(α + β)` and `x_i k_i + Σ(α̂ + β̂)`, over the
/// integers.
fn add_up<C: EcdsaCurve>(
    signer: &Signer<C>,
    sent: &ByPeer<Sent>,
    received: &ByPeer<Pair>,
) -> Result<Vec<ByFactor<SecretInteger>>, Refused> {
    let mut totals = own_totals(signer, sent);
    for products in received.values() {
        for (totals, products) in totals.chunks_mut(BLOCK).zip(products.chunks(BLOCK)) {
            add_block(signer, totals, products)?;
        }
    }
    Ok(totals)
}

/// `γ_i k_i + Σβ` and `x_i k_i + Σβ̂`: the part that needs no decryption.
pub(super) fn own_totals<C: EcdsaCurve>(
    signer: &Signer<C>,
    sent: &ByPeer<Sent>,
) -> Vec<ByFactor<SecretInteger>> {
    let mut totals = Vec::with_capacity(signer.view.count());
    for (index, nonces) in signer.secrets.each.iter().enumerate() {
        let own = |factor| nonces.k.integer.mul(signer.secrets.factor(factor, nonces));
        let betas = |factor| {
            let sent = sent.values().filter_map(|sent| sent.get(index));
            // β is the negative of what was encrypted.
            sent.map(|sent| sent.get(factor).mask.y.neg()).collect::<Vec<_>>()
        };
        totals.push(ByFactor::new(|factor| {
            betas(factor).into_iter().fold(own(factor), |sum, beta| sum.add(&beta))
        }));
    }
    totals
}

/// Decrypts the products of one peer for some presignatures, and adds them to the totals of those.
pub(super) fn add_block<C: EcdsaCurve>(
    signer: &Signer<C>,
    totals: &mut [ByFactor<SecretInteger>],
    products: &[ByFactor<Pair>],
) -> Result<(), Refused> {
    let list: Vec<_> = products.iter().flat_map(ByFactor::iter).map(|(_, pair)| &pair.d).collect();
    let mut alphas = signer.key().decrypt_many(&signer.engine, &list)?.into_iter();
    for total in totals {
        for factor in Factor::BOTH {
            let alpha = alphas.next().ok_or(Refused::Inconsistent)?;
            let sum = total.get_mut(factor);
            *sum = sum.add(&alpha);
        }
    }
    Ok(())
}

/// The totals of a run, one after another, for the party itself.
fn totals_to_checkpoint(totals: &[ByFactor<SecretInteger>]) -> Zeroizing<Vec<u8>> {
    let each = totals.iter().flat_map(ByFactor::iter).map(|(_, total)| total.to_bytes());
    let each: Vec<_> = each.collect();
    let room = each.iter().map(|bytes| bytes.len()).fold(0, usize::saturating_add);
    // Room for everything at once: growing would leave copies behind.
    let mut checkpoint = Zeroizing::new(Vec::with_capacity(room));
    each.iter().for_each(|bytes| checkpoint.extend_from_slice(bytes));
    checkpoint
}

fn totals_from_checkpoint(
    mut checkpoint: &[u8],
    count: usize,
) -> Option<Vec<ByFactor<SecretInteger>>> {
    let mut read = |_| {
        let (total, rest) = SecretInteger::from_bytes(checkpoint).ok_or(())?;
        checkpoint = rest;
        Ok::<_, ()>(total)
    };
    let totals =
        (0..count).map(|_| ByFactor::try_new(&mut read)).collect::<Result<_, ()>>().ok()?;
    checkpoint.is_empty().then_some(totals)
}

/// The sums of round 3, of each presignature.
fn sums<C: EcdsaCurve>(
    signer: &Signer<C>,
    gammas: &[C::Point],
    totals: &[ByFactor<SecretInteger>],
    run: &Run,
) -> Result<Vec<Sums<C>>, Error> {
    let Signer { secrets, view, .. } = signer;
    let instances: Vec<_> =
        (0..view.count()).map(|index| view.binding.instance_at(ELOG_DELTA, index)).collect();
    let mut rng = run.rng(ELOG_DELTA);
    let (mut points, mut provers) = (Vec::new(), Vec::new());
    for (index, (nonces, gamma)) in secrets.each.iter().zip(gammas).enumerate() {
        let big_delta = C::mul(gamma, nonces.k.scalar.expose());
        let statement = view.elog_delta((run.party_id(), index), *gamma, big_delta);
        let witness = pi_elog::Witness { y: nonces.k.scalar.expose(), lambda: nonces.a.expose() };
        let context =
            view.binding.broadcast(run.party_id(), instances.get(index).ok_or(Error::Relation)?);
        let statement = statement.ok_or(Error::Relation)?;
        provers.push(Prover::new(&statement, witness, context, signer.own(), &mut rng)?);
        points.push((*gamma, big_delta));
    }
    let proofs = prove_many(&signer.engine, provers)?;
    let sums =
        totals.iter().zip(points).zip(proofs).map(|((totals, (gamma, big_delta)), proof)| {
            let chi = Secret::make(|| scalar::<C>(&totals.share));
            let elog = proof.as_bytes().try_into().map_err(|_| Error::Values)?;
            let s = C::mul(&gamma, chi.expose());
            Ok(Sums { delta: scalar::<C>(&totals.gamma), s, big_delta, elog })
        });
    sums.collect()
}

/// Figure 8, output, for each presignature: Γ, k̃ = k_i/δ, χ̃ = χ_i/δ, `Δ̃_j = Δ_j/δ`, `S̃_j = S_j/δ`.
fn finish<C: EcdsaCurve>(
    signer: &Signer<C>,
    totals: &[ByFactor<SecretInteger>],
    run: &Run,
) -> Option<Vec<Presignature<C>>> {
    let view = &signer.view;
    let info = |index| {
        // δ ≠ 0. Otherwise k = 0 as well, which one party alone cannot cause.
        if view.delta(index) == C::Scalar::default() {
            return None;
        }
        PresignatureInfo::from_view(view, index)
    };
    let infos = (0..view.count()).map(info).collect::<Option<Vec<_>>>()?;
    let results = results_digest(&view.binding.context, infos.iter().map(PresignatureInfo::digest));
    let each = infos.into_iter().zip(totals).zip(&signer.secrets.each).enumerate();
    let finished = each.map(|(index, ((info, totals), nonces))| {
        let inverse = C::invert(&view.delta(index));
        let chi = Secret::make(|| scalar::<C>(&totals.share));
        let k = Secret::make(|| inverse * *nonces.k.scalar.expose());
        let chi = Secret::make(|| inverse * *chi.expose());
        Presignature::checked(run.party_id(), info, results, k, chi)
    });
    finished.collect()
}
