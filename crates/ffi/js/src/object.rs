//! Plain objects.

use js_sys::{Object, Reflect, Uint8Array};
use wasm_bindgen::JsValue;

/// An object of these properties.
pub(crate) fn object<const N: usize>(properties: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in properties {
        // A new object takes properties.
        Reflect::set(&object, &name.into(), &value).ok();
    }
    object.into()
}

pub(crate) fn plain(bytes: &[u8]) -> JsValue {
    Uint8Array::from(bytes).into()
}
