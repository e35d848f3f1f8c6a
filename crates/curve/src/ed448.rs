//! Ed448 (RFC 8032), over crrl.

use alloc::vec::Vec;

use crrl::ed448 as backend;
use quorate_declassify::declassify;
use rand_core::Rng;
use zeroize::Zeroizing;

use crate::bytes::{is_below, limbs_from_le};
use crate::curve::decode_each;
#[cfg(target_arch = "x86_64")]
use crate::lanes::Sums;
use crate::torsion::{TOGETHER_FROM, subset_sums};
use crate::{Curve, msm};

scalar_over_crrl!(
    "the order of Ed448, 2^446 - 0x8335dc163bb124b65129c96fde933d8d723a70aadc873d6d54a7bb0d",
    backend::Scalar
);

/// A point of the prime-order subgroup of Ed448.
#[derive(Clone, Copy)]
pub struct Point(pub(crate) backend::Point);

point_operators!();
point_equality_over_crrl!();
point_debug!(Ed448);

/// The prime-order subgroup of the curve of Ed448, with its encodings (RFC 8032 section 5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ed448;

/// The field's order, 2^448 - 2^224 - 1, little-endian.
const FIELD: [u64; 7] =
    [u64::MAX, u64::MAX, u64::MAX, 0xffff_fffe_ffff_ffff, u64::MAX, u64::MAX, u64::MAX];

impl crate::seal::Seal for Ed448 {}

impl Curve for Ed448 {
    const NAME: &'static str = "Ed448";
    const ORDER: &'static [u64] = &[
        0x2378_c292_ab58_44f3,
        0x216c_c272_8dc5_8f55,
        0xc44e_db49_aed6_3690,
        0xffff_ffff_7cca_23e9,
        u64::MAX,
        u64::MAX,
        0x3fff_ffff_ffff_ffff,
    ];

    type Scalar = Scalar;
    type Point = Point;
    type PointBytes = [u8; 57];
    type ScalarBytes = [u8; 57];

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
        let terms = msm::nonzero_terms::<Self>(scalars, points);
        #[cfg(target_arch = "x86_64")]
        if let Some(sum) = Sums::ed448(&terms, |point| point.0) {
            return Point(sum);
        }
        msm::sum::<Self>(&terms)
    }

    fn mul_small_vartime(point: &Point, multiplier: u64) -> Point {
        msm::mul_small::<Self>(point, multiplier)
    }

    fn verify_vartime(key: &Point, r: &Point, s: &Scalar, c: &Scalar) -> bool {
        // One double multiplication. Splitting the challenge in two halves would be faster, but
        // has rare inputs that are hard to get right, and a signer can search for them.
        key.0.mul_add_mulgen_vartime(&-c.0, &s.0).equals(r.0) != 0
    }

    fn invert(scalar: &Scalar) -> Scalar {
        Scalar(scalar.0.invert())
    }

    fn scalar_from_wide(bytes: &[u8]) -> Scalar {
        Scalar(backend::Scalar::decode_reduce(bytes))
    }

    fn decode_scalar(bytes: &[u8]) -> Option<Scalar> {
        let (low, top) = bytes.split_first_chunk::<56>()?;
        // A scalar that is not canonical is refused.
        if declassify((top != [0]) | !is_below(low, Self::ORDER)) {
            return None;
        }
        let (scalar, _) = backend::Scalar::decode_ct(low);
        Some(Scalar(scalar))
    }

    fn encode_scalar(scalar: &Scalar) -> [u8; 57] {
        let low = Zeroizing::new(scalar.0.encode());
        let mut bytes = [0; 57];
        let [place @ .., _] = &mut bytes;
        *place = *low;
        bytes
    }

    fn scalar_limbs(scalar: &Scalar) -> [u64; 8] {
        limbs_from_le(Zeroizing::new(scalar.0.encode()).as_ref())
    }

    fn scalar_from_limbs(limbs: &[u64; 8]) -> Scalar {
        let [low @ .., top] = *limbs;
        Scalar(backend::Scalar::from_w64le(low) + backend::Scalar::from_u64(top) * SHIFT)
    }

    fn decode_point(bytes: &[u8]) -> Option<Point> {
        let point = decompress(bytes)?;
        let good = point.is_in_subgroup() & !point.has_low_order();
        (good != 0).then_some(Point(point))
    }

    fn decode_points_vartime(bytes: &[u8], rng: &mut impl Rng) -> Option<Vec<Point>> {
        let encodings = bytes.chunks_exact(57);
        if encodings.len() < TOGETHER_FROM || !encodings.remainder().is_empty() {
            return decode_each::<Self, _>(bytes, Self::decode_point);
        }
        let points: Vec<backend::Point> = encodings.map(decompress).collect::<Option<_>>()?;
        let add = |sum: &backend::Point, point: &backend::Point| *sum + *point;
        // The neutral point is the only one of low order in the subgroup. Addition is complete on the whole curve.
        let good = points.iter().all(|point| point.isneutral() == 0)
            && subset_sums(&points, rng, backend::Point::NEUTRAL, add, add)
                .into_iter()
                .all(|sum| sum.is_in_subgroup() != 0);
        good.then(|| points.into_iter().map(Point).collect())
    }

    fn encode_point(point: &Point) -> [u8; 57] {
        point.0.encode()
    }

    fn encode_points(points: &[Point]) -> Vec<[u8; 57]> {
        points.iter().map(Self::encode_point).collect()
    }
}

/// The point of an encoding (RFC 8032 section 5.2.3), whatever its order. With y below p and no stray bit in the
/// last byte, the only string that is not an encoding and is taken is x = 0 with its sign set, which is a point of
/// order one or two.
fn decompress(bytes: &[u8]) -> Option<backend::Point> {
    let (y, [sign]) = bytes.split_first_chunk::<56>()? else {
        return None;
    };
    if sign & 0x7f != 0 || !is_below(y, &FIELD) {
        return None;
    }
    backend::Point::decode(bytes)
}

/// 2^448 modulo the order.
const SHIFT: backend::Scalar = backend::Scalar::w64le([
    0x721c_f5b5_529e_ec34,
    0x7a4c_f635_c8e9_c2ab,
    0xeec4_92d9_44a7_25bf,
    0x0002_0cd7_7058,
    0,
    0,
    0,
]);
