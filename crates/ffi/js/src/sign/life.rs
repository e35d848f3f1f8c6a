//! A key's life after it was made.

use std::sync::Arc;

use js_sys::Uint8Array;
use quorate_ffi as ffi;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::handles;
use super::keys::{KeyShare, PublicKeyPackage, SealKey};
use super::task::Task;
use crate::arguments::{bytes_of, parties, u16_of};
use crate::error::{Result, failed};

handles! {
    /// The proof that all parties have acknowledged that they have stored their shares of one epoch.
    StoredByAll;
}

#[wasm_bindgen]
impl StoredByAll {
    /// Returns whether this share may be deleted: it is of the same key, and of an epoch before the one that all have stored.
    #[wasm_bindgen(js_name = permitsDeleting)]
    pub fn permits_deleting(&self, share: &KeyShare) -> Result<bool> {
        self.0.permits_deleting(share.shared()).map_err(failed)
    }
}

#[wasm_bindgen]
impl KeyShare {
    /// The share, ready since all parties have stored theirs. Seal and store it before older ones are deleted.
    pub fn settled(&self, by: &StoredByAll) -> Result<Self> {
        self.0.settled(by.shared()).map(Self).map_err(failed)
    }

    /// The share of the child key at a path such as `m/0/7`.
    pub fn child(&self, path: String) -> Result<Self> {
        self.0.child(path).map(Self).map_err(failed)
    }
}

#[wasm_bindgen]
impl PublicKeyPackage {
    /// The public side of the child key at a path such as `m/0/7`, without hardening. Taproot's output keys have no children.
    pub fn child(&self, path: String) -> Result<Self> {
        self.0.child(path).map(Self).map_err(failed)
    }
}

#[wasm_bindgen]
impl Task {
    /// New shares of a key, for the same committee (a refresh) or another one, by a party that gives its share. The dealers are at least
    /// as many parties as it takes to sign.
    #[wasm_bindgen(js_name = reshareAsDealer)]
    pub fn reshare_as_dealer(
        share: &KeyShare,
        #[wasm_bindgen(unchecked_param_type = "Iterable<number>")] dealers: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Iterable<number>")] committee: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] threshold: &JsValue,
    ) -> Result<Self> {
        let public = share.0.public().map_err(failed)?;
        reshare(public, Some(share.shared()), dealers, committee, threshold)
    }

    /// The same by a party that gets a share and does not deal.
    #[wasm_bindgen(js_name = reshareAsMember)]
    pub fn reshare_as_member(
        public: &PublicKeyPackage,
        #[wasm_bindgen(unchecked_param_type = "Iterable<number>")] dealers: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Iterable<number>")] committee: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] threshold: &JsValue,
    ) -> Result<Self> {
        reshare(public.shared(), None, dealers, committee, threshold)
    }

    /// The repair of a lost share, by a party that has its own. The helpers are at least as many parties as it takes to sign.
    #[wasm_bindgen(js_name = repairAsHelper)]
    pub fn repair_as_helper(
        share: &KeyShare,
        #[wasm_bindgen(unchecked_param_type = "Iterable<number>")] helpers: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] target: &JsValue,
    ) -> Result<Self> {
        let public = share.0.public().map_err(failed)?;
        repair(public, Some(share.shared()), helpers, target)
    }

    /// The same by the party that has lost its share.
    #[wasm_bindgen(js_name = repairAsTarget)]
    pub fn repair_as_target(
        public: &PublicKeyPackage,
        #[wasm_bindgen(unchecked_param_type = "Iterable<number>")] helpers: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] target: &JsValue,
    ) -> Result<Self> {
        repair(public.shared(), None, helpers, target)
    }

    /// This party acknowledges that it has **stored** its new share, as it was read back from the store, and waits for the same from
    /// all others.
    pub fn acknowledge(sealed: &Uint8Array, key: &SealKey) -> Result<Self> {
        let sealed = bytes_of("sealed", sealed)?;
        Ok(Self(ffi::Task::Acknowledge { sealed, key: key.shared() }))
    }

    /// A party that is not in the new committee learns that all have stored their shares.
    pub fn listen(public: &PublicKeyPackage) -> Self {
        Self(ffi::Task::Listen { public: public.shared() })
    }
}

fn reshare(
    public: Arc<ffi::PublicKeyPackage>,
    share: Option<Arc<ffi::KeyShare>>,
    dealers: &JsValue,
    committee: &JsValue,
    threshold: &JsValue,
) -> Result<Task> {
    let (dealers, committee) =
        (parties("the dealers", dealers)?, parties("the committee", committee)?);
    let threshold = u16_of("the threshold", threshold)?;
    Ok(Task(ffi::Task::Reshare { public, share, dealers, committee, threshold }))
}

fn repair(
    public: Arc<ffi::PublicKeyPackage>,
    share: Option<Arc<ffi::KeyShare>>,
    helpers: &JsValue,
    target: &JsValue,
) -> Result<Task> {
    let (helpers, target) = (parties("the helpers", helpers)?, u16_of("the target", target)?);
    Ok(Task(ffi::Task::Repair { public, share, helpers, target }))
}
