//! Verification, which the module does itself.

use cryptoki_sys::*;
use ed25519_dalek::VerifyingKey as Ed25519Key;
use ml_dsa::MlDsa65;
use p256::ecdsa::signature::hazmat::PrehashVerifier as _;
use sha2::{Digest as _, Sha256};
use sockets_pkcs11_wire::Scheme;

use crate::mechanism::Mechanism;
use crate::object::Half;
use crate::rv::{Result, Rv};
use crate::session::Operation;
use crate::sign::{key_of, operation, read};
use crate::state;

/// Begins a verification.
pub(crate) fn init(
    handle: CK_SESSION_HANDLE,
    mechanism: CK_MECHANISM,
    key: CK_OBJECT_HANDLE,
) -> Result<()> {
    state::with(|library| {
        if library.session(handle)?.verify.is_some() {
            return Err(Rv(CKR_OPERATION_ACTIVE));
        }
        let mechanism = read(mechanism)?;
        let (key, half) = key_of(library, key)?;
        if half != Half::Public {
            return Err(Rv(CKR_KEY_FUNCTION_NOT_PERMITTED));
        }
        let operation = operation(mechanism, key)?;
        library.session(handle)?.verify = Some(operation);
        Ok(())
    })
}

/// Ends a verification that has begun, if there is one.
pub(crate) fn cancel(handle: CK_SESSION_HANDLE) -> Result<()> {
    state::with(|library| {
        library.session(handle)?.verify = None;
        Ok(())
    })
}

/// Verifies the signature of a message that is whole.
pub(crate) fn verify(handle: CK_SESSION_HANDLE, message: &[u8], signature: &[u8]) -> Result<()> {
    let operation = take(handle)?;
    if operation.parts.is_some() {
        return Err(Rv(CKR_OPERATION_ACTIVE));
    }
    check(&operation, message, signature)
}

/// Adds a part of a message. An error ends the operation.
pub(crate) fn update(handle: CK_SESSION_HANDLE, part: &[u8]) -> Result<()> {
    state::with(|library| {
        let verify = &mut library.session(handle)?.verify;
        let added = verify.as_mut().ok_or(Rv(CKR_OPERATION_NOT_INITIALIZED))?.add(part);
        if added.is_err() {
            *verify = None;
        }
        added
    })
}

/// Verifies the signature of a message whose parts are there.
pub(crate) fn finish(handle: CK_SESSION_HANDLE, signature: &[u8]) -> Result<()> {
    let mut operation = take(handle)?;
    if !operation.mechanism.has_parts() {
        return Err(Rv(CKR_OPERATION_NOT_INITIALIZED));
    }
    let message = operation.parts.take().unwrap_or_default();
    check(&operation, &message, signature)
}

fn take(handle: CK_SESSION_HANDLE) -> Result<Operation> {
    state::with(|library| {
        let operation = library.session(handle)?.verify.take();
        operation.ok_or(Rv(CKR_OPERATION_NOT_INITIALIZED))
    })
}

/// Verifies a signature.
///
/// # Errors
/// `CKR_DATA_LEN_RANGE`, `CKR_SIGNATURE_LEN_RANGE` or `CKR_SIGNATURE_INVALID`.
pub(crate) fn check(operation: &Operation, message: &[u8], signature: &[u8]) -> Result<()> {
    let Operation { key, mechanism, .. } = operation;
    mechanism.check_length(message.len())?;
    if signature.len() != mechanism.signature_length() {
        return Err(Rv(CKR_SIGNATURE_LEN_RANGE));
    }
    let digest = || match mechanism {
        Mechanism::EcdsaSha256 => Sha256::digest(message).to_vec(),
        Mechanism::Eddsa | Mechanism::Ecdsa | Mechanism::MlDsa => message.to_vec(),
    };
    let is_right = match key.scheme {
        Scheme::Ed25519 => ed25519(&key.public_key, message, signature),
        Scheme::MlDsa65 => ml_dsa_65(&key.public_key, message, signature),
        Scheme::EcdsaP256 => p256(&key.public_key, &digest(), signature),
        Scheme::EcdsaSecp256k1 => secp256k1(&key.public_key, &digest(), signature),
    };
    if is_right == Some(true) { Ok(()) } else { Err(Rv(CKR_SIGNATURE_INVALID)) }
}

fn ed25519(key: &[u8], message: &[u8], signature: &[u8]) -> Option<bool> {
    let key = Ed25519Key::from_bytes(key.try_into().ok()?).ok()?;
    let signature = ed25519_dalek::Signature::from_slice(signature).ok()?;
    Some(key.verify_strict(message, &signature).is_ok())
}

fn ml_dsa_65(key: &[u8], message: &[u8], signature: &[u8]) -> Option<bool> {
    let key = ml_dsa::VerifyingKey::<MlDsa65>::decode(&key.try_into().ok()?);
    let signature = ml_dsa::Signature::<MlDsa65>::try_from(signature).ok()?;
    Some(key.verify_with_context(message, &[], &signature))
}

fn p256(key: &[u8], digest: &[u8], signature: &[u8]) -> Option<bool> {
    let key = p256::ecdsa::VerifyingKey::from_sec1_bytes(key).ok()?;
    let signature = p256::ecdsa::Signature::from_slice(signature).ok()?;
    Some(key.verify_prehash(digest, &signature).is_ok())
}

/// The other library takes the lower of the two values of s alone, and PKCS#11 both.
fn secp256k1(key: &[u8], digest: &[u8], signature: &[u8]) -> Option<bool> {
    let key = k256::ecdsa::VerifyingKey::from_sec1_bytes(key).ok()?;
    let signature = k256::ecdsa::Signature::from_slice(signature).ok()?.normalize_s();
    Some(key.verify_prehash(digest, &signature).is_ok())
}
