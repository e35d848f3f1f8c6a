//! Multiples of the generator of P-256, in constant time.
//!
//! J. Renes, C. Costello, L. Batina, "Complete addition formulas for prime order elliptic curves",
//! EUROCRYPT 2016: algorithm 5, a complete addition of an affine point other than the identity.

use crrl::field::GFp256;
use crrl::p256::{Point, Scalar};
use zeroize::Zeroizing;

use super::table::POWERS;
use crate::bytes::limbs_from_le;
use crate::msm::window;

/// A point other than the identity.
#[derive(Clone, Copy)]
pub(super) struct Affine {
    pub(super) x: GFp256,
    pub(super) y: GFp256,
}

/// The curve's b.
const B: GFp256 = GFp256::w64le(
    0x3bce_3c3e_27d2_604b,
    0x651d_06b0_cc53_b0f6,
    0xb3eb_bd55_7698_86bc,
    0x5ac6_35d8_aa3a_93e7,
);

/// X, Y and Z with x = X/Z, y = Y/Z.
type Projective = [GFp256; 3];

/// The generator times a scalar.
pub(super) fn mul_base(scalar: &Scalar) -> Point {
    let (digits, negative) = digits(scalar);
    let (pairs, _) = digits.as_chunks::<2>();
    let mut sum = [GFp256::ZERO, GFp256::ONE, GFp256::ZERO];
    for (table, [_, high]) in POWERS.iter().zip(pairs) {
        sum = plus(&sum, table, *high);
    }
    // The sum of points of the curve is on the curve, so there is always a point.
    let [x, y, z] = sum;
    let high = Point::from_projective(x, y, z).unwrap_or(Point::NEUTRAL).xdouble(5);
    let (x, y, z) = high.to_projective();
    let mut sum = [x, y, z];
    for (table, [low, _]) in POWERS.iter().zip(pairs) {
        sum = plus(&sum, table, *low);
    }
    let [x, mut y, z] = sum;
    y.set_cond(&-y, negative);
    Point::from_projective(x, y, z).unwrap_or(Point::NEUTRAL)
}

/// The digits of the scalar or its negative, whichever is below 2^255, to base 32 and from -16 to
/// 16, the lowest first; and all ones if it is the negative.
fn digits(scalar: &Scalar) -> (Zeroizing<[i8; 52]>, u32) {
    let plus = Zeroizing::new(scalar.encode());
    let minus = Zeroizing::new((-*scalar).encode());
    // The order is so close to 2^256 that the top bit says it.
    let top = plus.last().map_or(0, |byte| byte >> 7);
    let mask = top.wrapping_neg();
    let mut bytes = Zeroizing::new([0u8; 32]);
    for ((byte, plus), minus) in bytes.iter_mut().zip(plus.iter()).zip(minus.iter()) {
        *byte = (plus & !mask) | (minus & mask);
    }
    let limbs = Zeroizing::new(limbs_from_le(bytes.as_ref()));
    let mut digits = Zeroizing::new([0; 52]);
    let mut carry = 0;
    for (digit, position) in digits.iter_mut().zip((0..).step_by(5)) {
        let value = i8::try_from(window(&limbs, position, 5)).unwrap_or(0) + carry;
        carry = (value + 16) >> 5;
        *digit = value - (carry << 5);
    }
    (digits, u32::from(top).wrapping_neg())
}

/// Adds the entry of a table that belongs to a digit.
fn plus(sum: &Projective, table: &[Affine; 16], digit: i8) -> Projective {
    let size = u32::from(digit.unsigned_abs());
    let mut entry = Affine { x: GFp256::ZERO, y: GFp256::ZERO };
    for (number, multiple) in (1..).zip(table) {
        let mask = if_zero(size ^ number);
        entry.x.set_cond(&multiple.x, mask);
        entry.y.set_cond(&multiple.y, mask);
    }
    let negative = u32::from(digit.cast_unsigned() >> 7).wrapping_neg();
    entry.y.set_cond(&-entry.y, negative);
    // For zero there is no entry, and what is added to nothing is thrown away.
    let mut result = plus_affine(sum, &entry);
    let keep = if_zero(size);
    for (coordinate, old) in result.iter_mut().zip(sum) {
        coordinate.set_cond(old, keep);
    }
    result
}

/// All ones for zero, otherwise zero. `value` is below 2^31.
fn if_zero(value: u32) -> u32 {
    (value.wrapping_sub(1) >> 31).wrapping_neg()
}

fn plus_affine([x1, y1, z1]: &Projective, other: &Affine) -> Projective {
    let xx = x1 * other.x;
    let yy = y1 * other.y;
    let xy = (other.x + other.y) * (x1 + y1) - xx - yy;
    let yz = other.y * z1 + y1;
    let xz = other.x * z1 + x1;
    let zzz = z1.mul3();
    let u = (xz - B * z1).mul3();
    let v = (B * xz - zzz - xx).mul3();
    let w = xx.mul3() - zzz;
    let (minus, plus) = (yy - u, yy + u);
    [plus * xy - yz * v, plus * minus + w * v, yz * minus + xy * w]
}
