//! The versions of an application's messages: during an upgrade two releases speak the highest that both understand.

use core::fmt;

/// A range of versions of the application's messages, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Versions {
    lowest: u8,
    highest: u8,
}

/// The version of an envelope's messages, and those that its sender understands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spoken {
    /// The version of the messages.
    pub version: u8,
    /// The versions that the sender understands.
    pub understood: Versions,
}

impl Versions {
    /// Version 1 alone.
    pub const FIRST: Self = Self { lowest: 1, highest: 1 };

    /// A range from the lowest to the highest; `None` if it begins at 0 or ends before it begins.
    #[must_use]
    pub const fn new(lowest: u8, highest: u8) -> Option<Self> {
        if lowest == 0 || highest < lowest { None } else { Some(Self { lowest, highest }) }
    }

    /// The lowest version.
    #[must_use]
    pub const fn lowest(self) -> u8 {
        self.lowest
    }

    /// The highest version.
    #[must_use]
    pub const fn highest(self) -> u8 {
        self.highest
    }

    /// Returns whether a version is in the range.
    #[must_use]
    pub const fn contains(self, version: u8) -> bool {
        self.lowest <= version && version <= self.highest
    }

    /// The highest version of both ranges.
    #[must_use]
    pub fn common(self, other: Self) -> Option<u8> {
        let highest = self.highest.min(other.highest);
        (self.contains(highest) && other.contains(highest)).then_some(highest)
    }
}

impl Spoken {
    /// Version 1 of a sender that understands no other.
    pub const FIRST: Self = Self { version: 1, understood: Versions::FIRST };
}

impl fmt::Display for Versions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "versions {} to {}", self.lowest, self.highest)
    }
}
