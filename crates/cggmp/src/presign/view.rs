//! The public view of a presigning, by which the live round, the red alert and evidence judge alike.

use alloc::vec::Vec;

use quorate_bignum::Engine;
use quorate_paillier::Ciphertext;
use quorate_session::{Fault, Parties, PartyId, PerParty};
use quorate_zk::{Own, ReceivedProof, pi_aff_g, pi_elog, pi_enc_elg};

use super::factor::{ByFactor, Factor, Pair};
use super::messages::{
    Round1Broadcast, Round1Direct, Round2Broadcast, Round2Direct, Round3Broadcast,
};
use crate::proofs::{Refusal, RunBinding, Verdicts, verify};
use crate::{AdditiveInfo, AuxPublic, EcdsaCurve, KeyInfo};

/// The roles of the proofs of round 1, ψ0 and ψ1.
pub(super) const ENC_ELG: [&str; 2] = ["presign enc-elg k", "presign enc-elg gamma"];
/// The role of Πelog of `Γ_i`.
pub(super) const ELOG_GAMMA: &str = "presign elog gamma";
/// The role of Πelog of `Δ_i`.
pub(super) const ELOG_DELTA: &str = "presign elog delta";

/// The broadcasts of the rounds that are over, with the terms of the run.
pub(crate) struct View<C: EcdsaCurve> {
    pub(crate) binding: RunBinding,
    pub(crate) key: KeyInfo<C>,
    /// The signers, with `λ_j·X_j`.
    pub(crate) shares: AdditiveInfo<C>,
    pub(crate) aux: AuxPublic,
    /// Round 1.
    pub(crate) openings: PerParty<Round1Broadcast<C>>,
    /// Round 2.
    pub(crate) announced: PerParty<Round2Broadcast<C>>,
    /// Round 3.
    pub(crate) sums: PerParty<Round3Broadcast<C>>,
}

impl<C: EcdsaCurve> View<C> {
    /// The view before the first message.
    pub(crate) fn new(
        binding: RunBinding,
        key: &KeyInfo<C>,
        shares: &AdditiveInfo<C>,
        aux: &AuxPublic,
    ) -> Self {
        Self {
            binding,
            key: key.clone(),
            shares: shares.clone(),
            aux: aux.clone(),
            openings: PerParty::new(),
            announced: PerParty::new(),
            sums: PerParty::new(),
        }
    }

    pub(crate) const fn signers(&self) -> &Parties {
        self.shares.signers()
    }

    /// The peers of a signer, in ascending order.
    pub(crate) fn peers(&self, signer: PartyId) -> impl Iterator<Item = PartyId> + '_ {
        self.signers().iter().filter(move |party| *party != signer)
    }

    /// Γ = ΣΓ_j
    pub(crate) fn gamma(&self) -> C::Point {
        self.announced.values().fold(C::identity(), |sum, theirs| sum + theirs.gamma)
    }

    /// `λ_j·X_j`
    pub(crate) fn share_point(&self, signer: PartyId) -> Option<C::Point> {
        self.shares.share_point(signer).copied()
    }

    /// Reads the broadcast of round 1.
    pub(crate) fn read_round1(
        &self,
        from: PartyId,
        bytes: &[u8],
    ) -> Result<Round1Broadcast<C>, Refusal> {
        let key = self.aux.encryption_key(from).ok_or(Refusal::Internal)?;
        Ok(Round1Broadcast::from_bytes(bytes, key)?)
    }

    /// Reads the broadcast of round 2.
    pub(crate) fn read_round2(
        &self,
        from: PartyId,
        bytes: &[u8],
    ) -> Result<Round2Broadcast<C>, Fault> {
        Round2Broadcast::from_bytes(bytes, self.peers(from))
    }

    /// Figure 8, round 3: reads the products from one signer to another: membership, and that a red alert would show
    /// to all what was sent to this one.
    pub(crate) fn read_products<'m>(
        &self,
        between: [PartyId; 2],
        broadcast: &Round2Broadcast<C>,
        bytes: &'m [u8],
    ) -> Result<Round2Direct<'m>, Refusal> {
        let [theirs, ours] = between.map(|party| self.aux.encryption_key(party));
        let keys = [theirs.ok_or(Refusal::Internal)?, ours.ok_or(Refusal::Internal)?];
        let direct = Round2Direct::from_bytes(bytes, keys)?;
        let [_, to] = between;
        let found =
            ByFactor::new(|factor| direct.pairs.get(factor).digest(self.binding, factor, between));
        if broadcast.digests.get(to) != Some(&found) {
            return Err(Fault::InvalidDecommitment.into());
        }
        Ok(direct)
    }

    /// The digest that round 2 broadcast of a product.
    pub(super) fn digest(&self, [from, to]: [PartyId; 2], factor: Factor) -> Option<&[u8; 32]> {
        Some(self.announced.get(from)?.digests.get(to)?.get(factor))
    }

    /// The statements of ψ0 and ψ1 for a verifier: K hides the same as A, G the same as B.
    pub(super) fn enc_elg<'s>(
        &'s self,
        opening: &'s Round1Broadcast<C>,
        verifier: PartyId,
    ) -> Option<[pi_enc_elg::Statement<'s, C>; 2]> {
        let setup = self.aux.pedersen(verifier)?;
        let statement = |ciphertext, [b, x]: [C::Point; 2]| pi_enc_elg::Statement {
            setup,
            ciphertext,
            a: opening.y,
            b,
            x,
        };
        Some([statement(&opening.k, opening.a), statement(&opening.g, opening.b)])
    }

    /// The statement of the first Πelog: Γ_j hides the same as B_j.
    pub(super) fn elog_gamma(
        &self,
        party: PartyId,
        gamma: C::Point,
    ) -> Option<pi_elog::Statement<C>> {
        let opening = self.openings.get(party)?;
        let [l, m] = opening.b;
        Some(pi_elog::Statement { l, m, x: opening.y, y: gamma, h: C::generator() })
    }

    /// The statement of Πaff-g: D is the product of the verifier's k and the logarithm of `x`, masked as F says.
    pub(super) fn aff_g<'s>(
        &'s self,
        verifier: PartyId,
        [d, y]: [&'s Ciphertext; 2],
        x: C::Point,
    ) -> Option<pi_aff_g::Statement<'s, C>> {
        let setup = self.aux.pedersen(verifier)?;
        let c = &self.openings.get(verifier)?.k;
        Some(pi_aff_g::Statement { setup, c, d, y, x })
    }

    /// The statement of the second Πelog: Δ_j hides the same as A_j.
    pub(super) fn elog_delta(
        &self,
        party: PartyId,
        gamma: C::Point,
        big_delta: C::Point,
    ) -> Option<pi_elog::Statement<C>> {
        let opening = self.openings.get(party)?;
        let [l, m] = opening.a;
        Some(pi_elog::Statement { l, m, x: opening.y, y: big_delta, h: gamma })
    }

    /// Figure 8, round 2: both Πenc-elg of these signers, for one.
    pub(crate) fn verify_round1<'r>(
        &self,
        engine: &Engine,
        to: PartyId,
        messages: impl IntoIterator<Item = (PartyId, &'r (Round1Broadcast<C>, Round1Direct<'r>))>,
        own: Own<'_>,
    ) -> Option<Verdicts> {
        let instances = ENC_ELG.map(|role| self.binding.instance(role));
        let mut received = Vec::new();
        for (from, (opening, Round1Direct(proofs))) in messages {
            let statements = self.enc_elg(opening, to)?;
            for ((statement, instance), proof) in statements.iter().zip(&instances).zip(proofs) {
                let context = self.binding.direct([from, to], instance);
                received.push((from, ReceivedProof::new(statement, proof, context, own)));
            }
        }
        Some(verify(engine, received))
    }

    /// Figure 8, round 3: Πelog and both Πaff-g of these signers, for one.
    pub(crate) fn verify_round2<'r>(
        &self,
        engine: &Engine,
        to: PartyId,
        messages: impl IntoIterator<Item = (PartyId, &'r (Round2Broadcast<C>, Round2Direct<'r>))>,
        own: Own<'_>,
    ) -> Option<Verdicts> {
        let elog = self.binding.instance(ELOG_GAMMA);
        let aff_g = ByFactor::new(|factor| self.binding.instance(factor.role()));
        let mut received = Vec::new();
        for (from, (broadcast, direct)) in messages {
            let statement = self.elog_gamma(from, broadcast.gamma)?;
            let context = self.binding.broadcast(from, &elog);
            received.push((from, ReceivedProof::new(&statement, &broadcast.elog, context, own)));
            let images = ByFactor { gamma: broadcast.gamma, share: self.share_point(from)? };
            for (factor, Pair { d, f }) in direct.pairs.iter() {
                let statement = self.aff_g(to, [d, f], *images.get(factor))?;
                let context = self.binding.direct([from, to], aff_g.get(factor));
                let proof = direct.proofs.get(factor);
                received.push((from, ReceivedProof::new(&statement, proof, context, own)));
            }
        }
        Some(verify(engine, received))
    }

    /// Figure 8, output: Πelog of these signers.
    pub(crate) fn verify_round3<'r>(
        &self,
        engine: &Engine,
        messages: impl IntoIterator<Item = (PartyId, &'r Round3Broadcast<C>)>,
        own: Own<'_>,
    ) -> Option<Verdicts> {
        let (instance, gamma) = (self.binding.instance(ELOG_DELTA), self.gamma());
        let received = messages.into_iter().map(|(from, sums)| {
            let statement = self.elog_delta(from, gamma, sums.big_delta)?;
            let context = self.binding.broadcast(from, &instance);
            Some((from, ReceivedProof::new(&statement, &sums.elog, context, own)))
        });
        Some(verify(engine, received.collect::<Option<Vec<_>>>()?))
    }

    /// δ = Σδ_j
    pub(crate) fn delta(&self) -> C::Scalar {
        self.sums.values().fold(C::Scalar::default(), |sum, theirs| sum + theirs.delta)
    }

    /// Figure 8, output: the factor whose sum is wrong: γ if δG ≠ ΣΔ_j, x if δX ≠ ΣS_j.
    pub(crate) fn wrong_sum(&self) -> Option<Factor> {
        let (delta, key) = (self.delta(), *self.key.verifying_key().point());
        let add = |part: fn(&Round3Broadcast<C>) -> C::Point| {
            self.sums.values().fold(C::identity(), |sum, theirs| sum + part(theirs))
        };
        if C::mul_base(&delta) != add(|theirs| theirs.big_delta) {
            Some(Factor::Gamma)
        } else if C::msm_vartime(&[delta], &[key]) != add(|theirs| theirs.s) {
            Some(Factor::Share)
        } else {
            None
        }
    }
}
