//! The public view of a presigning. The live round, the red alert and evidence all judge by it.

use alloc::vec::Vec;

use quorate_bignum::{Engine, Natural};
use quorate_paillier::Ciphertext;
use quorate_session::{Fault, Parties, PartyId, PerParty};
use quorate_zk::{Own, ReceivedProof, pi_aff_g_folded, pi_elog, pi_elog_folded, pi_enc_elg_folded};

use super::factor::{Between, ByFactor, Factor, Pair};
use super::messages::{
    Opening, Round1Broadcast, Round1Direct, Round2Broadcast, Round2Direct, Round3Broadcast, Sizes,
    Sums, both,
};
use crate::additive::Weighted;
use crate::proofs::{Look, Received, Refusal, RunBinding, Verdicts, verify};
use crate::{AuxPublic, EcdsaCurve, PublicKeyPackage};

/// The role of the proof of round 1, of all K and G.
pub(super) const ENC_ELG: &str = "presign enc-elg";
/// The role of Πelog of all `Γ_i`.
pub(super) const ELOG_GAMMA: &str = "presign elog gamma";
/// The role of Πaff-g of all products.
pub(super) const AFF_G: &str = "presign aff-g";
/// The role of Πelog of a `Δ_i`.
pub(super) const ELOG_DELTA: &str = "presign elog delta";

/// The broadcasts of the rounds that are over, with the terms of the run.
pub(crate) struct View<C: EcdsaCurve> {
    pub(crate) binding: RunBinding,
    pub(crate) sizes: Sizes,
    pub(crate) key: PublicKeyPackage<C>,
    /// The signers, with `λ_j·X_j`.
    pub(crate) shares: Weighted<C>,
    pub(crate) aux: AuxPublic,
    /// Round 1.
    pub(crate) openings: PerParty<Round1Broadcast<C>>,
    /// Round 2.
    pub(crate) announced: PerParty<Round2Broadcast<C>>,
    /// Round 3.
    pub(crate) sums: PerParty<Round3Broadcast<C>>,
}

/// A message of round 2, with the sender's commitments to its γ from the proof of round 1.
pub(crate) struct Multiplied<'r, C: EcdsaCurve> {
    pub(crate) broadcast: &'r Round2Broadcast<C>,
    pub(crate) direct: &'r Round2Direct<'r>,
    pub(crate) committed: &'r [Natural],
}

/// A signer's message of round 1 to one other.
pub(super) struct Opened<'r, C: EcdsaCurve> {
    from: PartyId,
    y: C::Point,
    items: Vec<pi_enc_elg_folded::Item<'r, C>>,
    proof: &'r [u8],
}

impl<'r, C: EcdsaCurve> Opened<'r, C> {
    pub(super) fn new(
        from: PartyId,
        opening: &'r Round1Broadcast<C>,
        Round1Direct(proof): &Round1Direct<'r>,
    ) -> Option<Self> {
        Some(Self { from, y: opening.y.point()?, items: opened_items(&opening.each)?, proof })
    }
}

/// A presignature that fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct WrongSum {
    /// Among those of the run.
    pub(crate) index: usize,
    /// γ if δG ≠ ΣΔ_j, x if δX ≠ ΣS_j.
    pub(crate) factor: Factor,
}

impl<C: EcdsaCurve> View<C> {
    /// The view of a run for `count` presignatures, before the first message.
    pub(crate) fn new(
        (binding, count): (RunBinding, u16),
        key: &PublicKeyPackage<C>,
        shares: Weighted<C>,
        aux: &AuxPublic,
    ) -> Self {
        Self {
            binding,
            sizes: Sizes { level: aux.level(), count: count.into() },
            key: key.clone(),
            shares,
            aux: aux.clone(),
            openings: PerParty::new(),
            announced: PerParty::new(),
            sums: PerParty::new(),
        }
    }

    pub(crate) const fn signers(&self) -> &Parties {
        self.shares.signers()
    }

    /// The number of presignatures.
    pub(crate) const fn count(&self) -> usize {
        self.sizes.count
    }

    /// The peers of a signer, in ascending order.
    pub(crate) fn peers(&self, signer: PartyId) -> impl Iterator<Item = PartyId> + '_ {
        self.signers().iter().filter(move |party| *party != signer)
    }

    /// Γ = ΣΓ_j of a presignature.
    pub(crate) fn gamma(&self, index: usize) -> C::Point {
        let gammas = self.announced.values().filter_map(|theirs| theirs.gammas.get(index));
        gammas.fold(C::identity(), |sum, gamma| sum + *gamma)
    }

    /// `λ_j·X_j`
    pub(crate) fn share_point(&self, signer: PartyId) -> Option<C::Point> {
        self.shares.share_point(signer)
    }

    /// `K_j, G_j, A_j, B_j` of a presignature.
    pub(crate) fn opening(&self, signer: PartyId, index: usize) -> Option<&Opening<C>> {
        self.openings.get(signer)?.each.get(index)
    }

    /// `Y_j`
    fn y(&self, signer: PartyId) -> Option<C::Point> {
        self.openings.get(signer)?.y.point()
    }

    /// `δ_j, S_j, Δ_j` of a presignature, by signer.
    pub(crate) fn sums(&self, index: usize) -> impl Iterator<Item = (PartyId, &Sums<C>)> {
        self.sums.iter().filter_map(move |(party, sums)| Some((party, sums.each.get(index)?)))
    }

    /// Reads the broadcast of round 1.
    pub(crate) fn read_round1(
        &self,
        from: PartyId,
        bytes: &[u8],
        look: Look,
    ) -> Result<Round1Broadcast<C>, Refusal> {
        let key = self.aux.encryption_key(from).ok_or(Refusal::Internal)?;
        Ok(Round1Broadcast::from_bytes(bytes, key, self.count(), look)?)
    }

    /// Reads the broadcast of round 2.
    pub(crate) fn read_round2(
        &self,
        from: PartyId,
        bytes: &[u8],
    ) -> Result<Round2Broadcast<C>, Fault> {
        Round2Broadcast::from_bytes(bytes, self.peers(from), self.count())
    }

    /// Figure 8, round 3: reads the products from one signer to another. Checks membership, and that a red alert would show
    /// to all the products that were sent to this one.
    pub(crate) fn read_products<'m>(
        &self,
        [from, to]: [PartyId; 2],
        broadcast: &Round2Broadcast<C>,
        bytes: &'m [u8],
        look: Look,
    ) -> Result<Round2Direct<'m>, Refusal> {
        let [theirs, ours] = [from, to].map(|party| self.aux.encryption_key(party));
        let keys = [theirs.ok_or(Refusal::Internal)?, ours.ok_or(Refusal::Internal)?];
        let direct = Round2Direct::from_bytes(bytes, keys, self.sizes, look)?;
        if look == Look::Again {
            return Ok(direct);
        }
        let found = direct.pairs.iter().enumerate();
        let found = found.map(|(index, pairs)| {
            let pairs = ByFactor::new(|factor| pairs.get(factor));
            self.between([from, to], index).digest(pairs)
        });
        if !broadcast.digests.get(to).is_some_and(|announced| found.eq(announced.iter().copied())) {
            return Err(Fault::InvalidDecommitment.into());
        }
        Ok(direct)
    }

    /// The products from one signer to another, of a presignature.
    pub(crate) const fn between(&self, [from, to]: [PartyId; 2], index: usize) -> Between {
        Between { binding: self.binding, index, from, to }
    }

    /// The digest that round 2 broadcast of products.
    pub(super) fn digest(&self, [from, to]: [PartyId; 2], index: usize) -> Option<&[u8; 32]> {
        self.announced.get(from)?.digests.get(to)?.get(index)
    }

    /// The statement of round 1 for a verifier: each K hides the same as its A, each G the same as its B.
    pub(super) fn enc_elg<'s>(
        &'s self,
        [from, to]: [PartyId; 2],
        y: C::Point,
        items: &'s [pi_enc_elg_folded::Item<'s, C>],
    ) -> Option<pi_enc_elg_folded::Statement<'s, C>> {
        let (setup, key) = (self.aux.pedersen(to)?, self.aux.encryption_key(from)?);
        Some(pi_enc_elg_folded::Statement { setup, key, a: y, items })
    }

    /// The statements about Γ_j: each hides the same as its B_j.
    pub(super) fn elog_items(
        &self,
        party: PartyId,
        gammas: &[C::Point],
    ) -> Option<Vec<pi_elog_folded::Item<C>>> {
        let item = |(opening, gamma): (&Opening<C>, &C::Point)| {
            let [l, m] = both(&opening.b)?;
            Some(pi_elog_folded::Item { l, m, y: *gamma })
        };
        self.openings.get(party)?.each.iter().zip(gammas).map(item).collect()
    }

    /// The statement of the first Πelog.
    pub(super) fn elog_gamma<'s>(
        &self,
        party: PartyId,
        items: &'s [pi_elog_folded::Item<C>],
    ) -> Option<pi_elog_folded::Statement<'s, C>> {
        let x = self.y(party)?;
        Some(pi_elog_folded::Statement { x, h: C::generator(), items })
    }

    /// The statements about products for a verifier: each D is the product of the verifier's k and γ, each D̂ that of k
    /// and x, masked as F and F̂ say, and γ is what `committed` hides.
    pub(super) fn aff_g_items<'s>(
        &'s self,
        verifier: PartyId,
        products: impl Iterator<Item = [[&'s Ciphertext; 2]; 2]>,
        (gammas, committed): (&[C::Point], &'s [Natural]),
    ) -> Option<Vec<pi_aff_g_folded::Item<'s, C>>> {
        let openings = &self.openings.get(verifier)?.each;
        let images = openings.iter().zip(products).zip(committed.iter().zip(gammas));
        let items = images.map(|((opening, [d, f]), (s, gamma))| pi_aff_g_folded::Item {
            k: &opening.k,
            d,
            f,
            s,
            gamma: *gamma,
        });
        Some(items.collect())
    }

    /// The statement of Πaff-g.
    pub(super) fn aff_g<'s>(
        &'s self,
        [from, to]: [PartyId; 2],
        items: &'s [pi_aff_g_folded::Item<'s, C>],
    ) -> Option<pi_aff_g_folded::Statement<'s, C>> {
        Some(pi_aff_g_folded::Statement {
            setup: self.aux.pedersen(to)?,
            theirs: self.aux.encryption_key(to)?,
            ours: self.aux.encryption_key(from)?,
            x: self.share_point(from)?,
            items,
        })
    }

    /// The statement of a second Πelog: Δ_j hides the same as A_j.
    pub(super) fn elog_delta(
        &self,
        (party, index): (PartyId, usize),
        gamma: C::Point,
        big_delta: C::Point,
    ) -> Option<pi_elog::Statement<C>> {
        let x = self.y(party)?;
        let [l, m] = both(&self.opening(party, index)?.a)?;
        Some(pi_elog::Statement { l, m, x, y: big_delta, h: gamma })
    }

    /// Figure 8, round 2: Πenc-elg of these signers, for one.
    pub(crate) fn verify_round1<'r>(
        &self,
        engine: &Engine,
        to: PartyId,
        messages: impl IntoIterator<Item = (PartyId, &'r (Round1Broadcast<C>, Round1Direct<'r>))>,
        own: Own<'_>,
    ) -> Option<Verdicts> {
        let instance = self.binding.instance(ENC_ELG);
        let messages = messages.into_iter();
        let messages = messages.map(|(from, (opening, proof))| Opened::new(from, opening, proof));
        let messages = messages.collect::<Option<Vec<_>>>()?;
        Some(verify(engine, self.received_round1((to, &instance), &messages, own)?))
    }

    /// Πenc-elg of these signers for one, received.
    pub(super) fn received_round1<'s>(
        &'s self,
        (to, instance): (PartyId, &'s [u8]),
        messages: &'s [Opened<'s, C>],
        own: Own<'s>,
    ) -> Option<Vec<(PartyId, Received<'s, C>)>> {
        let received = messages.iter().map(|Opened { from, y, items, proof }| {
            let statement = self.enc_elg([*from, to], *y, items)?;
            let context = self.binding.direct([*from, to], instance);
            Some((*from, ReceivedProof::new(&statement, proof, context, own)))
        });
        received.collect()
    }

    /// The commitments to γ in the proof of a signer for another, `S'` of each presignature. They are right if the proof was
    /// verified.
    pub(crate) fn committed(
        &self,
        between: [PartyId; 2],
        opening: &Round1Broadcast<C>,
        Round1Direct(proof): &Round1Direct<'_>,
    ) -> Option<Vec<Natural>> {
        let items = opened_items(&opening.each)?;
        let statement = self.enc_elg(between, opening.y.point()?, &items)?;
        committed_to_gamma(&statement, proof)
    }

    /// Figure 8, round 3: Πelog and Πaff-g of these signers, for one.
    pub(crate) fn verify_round2<'r>(
        &self,
        engine: &Engine,
        to: PartyId,
        messages: impl IntoIterator<Item = (PartyId, Multiplied<'r, C>)>,
        own: Own<'_>,
    ) -> Option<Verdicts> {
        let [elog, aff_g] = [ELOG_GAMMA, AFF_G].map(|role| self.binding.instance(role));
        let messages: Vec<_> = messages.into_iter().collect();
        let items = messages.iter().map(|(from, Multiplied { broadcast, direct, committed })| {
            let products = direct.pairs.iter().map(Pair::ciphertexts);
            let products = self.aff_g_items(to, products, (&broadcast.gammas, committed))?;
            Some((self.elog_items(*from, &broadcast.gammas)?, products))
        });
        let items = items.collect::<Option<Vec<_>>>()?;
        let mut received = Vec::new();
        for ((from, message), (points, products)) in messages.iter().zip(&items) {
            let context = self.binding.broadcast(*from, &elog);
            let statement = self.elog_gamma(*from, points)?;
            let proof = &message.broadcast.elog;
            received.push((*from, ReceivedProof::new(&statement, proof, context, own)));
            let context = self.binding.direct([*from, to], &aff_g);
            let statement = self.aff_g([*from, to], products)?;
            let proof = message.direct.proof;
            received.push((*from, ReceivedProof::new(&statement, proof, context, own)));
        }
        Some(verify(engine, received))
    }

    /// Figure 8, output: all Πelog of these signers.
    pub(crate) fn verify_round3<'r>(
        &self,
        engine: &Engine,
        messages: impl IntoIterator<Item = (PartyId, &'r Round3Broadcast<C>)> + Clone,
        own: Own<'_>,
    ) -> Option<Verdicts> {
        let of_each = |index| (self.binding.instance_at(ELOG_DELTA, index), self.gamma(index));
        let of_each: Vec<_> = (0..self.count()).map(of_each).collect();
        let mut received = Vec::new();
        for (from, sums) in messages {
            for (index, ((instance, gamma), sums)) in of_each.iter().zip(&sums.each).enumerate() {
                let statement = self.elog_delta((from, index), *gamma, sums.big_delta)?;
                let context = self.binding.broadcast(from, instance);
                received.push((from, ReceivedProof::new(&statement, &sums.elog, context, own)));
            }
        }
        Some(verify(engine, received))
    }

    /// δ = Σδ_j of a presignature.
    pub(crate) fn delta(&self, index: usize) -> C::Scalar {
        self.sums(index).fold(C::Scalar::default(), |sum, (_, theirs)| sum + theirs.delta)
    }

    /// Figure 8, output: the first presignature of which a sum is wrong.
    pub(crate) fn wrong_sum(&self) -> Option<WrongSum> {
        let wrong = |index| Some(WrongSum { index, factor: self.wrong_factor(index)? });
        (0..self.count()).find_map(wrong)
    }

    /// The factor whose sum is wrong: γ if δG ≠ ΣΔ_j, x if δX ≠ ΣS_j.
    fn wrong_factor(&self, index: usize) -> Option<Factor> {
        let (delta, key) = (self.delta(index), *self.key.verifying_key().point());
        let add = |part: fn(&Sums<C>) -> C::Point| {
            self.sums(index).fold(C::identity(), |sum, (_, theirs)| sum + part(theirs))
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

/// The statements about K and G of each presignature, in turn, with A and B.
pub(super) fn enc_elg_items<'r, C: EcdsaCurve>(
    each: impl Iterator<Item = ([&'r Ciphertext; 2], [[C::Point; 2]; 2])>,
) -> Vec<pi_enc_elg_folded::Item<'r, C>> {
    let items = each.flat_map(|([k, g], [of_k, of_gamma])| {
        let item = |ciphertext, [b, x]: [C::Point; 2]| pi_enc_elg_folded::Item { ciphertext, b, x };
        [item(k, of_k), item(g, of_gamma)]
    });
    items.collect()
}

/// The statements about openings.
pub(super) fn opened_items<C: EcdsaCurve>(
    openings: &[Opening<C>],
) -> Option<Vec<pi_enc_elg_folded::Item<'_, C>>> {
    let each = openings.iter().map(|Opening { k, g, a, b }| Some(([k, g], [both(a)?, both(b)?])));
    Some(enc_elg_items(each.collect::<Option<Vec<_>>>()?.into_iter()))
}

/// `S'` of each presignature out of a proof of these statements.
pub(super) fn committed_to_gamma<C: EcdsaCurve>(
    statement: &pi_enc_elg_folded::Statement<'_, C>,
    proof: &[u8],
) -> Option<Vec<Natural>> {
    let mut values = statement.commitments(proof)?.into_iter();
    let mut committed = Vec::new();
    while let (Some(_), Some(of_gamma)) = (values.next(), values.next()) {
        committed.push(of_gamma);
    }
    Some(committed)
}
