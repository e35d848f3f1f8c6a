//! The fields of the packages, in whichever form they were read.

use alloc::vec::Vec;

use quorate_curve::Curve;
use quorate_session::PartyId;

use super::super::encoded::Encoded;
use super::super::{Holders, MigrateError, bounded, signed};
use crate::{Family, KeyTypes, Point, SharedKey};

/// A family whose keys the frost-* crates also have.
pub trait FrostCore: KeyTypes<Extra = ()> {
    /// The name of the ciphersuite in the files of those crates: `"FROST-ED25519-SHA512-v1"`.
    const CIPHERSUITE: &'static str;
}

/// A `PublicKeyPackage`, as far as it can be read without arithmetic.
pub(super) struct Public<'a> {
    /// Identifier and verifying share.
    pub(super) shares: Vec<(Encoded<'a>, Encoded<'a>)>,
    pub(super) verifying_key: Encoded<'a>,
    /// Since frost-core 3.
    pub(super) min_signers: Option<u16>,
}

/// A `KeyPackage`, as far as it can be read without arithmetic.
pub(super) struct Own<'a> {
    pub(super) identifier: Encoded<'a>,
    pub(super) signing_share: Encoded<'a>,
    pub(super) verifying_share: Encoded<'a>,
    pub(super) verifying_key: Encoded<'a>,
    pub(super) min_signers: u16,
}

impl Public<'_> {
    /// The threshold, from the package or from a caller that has another source of it.
    pub(super) fn threshold(&self, other: Option<u16>) -> Result<u16, MigrateError> {
        match (self.min_signers, other) {
            (Some(public), Some(other)) if public != other => {
                Err(MigrateError::Threshold { public, other })
            }
            (Some(threshold), _) | (None, Some(threshold)) => Ok(threshold),
            (None, None) => Err(MigrateError::NoThreshold),
        }
    }

    pub(super) fn read<F: FrostCore>(self, threshold: u16) -> Result<Read<F>, MigrateError> {
        bounded::<F>(threshold, self.shares.len())?;
        let key = self.verifying_key.point::<F::Curve>("verifying_key")?;
        let holder = |(party, share): (Encoded<'_>, Encoded<'_>)| {
            let party = party.party::<F::Curve>("verifying_shares")?;
            Ok((party, share.point::<F::Curve>("verifying_shares")?))
        };
        let holders = self.shares.into_iter().map(holder).collect::<Result<_, MigrateError>>()?;
        Ok(Read { key, holders })
    }
}

/// A `PublicKeyPackage` with its points.
pub(super) struct Read<F: Family> {
    pub(super) key: Point<F>,
    pub(super) holders: Vec<(PartyId, Point<F>)>,
}

impl<F: FrostCore> Read<F> {
    /// Returns whether the family has the key only with the other sign.
    pub(super) fn is_odd(&self) -> bool {
        !F::accepts(&F::Curve::encode_point(&self.key))
    }

    pub(super) fn shared(self, threshold: u16) -> Result<SharedKey<F>, MigrateError> {
        let odd = self.is_odd();
        let sign = |point| signed::<F::Curve>(odd, point);
        let holders = self.holders.into_iter().map(|(party, share)| (party, sign(share)));
        Holders::new(holders.collect())?.shared(threshold, &sign(self.key), ())
    }
}
