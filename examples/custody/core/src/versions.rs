//! The versions that a member reads, as it announces them.

use crate::wire::{OLDEST, VERSION, WireError};

/// The versions of orders and answers that a member reads and writes.
///
/// A node announces its own to gateways from its start on, again and again. A gateway gives orders in the highest version that
/// both have, and in [`OLDEST`] to a node that has announced nothing. A node answers in the version of the order. Messages between
/// nodes have not changed since [`OLDEST`], in which they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions {
    /// The oldest.
    pub oldest: u8,
    /// The newest.
    pub newest: u8,
}

/// The longest announcement that is read, in bytes.
const MAX_BYTES: usize = 64;

impl Versions {
    /// The kind of the envelopes that carry announcements.
    pub const KIND: u16 = 6;
    /// The versions of this release.
    pub const OWN: Self = Self { oldest: OLDEST, newest: VERSION };

    /// The highest version that both read.
    #[must_use]
    pub fn common(self, other: Self) -> Option<u8> {
        let highest = self.newest.min(other.newest);
        (highest >= self.oldest.max(other.oldest)).then_some(highest)
    }

    /// Returns whether a version is among these.
    #[must_use]
    pub const fn has(self, version: u8) -> bool {
        self.oldest <= version && version <= self.newest
    }

    /// The encoding: both numbers. It is the same in all releases, except that later ones may append to it.
    #[must_use]
    pub fn to_bytes(self) -> Vec<u8> {
        vec![self.oldest, self.newest]
    }

    /// Decodes an announcement. Bytes that follow are of a later release.
    ///
    /// # Errors
    /// [`WireError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WireError> {
        let got = bytes.len();
        let length = WireError::Length { got, most: MAX_BYTES };
        let two = bytes.first_chunk().filter(|_| got <= MAX_BYTES).ok_or(length)?;
        let [oldest, newest] = *two;
        if oldest <= newest { Ok(Self { oldest, newest }) } else { Err(WireError::Malformed) }
    }
}
