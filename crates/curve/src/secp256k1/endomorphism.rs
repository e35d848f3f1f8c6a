//! Sums by the endomorphism of secp256k1, which halves the doublings.
//!
//! R. Gallant, R. Lambert, S. Vanstone, "Faster point multiplication on elliptic curves with
//! efficient endomorphisms", CRYPTO 2001. In variable time, for public values.

use alloc::vec::Vec;

use super::{GFsecp256k1, Point, Scalar, Secp256k1, backend};
use crate::{Curve, msm};

/// From this many terms on, the doublings are too small a part of the sum: twice as many tables of
/// odd multiples cost what they save. Measured.
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

/// The sum of every `scalars[i]` times `points[i]`, up to the shorter length.
pub(super) fn msm(scalars: &[Scalar], points: &[Point]) -> Point {
    let length = scalars.len().min(points.len());
    if length >= TOO_MANY {
        return msm::msm_weierstrass::<Secp256k1>(scalars, points);
    }
    let mut halves: Vec<Scalar> = Vec::with_capacity(2 * length);
    let mut images: Vec<Point> = Vec::with_capacity(2 * length);
    for (scalar, point) in scalars.iter().zip(points) {
        match split(scalar).zip(image(point)) {
            Some(([first, second], image)) => {
                halves.extend([first, second]);
                images.extend([*point, image]);
            }
            None => {
                halves.push(*scalar);
                images.push(*point);
            }
        }
    }
    msm::msm_weierstrass::<Secp256k1>(&halves, &images)
}

/// LAMBDA times the point.
fn image(point: &Point) -> Option<Point> {
    let (x, y, z) = point.0.to_projective();
    backend::Point::from_projective(x * BETA, y, z).map(Point)
}

/// `first` and `second` with `first + LAMBDA * second = scalar`, either of them or its negative of
/// at most 130 bits; nothing if the scalar or its negative is about as short.
fn split(scalar: &Scalar) -> Option<[Scalar; 2]> {
    let limbs = Secp256k1::scalar_limbs(scalar);
    let negative = Secp256k1::scalar_limbs(&-*scalar);
    if msm::bits(&limbs).min(msm::bits(&negative)) <= SHORT {
        return None;
    }
    let [_, _, low, high, ..] = limbs;
    let top = (u128::from(high) << 64) | u128::from(low);
    // The lattice point next to (scalar, 0), but for a unit or two in either direction, which the
    // dropped low half of the scalar may make.
    let c = backend::Scalar::from_u128(high_half(top, A_BY_ORDER));
    let d = backend::Scalar::from_u128(high_half(top, B_BY_ORDER));
    let second = c * backend::Scalar::from_u128(B) - d * backend::Scalar::from_u128(A);
    Some([Scalar(scalar.0 - second * LAMBDA), Scalar(second)])
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
