//! The witness of a relation, as the prover holds it.

use alloc::vec::Vec;
use core::ops::Deref;

use quorate_bignum::{SecretInteger, SecretNatural};
use quorate_declassify::declassify;
use quorate_paillier::{PedersenTrapdoor, Randomizer};
use zeroize::Zeroizing;

use super::group::Group;
use super::relation::{Component, IntegerPart, Interval, Relation};
use super::row::Row;
use crate::Error;

/// A value on loan or made here.
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

/// The witness, component by component.
pub(crate) type Witness<'a, C> =
    Row<Held<'a, SecretInteger>, &'a Randomizer, &'a <C as Group>::Scalar, &'a PedersenTrapdoor>;

impl<'a, C: Group> Relation<'a, C> {
    /// Takes the witness out, with those of its integers that were drawn.
    ///
    /// # Errors
    /// [`Error::Relation`] if the relation's numbers do not belong together, [`Error::Witness`] for a component that has
    /// no witness, or one under another key.
    pub(super) fn take_witness(
        &mut self,
        fresh: &mut Vec<SecretInteger>,
    ) -> Result<Witness<'a, C>, Error> {
        if !self.consistent {
            return Err(Error::Relation);
        }
        let mut witness = Witness::<C>::default();
        let parts = core::mem::take(&mut self.parts);
        let (mut fresh, mut integers) = (fresh.drain(..), parts.integers.into_iter());
        let (mut units, mut scalars) = (parts.units.into_iter(), parts.scalars.into_iter());
        let mut exponents = parts.exponents.into_iter();
        for component in &self.order {
            match *component {
                Component::Integer(var) => {
                    let interval = self.kinds[var];
                    let part = integers.next().flatten();
                    let value = match part.ok_or(Error::Witness(interval.name))? {
                        IntegerPart::Given(value) => Held::Borrowed(value),
                        IntegerPart::Made(value) => Held::Owned(value),
                        IntegerPart::Fresh => {
                            Held::Owned(fresh.next().ok_or(Error::Witness(interval.name))?)
                        }
                        IntegerPart::MinusProduct(x, y) => {
                            Held::Owned(witness[x].mul(&witness[y]).neg())
                        }
                    };
                    witness.integers.push(value);
                }
                Component::Unit(var) => {
                    let (name, key) = self.kinds[var];
                    let unit = units.next().flatten().filter(|unit| unit.key() == key);
                    witness.units.push(unit.ok_or(Error::Witness(name))?);
                }
                Component::Scalar(var) => {
                    let scalar = scalars.next().flatten();
                    witness.scalars.push(scalar.ok_or(Error::Witness(self.kinds[var]))?);
                }
                Component::Exponent(var) => {
                    let trapdoor = exponents.next().flatten();
                    witness.exponents.push(trapdoor.ok_or(Error::Witness(self.kinds[var].0))?);
                }
            }
        }
        Ok(witness)
    }

    /// Holds a witness to the relation: integers to their intervals, exponents to their setups.
    ///
    /// # Errors
    /// [`Error::Range`] for an integer outside its interval, [`Error::Witness`] for another setup's exponent.
    pub(super) fn check_witness(&self, witness: &mut Witness<'a, C>) -> Result<(), Error> {
        for (value, interval) in witness.integers.iter_mut().zip(&self.kinds.integers) {
            if let Some(short) = narrowed(value, *interval)? {
                *value = Held::Owned(short);
            }
        }
        for (trapdoor, (name, setup)) in witness.exponents.iter().zip(&self.kinds.exponents) {
            if trapdoor.pedersen() != *setup {
                return Err(Error::Witness(name));
            }
        }
        Ok(())
    }
}

/// An integer whose bound is longer than its interval, with a bound of at most the interval's bits, in whole bytes;
/// nothing if the bound fits. Whether the integer is longer is all that the time shows.
fn narrowed(
    value: &SecretInteger,
    Interval { name, bits, .. }: Interval,
) -> Result<Option<SecretInteger>, Error> {
    if value.bits() <= bits {
        return Ok(None);
    }
    let all = value.magnitude().to_be_bytes();
    let low = all.len().checked_sub((bits >> 3) as usize);
    let (high, low) = low.and_then(|len| all.split_at_checked(len)).ok_or(Error::Range(name))?;
    let excess = Zeroizing::new(high.iter().fold(0, |any, byte| any | byte));
    // A witness that is too long is refused.
    if !declassify(*excess == 0) {
        return Err(Error::Range(name));
    }
    let low = SecretNatural::from_be_bytes(low);
    Ok(Some(SecretInteger::new(value.is_negative(), low)))
}
