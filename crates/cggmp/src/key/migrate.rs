//! Keys of cggmp24.

use quorate_keys::migrate::cggmp24::{self, Cggmp24, Inherited};
use quorate_keys::migrate::{MigrateError, Migrated};
use quorate_session::Transcript;

use super::{Ecdsa, KeyExtra, KeyShare, PublicKeyPackage};
use crate::EcdsaCurve;

impl<C: EcdsaCurve> Cggmp24 for Ecdsa<C> {
    const CURVE: &'static str = C::SEC_2;

    /// rid, and the chain code of a key that has none, are hashes of what all parties have in common.
    fn extra(inherited: Inherited) -> KeyExtra {
        let derived = |part| {
            let mut transcript = Transcript::new("quorate-cggmp migrated key");
            transcript.append("part", part);
            transcript.append("common", &inherited.common);
            transcript.finish32()
        };
        let chain_code = inherited.chain_code.unwrap_or_else(|| derived(b"chain code"));
        KeyExtra { chain_code, rid: derived(b"rid") }
    }
}

impl<C: EcdsaCurve> KeyShare<C> {
    /// Takes a `KeyShare` or `IncompleteKeyShare` of cggmp24 or cggmp21, as JSON by serde ([`cggmp24::key_share`]).
    ///
    /// Aux-info is not taken: run [`AuxInfoGen`](crate::AuxInfoGen) before presigning. Refresh next, all of you, and
    /// destroy the old files: [the reasons](quorate_keys::migrate).
    ///
    /// # Errors
    /// A [`MigrateError`] with the reason.
    pub fn migrate(stored: &[u8]) -> Result<Self, MigrateError> {
        let Migrated { share, .. } = cggmp24::key_share::<Ecdsa<C>>(stored)?;
        Ok(share)
    }
}

impl<C: EcdsaCurve> PublicKeyPackage<C> {
    /// Takes a `KeyInfo` of cggmp24, the public side of a key, as JSON by serde ([`cggmp24::key_info`]).
    ///
    /// # Errors
    /// A [`MigrateError`] with the reason.
    pub fn migrate(stored: &[u8]) -> Result<Self, MigrateError> {
        cggmp24::key_info::<Ecdsa<C>>(stored)
    }
}
