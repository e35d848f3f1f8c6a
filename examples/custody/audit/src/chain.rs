//! The end of a log, to which entries are appended, and what a node signs about it.

use quorate_envelope::{Identity, PublicIdentity};
use serde::{Deserialize, Serialize};

use crate::entry::{Entry, EntryHash, Event, origin};
use crate::hex::Hex;

const DOMAIN: &str = "quorate custody log head v1";

/// The end of a log. The node stores the entries; this gives each its number and its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    node: String,
    next: u64,
    previous: EntryHash,
}

/// The place of an entry in a node's log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The name of the node.
    pub node: String,
    /// The number of the entry.
    pub sequence: u64,
    /// The hash of the entry.
    pub hash: EntryHash,
    /// The time of the node's clock at the signature, in seconds since 1970.
    pub time: u64,
}

/// A head with the node's signature: no entry up to it can be altered, removed or added.
///
/// A node signs one at intervals, for each export, and before it deletes entries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedLogHead {
    /// The head.
    pub head: Head,
    /// The signature by the node's identity.
    pub signature: Hex<64>,
}

impl Chain {
    /// The log of a node that has no entries.
    #[must_use]
    pub fn new(node: &str) -> Self {
        Self { node: node.into(), next: 0, previous: origin(node) }
    }

    /// The log of a node whose last entry is this one.
    #[must_use]
    pub fn after(node: &str, last: &Entry) -> Self {
        Self { node: node.into(), next: last.sequence.saturating_add(1), previous: last.hash() }
    }

    /// Makes the next entry.
    ///
    /// The node stores it in the transaction that records the decision. If the transaction fails, it goes back to the chain
    /// that it had before, or begins again [after](Self::after) the last entry of its database.
    pub fn append(&mut self, time: u64, event: Event) -> Entry {
        let entry = Entry { sequence: self.next, time, event, previous: self.previous };
        *self = Self::after(&self.node, &entry);
        entry
    }

    /// The place of the last entry; `None` if there is none.
    #[must_use]
    pub fn head(&self, time: u64) -> Option<Head> {
        let sequence = self.next.checked_sub(1)?;
        Some(Head { node: self.node.clone(), sequence, hash: self.previous, time })
    }
}

impl Head {
    /// Signs the head.
    #[must_use]
    pub fn sign(self, identity: &Identity) -> SignedLogHead {
        let signature = Hex(identity.sign_statement(DOMAIN, &self.to_bytes()));
        SignedLogHead { head: self, signature }
    }

    /// The event to append before the entries up to this head are deleted.
    #[must_use]
    pub const fn pruned(&self) -> Event {
        Event::Pruned { through: self.sequence, hash: self.hash }
    }

    /// The signed bytes.
    fn to_bytes(&self) -> Vec<u8> {
        // Numbers and texts always have an encoding.
        postcard::to_stdvec(self).unwrap_or_default()
    }
}

impl SignedLogHead {
    /// Returns whether the holder of these keys signed the head.
    #[must_use]
    pub fn verify(&self, node: &PublicIdentity) -> bool {
        node.verify_statement(DOMAIN, &self.head.to_bytes(), &self.signature.0)
    }
}
