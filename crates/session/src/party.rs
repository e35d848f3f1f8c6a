//! Numbers and names of a run: party identifiers, session identifiers, round numbers.

use core::{fmt, num::NonZeroU16};

/// The identifier of a party: a number from 1 to 65535 that stays the same for the life of a key.
///
/// An identifier is never an index into a list: the position of a party changes with the set it is in
/// ([`Parties::position`](crate::Parties::position)), its identifier does not. Zero is not an identifier because in Shamir
/// sharing the value at zero is the secret itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartyId(NonZeroU16);

impl PartyId {
    pub(crate) const MIN: Self = Self(NonZeroU16::MIN);
    pub(crate) const MAX: Self = Self(NonZeroU16::MAX);

    /// The party with this number, or `None` for zero.
    #[must_use]
    pub const fn new(number: u16) -> Option<Self> {
        match NonZeroU16::new(number) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }

    /// The number, from 1 to 65535.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0.get()
    }
}

impl From<NonZeroU16> for PartyId {
    fn from(number: NonZeroU16) -> Self {
        Self(number)
    }
}

impl From<PartyId> for u16 {
    fn from(party: PartyId) -> Self {
        party.get()
    }
}

/// The number alone: `7`.
impl fmt::Debug for PartyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.get(), f)
    }
}

/// The number alone: `7`.
impl fmt::Display for PartyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.get(), f)
    }
}

/// The name of one run, agreed by all its parties beforehand and **never used twice**.
///
/// The session id goes first into every transcript. The caller decides how parties agree on one: a counter
/// in a database, or the hash of a request that is itself unique, will do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId([u8; 32]);

impl SessionId {
    /// A session id from 32 bytes that no other run has used.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionId(")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}

/// The number of a round of communication, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Round(pub u8);

impl Round {
    /// The round that [`Session::start`](crate::Session::start) sends the messages of.
    pub const FIRST: Self = Self(1);

    /// The number, counted from 1.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    pub(crate) const fn following(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// The number alone: `2`.
impl fmt::Debug for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// The number alone: `2`.
impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
