//! Powers of randomizers, computed before they are needed, and a store of such randomizers that is filled in idle
//! time.

use alloc::vec::Vec;
use core::fmt;

use quorate_bignum::{Engine, SecretNatural, SecretProduct};
use rand_core::CryptoRng;

use crate::decryption::DecryptionKey;
use crate::error::Error;
use crate::key::EncryptionKey;
use crate::randomizer::Randomizer;

impl Randomizer {
    /// Computes the powers of the randomizers that have none, for any keys, in one list. Under one's own key it
    /// uses the factors. An encryption then takes hardly any time.
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
            .map(|one| match own.filter(|own| *own.encryption_key() == *one.key()) {
                Some(own) => own.power_of(one),
                None => {
                    SecretProduct::new(one.key().square()).power(one.value(), one.key().exponent())
                }
            })
            .collect();
        let powers: Result<Vec<SecretNatural>, _> =
            engine.evaluate(&products).into_iter().collect();
        drop(products);
        let missing = list.iter_mut().filter(|one| one.power.is_none());
        missing.zip(powers?).for_each(|(one, power)| one.power = Some(power));
        Ok(())
    }
}

/// Randomizers for one key of another party, with their powers computed before they are needed.
///
/// Each is returned once. They exist in memory only. A store that is saved and opened twice encrypts twice with
/// the same randomizers, and the quotient of two such ciphertexts shows the difference of the plaintexts.
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

    /// Takes one with its power, if any is left.
    pub fn take(&mut self) -> Option<Randomizer> {
        self.ready.pop()
    }

    /// Takes one with its power if any is left, otherwise a fresh one without.
    ///
    /// # Errors
    /// The errors of [`Randomizer::random`].
    pub fn take_or_random(
        &mut self,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<Randomizer, Error> {
        self.take().map_or_else(|| Randomizer::random(rng, &self.key), Ok)
    }

    /// The number of randomizers that are ready.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ready.len()
    }

    /// Returns whether none is ready.
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
