//! Entries of a log, and their hashes.

use std::collections::BTreeMap;

use custody_core::{Reason, RequestId, SignedHead};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::hex::Hex;

/// The hash of an entry and of all before it.
pub type EntryHash = Hex<32>;

/// An entry of a node's log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The number, one more than that of the entry before. The first entry of a node has the number 0.
    pub sequence: u64,
    /// The time of the node's clock, in seconds since 1970.
    pub time: u64,
    /// The event.
    pub event: Event,
    /// The hash of the entry before; of the first one the hash of the node's name.
    pub previous: EntryHash,
}

/// An event that is logged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A decision about a request.
    Decision(Box<Decision>),
    /// The deletion of old entries, after their export.
    Pruned {
        /// The number of the last entry that is deleted.
        through: u64,
        /// The hash of that entry.
        hash: EntryHash,
    },
    /// Another node has broken the protocol of a run, as this one found.
    Accused {
        /// The name of the other node.
        node: String,
        /// The session of the run.
        run: Hex<32>,
        /// The fault.
        fault: String,
    },
}

/// A decision about a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The id of the request.
    pub request: RequestId,
    /// The name of the caller.
    pub caller: String,
    /// The part of the request that the caller signed, without the body.
    pub head: SignedHead,
    /// The parts of the approvals that their approvers signed.
    pub approvals: Vec<SignedHead>,
    /// The facts that the node decoded: what [`summary`](crate::summary) gives.
    pub summary: BTreeMap<String, String>,
    /// The identifiers of the policies that decided.
    pub policies: Vec<String>,
    /// The answer.
    pub answer: Answer,
}

/// An answer to a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// A share of a signature, of which the ledger has this claim.
    Released {
        /// The id of the claim.
        claim: Hex<32>,
    },
    /// A change that was made.
    Done,
    /// A refusal.
    Refused {
        /// The reason.
        reason: Reason,
        /// The details.
        detail: String,
    },
}

impl Entry {
    /// The hash: SHA-256 of a domain and the entry in `postcard`, which has one encoding of it.
    #[must_use]
    pub fn hash(&self) -> EntryHash {
        // Numbers, texts and lists always have an encoding.
        let bytes = postcard::to_stdvec(self).unwrap_or_default();
        let hash = Sha256::new().chain_update(b"quorate custody log entry v1\0");
        Hex(hash.chain_update(bytes).finalize().into())
    }

    /// The decision, if it is one.
    pub(crate) fn decision(&self) -> Option<&Decision> {
        if let Event::Decision(decision) = &self.event { Some(decision) } else { None }
    }
}

/// The hash that stands for the entry before the first.
pub(crate) fn origin(node: &str) -> EntryHash {
    let hash = Sha256::new().chain_update(b"quorate custody log origin v1\0");
    Hex(hash.chain_update(node).finalize().into())
}
