//! Ciphertexts that are known to be units.

use alloc::vec::Vec;
use core::fmt;

use quorate_bignum::{Integer, Natural, PublicProduct};

use crate::numbers::once;
use crate::units::residues_are_units_vartime;
use crate::{EncryptionKey, Error};

/// A unit under `N^2`, and the key to which it belongs.
#[derive(Clone, PartialEq, Eq)]
pub struct Ciphertext {
    value: Natural,
    key: EncryptionKey,
}

impl fmt::Debug for Ciphertext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ciphertext").field(&self.value).finish()
    }
}

impl Ciphertext {
    /// A number that is known to be a unit.
    pub(crate) fn unit(key: &EncryptionKey, value: Natural) -> Result<Self, Error> {
        if value.is_zero() || value >= *key.square().value() {
            return Err(Error::OutOfRange);
        }
        Ok(Self { value, key: key.clone() })
    }

    /// Checks a received number.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if it is zero or not below `N^2`, [`Error::NotUnit`] if it has a factor in common with `N`.
    pub fn new(key: &EncryptionKey, value: Natural) -> Result<Self, Error> {
        Self::many(key, [value].into()).pop().unwrap_or(Err(Error::OutOfRange))
    }

    /// Checks received numbers together, with one greatest common divisor for all of them if none is bad. Each
    /// bad one has an error in its place.
    #[must_use]
    pub fn many(key: &EncryptionKey, values: Vec<Natural>) -> Vec<Result<Self, Error>> {
        let units = residues_are_units_vartime(key.modulus(), &values, key.square().value());
        values
            .into_iter()
            .zip(units)
            .map(|(value, unit)| {
                let ciphertext = Self::unit(key, value)?;
                if unit { Ok(ciphertext) } else { Err(Error::NotUnit) }
            })
            .collect()
    }

    /// Reads [`Level::ciphertext_bytes`](crate::Level::ciphertext_bytes) big-endian bytes.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::OutOfRange`], [`Error::NotUnit`].
    pub fn from_bytes(key: &EncryptionKey, bytes: &[u8]) -> Result<Self, Error> {
        Self::many_from_bytes(key, &[bytes]).pop().unwrap_or(Err(Error::Length))
    }

    /// Reads several, checked together as in [`Self::many`].
    #[must_use]
    pub fn many_from_bytes(key: &EncryptionKey, list: &[&[u8]]) -> Vec<Result<Self, Error>> {
        // Bytes of a wrong length are not read. A zero stands for them until their error is put in place.
        let fits = |bytes: &[u8]| bytes.len() == key.level().ciphertext_bytes();
        let read = |bytes: &&[u8]| {
            if fits(bytes) { Natural::from_be_bytes(bytes) } else { Natural::zero() }
        };
        let checked = Self::many(key, list.iter().map(read).collect());
        list.iter()
            .zip(checked)
            .map(|(bytes, out)| if fits(bytes) { out } else { Err(Error::Length) })
            .collect()
    }

    /// Reads bytes that were [read](Self::from_bytes) before and found to be a unit. The caller guarantees that
    /// nobody has changed them since. The range is checked all the same.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::OutOfRange`].
    pub fn from_known_bytes(key: &EncryptionKey, bytes: &[u8]) -> Result<Self, Error> {
        if bytes.len() != key.level().ciphertext_bytes() {
            return Err(Error::Length);
        }
        Self::unit(key, Natural::from_be_bytes(bytes))
    }

    /// Exactly [`Level::ciphertext_bytes`](crate::Level::ciphertext_bytes) big-endian bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        // Below N^2, so it fits.
        self.value.to_be_bytes(self.key.level().ciphertext_bytes()).unwrap_or_default()
    }

    /// The number, in `[1, N^2)`.
    #[must_use]
    pub fn value(&self) -> &Natural {
        &self.value
    }

    /// The key that it belongs to.
    #[must_use]
    pub fn key(&self) -> &EncryptionKey {
        &self.key
    }

    /// `self ⊕ other`: the sum of the plaintexts.
    ///
    /// # Errors
    /// [`Error::OtherKey`]
    pub fn add(&self, other: &Self) -> Result<Self, Error> {
        other.check(&self.key)?;
        Self::unit(&self.key, self.key.square().mul(&self.value, &other.value))
    }

    /// `self ⊖ other`: the difference of the plaintexts. One inversion. Variable time.
    ///
    /// # Errors
    /// [`Error::OtherKey`]
    pub fn sub_vartime(&self, other: &Self) -> Result<Self, Error> {
        other.check(&self.key)?;
        let square = self.key.square();
        Self::unit(&self.key, square.mul(&self.value, &square.inverse(&other.value)?))
    }

    /// `x·self` for a public integer: the multiple of the plaintext, as a product to evaluate. Variable time.
    #[must_use]
    pub fn scaled_vartime<'a>(&'a self, x: &'a Integer) -> PublicProduct<'a> {
        PublicProduct::new(self.key.square()).power(&self.value, x)
    }

    /// `self ⊕ x·other`, as a product to evaluate: the right side of a verifier's equation. Variable time.
    ///
    /// # Errors
    /// [`Error::OtherKey`]
    pub fn plus_scaled_vartime<'a>(
        &'a self,
        x: &'a Integer,
        other: &'a Self,
    ) -> Result<PublicProduct<'a>, Error> {
        other.check(&self.key)?;
        Ok(other.scaled_vartime(x).power(&self.value, once()))
    }

    pub(crate) fn check(&self, key: &EncryptionKey) -> Result<(), Error> {
        if self.key == *key { Ok(()) } else { Err(Error::OtherKey) }
    }
}
