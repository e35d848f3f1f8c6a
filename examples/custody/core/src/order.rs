//! Orders of a gateway to a node.

use quorate::PartyId;
use serde::{Deserialize, Serialize};

use crate::certificate::SignedCertificate;
use crate::fields::parties;
use crate::id::KeyId;
use crate::signed_request::SignedRequest;
use crate::wire::{self, OLDEST, VERSION, WireError};

/// An order of a gateway, with a number by which it finds the answer.
///
/// Orders travel over a network that loses and repeats them. Each may come any number of times: what it does, it does once, and
/// a share is the same each time. A node trusts nothing in an order but signatures that it verifies itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderMessage {
    /// A random number of the gateway's, which the answer repeats.
    pub number: u64,
    /// The order.
    pub order: Order,
}

/// An order of a gateway.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// Lists the keys of the node that come after this one, [`MAX_KEYS`](crate::Answer::MAX_KEYS) at most.
    Keys {
        /// Starts after this key.
        after: Option<KeyId>,
    },
    /// Signs a certificate of a key.
    Certify {
        /// The key.
        key: KeyId,
    },
    /// Makes a key with the other members: a request for [`CreateKey`](crate::Operation::CreateKey).
    Generate {
        /// The request.
        request: SignedRequest,
        /// Approvals of the request.
        approvals: Vec<SignedRequest>,
    },
    /// Lists what the node has ready for signatures of a key.
    Stock {
        /// The key.
        key: KeyId,
        /// Starts after the material of this name.
        after: Option<[u8; 32]>,
    },
    /// Makes presignatures with the other signers: for keys of ECDSA. The node keeps its stock below a bound of its own.
    Presign {
        /// The key.
        key: KeyId,
        /// The run, which all signers call by one name: a random number that is used once.
        run: [u8; 32],
        /// The signers, ascending: as many as the threshold of the key.
        #[serde(with = "parties")]
        signers: Vec<PartyId>,
        /// The number of presignatures, at most [`Order::MAX_PRESIGNATURES`].
        count: u16,
    },
    /// Makes nonces: for keys of FROST. The node keeps its stock below a bound of its own, and answers
    /// [`Done`](crate::Answer::Done) when they are stored.
    Nonces {
        /// The key.
        key: KeyId,
        /// The number of pairs that the stock is to have.
        count: u16,
    },
    /// Gives the node's share of a signature: a request for [`Sign`](crate::Operation::Sign).
    Sign {
        /// The request.
        request: SignedRequest,
        /// Approvals of the request.
        approvals: Vec<SignedRequest>,
        /// The material that is spent on the share.
        material: Material,
    },
    /// Gives no share for a request from now on: a request for [`Cancel`](crate::Operation::Cancel).
    Cancel {
        /// The request.
        request: SignedRequest,
    },
    /// Changes a key: a request to refresh, reshare, disable, enable or delete.
    Change {
        /// The request.
        request: SignedRequest,
        /// Approvals of the request.
        approvals: Vec<SignedRequest>,
        /// The certificate of the key, for a node that is to join its members and has no share.
        certificate: Option<Box<SignedCertificate>>,
    },
    /// Continues the agreement about new shares of a key. The gateway carries the statements of each member to all members,
    /// again and again, until each answers that it is done.
    Agree {
        /// The key.
        key: KeyId,
        /// Statements and certificates of members.
        statements: Vec<Vec<u8>>,
    },
    /// Describes the node.
    Status,
    /// Exports entries of the log of decisions: a request to read [`Audit`](crate::Read::Audit).
    Audit {
        /// The request.
        request: SignedRequest,
    },
    /// Lists the accusations of the node. Since version 2.
    Accusations,
    /// Raises the watermark of a request for [`Sign`](crate::Operation::Sign), of which other members give the shares. Since
    /// version 2.
    Mark {
        /// The request.
        request: SignedRequest,
        /// Approvals of the request.
        approvals: Vec<SignedRequest>,
    },
}

/// The material that is spent on a share of a signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Material {
    /// A presignature, by its name.
    Presignature {
        /// The name, equal at all of its signers.
        name: [u8; 32],
    },
    /// Nonces, one pair of each signer.
    Nonces {
        /// The signing package: the commitments of all signers, and the message, which the node compares with its own.
        package: Vec<u8>,
    },
    /// An attempt, in which all signers make the signature together: for keys of ML-DSA. The node answers
    /// [`Share`](crate::Answer::Share) with the signature, or [`Done`](crate::Answer::Done) if there is none and nobody is at
    /// fault. Since version 2.
    Attempt {
        /// The run, which all signers call by one name: a random number that is used once.
        run: [u8; 32],
        /// The signers, ascending: as many as the threshold of the key.
        #[serde(with = "parties")]
        signers: Vec<PartyId>,
    },
}

impl Material {
    /// Returns whether the node has made it ahead, and answers with a share at once.
    #[must_use]
    pub const fn is_made_ahead(&self) -> bool {
        !matches!(self, Self::Attempt { .. })
    }
}

impl Order {
    /// The most presignatures of one run.
    pub const MAX_PRESIGNATURES: u16 = 128;
    /// The most pairs of nonces that a node keeps of a key.
    pub const MAX_NONCES: u16 = 1024;
    /// The most approvals of a request.
    pub const MAX_APPROVALS: usize = 16;
    /// The most statements of an agreement in one order.
    pub const MAX_STATEMENTS: usize = 256;

    /// The name in logs and metrics.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Keys { .. } => "keys",
            Self::Certify { .. } => "certify",
            Self::Generate { .. } => "generate",
            Self::Stock { .. } => "stock",
            Self::Presign { .. } => "presign",
            Self::Nonces { .. } => "nonces",
            Self::Sign { .. } => "sign",
            Self::Cancel { .. } => "cancel",
            Self::Change { .. } => "change",
            Self::Agree { .. } => "agree",
            Self::Status => "status",
            Self::Audit { .. } => "audit",
            Self::Accusations => "accusations",
            Self::Mark { .. } => "mark",
        }
    }

    /// The first version of the wire format that has the order.
    #[must_use]
    pub const fn since(&self) -> u8 {
        match self {
            Self::Accusations
            | Self::Mark { .. }
            | Self::Sign { material: Material::Attempt { .. }, .. } => 2,
            _ => OLDEST,
        }
    }

    /// Returns whether the lists of the order are within their bounds.
    fn is_bounded(&self) -> bool {
        let most = crate::KeySpec::MAX_MEMBERS;
        match self {
            Self::Sign { approvals, material, .. } => {
                let fits =
                    !matches!(material, Material::Attempt { signers, .. } if signers.len() > most);
                fits && approvals.len() <= Self::MAX_APPROVALS
            }
            Self::Generate { approvals, .. }
            | Self::Mark { approvals, .. }
            | Self::Change { approvals, .. } => approvals.len() <= Self::MAX_APPROVALS,
            Self::Presign { signers, count, .. } => {
                signers.len() <= most && *count <= Self::MAX_PRESIGNATURES
            }
            Self::Nonces { count, .. } => *count <= Self::MAX_NONCES,
            Self::Agree { statements, .. } => statements.len() <= Self::MAX_STATEMENTS,
            _ => true,
        }
    }
}

impl OrderMessage {
    /// The kind of the envelopes that carry orders.
    pub const KIND: u16 = 2;
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
    /// [`WireError::Length`], or [`WireError::Newer`] if that version has no such order.
    pub fn to_bytes_in(&self, version: u8) -> Result<Vec<u8>, WireError> {
        wire::encode(self, Self::MAX_BYTES, (self.order.since(), version))
    }

    /// Decodes an order, of which nothing is verified yet.
    ///
    /// # Errors
    /// [`WireError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WireError> {
        let message: Self = wire::decode(bytes, Self::MAX_BYTES, |one: &Self| one.order.since())?;
        if message.order.is_bounded() { Ok(message) } else { Err(WireError::Malformed) }
    }
}
