//! The secret key of a caller.

use core::fmt;

use custody_core::CallerKey;
use ed25519_dalek::Signer as _;
use ed25519_dalek::pkcs8::{DecodePrivateKey as _, EncodePrivateKey as _};
use getrandom::SysRng;
use getrandom::rand_core::TryRng as _;
use p256::pkcs8::LineEnding;
use zeroize::Zeroizing;

use crate::error::ClientError;

/// The secret key of a caller. It is wiped when it is dropped.
pub struct CallerSecret(Secret);

enum Secret {
    Ed25519(ed25519_dalek::SigningKey),
    EcdsaP256(p256::ecdsa::SigningKey),
}

impl CallerSecret {
    /// Makes a new key of Ed25519.
    ///
    /// # Errors
    /// [`ClientError::Secret`] if the operating system gives no randomness.
    pub fn generate() -> Result<Self, ClientError> {
        let mut seed = Zeroizing::new([0; 32]);
        SysRng
            .try_fill_bytes(seed.as_mut_slice())
            .map_err(|_| ClientError::Secret("no randomness"))?;
        Ok(Self(Secret::Ed25519(ed25519_dalek::SigningKey::from_bytes(&seed))))
    }

    /// Reads a key of Ed25519 or P-256 in PKCS #8, as `openssl genpkey` prints it.
    ///
    /// # Errors
    /// [`ClientError::Secret`] for other text and other algorithms.
    pub fn from_pem(pem: &str) -> Result<Self, ClientError> {
        if let Ok(key) = ed25519_dalek::SigningKey::from_pkcs8_pem(pem) {
            return Ok(Self(Secret::Ed25519(key)));
        }
        let key = p256::ecdsa::SigningKey::from_pkcs8_pem(pem).map(Secret::EcdsaP256);
        key.map(Self)
            .map_err(|_| ClientError::Secret("expected the PEM of a private key, Ed25519 or P-256"))
    }

    /// The PEM that [`from_pem`](Self::from_pem) reads.
    ///
    /// # Errors
    /// [`ClientError::Secret`] if it cannot be encoded.
    pub fn to_pem(&self) -> Result<Zeroizing<String>, ClientError> {
        let pem = match &self.0 {
            Secret::Ed25519(key) => key.to_pkcs8_pem(LineEnding::LF),
            Secret::EcdsaP256(key) => key.to_pkcs8_pem(LineEnding::LF),
        };
        pem.map_err(|_| ClientError::Secret("the key has no encoding"))
    }

    /// The public key, for the configuration of the cluster.
    #[must_use]
    pub fn public(&self) -> CallerKey {
        match &self.0 {
            Secret::Ed25519(key) => CallerKey::Ed25519(key.verifying_key()),
            Secret::EcdsaP256(key) => CallerKey::EcdsaP256(*key.verifying_key()),
        }
    }

    pub(crate) fn sign(&self, bytes: &[u8]) -> [u8; 64] {
        match &self.0 {
            Secret::Ed25519(key) => key.sign(bytes).to_bytes(),
            Secret::EcdsaP256(key) => {
                let signature: p256::ecdsa::Signature = key.sign(bytes);
                signature.to_bytes().into()
            }
        }
    }
}

/// The id of the public key.
impl fmt::Debug for CallerSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CallerSecret({})", self.public().id())
    }
}
