//! The task of a session.

#[cfg(feature = "frost")]
use js_sys::Uint8Array;
use quorate_ffi as ffi;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[cfg(feature = "frost")]
use super::{frost::SigningPackage, keys::PublicKeyPackage};
#[cfg(feature = "frost")]
use crate::arguments::bytes_of;
use crate::arguments::{scheme, u16_of};
use crate::error::Result;

/// The task of a session. All parties of a run agree on it beforehand, and each has its own part in it. A task may start any
/// number of sessions, and is needed again to open one. (An attempt of ML-DSA begins one.)
#[wasm_bindgen]
pub struct Task(pub(crate) ffi::Task);

#[wasm_bindgen]
impl Task {
    /// A key for all parties of the session, of which any `threshold` sign together: at least 2.
    pub fn keygen(
        #[wasm_bindgen(js_name = scheme, unchecked_param_type = "Scheme")] name: &str,
        #[wasm_bindgen(unchecked_param_type = "number")] threshold: &JsValue,
    ) -> Result<Self> {
        let (scheme, threshold) = (scheme(name)?, u16_of("the threshold", threshold)?);
        Ok(Self(ffi::Task::Keygen { scheme, threshold }))
    }
}

#[cfg(feature = "frost")]
#[wasm_bindgen]
impl Task {
    /// A FROST signature without a coordinator: every signer of a package sends its signature share to all others.
    #[wasm_bindgen(js_name = exchangeShares)]
    pub fn exchange_shares(
        public: &PublicKeyPackage,
        package: &SigningPackage,
        #[wasm_bindgen(js_name = signatureShare)] signature_share: &Uint8Array,
    ) -> Result<Self> {
        let signature_share = bytes_of("signature share", signature_share)?;
        let (public, package) = (public.shared(), package.shared());
        Ok(Self(ffi::Task::ExchangeShares { public, package, signature_share }))
    }
}
