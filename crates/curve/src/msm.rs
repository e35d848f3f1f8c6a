//! Sums of products and small multiples, in variable time.

mod pippenger;
mod straus;
mod terms;

use alloc::vec::Vec;

use crate::Curve;
use terms::Term;

/// From this many terms on, buckets beat tables of odd multiples. Measured.
const BUCKETS_FROM: usize = 200;

/// The sum of every `scalars[i]` times `points[i]`, up to the shorter length.
pub(crate) fn msm<C: Curve>(scalars: &[C::Scalar], points: &[C::Point]) -> C::Point {
    let terms: Vec<Term<C>> = terms::of(scalars, points);
    if terms.len() < BUCKETS_FROM { straus::sum(&terms) } else { pippenger::sum(&terms) }
}

/// `multiplier` times `point`, by its non-adjacent form: a third of the bits cost an addition.
pub(crate) fn mul_small<C: Curve>(point: &C::Point, multiplier: u64) -> C::Point {
    let value = u128::from(multiplier);
    let triple = 3 * value;
    let length = 128 - triple.leading_zeros();
    // The digits of the form are the differences of the bits of 3v and v, without the lowest.
    // The top digit is always 1.
    if length == 0 {
        return C::identity();
    }
    (1..length - 1).rev().fold(*point, |sum, position| {
        let sum = C::double(&sum);
        match ((triple >> position) & 1, (value >> position) & 1) {
            (1, 0) => sum + *point,
            (0, 1) => sum - *point,
            _ => sum,
        }
    })
}
