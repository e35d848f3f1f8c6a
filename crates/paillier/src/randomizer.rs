//! Randomizers of encryptions.

use core::fmt;

use quorate_bignum::SecretNatural;
use quorate_declassify::declassify;
use rand_core::CryptoRng;

use crate::error::Error;
use crate::key::EncryptionKey;

/// A secret unit `r` under `N`, and `r^N mod N^2` if that was worked out before.
pub struct Randomizer {
    value: SecretNatural,
    pub(crate) power: Option<SecretNatural>,
    key: EncryptionKey,
}

impl fmt::Debug for Randomizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Randomizer")
    }
}

impl Randomizer {
    /// Draws a uniform one.
    ///
    /// # Errors
    /// [`Error::Number`] if the generator is broken, or the key made of small factors.
    pub fn random(rng: &mut (impl CryptoRng + ?Sized), key: &EncryptionKey) -> Result<Self, Error> {
        Ok(Self::trusted(key, SecretNatural::random_unit(rng, key.modulus())?))
    }

    /// Draws the same one that [`random`](Self::random) drew from the same stream, without the check that it is a
    /// unit.
    ///
    /// # Errors
    /// The errors of [`random`](Self::random).
    pub fn same(rng: &mut (impl CryptoRng + ?Sized), key: &EncryptionKey) -> Result<Self, Error> {
        Ok(Self::trusted(key, SecretNatural::same_unit(rng, key.modulus())?))
    }

    /// Takes a given one. Constant time, and as slow as an inversion.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if it is zero or not below `N`, [`Error::NotUnit`] if it has a factor in common with `N`.
    pub fn new(key: &EncryptionKey, value: SecretNatural) -> Result<Self, Error> {
        use subtle::ConstantTimeEq;
        let reduced = key.residues().reduce(&value);
        // A value out of range is refused.
        if declassify(bool::from(value.is_zero() | !reduced.ct_eq(&value))) {
            return Err(Error::OutOfRange);
        }
        key.residues().inverse(&reduced).map_err(|_| Error::NotUnit)?;
        Ok(Self::trusted(key, reduced))
    }

    /// One that is known to be a unit.
    pub(crate) fn trusted(key: &EncryptionKey, value: SecretNatural) -> Self {
        Self { value, power: None, key: key.clone() }
    }

    /// `r`, in `[1, N)`.
    #[must_use]
    pub fn value(&self) -> &SecretNatural {
        &self.value
    }

    /// `r^N mod N^2`, if it was worked out before.
    #[must_use]
    pub fn power(&self) -> Option<&SecretNatural> {
        self.power.as_ref()
    }

    /// The key whose encryptions it is for.
    #[must_use]
    pub fn key(&self) -> &EncryptionKey {
        &self.key
    }
}
