//! Errors as JavaScript throws them.

use js_sys::{Array, Error, Reflect};
use quorate_ffi::QuorateError;
use wasm_bindgen::JsValue;

/// What a function here throws is an `Error` with the name `QuorateError`.
pub(crate) type Result<T, E = JsValue> = core::result::Result<T, E>;

/// The error with its kind and culprits: see `QuorateError` in [`types`](crate::types).
pub(crate) fn failed(error: QuorateError) -> JsValue {
    let QuorateError::Failed { kind, culprits, check } = error;
    let culprits: Array = culprits.into_iter().map(JsValue::from).collect();
    let error = Error::new(&check);
    error.set_name("QuorateError");
    // A new object takes properties.
    Reflect::set(&error, &"kind".into(), &format!("{kind:?}").into()).ok();
    Reflect::set(&error, &"culprits".into(), &culprits).ok();
    error.into()
}
