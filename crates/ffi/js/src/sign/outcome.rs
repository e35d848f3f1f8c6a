//! Outcomes and signatures as plain objects.

use quorate_ffi as ffi;
use wasm_bindgen::JsValue;

#[cfg(feature = "ecdsa")]
use super::ecdsa::{AuxInfo, Presignature};
use super::keys::KeyShare;
#[cfg(feature = "mldsa")]
use super::mldsa::MlDsaKeyShare;
#[cfg(feature = "life")]
use super::{keys::PublicKeyPackage, life::StoredByAll};
use crate::object::{object, plain};

#[cfg(feature = "life")]
fn share(share: Option<std::sync::Arc<ffi::KeyShare>>) -> JsValue {
    share.map_or(JsValue::UNDEFINED, |share| KeyShare(share).into())
}

pub(crate) fn signature(signature: ffi::Signature) -> JsValue {
    let ffi::Signature { bytes, der, recovery_id } = signature;
    object([
        ("bytes", plain(&bytes)),
        ("der", der.map_or(JsValue::UNDEFINED, |der| plain(&der))),
        ("recoveryId", recovery_id.into()),
    ])
}

/// See `Outcome` in [`types`](crate::types).
pub(crate) fn outcome(outcome: ffi::Outcome) -> JsValue {
    match outcome {
        ffi::Outcome::KeyMade { share } => {
            object([("kind", "KeyMade".into()), ("share", KeyShare(share).into())])
        }
        ffi::Outcome::Signed { signature: made } => {
            object([("kind", "Signed".into()), ("signature", signature(made))])
        }
        #[cfg(feature = "life")]
        ffi::Outcome::Reshared { public, share: made } => object([
            ("kind", "Reshared".into()),
            ("public", PublicKeyPackage(public).into()),
            ("share", share(made)),
        ]),
        #[cfg(feature = "life")]
        ffi::Outcome::Repaired { share: made } => {
            object([("kind", "Repaired".into()), ("share", share(made))])
        }
        #[cfg(feature = "life")]
        ffi::Outcome::Acknowledged { by } => {
            object([("kind", "Acknowledged".into()), ("by", StoredByAll(by).into())])
        }
        #[cfg(feature = "ecdsa")]
        ffi::Outcome::AuxInfoMade { aux } => {
            object([("kind", "AuxInfoMade".into()), ("aux", AuxInfo(aux).into())])
        }
        #[cfg(feature = "ecdsa")]
        ffi::Outcome::Presigned { presignatures } => {
            let all = presignatures.into_iter().map(|one| JsValue::from(Presignature(one)));
            let all: js_sys::Array = all.collect();
            object([("kind", "Presigned".into()), ("presignatures", all.into())])
        }
        #[cfg(feature = "mldsa")]
        ffi::Outcome::MlDsaKeyMade { share } => {
            object([("kind", "MlDsaKeyMade".into()), ("share", MlDsaKeyShare(share).into())])
        }
        #[cfg(feature = "mldsa")]
        ffi::Outcome::MlDsaAttempted { signature: made, accepted } => {
            let one = |one: ffi::MlDsaAccepted| {
                object([("party", one.party.into()), ("slots", one.slots.into())])
            };
            let accepted: js_sys::Array = accepted.into_iter().map(one).collect();
            object([
                ("kind", "MlDsaAttempted".into()),
                ("signature", made.map_or(JsValue::UNDEFINED, signature)),
                ("accepted", accepted.into()),
            ])
        }
    }
}
