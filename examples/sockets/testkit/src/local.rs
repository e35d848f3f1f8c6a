//! A backend whose keys are in memory.

use std::future::pending;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use custody_core::{KeyId, KeySpec, Scheme};
use ed25519_dalek::Signer as _;
use p256::ecdsa::signature::hazmat::PrehashSigner as _;
use quorate_purpose::Kind;
use sockets_backend::{Asked, Backend, Failure, Key, Reply, Signature};

enum Secret {
    Ed25519(ed25519_dalek::SigningKey),
    P256(p256::ecdsa::SigningKey),
    Secp256k1(k256::ecdsa::SigningKey),
    MlDsa65(Box<ml_dsa::ExpandedSigningKey<ml_dsa::MlDsa65>>),
}

/// Keys in memory, which sign whatever they are bound to. It counts signatures, so that a test sees whether there was one.
#[derive(Default)]
pub struct Local {
    keys: Vec<(Key, Secret)>,
    signed: AtomicUsize,
    is_silent: AtomicBool,
    /// The failure of every question, if there is one.
    failure: Mutex<Option<Failure>>,
    last: Mutex<Option<Asked>>,
}

impl Local {
    /// No keys.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a key. The same seed gives the same key.
    #[must_use]
    pub fn with(mut self, name: &str, scheme: Scheme, seed: u8, purposes: &[Kind]) -> Self {
        let (public_key, secret) = match scheme {
            Scheme::Ed25519 => {
                let secret = ed25519_dalek::SigningKey::from_bytes(&[seed; 32]);
                (secret.verifying_key().to_bytes().to_vec(), Secret::Ed25519(secret))
            }
            Scheme::EcdsaP256 => {
                let secret = p256::ecdsa::SigningKey::from_slice(&[seed; 32]).unwrap();
                let point = secret.verifying_key().to_sec1_point(true);
                (point.as_bytes().to_vec(), Secret::P256(secret))
            }
            Scheme::EcdsaSecp256k1 => {
                let secret = k256::ecdsa::SigningKey::from_slice(&[seed; 32]).unwrap();
                let point = secret.verifying_key().to_sec1_point(true);
                (point.as_bytes().to_vec(), Secret::Secp256k1(secret))
            }
            Scheme::MlDsa65 => {
                let secret = ml_dsa::ExpandedSigningKey::from_seed(&[seed; 32].into());
                (secret.verifying_key().encode().to_vec(), Secret::MlDsa65(Box::new(secret)))
            }
            other => panic!("no keys of {other}"),
        };
        let (id, name) = (KeyId::of(scheme, &public_key), name.to_owned());
        let key = Key { id, name, scheme, purposes: purposes.to_vec(), public_key };
        self.keys.push((key, secret));
        self.keys.sort_by(|a, b| a.0.name.cmp(&b.0.name));
        self
    }

    /// Lets every question fail, until it is told otherwise.
    pub fn fail(&self, failure: Option<Failure>) {
        *self.failure.lock().unwrap() = failure;
    }

    /// Lets every question wait without an end, as for people who do not approve it.
    pub fn silence(&self) {
        self.is_silent.store(true, Ordering::Relaxed);
    }

    /// The number of signatures.
    pub fn signed(&self) -> usize {
        self.signed.load(Ordering::Relaxed)
    }

    /// The last question that was answered.
    pub fn last(&self) -> Option<Asked> {
        self.last.lock().unwrap().clone()
    }

    fn answer(&self, id: KeyId, asked: &Asked) -> Result<Signature, Failure> {
        if let Some(failure) = self.failure.lock().unwrap().clone() {
            return Err(failure);
        }
        let found = self.keys.iter().find(|(key, _)| key.id == id);
        let (key, secret) = found.ok_or(Failure::UnknownKey(id))?;
        if !key.allows(asked.purpose.kind()) {
            return Err(Failure::WrongPurpose(asked.purpose.kind().to_string()));
        }
        let message = asked.purpose.message(key.scheme.key_kind());
        let message = message.map_err(|why| Failure::WrongPurpose(why.to_string()))?;
        let bytes = match secret {
            Secret::Ed25519(secret) => secret.sign(message.raw().unwrap()).to_bytes().to_vec(),
            Secret::MlDsa65(secret) => {
                let message = message.raw().unwrap();
                secret.sign_deterministic(message, &asked.context).unwrap().encode().to_vec()
            }
            Secret::P256(secret) => {
                let digest = message.ecdsa_digest().unwrap();
                let made: p256::ecdsa::Signature = secret.sign_prehash(&digest).unwrap();
                made.to_bytes().to_vec()
            }
            Secret::Secp256k1(secret) => {
                let digest = message.ecdsa_digest().unwrap();
                let made: k256::ecdsa::Signature = secret.sign_prehash(&digest).unwrap();
                made.to_bytes().to_vec()
            }
        };
        self.signed.fetch_add(1, Ordering::Relaxed);
        *self.last.lock().unwrap() = Some(asked.clone());
        Ok(Signature { bytes, recovery_id: None, signed: asked.purpose.clone() })
    }
}

impl Backend for Local {
    fn keys(&self) -> Reply<'_, Vec<Key>> {
        Box::pin(async { Ok(self.keys.iter().map(|(key, _)| key.clone()).collect()) })
    }

    fn create<'a>(&'a self, _: &'a KeySpec) -> Reply<'a, Key> {
        Box::pin(async { Err(Failure::Unsupported("keys in memory".to_owned())) })
    }

    fn sign<'a>(&'a self, key: KeyId, asked: &'a Asked) -> Reply<'a, Signature> {
        Box::pin(async move {
            if self.is_silent.load(Ordering::Relaxed) {
                pending::<()>().await;
            }
            self.answer(key, asked)
        })
    }
}

impl core::fmt::Debug for Local {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.keys.iter().map(|(key, _)| key)).finish()
    }
}
