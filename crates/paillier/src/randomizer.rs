//! Randomizers of encryptions, and a store of them that is filled in idle time.

use alloc::vec::Vec;
use core::fmt;

use quorate_bignum::{Engine, SecretNatural, SecretProduct};
use quorate_declassify::declassify;
use rand_core::CryptoRng;

use crate::{DecryptionKey, EncryptionKey, Error};

/// A secret unit `r` under `N`, and `r^N mod N^2` if that was worked out before.
pub struct Randomizer {
    value: SecretNatural,
    power: Option<SecretNatural>,
    key: EncryptionKey,
}

impl fmt::Debug for Randomizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Randomizer")
    }
}

impl Randomizer {
    /// A uniform one.
    ///
    /// # Errors
    /// [`Error::Number`] if the generator is broken, or the key made of small factors.
    pub fn random(rng: &mut (impl CryptoRng + ?Sized), key: &EncryptionKey) -> Result<Self, Error> {
        Ok(Self::trusted(key, SecretNatural::random_unit(rng, key.modulus())?))
    }

    /// A given one. Constant time, and as slow as an inversion.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if it is zero or not below `N`, [`Error::NotUnit`] if it has a factor in common with `N`.
    pub fn new(key: &EncryptionKey, value: SecretNatural) -> Result<Self, Error> {
        use subtle::ConstantTimeEq;
        let reduced = key.residues().reduce(&value);
        // What is out of range is refused.
        if declassify(bool::from(value.is_zero() | !reduced.ct_eq(&value))) {
            return Err(Error::OutOfRange);
        }
        key.residues().inverse(&reduced).map_err(|_| Error::NotUnit)?;
        Ok(Self::trusted(key, reduced))
    }

    /// Works out the powers of those that have none, for any keys, in one list; under one's own key through its
    /// factors. An encryption then takes hardly any time.
    ///
    /// # Errors
    /// [`Error::Number`] if the engine refused: nothing has changed.
    pub fn raise_many(
        engine: &Engine,
        list: &mut [&mut Self],
        own: Option<&DecryptionKey>,
    ) -> Result<(), Error> {
        let missing = || list.iter().filter(|one| one.power.is_none());
        let products: Vec<SecretProduct<'_>> = missing()
            .map(|one| match own.filter(|own| *own.encryption_key() == one.key) {
                Some(own) => own.power_of(one),
                None => SecretProduct::new(one.key.square()).power(&one.value, one.key.exponent()),
            })
            .collect();
        let powers: Result<Vec<SecretNatural>, _> =
            engine.evaluate(&products).into_iter().collect();
        drop(products);
        let missing = list.iter_mut().filter(|one| one.power.is_none());
        missing.zip(powers?).for_each(|(one, power)| one.power = Some(power));
        Ok(())
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

/// Randomizers for one key of somebody else, with their powers worked out before they are needed.
///
/// Each is handed out once. They live in memory only: a store that is saved and opened twice encrypts twice with the
/// same randomizers, and the quotient of two such ciphertexts shows the difference of the plaintexts.
pub struct Randomizers {
    key: EncryptionKey,
    ready: Vec<Randomizer>,
}

impl fmt::Debug for Randomizers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Randomizers").field("ready", &self.ready.len()).finish_non_exhaustive()
    }
}

impl Randomizers {
    /// An empty store.
    #[must_use]
    pub fn new(key: &EncryptionKey) -> Self {
        Self { key: key.clone(), ready: Vec::new() }
    }

    /// Adds `count` randomizers. A multiple of eight fills the lanes of the widest engine.
    ///
    /// # Errors
    /// [`Error::Number`] if the generator is broken; the store is then as before.
    pub fn fill(
        &mut self,
        engine: &Engine,
        rng: &mut (impl CryptoRng + ?Sized),
        count: usize,
    ) -> Result<(), Error> {
        let fresh: Result<Vec<Randomizer>, Error> =
            (0..count).map(|_| Randomizer::random(rng, &self.key)).collect();
        let mut fresh = fresh?;
        Randomizer::raise_many(engine, &mut fresh.iter_mut().collect::<Vec<_>>(), None)?;
        self.ready.append(&mut fresh);
        Ok(())
    }

    /// One with its power, if any is left.
    pub fn take(&mut self) -> Option<Randomizer> {
        self.ready.pop()
    }

    /// One with its power if any is left, otherwise a fresh one without.
    ///
    /// # Errors
    /// Those of [`Randomizer::random`].
    pub fn take_or_random(
        &mut self,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<Randomizer, Error> {
        self.take().map_or_else(|| Randomizer::random(rng, &self.key), Ok)
    }

    /// How many are ready.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ready.len()
    }

    /// Whether none is ready.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ready.is_empty()
    }

    /// The key whose encryptions they are for.
    #[must_use]
    pub fn key(&self) -> &EncryptionKey {
        &self.key
    }
}
