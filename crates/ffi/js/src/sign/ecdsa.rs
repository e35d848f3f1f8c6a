//! Threshold ECDSA: the search for primes, auxiliary information, and presignatures.

use js_sys::{Array, Uint8Array};
use quorate_ffi as ffi;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::frost::ShareClaim;
use super::handles;
use super::keys::{KeyShare, PublicKeyPackage, SealKey};
use super::outcome::signature;
use super::task::Task;
use crate::arguments::{bytes_of, named, numbers, parties, received, scheme, u16_of, u32_of};
use crate::error::{Result, failed};

handles! {
    /// The search for a party's primes, which takes seconds to minutes: run it in a worker. Drop it to cancel.
    AuxSearch;
    /// A party's own primes, for `Task.makeAuxInfo`. They are not stored: the last sealed `AuxSearch` gives them again.
    AuxSecrets;
    /// A party's auxiliary information: its own secrets, and the proved public values of all parties. It serves any number of keys, of
    /// either curve.
    AuxInfo;
    /// One signer's part of a presignature: a signature takes this, the message and the path. **It signs once.**
    Presignature;
    /// The public side of a presignature: enough to aggregate signature shares.
    PresignatureInfo;
}

const LEVELS: &[(&str, ffi::Level)] =
    &[("bits-128", ffi::Level::Bits128), ("bits-112", ffi::Level::Bits112)];

const HASHES: &[(&str, ffi::MessageHash)] =
    &[("sha256", ffi::MessageHash::Sha256), ("sha256d", ffi::MessageHash::Sha256d)];

fn hash(name: &str) -> Result<ffi::MessageHash> {
    named("hash function", name, HASHES)
}

#[wasm_bindgen]
impl Task {
    /// ECDSA's auxiliary information, once for any number of keys of the same parties.
    #[wasm_bindgen(js_name = makeAuxInfo)]
    pub fn make_aux_info(secrets: &AuxSecrets) -> Self {
        Self(ffi::Task::MakeAuxInfo { secrets: secrets.shared() })
    }

    /// ECDSA's auxiliary information for another set of parties, by a party that has proved its primes before.
    #[wasm_bindgen(js_name = carryAuxInfo)]
    pub fn carry_aux_info(aux: &AuxInfo) -> Self {
        Self(ffi::Task::CarryAuxInfo { aux: aux.shared() })
    }

    /// A presignature by all parties of the session.
    pub fn presign(share: &KeyShare, aux: &AuxInfo) -> Self {
        Self(ffi::Task::Presign { share: share.shared(), aux: aux.shared() })
    }

    /// Many presignatures at once, 1 to 1024.
    #[wasm_bindgen(js_name = presignMany)]
    pub fn presign_many(
        share: &KeyShare,
        aux: &AuxInfo,
        #[wasm_bindgen(unchecked_param_type = "number")] count: &JsValue,
    ) -> Result<Self> {
        let (share, aux) = (share.shared(), aux.shared());
        let count = u16_of("the number of presignatures", count)?;
        Ok(Self(ffi::Task::PresignMany { share, aux, count }))
    }

    /// An ECDSA signature of a digest by all parties of the session, without a presignature. The digest is the hash, 32 bytes, of a
    /// message that this party has looked at.
    #[wasm_bindgen(js_name = signDigest)]
    pub fn sign_digest(share: &KeyShare, aux: &AuxInfo, digest: &Uint8Array) -> Result<Self> {
        let digest = bytes_of("digest", digest)?;
        Ok(Self(ffi::Task::SignDigest { share: share.shared(), aux: aux.shared(), digest }))
    }
}

#[wasm_bindgen]
impl AuxSearch {
    /// Begins a search.
    pub fn start(#[wasm_bindgen(unchecked_param_type = "Level")] level: &str) -> Result<Self> {
        let level = named("level", level, LEVELS)?;
        ffi::AuxSearch::start(level).map(Self).map_err(failed)
    }

    /// Resumes a search that was sealed.
    pub fn open(sealed: &Uint8Array, key: &SealKey) -> Result<Self> {
        let sealed = bytes_of("sealed", sealed)?;
        ffi::AuxSearch::open(sealed, key.shared()).map(Self).map_err(failed)
    }

    /// The search, encrypted and authenticated, to be resumed later with the same result. Keep the last one until the auxiliary
    /// information is made.
    pub fn seal(&self, key: &SealKey) -> Result<Vec<u8>> {
        self.0.seal(key.shared()).map_err(failed)
    }

    /// Continues for at most `budget` tests of candidates. Gives the secrets when all primes are found.
    pub fn step(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] budget: &JsValue,
    ) -> Result<Option<AuxSecrets>> {
        let secrets = self.0.step(u32_of("the budget", budget)?).map_err(failed)?;
        Ok(secrets.map(AuxSecrets))
    }

    /// The part of the work that is done, from 0 to 1: a guess, as primes come by chance.
    pub fn progress(&self) -> Result<f64> {
        self.0.progress().map_err(failed)
    }
}

#[wasm_bindgen]
impl AuxInfo {
    /// Opens sealed auxiliary information.
    pub fn open(sealed: &Uint8Array, key: &SealKey) -> Result<Self> {
        let sealed = bytes_of("sealed", sealed)?;
        ffi::AuxInfo::open(sealed, key.shared()).map(Self).map_err(failed)
    }

    /// The auxiliary information, encrypted and authenticated.
    pub fn seal(&self, key: &SealKey) -> Result<Vec<u8>> {
        self.0.seal(key.shared()).map_err(failed)
    }

    /// The party whose secrets are here.
    #[wasm_bindgen(getter)]
    pub fn id(&self) -> u16 {
        self.0.id()
    }

    /// The parties, ascending.
    #[wasm_bindgen(getter, unchecked_return_type = "number[]")]
    pub fn parties(&self) -> Array {
        numbers(self.0.parties())
    }

    /// The parties among these for which it has no values. It has to be made again with them before they presign.
    #[wasm_bindgen(unchecked_return_type = "number[]")]
    pub fn lacks(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Iterable<number>")] of: &JsValue,
    ) -> Result<Array> {
        self.0.lacks(parties("the parties", of)?).map(numbers).map_err(failed)
    }

    /// Returns whether all parties have confirmed it. Unconfirmed auxiliary information does not presign.
    #[wasm_bindgen(getter, js_name = isConfirmed)]
    pub fn is_confirmed(&self) -> bool {
        self.0.is_confirmed()
    }

    /// A digest of its public part, 32 bytes.
    #[wasm_bindgen(getter)]
    pub fn digest(&self) -> Vec<u8> {
        self.0.digest()
    }

    /// This auxiliary information, marked as confirmed by your own decision. Compare the `digest` of **all** parties first, over
    /// channels that you trust.
    pub fn confirmed(&self) -> Result<Self> {
        self.0.confirmed().map(Self).map_err(failed)
    }
}

#[wasm_bindgen]
impl Presignature {
    /// Opens a sealed presignature.
    pub fn open(
        #[wasm_bindgen(js_name = scheme, unchecked_param_type = "Scheme")] name: &str,
        sealed: &Uint8Array,
        key: &SealKey,
    ) -> Result<Self> {
        let sealed = bytes_of("sealed", sealed)?;
        ffi::Presignature::open(scheme(name)?, sealed, key.shared()).map(Self).map_err(failed)
    }

    /// The presignature, encrypted and authenticated. Delete it once its signature share is sent.
    pub fn seal(&self, key: &SealKey) -> Result<Vec<u8>> {
        self.0.seal(key.shared()).map_err(failed)
    }

    /// The public side of it, equal at all its signers.
    #[wasm_bindgen(getter)]
    pub fn info(&self) -> PresignatureInfo {
        PresignatureInfo(self.0.info())
    }

    /// Uses it up for a message, with the key at a path such as `m/0/7`, or `m` for the key itself. Its signature share comes when the
    /// table of spent names has answered. **Look at the message before you sign.**
    pub fn claim(
        &self,
        share: &KeyShare,
        path: String,
        message: &Uint8Array,
        #[wasm_bindgen(js_name = hash, unchecked_param_type = "MessageHash")] name: &str,
    ) -> Result<ShareClaim> {
        let message = bytes_of("message", message)?;
        let hash = hash(name)?;
        self.0.claim(share.shared(), path, message, hash).map(ShareClaim).map_err(failed)
    }
}

#[wasm_bindgen]
impl PresignatureInfo {
    /// Opens what `toBytes` gave.
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(
        #[wasm_bindgen(js_name = scheme, unchecked_param_type = "Scheme")] name: &str,
        bytes: &Uint8Array,
    ) -> Result<Self> {
        let bytes = bytes_of("bytes", bytes)?;
        ffi::PresignatureInfo::from_bytes(scheme(name)?, bytes).map(Self).map_err(failed)
    }

    /// The stored form, which is public.
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.0.to_bytes().map_err(failed)
    }

    /// The name, 36 bytes, equal at all its signers.
    #[wasm_bindgen(getter)]
    pub fn id(&self) -> Result<Vec<u8>> {
        self.0.id().map_err(failed)
    }

    /// The signers, ascending. All of them have to take part.
    #[wasm_bindgen(getter, unchecked_return_type = "number[]")]
    pub fn signers(&self) -> Result<Array> {
        self.0.signers().map(numbers).map_err(failed)
    }

    /// Aggregates the signature shares of all signers, and verifies the signature. `public` is the key that was presigned for, and
    /// `path` that of the key that signs. Throws `Misbehaviour` with the signers whose shares are wrong.
    #[wasm_bindgen(unchecked_return_type = "Signature")]
    pub fn aggregate(
        &self,
        public: &PublicKeyPackage,
        path: String,
        message: &Uint8Array,
        #[wasm_bindgen(js_name = hash, unchecked_param_type = "MessageHash")] name: &str,
        #[wasm_bindgen(js_name = signatureShares, unchecked_param_type = "Iterable<Received>")]
        signature_shares: &JsValue,
    ) -> Result<JsValue> {
        let message = bytes_of("message", message)?;
        let (hash, shares) = (hash(name)?, received(signature_shares)?);
        let made = self.0.aggregate(public.shared(), path, message, hash, shares);
        made.map(signature).map_err(failed)
    }
}
