//! Verification by those who have nothing but a public key.

use crate::error::Result;
use crate::family::Family;
#[cfg(feature = "mldsa")]
use crate::mldsa::MlDsaLevel;
use crate::scheme::{Scheme, by_family};

/// Verifies a signature of a message under a key, given as `PublicKeyPackage.verifying_key` gives it. ECDSA hashes with SHA-256
/// and accepts only the smaller s.
///
/// # Errors
/// `InvalidSignature`, or `Encoding` for bytes that are no key or no signature.
#[cfg_attr(feature = "uniffi", uniffi::export)]
pub fn verify(
    scheme: Scheme,
    verifying_key: Vec<u8>,
    message: Vec<u8>,
    signature: Vec<u8>,
) -> Result<()> {
    by_family!(scheme, F => {
        let key = <F as Family>::read_key(&verifying_key)?;
        <F as Family>::verify(&key, &message, &signature)
    })
}

/// Verifies an ML-DSA signature of a message under a context, which is empty or has at most 255 bytes.
///
/// # Errors
/// As [`verify`].
#[cfg(feature = "mldsa")]
#[cfg_attr(feature = "uniffi", uniffi::export)]
pub fn verify_ml_dsa(
    level: MlDsaLevel,
    verifying_key: Vec<u8>,
    message: Vec<u8>,
    context: Vec<u8>,
    signature: Vec<u8>,
) -> Result<()> {
    crate::mldsa::verify(level, &verifying_key, &message, &context, &signature)
}
