//! Sums of products on the curve of Ed25519.

use alloc::vec;
use alloc::vec::Vec;

use crrl::field::GF25519;
use rand_core::Rng;

use super::accumulator::Accumulator;
use super::pippenger::{best_width, digit, to_u64, windows};
use super::sparse;
use super::straus::interleaved;
use super::terms::{Term, most_bits, nonzero_terms};
use crate::Curve;
use crate::curve::short_coefficient;
use crate::edwards::{Addend, Cached, Edwards, Niels, odd_multiples};
#[cfg(target_arch = "x86_64")]
use crate::lanes::Sums;

/// From this many terms on, buckets beat tables of odd multiples, without lanes. Measured.
const BUCKETS_FROM: usize = 320;

/// The sum of every `scalars[i]` times `points[i]`, up to the shorter length.
pub(crate) fn msm_edwards<C: Curve>(
    scalars: &[C::Scalar],
    points: &[C::Point],
    coordinates: impl Fn(C::Point) -> Edwards,
) -> Edwards {
    let terms = nonzero_terms::<C>(scalars, points);
    sum(&terms.into_iter().map(|term| term.map(&coordinates)).collect::<Vec<_>>())
}

/// A point of any order, `multiplier` times; the integer is little-endian, and not reduced.
pub(crate) fn edwards_multiple(multiplier: &[u64], point: &Edwards) -> Edwards {
    let mut limbs = [0; 8];
    limbs.iter_mut().zip(multiplier).for_each(|(limb, part)| *limb = *part);
    sum(&[Term { limbs, point: *point }])
}

/// The sum of all terms.
fn sum(terms: &[Term<Edwards>]) -> Edwards {
    #[cfg(target_arch = "x86_64")]
    if let Some(lanes) = Sums::detect(terms.len()) {
        return lanes.sum(terms);
    }
    one_by_one(terms)
}

/// Returns whether tables of odd multiples beat buckets.
fn tables_pay(terms: usize) -> bool {
    #[cfg(target_arch = "x86_64")]
    if Sums::detect(terms).is_some() {
        return true;
    }
    terms < BUCKETS_FROM
}

/// The sum of all terms, by the field's own arithmetic.
pub(crate) fn one_by_one(terms: &[Term<Edwards>]) -> Edwards {
    if terms.len() < BUCKETS_FROM {
        let tables: Vec<[Cached; 8]> =
            terms.iter().map(|term| odd_multiples(&term.point)).collect();
        interleaved(terms, &tables)
    } else {
        buckets(terms)
    }
}

/// See [`Curve::batch_coefficient_vartime`]. With tables of odd multiples, the number of digits
/// matters. With buckets, the highest position of a digit does.
pub(crate) fn coefficient<C: Curve>(rng: &mut impl Rng, terms: usize) -> C::Scalar {
    if tables_pay(terms) { sparse::coefficient::<C>(rng) } else { short_coefficient::<C>(rng) }
}

impl Accumulator for Edwards {
    type Entry = Cached;

    fn zero() -> Self {
        Self::IDENTITY
    }

    fn double(&mut self) {
        *self = self.doubled(1);
    }

    fn add(&mut self, entry: &Cached, negative: bool) {
        *self = entry.added_vartime(self, negative);
    }
}

/// The sum of all terms, by Pippenger's buckets.
fn buckets(terms: &[Term<Edwards>]) -> Edwards {
    let bits = most_bits(terms);
    // Multiplications: seven for each term, 18 for each bucket.
    let width = best_width(bits, |digits| 7 * to_u64(terms.len()) + 9 * digits);
    let mut inverses: Vec<GF25519> = terms.iter().map(|term| term.point.z).collect();
    if inverses.iter().any(|z| z.equals(GF25519::ONE) == 0) {
        GF25519::batch_invert(&mut inverses);
    }
    let points: Vec<Niels> =
        terms.iter().zip(&inverses).map(|(term, inverse)| term.point.niels(inverse)).collect();
    let mut carries = vec![false; terms.len()];
    let sums: Vec<Edwards> = (0..windows(bits, width))
        .map(|index| window_sum(terms, &points, &mut carries, index * width, width))
        .collect();
    sums.iter().rev().fold(Edwards::IDENTITY, |sum, window| sum.doubled(width).plus(window))
}

/// The sum of the terms' digits at `position` times their points.
fn window_sum(
    terms: &[Term<Edwards>],
    points: &[Niels],
    carries: &mut [bool],
    position: u32,
    width: u32,
) -> Edwards {
    // Bucket i collects the points whose digit is i + 1 or -(i + 1).
    let mut buckets = vec![Edwards::IDENTITY; 1 << (width - 1)];
    for ((term, point), carry) in terms.iter().zip(points).zip(carries) {
        let Some((index, negative)) = digit(&term.limbs, position, width, carry) else {
            continue;
        };
        if let Some(bucket) = buckets.get_mut(index as usize) {
            *bucket = point.added_vartime(bucket, negative);
        }
    }
    // Each bucket times its index, by sums of sums.
    let mut running = Edwards::IDENTITY;
    let mut total = Edwards::IDENTITY;
    for bucket in buckets.iter().rev() {
        running = running.plus(bucket);
        total = total.plus(&running);
    }
    total
}
