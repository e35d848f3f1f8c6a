//! Derivation of child keys without hardening, by `quorate_keys::derive`: BIP-32 over secp256k1, SLIP-10 over P-256.

pub use quorate_keys::derive::{DerivationPath, DeriveError};

use quorate_keys::derive;

use crate::{EcdsaCurve, VerifyingKey};

/// A descendant of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Derived<C: EcdsaCurve> {
    /// The shift of the secret key. As public as the key and the chain code.
    pub tweak: C::Scalar,
    /// The descendant's public key.
    pub key: VerifyingKey<C>,
    /// The descendant's chain code.
    pub chain_code: [u8; 32],
}

impl<C: EcdsaCurve> Derived<C> {
    /// The descendant at `path` of a key with a chain code.
    ///
    /// # Errors
    /// [`DeriveError::NoSuchChild`] where the standard has no child.
    pub fn at(
        key: &VerifyingKey<C>,
        chain_code: &[u8; 32],
        path: &DerivationPath,
    ) -> Result<Self, DeriveError> {
        // Its encoding is at hand, and another one costs an inversion.
        if path.indices().is_empty() {
            let tweak = C::Scalar::default();
            return Ok(Self { tweak, key: *key, chain_code: *chain_code });
        }
        let found = derive::Derived::<C>::at(key.point(), chain_code, path)?;
        let key = VerifyingKey::new(found.key).ok_or(DeriveError::Identity)?;
        Ok(Self { tweak: found.tweak, key, chain_code: found.chain_code })
    }
}

impl<C: EcdsaCurve> core::fmt::Debug for Derived<C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Derived").field("key", &self.key).finish_non_exhaustive()
    }
}
