//! One value for each of several parties.

use alloc::vec::{self, Vec};
use core::{fmt, iter, slice};

use crate::PartyId;

/// A value for each of several parties, by ascending party and none twice.
///
/// ```
/// use quorate_session::{PartyId, PerParty};
///
/// let [one, two] = [1, 2].map(|number| PartyId::new(number).expect("not zero"));
/// let names = PerParty::from_iter([(two, "bob"), (one, "alice")]);
/// assert_eq!(names.get(two), Some(&"bob"));
/// assert!(names.values().eq(&["alice", "bob"]));
/// let lengths = names.map(|_, name| name.len());
/// assert!(lengths.into_iter().eq([(one, 5), (two, 3)]));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PerParty<T>(Vec<(PartyId, T)>);

impl<T> PerParty<T> {
    /// No party.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// No party yet, with room for as many as will come: growing would move the values to another block.
    #[must_use]
    pub fn with_capacity(parties: usize) -> Self {
        Self(Vec::with_capacity(parties))
    }

    /// The number of parties.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there is no party.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of `party`.
    #[must_use]
    pub fn get(&self, party: PartyId) -> Option<&T> {
        let index = self.position(party).ok()?;
        self.0.get(index).map(|(_, value)| value)
    }

    /// The value of `party`, for writing.
    #[must_use]
    pub fn get_mut(&mut self, party: PartyId) -> Option<&mut T> {
        let index = self.position(party).ok()?;
        self.0.get_mut(index).map(|(_, value)| value)
    }

    /// Gives `party` a value, and returns the one that it had.
    pub fn insert(&mut self, party: PartyId, value: T) -> Option<T> {
        match self.position(party) {
            Ok(index) => {
                let (_, held) = self.0.get_mut(index)?;
                Some(core::mem::replace(held, value))
            }
            Err(index) => {
                self.0.insert(index, (party, value));
                None
            }
        }
    }

    /// Gives `party` a value unless it has one.
    pub fn or_insert(&mut self, party: PartyId, value: T) {
        if let Err(index) = self.position(party) {
            self.0.insert(index, (party, value));
        }
    }

    /// These values, with another for `party`.
    #[must_use]
    pub fn with(mut self, party: PartyId, value: T) -> Self {
        drop(self.insert(party, value));
        self
    }

    /// The parties with their values.
    pub fn iter(
        &self,
    ) -> impl ExactSizeIterator<Item = (PartyId, &T)> + DoubleEndedIterator + Clone {
        self.into_iter()
    }

    /// The values alone.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &T> + DoubleEndedIterator + Clone {
        self.0.iter().map(|(_, value)| value)
    }

    /// The parties and their values as a slice.
    #[must_use]
    pub fn as_slice(&self) -> &[(PartyId, T)] {
        &self.0
    }

    /// The values that `change` makes of these.
    pub fn map<U>(self, mut change: impl FnMut(PartyId, T) -> U) -> PerParty<U> {
        PerParty(self.0.into_iter().map(|(party, value)| (party, change(party, value))).collect())
    }

    /// The place of `party`, or the one where it would stand.
    fn position(&self, party: PartyId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&party, |(held, _)| *held)
    }
}

impl<T> Default for PerParty<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for PerParty<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

/// Takes pairs in any order; of two for one party, the last counts.
impl<T> FromIterator<(PartyId, T)> for PerParty<T> {
    fn from_iter<I: IntoIterator<Item = (PartyId, T)>>(pairs: I) -> Self {
        let pairs = pairs.into_iter();
        let mut made = Self::with_capacity(pairs.size_hint().0);
        for (party, value) in pairs {
            made.insert(party, value);
        }
        made
    }
}

impl<T> IntoIterator for PerParty<T> {
    type Item = (PartyId, T);
    type IntoIter = vec::IntoIter<(PartyId, T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

type Pairs<'a, T> =
    iter::Map<slice::Iter<'a, (PartyId, T)>, fn(&'a (PartyId, T)) -> (PartyId, &'a T)>;

impl<'a, T> IntoIterator for &'a PerParty<T> {
    type Item = (PartyId, &'a T);
    type IntoIter = Pairs<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(|(party, value)| (*party, value))
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, vec::Vec};

    use super::PerParty;
    use crate::PartyId;

    fn id(number: u16) -> PartyId {
        PartyId::new(number).unwrap()
    }

    /// The numbers 3, 1, 2, each squared.
    fn squares() -> PerParty<u16> {
        [3, 1, 2].into_iter().map(|number| (id(number), number * number)).collect()
    }

    #[test]
    fn ascends_whatever_comes_first() {
        let mut all = squares();
        assert!(all.iter().eq([(id(1), &1), (id(2), &4), (id(3), &9)]));
        assert_eq!(all.insert(id(65535), 7), None);
        assert_eq!(all.insert(id(2), 5), Some(4));
        all.or_insert(id(3), 6);
        all.or_insert(id(9), 81);
        assert!(all.values().eq(&[1, 5, 9, 81, 7]));
        assert_eq!((all.len(), all.iter().len()), (5, 5));
        assert_eq!(all.as_slice().first(), Some(&(id(1), 1)));
    }

    #[test]
    fn finds_by_party() {
        let mut all = squares();
        assert_eq!(
            [1, 2, 3, 4].map(|number| all.get(id(number)).copied()),
            [Some(1), Some(4), Some(9), None]
        );
        *all.get_mut(id(3)).unwrap() = 8;
        assert_eq!(all.get_mut(id(4)), None);
        assert_eq!(all.with(id(4), 16).get(id(3)), Some(&8));
        assert!(PerParty::<u8>::default().is_empty());
    }

    #[test]
    fn the_last_of_one_party_stays() {
        let twice = PerParty::from_iter([(id(2), 'a'), (id(1), 'b'), (id(2), 'c')]);
        assert_eq!(twice.into_iter().collect::<Vec<_>>(), [(id(1), 'b'), (id(2), 'c')]);
    }

    #[test]
    fn maps_and_prints() {
        let doubled = squares().map(|party, square| square * 2 + party.get());
        assert_eq!(format!("{doubled:?}"), "{1: 3, 2: 10, 3: 21}");
        let read = squares().into_iter().map(|(party, value)| Some((party, value.checked_sub(2)?)));
        assert_eq!(read.collect::<Option<PerParty<_>>>(), None);
    }
}
