//! Conversions to and from the types of `ed448-goldilocks`, for keys made or signatures checked there.
//!
//! Conversions go through canonical bytes: a value that either side refuses does not pass.

use quorate_frost::DecodeError;

use crate::{Signature, VerifyingKey};

/// The group's key as a key of `ed448-goldilocks`.
///
/// # Errors
/// [`DecodeError::BadPoint`] if that crate refuses it, which it never does.
pub fn verifying_key_to_goldilocks(
    key: &VerifyingKey,
) -> Result<ed448_goldilocks::VerifyingKey, DecodeError> {
    ed448_goldilocks::VerifyingKey::from_bytes(key.as_bytes()).map_err(|_| DecodeError::BadPoint)
}

/// A key of `ed448-goldilocks` as a group's key.
///
/// # Errors
/// [`DecodeError::BadPoint`] if it is not in the prime-order subgroup, or not canonical.
pub fn verifying_key_from_goldilocks(
    key: &ed448_goldilocks::VerifyingKey,
) -> Result<VerifyingKey, DecodeError> {
    VerifyingKey::from_bytes(&key.to_bytes())
}

/// A signature as one of `ed448-goldilocks`.
///
/// # Errors
/// [`DecodeError::BadPoint`] if that crate refuses it, which it never does.
pub fn signature_to_goldilocks(
    signature: &Signature,
) -> Result<ed448_goldilocks::Signature, DecodeError> {
    let bytes = signature.to_bytes();
    ed448_goldilocks::Signature::try_from(bytes.as_slice()).map_err(|_| DecodeError::BadPoint)
}

/// A signature of `ed448-goldilocks` as one of ours.
///
/// # Errors
/// A [`DecodeError`] if R is not a canonical point of the prime-order subgroup, or S not below
/// the order.
pub fn signature_from_goldilocks(
    signature: &ed448_goldilocks::Signature,
) -> Result<Signature, DecodeError> {
    Signature::from_bytes(&signature.to_bytes())
}
