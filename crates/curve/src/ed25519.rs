//! Ed25519 (RFC 8032), over crrl.

use alloc::vec::Vec;

use crrl::ed25519 as backend;
use zeroize::Zeroizing;

use crate::bytes::{is_below, limbs_from_le};
use crate::{Curve, msm};

scalar_over_crrl!(
    "the order of the 25519 groups, 2^252 + 0x14def9dea2f79cd65812631a5cf5d3ed",
    backend::Scalar
);

/// A point of the prime-order subgroup of Ed25519.
#[derive(Clone, Copy)]
pub struct Point(pub(crate) backend::Point);

point_operators!();
point_equality_over_crrl!();
point_debug!(Ed25519);

/// The prime-order subgroup of the curve of Ed25519, with its encodings (RFC 8032 section 5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ed25519;

/// The field's order, 2^255 - 19, little-endian.
pub(crate) const FIELD: [u64; 4] =
    [0xffff_ffff_ffff_ffed, u64::MAX, u64::MAX, 0x7fff_ffff_ffff_ffff];

impl Curve for Ed25519 {
    const NAME: &'static str = "Ed25519";
    const ORDER: &'static [u64] =
        &[0x5812_631a_5cf5_d3ed, 0x14de_f9de_a2f7_9cd6, 0, 0x1000_0000_0000_0000];

    type Scalar = Scalar;
    type Point = Point;
    type PointBytes = [u8; 32];
    type ScalarBytes = [u8; 32];

    fn identity() -> Point {
        Point(backend::Point::NEUTRAL)
    }

    fn generator() -> Point {
        Point(backend::Point::BASE)
    }

    fn is_identity(point: &Point) -> bool {
        point.0.isneutral() != 0
    }

    fn mul_base(scalar: &Scalar) -> Point {
        Point(backend::Point::mulgen(&scalar.0))
    }

    fn mul(point: &Point, scalar: &Scalar) -> Point {
        Point(point.0 * scalar.0)
    }

    fn double(point: &Point) -> Point {
        Point(point.0.double())
    }

    fn msm_vartime(scalars: &[Scalar], points: &[Point]) -> Point {
        msm::msm::<Self>(scalars, points)
    }

    fn mul_small_vartime(point: &Point, multiplier: u64) -> Point {
        msm::mul_small::<Self>(point, multiplier)
    }

    fn verify_vartime(key: &Point, r: &Point, s: &Scalar, c: &Scalar) -> bool {
        // Not crrl's helper with a challenge split in half: its splitting has cases that were
        // thought not to come up, and a challenge can be ground.
        key.0.mul_add_mulgen_vartime(&-c.0, &s.0).equals(r.0) != 0
    }

    fn invert(scalar: &Scalar) -> Scalar {
        Scalar(backend::Scalar::ONE / scalar.0)
    }

    fn scalar_from_wide(bytes: &[u8]) -> Scalar {
        Scalar(backend::Scalar::decode_reduce(bytes))
    }

    fn decode_scalar(bytes: &[u8]) -> Option<Scalar> {
        if bytes.len() != 32 || !is_below(bytes, Self::ORDER) {
            return None;
        }
        backend::Scalar::decode(bytes).map(Scalar)
    }

    fn encode_scalar(scalar: &Scalar) -> [u8; 32] {
        scalar.0.encode()
    }

    fn scalar_limbs(scalar: &Scalar) -> [u64; 8] {
        limbs_from_le(Zeroizing::new(scalar.0.encode()).as_ref())
    }

    fn scalar_from_limbs(limbs: &[u64; 8]) -> Scalar {
        let [a, b, c, d, e, f, g, h] = *limbs;
        Scalar(
            backend::Scalar::from_w64le(a, b, c, d)
                + backend::Scalar::from_w64le(e, f, g, h) * SHIFT,
        )
    }

    fn decode_point(bytes: &[u8]) -> Option<Point> {
        // With y below p, the only string that is not an encoding is x = 0 with its sign set: that
        // is a point of order 1 or 2, refused below. So this is as strict as encoding again and
        // comparing, without the inversion.
        let bytes = <[u8; 32]>::try_from(bytes).ok()?;
        let mut y = bytes;
        y.last_mut().map(|top| *top &= 0x7f)?;
        if !is_below(&y, &FIELD) {
            return None;
        }
        // The subgroup is told by two halvings and a Legendre symbol, in half the time of a
        // multiplication by the order.
        let point = backend::Point::decode(&bytes)?;
        let good = point.is_in_subgroup() & !point.has_low_order();
        (good != 0).then_some(Point(point))
    }

    fn encode_point(point: &Point) -> [u8; 32] {
        point.0.encode()
    }

    fn encode_points(points: &[Point]) -> Vec<[u8; 32]> {
        points.iter().map(Self::encode_point).collect()
    }
}

/// 2^256 modulo the order.
const SHIFT: backend::Scalar = backend::Scalar::w64le(
    0xd6ec_3174_8d98_951d,
    0xc6ef_5bf4_737d_cf70,
    0xffff_ffff_ffff_fffe,
    0x0fff_ffff_ffff_ffff,
);
