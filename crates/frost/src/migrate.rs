//! Keys of the frost-* crates.

use quorate_keys::migrate::frost::{self, FrostCore};
use quorate_keys::migrate::{MigrateError, Migrated};

use crate::family::Frost;
use crate::key::{KeyShare, PublicKeyPackage};
use crate::suite::KeySuite;

impl<S: KeySuite> FrostCore for Frost<S> {
    const CIPHERSUITE: &'static str = S::CIPHERSUITE;
}

impl<S: KeySuite> KeyShare<S> {
    /// Imports a `KeyPackage` of the frost-* crates with the `PublicKeyPackage` to which it belongs, each from
    /// `serialize()` or from JSON by serde ([`frost::key_package`]). A Taproot key with odd y is imported with
    /// all signs changed.
    ///
    /// Next, all parties have to refresh the key and destroy the old files: [the reasons](quorate_keys::migrate).
    ///
    /// # Errors
    /// A [`MigrateError`] with the reason.
    pub fn migrate(
        key_package: &[u8],
        public_key_package: &[u8],
    ) -> Result<(Self, PublicKeyPackage<S>), MigrateError> {
        let Migrated { public, share } =
            frost::key_package::<Frost<S>>(key_package, public_key_package)?;
        Ok((share, public))
    }
}

impl<S: KeySuite> PublicKeyPackage<S> {
    /// Imports a `PublicKeyPackage` of the frost-* crates ([`frost::public_key_package`]). Those of frost-core 2
    /// do not contain the threshold, so the caller has to give it.
    ///
    /// # Errors
    /// A [`MigrateError`] with the reason.
    pub fn migrate(stored: &[u8], threshold: Option<u16>) -> Result<Self, MigrateError> {
        frost::public_key_package::<Frost<S>>(stored, threshold)
    }
}
