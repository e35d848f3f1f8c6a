//! A party's secrets of auxiliary information.

use core::fmt;

use quorate_bignum::Engine;
use quorate_paillier::{
    DecryptionKey, EncryptionKey, Error, Level, Pedersen, PedersenTrapdoor, Primes,
    share_factors_vartime,
};
use rand_core::CryptoRng;

/// A party's own secrets: its Paillier key, and its ring-Pedersen setup with the trapdoor. Wiped
/// when dropped.
pub struct AuxSecrets {
    key: DecryptionKey,
    setup: PedersenTrapdoor,
}

impl AuxSecrets {
    /// Takes a key and a setup of one level with no factor in common.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] for two levels, or moduli that share a factor.
    pub fn new(key: DecryptionKey, setup: PedersenTrapdoor) -> Result<Self, Error> {
        let moduli = [key.encryption_key().modulus(), setup.pedersen().modulus()];
        if key.level() != setup.pedersen().level() || share_factors_vartime(&moduli).contains(&true)
        {
            return Err(Error::Inconsistent);
        }
        Ok(Self { key, setup })
    }

    /// Makes the secrets from fresh primes, such as [`Self::generate`] finds. From `rng` come s and t.
    ///
    /// # Errors
    /// The errors of [`Self::new`], [`DecryptionKey::from_primes`] and [`PedersenTrapdoor::generate`].
    pub fn from_primes(
        level: Level,
        primes: &Primes,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<Self, Error> {
        Self::with_primes(&Engine::detect(), level, primes, rng)
    }

    pub(super) fn with_primes(
        engine: &Engine,
        level: Level,
        primes: &Primes,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<Self, Error> {
        let Primes { p, q, safe_p, safe_q } = primes;
        let key = DecryptionKey::from_primes(engine, level, p, q)?;
        Self::new(key, PedersenTrapdoor::generate(engine, level, safe_p, safe_q, rng)?)
    }

    /// The level of both.
    #[must_use]
    pub fn level(&self) -> Level {
        self.key.level()
    }

    /// The public side of the Paillier key, N.
    #[must_use]
    pub fn encryption_key(&self) -> &EncryptionKey {
        self.key.encryption_key()
    }

    /// The public side of the setup, (N̂, s, t).
    #[must_use]
    pub fn pedersen(&self) -> &Pedersen {
        self.setup.pedersen()
    }

    pub(crate) const fn key(&self) -> &DecryptionKey {
        &self.key
    }

    pub(crate) const fn setup(&self) -> &PedersenTrapdoor {
        &self.setup
    }

    /// The key and the setup, as the proofs take them.
    pub(crate) const fn own(&self) -> quorate_zk::Own<'_> {
        quorate_zk::Own::new(&self.key, &self.setup)
    }
}

impl fmt::Debug for AuxSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AuxSecrets")
    }
}
