//! Who takes part: party identifiers, sets of parties, session identifiers, round numbers.

use alloc::vec::Vec;
use core::{fmt, num::NonZeroU16};

use crate::ParamError;

/// A party, by a number from 1 to 65535 that stays the same for the life of a key.
///
/// It is never an index into a list: the position of a party changes with the set it is in
/// ([`Parties::position`]), its identifier does not. Zero is not an identifier because in Shamir
/// sharing it is the secret itself.
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

impl TryFrom<u16> for PartyId {
    type Error = ParamError;

    fn try_from(number: u16) -> Result<Self, ParamError> {
        Self::new(number).ok_or(ParamError::ZeroParty)
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

/// The parties of a run: at least two, distinct, sorted, so that equal sets are equal values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Parties(Vec<PartyId>);

impl Parties {
    /// The set of these parties, in any order.
    ///
    /// # Errors
    /// [`ParamError::DuplicateParty`] if one occurs twice, [`ParamError::TooFewParties`] below two.
    pub fn new(parties: impl IntoIterator<Item = PartyId>) -> Result<Self, ParamError> {
        let mut sorted: Vec<PartyId> = parties.into_iter().collect();
        sorted.sort_unstable();
        let twice = sorted.iter().zip(sorted.iter().skip(1)).find(|(a, b)| a == b);
        if let Some((party, _)) = twice {
            return Err(ParamError::DuplicateParty(*party));
        }
        // Distinct identifiers also bound the number from above: there are 65535 of them.
        if sorted.len() < 2 {
            return Err(ParamError::TooFewParties);
        }
        Ok(Self(sorted))
    }

    /// The parties 1, 2, …, `n`.
    ///
    /// # Errors
    /// [`ParamError::TooFewParties`] if `n` is below two.
    pub fn numbered(n: u16) -> Result<Self, ParamError> {
        Self::new((1..=n).filter_map(PartyId::new))
    }

    /// The parties in ascending order.
    pub fn iter(
        &self,
    ) -> impl ExactSizeIterator<Item = PartyId> + DoubleEndedIterator + Clone + '_ {
        self.0.iter().copied()
    }

    /// How many they are: 2 to 65535.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a set of parties is never empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether `party` is one of them.
    #[must_use]
    pub fn contains(&self, party: PartyId) -> bool {
        self.position(party).is_some()
    }

    /// The place of `party` in ascending order, counted from zero.
    #[must_use]
    pub fn position(&self, party: PartyId) -> Option<usize> {
        self.0.binary_search(&party).ok()
    }

    /// The parties in ascending order, as a slice.
    #[must_use]
    pub fn as_slice(&self) -> &[PartyId] {
        &self.0
    }
}

/// The name of one run, agreed by all its parties beforehand and **never used twice**.
///
/// It goes first into every transcript. How parties agree on it is the caller's business: a counter
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
