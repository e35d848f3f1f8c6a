//! Conversions to and from the types of `k256`, for keys made or signatures checked there.
//!
//! Conversions go through canonical bytes: a value that either side refuses does not pass.

use k256::elliptic_curve::sec1::ToSec1Point;
use k256::{PublicKey, SecretKey};
use quorate_frost::DecodeError;
use zeroize::Zeroizing;

use crate::VerifyingKey;

/// The group's key as a key of `k256`.
///
/// # Errors
/// [`DecodeError::BadPoint`] if that crate refuses it, which it never does.
pub fn verifying_key_to_k256(key: &VerifyingKey) -> Result<PublicKey, DecodeError> {
    PublicKey::from_sec1_bytes(key.as_bytes()).map_err(|_| DecodeError::BadPoint)
}

/// A key of `k256` as a group's key.
///
/// # Errors
/// [`DecodeError::BadPoint`] if it is refused here, which no key of that crate is.
pub fn verifying_key_from_k256(key: &PublicKey) -> Result<VerifyingKey, DecodeError> {
    VerifyingKey::from_bytes(key.to_sec1_point(true).as_bytes())
}

/// A secret key as the bytes that [`crate::Dealing::import`] takes.
#[must_use]
pub fn signing_scalar_of_k256(key: &SecretKey) -> Zeroizing<[u8; 32]> {
    Zeroizing::new(key.to_bytes().into())
}
