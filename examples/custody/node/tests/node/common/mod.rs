//! A cluster in memory, its callers, and a small gateway.
#![allow(unreachable_pub, reason = "tests")]

pub mod cluster;
pub mod gateway;

use core::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use custody_core::{
    Caller, CallerKey, Callers, KeyId, Parameters, Role, SignedRequest, UnsignedRequest,
};
use custody_policy::{Context, Count, Decision, Outcome, Policy};
use ed25519_dalek::pkcs8::EncodePublicKey as _;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::{Signer as _, SigningKey};
use quorate_purpose::{Hash, Integer, OpaqueMessage, Purpose};

pub use cluster::Cluster;
pub use gateway::verify;

/// Seconds since 1970.
pub fn now() -> u64 {
    milliseconds() / 1000
}

pub fn milliseconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    since.as_millis().try_into().unwrap()
}

/// A caller with its key.
pub struct Signer {
    pub name: &'static str,
    key: SigningKey,
    roles: &'static [Role],
}

impl Signer {
    fn public(&self) -> CallerKey {
        let pem = self.key.verifying_key().to_public_key_pem(LineEnding::LF).unwrap();
        CallerKey::from_pem(&pem).unwrap()
    }

    /// A request with a nonce of its own, valid for a minute.
    pub fn request(&self, target: &str, body: &str) -> SignedRequest {
        static NONCES: AtomicU64 = AtomicU64::new(0);
        let nonce = format!("nonce-{:012}", NONCES.fetch_add(1, Ordering::Relaxed));
        self.request_with(target, body, &nonce, now() + 60)
    }

    /// A request that reads.
    pub fn read(&self, target: &str) -> SignedRequest {
        self.signed("GET", target, "", &format!("read-{}-0123456789", now()), now() + 60)
    }

    /// A request for another cluster or for none.
    pub fn request_for(&self, cluster: Option<&str>, target: &str) -> SignedRequest {
        let (key_id, created) = (self.public().id(), now() - 1);
        let (nonce, expires) = ("another-cluster-0", created + 60);
        let parameters = Parameters { key_id: &key_id, nonce, cluster, created, expires };
        let unsigned = UnsignedRequest::new("POST", target, Vec::new(), &parameters).unwrap();
        let signature = self.key.sign(unsigned.signature_base()).to_bytes();
        unsigned.with_signature(&signature)
    }

    pub fn request_with(
        &self,
        target: &str,
        body: &str,
        nonce: &str,
        expires: u64,
    ) -> SignedRequest {
        self.signed("POST", target, body, nonce, expires)
    }

    fn signed(
        &self,
        method: &str,
        target: &str,
        body: &str,
        nonce: &str,
        expires: u64,
    ) -> SignedRequest {
        let key_id = self.public().id();
        let created = now().min(expires) - 1;
        let parameters =
            Parameters { key_id: &key_id, nonce, cluster: Some("test"), created, expires };
        let unsigned = UnsignedRequest::new(method, target, body.into(), &parameters).unwrap();
        let signature = self.key.sign(unsigned.signature_base()).to_bytes();
        unsigned.with_signature(&signature)
    }

    /// An approval of a request.
    pub fn approve(&self, request: &SignedRequest) -> SignedRequest {
        let verified = request.verify(&callers().of_cluster("test"), now()).unwrap();
        let target = format!("/v1/requests/{}/approve", verified.id);
        self.request(&target, &format!(r#"{{"digest":"{}"}}"#, verified.digest))
    }
}

pub fn requester() -> Signer {
    Signer { name: "wallet", key: SigningKey::from_bytes(&[1; 32]), roles: &[Role::Request] }
}

pub fn administrator() -> Signer {
    Signer { name: "ann", key: SigningKey::from_bytes(&[2; 32]), roles: &[Role::Administer] }
}

pub fn approver() -> Signer {
    Signer { name: "bob", key: SigningKey::from_bytes(&[3; 32]), roles: &[Role::Approve] }
}

/// A signer whose key no node knows.
pub fn stranger() -> Signer {
    Signer { name: "eve", key: SigningKey::from_bytes(&[9; 32]), roles: &[] }
}

/// The list as an operator writes it. A node knows by its directory which cluster it is of.
pub fn callers() -> Callers {
    let caller = |one: Signer| Caller {
        name: one.name.to_owned(),
        roles: one.roles.to_vec(),
        keys: vec![one.public()],
    };
    Callers::new([requester(), administrator(), approver()].map(caller).to_vec()).unwrap()
}

/// Allows everything, but the child `m/9`, scripts with the root `[9; 32]`, the context `denied`, messages that begin with `deny`, those that begin with `ask` unless somebody approves, and more than two
/// that begin with `count`, or are about a key of the scope `count`.
pub struct Rules;

impl Policy for Rules {
    fn decide(&self, context: &Context<'_>) -> Decision {
        let bytes = context.facts.bytes("bytes").unwrap_or_default();
        let outcome = if bytes.starts_with(b"deny")
            || context.child == Some("m/9")
            || context.merkle_root == Some([9; 32])
            || (context.child == Some("m") && context.merkle_root == Some([10; 32]))
            || context.signature_context == b"denied"
        {
            Outcome::Forbidden
        } else if bytes.starts_with(b"ask") && context.approvers.is_empty() {
            Outcome::ApprovalsMissing
        } else {
            Outcome::Allowed
        };
        let counted = bytes.starts_with(b"count") || context.key.scope == "count";
        let (outcome, counts) = match counted {
            true => count(context),
            false => (outcome, vec![]),
        };
        Decision { outcome, policies: vec!["rules".into()], why: "by the rules".into(), counts }
    }
}

/// Allows two in a slot of all time.
fn count(context: &Context<'_>) -> (Outcome, Vec<Count>) {
    let slots = context.windows.slots("all").unwrap();
    let before = slots.first().map_or(Integer::from(0_u64), |(_, total)| *total);
    let total = custody_policy::checked_add(&before, &Integer::from(1_u64)).unwrap();
    if total > Integer::from(2_u64) {
        return (Outcome::NotAllowed, vec![]);
    }
    let amount = Integer::from(1_u64);
    (Outcome::Allowed, vec![Count { counter: "all".into(), slot: 7, amount, total, oldest: 7 }])
}

/// The bytes of an opaque purpose for this scheme.
pub fn opaque(ecdsa: bool, message: &[u8]) -> Vec<u8> {
    let message = if ecdsa {
        OpaqueMessage::hashed(Hash::Sha256, message)
    } else {
        OpaqueMessage::raw(message)
    };
    Purpose::from(message.unwrap()).to_bytes()
}

/// The body of a request to sign.
pub fn body(purpose: &[u8], path: Option<&str>) -> String {
    let purpose = base64::engine::general_purpose::STANDARD.encode(purpose);
    match path {
        Some(path) => format!(r#"{{"purpose":"{purpose}","path":"{path}"}}"#),
        None => format!(r#"{{"purpose":"{purpose}"}}"#),
    }
}

/// A request to sign with the child at a path whose output commits to these scripts.
pub fn sign_with_scripts(key: KeyId, purpose: &[u8], path: &str, root: [u8; 32]) -> SignedRequest {
    let [purpose, root] =
        [purpose, &root].map(|bytes| base64::engine::general_purpose::STANDARD.encode(bytes));
    let body = format!(r#"{{"purpose":"{purpose}","path":"{path}","merkle_root":"{root}"}}"#);
    requester().request(&format!("/v1/keys/{key}/sign"), &body)
}

/// A request to sign under a context of FIPS 204.
pub fn sign_under(key: KeyId, purpose: &[u8], context: &[u8]) -> SignedRequest {
    let [purpose, context] =
        [purpose, context].map(|bytes| base64::engine::general_purpose::STANDARD.encode(bytes));
    let body = format!(r#"{{"purpose":"{purpose}","context":"{context}"}}"#);
    requester().request(&format!("/v1/keys/{key}/sign"), &body)
}

/// A request to sign.
pub fn sign(key: KeyId, purpose: &[u8]) -> SignedRequest {
    requester().request(&format!("/v1/keys/{key}/sign"), &body(purpose, None))
}
