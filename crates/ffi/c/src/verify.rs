//! Verification by a caller that has nothing but a public key.

use core::mem::MaybeUninit;

use quorate_ffi::{verify, verify_ml_dsa};

use crate::enums::{QuorateMlDsaLevel, QuorateScheme};
use crate::error::QuorateError;
use crate::memory::{bytes, check};

/// Verifies a signature of a message under a key, given as `quorate_public_key_package_verifying_key` gives it. `scheme` is a
/// `QuorateScheme`. ECDSA takes r ‖ s, hashes with SHA-256 and accepts only the smaller s.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_verify(
    scheme: u32,
    verifying_key: *const u8,
    verifying_key_len: usize,
    message: *const u8,
    message_len: usize,
    signature: *const u8,
    signature_len: usize,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    check(error, || {
        let key = bytes("the key", verifying_key, verifying_key_len)?;
        let message = bytes("the message", message, message_len)?;
        let signature = bytes("the signature", signature, signature_len)?;
        verify(QuorateScheme::read(scheme)?, key, message, signature)
    })
}

/// Verifies an ML-DSA signature of a message under a context, which is empty or has at most 255 bytes. `level` is a
/// `QuorateMlDsaLevel`.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_verify_ml_dsa(
    level: u32,
    verifying_key: *const u8,
    verifying_key_len: usize,
    message: *const u8,
    message_len: usize,
    context: *const u8,
    context_len: usize,
    signature: *const u8,
    signature_len: usize,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    check(error, || {
        let key = bytes("the key", verifying_key, verifying_key_len)?;
        let message = bytes("the message", message, message_len)?;
        let context = bytes("the context", context, context_len)?;
        let signature = bytes("the signature", signature, signature_len)?;
        verify_ml_dsa(QuorateMlDsaLevel::read(level)?, key, message, context, signature)
    })
}
