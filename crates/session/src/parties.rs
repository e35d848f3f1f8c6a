//! Sets of parties.

use alloc::vec::Vec;

use crate::{ParamError, PartyId, wire::bounded};

impl TryFrom<u16> for PartyId {
    type Error = ParamError;

    fn try_from(number: u16) -> Result<Self, ParamError> {
        Self::new(number).ok_or(ParamError::ZeroParty)
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

    /// The number of parties: 2 to 65535.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a set of parties is never empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// [`Self::len`] in two bytes: distinct numbers of two bytes without zero are at most 65535.
    #[must_use]
    pub fn count(&self) -> u16 {
        bounded(self.0.len())
    }

    /// Returns whether `party` is one of them.
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
