//! Key packages of the frost-* crates.
//!
//! Both their forms are read, and told apart by the first byte: what `serialize()` gives, and JSON by serde.
//! `docs/wire.md` has the bytes.
//!
//! Identifiers have to be numbers from 1 to 65535, as `Identifier::try_from(u16)` makes them and the default list of a
//! dealer does; those that were derived from strings are other scalars, and refused.
//!
//! # Taproot
//!
//! frost-secp256k1-tr keeps keys with the y that they have, and changes signs where it signs; here signs are changed
//! when the key is taken, so that its y is even. What its key generation gives is an **output** key of BIP-341, that
//! commits to an unspendable script path. What its dealer gives is not tweaked: sign with it there by `sign`, and it is
//! an output key; by `sign_with_tweak`, and it is an **internal** key. The file does not say which. Take it as what it
//! has been used for: the family of output keys signs for the key as it is, that of internal keys has `tweak`.

mod binary;
mod text;

use alloc::vec::Vec;

use quorate_curve::{Curve, Secret};
use quorate_declassify::declassify;
use quorate_session::PartyId;

use super::encoded::Encoded;
use super::json::Json;
use super::{Holders, MigrateError, Migrated, signed};
use crate::{Family, Point, SharedKey};

/// A family whose keys the frost-* crates have too.
pub trait FrostCore: Family<Extra = ()> {
    /// The name of the ciphersuite there, which stands in their files: `"FROST-ED25519-SHA512-v1"`.
    const CIPHERSUITE: &'static str;
}

/// Takes a `PublicKeyPackage`, for a coordinator or whoever verifies shares of signatures.
///
/// `threshold` is needed for a package of frost-core 2, which does not have it: the key packages do. It is checked
/// either way, since it is what the verifying shares say.
///
/// # Errors
/// A [`MigrateError`] with the reason.
pub fn public_key_package<F: FrostCore>(
    stored: &[u8],
    threshold: Option<u16>,
) -> Result<F::Public, MigrateError> {
    let package = Public::open::<F>(stored)?;
    let threshold = package.threshold(threshold)?;
    Ok(F::public(package.read::<F>()?.shared(threshold)?))
}

/// Takes a `KeyPackage` with the `PublicKeyPackage` that it belongs to, each in either form.
///
/// The secret is held against the verifying share that the public package has for the party. That in the key package
/// may be an older one: it only tells a package of another epoch, [`MigrateError::OtherShare`], from one whose secret is
/// wrong.
///
/// # Errors
/// A [`MigrateError`] with the reason.
pub fn key_package<F: FrostCore>(
    stored: &[u8],
    public: &[u8],
) -> Result<Migrated<F>, MigrateError> {
    let own = Own::open::<F>(stored)?;
    let package = Public::open::<F>(public)?;
    let threshold = package.threshold(Some(own.min_signers))?;
    let public = package.read::<F>()?;

    let party = own.identifier.party::<F::Curve>("identifier")?;
    let verifying_key = own.verifying_key.point::<F::Curve>("verifying_key")?;
    let verifying_share = own.verifying_share.point::<F::Curve>("verifying_share")?;
    let secret = own.signing_share.secret::<F::Curve>("signing_share")?;
    if verifying_key != public.key {
        return Err(MigrateError::OtherKey);
    }
    if public.holders.iter().all(|(holder, _)| *holder != party) {
        return Err(MigrateError::NotAHolder(party));
    }
    // Published by the old system, or an error.
    let is_its_own = declassify(F::Curve::mul_base(secret.expose())) == verifying_share;
    let secret = if public.is_odd() { Secret::make(|| -*secret.expose()) } else { secret };
    Migrated::new(party, public.shared(threshold)?, secret).map_err(|error| match error {
        MigrateError::WrongSecret if is_its_own => MigrateError::OtherShare,
        other => other,
    })
}

/// A `PublicKeyPackage`, as far as it is read without arithmetic.
struct Public<'a> {
    /// Identifier and verifying share.
    shares: Vec<(Encoded<'a>, Encoded<'a>)>,
    verifying_key: Encoded<'a>,
    /// Since frost-core 3.
    min_signers: Option<u16>,
}

/// A `KeyPackage`, as far as it is read without arithmetic.
struct Own<'a> {
    identifier: Encoded<'a>,
    signing_share: Encoded<'a>,
    verifying_share: Encoded<'a>,
    verifying_key: Encoded<'a>,
    min_signers: u16,
}

impl<'a> Public<'a> {
    fn open<F: FrostCore>(stored: &'a [u8]) -> Result<Self, MigrateError> {
        if Json::is_object(stored) {
            text::public::<F>(stored)
        } else {
            binary::public::<F>(stored)
        }
    }

    /// The threshold, by the package, or by who has another source of it.
    fn threshold(&self, other: Option<u16>) -> Result<u16, MigrateError> {
        match (self.min_signers, other) {
            (Some(public), Some(other)) if public != other => {
                Err(MigrateError::Threshold { public, other })
            }
            (Some(threshold), _) | (None, Some(threshold)) => Ok(threshold),
            (None, None) => Err(MigrateError::NoThreshold),
        }
    }

    fn read<F: FrostCore>(self) -> Result<Read<F>, MigrateError> {
        let key = self.verifying_key.point::<F::Curve>("verifying_key")?;
        let holder = |(party, share): (Encoded<'_>, Encoded<'_>)| {
            let party = party.party::<F::Curve>("verifying_shares")?;
            Ok((party, share.point::<F::Curve>("verifying_shares")?))
        };
        let holders = self.shares.into_iter().map(holder).collect::<Result<_, MigrateError>>()?;
        Ok(Read { key, holders })
    }
}

impl<'a> Own<'a> {
    fn open<F: FrostCore>(stored: &'a [u8]) -> Result<Self, MigrateError> {
        if Json::is_object(stored) { text::own::<F>(stored) } else { binary::own::<F>(stored) }
    }
}

/// A `PublicKeyPackage` with its points.
struct Read<F: Family> {
    key: Point<F>,
    holders: Vec<(PartyId, Point<F>)>,
}

impl<F: FrostCore> Read<F> {
    /// Whether the family has the key with the other sign only.
    fn is_odd(&self) -> bool {
        !F::accepts(&F::Curve::encode_point(&self.key))
    }

    fn shared(self, threshold: u16) -> Result<SharedKey<F>, MigrateError> {
        let odd = self.is_odd();
        let sign = |point| signed::<F::Curve>(odd, point);
        let holders = self.holders.into_iter().map(|(party, share)| (party, sign(share)));
        Holders::new(holders.collect())?.shared(threshold, &sign(self.key), ())
    }
}
