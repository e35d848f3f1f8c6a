//! Products and sums by the endomorphism of secp256k1, which halves the doublings.
//!
//! R. Gallant, R. Lambert, S. Vanstone, "Faster point multiplication on elliptic curves with
//! efficient endomorphisms", CRYPTO 2001.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use crrl::field::GFsecp256k1;
use crrl::secp256k1 as backend;

use super::types::{Point, Scalar};
use crate::msm;
use crate::secret::Secret;
use crate::window::{self, Digits, Windowed};

/// The curve, with the arithmetic that does not go through the endomorphism.
pub(super) trait Plain:
    Windowed<Field = GFsecp256k1, Scalar = Scalar, Point = Point>
{
}

impl<C: Windowed<Field = GFsecp256k1, Scalar = Scalar, Point = Point>> Plain for C {}

/// From this number of terms on, the doublings are too small a part of the sum. Twice as many
/// tables of odd multiples cost what they save. Measured.
const TOO_MANY: usize = 6;

/// Integers up to this length stay as they are: the halves have 130 bits at most.
const SHORT: u32 = 132;

/// A cube root of one in the field, and its companion modulo the order: this many times a point is
/// the point with its x multiplied by [`BETA`].
const LAMBDA: backend::Scalar = backend::Scalar::w64le(
    0xdf02_967c_1b23_bd72,
    0x122e_22ea_2081_6678,
    0xa526_1c02_8812_645a,
    0x5363_ad4c_c05c_30e0,
);

/// The cube root in the field.
const BETA: GFsecp256k1 = GFsecp256k1::w64le(
    0xc139_6c28_7195_01ee,
    0x9cf0_4975_12f5_8995,
    0x6e64_479e_ac34_34e9,
    0x7ae9_6a2b_657c_0710,
);

/// A short vector (A, -B) of the lattice of all (i, j) with i + j * LAMBDA = 0; the other one is
/// (A + B, A).
const A: u128 = 0x3086_d221_a7d4_6bcd_e86c_90e4_9284_eb15;
const B: u128 = 0xe443_7ed6_010e_8828_6f54_7fa9_0abf_e4c3;

/// 2^256 * A / ORDER and 2^256 * B / ORDER, rounded down.
const A_BY_ORDER: u128 = 0x3086_d221_a7d4_6bcd_e86c_90e4_9284_eb15;
const B_BY_ORDER: u128 = 0xe443_7ed6_010e_8828_6f54_7fa9_0abf_e4c4;

/// A point times a scalar, in constant time: half the doublings, with two windows.
pub(super) fn mul<C: Plain>(point: &Point, scalar: &Scalar) -> Point {
    let halves = halves::<C>(scalar).map(Secret::new);
    let [first, second] =
        halves.each_ref().map(|half| Digits::<27>::from_scalar::<C>(half.expose()));
    window::sum::<C, 27, 2>(&[(*point, first), (image::<C>(point), second)])
}

/// The sum of every `scalars[i]` times `points[i]`, up to the shorter length, in variable time.
pub(super) fn msm<C: Plain>(scalars: &[Scalar], points: &[Point]) -> Point {
    let length = scalars.len().min(points.len());
    if length >= TOO_MANY {
        return msm::msm_weierstrass::<C>(scalars, points);
    }
    let mut halves: Vec<Scalar> = Vec::with_capacity(2 * length);
    let mut images: Vec<Point> = Vec::with_capacity(2 * length);
    for (scalar, point) in scalars.iter().zip(points) {
        if is_short_vartime::<C>(scalar) {
            halves.push(*scalar);
            images.push(*point);
        } else {
            halves.extend(self::halves::<C>(scalar));
            images.extend([*point, image::<C>(point)]);
        }
    }
    msm::msm_weierstrass::<C>(&halves, &images)
}

/// LAMBDA times the point.
fn image<C: Plain>(point: &Point) -> Point {
    let [x, y, z] = C::to_projective(point);
    C::from_projective([x * BETA, y, z])
}

/// Returns whether the scalar or its negative is about as short as the halves would be.
fn is_short_vartime<C: Plain>(scalar: &Scalar) -> bool {
    let bits = |scalar: &Scalar| msm::bits(&C::scalar_limbs(scalar));
    bits(scalar).min(bits(&-*scalar)) <= SHORT
}

/// `first` and `second` with `first + LAMBDA * second = scalar`, either of them or its negative of
/// at most 130 bits. Constant time.
fn halves<C: Plain>(scalar: &Scalar) -> [Scalar; 2] {
    let [_, _, low, high, ..] = *Zeroizing::new(C::scalar_limbs(scalar));
    let top = (u128::from(high) << 64) | u128::from(low);
    // The lattice point next to (scalar, 0), up to a unit or two in either direction, which the
    // dropped low half of the scalar may cause.
    let c = backend::Scalar::from_u128(high_half(top, A_BY_ORDER));
    let d = backend::Scalar::from_u128(high_half(top, B_BY_ORDER));
    let second = c * backend::Scalar::from_u128(B) - d * backend::Scalar::from_u128(A);
    [Scalar(scalar.0 - second * LAMBDA), Scalar(second)]
}

/// The upper 128 bits of the product.
fn high_half(a: u128, b: u128) -> u128 {
    let low = u128::from(u64::MAX);
    let (a1, a0) = (a >> 64, a & low);
    let (b1, b0) = (b >> 64, b & low);
    let middle = a1 * b0 + ((a0 * b0) >> 64);
    let other = a0 * b1 + (middle & low);
    a1 * b1 + (middle >> 64) + (other >> 64)
}
