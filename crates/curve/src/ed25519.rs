//! Ed25519 (RFC 8032), over the field and the scalars of crrl.

use alloc::vec::Vec;

use crrl::ed25519 as backend;
use crrl::field::GF25519;
use quorate_declassify::declassify;
use rand_core::Rng;
use zeroize::Zeroizing;

use crate::bytes::{is_below, limbs_from_le};
use crate::curve::decode_each;
use crate::edwards::{self, D, Edwards, FIELD, sqrt_ratio};
#[cfg(target_arch = "x86_64")]
use crate::lanes::Lanes;
use crate::torsion::TOGETHER_FROM;
use crate::{Curve, common_scalar, msm};

scalar_over_crrl!(
    "the order of the 25519 groups, 2^252 + 0x14def9dea2f79cd65812631a5cf5d3ed",
    backend::Scalar
);

/// A point of the prime-order subgroup of Ed25519.
#[derive(Clone, Copy)]
pub struct Point(pub(crate) Edwards);

edwards_operators!();
point_debug!(Ed25519);

impl PartialEq for Point {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(&other.0)
    }
}

impl Eq for Point {}

/// The prime-order subgroup of the curve of Ed25519, with its encodings (RFC 8032 section 5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ed25519;

impl crate::seal::Seal for Ed25519 {}

impl Curve for Ed25519 {
    const NAME: &'static str = "Ed25519";
    const ORDER: &'static [u64] =
        &[0x5812_631a_5cf5_d3ed, 0x14de_f9de_a2f7_9cd6, 0, 0x1000_0000_0000_0000];

    type Scalar = Scalar;
    type Point = Point;
    type PointBytes = [u8; 32];
    type ScalarBytes = [u8; 32];

    fn identity() -> Point {
        Point(Edwards::IDENTITY)
    }

    fn generator() -> Point {
        Point(edwards::GENERATOR)
    }

    fn is_identity(point: &Point) -> bool {
        point.0.is_identity()
    }

    fn mul_base(scalar: &Scalar) -> Point {
        Point(edwards::mul_base(&Zeroizing::new(scalar.0.encode())))
    }

    fn mul(point: &Point, scalar: &Scalar) -> Point {
        Point(point.0.times(&Zeroizing::new(scalar.0.encode())))
    }

    fn mul_sixteen(points: &[Point; 16], scalar: &Scalar) -> [Point; 16] {
        let bytes = Zeroizing::new(scalar.0.encode());
        common_scalar::times(&points.map(|point| point.0), &bytes).map(Point)
    }

    fn double(point: &Point) -> Point {
        Point(point.0.doubled(1))
    }

    fn msm_vartime(scalars: &[Scalar], points: &[Point]) -> Point {
        Point(msm::msm_edwards::<Self>(scalars, points, |point| point.0))
    }

    fn batch_coefficient_vartime(rng: &mut impl Rng, terms: usize) -> Scalar {
        msm::edwards_coefficient::<Self>(rng, terms)
    }

    fn mul_small_vartime(point: &Point, multiplier: u64) -> Point {
        msm::mul_small::<Self>(point, multiplier)
    }

    fn verify_vartime(key: &Point, r: &Point, s: &Scalar, c: &Scalar) -> bool {
        edwards::schnorr_vartime(&key.0, &r.0, &s.0, &c.0).is_identity()
    }

    fn invert(scalar: &Scalar) -> Scalar {
        Scalar(backend::Scalar::ONE / scalar.0)
    }

    fn scalar_from_wide(bytes: &[u8]) -> Scalar {
        Scalar(backend::Scalar::decode_reduce(bytes))
    }

    fn decode_scalar(bytes: &[u8]) -> Option<Scalar> {
        // A scalar that is not canonical is refused.
        if bytes.len() != 32 || !declassify(is_below(bytes, Self::ORDER)) {
            return None;
        }
        let (scalar, _) = backend::Scalar::decode_ct(bytes);
        Some(Scalar(scalar))
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
        let bytes = <[u8; 32]>::try_from(bytes).ok()?;
        let point = decompress(&bytes)?;
        (edwards::is_member(&point.0.x, &point.0.y) != 0).then_some(point)
    }

    fn decode_points_vartime(bytes: &[u8], rng: &mut impl Rng) -> Option<Vec<Point>> {
        let (encodings, rest) = bytes.as_chunks::<32>();
        #[cfg(target_arch = "x86_64")]
        if let (Some(lanes), []) = (Lanes::detect(encodings.len()), rest) {
            return Some(lanes.ed25519(encodings)?.into_iter().map(Point).collect());
        }
        if encodings.len() < TOGETHER_FROM || !rest.is_empty() {
            return decode_each::<Self, _>(bytes, Self::decode_point);
        }
        decode_together_vartime(encodings, rng)
    }

    fn encode_point(point: &Point) -> [u8; 32] {
        compress(&point.0, &(GF25519::ONE / point.0.z))
    }

    fn encode_points(points: &[Point]) -> Vec<[u8; 32]> {
        let mut inverses: Vec<GF25519> = points.iter().map(|point| point.0.z).collect();
        GF25519::batch_invert(&mut inverses);
        points.iter().zip(&inverses).map(|(point, inverse)| compress(&point.0, inverse)).collect()
    }
}

impl Ed25519 {
    /// Eight times the point of an encoding (RFC 8032 section 5.1.3), whatever its order; `None` for bytes that are no
    /// encoding, and for a point of low order. In variable time.
    ///
    /// For the try-and-increment of RFC 9381, which hashes to the whole curve and clears the cofactor. A point that a peer
    /// sends is decoded by [`Curve::decode_point`].
    #[must_use]
    pub fn decode_clearing_cofactor_vartime(bytes: &[u8; 32]) -> Option<Point> {
        let point = Point(decompress(bytes)?.0.doubled(3));
        (!Self::is_identity(&point)).then_some(point)
    }
}

/// The encoding (RFC 8032 section 5.1.2); `inverse` is 1/Z.
fn compress(point: &Edwards, inverse: &GF25519) -> [u8; 32] {
    let [low, ..] = (point.x * inverse).encode();
    let mut bytes = (point.y * inverse).encode();
    let [.., top] = &mut bytes;
    *top |= low << 7;
    bytes
}

/// The point of an encoding (RFC 8032 section 5.1.3), whatever its order. With y below p, the only
/// string that is not an encoding is x = 0 with its sign set, which is refused: so this is as strict
/// as encoding again and comparing, without the inversion.
fn decompress(bytes: &[u8; 32]) -> Option<Point> {
    let mut y_bytes = *bytes;
    let sign = *bytes.last()? >> 7;
    *y_bytes.last_mut()? &= 0x7f;
    if !is_below(&y_bytes, &FIELD) {
        return None;
    }
    let y = GF25519::decode(&y_bytes)?;
    let y2 = y.square();
    let (root, is_square) = sqrt_ratio(y2 - GF25519::ONE, D * y2 + GF25519::ONE);
    let [low, ..] = root.encode();
    let x = if low & 1 == sign { root } else { -root };
    let is_zero_with_sign = x.iszero() != 0 && sign == 1;
    (is_square != 0 && !is_zero_with_sign).then(|| Point(Edwards::from_affine(x, y)))
}

/// The points of many encodings, tested together for being in the subgroup.
fn decode_together_vartime(encodings: &[[u8; 32]], rng: &mut impl Rng) -> Option<Vec<Point>> {
    let points: Vec<Point> = encodings.iter().map(decompress).collect::<Option<_>>()?;
    // The neutral point is the only one of low order in the subgroup.
    let edwards: Vec<Edwards> = points.iter().map(|point| point.0).collect();
    let good = !edwards.iter().any(Edwards::is_identity)
        && edwards::all_in_subgroup_vartime(&edwards, Ed25519::ORDER, rng);
    good.then_some(points)
}

/// 2^256 modulo the order.
const SHIFT: backend::Scalar = backend::Scalar::w64le(
    0xd6ec_3174_8d98_951d,
    0xc6ef_5bf4_737d_cf70,
    0xffff_ffff_ffff_fffe,
    0x0fff_ffff_ffff_ffff,
);

#[cfg(test)]
mod tests {
    use chacha20::ChaCha20Rng;
    use chacha20::rand_core::SeedableRng;
    use curve25519_dalek::constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION};

    use super::*;

    #[test]
    fn a_point_is_decoded_alone_iff_it_is_in_the_subgroup_and_not_neutral() {
        let mut point = ED25519_BASEPOINT_POINT - ED25519_BASEPOINT_POINT;
        for multiple in 0..200 {
            for (of, low) in EIGHT_TORSION.iter().enumerate() {
                let encoding = (point + low).compress().to_bytes();
                let is_good = (multiple, of) != (0, 0) && (point + low).is_torsion_free();
                assert_eq!(is_good, multiple != 0 && of == 0);
                let decoded = Ed25519::decode_point(&encoding);
                assert_eq!(decoded.is_some(), is_good, "{multiple} {of}");
                assert!(decoded.is_none_or(|point| Ed25519::encode_point(&point) == encoding));
            }
            point += ED25519_BASEPOINT_POINT;
        }
    }

    /// The test without the instructions for sixteen at a time, which the processor of this test may have.
    #[test]
    fn points_outside_the_subgroup_are_found_by_sums_of_subsets() {
        let good = Ed25519::encode_point(&Ed25519::generator());
        let decode = |encodings: &[[u8; 32]]| {
            decode_together_vartime(encodings, &mut ChaCha20Rng::from_seed([7; 32]))
        };
        let row = [good; 300];
        assert!(decode(&row) == Some(alloc::vec![Ed25519::generator(); 300]));
        for low in &EIGHT_TORSION[1..] {
            for moved in [*low, ED25519_BASEPOINT_POINT + low] {
                let mut row = row;
                row[123] = moved.compress().to_bytes();
                assert!(decode(&row).is_none());
                row[200] = (ED25519_BASEPOINT_POINT - low).compress().to_bytes();
                assert!(decode(&row).is_none());
            }
        }
    }
}
