//! Callers: requesters, approvers and administrators, with the keys that they sign requests with.

use core::fmt;

use ed25519_dalek::VerifyingKey as Ed25519Key;
use p256::ecdsa::VerifyingKey as P256Key;
use p256::ecdsa::signature::Verifier as _;
use p256::pkcs8::{DecodePublicKey, EncodePublicKey, LineEnding};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A public key of a caller, Ed25519 or ECDSA over P-256.
///
/// In JSON it is the PEM of its `SubjectPublicKeyInfo`, as `openssl pkey -pubout` prints it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum CallerKey {
    /// Ed25519 (RFC 8032).
    Ed25519(Ed25519Key),
    /// ECDSA over P-256 with SHA-256; signatures are r ‖ s.
    EcdsaP256(P256Key),
}

/// The PEM of no key that a caller may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected the PEM of a public key (BEGIN PUBLIC KEY), Ed25519 or ECDSA over P-256")]
pub struct NotACallerKey;

impl CallerKey {
    /// Reads the PEM of a `SubjectPublicKeyInfo` (RFC 8410, RFC 5480).
    ///
    /// # Errors
    /// [`NotACallerKey`] for other text, other algorithms, and Ed25519 keys of small order.
    pub fn from_pem(pem: &str) -> Result<Self, NotACallerKey> {
        if let Ok(key) = Ed25519Key::from_public_key_pem(pem) {
            return if key.is_weak() { Err(NotACallerKey) } else { Ok(Self::Ed25519(key)) };
        }
        P256Key::from_public_key_pem(pem).map(Self::EcdsaP256).map_err(|_| NotACallerKey)
    }

    /// The PEM that [`from_pem`](Self::from_pem) reads.
    #[must_use]
    pub fn to_pem(&self) -> String {
        match self {
            Self::Ed25519(key) => key.to_public_key_pem(LineEnding::LF),
            Self::EcdsaP256(key) => key.to_public_key_pem(LineEnding::LF),
        }
        .unwrap_or_default()
    }

    /// The `keyid` of signatures: 64 lower-case hexadecimal digits, SHA-256 of the DER of the `SubjectPublicKeyInfo`.
    ///
    /// `openssl pkey -pubin -outform DER | sha256sum` prints it.
    #[must_use]
    pub fn id(&self) -> String {
        let der = match self {
            Self::Ed25519(key) => key.to_public_key_der(),
            Self::EcdsaP256(key) => key.to_public_key_der(),
        };
        let digest = Sha256::digest(der.as_ref().map_or(&[][..], |der| der.as_bytes()));
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The name of the algorithm in the registry of RFC 9421.
    #[must_use]
    pub const fn algorithm(&self) -> &'static str {
        match self {
            Self::Ed25519(_) => "ed25519",
            Self::EcdsaP256(_) => "ecdsa-p256-sha256",
        }
    }

    /// Returns whether the signature of the bytes verifies.
    #[must_use]
    pub fn verifies(&self, signed: &[u8], signature: &[u8; 64]) -> bool {
        match self {
            Self::Ed25519(key) => key.verify_strict(signed, &signature.into()).is_ok(),
            Self::EcdsaP256(key) => p256::ecdsa::Signature::from_slice(signature)
                .is_ok_and(|signature| key.verify(signed, &signature).is_ok()),
        }
    }
}

impl TryFrom<String> for CallerKey {
    type Error = NotACallerKey;

    fn try_from(pem: String) -> Result<Self, NotACallerKey> {
        Self::from_pem(&pem)
    }
}

impl From<CallerKey> for String {
    fn from(key: CallerKey) -> Self {
        key.to_pem()
    }
}

/// A role of a caller.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Asks for signatures.
    Request,
    /// Approves requests of others.
    Approve,
    /// Makes and changes keys.
    Administer,
}

/// A requester, an approver or an administrator.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Caller {
    /// The name in policies and logs: 1 to 64 of the characters `a` to `z`, `0` to `9`, `.`, `-` and `_`.
    pub name: String,
    /// The roles, each once.
    pub roles: Vec<Role>,
    /// The keys. There are two while one replaces the other.
    pub keys: Vec<CallerKey>,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Request => "request",
            Self::Approve => "approve",
            Self::Administer => "administer",
        })
    }
}
