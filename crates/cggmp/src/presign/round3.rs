//! Round 3: the sums.

use alloc::vec::Vec;

use quorate_bignum::SecretInteger;
use quorate_curve::Secret;
use quorate_paillier::Error as Refused;
use quorate_session::{Abort, Fault, Inbox, Outbox, PartyId, Run, wire::Reader};
use quorate_zk::{Context, Own, Prover, ReceivedProof, pi_elog, prove_many, scalar};

use super::opening::{Round1Broadcast, read_point};
use super::products::{Digests, Factor, Received, of};
use super::round2::AwaitingProducts;
use super::{At, ELOG, Presignature, Step};
use crate::EcdsaCurve;
use crate::proofs::{Faults, RunBinding, instance, internal, mismatch, to_all};
use crate::red_alert::Alert;
use crate::wire::SCALAR;

const ROLE: &str = "presign elog delta";

/// The state of P_i from its sums on, until those of all signers are there.
pub(crate) struct AwaitingSums<C: EcdsaCurve> {
    pub(crate) two: AwaitingProducts<C>,
    /// Everybody's Γ_j, by ascending party.
    pub(crate) gammas: Vec<(PartyId, C::Point)>,
    /// Γ
    pub(crate) gamma: C::Point,
    /// Everybody's.
    pub(crate) digests: Vec<(PartyId, Digests)>,
    pub(crate) received: Received,
    /// δ_i over the integers, for the red alert.
    pub(crate) delta: SecretInteger,
    /// χ_i over the integers.
    pub(crate) chi: SecretInteger,
    /// Its own broadcast.
    pub(crate) sums: Round3Broadcast<C>,
}

/// `δ_i, S_i, Δ_i`
#[derive(Clone, Copy)]
pub(crate) struct Round3Broadcast<C: EcdsaCurve> {
    /// `δ_i`
    pub(crate) delta: C::Scalar,
    /// `S_i = χ_iΓ`
    pub(crate) s: C::Point,
    /// `Δ_i = k_iΓ`
    pub(crate) big_delta: C::Point,
}

impl<C: EcdsaCurve> Round3Broadcast<C> {
    /// `δ_i ‖ S_i ‖ Δ_i ‖ Πelog`, and the proof.
    pub(crate) fn read(bytes: &[u8]) -> Result<(Self, &[u8]), Fault> {
        let mut reader = Reader::new(bytes);
        let delta = reader.bytes(SCALAR)?;
        let delta = C::decode_scalar(delta).ok_or(Fault::InvalidScalar)?;
        let (s, big_delta) = (read_point::<C>(&mut reader)?, read_point::<C>(&mut reader)?);
        let proof = reader.bytes(ELOG)?;
        reader.finish()?;
        Ok((Self { delta, s, big_delta }, proof))
    }

    /// Πelog: Δ_j hides the same as A_j.
    pub(crate) fn received<'s>(
        &self,
        opening: &Round1Broadcast<C>,
        gamma: C::Point,
        proof: &[u8],
        (context, own): (Context<'s>, Own<'s>),
    ) -> Result<ReceivedProof<'s, C>, quorate_zk::Fault> {
        ReceivedProof::new(&elog_of_delta(opening, self.big_delta, gamma), proof, context, own)
    }

    /// Figure 8, output: which sum is wrong, δG = ΣΔ_j or δX = ΣS_j; and δ.
    pub(crate) fn wrong(all: &[(PartyId, Self)], key: &C::Point) -> (Option<Factor>, C::Scalar) {
        let delta = all.iter().fold(C::Scalar::default(), |sum, (_, one)| sum + one.delta);
        let add = |part: fn(&Self) -> C::Point| {
            all.iter().fold(C::identity(), |sum, (_, one)| sum + part(one))
        };
        let factor = if C::mul_base(&delta) != add(|one| one.big_delta) {
            Some(Factor::Gamma)
        } else if C::msm_vartime(&[delta], &[*key]) != add(|one| one.s) {
            Some(Factor::Share)
        } else {
            None
        };
        (factor, delta)
    }
}

impl<C: EcdsaCurve> AwaitingSums<C> {
    /// Figure 8, round 3.
    pub(crate) fn new(
        two: AwaitingProducts<C>,
        gammas: Vec<(PartyId, C::Point)>,
        digests: Vec<(PartyId, Digests)>,
        received: Received,
        run: &Run,
    ) -> Result<(Self, Outbox), Abort> {
        let gamma = gammas.iter().fold(C::identity(), |sum, (_, gamma)| sum + *gamma);
        // Γ ≠ O. Whoever spoke last can have brought it about, but nobody alone is to be seen.
        if C::is_identity(&gamma) {
            return Err(mismatch(run));
        }
        let [delta, chi] = add_up(&two, &received).map_err(|_| internal(run))?;
        let secret_chi = Secret::new(scalar::<C>(&chi));
        let sums = Round3Broadcast {
            delta: scalar::<C>(&delta),
            s: C::mul(&gamma, secret_chi.expose()),
            big_delta: C::mul(&gamma, two.secrets.k.scalar.expose()),
        };
        let three = Self { two, gammas, gamma, digests, received, delta, chi, sums };
        let proof = three.prove(run).map_err(|_| internal(run))?;
        let mut broadcast = C::encode_scalar(&sums.delta).to_vec();
        let points = C::encode_points(&[sums.s, sums.big_delta]);
        broadcast.extend_from_slice(points.as_flattened());
        broadcast.extend(proof);
        Ok((three, Outbox::broadcast(broadcast)))
    }

    fn prove(&self, run: &Run) -> Result<Vec<u8>, quorate_zk::Error> {
        let opening = self.two.opening(run.me()).ok_or(quorate_zk::Error::Relation)?;
        let statement = elog_of_delta(opening, self.sums.big_delta, self.gamma);
        let secrets = &self.two.secrets;
        let witness = pi_elog::Witness { y: secrets.k.scalar.expose(), lambda: secrets.a.expose() };
        let role = role(run);
        let context = to_all(run, run.me(), &role);
        let rng = &mut run.rng("elog");
        let prover = Prover::new(&statement, witness, context, self.two.env.own(), rng)?;
        let proofs = prove_many(&self.two.env.engine, [prover].into())?;
        Ok(proofs.into_iter().flat_map(quorate_zk::Proof::into_bytes).collect())
    }

    /// Figure 8, output: verifies Πelog of everybody, and that the sums add up.
    pub(crate) fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<Step<C>, Abort> {
        let mut all = self.verify(run, inbox)?;
        all.push((run.me(), self.sums));
        all.sort_unstable_by_key(|(party, _)| *party);
        self.finish(run, all)
    }

    /// The sums of every peer, with Πelog verified.
    pub(crate) fn verify(
        &self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<Vec<(PartyId, Round3Broadcast<C>)>, Abort> {
        let mut faults = Faults::default();
        let read =
            faults.read(inbox, |_, message| Ok(Round3Broadcast::<C>::read(message.broadcast)?));
        let role = role(run);
        let mut received = Vec::new();
        for (from, (sums, proof)) in &read {
            let opening = self.two.opening(*from).ok_or_else(|| internal(run))?;
            let context = (to_all(run, *from, &role), self.two.env.own());
            received.push((*from, sums.received(opening, self.gamma, proof, context)));
        }
        faults.verify(&self.two.env.engine, received);
        faults.settle(inbox)?;
        Ok(read.into_iter().map(|(from, (sums, _))| (from, sums)).collect())
    }

    /// Figure 8, output: δ ≠ 0, δG = ΣΔ_j, δX = ΣS_j.
    fn finish(self, run: &Run, all: Vec<(PartyId, Round3Broadcast<C>)>) -> Result<Step<C>, Abort> {
        let (factor, delta) =
            Round3Broadcast::wrong(&all, self.two.env.key.verifying_key().point());
        if let Some(factor) = factor {
            let (alert, outbox) = Alert::new(self, all, factor, run)?;
            return Ok(Step::Next(At::Alert(alert), outbox));
        }
        // Then k = 0 as well, which no party alone can bring about.
        if delta == C::Scalar::default() {
            return Err(mismatch(run));
        }
        let presignature = Presignature::new(&self, &delta, &all, run);
        presignature.map(Step::Done).ok_or_else(|| mismatch(run))
    }
}

/// Decrypts what was received, and adds: `γ_i k_i + Σ(α + β)` and `x_i k_i + Σ(α̂ + β̂)`, over the
/// integers.
fn add_up<C: EcdsaCurve>(
    two: &AwaitingProducts<C>,
    received: &Received,
) -> Result<[SecretInteger; 2], Refused> {
    let key = two.env.aux.secrets().key();
    let k = &two.secrets.k.integer;
    let factors = Factor::BOTH.map(|factor| two.secrets.factor(factor));
    let list: Vec<_> = Factor::BOTH
        .iter()
        .flat_map(|factor| received.iter().map(|(_, pairs)| &of(pairs, *factor).d))
        .collect();
    let mut alphas = key.decrypt_many(&two.env.engine, &list)?.into_iter();
    let sums = Factor::BOTH.iter().zip(factors).map(|(factor, secret)| {
        let alphas = alphas.by_ref().take(received.len());
        // β is the negative of what was encrypted.
        let betas = two.sent.iter().filter(|sent| sent.factor == *factor);
        let terms = alphas.chain(betas.map(|sent| sent.mask.y.neg()));
        terms.fold(k.mul(secret), |sum, term| sum.add(&term))
    });
    let sums: Vec<_> = sums.collect();
    sums.try_into().map_err(|_| Refused::Inconsistent)
}

/// The instance of the second Πelog.
pub(crate) fn role(names: impl Into<RunBinding>) -> Vec<u8> {
    instance(names, ROLE)
}

/// The statement of the second Πelog: Δ_j hides the same as A_j.
fn elog_of_delta<C: EcdsaCurve>(
    opening: &Round1Broadcast<C>,
    delta: C::Point,
    gamma: C::Point,
) -> pi_elog::Statement<C> {
    let [l, m] = opening.a;
    pi_elog::Statement { l, m, x: opening.y, y: delta, h: gamma }
}
