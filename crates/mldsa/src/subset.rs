//! The subsets of the parties that hold a secret each, and their partition among the signers.

use alloc::vec::Vec;

/// The most parties of a key.
pub(crate) const MAX_PARTIES: u8 = 6;

/// A set of parties by their positions in ascending order, bit by bit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Subset(pub(crate) u8);

impl Subset {
    /// The set of these positions.
    pub(crate) fn of(positions: impl IntoIterator<Item = u8>) -> Self {
        Self(positions.into_iter().fold(0, |set, at| set | 1 << at))
    }

    /// Returns whether the party at this position is a member.
    pub(crate) const fn contains(self, position: u8) -> bool {
        self.0 >> position & 1 == 1
    }

    /// The positions of the members, ascending.
    pub(crate) fn members(self) -> impl Iterator<Item = u8> {
        (0..MAX_PARTIES).filter(move |at| self.contains(*at))
    }
}

/// The threshold T and the number N of parties.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Shape {
    pub(crate) threshold: u8,
    pub(crate) parties: u8,
}

impl Shape {
    /// The subsets of N − T + 1 parties, ascending by their bits. Any T parties meet each of them, and any T − 1 parties
    /// miss at least one.
    pub(crate) fn subsets(self) -> impl Iterator<Item = Subset> {
        let size = u32::from(self.parties + 1 - self.threshold);
        (0..1_u8 << self.parties).map(Subset).filter(move |set| set.0.count_ones() == size)
    }

    /// The subsets of which the party at this position is a member.
    pub(crate) fn subsets_of(self, position: u8) -> impl Iterator<Item = Subset> {
        self.subsets().filter(move |set| set.contains(position))
    }

    /// The place of a subset among all.
    pub(crate) fn index(self, subset: Subset) -> Option<usize> {
        self.subsets().position(|set| set == subset)
    }

    /// The subsets that each of T signers takes, by the signers' ascending positions. Each subset goes to exactly
    /// one of its members, and at most ⌈C(N, T−1)/T⌉ go to each signer (ePrint 2026/013, Algorithm 6).
    ///
    /// The tables are those of the paper's authors, for the signers at 0 to T − 1. Other signers use them through
    /// the permutation that lists the signers in ascending order, and then all other parties.
    pub(crate) fn partition(self, signers: &[u8]) -> Option<Vec<Vec<Subset>>> {
        let rest = (0..self.parties).filter(|at| !signers.contains(at));
        let order: Vec<u8> = signers.iter().copied().chain(rest).collect();
        let through = |set: &u8| {
            Subset::of(Subset(*set).members().filter_map(|at| order.get(usize::from(at)).copied()))
        };
        let part = |sets: &&[u8]| sets.iter().map(through).collect();
        let whole = |sets: &u8| Subset::of(order.get(usize::from(*sets)).copied());
        if self.threshold == self.parties {
            return Some((0..self.parties).map(|at| alloc::vec![whole(&at)]).collect());
        }
        Some(table(self)?.iter().map(part).collect())
    }
}

/// Bits of positions, for the tables.
macro_rules! sets {
    ($($($at:literal)+),*) => { &[$(0 $(| 1 << $at)+),*] };
}

/// The partition among the signers at 0 to T − 1.
const fn table(shape: Shape) -> Option<&'static [&'static [u8]]> {
    let table: &[&[u8]] = match (shape.threshold, shape.parties) {
        (2, 3) => &[sets![0 1, 0 2], sets![1 2]],
        (2, 4) => &[sets![0 1 3, 0 2 3], sets![0 1 2, 1 2 3]],
        (3, 4) => &[sets![0 1, 0 3], sets![1 2, 1 3], sets![2 3, 0 2]],
        (2, 5) => &[sets![0 1 3 4, 0 2 3 4, 0 1 2 4], sets![1 2 3 4, 0 1 2 3]],
        (3, 5) => &[
            sets![0 3 4, 0 1 3, 0 1 4, 0 2 3],
            sets![0 1 2, 1 2 3, 1 2 4, 1 3 4],
            sets![2 3 4, 0 2 4],
        ],
        (4, 5) => &[sets![0 1, 0 3, 0 4], sets![1 2, 1 3, 1 4], sets![2 3, 0 2, 2 4], sets![3 4]],
        (2, 6) => &[sets![0 2 3 4 5, 0 1 2 3 5, 0 1 2 4 5], sets![1 2 3 4 5, 0 1 2 3 4, 0 1 3 4 5]],
        (3, 6) => &[
            sets![0 1 3 4, 0 1 2 4, 0 1 3 5, 0 3 4 5, 0 1 2 5],
            sets![0 1 4 5, 1 3 4 5, 1 2 3 5, 1 2 3 4, 1 2 4 5],
            sets![0 2 3 5, 0 2 4 5, 0 2 3 4, 0 1 2 3, 2 3 4 5],
        ],
        (4, 6) => &[
            sets![0 1 4, 0 2 3, 0 1 5, 0 1 2, 0 4 5],
            sets![1 3 5, 1 3 4, 1 2 5, 1 4 5, 1 2 4],
            sets![2 4 5, 0 2 4, 2 3 5, 2 3 4, 0 2 5],
            sets![0 3 4, 0 1 3, 1 2 3, 3 4 5, 0 3 5],
        ],
        (5, 6) => &[
            sets![0 1, 0 2, 0 5],
            sets![1 2, 1 3, 1 5],
            sets![2 3, 2 4, 2 5],
            sets![0 3, 3 4, 3 5],
            sets![4 5, 0 4, 1 4],
        ],
        _ => return None,
    };
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes() -> impl Iterator<Item = Shape> {
        (2..=MAX_PARTIES)
            .flat_map(|parties| (2..=parties).map(move |threshold| Shape { threshold, parties }))
    }

    /// Every set of T signers.
    fn signers(shape: Shape) -> impl Iterator<Item = Vec<u8>> {
        (0..1_u8 << shape.parties)
            .filter(move |bits| bits.count_ones() == u32::from(shape.threshold))
            .map(|bits| Subset(bits).members().collect())
    }

    #[test]
    fn any_threshold_of_parties_meet_every_subset_and_fewer_miss_one() {
        for shape in shapes() {
            for signers in signers(shape) {
                assert!(shape.subsets().all(|set| signers.iter().any(|at| set.contains(*at))));
                let fewer = &signers[1..];
                assert!(shape.subsets().any(|set| !fewer.iter().any(|at| set.contains(*at))));
            }
        }
    }

    #[test]
    fn every_subset_goes_to_one_of_its_members_and_nobody_has_too_many() {
        let mut count = 0;
        for shape in shapes() {
            let all: Vec<Subset> = shape.subsets().collect();
            let most = all.len().div_ceil(shape.threshold.into());
            for signers in signers(shape) {
                let parts = shape.partition(&signers).unwrap();
                assert_eq!(parts.len(), signers.len());
                for (part, signer) in parts.iter().zip(&signers) {
                    assert!(part.len() <= most && part.iter().all(|set| set.contains(*signer)));
                }
                let mut taken: Vec<Subset> = parts.concat();
                taken.sort_unstable();
                assert_eq!(taken, all, "{shape:?} {signers:?}");
                count += 1;
            }
        }
        // The sum of C(N, T).
        assert_eq!(count, 1 + 4 + 11 + 26 + 57);
    }

    #[test]
    fn subsets_have_places() {
        for shape in shapes() {
            for (index, set) in shape.subsets().enumerate() {
                assert_eq!(shape.index(set), Some(index));
            }
            assert_eq!(shape.index(Subset(0)), None);
            for at in 0..shape.parties {
                assert!(shape.subsets_of(at).all(|set| set.members().any(|member| member == at)));
            }
        }
    }

    #[test]
    fn other_signers_take_the_table_through_the_permutation() {
        // The signers at 1 and 3 of four: 0 becomes 1, 1 becomes 3, then come 0 and 2.
        let shape = Shape { threshold: 2, parties: 4 };
        let of = |sets: &[&[u8]]| {
            sets.iter().map(|set| Subset::of(set.iter().copied())).collect::<Vec<_>>()
        };
        let expected = [of(&[&[1, 3, 2], &[1, 0, 2]]), of(&[&[1, 3, 0], &[3, 0, 2]])];
        assert_eq!(shape.partition(&[1, 3]).unwrap(), expected);
    }
}
