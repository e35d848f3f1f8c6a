//! ristretto255 (RFC 9496), over curve25519-dalek.

use alloc::vec::Vec;

use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use curve25519_dalek::traits::{Identity, IsIdentity, VartimeMultiscalarMul};
use zeroize::Zeroizing;

use crate::bytes::is_below;
pub use crate::ed25519::Scalar;
use crate::ed25519::{Ed25519, FIELD};
use crate::{Curve, msm};

/// An element of ristretto255.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Point(pub(crate) RistrettoPoint);

point_operators!();
point_debug!(Ristretto255);

/// The group ristretto255 with its encodings (RFC 9496).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ristretto255;

impl Curve for Ristretto255 {
    const NAME: &'static str = "ristretto255";
    const ORDER: &'static [u64] = Ed25519::ORDER;

    type Scalar = Scalar;
    type Point = Point;
    type PointBytes = [u8; 32];
    type ScalarBytes = [u8; 32];

    fn identity() -> Point {
        Point(RistrettoPoint::identity())
    }

    fn generator() -> Point {
        Point(curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT)
    }

    fn is_identity(point: &Point) -> bool {
        point.0.is_identity()
    }

    fn mul_base(scalar: &Scalar) -> Point {
        Point(RistrettoPoint::mul_base(&Zeroizing::new(scalar.to_dalek())))
    }

    fn mul(point: &Point, scalar: &Scalar) -> Point {
        Point(point.0 * *Zeroizing::new(scalar.to_dalek()))
    }

    fn double(point: &Point) -> Point {
        Point(point.0 + point.0)
    }

    fn msm_vartime(scalars: &[Scalar], points: &[Point]) -> Point {
        let pairs = scalars.len().min(points.len());
        Point(RistrettoPoint::vartime_multiscalar_mul(
            scalars.iter().take(pairs).map(|scalar| scalar.to_dalek()),
            points.iter().take(pairs).map(|point| point.0),
        ))
    }

    fn mul_small_vartime(point: &Point, multiplier: u64) -> Point {
        msm::mul_small::<Self>(point, multiplier)
    }

    fn verify_vartime(key: &Point, r: &Point, s: &Scalar, c: &Scalar) -> bool {
        RistrettoPoint::vartime_double_scalar_mul_basepoint(&c.to_dalek(), &-key.0, &s.to_dalek())
            == r.0
    }

    fn invert(scalar: &Scalar) -> Scalar {
        Ed25519::invert(scalar)
    }

    fn scalar_from_wide(bytes: &[u8]) -> Scalar {
        Ed25519::scalar_from_wide(bytes)
    }

    fn decode_scalar(bytes: &[u8]) -> Option<Scalar> {
        Ed25519::decode_scalar(bytes)
    }

    fn encode_scalar(scalar: &Scalar) -> [u8; 32] {
        Ed25519::encode_scalar(scalar)
    }

    fn scalar_limbs(scalar: &Scalar) -> [u64; 8] {
        Ed25519::scalar_limbs(scalar)
    }

    fn scalar_from_limbs(limbs: &[u64; 8]) -> Scalar {
        Ed25519::scalar_from_limbs(limbs)
    }

    fn decode_point(bytes: &[u8]) -> Option<Point> {
        // RFC 9496 section 4.3.1: an even field element below p. dalek checks it too; here it
        // holds whatever the backend does, and makes encoding again and comparing superfluous.
        let bytes = <[u8; 32]>::try_from(bytes).ok()?;
        let is_negative = bytes.first().is_none_or(|low| low & 1 == 1);
        if is_negative || !is_below(&bytes, &FIELD) {
            return None;
        }
        let point = CompressedRistretto(bytes).decompress()?;
        (!point.is_identity()).then_some(Point(point))
    }

    fn encode_point(point: &Point) -> [u8; 32] {
        point.0.compress().to_bytes()
    }

    fn encode_points(points: &[Point]) -> Vec<[u8; 32]> {
        points.iter().map(Self::encode_point).collect()
    }
}
