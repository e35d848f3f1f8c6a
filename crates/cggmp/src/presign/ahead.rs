//! What of the products of round 2 does not depend on the messages of round 1: all that is random in them and in their
//! Πaff-g, and, in idle time, its powers and commitments, which are most of the work.

use alloc::vec::Vec;

use quorate_bignum::Natural;
use quorate_paillier::{Ciphertext, Pedersen, Randomizer};
use quorate_session::{PartyId, Run};
use quorate_zk::{Context, Error, Prover, aff_g};

use super::Env;
use super::opening::{Masks, Opening};
use super::products::{Draft, Factor, Mask};
use crate::EcdsaCurve;

/// The products of round 2 as far as they are known, for each peer that with γ and that with x.
pub(crate) struct Ahead<C: EcdsaCurve> {
    pub(crate) drafts: Vec<Draft>,
    /// What is random in the Πaff-g of each.
    pub(crate) proofs: Vec<quorate_zk::Masks<C>>,
    prepared: bool,
}

/// What stands for the ciphertexts of a product that is not known yet.
struct Blank<'a> {
    setup: &'a Pedersen,
    theirs: Ciphertext,
    ours: &'a Ciphertext,
}

impl<'a> Blank<'a> {
    fn new<C: EcdsaCurve>(
        env: &'a Env<C>,
        opening: &'a Opening<C>,
        to: PartyId,
    ) -> Result<Self, Error> {
        let setup = env.setup_of(to).ok_or(Error::Relation)?;
        let theirs = env.key_of(to).ok_or(Error::Relation)?;
        let theirs = Ciphertext::new(theirs, Natural::one())?;
        Ok(Self { setup, theirs, ours: &opening.k })
    }

    fn statement<C: EcdsaCurve>(&self) -> aff_g::Statement<'_, C> {
        let Self { setup, theirs, ours } = self;
        aff_g::Statement { setup, c: theirs, d: theirs, y: ours, x: C::generator() }
    }
}

impl<C: EcdsaCurve> Ahead<C> {
    pub(crate) fn draw(
        env: &Env<C>,
        masks: &Masks<C>,
        opening: &Opening<C>,
        run: &Run,
    ) -> Result<Self, Error> {
        let (mut drafts, mut proofs) = (Vec::new(), Vec::new());
        for to in run.others() {
            let blank = Blank::new(env, opening, to)?;
            let keys = (blank.theirs.key(), blank.ours.key());
            for factor in Factor::BOTH {
                let mask = Mask::draw(run, factor, to, keys)?;
                let witness = mask.witness(masks.factor(factor));
                let rng = &mut run.rng_for(factor.role(), to);
                proofs.push(quorate_zk::Masks::new(&blank.statement(), witness, rng)?);
                drafts.push(Draft { to, factor, mask });
            }
        }
        Ok(Self { drafts, proofs, prepared: false })
    }

    /// Works out the powers of all randomizers, and the commitments of all Πaff-g.
    pub(crate) fn prepare(
        mut self,
        env: &Env<C>,
        masks: &Masks<C>,
        opening: &Opening<C>,
        run: &Run,
    ) -> Result<Self, Error> {
        if self.prepared {
            return Ok(self);
        }
        let of_products =
            self.drafts.iter_mut().flat_map(|draft| [&mut draft.mask.rho, &mut draft.mask.rho_y]);
        let of_proofs = self.proofs.iter_mut().flat_map(quorate_zk::Masks::randomizers);
        let mut all: Vec<&mut Randomizer> = of_products.chain(of_proofs).collect();
        Randomizer::raise_many(&env.engine, &mut all, Some(env.aux.secrets().key()))?;
        let Self { drafts, proofs, .. } = self;
        let blanks = drafts.iter().map(|draft| Blank::new(env, opening, draft.to));
        let blanks = blanks.collect::<Result<Vec<_>, _>>()?;
        let mut begun = Vec::new();
        for ((draft, blank), proof) in drafts.iter().zip(&blanks).zip(proofs) {
            let witness = draft.mask.witness(masks.factor(draft.factor));
            // Commitments are made under no name yet.
            let context = Context::new(run.sid(), run.me(), &[]);
            begun.push(Prover::with_masks(proof, &blank.statement(), witness, context, env.own())?);
        }
        let mut products = Vec::new();
        for prover in &begun {
            products.extend(prover.commitments()?);
        }
        let mut values = env.engine.evaluate(&products).into_iter();
        drop(products);
        let proofs = begun.into_iter().map(|prover| prover.keep(&mut values));
        let proofs = proofs.collect::<Result<_, _>>()?;
        Ok(Self { drafts, proofs, prepared: true })
    }
}
