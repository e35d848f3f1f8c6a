//! Signing with FROST.

use js_sys::{Array, Uint8Array};
use quorate_ffi as ffi;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::handles;
use super::keys::{KeyShare, PublicKeyPackage, SealKey};
use super::outcome::signature;
use crate::arguments::{bytes_of, named, numbers, received, scheme, table_entry, u16_of, u32_of};
use crate::error::{Result, failed};
use crate::object::plain;

handles! {
    /// A pair of secret nonces for one signature. It signs once, and cannot be stored: see `NonceStock`.
    Nonces;
    /// Pairs of nonces made ahead of time, each of which signs once. Seal and store it before its commitments leave, and after each
    /// signature; a later one replaces an earlier one, and never the reverse.
    NonceStock;
    /// The message, with the commitments of all signers: what a signer signs.
    SigningPackage;
    /// The coordinator's side of one signature. It holds no secret.
    SigningSession;
    /// A signature share that waits until a table has recorded what it is spent on.
    ///
    /// Store `digest` under `id`, unless something is stored there, durably; then call `release` with what was stored before, or with
    /// `"new"` if this was stored. The table has to outlive every restore.
    ShareClaim;
}

#[wasm_bindgen]
impl Nonces {
    /// The commitments to them, for the coordinator.
    #[wasm_bindgen(getter)]
    pub fn commitments(&self) -> Vec<u8> {
        self.0.commitments()
    }
}

#[wasm_bindgen]
impl KeyShare {
    /// Round one of FROST: a fresh pair of nonces. They stay here, their commitments go to the coordinator.
    pub fn commit(&self) -> Result<Nonces> {
        self.0.commit().map(Nonces).map_err(failed)
    }

    /// Round two of FROST: this party's signature share. The nonces are used up, whether it succeeds or not.
    pub fn sign(&self, package: &SigningPackage, nonces: &Nonces) -> Result<Vec<u8>> {
        self.0.sign(package.shared(), nonces.shared()).map_err(failed)
    }

    /// Pairs of nonces ahead of time, 1 to 65 536, which can be stored.
    pub fn precompute(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] count: &JsValue,
    ) -> Result<NonceStock> {
        let count = u32_of("the number of pairs", count)?;
        self.0.precompute(count).map(NonceStock).map_err(failed)
    }
}

#[wasm_bindgen]
impl SigningPackage {
    /// Reads what a coordinator sent.
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(
        #[wasm_bindgen(js_name = scheme, unchecked_param_type = "Scheme")] name: &str,
        bytes: &Uint8Array,
    ) -> Result<Self> {
        let bytes = bytes_of("bytes", bytes)?;
        ffi::SigningPackage::from_bytes(scheme(name)?, bytes).map(Self).map_err(failed)
    }

    /// The sent form.
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.0.to_bytes().map_err(failed)
    }

    /// The message. **Look at it before you sign**: nothing in this library does.
    #[wasm_bindgen(getter)]
    pub fn message(&self) -> Result<Vec<u8>> {
        self.0.message().map_err(failed)
    }

    /// The signers, ascending.
    #[wasm_bindgen(getter, unchecked_return_type = "number[]")]
    pub fn signers(&self) -> Result<Array> {
        self.0.signers().map(numbers).map_err(failed)
    }
}

const CONTINUITIES: &[(&str, ffi::Continuity)] = &[
    ("NewStore", ffi::Continuity::NewStore),
    ("StayedUp", ffi::Continuity::StayedUp),
    ("Peers", ffi::Continuity::Peers),
    ("Counter", ffi::Continuity::Counter),
    ("Operator", ffi::Continuity::Operator),
    ("Unknown", ffi::Continuity::Unknown),
];

#[wasm_bindgen]
impl NonceStock {
    /// Opens a sealed stock. `continuity` is the reason why it is known that nothing of it was used meanwhile.
    pub fn open(
        #[wasm_bindgen(js_name = scheme, unchecked_param_type = "Scheme")] name: &str,
        sealed: &Uint8Array,
        key: &SealKey,
        #[wasm_bindgen(unchecked_param_type = "Continuity")] continuity: &str,
    ) -> Result<Self> {
        let sealed = bytes_of("sealed", sealed)?;
        let continuity = named("continuity", continuity, CONTINUITIES)?;
        let stock = ffi::NonceStock::open(scheme(name)?, sealed, key.shared(), continuity);
        stock.map(Self).map_err(failed)
    }

    /// The stock, encrypted and authenticated.
    pub fn seal(&self, key: &SealKey) -> Result<Vec<u8>> {
        self.0.seal(key.shared()).map_err(failed)
    }

    /// The number of changes so far: the stock with the greater one is the later.
    #[wasm_bindgen(getter)]
    pub fn generation(&self) -> Result<u64> {
        self.0.generation().map_err(failed)
    }

    /// The commitments to all pairs that are left, in the order in which they were made, for the coordinator.
    #[wasm_bindgen(unchecked_return_type = "Uint8Array[]")]
    pub fn commitments(&self) -> Result<Array> {
        let all = self.0.commitments().map_err(failed)?;
        Ok(all.iter().map(|one| plain(one)).collect())
    }

    /// Takes out the pair that the package asks for. Its signature share comes when the table of spent names has answered.
    pub fn claim(&self, share: &KeyShare, package: &SigningPackage) -> Result<ShareClaim> {
        self.0.claim(share.shared(), package.shared()).map(ShareClaim).map_err(failed)
    }
}

#[wasm_bindgen]
impl ShareClaim {
    /// The name, 32 bytes. It is not secret.
    #[wasm_bindgen(getter)]
    pub fn id(&self) -> Vec<u8> {
        self.0.id()
    }

    /// The digest of everything that the share depends on, 32 bytes. It is not secret.
    #[wasm_bindgen(getter)]
    pub fn digest(&self) -> Vec<u8> {
        self.0.digest()
    }

    /// Gives the signature share. Throws `Spent` if something else was stored under the name. A claim is used up even if it throws.
    pub fn release(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array | \"new\"")] answer: &JsValue,
    ) -> Result<Vec<u8>> {
        self.0.release(table_entry(answer)?).map_err(failed)
    }
}

#[wasm_bindgen]
impl SigningSession {
    /// Fixes the signers, by their commitments, and the message.
    pub fn start(
        public: &PublicKeyPackage,
        #[wasm_bindgen(unchecked_param_type = "Iterable<Received>")] commitments: &JsValue,
        message: &Uint8Array,
    ) -> Result<Self> {
        let message = bytes_of("message", message)?;
        let commitments = received(commitments)?;
        ffi::SigningSession::start(public.shared(), commitments, message).map(Self).map_err(failed)
    }

    /// The package to send to every signer.
    pub fn package(&self) -> Result<SigningPackage> {
        self.0.package().map(SigningPackage).map_err(failed)
    }

    /// Takes a signature share. `sender` is its sender, as the **authenticated** transport names it.
    pub fn receive(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] sender: &JsValue,
        #[wasm_bindgen(js_name = signatureShare)] signature_share: &Uint8Array,
    ) -> Result<()> {
        let signature_share = bytes_of("signature share", signature_share)?;
        self.0.receive(u16_of("the sender", sender)?, signature_share).map_err(failed)
    }

    /// The signers whose signature shares have not come.
    #[wasm_bindgen(js_name = waitingFor, unchecked_return_type = "number[]")]
    pub fn waiting_for(&self) -> Result<Array> {
        self.0.waiting_for().map(numbers).map_err(failed)
    }

    /// Aggregates the signature shares, and verifies the signature. Throws `Misbehaviour` with exactly the signers whose shares are wrong.
    #[wasm_bindgen(unchecked_return_type = "Signature")]
    pub fn aggregate(&self) -> Result<JsValue> {
        self.0.aggregate().map(signature).map_err(failed)
    }
}
