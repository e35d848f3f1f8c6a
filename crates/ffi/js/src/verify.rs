//! Verification by those who have nothing but a public key.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::arguments::{bytes_of, scheme};
use crate::error::{Result, failed};

/// Verifies a signature of a message under a key, given as `PublicKeyPackage.verifyingKey` gives it. Throws if the
/// signature is not one of this message under this key. ECDSA hashes with SHA-256 and accepts only the smaller s.
#[wasm_bindgen]
pub fn verify(
    #[wasm_bindgen(js_name = scheme, unchecked_param_type = "Scheme")] name: &str,
    #[wasm_bindgen(js_name = verifyingKey)] verifying_key: &Uint8Array,
    message: &Uint8Array,
    signature: &Uint8Array,
) -> Result<()> {
    let verifying_key = bytes_of("verifying key", verifying_key)?;
    let message = bytes_of("message", message)?;
    let signature = bytes_of("signature", signature)?;
    quorate_ffi::verify(scheme(name)?, verifying_key, message, signature).map_err(failed)
}

#[cfg(feature = "mldsa")]
const LEVELS: &[(&str, quorate_ffi::MlDsaLevel)] = &[
    ("ml-dsa-44", quorate_ffi::MlDsaLevel::MlDsa44),
    ("ml-dsa-65", quorate_ffi::MlDsaLevel::MlDsa65),
    ("ml-dsa-87", quorate_ffi::MlDsaLevel::MlDsa87),
];

#[cfg(feature = "mldsa")]
pub(crate) fn level(name: &str) -> Result<quorate_ffi::MlDsaLevel> {
    crate::arguments::named("level of ML-DSA", name, LEVELS)
}

#[cfg(all(feature = "mldsa", feature = "sign"))]
pub(crate) fn level_name(level: quorate_ffi::MlDsaLevel) -> &'static str {
    LEVELS.iter().find(|(_, known)| *known == level).map_or("?", |(name, _)| *name)
}

/// Verifies an ML-DSA signature of a message under a context, which is empty or has at most 255 bytes. Throws as `verify` does.
#[cfg(feature = "mldsa")]
#[wasm_bindgen(js_name = verifyMlDsa)]
pub fn verify_ml_dsa(
    #[wasm_bindgen(js_name = level, unchecked_param_type = "MlDsaLevel")] name: &str,
    #[wasm_bindgen(js_name = verifyingKey)] verifying_key: &Uint8Array,
    message: &Uint8Array,
    context: &Uint8Array,
    signature: &Uint8Array,
) -> Result<()> {
    let verifying_key = bytes_of("verifying key", verifying_key)?;
    let message = bytes_of("message", message)?;
    let context = bytes_of("context", context)?;
    let signature = bytes_of("signature", signature)?;
    let level = level(name)?;
    quorate_ffi::verify_ml_dsa(level, verifying_key, message, context, signature).map_err(failed)
}
