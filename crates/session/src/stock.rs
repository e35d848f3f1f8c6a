//! Stocks of presignatures and nonces, which are made ahead of time and spent once: the indices that are left, the number
//! to make, and the fate of the others.

use alloc::vec::Vec;
use core::fmt;
use core::ops::RangeInclusive;

use crate::wire::{ReadError, Reader, bounded, index, wide};

/// The two numbers of items between which a stock is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WaterMarks {
    /// The low mark: if fewer are left, it is time to make more.
    pub low: usize,
    /// The number to fill the stock up to.
    pub high: usize,
}

impl WaterMarks {
    /// The number of items to make if `left` are left: none until they have fallen below the low mark.
    #[must_use]
    pub const fn to_make(self, left: usize) -> usize {
        if left < self.low { self.high.saturating_sub(left) } else { 0 }
    }
}

/// Counts of the items of a stock since it was created, by their fate. They are stored with it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counters {
    /// Items that were added.
    pub made: u64,
    /// Items that were claimed.
    pub claimed: u64,
    /// Items that were dropped unused, as after a refresh.
    pub expired: u64,
    /// Claims that were refused.
    pub refused: u64,
}

impl Counters {
    /// Bytes of the stored form.
    pub const LENGTH: usize = 32;

    /// Appends `made (8) ‖ claimed (8) ‖ expired (8) ‖ refused (8)`.
    pub fn put(&self, bytes: &mut Vec<u8>) {
        for count in [self.made, self.claimed, self.expired, self.refused] {
            bytes.extend_from_slice(&count.to_be_bytes());
        }
    }

    /// Reads what [`put`](Self::put) wrote.
    ///
    /// # Errors
    /// [`ReadError::Truncated`] if bytes are missing.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, ReadError> {
        let [made, claimed] = [reader.u64()?, reader.u64()?];
        Ok(Self { made, claimed, expired: reader.u64()?, refused: reader.u64()? })
    }

    /// Adds to a count.
    pub fn add(count: &mut u64, number: usize) {
        *count = count.saturating_add(wide(number));
    }
}

/// A set of indices as ranges: ascending, and separated by at least one index.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Ranges(Vec<(u32, u32)>);

/// The reason why bytes are no set of ranges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RangesError {
    /// The bytes end before the ranges do.
    Truncated,
    /// More ranges than such a set may have.
    TooMany {
        /// The most.
        most: usize,
        /// The number that the bytes announce.
        got: usize,
    },
    /// A range that ends before it begins.
    Backwards {
        /// The first index of the range.
        first: u32,
        /// The last index of the range.
        last: u32,
    },
    /// Two ranges without an index between them: they overlap, touch, or are not in ascending order.
    NotApart {
        /// The last index of the earlier range.
        end: u32,
        /// The first index of the later range.
        first: u32,
    },
    /// An index above the greatest.
    OutOfRange {
        /// The greatest.
        most: u32,
        /// The index.
        got: u32,
    },
}

impl fmt::Display for RangesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => f.write_str("the bytes end before the ranges do"),
            Self::TooMany { most, got } => write!(f, "got {got} ranges, expected at most {most}"),
            Self::Backwards { first, last } => {
                write!(f, "got a range from {first} to {last}, expected its end behind its start")
            }
            Self::NotApart { end, first } => write!(
                f,
                "got a range from {first} behind one to {end}, expected ascending ranges with an index between them"
            ),
            Self::OutOfRange { most, got } => write!(f, "got index {got}, expected at most {most}"),
        }
    }
}

impl core::error::Error for RangesError {}

impl From<ReadError> for RangesError {
    fn from(_: ReadError) -> Self {
        Self::Truncated
    }
}

impl Ranges {
    /// The empty set.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds an index that is greater than all others; any other is ignored.
    pub fn push(&mut self, index: u32) {
        match self.0.last_mut() {
            Some((_, last)) if index <= *last => {}
            Some((_, last)) if last.checked_add(1) == Some(index) => *last = index,
            _ => self.0.push((index, index)),
        }
    }

    /// Adds an index, wherever it lies.
    pub fn insert(&mut self, index: u32) {
        // The first range that ends at or after the index before this one: it contains the index, touches it, or lies after it.
        let at = self
            .0
            .partition_point(|(_, last)| last.checked_add(1).is_some_and(|next| next < index));
        let joined = match self.0.get_mut(at) {
            Some((first, last)) if *first <= index => {
                *last = index.max(*last);
                *last
            }
            Some((first, _)) if index.checked_add(1) == Some(*first) => {
                *first = index;
                return;
            }
            _ => return self.0.insert(at, (index, index)),
        };
        // The new index may have closed the gap to the next range.
        let next = at.saturating_add(1);
        if let Some((_, last)) =
            self.0.get(next).copied().filter(|(first, _)| joined.checked_add(1) == Some(*first))
        {
            self.0.remove(next);
            if let Some(range) = self.0.get_mut(at) {
                range.1 = last;
            }
        }
    }

    /// The number of indices.
    #[must_use]
    pub fn len(&self) -> u64 {
        let lengths = self.0.iter().map(|(first, last)| u64::from(last.saturating_sub(*first)));
        lengths.fold(0, |sum, length| sum.saturating_add(length).saturating_add(1))
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The ranges, ascending.
    pub fn ranges(&self) -> impl ExactSizeIterator<Item = RangeInclusive<u32>> + '_ {
        self.0.iter().map(|(first, last)| *first..=*last)
    }

    /// The indices, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.ranges().flatten()
    }

    /// Returns whether an index is in the set.
    #[must_use]
    pub fn contains(&self, index: u32) -> bool {
        let at = self.0.partition_point(|(_, last)| *last < index);
        self.0.get(at).is_some_and(|(first, _)| *first <= index)
    }

    /// The indices that are in both sets. The number of steps is at most the number of ranges of both together.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        Self(steps(&self.0, &other.0).flatten().collect())
    }

    /// Bytes of the stored form.
    #[must_use]
    pub fn encoded_len(&self) -> usize {
        self.0.len() * 8 + 4
    }

    /// Appends `number of ranges (4) ‖ for each first (4) ‖ last (4)`.
    pub fn put(&self, bytes: &mut Vec<u8>) {
        // At most 2^31: between two ranges is an index that is in none.
        let count: u32 = bounded(self.0.len());
        bytes.extend_from_slice(&count.to_be_bytes());
        for (first, last) in &self.0 {
            bytes.extend_from_slice(&first.to_be_bytes());
            bytes.extend_from_slice(&last.to_be_bytes());
        }
    }

    /// Reads what [`put`](Self::put) wrote, strictly: at most `ranges` ranges, none of which ends above `most`. Room is made
    /// only for as many as the bytes can hold.
    ///
    /// # Errors
    /// [`RangesError`].
    pub fn read(reader: &mut Reader<'_>, ranges: usize, most: u32) -> Result<Self, RangesError> {
        let got = index(reader.u32()?);
        if got > ranges {
            return Err(RangesError::TooMany { most: ranges, got });
        }
        reader.expect(got, 8)?;
        let mut all: Vec<(u32, u32)> = Vec::with_capacity(got);
        for _ in 0..got {
            let (first, last) = (reader.u32()?, reader.u32()?);
            if last < first {
                return Err(RangesError::Backwards { first, last });
            }
            match all.last() {
                // Touching ranges are one.
                Some((_, end)) if end.checked_add(1).is_none_or(|next| first <= next) => {
                    return Err(RangesError::NotApart { end: *end, first });
                }
                _ => {}
            }
            if last > most {
                return Err(RangesError::OutOfRange { most, got: last });
            }
            all.push((first, last));
        }
        Ok(Self(all))
    }
}

/// The steps of an intersection. Each step finishes the range that ends first, of either side, and gives the part that it
/// shares with the other side's range.
fn steps<'a>(
    mut mine: &'a [(u32, u32)],
    mut theirs: &'a [(u32, u32)],
) -> impl Iterator<Item = Option<(u32, u32)>> + 'a {
    core::iter::from_fn(move || {
        let ((first, last), mine_left) = mine.split_first()?;
        let ((their_first, their_last), theirs_left) = theirs.split_first()?;
        if last <= their_last {
            mine = mine_left;
        } else {
            theirs = theirs_left;
        }
        let (from, to) = (*first.max(their_first), *last.min(their_last));
        Some((from <= to).then_some((from, to)))
    })
}

impl fmt::Debug for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.ranges()).finish()
    }
}

impl FromIterator<u32> for Ranges {
    /// Collects ascending indices; one that is not greater than all before it is ignored.
    fn from_iter<I: IntoIterator<Item = u32>>(indices: I) -> Self {
        let mut ranges = Self::new();
        indices.into_iter().for_each(|index| ranges.push(index));
        ranges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_in_any_order_are_the_same_set() {
        let mut random = quorate_testkit::Lcg(7);
        for _ in 0..300 {
            let span = 1 + random.below(24);
            let count = random.below(2 * span);
            let drawn = core::iter::repeat_with(|| u32::try_from(random.below(span)).unwrap_or(0));
            let drawn: Vec<u32> = drawn.take(count).chain([u32::MAX, u32::MAX]).collect();
            let mut one = Ranges::new();
            drawn.iter().for_each(|index| one.insert(*index));
            let ordered: alloc::collections::BTreeSet<u32> = drawn.iter().copied().collect();
            assert_eq!(one, ordered.into_iter().collect());
        }
        let mut ends = Ranges::new();
        [u32::MAX, 0, u32::MAX - 1, 1].into_iter().for_each(|index| ends.insert(index));
        assert!(ends.ranges().eq([0..=1, u32::MAX - 1..=u32::MAX]));
    }

    /// A step for each range at the most: a million names take two million steps, wherever the ranges lie.
    #[test]
    fn an_intersection_takes_a_step_for_each_range() {
        let every =
            |step: usize, count: usize| -> Ranges { (0u32..).step_by(step).take(count).collect() };
        let million = 1_000_000;
        for (mine, theirs) in [
            (every(2, million), every(2, million)),
            (every(2, million), every(3, million)),
            (every(2, million), every(1, million)),
            (every(2, 10), every(2, million)),
            (every(2, 0), every(2, million)),
        ] {
            let most = mine.0.len() + theirs.0.len();
            let taken = steps(&mine.0, &theirs.0).count();
            assert!(taken <= most, "{taken} steps for {most} ranges");
        }
        // The bound is met where nothing is in common.
        let odd: Ranges = (1u32..).step_by(2).take(million).collect();
        assert_eq!(steps(&every(2, million).0, &odd.0).count(), 2 * million - 1);
    }
}
