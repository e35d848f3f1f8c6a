//! Public keys of Paillier encryption.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use quorate_bignum::{Integer, Modulus, Natural, SecretModulus};

use crate::error::Error;
use crate::level::Level;

/// A public key: `N`, odd and of exactly the length of its level. Copies share the values computed from it.
///
/// Nothing else is known about `N` here. Its owner has to prove that it is made of two large primes.
#[derive(Clone)]
pub struct EncryptionKey {
    inner: Arc<Inner>,
}

struct Inner {
    level: Level,
    modulus: Modulus,
    square: Modulus,
    /// `N` as an exponent.
    exponent: Integer,
    /// `N`, for arithmetic on secret residues.
    residues: SecretModulus,
}

impl fmt::Debug for EncryptionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EncryptionKey").field("level", &self.level()).finish_non_exhaustive()
    }
}

impl PartialEq for EncryptionKey {
    fn eq(&self, other: &Self) -> bool {
        self.inner.modulus == other.inner.modulus
    }
}

impl Eq for EncryptionKey {}

impl EncryptionKey {
    /// The key of this modulus.
    ///
    /// # Errors
    /// [`Error::Modulus`] unless it is odd and exactly as long as the level says.
    pub fn new(level: Level, modulus: &Natural) -> Result<Self, Error> {
        if modulus.bits() != level.modulus_bits() || !modulus.is_odd() {
            return Err(Error::Modulus);
        }
        let modulus = Modulus::new(modulus)?;
        let square = Modulus::square_of(&modulus)?;
        let exponent = Integer::from(modulus.value().clone());
        let residues = modulus.for_secrets();
        let inner = Inner { level, modulus, square, exponent, residues };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Reads [`Level::modulus_bytes`] big-endian bytes of `N`.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Modulus`].
    pub fn from_bytes(level: Level, bytes: &[u8]) -> Result<Self, Error> {
        if bytes.len() != level.modulus_bytes() {
            return Err(Error::Length);
        }
        Self::new(level, &Natural::from_be_bytes(bytes))
    }

    /// `N` as [`Level::modulus_bytes`] big-endian bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        // The length was checked when the key was made.
        self.inner.modulus.value().to_be_bytes(self.level().modulus_bytes()).unwrap_or_default()
    }

    /// The level that all sizes come from.
    #[must_use]
    pub fn level(&self) -> Level {
        self.inner.level
    }

    /// `N`.
    #[must_use]
    pub fn modulus(&self) -> &Modulus {
        &self.inner.modulus
    }

    /// `N^2`, the modulus of ciphertexts.
    #[must_use]
    pub fn square(&self) -> &Modulus {
        &self.inner.square
    }

    /// `N` as an exponent.
    #[must_use]
    pub fn exponent(&self) -> &Integer {
        &self.inner.exponent
    }

    /// `N`, for arithmetic on secret residues.
    #[must_use]
    pub fn residues(&self) -> &SecretModulus {
        &self.inner.residues
    }
}
