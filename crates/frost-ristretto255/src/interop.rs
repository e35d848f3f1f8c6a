//! Conversions to and from the types of `curve25519-dalek`, for keys made or signatures checked there.
//!
//! Conversions go through canonical bytes: a value that either side refuses does not pass.

use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;
use quorate_frost::DecodeError;
use zeroize::Zeroizing;

use crate::VerifyingKey;

/// The group's key as a point.
///
/// # Errors
/// [`DecodeError::BadPoint`] if that crate refuses it, which it never does.
pub fn verifying_key_to_dalek(key: &VerifyingKey) -> Result<RistrettoPoint, DecodeError> {
    CompressedRistretto::from_slice(key.as_bytes())
        .ok()
        .and_then(|bytes| bytes.decompress())
        .ok_or(DecodeError::BadPoint)
}

/// A point as a group's key.
///
/// # Errors
/// [`DecodeError::BadPoint`] for the identity.
pub fn verifying_key_from_dalek(point: &RistrettoPoint) -> Result<VerifyingKey, DecodeError> {
    VerifyingKey::from_bytes(point.compress().as_bytes())
}

/// A scalar as the bytes that [`crate::Dealing::import`] takes.
#[must_use]
pub fn signing_scalar_of_dalek(scalar: &Scalar) -> Zeroizing<[u8; 32]> {
    Zeroizing::new(scalar.to_bytes())
}
