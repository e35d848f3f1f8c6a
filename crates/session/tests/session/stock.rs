//! Stocks: ranges of indices, water marks, counters.

use std::collections::BTreeSet;

use quorate_session::Continuity;
use quorate_session::stock::{Counters, Ranges, RangesError, WaterMarks};
use quorate_session::wire::Reader;
use quorate_testkit::Lcg;

fn bytes(ranges: &[(u32, u32)]) -> Vec<u8> {
    let mut bytes = u32::try_from(ranges.len()).unwrap().to_be_bytes().to_vec();
    bytes
        .extend(ranges.iter().flat_map(|(first, last)| [*first, *last]).flat_map(u32::to_be_bytes));
    bytes
}

fn read(bytes: &[u8]) -> Result<Ranges, RangesError> {
    Ranges::read(&mut Reader::new(bytes), 100, u32::MAX)
}

/// A random set, dense or sparse, at either end of the numbers.
fn random(random: &mut Lcg) -> BTreeSet<u32> {
    let (count, span) = (random.below(40), 1 + random.below(100));
    let base = if random.below(2) == 0 { 0 } else { u32::MAX - u32::try_from(span).unwrap() };
    (0..count).map(|_| base + u32::try_from(random.below(span)).unwrap()).collect()
}

#[test]
fn ranges_are_the_set_that_they_stand_for() {
    let mut lcg = Lcg(1);
    for _ in 0..2000 {
        let [one, two] = [random(&mut lcg), random(&mut lcg)];
        let [mine, theirs] = [&one, &two].map(|set| set.iter().copied().collect::<Ranges>());
        assert!(mine.iter().eq(one.iter().copied()));
        assert_eq!((mine.len(), mine.is_empty()), (one.len() as u64, one.is_empty()));
        let both = mine.intersect(&theirs);
        assert!(both.iter().eq(one.intersection(&two).copied()));
        assert_eq!(both, theirs.intersect(&mine));
        assert!(one.union(&two).all(|index| mine.contains(*index) == one.contains(index)));
        // What an intersection gives is in the one form, and comes back from its bytes.
        for set in [mine, both] {
            let mut bytes = Vec::new();
            set.put(&mut bytes);
            assert_eq!((bytes.len(), read(&bytes)), (set.encoded_len(), Ok(set)));
        }
    }
}

#[test]
fn a_million_ranges_intersect() {
    let mine: Ranges = (0..2_000_000).step_by(2).collect();
    let theirs: Ranges = (0..3_000_000).step_by(3).collect();
    assert_eq!(mine.ranges().len(), 1_000_000);
    assert_eq!(mine.intersect(&theirs).len(), 333_334);
}

#[test]
fn ranges_have_one_form() {
    use RangesError::{Backwards, NotApart, OutOfRange, TooMany, Truncated};
    assert_eq!(read(&bytes(&[(0, 0), (2, u32::MAX)])).unwrap().len(), (1 << 32) - 1);
    for (wrong, why) in [
        (&[(3, 2)][..], Backwards { first: 3, last: 2 }),
        (&[(0, 5), (3, 9)], NotApart { end: 5, first: 3 }),
        (&[(0, 5), (6, 9)], NotApart { end: 5, first: 6 }),
        (&[(7, 9), (0, 5)], NotApart { end: 9, first: 0 }),
        (&[(0, 5), (0, 5)], NotApart { end: 5, first: 0 }),
        // The next index would be 2^32.
        (&[(1, u32::MAX), (0, 0)], NotApart { end: u32::MAX, first: 0 }),
        (&[(1, u32::MAX), (u32::MAX, u32::MAX)], NotApart { end: u32::MAX, first: u32::MAX }),
    ] {
        assert_eq!(read(&bytes(wrong)), Err(why));
    }
    let long = bytes(&[(0, 0); 101]);
    assert_eq!(read(&long), Err(TooMany { most: 100, got: 101 }));
    // A length that nothing follows is refused before room is made for it.
    let most = Ranges::read(&mut Reader::new(&[255; 4]), usize::MAX, 9);
    assert_eq!(most, Err(Truncated));
    let high = Ranges::read(&mut Reader::new(&bytes(&[(0, 10)])), 1, 9);
    assert_eq!(high, Err(OutOfRange { most: 9, got: 10 }));
    let honest = bytes(&[(0, 5), (7, 9)]);
    for length in 0..honest.len() {
        assert_eq!(read(&honest[..length]), Err(Truncated));
    }
}

#[test]
fn a_stock_is_filled_up_once_it_is_low() {
    let marks = WaterMarks { low: 10, high: 100 };
    assert_eq!([0, 9, 10, 50, 200].map(|left| marks.to_make(left)), [100, 91, 0, 0, 0]);
    assert_eq!(WaterMarks { low: 10, high: 5 }.to_make(7), 0);
    let mut counters = Counters { made: 1, claimed: 2, expired: 3, refused: u64::MAX };
    let mut bytes = Vec::new();
    counters.put(&mut bytes);
    assert_eq!(bytes.len(), Counters::LENGTH);
    assert_eq!(Counters::read(&mut Reader::new(&bytes)), Ok(counters));
    Counters::add(&mut counters.refused, 1);
    Counters::add(&mut counters.made, 2);
    assert_eq!((counters.refused, counters.made), (u64::MAX, 3));
}

#[test]
fn stock_beside_a_new_store_is_not_kept() {
    assert!(!Continuity::NewStore.keeps_stock());
    assert!(!Continuity::Unknown.keeps_stock());
    assert!(Continuity::Operator.keeps_stock());
}
