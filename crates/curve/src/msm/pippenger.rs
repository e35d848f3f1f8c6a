//! Pippenger's buckets with signed digits, for long sums.
//!
//! N. Pippenger, "On the evaluation of powers and related problems", FOCS 1976; as in D. J.
//! Bernstein, J. Doumen, T. Lange, J.-J. Oosterwijk, "Faster batch forgery identification",
//! INDOCRYPT 2012.

use alloc::vec;
use alloc::vec::Vec;

use super::terms::{Term, most_bits, window};
use crate::Curve;

/// The sum of all terms.
pub(crate) fn sum<C: Curve>(terms: &[Term<C>]) -> C::Point {
    let bits = most_bits(terms);
    let width = best_width(terms.len(), bits);
    let windows = windows(bits, width);
    let mut carries = vec![false; terms.len()];
    let mut sums: Vec<C::Point> = Vec::new();
    for index in 0..windows {
        sums.push(window_sum(terms, &mut carries, index * width, width));
    }
    sums.iter()
        .rev()
        .fold(C::identity(), |sum, window| (0..width).fold(sum, |sum, _| C::double(&sum)) + *window)
}

/// The sum of the terms' digits at `position` times their points.
fn window_sum<C: Curve>(
    terms: &[Term<C>],
    carries: &mut [bool],
    position: u32,
    width: u32,
) -> C::Point {
    // Bucket i collects the points whose digit is i + 1 or -(i + 1).
    let mut buckets: Vec<Option<C::Point>> = vec![None; 1 << (width - 1)];
    for (term, carry) in terms.iter().zip(carries) {
        let (size, negative) = digit(&term.limbs, position, width, carry);
        let Some(bucket) = size
            .checked_sub(1)
            .and_then(|index| usize::try_from(index).ok().and_then(|index| buckets.get_mut(index)))
        else {
            continue;
        };
        *bucket = Some(match *bucket {
            Some(sum) if negative => sum - term.point,
            Some(sum) => sum + term.point,
            None if negative => -term.point,
            None => term.point,
        });
    }
    // Each bucket times its index, by sums of sums.
    let mut running: Option<C::Point> = None;
    let mut total: Option<C::Point> = None;
    for bucket in buckets.iter().rev() {
        running = plus::<C>(running, *bucket);
        total = plus::<C>(total, running);
    }
    total.unwrap_or_else(C::identity)
}

/// The digit at `position`, from -2^(width-1) to 2^(width-1), as its size and sign.
fn digit(limbs: &[u64; 8], position: u32, width: u32, carry: &mut bool) -> (u32, bool) {
    let value = window(limbs, position, width) + u32::from(*carry);
    *carry = value > 1 << (width - 1);
    if *carry { ((1 << width) - value, true) } else { (value, false) }
}

fn plus<C: Curve>(a: Option<C::Point>, b: Option<C::Point>) -> Option<C::Point> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a + b),
        (a, None) => a,
        (None, b) => b,
    }
}

/// Number of windows that hold `bits` bits and the carry out of them.
fn windows(bits: u32, width: u32) -> u32 {
    (bits + 1).div_ceil(width)
}

/// The width that makes the fewest additions.
fn best_width(terms: usize, bits: u32) -> u32 {
    let terms = u64::try_from(terms).unwrap_or(u64::MAX >> 16);
    (3..=15)
        .min_by_key(|width| u64::from(windows(bits, *width)) * (terms + (1u64 << (width - 1))))
        .unwrap_or(6)
}
