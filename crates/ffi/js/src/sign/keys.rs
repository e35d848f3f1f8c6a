//! Keys: the key that seals, shares, and public sides.

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use zeroize::Zeroizing;

use super::handles;
use crate::arguments::{bytes_of, numbers, scheme, scheme_name};
use crate::error::{Result, failed};

handles! {
    /// The key under which shares, presignatures, nonces, searches and sessions are sealed. Nothing secret leaves in any other
    /// form, but for messages to one party.
    SealKey;
    /// One party's share of a key, of any scheme. An object does not change: to confirm or settle a share gives another one, to be
    /// stored in its place.
    KeyShare;
    /// The public side of a key in one epoch, equal at all parties.
    PublicKeyPackage;
}

#[wasm_bindgen]
impl SealKey {
    /// A key of 32 secret, uniformly random bytes. Overwrite yours: `secret.fill(0)`.
    #[wasm_bindgen(constructor)]
    pub fn new(secret: &Uint8Array) -> Result<Self> {
        let secret = Zeroizing::new(bytes_of("secret", secret)?);
        quorate_ffi::SealKey::new(&secret).map(Self).map_err(failed)
    }
}

#[wasm_bindgen]
impl KeyShare {
    /// Opens a sealed share.
    pub fn open(sealed: &Uint8Array, key: &SealKey) -> Result<Self> {
        let sealed = bytes_of("sealed", sealed)?;
        quorate_ffi::KeyShare::open(sealed, key.shared()).map(Self).map_err(failed)
    }

    /// The share and its public side, encrypted and authenticated.
    pub fn seal(&self, key: &SealKey) -> Result<Vec<u8>> {
        self.0.seal(key.shared()).map_err(failed)
    }

    /// The scheme.
    #[wasm_bindgen(getter, unchecked_return_type = "Scheme")]
    pub fn scheme(&self) -> String {
        scheme_name(self.0.scheme()).to_owned()
    }

    /// The party whose share this is.
    #[wasm_bindgen(getter)]
    pub fn id(&self) -> Result<u16> {
        self.0.id().map_err(failed)
    }

    /// The state of this share.
    #[wasm_bindgen(getter, unchecked_return_type = "ShareState")]
    pub fn state(&self) -> Result<String> {
        Ok(format!("{:?}", self.0.state().map_err(failed)?))
    }

    /// The public side of the key.
    #[wasm_bindgen(getter)]
    pub fn public(&self) -> Result<PublicKeyPackage> {
        self.0.public().map(PublicKeyPackage).map_err(failed)
    }

    /// An unconfirmed share, taken for confirmed: your own decision. Ask **all** parties for the `digest` of their public key first,
    /// over channels that you trust.
    pub fn confirmed(&self) -> Result<Self> {
        self.0.confirmed().map(Self).map_err(failed)
    }
}

#[wasm_bindgen]
impl PublicKeyPackage {
    /// Opens what `toBytes` gave.
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(
        #[wasm_bindgen(js_name = scheme, unchecked_param_type = "Scheme")] name: &str,
        bytes: &Uint8Array,
    ) -> Result<Self> {
        let bytes = bytes_of("bytes", bytes)?;
        let public = quorate_ffi::PublicKeyPackage::from_bytes(scheme(name)?, bytes);
        public.map(Self).map_err(failed)
    }

    /// The stored form, which is public. Keep it authentic: culprits are named by it.
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.0.to_bytes().map_err(failed)
    }

    /// The scheme.
    #[wasm_bindgen(getter, unchecked_return_type = "Scheme")]
    pub fn scheme(&self) -> String {
        scheme_name(self.0.scheme()).to_owned()
    }

    /// The group's key as its verifiers read it: 32 bytes for Ed25519, Ristretto255 and Taproot (x alone), 57 for Ed448, a compressed
    /// point of 33 for the rest.
    #[wasm_bindgen(getter, js_name = verifyingKey)]
    pub fn verifying_key(&self) -> Result<Vec<u8>> {
        self.0.verifying_key().map_err(failed)
    }

    /// The key as a `PUBLIC KEY` in PEM, for ECDSA.
    pub fn pem(&self) -> Result<String> {
        self.0.pem().map_err(failed)
    }

    /// The number of parties that it takes to sign.
    #[wasm_bindgen(getter)]
    pub fn threshold(&self) -> Result<u16> {
        self.0.threshold().map_err(failed)
    }

    /// How often the key was refreshed or reshared.
    #[wasm_bindgen(getter)]
    pub fn epoch(&self) -> Result<u32> {
        self.0.epoch().map_err(failed)
    }

    /// The parties that hold shares, ascending.
    #[wasm_bindgen(getter, unchecked_return_type = "number[]")]
    pub fn parties(&self) -> Result<Array> {
        self.0.parties().map(numbers).map_err(failed)
    }

    /// A name for the key, 32 bytes, equal at all its parties and over all epochs.
    #[wasm_bindgen(getter, js_name = keyId)]
    pub fn key_id(&self) -> Result<Vec<u8>> {
        self.0.key_id().map_err(failed)
    }

    /// A digest of everything here, 32 bytes. Parties compare it before they confirm a share.
    #[wasm_bindgen(getter)]
    pub fn digest(&self) -> Result<Vec<u8>> {
        self.0.digest().map_err(failed)
    }

    /// Verifies a signature of a message, by its `bytes`. Throws if it is none. ECDSA hashes with SHA-256 and accepts only the
    /// smaller s.
    pub fn verify(&self, message: &Uint8Array, signature: &Uint8Array) -> Result<()> {
        let message = bytes_of("message", message)?;
        let signature = bytes_of("signature", signature)?;
        self.0.verify(message, signature).map_err(failed)
    }
}
