//! The witness of a relation, as the prover holds it.

use alloc::vec::Vec;
use core::ops::Deref;

use quorate_bignum::{SecretInteger, SecretNatural};
use quorate_declassify::declassify;
use quorate_paillier::{PedersenTrapdoor, Randomizer};
use zeroize::Zeroizing;

use super::fold::{Weights, weighted_sum};
use super::group::Group;
use super::relation::{Component, IntegerPart, Interval, Relation};
use super::row::Row;
use crate::Error;
use crate::numbers::once;

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

/// The witness, component by component: one value, or one for each statement if it is folded.
pub(crate) type Witness<'a, C> = Row<
    Vec<Held<'a, SecretInteger>>,
    Vec<&'a Randomizer>,
    Vec<&'a <C as Group>::Scalar>,
    &'a PedersenTrapdoor,
>;

/// `Σ e_m x_m`, or the one value of a component that is not folded.
pub(crate) fn combined(
    values: &[Held<'_, SecretInteger>],
    weights: Option<&Weights>,
) -> SecretInteger {
    let once = [once()];
    let weights = weights.map_or(&once[..], |weights| weights.from(0));
    weighted_sum(&values.iter().zip(weights).map(|(x, e)| (&**x, e)).collect::<Vec<_>>())
}

/// The value of a component that is not folded.
pub(super) fn single<'w>(
    values: &'w [Held<'_, SecretInteger>],
    name: &'static str,
) -> Result<&'w SecretInteger, Error> {
    values.first().map(|value| &**value).ok_or(Error::Witness(name))
}

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
            let count = self.count(*component);
            match *component {
                Component::Integer(var) => {
                    let name = self.kinds[var].name;
                    let part = integers.next().ok_or(Error::Witness(name))?;
                    let values: Vec<_> = match part {
                        IntegerPart::Given(values) => {
                            values.into_iter().map(Held::Borrowed).collect()
                        }
                        IntegerPart::Made(value) => value.into_iter().map(Held::Owned).collect(),
                        IntegerPart::Fresh => fresh.by_ref().take(count).map(Held::Owned).collect(),
                        IntegerPart::MinusProduct(x, y) => {
                            let [x, y] = [single(&witness[x], name)?, single(&witness[y], name)?];
                            [Held::Owned(x.mul(y).neg())].into()
                        }
                    };
                    witness.integers.push(counted(values, count, name)?);
                }
                Component::Unit(var) => {
                    let (name, key) = self.kinds[var];
                    let values = units.next().unwrap_or_default();
                    if values.iter().any(|unit| unit.key() != key) {
                        return Err(Error::Witness(name));
                    }
                    witness.units.push(counted(values, count, name)?);
                }
                Component::Scalar(var) => {
                    let values = scalars.next().unwrap_or_default();
                    witness.scalars.push(counted(values, count, self.kinds[var])?);
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
        for (values, interval) in witness.integers.iter_mut().zip(&self.kinds.integers) {
            for value in values {
                if let Some(short) = narrowed(value, *interval)? {
                    *value = Held::Owned(short);
                }
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

/// A list whose length is the number of values of a component.
fn counted<T>(values: Vec<T>, count: usize, name: &'static str) -> Result<Vec<T>, Error> {
    if values.len() == count { Ok(values) } else { Err(Error::Witness(name)) }
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
