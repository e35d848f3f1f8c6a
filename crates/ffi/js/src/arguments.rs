//! Arguments, checked. The glue of `wasm-bindgen` would cut a number to its lower bits.

use js_sys::{ArrayBuffer, Reflect, Symbol, Uint8Array};
use quorate_ffi::{ErrorKind, QuorateError, Scheme};
use wasm_bindgen::{JsCast as _, JsValue};

use crate::error::{Result, failed};

/// Every scheme of this build, with its name.
const SCHEMES: &[(&str, Scheme)] = &[
    ("frost-ed25519", Scheme::FrostEd25519),
    #[cfg(feature = "frost")]
    ("frost-ristretto255", Scheme::FrostRistretto255),
    #[cfg(feature = "frost")]
    ("frost-ed448", Scheme::FrostEd448),
    #[cfg(feature = "frost")]
    ("frost-p256", Scheme::FrostP256),
    #[cfg(feature = "frost")]
    ("frost-secp256k1", Scheme::FrostSecp256k1),
    #[cfg(feature = "frost")]
    ("frost-taproot", Scheme::FrostTaproot),
    #[cfg(feature = "ecdsa")]
    ("ecdsa-p256", Scheme::EcdsaP256),
    #[cfg(feature = "ecdsa")]
    ("ecdsa-secp256k1", Scheme::EcdsaSecp256k1),
];

fn wrong(check: &str) -> JsValue {
    failed(QuorateError::Failed {
        kind: ErrorKind::Arguments,
        culprits: Vec::new(),
        check: check.to_owned(),
    })
}

/// The value with this name in a table.
pub(crate) fn named<T: Copy>(what: &str, name: &str, table: &[(&str, T)]) -> Result<T> {
    let found = table.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| wrong(&format!("no {what} has the name {name:?}")))
}

pub(crate) fn scheme(name: &str) -> Result<Scheme> {
    named("scheme of this build", name, SCHEMES)
}

/// The bytes of a `Uint8Array`, and of nothing else: the glue would make zeros of a string. The array may come from another frame of
/// the page, so its class is not compared.
pub(crate) fn bytes_of(what: &str, value: &JsValue) -> Result<Vec<u8>> {
    let tag = || Reflect::get(value, &Symbol::to_string_tag()).ok().and_then(|tag| tag.as_string());
    if ArrayBuffer::is_view(value) && tag().as_deref() == Some("Uint8Array") {
        // Copied once: what it holds may be secret.
        return Ok(value.unchecked_ref::<Uint8Array>().to_vec());
    }
    Err(wrong(&format!("{what}: expected a Uint8Array")))
}

#[cfg(feature = "sign")]
pub(crate) use self::sign::*;

#[cfg(feature = "sign")]
mod sign {
    use js_sys::{Array, Reflect};
    use quorate_ffi::Received;
    #[cfg(feature = "mldsa")]
    use wasm_bindgen::JsCast as _;
    use wasm_bindgen::JsValue;

    use super::{SCHEMES, Scheme, bytes_of, wrong};
    use crate::error::Result;

    pub(crate) fn scheme_name(scheme: Scheme) -> &'static str {
        SCHEMES.iter().find(|(_, known)| *known == scheme).map_or("?", |(name, _)| *name)
    }

    /// A whole number from 0 to `most`.
    fn whole(what: &str, number: &JsValue, most: u32) -> Result<u32> {
        let fits = |n: &f64| (0.0..=f64::from(most)).contains(n) && n % 1.0 == 0.0;
        let Some(number) = number.as_f64().filter(fits) else {
            return Err(wrong(&format!("{what}: expected a whole number from 0 to {most}")));
        };
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is a whole number within the bounds"
        )]
        Ok(number as u32)
    }

    pub(crate) fn u32_of(what: &str, number: &JsValue) -> Result<u32> {
        whole(what, number, u32::MAX)
    }

    pub(crate) fn u16_of(what: &str, number: &JsValue) -> Result<u16> {
        let number = whole(what, number, u16::MAX.into())?;
        u16::try_from(number).map_err(|_| wrong(what))
    }

    /// A number of a `bigint` or a `number`, such as the number of an attempt.
    #[cfg(feature = "mldsa")]
    pub(crate) fn u64_of(what: &str, number: &JsValue) -> Result<u64> {
        if number.as_f64().is_some() {
            return u32_of(what, number).map(u64::from);
        }
        let number = number.dyn_ref::<js_sys::BigInt>().cloned();
        let number = number.and_then(|number| u64::try_from(number).ok());
        number.ok_or_else(|| wrong(&format!("{what} is not a whole number below 2^64")))
    }

    /// The numbers of parties, of any iterable.
    pub(crate) fn parties(what: &str, numbers: &JsValue) -> Result<Vec<u16>> {
        let numbers = list(what, numbers)?;
        numbers.iter().map(|number| u16_of(what, number)).collect()
    }

    fn list(what: &str, items: &JsValue) -> Result<Vec<JsValue>> {
        // What is no object has no iterator to ask for.
        let items = js_sys::try_iter(items).ok().flatten();
        let items = items.ok_or_else(|| wrong(&format!("{what}: expected an array")))?;
        items.collect()
    }

    /// Objects of `sender` and `bytes`.
    pub(crate) fn received(items: &JsValue) -> Result<Vec<Received>> {
        let one = |item: JsValue| {
            if !item.is_object() {
                return Err(wrong("a frame is no object of `sender` and `bytes`"));
            }
            let sender = u16_of("`sender` of a frame", &Reflect::get(&item, &"sender".into())?)?;
            let bytes = bytes_of("`bytes` of a frame", &Reflect::get(&item, &"bytes".into())?)?;
            Ok(Received { sender, bytes })
        };
        list("frames", items)?.into_iter().map(one).collect()
    }

    /// The answer of a table of spent names: `"new"`, or the digest that was there before. An answer that is missing is none.
    pub(crate) fn table_entry(answer: &JsValue) -> Result<quorate_ffi::TableEntry> {
        if answer.as_string().as_deref() == Some("new") {
            return Ok(quorate_ffi::TableEntry::New);
        }
        Ok(quorate_ffi::TableEntry::Before { digest: bytes_of("the answer of the table", answer)? })
    }

    /// Numbers as an array.
    pub(crate) fn numbers(numbers: Vec<u16>) -> Array {
        numbers.into_iter().map(JsValue::from).collect()
    }
}
