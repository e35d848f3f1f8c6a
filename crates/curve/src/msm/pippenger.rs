//! Pippenger's buckets with signed digits, for long sums.
//!
//! N. Pippenger, "On the evaluation of powers and related problems", FOCS 1976; as in D. J.
//! Bernstein, J. Doumen, T. Lange, J.-J. Oosterwijk, "Faster batch forgery identification",
//! INDOCRYPT 2012.

use alloc::vec;
use alloc::vec::Vec;

use super::accumulator::Accumulator;
use super::affine::Runs;
use super::terms::{Term, most_bits, window};
use super::weierstrass::{Affine, Extended, Weierstrass};
use crate::Curve;

/// The sum of all terms.
pub(crate) fn sum<C: Curve>(terms: &[Term<C::Point>]) -> C::Point {
    let bits = most_bits(terms);
    // An addition for each term and two for each bucket, but a bucket's first term is free.
    let width = best_width(bits, |digits| to_u64(terms.len()) + (digits >> 1));
    let mut carries = vec![false; terms.len()];
    let sums: Vec<C::Point> = (0..windows(bits, width))
        .map(|index| window_sum::<C>(terms, &mut carries, index * width, width))
        .collect();
    sums.iter()
        .rev()
        .fold(C::identity(), |sum, window| (0..width).fold(sum, |sum, _| C::double(&sum)) + *window)
}

/// The sum of the terms' digits at `position` times their points.
fn window_sum<C: Curve>(
    terms: &[Term<C::Point>],
    carries: &mut [bool],
    position: u32,
    width: u32,
) -> C::Point {
    // Bucket i collects the points whose digit is i + 1 or -(i + 1).
    let mut buckets: Vec<Option<C::Point>> = vec![None; 1 << (width - 1)];
    for (term, carry) in terms.iter().zip(carries) {
        let Some((index, negative)) = digit(&term.limbs, position, width, carry) else {
            continue;
        };
        if let Some(bucket) = buckets.get_mut(index as usize) {
            *bucket = Some(match *bucket {
                Some(sum) if negative => sum - term.point,
                Some(sum) => sum + term.point,
                None if negative => -term.point,
                None => term.point,
            });
        }
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

fn plus<C: Curve>(a: Option<C::Point>, b: Option<C::Point>) -> Option<C::Point> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a + b),
        (a, None) => a,
        (None, b) => b,
    }
}

/// About this many points are summed at once: enough to make the inversion cheap, few enough for
/// the cache. Measured.
const POINTS_AT_ONCE: usize = 1400;

/// The sum of all terms on a Weierstrass curve; `points` are the terms' points.
pub(crate) fn sum_weierstrass<C: Weierstrass>(
    terms: &[Term<C::Point>],
    points: &[Affine<C>],
) -> Extended<C> {
    let bits = most_bits(terms);
    // Multiplications: six for each term but the first in a bucket, 24 for each bucket.
    let width = best_width(bits, |digits| 6 * to_u64(terms.len()) + 9 * digits);
    let windows: Vec<u32> = (0..windows(bits, width)).collect();
    let at_once = POINTS_AT_ONCE.checked_div(terms.len()).unwrap_or(1).max(1);
    let mut carries = vec![false; terms.len()];
    let mut sums: Vec<Extended<C>> = Vec::with_capacity(windows.len());
    for indices in windows.chunks(at_once) {
        let runs = runs(terms, points, &mut carries, indices, width);
        sums.extend(runs.sums().chunks(1 << (width - 1)).map(weighted));
    }
    sums.iter().rev().fold(Extended::zero(), |mut sum, window| {
        (0..width).for_each(|_| sum.double());
        sum.plus(window)
    })
}

/// The buckets of some windows, one after the other: a run of points for each.
fn runs<C: Weierstrass>(
    terms: &[Term<C::Point>],
    points: &[Affine<C>],
    carries: &mut [bool],
    indices: &[u32],
    width: u32,
) -> Runs<C> {
    // No more than 2^14, and fewer than 2^8 windows: their places have 32 bits.
    let buckets = 1u32 << (width - 1);
    let mut lengths = vec![0usize; indices.len() << (width - 1)];
    // For each digit its bucket, and twice its term's place, plus one for a negative digit.
    let mut entries: Vec<(u32, u32)> = Vec::with_capacity(terms.len() * indices.len());
    for (order, index) in (0u32..).zip(indices) {
        for ((place, term), carry) in (0u32..).step_by(2).zip(terms).zip(carries.iter_mut()) {
            if let Some((bucket, negative)) = digit(&term.limbs, index * width, width, carry) {
                let bucket = order * buckets + bucket;
                if let Some(length) = lengths.get_mut(bucket as usize) {
                    *length += 1;
                    entries.push((bucket, place + u32::from(negative)));
                }
            }
        }
    }
    // A counting sort: each bucket's points start where those before it end.
    let mut starts: Vec<usize> = lengths
        .iter()
        .scan(0, |end, length| Some(core::mem::replace(end, *end + *length)))
        .collect();
    let point = |place: u32| {
        let point = usize::try_from(place >> 1).ok().and_then(|at| points.get(at));
        point.map(|point| point.negated_if(place & 1 == 1))
    };
    let mut sorted: Vec<Affine<C>> =
        entries.iter().filter_map(|(_, place)| point(*place)).collect();
    for (bucket, place) in entries {
        if let Some(start) = usize::try_from(bucket).ok().and_then(|at| starts.get_mut(at)) {
            if let (Some(slot), Some(point)) = (sorted.get_mut(*start), point(place)) {
                *slot = point;
            }
            *start += 1;
        }
    }
    Runs { points: sorted, lengths }
}

/// Each bucket times its index, by sums of sums.
fn weighted<C: Weierstrass>(buckets: &[Option<Affine<C>>]) -> Extended<C> {
    let mut running = Extended::zero();
    let mut total = Extended::zero();
    for bucket in buckets.iter().rev() {
        if let Some(point) = bucket {
            running.add(point, false);
        }
        total = total.plus(&running);
    }
    total
}

/// The digit at `position`, from -2^(width-1) to 2^(width-1): its size less one, and whether it is
/// negative; nothing for zero.
pub(super) fn digit(
    limbs: &[u64; 8],
    position: u32,
    width: u32,
    carry: &mut bool,
) -> Option<(u32, bool)> {
    let value = window(limbs, position, width) + u32::from(*carry);
    *carry = value > 1 << (width - 1);
    let size = if *carry { (1 << width) - value } else { value };
    Some((size.checked_sub(1)?, *carry))
}

/// Number of windows that hold `bits` bits and the carry out of them.
pub(super) fn windows(bits: u32, width: u32) -> u32 {
    (bits + 1).div_ceil(width)
}

/// The width that makes a sum cheapest, given the cost of a window with 2 to the power of `width`
/// possible digits of either sign.
pub(super) fn best_width(bits: u32, cost: impl Fn(u64) -> u64) -> u32 {
    (3..=15).min_by_key(|width| u64::from(windows(bits, *width)) * cost(1 << width)).unwrap_or(6)
}

pub(super) fn to_u64(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX >> 16)
}
