//! Signatures of the service, taken by the software of others.

mod ethereum;
mod taproot;
mod tron;
mod x509;

use bitcoin::secp256k1::ecdsa::{RecoverableSignature, RecoveryId};
use bitcoin::secp256k1::{Message, PublicKey, Secp256k1};
use custody_core::{
    DerivationPath, KeyDescription, KeyId, RequestState, Service as _, SignatureDescription,
};
use custody_gateway::Gateway;
use quorate_purpose::{Kind, Purpose};
use sha3::{Digest as _, Keccak256};

use crate::cluster::Cluster;
use crate::lifecycle::NONE;

/// Three nodes, a gateway, and a key of two of the three for one kind of purpose.
struct Service {
    cluster: Cluster,
    gateway: Gateway,
    key: KeyId,
}

impl Service {
    async fn start(test: &str, scheme: &str, kind: Kind) -> Self {
        let cluster = Cluster::start(test, 3, NONE).await;
        if scheme.starts_with("ecdsa") {
            cluster.search_primes().await;
        }
        let gateway = cluster.gateway();
        let kind = kind.name();
        let spec = format!(
            r#"{{"scheme":"{scheme}","threshold":2,"members":[1,2,3],"purposes":["{kind}"]}}"#
        );
        let request = cluster.world.administrator.request("/v1/keys", &spec, 120);
        let made = cluster.world.end_of(&gateway, &request).await;
        let made = gateway.request(made.request, 60).await.unwrap();
        let key = made.key.unwrap_or_else(|| panic!("{made:?}"));
        Self { cluster, gateway, key }
    }

    async fn describe(&self, path: &str) -> KeyDescription {
        let path: DerivationPath = path.parse().unwrap();
        self.gateway.key(self.key, Some(path.into())).await.unwrap()
    }

    async fn sign(&self, purpose: impl Into<Purpose>, path: &str) -> SignatureDescription {
        let requester = &self.cluster.world.requester;
        let request = requester.sign_request_at(self.key, purpose.into(), path, 60);
        let done = self.cluster.world.end_of(&self.gateway, &request).await;
        assert_eq!(done.state, RequestState::Done, "{done:?}");
        done.signature.unwrap()
    }
}

/// The key that Bitcoin's library finds in a signature of ECDSA.
fn recovered(digest: [u8; 32], made: &SignatureDescription) -> PublicKey {
    let id = RecoveryId::from_i32(made.recovery_id.unwrap().into()).unwrap();
    let signature = RecoverableSignature::from_compact(&made.signature, id).unwrap();
    let mut plain = signature.to_standard();
    plain.normalize_s();
    assert_eq!(plain.serialize_compact(), made.signature[..], "s is low");
    Secp256k1::verification_only().recover_ecdsa(&Message::from_digest(digest), &signature).unwrap()
}

/// The last 20 bytes of a key's hash, which Ethereum and Tron have in their addresses.
fn account(key: &PublicKey) -> [u8; 20] {
    let hash: [u8; 32] = Keccak256::digest(&key.serialize_uncompressed()[1..]).into();
    *hash.last_chunk().unwrap()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
