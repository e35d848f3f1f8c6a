//! Multiples of the generator, by tables of points in affine coordinates.

use super::{Affine, Digits, Windowed};
use crate::mask;
use crate::msm::Field;

/// X, Y and Z with x = X/Z, y = Y/Z.
pub(crate) type Projective<C> = [<C as crate::msm::Weierstrass>::Field; 3];

/// Curves with tables for the generator.
pub(crate) trait Fixed: Windowed {
    /// 1 to 16 times 1024^i times the generator.
    fn powers() -> &'static [[Affine<Self>; 16]; 26];

    /// The sum of any point and an affine one: a complete addition.
    fn plus_affine(sum: &Projective<Self>, other: &Affine<Self>) -> Projective<Self>;
}

/// The generator times a scalar.
pub(crate) fn mul_base<C: Fixed>(scalar: &C::Scalar) -> C::Point {
    let digits = Digits::<52>::from_scalar::<C>(scalar);
    let (pairs, _) = digits.all().as_chunks::<2>();
    let (zero, one) = (C::Field::zero(), C::Field::one());
    let mut sum = [zero, one, zero];
    for (table, [_, high]) in C::powers().iter().zip(pairs) {
        sum = plus::<C>(&sum, table, *high);
    }
    let mut sum = C::to_projective(&C::doubled(&C::from_projective(sum), 5));
    for (table, [low, _]) in C::powers().iter().zip(pairs) {
        sum = plus::<C>(&sum, table, *low);
    }
    let mut point = C::from_projective(sum);
    C::negate_if(&mut point, digits.negative());
    point
}

/// Adds the entry of a table that belongs to a digit.
fn plus<C: Fixed>(sum: &Projective<C>, table: &[Affine<C>; 16], digit: i8) -> Projective<C> {
    let size = u32::from(digit.unsigned_abs());
    let mut entry = Affine::<C> { x: C::Field::zero(), y: C::Field::zero() };
    for (number, multiple) in (1..).zip(table) {
        let mask = mask::if_equal(size, number);
        entry.x.replace_if(&multiple.x, mask);
        entry.y.replace_if(&multiple.y, mask);
    }
    let opposite = -entry.y;
    entry.y.replace_if(&opposite, mask::if_negative(digit));
    // Zero has no entry. The sum is computed all the same, and discarded.
    let mut result = C::plus_affine(sum, &entry);
    let keep = mask::if_equal(size, 0);
    for (coordinate, old) in result.iter_mut().zip(sum) {
        coordinate.replace_if(old, keep);
    }
    result
}
