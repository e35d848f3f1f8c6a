//! The witness of a relation, as the prover holds it.

use core::ops::Deref;

use quorate_bignum::{SecretInteger, SecretNatural};
use quorate_curve::Curve;
use quorate_declassify::declassify;
use quorate_paillier::{PedersenTrapdoor, Randomizer};
use zeroize::Zeroizing;

use super::Relation;
use super::relation::{Component, IntegerPart, Interval};
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
    Row<Held<'a, SecretInteger>, &'a Randomizer, &'a <C as Curve>::Scalar, &'a PedersenTrapdoor>;

impl<'a, C: Curve> Relation<'a, C> {
    /// Takes the witness out, with those of its integers that were drawn; `checked` is false for a prover that cheats.
    ///
    /// # Errors
    /// [`Error::Witness`] for a component that has none, or one under another key or setup; [`Error::Range`] for one
    /// outside its interval.
    pub(super) fn take_witness(
        &mut self,
        fresh: impl IntoIterator<Item = SecretInteger>,
        checked: bool,
    ) -> Result<Witness<'a, C>, Error> {
        let mut witness = Witness::<C>::default();
        let parts = core::mem::take(&mut self.parts);
        let (mut fresh, mut integers) = (fresh.into_iter(), parts.integers.into_iter());
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
                    witness.integers.push(if checked { narrowed(value, interval)? } else { value });
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
                    let (name, setup) = self.kinds[var];
                    let trapdoor = exponents.next().flatten();
                    let own = trapdoor.filter(|own| !checked || own.pedersen() == setup);
                    witness.exponents.push(own.ok_or(Error::Witness(name))?);
                }
            }
        }
        Ok(witness)
    }
}

/// The same integer with a bound of at most its interval's bits, in whole bytes; whether it is longer is all that the
/// time shows.
fn narrowed(
    value: Held<'_, SecretInteger>,
    Interval { name, bits, .. }: Interval,
) -> Result<Held<'_, SecretInteger>, Error> {
    if value.bits() <= bits {
        return Ok(value);
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
    Ok(Held::Owned(SecretInteger::new(value.is_negative(), low)))
}
