//! Finding the bad items of a list with a check that takes any part of the list at once.

use alloc::vec::Vec;
use core::ops::Range;

/// The largest part that is checked before anything is known: above this size a check of the
/// whole costs about as much as the checks of its parts.
const BLOCK: usize = 32;
/// Up to here, the items of a bad part are checked one by one.
const FEW: usize = 8;

/// The places of all bad items among `0..n`, ascending, when it is known that there are some.
///
/// `holds` returns whether a part is free of bad items. Few bad items cost about one check of everything, in
/// blocks, and a bisection each. Many cost about one single check an item, since blocks shrink where items are
/// bad and grow again where they are not.
///
/// Checks of larger parts say only where to look: every item that is named has failed a check of its own. If such checks
/// contradict those of single items, a bad item may be missed, but no good one is named.
pub(crate) fn bad_items(n: usize, holds: impl FnMut(Range<usize>) -> bool) -> Vec<usize> {
    let mut search = Search { holds, bad: Vec::new() };
    if n <= BLOCK {
        search.split(0..n);
    } else {
        search.blocks(n);
    }
    // A check of a larger part was wrong. If there are more than `FEW`, some items were not checked.
    if search.bad.is_empty() && n > FEW {
        search.each(0..n);
    }
    search.bad
}

struct Search<F> {
    holds: F,
    bad: Vec<usize>,
}

impl<F: FnMut(Range<usize>) -> bool> Search<F> {
    /// Finds the bad items of more than a block.
    fn blocks(&mut self, n: usize) {
        let (mut start, mut size, mut successes) = (0usize, BLOCK, 0u32);
        while start < n {
            let block = start..start.saturating_add(size).min(n);
            start = block.end;
            if (self.holds)(block.clone()) {
                successes = successes.saturating_add(1);
                if successes >= 2 {
                    size = size.saturating_mul(2).min(BLOCK);
                }
                continue;
            }
            successes = 0;
            // A block of one item has had the check of its own.
            if block.len() == 1 {
                self.bad.push(block.start);
                continue;
            }
            size = if self.split(block) { 1 } else { (size >> 2).max(1) };
        }
    }

    /// Finds the bad items of a part that is known to have some, and returns whether both its halves had some.
    /// Then there may be many, and they are checked one by one.
    fn split(&mut self, part: Range<usize>) -> bool {
        if part.len() <= FEW {
            self.each(part);
            return false;
        }
        let middle = part.start + (part.len() >> 1);
        let (left, right) = (part.start..middle, middle..part.end);
        if (self.holds)(left.clone()) {
            self.split(right);
            return false;
        }
        if (self.holds)(right.clone()) {
            self.split(left);
            return false;
        }
        self.each(left);
        self.each(right);
        true
    }

    /// Checks the items of a part one by one. The last too: if all others are good, a contradiction would name it.
    fn each(&mut self, part: Range<usize>) {
        for at in part {
            if !(self.holds)(at..at.saturating_add(1)) {
                self.bad.push(at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_exactly_the_bad_ones() {
        for n in [1usize, 2, 3, 31, 32, 33, 100, 667] {
            let patterns: [&dyn Fn(usize) -> bool; 6] = [
                &|i| i == n >> 1,
                &|i| i == 0,
                &|i| i + 1 == n,
                &|i| i.is_multiple_of(2),
                &|_| true,
                &|i| i.is_multiple_of(7) || i == n - 1,
            ];
            for is_bad in patterns {
                let expected: Vec<_> = (0..n).filter(|i| is_bad(*i)).collect();
                let found = bad_items(n, |part| !part.into_iter().any(is_bad));
                assert_eq!(found, expected, "n = {n}");
            }
        }
    }

    /// Checks of larger parts with arbitrary answers. No good item is found, and at least one of the bad ones.
    #[test]
    fn no_good_item_is_found_by_checks_that_contradict_those_of_single_items() {
        let mut lcg = quorate_testkit::Lcg(3);
        for case in 0..2000usize {
            let n = 1 + lcg.below(100);
            let bad: Vec<bool> = (0..n).map(|_| case > 100 && lcg.below(9) == 0).collect();
            let found =
                bad_items(
                    n,
                    |part| {
                        if part.len() == 1 { !bad[part.start] } else { lcg.below(2) == 0 }
                    },
                );
            assert!(found.is_sorted() && found.iter().all(|at| bad[*at]));
            assert_eq!(found.is_empty(), !bad.contains(&true), "n = {n}");
        }
    }

    #[test]
    fn one_bad_item_costs_few_checks() {
        let mut checks = 0;
        let found = bad_items(667, |part| {
            checks += 1;
            !part.contains(&333)
        });
        assert_eq!(found, [333]);
        assert!(checks <= 34, "{checks} checks");
    }
}
