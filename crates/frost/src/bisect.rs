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
/// `holds` tells whether a part is free of bad items. Few bad items cost about one check of
/// everything, in blocks, and a bisection each; many cost about one single check an item, since
/// blocks shrink where items are bad and grow again where they are not.
pub(crate) fn bad_items(n: usize, holds: impl FnMut(Range<usize>) -> bool) -> Vec<usize> {
    let mut search = Search { holds, bad: Vec::new() };
    if n <= BLOCK {
        search.split(0..n);
        return search.bad;
    }
    let (mut start, mut size, mut successes) = (0usize, BLOCK, 0u32);
    while start < n {
        let block = start..start.saturating_add(size).min(n);
        start = block.end;
        if (search.holds)(block.clone()) {
            successes = successes.saturating_add(1);
            if successes >= 2 {
                size = size.saturating_mul(2).min(BLOCK);
            }
            continue;
        }
        successes = 0;
        size = if search.split(block) { 1 } else { (size >> 2).max(1) };
    }
    search.bad
}

struct Search<F> {
    holds: F,
    bad: Vec<usize>,
}

impl<F: FnMut(Range<usize>) -> bool> Search<F> {
    /// Finds the bad items of a part that is known to have some, and tells whether they were in
    /// both its halves: then there may be many, and they are looked at one by one.
    fn split(&mut self, part: Range<usize>) -> bool {
        if part.len() <= FEW {
            self.each(part);
            return false;
        }
        let middle = part.start.saturating_add(part.len() >> 1);
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

    /// Checks the items of a part that is known to have a bad one. If all others are good, it is
    /// the last.
    fn each(&mut self, part: Range<usize>) {
        let before = self.bad.len();
        for at in part.clone() {
            let last = at.saturating_add(1) == part.end;
            let inferred = last && self.bad.len() == before;
            if inferred || !(self.holds)(at..at.saturating_add(1)) {
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
