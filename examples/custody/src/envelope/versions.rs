//! Which version of the protocol two peers speak: the highest that both understand.
//!
//! Each envelope says what its sender understands, so an upgrade needs no order: nodes are replaced one by one, and two
//! speak the new version as soon as each has heard the other. To somebody who was not heard yet the lowest version is
//! spoken. Whoever replays an old envelope makes a peer speak an older version until the next envelope; a version that must
//! not be spoken any more is to be taken out of the range.

use core::fmt;
use std::collections::BTreeMap;

use crate::bus::Peer;

/// A range of versions, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Versions {
    pub(super) lowest: u8,
    pub(super) highest: u8,
}

impl Versions {
    /// What this build understands.
    pub const OURS: Self = Self { lowest: 1, highest: 1 };

    /// From the lowest to the highest, which is at least the lowest.
    #[must_use]
    pub const fn new(lowest: u8, highest: u8) -> Option<Self> {
        if lowest == 0 || highest < lowest { None } else { Some(Self { lowest, highest }) }
    }

    /// Whether a version is among them.
    #[must_use]
    pub const fn has(self, version: u8) -> bool {
        self.lowest <= version && version <= self.highest
    }

    /// The highest version of both.
    #[must_use]
    pub fn common(self, other: Self) -> Option<u8> {
        let highest = self.highest.min(other.highest);
        (self.has(highest) && other.has(highest)).then_some(highest)
    }
}

impl fmt::Display for Versions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "versions {} to {}", self.lowest, self.highest)
    }
}

/// What a peer speaks with each of the others.
#[derive(Clone, Debug)]
pub struct Dialects {
    ours: Versions,
    theirs: BTreeMap<Peer, Versions>,
}

impl Dialects {
    /// The dialects of somebody who has heard nobody yet.
    #[must_use]
    pub const fn new(ours: Versions) -> Self {
        Self { ours, theirs: BTreeMap::new() }
    }

    /// What this peer understands.
    #[must_use]
    pub const fn ours(&self) -> Versions {
        self.ours
    }

    /// Takes what a peer says, whose envelope was opened or whose version was not understood.
    pub fn heard(&mut self, peer: Peer, speaks: Versions) {
        self.theirs.insert(peer, speaks);
    }

    /// The version to speak with a peer. If there is none in common, it is the lowest: the peer will say why it refuses it.
    #[must_use]
    pub fn version(&self, peer: Peer) -> u8 {
        let theirs = self.theirs.get(&peer);
        theirs.and_then(|theirs| self.ours.common(*theirs)).unwrap_or(self.ours.lowest)
    }
}
