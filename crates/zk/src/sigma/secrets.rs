//! Witnesses and masks, component by component.

use alloc::vec::Vec;
use core::ops::Deref;

use quorate_bignum::{Integer, SecretInteger, SecretNatural};
use quorate_curve::{Curve, Secret, random_scalar};
use quorate_paillier::{EncryptionKey, PedersenTrapdoor, Randomizer, Randomizers};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use super::{Kind, Part, Relation};
use crate::{Error, numbers};

/// Bits drawn beyond an order, so that the residue is uniform but for `2^-128`.
const EXTRA_BITS: u32 = 128;

/// Something on loan or made here.
pub(crate) enum Held<'a, T> {
    Borrowed(&'a T),
    Owned(T),
}

impl<T> Deref for Held<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::Borrowed(value) => value,
            Self::Owned(value) => value,
        }
    }
}

/// One component of a witness or of a mask.
pub(crate) enum Slot<'a, C: Curve> {
    Integer(Held<'a, SecretInteger>),
    Unit(Held<'a, Randomizer>),
    Scalar(Secret<C::Scalar>),
    Exponent(Held<'a, SecretNatural>, &'a PedersenTrapdoor),
}

/// The components, by their index.
pub(crate) struct Slots<'a, C: Curve>(pub(crate) Vec<Slot<'a, C>>);

impl<'a, C: Curve> Slots<'a, C> {
    pub(crate) fn integer(&self, index: usize) -> Result<&SecretInteger, Error> {
        match self.0.get(index) {
            Some(Slot::Integer(value)) => Ok(value),
            _ => Err(Error::Relation),
        }
    }

    pub(crate) fn unit(&self, index: usize) -> Result<&Randomizer, Error> {
        match self.0.get(index) {
            Some(Slot::Unit(value)) => Ok(value),
            _ => Err(Error::Relation),
        }
    }

    pub(crate) fn exponent(
        &self,
        index: usize,
    ) -> Result<(&SecretNatural, &'a PedersenTrapdoor), Error> {
        match self.0.get(index) {
            Some(Slot::Exponent(value, trapdoor)) => Ok((value, trapdoor)),
            _ => Err(Error::Relation),
        }
    }

    /// The component where it enters the curve.
    pub(crate) fn scalar(&self, index: usize) -> Result<Secret<C::Scalar>, Error> {
        match self.0.get(index) {
            Some(Slot::Integer(value)) => Ok(Secret::new(numbers::scalar::<C>(value))),
            Some(Slot::Scalar(value)) => Ok(Secret::new(*value.expose())),
            _ => Err(Error::Relation),
        }
    }
}

/// What a test puts in the place of components, and whether the prover looks at its own numbers.
#[derive(Default)]
pub(crate) struct Overrides {
    pub(crate) witness: Vec<(usize, Integer)>,
    pub(crate) masks: Vec<(usize, Integer)>,
    pub(crate) unchecked: bool,
}

fn replaced<'a, C: Curve>(
    list: &[(usize, Integer)],
    index: usize,
) -> Result<Option<Slot<'a, C>>, Error> {
    let Some((_, value)) = list.iter().find(|(i, _)| *i == index) else { return Ok(None) };
    let value = SecretInteger::classify(value, value.magnitude().bits().max(1))?;
    Ok(Some(Slot::Integer(Held::Owned(value))))
}

/// The witness of a relation.
pub(crate) fn witness<'a, C: Curve>(
    relation: &Relation<'a, C>,
    parts: Vec<Part<'a, C>>,
    overrides: &Overrides,
    rng: &mut impl CryptoRng,
) -> Result<Slots<'a, C>, Error> {
    if parts.len() != relation.components.len() {
        return Err(Error::Relation);
    }
    let mut slots = Slots(Vec::with_capacity(parts.len()));
    for (index, (component, part)) in relation.components.iter().zip(parts).enumerate() {
        let slot = match replaced(&overrides.witness, index)? {
            Some(slot) => slot,
            None => fitting(component.kind, part, &slots, overrides.unchecked, rng)
                .map_err(|error| error.unwrap_or(Error::Witness(component.name)))?
                .ok_or(Error::Range(component.name))?,
        };
        slots.0.push(slot);
    }
    Ok(slots)
}

/// A part as what its component asks for; nothing if it is outside its interval.
fn fitting<'a, C: Curve>(
    kind: Kind<'a>,
    part: Part<'a, C>,
    before: &Slots<'a, C>,
    unchecked: bool,
    rng: &mut impl CryptoRng,
) -> Result<Option<Slot<'a, C>>, Option<Error>> {
    let fit = |value, bits| {
        if unchecked { Some(value) } else { narrowed(value, bits) }.map(Slot::Integer)
    };
    Ok(match (kind, part) {
        (Kind::Integer { bits, .. }, Part::Integer(value)) => fit(Held::Borrowed(value), bits),
        (Kind::Integer { bits, .. }, Part::Made(value)) => fit(Held::Owned(value), bits),
        (Kind::Integer { bits, .. }, Part::Fresh) => {
            Some(Slot::Integer(Held::Owned(SecretInteger::random_half_range(rng, bits))))
        }
        (Kind::Integer { bits, .. }, Part::MinusProduct(i, j)) => {
            let product =
                before.integer(i).map_err(Some)?.mul(before.integer(j).map_err(Some)?).neg();
            fit(Held::Owned(product), bits)
        }
        (Kind::Unit(key), Part::Unit(value)) if value.key() == key => {
            Some(Slot::Unit(Held::Borrowed(value)))
        }
        (Kind::Scalar, Part::Scalar(value)) => Some(Slot::Scalar(Secret::new(*value))),
        (Kind::Exponent(setup), Part::Trapdoor(trapdoor))
            if unchecked || trapdoor.pedersen() == setup =>
        {
            Some(Slot::Exponent(Held::Borrowed(trapdoor.lambda()), trapdoor))
        }
        _ => return Err(None),
    })
}

/// The same integer with a bound of at most `bits`, in whole bytes; nothing if it is longer, and that is all that the
/// time shows.
fn narrowed(value: Held<'_, SecretInteger>, bits: u32) -> Option<Held<'_, SecretInteger>> {
    if value.bits() <= bits {
        return Some(value);
    }
    let all = value.magnitude().to_be_bytes();
    let (high, low) = all.split_at_checked(all.len().checked_sub((bits >> 3) as usize)?)?;
    let excess = Zeroizing::new(high.iter().fold(0, |any, byte| any | byte));
    (*excess == 0).then(|| {
        Held::Owned(SecretInteger::new(value.is_negative(), SecretNatural::from_be_bytes(low)))
    })
}

/// The masks of one repetition.
pub(crate) fn masks<'a, C: Curve>(
    relation: &Relation<'a, C>,
    witness: &Slots<'a, C>,
    overrides: &Overrides,
    pools: &mut [Randomizers],
    rng: &mut impl CryptoRng,
) -> Result<Slots<'a, C>, Error> {
    let mut slots = Slots(Vec::with_capacity(relation.components.len()));
    for (index, component) in relation.components.iter().enumerate() {
        let slot = match (replaced(&overrides.masks, index)?, component.kind) {
            (Some(slot), _) => slot,
            (None, Kind::Integer { bits, slack }) => Slot::Integer(Held::Owned(
                SecretInteger::random_half_range(rng, bits.saturating_add(slack)),
            )),
            (None, Kind::Unit(key)) => Slot::Unit(Held::Owned(unit(key, pools, rng)?)),
            (None, Kind::Scalar) => Slot::Scalar(Secret::new(random_scalar::<C>(rng))),
            (None, Kind::Exponent(_)) => {
                let (_, trapdoor) = witness.exponent(index)?;
                let order = trapdoor.order();
                let wide = SecretNatural::random_bits(rng, order.bits().saturating_add(EXTRA_BITS));
                Slot::Exponent(Held::Owned(order.reduce(&wide)), trapdoor)
            }
        };
        slots.0.push(slot);
    }
    Ok(slots)
}

/// A mask of a randomizer, with its power worked out if there is a store for its key.
fn unit(
    key: &EncryptionKey,
    pools: &mut [Randomizers],
    rng: &mut impl CryptoRng,
) -> Result<Randomizer, Error> {
    Ok(match pools.iter_mut().find(|pool| pool.key() == key) {
        Some(pool) => pool.take_or_random(rng)?,
        None => Randomizer::random(rng, key)?,
    })
}
