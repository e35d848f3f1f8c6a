//! Sums of products and small multiples, in variable time.

mod accumulator;
mod affine;
mod edwards;
mod pippenger;
mod sparse;
mod straus;
mod terms;
mod weierstrass;

use alloc::vec::Vec;

use crate::Curve;
#[cfg(all(test, feature = "std", target_arch = "x86_64"))]
pub(crate) use edwards::one_by_one;
pub(crate) use edwards::{coefficient as edwards_coefficient, edwards_multiple, msm_edwards};
#[cfg(target_arch = "x86_64")]
pub(crate) use straus::Digits;
pub(crate) use straus::non_adjacent;
pub(crate) use terms::{Term, bits, nonzero_terms, window};
use weierstrass::Extended;
pub(crate) use weierstrass::{Affine, Field, Weierstrass};

/// The sum of all terms, by the backend's own arithmetic.
pub(crate) fn sum<C: Curve>(terms: &[Term<C::Point>]) -> C::Point {
    if buckets_pay(terms) { pippenger::sum::<C>(terms) } else { straus::sum::<C>(terms) }
}

/// The sum on a Weierstrass curve, by affine additions that share inversions.
pub(crate) fn msm_weierstrass<C: Weierstrass>(
    scalars: &[C::Scalar],
    points: &[C::Point],
) -> C::Point {
    let terms = nonzero_terms::<C>(scalars, points);
    if !C::A_IS_MINUS_3 && terms.len() < AFFINE_FROM {
        return straus::sum::<C>(&terms);
    }
    let affine = to_affine::<C>(&terms);
    let sum = if buckets_pay(&terms) {
        pippenger::sum_weierstrass::<C>(&terms, &affine)
    } else {
        straus::sum_weierstrass::<C>(&terms, affine)
    };
    sum.into_point()
}

/// Where a is 0, the backend's complete formulas are so cheap that fewer terms don't make up for
/// an inversion. Measured.
const AFFINE_FROM: usize = 12;

/// Returns whether buckets beat tables of odd multiples. As measured, they do from about half as
/// many terms as bits, on every curve.
fn buckets_pay<P>(terms: &[Term<P>]) -> bool {
    u64::try_from(terms.len()).is_ok_and(|count| 2 * count > u64::from(terms::most_bits(terms)))
}

/// The terms' points; free of charge if they were decoded, and not computed.
fn to_affine<C: Weierstrass>(terms: &[Term<C::Point>]) -> Vec<Affine<C>> {
    let one = C::Field::one();
    let projective: Vec<_> = terms.iter().map(|term| C::to_projective(&term.point)).collect();
    if projective.iter().all(|[_, _, z]| (*z - one).is_zero()) {
        projective.iter().map(|[x, y, _]| Affine { x: *x, y: *y }).collect()
    } else {
        let extended: Vec<_> = projective.iter().map(|p| Extended::from_projective(*p)).collect();
        affine::normalise(&extended)
    }
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
