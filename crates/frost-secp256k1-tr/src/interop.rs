//! Conversions to and from the types of `k256`'s `schnorr`, for keys made or signatures checked there.
//!
//! Conversions go through canonical bytes: a value that either side refuses does not pass.

use k256::schnorr;
use quorate_frost::DecodeError;
use quorate_frost::session::wire::joined;
use zeroize::Zeroizing;

use crate::{Signature, VerifyingKey};

/// The group's x-only key as a key of `k256::schnorr`.
///
/// # Errors
/// [`DecodeError::BadPoint`] if that crate refuses it, which it never does.
pub fn verifying_key_to_k256(key: &VerifyingKey) -> Result<schnorr::VerifyingKey, DecodeError> {
    let [_, x @ ..] = key.as_bytes();
    schnorr::VerifyingKey::from_slice(x).map_err(|_| DecodeError::BadPoint)
}

/// A key of `k256::schnorr` as a group's key.
///
/// # Errors
/// [`DecodeError::BadPoint`] if it is refused here, which no key of that crate is.
pub fn verifying_key_from_k256(key: &schnorr::VerifyingKey) -> Result<VerifyingKey, DecodeError> {
    VerifyingKey::from_bytes(&joined::<33>(&[&[2], &key.to_bytes()]))
}

/// A signature as one of `k256::schnorr`.
///
/// # Errors
/// [`DecodeError::BadScalar`] if that crate refuses it: it takes no z of zero.
pub fn signature_to_k256(signature: &Signature) -> Result<schnorr::Signature, DecodeError> {
    schnorr::Signature::from_slice(&signature.to_bytes()).map_err(|_| DecodeError::BadScalar)
}

/// A signature of `k256::schnorr` as one of ours.
///
/// # Errors
/// A [`DecodeError`] if R is no x-coordinate of the curve.
pub fn signature_from_k256(signature: &schnorr::Signature) -> Result<Signature, DecodeError> {
    Signature::from_bytes(&signature.to_bytes())
}

/// A signing key as the bytes that [`crate::Dealing::import`] takes.
#[must_use]
pub fn signing_scalar_of_k256(key: &schnorr::SigningKey) -> Zeroizing<[u8; 32]> {
    Zeroizing::new(key.to_bytes().into())
}
