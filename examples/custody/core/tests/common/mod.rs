//! Callers with keys, and what they sign.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

use custody_core::{
    Caller, CallerKey, Callers, KeyId, Operation, Parameters, Refusal, Role, SignedRequest,
    UnsignedRequest, Verified,
};
use ed25519_dalek::Signer as _;
use ed25519_dalek::pkcs8::EncodePublicKey as _;
use p256::pkcs8::LineEnding;

pub const NOW: u64 = 1_800_000_000;
pub const NONCE: &str = "0123456789abcdef";

/// A secret key of a caller.
pub enum Secret {
    Ed25519(ed25519_dalek::SigningKey),
    P256(p256::ecdsa::SigningKey),
}

impl Secret {
    pub fn ed25519(seed: u8) -> Self {
        Self::Ed25519(ed25519_dalek::SigningKey::from_bytes(&[seed; 32]))
    }

    pub fn p256(seed: u8) -> Self {
        Self::P256(p256::ecdsa::SigningKey::from_slice(&[seed; 32]).unwrap())
    }

    pub fn pem(&self) -> String {
        match self {
            Self::Ed25519(key) => key.verifying_key().to_public_key_pem(LineEnding::LF),
            Self::P256(key) => key.verifying_key().to_public_key_pem(LineEnding::LF),
        }
        .unwrap()
    }

    pub fn public(&self) -> CallerKey {
        CallerKey::from_pem(&self.pem()).unwrap()
    }

    pub fn id(&self) -> String {
        self.public().id()
    }

    pub fn sign(&self, bytes: &[u8]) -> [u8; 64] {
        match self {
            Self::Ed25519(key) => key.sign(bytes).to_bytes(),
            Self::P256(key) => {
                let signature: p256::ecdsa::Signature = key.sign(bytes);
                signature.to_bytes().into()
            }
        }
    }
}

pub fn caller(name: &str, roles: &[Role], keys: &[&Secret]) -> Caller {
    let keys = keys.iter().map(|secret| secret.public()).collect();
    Caller { name: name.to_owned(), roles: roles.to_vec(), keys }
}

/// One caller with every role and this key.
pub fn all_roles(secret: &Secret) -> Callers {
    Callers::new(vec![caller("all", &[Role::Request, Role::Approve, Role::Administer], &[secret])])
        .unwrap()
}

/// A request that is valid for a minute.
pub fn request(secret: &Secret, method: &str, target: &str, body: &str) -> SignedRequest {
    let key_id = secret.id();
    let parameters = Parameters {
        key_id: &key_id,
        nonce: NONCE,
        cluster: None,
        created: NOW,
        expires: NOW + 60,
    };
    signed(secret, method, target, body, &parameters).unwrap()
}

pub fn signed(
    secret: &Secret,
    method: &str,
    target: &str,
    body: &str,
    parameters: &Parameters<'_>,
) -> Result<SignedRequest, Refusal> {
    let unsigned = UnsignedRequest::new(method, target, body.into(), parameters)?;
    let signature = secret.sign(unsigned.signature_base());
    Ok(unsigned.with_signature(&signature))
}

/// The operation that a caller with every role asks for.
pub fn read(method: &str, target: &str, body: &str) -> Result<Operation, Refusal> {
    verified(method, target, body).map(|verified| verified.operation)
}

/// The verified request of a caller with every role.
pub fn verified(method: &str, target: &str, body: &str) -> Result<Verified, Refusal> {
    let secret = Secret::ed25519(1);
    let key_id = secret.id();
    let parameters = Parameters {
        key_id: &key_id,
        nonce: NONCE,
        cluster: None,
        created: NOW,
        expires: NOW + 60,
    };
    signed(&secret, method, target, body, &parameters)?.verify(&all_roles(&secret), NOW)
}

pub fn key() -> KeyId {
    KeyId::new([0xab; 32])
}

pub fn hex(byte: u8) -> String {
    format!("{byte:02x}").repeat(32)
}
