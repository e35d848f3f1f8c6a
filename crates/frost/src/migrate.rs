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
    /// Takes a `KeyPackage` of the frost-* crates with the `PublicKeyPackage` that it belongs to, each as `serialize()`
    /// gives it or as JSON by serde ([`frost::key_package`]). A Taproot key with odd y is taken with all signs changed.
    ///
    /// Refresh next, all of you, and destroy the old files: [the reasons](quorate_keys::migrate).
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
    /// Takes a `PublicKeyPackage` of the frost-* crates ([`frost::public_key_package`]). Those of frost-core 2 do not
    /// have the threshold, and need it said.
    ///
    /// # Errors
    /// A [`MigrateError`] with the reason.
    pub fn migrate(stored: &[u8], threshold: Option<u16>) -> Result<Self, MigrateError> {
        frost::public_key_package::<Frost<S>>(stored, threshold)
    }
}
