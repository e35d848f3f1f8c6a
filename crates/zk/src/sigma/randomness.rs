//! The random values of a proof.

use alloc::vec::Vec;

use quorate_bignum::{SecretInteger, SecretNatural};
use quorate_curve::Secret;
use quorate_paillier::Randomizer;
use rand_core::CryptoRng;

use super::group::Group;
use super::handle::PointVar;
use super::relation::{ChallengeSet, Component, IntegerPart, Relation};
use super::row::Row;
use crate::Error;

/// The number of bits drawn beyond an order, so that the residue is uniform up to `2^-128`.
const EXTRA_BITS: u32 = 128;

/// The masks of one repetition.
pub(crate) type Masks<C> =
    Row<SecretInteger, Randomizer, Secret<<C as Group>::Scalar>, SecretNatural>;

/// The random values of one proof, which uses them up.
pub(crate) struct ProofRandomness<C: Group> {
    /// The exponents `μ` of the prover's commitments.
    pub(crate) fresh: Vec<SecretInteger>,
    /// For each unit of the witness, a unit that hides it while it is inverted.
    pub(crate) blinds: Vec<SecretNatural>,
    /// The masks, for each repetition.
    pub(crate) rows: Vec<Masks<C>>,
}

impl<C: Group> ProofRandomness<C> {
    /// Draws the random values of a proof of this relation. It does not depend on the images of the maps.
    ///
    /// # Errors
    /// [`Error::Witness`] if the prover does not know its own setup, [`Error::Number`] if the generator is broken.
    pub(crate) fn draw(
        relation: &Relation<'_, C>,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, Error> {
        let mut fresh = Vec::new();
        let integers = relation.order.iter().filter(|one| matches!(one, Component::Integer(_)));
        let kinds = relation.kinds.integers.iter().zip(&relation.parts.integers);
        for (component, (interval, part)) in integers.zip(kinds) {
            if matches!(part, IntegerPart::Fresh) {
                let draw = || SecretInteger::random_half_range(rng, interval.bits);
                fresh.extend(core::iter::repeat_with(draw).take(relation.count(*component)));
            }
        }
        let mut blinds = Vec::new();
        // The others are never negative.
        if matches!(relation.challenge, ChallengeSet::Scalars | ChallengeSet::Integers) {
            for (_, key) in &relation.kinds.units {
                blinds.push(SecretNatural::random_unit(rng, key.modulus())?);
            }
        }
        let mut rows = Vec::new();
        for _ in 0..relation.challenge.repetitions() {
            rows.push(masks(relation, rng)?);
        }
        Ok(Self { fresh, blinds, rows })
    }
}

fn masks<C: Group>(
    relation: &Relation<'_, C>,
    rng: &mut impl CryptoRng,
) -> Result<Masks<C>, Error> {
    let (kinds, mut row) = (&relation.kinds, Masks::<C>::default());
    for component in &relation.order {
        match *component {
            Component::Integer(var) => {
                let bits = kinds[var].response_bits();
                row.integers.push(SecretInteger::random_half_range(rng, bits));
            }
            Component::Unit(var) => row.units.push(Randomizer::random(rng, kinds[var].1)?),
            Component::Scalar(_) => row.scalars.push(Secret::new(C::random_scalar(rng))),
            Component::Exponent(var) => {
                let trapdoor = relation.parts[var].ok_or(Error::Witness(kinds[var].0))?;
                let order = trapdoor.order();
                let bits = order.bits().saturating_add(EXTRA_BITS);
                row.exponents.push(order.reduce(&SecretNatural::random_bits(rng, bits)));
            }
        }
    }
    Ok(row)
}

/// The mask of a component that multiplies a point.
pub(crate) fn point_mask<C: Group>(masks: &Masks<C>, var: PointVar) -> Secret<C::Scalar> {
    match var {
        PointVar::Integer(var) => Secret::new(C::scalar(&masks[var])),
        PointVar::Scalar(var) => Secret::new(*masks[var].expose()),
    }
}
