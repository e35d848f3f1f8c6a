//! The random values of a proof. They do not depend on the images, so it can be drawn, and in part worked out, before them.

use alloc::vec::Vec;

use quorate_bignum::{SecretInteger, SecretNatural};
use quorate_curve::{Curve, Secret, random_scalar};
use quorate_paillier::{Pedersen, Randomizer};
use rand_core::CryptoRng;

use super::secrets::{Overrides, replaced};
use super::{ChallengeSet, Component, Kind, Part, Relation, Statement};
use crate::{Error, numbers};

/// Bits drawn beyond an order, so that the residue is uniform but for `2^-128`.
const EXTRA_BITS: u32 = 128;

/// Everything random in one proof: what hides its commitments, and the masks. A proof uses it up.
pub struct Masks<C: Curve> {
    figure: &'static str,
    /// Those components of the witness that the prover draws, by their index.
    pub(crate) fresh: Vec<(usize, SecretInteger)>,
    /// For each component that is a unit, what hides it while it is inverted.
    pub(crate) blinds: Vec<Option<SecretNatural>>,
    /// For each repetition.
    pub(crate) rows: Vec<Row<C>>,
    /// The values of [`Prover::commitments`](super::Prover::commitments), or nothing.
    pub(crate) commitments: Vec<(Pedersen, SecretNatural)>,
}

/// The masks of one repetition, by their component.
pub(crate) struct Row<C: Curve>(pub(crate) Vec<Mask<C>>);

/// The mask of one component.
pub(crate) enum Mask<C: Curve> {
    /// With the intervals of its component: of the witness, and how much longer it is itself.
    Integer(SecretInteger, [u32; 2]),
    Unit(Randomizer),
    Scalar(Secret<C::Scalar>),
    /// With the setup of the order that it is below.
    Exponent(SecretNatural, Pedersen),
}

impl<C: Curve> core::fmt::Debug for Masks<C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Masks")
    }
}

impl<C: Curve> Masks<C> {
    /// Draws what a proof of this statement needs. Its ciphertexts may be any under the right keys, its points any.
    ///
    /// # Errors
    /// [`Error::Witness`] if the witness is not what the statement asks for, [`Error::Number`] if the generator is
    /// broken.
    pub fn new<'a, S: Statement<'a, C>>(
        statement: &S,
        witness: S::Witness,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, Error> {
        let (relation, parts) = (statement.relation(), statement.parts(witness));
        Self::draw(&relation, &parts, &Overrides::default(), rng)
    }

    pub(crate) fn draw(
        relation: &Relation<'_, C>,
        parts: &[Part<'_, C>],
        overrides: &Overrides,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, Error> {
        let mut fresh = Vec::new();
        for (index, (component, part)) in relation.components.iter().zip(parts).enumerate() {
            if let (Kind::Integer { bits, .. }, Part::Fresh) = (component.kind, part) {
                fresh.push((index, SecretInteger::random_half_range(rng, bits)));
            }
        }
        let blinds = relation.components.iter().map(|component| {
            match (component.kind, relation.challenge) {
                // A challenge of bits is never negative.
                (Kind::Unit(_), ChallengeSet::Bits) => Ok(None),
                (Kind::Unit(key), _) => Ok(Some(SecretNatural::random_unit(rng, key.modulus())?)),
                _ => Ok(None),
            }
        });
        let blinds = blinds.collect::<Result<_, Error>>()?;
        let mut rows = Vec::new();
        for _ in 0..relation.challenge.repetitions() {
            rows.push(Row::draw(relation, parts, overrides, rng)?);
        }
        Ok(Self { figure: relation.figure, fresh, blinds, rows, commitments: Vec::new() })
    }

    /// The randomizers among the masks: their powers can be [worked out](Randomizer::raise_many) ahead.
    pub fn randomizers(&mut self) -> impl Iterator<Item = &mut Randomizer> {
        self.rows.iter_mut().flat_map(|row| &mut row.0).filter_map(|mask| match mask {
            Mask::Unit(randomizer) => Some(randomizer),
            _ => None,
        })
    }

    /// Whether they were drawn for a relation like this one.
    pub(crate) fn fit(&self, relation: &Relation<'_, C>) -> bool {
        let times = self.rows.len().saturating_add(1);
        let setups = (0..times).flat_map(|_| relation.carried());
        self.figure == relation.figure
            && self.rows.len() == relation.challenge.repetitions()
            && self.rows.iter().all(|row| row.fits(&relation.components))
            && (self.commitments.is_empty()
                || setups.eq(self.commitments.iter().map(|(one, _)| one)))
    }
}

impl<C: Curve> Row<C> {
    fn draw(
        relation: &Relation<'_, C>,
        parts: &[Part<'_, C>],
        overrides: &Overrides,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, Error> {
        let mut row = Self(Vec::with_capacity(relation.components.len()));
        for (index, (component, part)) in relation.components.iter().zip(parts).enumerate() {
            let mask = match (component.kind, part) {
                (Kind::Integer { bits, slack }, _) => {
                    let value = match replaced(&overrides.masks, index)? {
                        Some(value) => value,
                        None => SecretInteger::random_half_range(rng, bits.saturating_add(slack)),
                    };
                    Mask::Integer(value, [bits, slack])
                }
                (Kind::Unit(key), _) => Mask::Unit(Randomizer::random(rng, key)?),
                (Kind::Scalar, _) => Mask::Scalar(Secret::new(random_scalar::<C>(rng))),
                (Kind::Exponent(setup), Part::Trapdoor(trapdoor)) => {
                    let order = trapdoor.order();
                    let bits = order.bits().saturating_add(EXTRA_BITS);
                    let value = order.reduce(&SecretNatural::random_bits(rng, bits));
                    Mask::Exponent(value, setup.clone())
                }
                (Kind::Exponent(_), _) => return Err(Error::Witness(component.name)),
            };
            row.0.push(mask);
        }
        Ok(row)
    }

    fn fits(&self, components: &[Component<'_>]) -> bool {
        let mut each = self.0.iter().zip(components);
        self.0.len() == components.len()
            && each.all(|(mask, component)| match (mask, component.kind) {
                (Mask::Integer(_, drawn), Kind::Integer { bits, slack }) => *drawn == [bits, slack],
                (Mask::Unit(randomizer), Kind::Unit(key)) => randomizer.key() == key,
                (Mask::Scalar(_), Kind::Scalar) => true,
                (Mask::Exponent(_, drawn), Kind::Exponent(setup)) => drawn == setup,
                _ => false,
            })
    }

    pub(crate) fn integer(&self, index: usize) -> Result<&SecretInteger, Error> {
        match self.0.get(index) {
            Some(Mask::Integer(value, _)) => Ok(value),
            _ => Err(Error::Relation),
        }
    }

    pub(crate) fn unit(&self, index: usize) -> Result<&Randomizer, Error> {
        match self.0.get(index) {
            Some(Mask::Unit(value)) => Ok(value),
            _ => Err(Error::Relation),
        }
    }

    pub(crate) fn exponent(&self, index: usize) -> Result<&SecretNatural, Error> {
        match self.0.get(index) {
            Some(Mask::Exponent(value, _)) => Ok(value),
            _ => Err(Error::Relation),
        }
    }

    /// The mask where it enters the curve.
    pub(crate) fn scalar(&self, index: usize) -> Result<Secret<C::Scalar>, Error> {
        match self.0.get(index) {
            Some(Mask::Integer(value, _)) => Ok(Secret::new(numbers::scalar::<C>(value))),
            Some(Mask::Scalar(value)) => Ok(Secret::new(*value.expose())),
            _ => Err(Error::Relation),
        }
    }
}
