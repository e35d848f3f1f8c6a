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
mod package;
mod text;

pub use package::FrostCore;

use quorate_curve::{Curve, Secret};
use quorate_declassify::declassify;

use super::json::Json;
use super::{MigrateError, Migrated};

use self::package::{Own, Public};

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
    let package = open_public::<F>(stored)?;
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
    let own = open_own::<F>(stored)?;
    let package = open_public::<F>(public)?;
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

fn open_public<F: FrostCore>(stored: &[u8]) -> Result<Public<'_>, MigrateError> {
    if Json::is_object(stored) { text::public::<F>(stored) } else { binary::public::<F>(stored) }
}

fn open_own<F: FrostCore>(stored: &[u8]) -> Result<Own<'_>, MigrateError> {
    if Json::is_object(stored) { text::own::<F>(stored) } else { binary::own::<F>(stored) }
}
