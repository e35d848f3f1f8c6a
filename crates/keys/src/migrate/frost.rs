//! Key packages of the frost-* crates.
//!
//! Both forms of the packages are read: the output of `serialize()`, and JSON by serde. The first byte tells them
//! apart.
//!
//! Identifiers have to be numbers from 1 to 65535, as made by `Identifier::try_from(u16)` and by the default list
//! of a dealer. Identifiers that were derived from strings are other scalars, and are refused.
//!
//! # Taproot
//!
//! frost-secp256k1-tr keeps keys with the y that they have, and changes signs when it signs. Here signs are
//! changed when the key is migrated, so that its y is even. Its key generation gives an **output** key of
//! BIP-341, which commits to an unspendable script path. The key of its dealer is not tweaked. If it signs there
//! by `sign`, it is an output key. If it signs by `sign_with_tweak`, it is an **internal** key. The file does not
//! tell which. Migrate it as the kind of key that it has been: the family of output keys signs for the key as it
//! is, and that of internal keys has `tweak`.

mod binary;
mod package;
mod text;

pub use package::FrostCore;

use quorate_curve::{Curve, Secret};
use quorate_declassify::declassify;

use super::json::Json;
use super::{MigrateError, Migrated};

use self::package::{Own, Public};

/// Migrates a `PublicKeyPackage`, for a coordinator or a party that verifies signature shares.
///
/// `threshold` is needed for a package of frost-core 2, which does not have it; the key packages do. It is always
/// checked, since the verifying shares determine it.
///
/// # Errors
/// A [`MigrateError`] with the reason.
pub fn public_key_package<F: FrostCore>(
    stored: &[u8],
    threshold: Option<u16>,
) -> Result<F::Public, MigrateError> {
    let package = open_public::<F>(stored)?;
    let threshold = package.threshold(threshold)?;
    Ok(F::public(package.read::<F>(threshold)?.shared(threshold)?))
}

/// Migrates a `KeyPackage` with the `PublicKeyPackage` to which it belongs, each in either form.
///
/// The secret is checked against the verifying share that the public package has for the party. The one in the
/// key package may be an older one. It only distinguishes a package of another epoch,
/// [`MigrateError::OtherShare`], from one whose secret is wrong.
///
/// # Errors
/// A [`MigrateError`] with the reason.
pub fn key_package<F: FrostCore>(
    stored: &[u8],
    public: &[u8],
) -> Result<Migrated<F>, MigrateError> {
    let own = open_own::<F>(stored)?;
    let package = open_public::<F>(public)?;
    let threshold = package.threshold(Some(own.min_signers))?;
    let public = package.read::<F>(threshold)?;

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
    // The point was published by the old system, or this is an error.
    let is_its_own = declassify(F::Curve::mul_base(secret.expose())) == verifying_share;
    let secret = if public.is_odd() { Secret::make(|| -*secret.expose()) } else { secret };
    Migrated::new(party, public.shared(threshold)?, secret).map_err(|error| match error {
        MigrateError::WrongSecret if is_its_own => MigrateError::OtherShare,
        other => other,
    })
}

fn open_public<F: FrostCore>(stored: &[u8]) -> Result<Public<'_>, MigrateError> {
    if Json::is_object(stored) { text::public::<F>(stored) } else { binary::public::<F>(stored) }
}

fn open_own<F: FrostCore>(stored: &[u8]) -> Result<Own<'_>, MigrateError> {
    if Json::is_object(stored) { text::own::<F>(stored) } else { binary::own::<F>(stored) }
}
