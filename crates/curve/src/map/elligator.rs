//! The map Elligator 2 to the curve of Ed25519 (RFC 9380 sections 6.7.1 and 6.8.2).

use crrl::field::GF25519;

use super::{MapToCurve, sum_of};
use crate::bytes::reversed_slice;
use crate::ed25519::{Ed25519, Point};
use crate::edwards::Edwards;

/// J of the Montgomery curve y^2 = x^3 + Jx^2 + x.
const J: GF25519 = GF25519::w64le(486_662, 0, 0, 0);

/// The even square root of −486664.
const ROOT: GF25519 = GF25519::w64le(
    0xcc6e_04aa_ff45_7e06,
    0xc5a1_d3d1_4b7d_1a82,
    0xd27b_08dc_03fc_4f7e,
    0x0f26_edf4_60a0_06bb,
);

impl MapToCurve for Ed25519 {
    const ELEMENT: usize = 48;

    fn map_to_curve(uniform: &[u8]) -> Option<Point> {
        // The map is a homomorphism behind the sum: the cofactor is cleared for each element.
        sum_of::<Self>(uniform, |bytes| {
            let (s, t) = elligator(GF25519::decode_reduce(&reversed_slice(bytes)));
            Point(to_edwards(s, t).doubled(3))
        })
    }
}

/// The point of a field element on the Montgomery curve.
fn elligator(u: GF25519) -> (GF25519, GF25519) {
    // The denominator is not zero: −1 is a square and 2 is not.
    let x1 = -J / (GF25519::ONE + u.square().mul2());
    let x2 = -x1 - J;
    let g = |x: GF25519| ((x + J) * x + GF25519::ONE) * x;
    let (y1, is_square) = g(x1).sqrt();
    let (y2, _) = g(x2).sqrt();
    // The roots are even. The first has to be odd.
    (GF25519::select(&x2, &x1, is_square), GF25519::select(&y2, &-y1, is_square))
}

/// The map from the Montgomery curve: x = √−486664·s/t, y = (s − 1)/(s + 1). Its exceptions go to the neutral element.
fn to_edwards(s: GF25519, t: GF25519) -> Edwards {
    let (plus, minus) = (s + GF25519::ONE, s - GF25519::ONE);
    let scaled = ROOT * s;
    let mut point = Edwards { x: scaled * plus, y: minus * t, z: t * plus, t: scaled * minus };
    let exception = point.z.iszero();
    point.x.set_cond(&GF25519::ZERO, exception);
    point.y.set_cond(&GF25519::ONE, exception);
    point.z.set_cond(&GF25519::ONE, exception);
    point.t.set_cond(&GF25519::ZERO, exception);
    point
}
