//! Messages between nodes, beside the packets of runs.

use serde::{Deserialize, Serialize};

use crate::wire::{self, OLDEST, WireError};

/// The kind of the envelopes that carry packets of runs, from node to node.
pub const PACKET_KIND: u16 = 1;

/// The head of a node's ledger: the number of its steps, and a random mark of the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerHead {
    /// The number of steps.
    pub step: u64,
    /// The mark.
    pub mark: [u8; 16],
}

/// The periodic message of a node to each other one. It says nothing of the node itself, as a network can repeat it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// A challenge, which the [`Witness`] answers.
    pub challenge: Vec<u8>,
}

/// The answer of a node to a heartbeat. The challenge shows that it is fresh. If the node [relies](Self::relies) on its databases, a
/// second message in the envelope is its life: 16 bytes, which it draws anew when it does not know that they are the latest. A
/// release before has no such message, and its life is zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    /// How far the other node had come by its last answer to this one.
    pub seen: Option<LedgerHead>,
    /// `true` if this node has heard so since it was started, while the other one relied on its databases.
    pub vouches: bool,
    /// How far this node has come.
    pub head: Option<LedgerHead>,
    /// `true` if this node knows that its databases are the latest, and works with them.
    pub relies: bool,
}

/// The longest message, in bytes.
const MAX_BYTES: usize = 1024;

impl Heartbeat {
    /// The kind of the envelopes that carry heartbeats.
    pub const KIND: u16 = 4;

    /// The encoding.
    ///
    /// # Errors
    /// [`WireError::Length`] if the challenge is too long.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WireError> {
        wire::encode(self, MAX_BYTES, (OLDEST, OLDEST))
    }

    /// Decodes a heartbeat.
    ///
    /// # Errors
    /// [`WireError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WireError> {
        wire::decode(bytes, MAX_BYTES, |_| OLDEST)
    }
}

impl Witness {
    /// The kind of the envelopes that carry answers to heartbeats.
    pub const KIND: u16 = 5;

    /// The encoding.
    ///
    /// # Errors
    /// None in practice: the encoding is short.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WireError> {
        wire::encode(self, MAX_BYTES, (OLDEST, OLDEST))
    }

    /// Decodes a witness message.
    ///
    /// # Errors
    /// [`WireError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WireError> {
        wire::decode(bytes, MAX_BYTES, |_| OLDEST)
    }
}
