//! Ed25519 (RFC 8032): points by curve25519-dalek, scalars by crrl.

use alloc::vec::Vec;

use crrl::ed25519 as backend;
use curve25519_dalek::edwards::{CompressedEdwardsY, EdwardsPoint};
use curve25519_dalek::scalar::Scalar as DalekScalar;
use curve25519_dalek::traits::{Identity, IsIdentity, VartimeMultiscalarMul};
use zeroize::Zeroizing;

use crate::bytes::{is_below, limbs_from_le};
use crate::{Curve, msm};

scalar_over_crrl!(
    "the order of the 25519 groups, 2^252 + 0x14def9dea2f79cd65812631a5cf5d3ed",
    backend::Scalar
);

impl Scalar {
    /// The same value in the type of the point arithmetic.
    pub(crate) fn to_dalek(self) -> DalekScalar {
        // The bytes are canonical, so the reduction changes nothing.
        DalekScalar::from_bytes_mod_order(self.0.encode())
    }
}

/// A point of the prime-order subgroup of Ed25519.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Point(pub(crate) EdwardsPoint);

point_operators!();
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
        Point(EdwardsPoint::identity())
    }

    fn generator() -> Point {
        Point(curve25519_dalek::constants::ED25519_BASEPOINT_POINT)
    }

    fn is_identity(point: &Point) -> bool {
        point.0.is_identity()
    }

    fn mul_base(scalar: &Scalar) -> Point {
        Point(EdwardsPoint::mul_base(&Zeroizing::new(scalar.to_dalek())))
    }

    fn mul(point: &Point, scalar: &Scalar) -> Point {
        Point(point.0 * *Zeroizing::new(scalar.to_dalek()))
    }

    fn double(point: &Point) -> Point {
        Point(point.0 + point.0)
    }

    fn msm_vartime(scalars: &[Scalar], points: &[Point]) -> Point {
        let pairs = scalars.len().min(points.len());
        Point(EdwardsPoint::vartime_multiscalar_mul(
            scalars.iter().take(pairs).map(|scalar| scalar.to_dalek()),
            points.iter().take(pairs).map(|point| point.0),
        ))
    }

    fn mul_small_vartime(point: &Point, multiplier: u64) -> Point {
        msm::mul_small::<Self>(point, multiplier)
    }

    fn verify_vartime(key: &Point, r: &Point, s: &Scalar, c: &Scalar) -> bool {
        EdwardsPoint::vartime_double_scalar_mul_basepoint(&c.to_dalek(), &-key.0, &s.to_dalek())
            == r.0
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
        // crrl tells the subgroup by two halvings and a Legendre symbol, in half the time of
        // dalek's multiplication by the order; its own decoding on top still leaves it ahead.
        let point = backend::Point::decode(&bytes)?;
        if point.is_in_subgroup() & !point.has_low_order() == 0 {
            return None;
        }
        CompressedEdwardsY(bytes).decompress().map(Point)
    }

    fn encode_point(point: &Point) -> [u8; 32] {
        point.0.compress().to_bytes()
    }

    fn encode_points(points: &[Point]) -> Vec<[u8; 32]> {
        let points: Vec<_> = points.iter().map(|point| point.0).collect();
        EdwardsPoint::compress_batch_alloc(&points)
            .iter()
            .map(CompressedEdwardsY::to_bytes)
            .collect()
    }
}

/// 2^256 modulo the order.
const SHIFT: backend::Scalar = backend::Scalar::w64le(
    0xd6ec_3174_8d98_951d,
    0xc6ef_5bf4_737d_cf70,
    0xffff_ffff_ffff_fffe,
    0x0fff_ffff_ffff_ffff,
);
