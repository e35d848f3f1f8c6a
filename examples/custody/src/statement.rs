//! A node's statement of a key: which public key a name stands for, under the node's signature of the
//! [directory](crate::directory).
//!
//! A gateway passes statements on and signs none, so it cannot make a requester believe in a key that the nodes do not hold:
//! see [`trust`](crate::trust). A node states a key once all of the committee have stored their shares of it. A statement has
//! no end: it says what the key is, in all epochs, and not that the key is still in use.

use ed25519_dalek::{Signature, Signer, VerifyingKey};
use quorate::frost::ed25519;
use quorate::keys::{Family, SharedKey};
use quorate::session::Transcript;
use quorate::{Parties, PartyId};
use quorate_cggmp::{PublicKeyPackage, Secp256k1};

use crate::bus::Peer;
use crate::directory::Identity;
use crate::request::{KeyId, Scheme};
use crate::vault::Held;

/// The content of a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// The name of the key, which follows from its scheme and public key.
    pub key: KeyId,
    /// The scheme.
    pub scheme: Scheme,
    /// The public key.
    pub public_key: Vec<u8>,
    /// The chain code, on which child keys depend; none for a scheme without children.
    pub chain_code: Option<[u8; 32]>,
    /// The epoch of the shares.
    pub epoch: u32,
    /// How many nodes sign.
    pub threshold: u16,
    /// The nodes that hold shares.
    pub committee: Parties,
}

/// A statement under the signature of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedStatement {
    /// The statement.
    pub statement: Statement,
    /// The signature of the node's identity.
    pub signature: [u8; 64],
}

impl Statement {
    /// Reads the public side of a key; nothing if it is none.
    #[must_use]
    pub fn read(scheme: Scheme, public: &[u8]) -> Option<Self> {
        match scheme {
            Scheme::Ecdsa => Some(Self::ecdsa(&PublicKeyPackage::from_bytes(public).ok()?)),
            Scheme::Ed25519 => {
                Some(Self::ed25519(&ed25519::PublicKeyPackage::from_bytes(public).ok()?))
            }
        }
    }

    /// Takes the public side of a share.
    #[must_use]
    pub fn of(held: &Held) -> Self {
        match held {
            Held::Ecdsa(share) => Self::ecdsa(share.public()),
            Held::Ed25519(_, package) => Self::ed25519(package),
        }
    }

    fn ecdsa(info: &PublicKeyPackage<Secp256k1>) -> Self {
        let key = info.verifying_key().as_bytes().to_vec();
        Self::shared((Scheme::Ecdsa, key, Some(*info.chain_code())), info.shared())
    }

    fn ed25519(package: &ed25519::PublicKeyPackage) -> Self {
        let key = package.verifying_key().as_bytes().to_vec();
        Self::shared((Scheme::Ed25519, key, None), package.shared())
    }

    fn shared<F: Family>(
        (scheme, public_key, chain_code): (Scheme, Vec<u8>, Option<[u8; 32]>),
        shared: &SharedKey<F>,
    ) -> Self {
        Self {
            key: KeyId::of(scheme, &shared.package_id().key_id()),
            scheme,
            public_key,
            chain_code,
            epoch: shared.epoch(),
            threshold: shared.threshold(),
            committee: shared.parties().clone(),
        }
    }

    /// Signs it as a node.
    #[must_use]
    pub fn sign(self, identity: &Identity) -> SignedStatement {
        let signature = identity.signing().sign(&self.signed(identity.me())).to_bytes();
        SignedStatement { statement: self, signature }
    }

    /// The bytes that a node signs. Its identity signs nothing else that looks like them, and no other node signs the same.
    fn signed(&self, node: Peer) -> Vec<u8> {
        let mut transcript = Transcript::new("custody statement of a key");
        transcript.append("node", node.to_string().as_bytes());
        transcript.append("key", &self.key.0);
        transcript.append_u64("scheme", self.scheme.code().into());
        transcript.append("public key", &self.public_key);
        transcript.append("chain code", self.chain_code.as_ref().map_or(&[], |code| code));
        transcript.append_u64("epoch", self.epoch.into());
        transcript.append_u64("threshold", self.threshold.into());
        transcript.append_list("nodes", self.committee.iter().map(|id| id.get().to_be_bytes()));
        [b"quorate custody statement 1".as_slice(), &transcript.finish32()].concat()
    }
}

impl SignedStatement {
    /// Says whether the node has signed it, with this key of the directory.
    #[must_use]
    pub fn verifies(&self, node: PartyId, key: &VerifyingKey) -> bool {
        let signature = Signature::from_bytes(&self.signature);
        key.verify_strict(&self.statement.signed(Peer::Node(node)), &signature).is_ok()
    }
}
