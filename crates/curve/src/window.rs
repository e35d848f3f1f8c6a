//! Multiples of points of the SEC 1 curves, in constant time, by windows of five bits.
//!
//! Additions and doublings are the backend's, complete and without a branch. Every lookup in a
//! window happens here, by [masks](crate::mask).

mod digits;
mod fixed;
pub(crate) mod table;

use crate::mask;
use crate::msm::{Affine, Weierstrass};
pub(crate) use digits::Digits;
pub(crate) use fixed::{Fixed, mul_base};

/// Points and coordinates that are chosen by a mask: all ones or nothing.
pub(crate) trait Windowed: Weierstrass {
    /// Twice the point, `times` times over.
    fn doubled(point: &Self::Point, times: u32) -> Self::Point;
    /// Takes the other point instead, by the mask.
    fn replace_if(point: &mut Self::Point, other: &Self::Point, mask: u32);
    /// Takes the opposite point instead, by the mask.
    fn negate_if(point: &mut Self::Point, mask: u32);
}

/// The sum of each point times the number that its digits make.
pub(crate) fn sum<C: Windowed, const D: usize, const K: usize>(
    terms: &[(C::Point, Digits<D>); K],
) -> C::Point {
    let windows: [_; K] = core::array::from_fn(|i| match terms.get(i) {
        Some((point, _)) => multiples::<C>(point),
        None => [C::identity(); 16],
    });
    let mut sum = C::identity();
    for position in (0..D).rev() {
        sum = C::doubled(&sum, 5);
        for ((_, digits), window) in terms.iter().zip(&windows) {
            sum = sum + lookup::<C>(window, digits.at(position), digits.negative());
        }
    }
    sum
}

/// 1 to 16 times a point.
fn multiples<C: Windowed>(point: &C::Point) -> [C::Point; 16] {
    let mut last = C::identity();
    [(); 16].map(|()| {
        last = last + *point;
        last
    })
}

/// The entry of a window that belongs to a digit from -16 to 16, or its opposite by the mask.
fn lookup<C: Windowed>(window: &[C::Point; 16], digit: i8, negative: u32) -> C::Point {
    let size = u32::from(digit.unsigned_abs());
    let mut entry = C::identity();
    for (number, multiple) in (1..).zip(window) {
        C::replace_if(&mut entry, multiple, mask::if_equal(size, number));
    }
    C::negate_if(&mut entry, mask::if_negative(digit) ^ negative);
    entry
}
