//! Accusations: what a node has found out about others.

use quorate::PartyId;
use serde::{Deserialize, Serialize};

use crate::fields::party;

/// The finding of a node that another one has broken the protocol of a run. It is evidence for the accuser alone: nodes that lie
/// accuse others, too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accusation {
    /// The node that is accused.
    #[serde(with = "party")]
    pub party: PartyId,
    /// The number of runs.
    pub count: u32,
    /// The time of the last one, in seconds since 1970.
    pub last: u64,
    /// The session of the last one.
    pub run: [u8; 32],
    /// The fault in the last one.
    pub fault: String,
}
