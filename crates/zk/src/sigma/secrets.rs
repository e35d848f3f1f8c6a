//! Witnesses, component by component.

use alloc::vec::Vec;
use core::ops::Deref;

use quorate_bignum::{Integer, SecretInteger, SecretNatural};
use quorate_curve::Curve;
use quorate_declassify::declassify;
use quorate_paillier::{PedersenTrapdoor, Randomizer};
use zeroize::Zeroizing;

use super::{Kind, Part, Relation};
use crate::Error;

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

/// One component of a witness.
pub(crate) enum Slot<'a, C: Curve> {
    Integer(Held<'a, SecretInteger>),
    Unit(&'a Randomizer),
    Scalar(&'a C::Scalar),
    Exponent(&'a SecretNatural, &'a PedersenTrapdoor),
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

    pub(crate) fn unit(&self, index: usize) -> Result<&'a Randomizer, Error> {
        match self.0.get(index) {
            Some(Slot::Unit(value)) => Ok(value),
            _ => Err(Error::Relation),
        }
    }

    pub(crate) fn trapdoor(&self, index: usize) -> Result<&'a PedersenTrapdoor, Error> {
        match self.0.get(index) {
            Some(Slot::Exponent(_, trapdoor)) => Ok(trapdoor),
            _ => Err(Error::Relation),
        }
    }
}

/// A test's replacements of components, and whether the prover looks at its own numbers.
#[derive(Default)]
pub(crate) struct Overrides {
    pub(crate) witness: Vec<(usize, Integer)>,
    pub(crate) masks: Vec<(usize, Integer)>,
    pub(crate) unchecked: bool,
}

/// A test's replacement of a component.
pub(crate) fn replaced(
    list: &[(usize, Integer)],
    index: usize,
) -> Result<Option<SecretInteger>, Error> {
    let Some((_, value)) = list.iter().find(|(i, _)| *i == index) else { return Ok(None) };
    Ok(Some(SecretInteger::classify(value, value.magnitude().bits().max(1))?))
}

/// The witness of a relation, with those of its components that were drawn.
pub(crate) fn witness<'a, C: Curve>(
    relation: &Relation<'a, C>,
    parts: Vec<Part<'a, C>>,
    fresh: &mut Vec<(usize, SecretInteger)>,
    overrides: &Overrides,
) -> Result<Slots<'a, C>, Error> {
    if parts.len() != relation.components.len() {
        return Err(Error::Relation);
    }
    let mut slots = Slots(Vec::with_capacity(parts.len()));
    for (index, (component, part)) in relation.components.iter().zip(parts).enumerate() {
        let slot = match (replaced(&overrides.witness, index)?, part) {
            (Some(value), _) => Slot::Integer(Held::Owned(value)),
            (None, Part::Fresh) => {
                let place = fresh.iter().position(|(at, _)| *at == index);
                let place = place.ok_or(Error::Witness(component.name))?;
                Slot::Integer(Held::Owned(fresh.swap_remove(place).1))
            }
            (None, part) => fitting(component.kind, part, &slots, overrides.unchecked)
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
) -> Result<Option<Slot<'a, C>>, Option<Error>> {
    let fit = |value, bits| {
        if unchecked { Some(value) } else { narrowed(value, bits) }.map(Slot::Integer)
    };
    Ok(match (kind, part) {
        (Kind::Integer { bits, .. }, Part::Integer(value)) => fit(Held::Borrowed(value), bits),
        (Kind::Integer { bits, .. }, Part::Made(value)) => fit(Held::Owned(value), bits),
        (Kind::Integer { bits, .. }, Part::MinusProduct(i, j)) => {
            let product =
                before.integer(i).map_err(Some)?.mul(before.integer(j).map_err(Some)?).neg();
            fit(Held::Owned(product), bits)
        }
        (Kind::Unit(key), Part::Unit(value)) if value.key() == key => Some(Slot::Unit(value)),
        (Kind::Scalar, Part::Scalar(value)) => Some(Slot::Scalar(value)),
        (Kind::Exponent(setup), Part::Trapdoor(trapdoor))
            if unchecked || trapdoor.pedersen() == setup =>
        {
            Some(Slot::Exponent(trapdoor.lambda(), trapdoor))
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
    // A witness that is too long is refused.
    declassify(*excess == 0).then(|| {
        Held::Owned(SecretInteger::new(value.is_negative(), SecretNatural::from_be_bytes(low)))
    })
}
