//! The one-way map to ristretto255 (RFC 9496 section 4.3.4).

use crrl::field::GF25519;

use super::MapToCurve;
use crate::edwards::{D, Edwards, SQRT_M1, abs, sqrt_ratio};
use crate::ristretto255::{Point, Ristretto255};

/// 1 − d^2
const ONE_MINUS_D_SQUARED: GF25519 = GF25519::w64le(
    0xe27c_09c1_945f_c176,
    0x2c81_a138_cd5e_350f,
    0x9994_abdd_be70_dfe4,
    0x0290_72a8_b2b3_e0d7,
);

/// (d − 1)^2
const D_MINUS_ONE_SQUARED: GF25519 = GF25519::w64le(
    0x31ad_5aaa_44ed_4d20,
    0xd29e_4a2c_b01e_1999,
    0x4cdc_d32f_529b_4eeb,
    0x5968_b37a_f66c_2241,
);

/// The square root of −d − 1 that RFC 9496 chooses.
const SQRT_AD_MINUS_ONE: GF25519 = GF25519::w64le(
    0x7e97_f6a0_497b_2e1b,
    0xaf9d_8e0c_1b78_54bd,
    0x0f3c_fcc9_31f5_d1fd,
    0x3769_31bf_2b83_48ac,
);

impl MapToCurve for Ristretto255 {
    const ELEMENT: usize = 64;

    fn map_to_curve(uniform: &[u8]) -> Option<Point> {
        let (halves, []) = uniform.as_chunks::<32>() else { return None };
        let [low, high] = halves else { return None };
        Some(map(*low) + map(*high))
    }
}

/// `MAP`: the point of 255 bits.
fn map(mut bytes: [u8; 32]) -> Point {
    let [.., top] = &mut bytes;
    *top &= 0x7f;
    let t = GF25519::decode_reduce(&bytes);
    let r = SQRT_M1 * t.square();
    let u = (r + GF25519::ONE) * ONE_MINUS_D_SQUARED;
    let v = (-GF25519::ONE - r * D) * (r + D);
    let (root, is_square) = sqrt_ratio(u, v);
    let root = abs(root);
    let s = GF25519::select(&-abs(root * t), &root, is_square);
    let c = GF25519::select(&r, &-GF25519::ONE, is_square);
    let n = c * (r - GF25519::ONE) * D_MINUS_ONE_SQUARED - v;
    let w0 = (s * v).mul2();
    let w1 = n * SQRT_AD_MINUS_ONE;
    let w2 = GF25519::ONE - s.square();
    let w3 = GF25519::ONE + s.square();
    Point(Edwards { x: w0 * w3, y: w2 * w1, z: w1 * w3, t: w0 * w2 })
}
