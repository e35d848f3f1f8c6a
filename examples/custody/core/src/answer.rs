//! Answers of a node to a gateway.

use serde::{Deserialize, Serialize};

use crate::accusation::Accusation;
use crate::certificate::{Certificate, Endorsement};
use crate::id::{KeyId, RequestId};
use crate::order::Material;
use crate::refusal::Refusal;
use crate::signed_request::SignedRequest;
use crate::spec::KeySpec;
use crate::wire::{self, OLDEST, VERSION, WireError};

/// An answer, with the number of its order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerMessage {
    /// The number of the order.
    pub number: u64,
    /// The answer.
    pub answer: Answer,
}

/// The answer of a node. The gateway trusts it as little as the node trusts an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// The share of a signature, in the encoding of the scheme's library; or the signature of an attempt of all signers.
    Share {
        /// The share.
        bytes: Vec<u8>,
    },
    /// Keys, by ascending id.
    Keys(Vec<KeyInfo>),
    /// The node's certificate of a key, and its signature.
    Certificate {
        /// The certificate.
        certificate: Box<Certificate>,
        /// The signature.
        endorsement: Endorsement,
    },
    /// The presignatures or nonces of a key.
    Stock(Stock),
    /// The order is done.
    Done,
    /// The key that was made.
    Made {
        /// The key.
        key: KeyId,
    },
    /// The order has begun. It is done when the same order is answered so.
    Pending,
    /// How far the agreement about new shares of a key has come at the node.
    Agreement {
        /// The node's own statements and the certificates that it has, for the other members.
        statements: Vec<Vec<u8>>,
        /// The epoch of the shares that the node would sign with.
        epoch: u32,
        /// `true` if the node counts on no older shares.
        done: bool,
    },
    /// The node.
    Status(NodeStatus),
    /// A part of the log of decisions: lines of JSON, with signed heads of its beginning and end.
    Audit(Vec<String>),
    /// The node refuses the order.
    Refused(Refusal),
    /// The accusations of the node, by party. Since version 2.
    Accusations(Vec<Accusation>),
    /// The share of an earlier vote, which differs in its time stamp alone from the vote that the order is about. The node gives no
    /// share of a vote with another time stamp. Since version 2.
    Earlier(Box<EarlierAttempt>),
}

/// A vote of which a node has given a share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlierAttempt {
    /// The request for the vote.
    pub request: SignedRequest,
    /// The material that was spent on the latest share.
    pub material: Material,
    /// The share.
    pub share: Vec<u8>,
}

/// A key of a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyInfo {
    /// The key.
    pub key: KeyId,
    /// The request that made it.
    pub request: RequestId,
    /// The specification, with the present committee.
    pub spec: KeySpec,
    /// The public key, in the encoding that verifiers of the scheme take.
    pub public_key: Vec<u8>,
    /// The public key package of the shares that sign.
    pub package: Vec<u8>,
    /// The number of times that the shares have changed.
    pub epoch: u32,
    /// The state of the key.
    pub state: KeyState,
    /// The number of signatures that the node has presignatures or nonces for.
    pub stock: u32,
}

/// The state of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeyState {
    /// The key signs.
    Enabled,
    /// The key does not sign until an administrator enables it.
    Disabled,
    /// The key does not sign, and the node deletes its share at this time.
    DeletionScheduled {
        /// Seconds since 1970.
        at: u64,
    },
}

/// The presignatures or nonces of a key that are left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stock {
    /// The key.
    pub key: KeyId,
    /// The epoch of the shares that it was made with.
    pub epoch: u32,
    /// For ECDSA the public sides of presignatures, for FROST the commitments to nonces, by ascending name.
    pub material: Vec<Vec<u8>>,
    /// The name after which the list continues, if it does.
    pub next: Option<[u8; 32]>,
}

/// How a node is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeStatus {
    /// The release.
    pub release: String,
    /// The digest of the policy that decides.
    pub policy: [u8; 32],
    /// The reason why the node signs nothing now.
    pub refuses: Option<Refusal>,
    /// The number of keys.
    pub keys: u32,
    /// The number of runs that have not ended.
    pub runs: u32,
    /// The number of entries in its log, those that were deleted included.
    pub audit: u64,
}

impl NodeStatus {
    /// The status of a node that is not open, for this reason.
    #[must_use]
    pub fn refusing(why: Refusal, policy: [u8; 32]) -> Self {
        let release = env!("CARGO_PKG_VERSION").to_owned();
        Self { release, policy, refuses: Some(why), keys: 0, runs: 0, audit: 0 }
    }
}

impl Answer {
    /// The most keys in one answer. The public key package of a key of ML-DSA has up to 66 kB, and an answer has room for all.
    pub const MAX_KEYS: usize = 48;
    /// The most presignatures or commitments in one answer.
    pub const MAX_MATERIAL: usize = 256;
    /// The most entries of the log in one answer.
    pub const MAX_ENTRIES: usize = 1000;
    /// The most accusations in one answer.
    pub const MAX_ACCUSATIONS: usize = 64;

    /// The first version of the wire format that has the answer.
    #[must_use]
    pub const fn since(&self) -> u8 {
        if matches!(self, Self::Accusations(_) | Self::Earlier(_)) { 2 } else { OLDEST }
    }

    /// Returns whether the lists of the answer are within their bounds.
    fn is_bounded(&self) -> bool {
        match self {
            Self::Keys(keys) => keys.len() <= Self::MAX_KEYS,
            Self::Stock(stock) => stock.material.len() <= Self::MAX_MATERIAL,
            Self::Agreement { statements, .. } => statements.len() <= crate::Order::MAX_STATEMENTS,
            Self::Accusations(all) => all.len() <= Self::MAX_ACCUSATIONS,
            Self::Audit(entries) => entries.len() <= Self::MAX_ENTRIES,
            _ => true,
        }
    }
}

impl From<Result<Self, Refusal>> for Answer {
    fn from(result: Result<Self, Refusal>) -> Self {
        result.unwrap_or_else(Self::Refused)
    }
}

impl AnswerMessage {
    /// The kind of the envelopes that carry answers.
    pub const KIND: u16 = 3;
    /// The longest encoding, in bytes: 4 MiB.
    pub const MAX_BYTES: usize = 4 << 20;

    /// The encoding in the newest version.
    ///
    /// # Errors
    /// [`WireError::Length`] if it is longer than [`MAX_BYTES`](Self::MAX_BYTES).
    pub fn to_bytes(&self) -> Result<Vec<u8>, WireError> {
        self.to_bytes_in(VERSION)
    }

    /// The encoding in a version.
    ///
    /// # Errors
    /// [`WireError::Length`], or [`WireError::Newer`] if that version has no such answer.
    pub fn to_bytes_in(&self, version: u8) -> Result<Vec<u8>, WireError> {
        wire::encode(self, Self::MAX_BYTES, (self.answer.since(), version))
    }

    /// Decodes an answer, of which nothing is verified yet.
    ///
    /// # Errors
    /// [`WireError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WireError> {
        let message: Self = wire::decode(bytes, Self::MAX_BYTES, |one: &Self| one.answer.since())?;
        if message.answer.is_bounded() { Ok(message) } else { Err(WireError::Malformed) }
    }
}
