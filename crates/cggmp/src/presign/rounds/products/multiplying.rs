//! The making of all products and proofs of a signer.

use alloc::vec::{IntoIter, Vec};

use quorate_bignum::{SecretNatural, SecretProduct};
use quorate_paillier::{Ciphertext, Plaintext};
use quorate_session::{PartyId, PerParty, Run};
use quorate_zk::{
    Error, Proof, Prover, pi_aff_g_folded, pi_elog, pi_elog_folded, prove_many, respond_many,
};

use crate::EcdsaCurve;
use crate::presign::factor::{ByFactor, Factor, Pair};
use crate::presign::messages::{ELOG_FOLDED, Round1Direct};
use crate::presign::secrets::{Committed, Mask, Nonces, Sent};
use crate::presign::signer::Signer;
use crate::presign::view::{AFF_G, ELOG_GAMMA, ENC_ELG, Opened};
use crate::proofs::{Begun, Verdicts};

/// The products and proofs that a signer makes in round 2.
pub(super) struct Made<C: EcdsaCurve> {
    pub(super) gammas: Vec<C::Point>,
    pub(super) elog: [u8; ELOG_FOLDED],
    /// By receiver and presignature.
    pub(super) sent: PerParty<Vec<ByFactor<Sent>>>,
    /// Πaff-g for each receiver.
    pub(super) proofs: Vec<Proof>,
}

/// The reason why nothing is made.
pub(super) enum Unmade {
    /// Proofs of round 1 do not hold.
    Refused(Verdicts),
    /// A defect of ours.
    Defect,
}

impl From<Error> for Unmade {
    fn from(_: Error) -> Self {
        Self::Defect
    }
}

/// A signer with its Γ and its commitments to γ.
pub(super) struct Multiplying<'s, C: EcdsaCurve> {
    signer: &'s Signer<C>,
    run: &'s Run,
    /// By verifier.
    committed: &'s PerParty<Committed>,
    /// `Γ_i` of each presignature.
    gammas: Vec<C::Point>,
}

/// The masks of all products, by receiver and presignature.
type Masks = PerParty<Vec<ByFactor<Mask>>>;

/// A product that is to be made.
#[derive(Clone, Copy)]
struct Product<'m> {
    to: PartyId,
    index: usize,
    factor: Factor,
    mask: &'m Mask,
}

/// Values of the engine that nobody has taken yet.
type Values = IntoIter<Result<SecretNatural, quorate_bignum::Error>>;

/// Products that are evaluated at a time: memory does not grow with their number.
const BLOCK: usize = 128;

impl<'s, C: EcdsaCurve> Multiplying<'s, C> {
    pub(super) fn new(
        signer: &'s Signer<C>,
        run: &'s Run,
        committed: &'s PerParty<Committed>,
    ) -> Self {
        let gamma = |one: &Nonces<C>| C::mul_base(one.gamma.scalar.expose());
        let gammas = signer.secrets.each.iter().map(gamma).collect();
        Self { signer, run, committed, gammas }
    }

    /// As [`Self::new`], with Γ that were computed before.
    pub(super) const fn with_gammas(
        signer: &'s Signer<C>,
        run: &'s Run,
        committed: &'s PerParty<Committed>,
        gammas: Vec<C::Point>,
    ) -> Self {
        Self { signer, run, committed, gammas }
    }

    /// Some of the products for a peer: those of the presignatures from this one on, by their masks.
    pub(super) fn block(
        &self,
        to: PartyId,
        first: usize,
        masks: &[ByFactor<Mask>],
    ) -> Result<Vec<Pair>, Error> {
        let products: Vec<_> =
            masks.iter().zip(first..).flat_map(|one| product_pair(to, one)).collect();
        let mut values = self.evaluate_block(&products, &[], Vec::new())?;
        pairs_of(&products, &mut values)
    }

    /// Πaff-g of all products for a peer.
    pub(super) fn proof_for(
        &self,
        to: PartyId,
        masks: &[ByFactor<Mask>],
        pairs: &[Pair],
    ) -> Result<Proof, Error> {
        let witness = self.witness_for(to, masks)?;
        let items = self.items(to, pairs).ok_or(Error::Relation)?;
        let instance = self.signer.view.binding.instance(AFF_G);
        let prover = self.prove_products((to, &items), &witness, &instance)?;
        prove_many(&self.signer.engine, [prover].into())?.pop().ok_or(Error::Values)
    }

    /// Πelog of all Γ.
    pub(super) fn proof_of_gammas(&self) -> Result<[u8; ELOG_FOLDED], Error> {
        let view = &self.signer.view;
        let instance = view.binding.instance(ELOG_GAMMA);
        let points = view.elog_items(self.run.party_id(), &self.gammas).ok_or(Error::Relation)?;
        let logarithms = self.logarithms();
        let prover = self.prove_gammas((&points, &logarithms), &instance)?;
        let proof = prove_many(&self.signer.engine, [prover].into())?.pop();
        proof.ok_or(Error::Values)?.as_bytes().try_into().map_err(|_| Error::Values)
    }

    /// The Γ.
    pub(super) fn into_gammas(self) -> Vec<C::Point> {
        self.gammas
    }

    /// Verifies the Πenc-elg received, and makes all products with Πaff-g for each peer, and Πelog. The equations of Πenc-elg,
    /// and the first messages of Πaff-g and Πelog, do not depend on the products. They are evaluated in one list with the last
    /// products, which fills the engine's lanes better than three. Products with a K whose proof fails are dropped.
    pub(super) fn multiply(self, received: &PerParty<Round1Direct<'_>>) -> Result<Made<C>, Unmade> {
        let view = &self.signer.view;
        let me = self.run.party_id();
        let (opened, enc_elg) = (self.opened(received)?, view.binding.instance(ENC_ELG));
        let theirs = view.received_round1((me, &enc_elg), &opened, self.signer.own());
        let checks = Begun::new(&self.signer.engine, theirs.ok_or(Error::Relation)?);
        let masks = self.draw()?;
        let [elog, aff_g] = [ELOG_GAMMA, AFF_G].map(|role| view.binding.instance(role));
        let points = view.elog_items(me, &self.gammas).ok_or(Error::Relation)?;
        let (logarithms, witnesses) = (self.logarithms(), self.witnesses(&masks)?);
        let stand_ins =
            witnesses.iter().map(|(to, _)| self.stand_in(*to)).collect::<Option<Vec<_>>>();
        let stand_ins = stand_ins.ok_or(Error::Relation)?;
        let mut provers = Vec::from([self.prove_gammas((&points, &logarithms), &elog)?]);
        for ((to, witness), items) in witnesses.iter().zip(&stand_ins) {
            provers.push(self.prove_products((*to, items), witness, &aff_g)?);
        }
        let products = each(&masks).collect::<Vec<_>>();
        let (pairs, mut values) = self.evaluate(&products, &provers, checks)?;
        let items = witnesses.iter().zip(pairs.chunks(self.gammas.len() * 2));
        let items =
            items.map(|((to, _), pairs)| self.items(*to, pairs)).collect::<Option<Vec<_>>>();
        let items = items.ok_or(Error::Relation)?;
        let mut begun = provers.into_iter();
        let mut made: Vec<_> = begun.next().into_iter().collect();
        for ((prover, (to, _)), items) in begun.zip(&witnesses).zip(&items) {
            let statement = view.aff_g([me, *to], items).ok_or(Error::Relation)?;
            made.push(prover.with_images(&statement)?);
        }
        let mut proofs = respond_many(&self.signer.engine, made, &mut values)?.into_iter();
        let elog = proofs.next().ok_or(Error::Values)?;
        let elog = elog.as_bytes().try_into().map_err(|_| Error::Values)?;
        drop((witnesses, items));
        let sent = sent(masks, pairs).ok_or(Error::Values)?;
        Ok(Made { gammas: self.gammas, elog, sent, proofs: proofs.collect() })
    }

    /// The masks of all products.
    fn draw(&self) -> Result<Masks, Error> {
        let Self { signer, run, .. } = self;
        let mut masks = PerParty::with_capacity(signer.view.signers().len());
        for to in run.others() {
            masks.insert(to, signer.draw_masks(run, to)?);
        }
        Ok(masks)
    }

    /// The witness of Πelog.
    fn logarithms(&self) -> Vec<pi_elog::Witness<'s, C>> {
        let witness = |one: &'s Nonces<C>| pi_elog::Witness {
            y: one.gamma.scalar.expose(),
            lambda: one.b.expose(),
        };
        self.signer.secrets.each.iter().map(witness).collect()
    }

    /// The witnesses of Πaff-g, by receiver.
    #[allow(clippy::type_complexity, reason = "a list of lists")]
    fn witnesses<'a>(
        &'a self,
        masks: &'a Masks,
    ) -> Result<Vec<(PartyId, Vec<pi_aff_g_folded::ItemWitness<'a>>)>, Error> {
        let of_one = |(to, masks): (PartyId, &'a Vec<_>)| Ok((to, self.witness_for(to, masks)?));
        masks.iter().map(of_one).collect()
    }

    /// The witness of Πaff-g for one receiver.
    fn witness_for<'a>(
        &'a self,
        to: PartyId,
        masks: &'a [ByFactor<Mask>],
    ) -> Result<Vec<pi_aff_g_folded::ItemWitness<'a>>, Error> {
        let hidings = &self.committed.get(to).ok_or(Error::Relation)?.hidings;
        let each = self.signer.secrets.each.iter().zip(hidings).zip(masks);
        let witness = each.map(|((one, mu), masks)| pi_aff_g_folded::ItemWitness {
            gamma: &one.gamma.integer,
            mu,
            masks: [masks.gamma.witness(), masks.share.witness()],
        });
        Ok(witness.collect())
    }

    /// The statements about the products with a peer.
    fn items<'a>(
        &'a self,
        to: PartyId,
        pairs: &'a [Pair],
    ) -> Option<Vec<pi_aff_g_folded::Item<'a, C>>> {
        let (pairs, _) = pairs.as_chunks();
        self.about(to, pairs.iter().map(|[one, hat]| [[&one.d, &hat.d], [&one.f, &hat.f]]))
    }

    /// Statements about products that are not evaluated yet: ciphertexts under the same keys stand for them.
    fn stand_in(&self, to: PartyId) -> Option<Vec<pi_aff_g_folded::Item<'_, C>>> {
        let k = |party| self.signer.view.opening(party, 0).map(|opening| &opening.k);
        let (d, f) = (k(to)?, k(self.run.party_id())?);
        self.about(to, core::iter::repeat_n([[d; 2], [f; 2]], self.gammas.len()))
    }

    fn about<'a>(
        &'a self,
        to: PartyId,
        products: impl Iterator<Item = [[&'a Ciphertext; 2]; 2]>,
    ) -> Option<Vec<pi_aff_g_folded::Item<'a, C>>> {
        let committed = &self.committed.get(to)?.values;
        self.signer.view.aff_g_items(to, products, (&self.gammas, committed))
    }

    /// Begins Πaff-g of the products with a peer.
    fn prove_products<'a>(
        &'a self,
        (to, items): (PartyId, &'a [pi_aff_g_folded::Item<'a, C>]),
        witness: &'a [pi_aff_g_folded::ItemWitness<'a>],
        instance: &'a [u8],
    ) -> Result<Prover<'a, C>, Error> {
        let Signer { secrets, view, .. } = self.signer;
        let me = self.run.party_id();
        let statement = view.aff_g([me, to], items).ok_or(Error::Relation)?;
        let witness = pi_aff_g_folded::Witness { x: &secrets.x.integer, items: witness };
        let context = view.binding.direct([me, to], instance);
        let rng = &mut self.run.rng_for(AFF_G, to);
        Prover::new(&statement, witness, context, self.signer.own(), rng)
    }

    /// Begins Πelog of all Γ_i.
    fn prove_gammas<'a>(
        &'a self,
        (items, witness): (&'a [pi_elog_folded::Item<C>], &'a [pi_elog::Witness<'a, C>]),
        instance: &'a [u8],
    ) -> Result<Prover<'a, C>, Error> {
        let view = &self.signer.view;
        let me = self.run.party_id();
        let statement = view.elog_gamma(me, items).ok_or(Error::Relation)?;
        let context = view.binding.broadcast(me, instance);
        let rng = &mut self.run.rng(ELOG_GAMMA);
        Prover::new(&statement, witness, context, self.signer.own(), rng)
    }

    /// The messages of round 1.
    fn opened<'a>(
        &'a self,
        received: &PerParty<Round1Direct<'a>>,
    ) -> Result<Vec<Opened<'a, C>>, Error> {
        let opened = received.iter().map(|(from, proof)| {
            let opening = self.signer.view.openings.get(from).ok_or(Error::Relation)?;
            Opened::new(from, opening, proof).ok_or(Error::Relation)
        });
        opened.collect()
    }

    /// Makes products block by block, the last block with the equations of checks, and with the first messages of proofs,
    /// whose values are left over.
    fn evaluate(
        &self,
        products: &[Product<'_>],
        provers: &[Prover<'_, C>],
        checks: Begun<'_, C>,
    ) -> Result<(Vec<Pair>, Values), Unmade> {
        let mut pairs = Vec::with_capacity(products.len());
        let mut blocks = products.chunks(BLOCK);
        let last = blocks.next_back().unwrap_or_default();
        for block in blocks {
            let mut values = self.evaluate_block(block, &[], Vec::new())?;
            pairs.extend(pairs_of(block, &mut values)?);
        }
        let (equations, expected) = checks.products();
        let mut values = self.evaluate_block(last, provers, equations)?;
        let verdicts = checks.verdicts(expected, &mut values);
        if verdicts.iter().any(|(_, verdict)| verdict.is_err()) {
            return Err(Unmade::Refused(verdicts));
        }
        pairs.extend(pairs_of(last, &mut values)?);
        Ok((pairs, values))
    }

    /// The values of equations, of products and of first messages, in this order.
    fn evaluate_block(
        &self,
        block: &[Product<'_>],
        provers: &[Prover<'_, C>],
        equations: Vec<SecretProduct<'_>>,
    ) -> Result<Values, Error> {
        let plain = block.iter().map(|Product { mask, .. }| {
            [&mask.rho, &mask.rho_y].map(|randomizer| randomizer.key().plaintext(&mask.y))
        });
        let plain: Vec<_> = plain.collect();
        let mut products = equations;
        for (product, plain) in block.iter().zip(&plain) {
            products.extend(self.product(product, plain)?);
        }
        for prover in provers {
            products.extend(prover.products()?);
        }
        Ok(self.signer.engine.evaluate(&products).into_iter())
    }

    /// `D = x·K ⊕ enc_j(−β; ρ)` and `F = enc_i(−β; ρ_y)`, to be evaluated.
    fn product<'a>(
        &'a self,
        &Product { to, index, factor, mask }: &Product<'a>,
        [for_d, for_f]: &'a [Plaintext; 2],
    ) -> Result<[SecretProduct<'a>; 2], Error> {
        let Signer { secrets, view, .. } = self.signer;
        let opening = view.opening(to, index).ok_or(Error::Relation)?;
        let nonces = secrets.each.get(index).ok_or(Error::Relation)?;
        let x = secrets.factor(factor, nonces);
        let d = opening.k.key().affine(x, &opening.k, for_d, &mask.rho)?;
        Ok([d, self.signer.key().encryption(for_f, &mask.rho_y)?])
    }
}

/// Takes the products of a block off a list.
fn pairs_of(block: &[Product<'_>], values: &mut Values) -> Result<Vec<Pair>, Error> {
    let pairs = block.iter().map(|Product { mask, .. }| {
        let mut next = || values.next().ok_or(Error::Values);
        let d = mask.rho.key().publish(&next()??)?;
        Ok(Pair { d, f: mask.rho_y.key().publish(&next()??)? })
    });
    pairs.collect()
}

/// The products in the order of the messages.
fn each(masks: &Masks) -> impl Iterator<Item = Product<'_>> {
    masks
        .iter()
        .flat_map(|(to, masks)| masks.iter().zip(0..).flat_map(move |one| product_pair(to, one)))
}

/// Both products of a presignature.
fn product_pair(
    to: PartyId,
    (masks, index): (&ByFactor<Mask>, usize),
) -> impl Iterator<Item = Product<'_>> {
    masks.iter().map(move |(factor, mask)| Product { to, index, factor, mask })
}

/// The products with their masks.
fn sent(masks: Masks, pairs: Vec<Pair>) -> Option<PerParty<Vec<ByFactor<Sent>>>> {
    let mut pairs = pairs.into_iter();
    let mut sent = PerParty::with_capacity(masks.len());
    for (to, masks) in masks {
        sent.insert(to, with_masks(masks, &mut pairs)?);
    }
    Some(sent)
}

/// The products for one receiver.
pub(super) fn with_masks(
    masks: Vec<ByFactor<Mask>>,
    pairs: &mut IntoIter<Pair>,
) -> Option<Vec<ByFactor<Sent>>> {
    let mut send = |mask| Some(Sent { mask, pair: pairs.next()? });
    let both = |ByFactor { gamma, share }| {
        let gamma = send(gamma)?;
        Some(ByFactor { gamma, share: send(share)? })
    };
    masks.into_iter().map(both).collect()
}
