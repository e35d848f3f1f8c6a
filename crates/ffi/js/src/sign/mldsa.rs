//! Threshold ML-DSA, **experimental**.

use js_sys::{Array, Uint8Array};
use quorate_ffi as ffi;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::handles;
use super::keys::SealKey;
use super::task::Task;
use crate::arguments::{bytes_of, numbers, parties, table_entry, u16_of, u64_of};
use crate::error::{Result, failed};
use crate::verify::{level, level_name};

handles! {
    /// One party's share of a threshold ML-DSA key. The share may be restored from a backup; the table of attempts must not.
    MlDsaKeyShare;
    /// The public side of a threshold ML-DSA key, equal at all its parties.
    MlDsaPublicKeyPackage;
    /// A recorded attempt to sign. It begins one session.
    MlDsaAttempt;
    /// An attempt that waits until a table has recorded its number: see `ShareClaim`.
    AttemptClaim;
}

#[wasm_bindgen]
impl Task {
    /// A threshold ML-DSA key for all parties of the session, at most 6, of which exactly `threshold` sign together. **Experimental.**
    #[wasm_bindgen(js_name = mlDsaKeygen)]
    pub fn ml_dsa_keygen(
        #[wasm_bindgen(js_name = level, unchecked_param_type = "MlDsaLevel")] name: &str,
        #[wasm_bindgen(unchecked_param_type = "number")] threshold: &JsValue,
    ) -> Result<Self> {
        let (level, threshold) = (level(name)?, u16_of("the threshold", threshold)?);
        Ok(Self(ffi::Task::MlDsaKeygen { level, threshold }))
    }

    /// An attempt to sign with a threshold ML-DSA key, by all parties of the session.
    #[wasm_bindgen(js_name = mlDsaSign)]
    pub fn ml_dsa_sign(attempt: &MlDsaAttempt) -> Self {
        Self(ffi::Task::MlDsaSign { attempt: attempt.shared() })
    }
}

#[wasm_bindgen]
impl MlDsaKeyShare {
    /// Opens a sealed share, of any level.
    pub fn open(sealed: &Uint8Array, key: &SealKey) -> Result<Self> {
        let sealed = bytes_of("sealed", sealed)?;
        ffi::MlDsaKeyShare::open(sealed, key.shared()).map(Self).map_err(failed)
    }

    /// The share, with the public side of the key, encrypted and authenticated.
    pub fn seal(&self, key: &SealKey) -> Vec<u8> {
        self.0.seal(key.shared())
    }

    /// The party whose share this is.
    #[wasm_bindgen(getter)]
    pub fn id(&self) -> u16 {
        self.0.id()
    }

    /// The public side of the key.
    #[wasm_bindgen(getter)]
    pub fn public(&self) -> MlDsaPublicKeyPackage {
        MlDsaPublicKeyPackage(self.0.public())
    }

    /// Returns whether all parties have confirmed the run that made it. An unconfirmed share does not sign.
    #[wasm_bindgen(getter, js_name = isConfirmed)]
    pub fn is_confirmed(&self) -> bool {
        self.0.is_confirmed()
    }

    /// An unconfirmed share, taken for confirmed: your own decision. Ask **all** parties for the `digest` of their public key first,
    /// over channels that you trust.
    pub fn confirmed(&self) -> Result<Self> {
        self.0.confirmed().map(Self).map_err(failed)
    }

    /// Begins an attempt to sign a message by exactly as many `signers` as the threshold says. A party counts its attempts from 0. About
    /// every second attempt gives no signature: take the next number, and another session id. **Look at the message before you sign.**
    #[wasm_bindgen(js_name = claimAttempt)]
    pub fn claim_attempt(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number | bigint")] number: &JsValue,
        #[wasm_bindgen(js_name = sessionId)] session_id: &Uint8Array,
        #[wasm_bindgen(unchecked_param_type = "Iterable<number>")] signers: &JsValue,
        message: &Uint8Array,
        context: &Uint8Array,
    ) -> Result<AttemptClaim> {
        let session_id = bytes_of("session id", session_id)?;
        let message = bytes_of("message", message)?;
        let context = bytes_of("context", context)?;
        let number = u64_of("the number of the attempt", number)?;
        let signers = parties("the signers", signers)?;
        let claim = self.0.claim_attempt(number, session_id, signers, message, context);
        claim.map(AttemptClaim).map_err(failed)
    }
}

#[wasm_bindgen]
impl AttemptClaim {
    /// The name, 32 bytes. It is not secret.
    #[wasm_bindgen(getter)]
    pub fn id(&self) -> Vec<u8> {
        self.0.id()
    }

    /// The digest of everything that the attempt depends on, 32 bytes. It is not secret.
    #[wasm_bindgen(getter)]
    pub fn digest(&self) -> Vec<u8> {
        self.0.digest()
    }

    /// Gives the attempt, once the table has answered: see `ShareClaim.release`.
    pub fn release(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array | \"new\"")] answer: &JsValue,
    ) -> Result<MlDsaAttempt> {
        self.0.release(table_entry(answer)?).map(MlDsaAttempt).map_err(failed)
    }
}

#[wasm_bindgen]
impl MlDsaPublicKeyPackage {
    /// Opens what `toBytes` gave, of any level.
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(bytes: &Uint8Array) -> Result<Self> {
        let bytes = bytes_of("bytes", bytes)?;
        ffi::MlDsaPublicKeyPackage::from_bytes(bytes).map(Self).map_err(failed)
    }

    /// The stored form, which is public. Keep it authentic: culprits are named by it.
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }

    /// The level.
    #[wasm_bindgen(getter, unchecked_return_type = "MlDsaLevel")]
    pub fn level(&self) -> String {
        level_name(self.0.level()).to_owned()
    }

    /// The verifying key of FIPS 204: 1312, 1952 or 2592 bytes.
    #[wasm_bindgen(getter, js_name = verifyingKey)]
    pub fn verifying_key(&self) -> Vec<u8> {
        self.0.verifying_key()
    }

    /// The number of parties that sign: exactly as many take part in a signature.
    #[wasm_bindgen(getter)]
    pub fn threshold(&self) -> u16 {
        self.0.threshold()
    }

    /// The parties that hold shares, ascending.
    #[wasm_bindgen(getter, unchecked_return_type = "number[]")]
    pub fn parties(&self) -> Array {
        numbers(self.0.parties())
    }

    /// The number of attempts that a share of this key may make in its life.
    #[wasm_bindgen(getter)]
    pub fn attempts(&self) -> u64 {
        self.0.attempts()
    }

    /// A digest of everything here, 32 bytes. Parties compare it before they confirm a share.
    #[wasm_bindgen(getter)]
    pub fn digest(&self) -> Vec<u8> {
        self.0.digest()
    }

    /// Verifies a signature of a message under a context. Throws if it is none.
    pub fn verify(
        &self,
        message: &Uint8Array,
        context: &Uint8Array,
        signature: &Uint8Array,
    ) -> Result<()> {
        let message = bytes_of("message", message)?;
        let context = bytes_of("context", context)?;
        let signature = bytes_of("signature", signature)?;
        self.0.verify(message, context, signature).map_err(failed)
    }
}
