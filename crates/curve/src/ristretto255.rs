//! ristretto255 (RFC 9496), over the curve of Ed25519.

use alloc::vec::Vec;

use crrl::ed25519 as backend;
use crrl::field::GF25519;
use rand_core::Rng;
use zeroize::Zeroizing;

use crate::bytes::is_below;
#[cfg(target_arch = "x86_64")]
use crate::curve::decode_each;
use crate::ed25519::Ed25519;
pub use crate::ed25519::Scalar;
use crate::edwards::{
    self, D, Edwards, FIELD, INVSQRT_A_MINUS_D, SQRT_M1, abs, is_negative, sqrt_ratio,
};
#[cfg(target_arch = "x86_64")]
use crate::lanes::Lanes;
use crate::{Curve, common_scalar, msm};

/// An element of ristretto255: a class of points that differ by points of order 1, 2 or 4.
#[derive(Clone, Copy)]
pub struct Point(pub(crate) Edwards);

edwards_operators!();
point_debug!(Ristretto255);

impl PartialEq for Point {
    fn eq(&self, other: &Self) -> bool {
        // RFC 9496 section 4.3.3.
        let (a, b) = (&self.0, &other.0);
        (a.x * b.y).equals(a.y * b.x) | (a.y * b.y).equals(a.x * b.x) != 0
    }
}

impl Eq for Point {}

/// The group ristretto255 with its encodings (RFC 9496).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ristretto255;

impl crate::seal::Seal for Ristretto255 {}

impl Curve for Ristretto255 {
    const NAME: &'static str = "ristretto255";
    const ORDER: &'static [u64] = Ed25519::ORDER;

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
        // Equality with (0, 1).
        point.0.x.iszero() | point.0.y.iszero() != 0
    }

    fn mul_base(scalar: &Scalar) -> Point {
        Point(Ed25519::mul_base(scalar).0)
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
        Self::is_identity(&Point(edwards::schnorr_vartime(&key.0, &r.0, &s.0, &c.0)))
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
        // RFC 9496 section 4.3.1: an even field element below p.
        let bytes = <[u8; 32]>::try_from(bytes).ok()?;
        let is_odd = bytes.first().is_none_or(|low| low & 1 == 1);
        if is_odd || !is_below(&bytes, &FIELD) {
            return None;
        }
        let point = decompress(GF25519::decode(&bytes)?)?;
        (!Self::is_identity(&point)).then_some(point)
    }

    #[cfg(target_arch = "x86_64")]
    fn decode_points_vartime(bytes: &[u8], rng: &mut impl Rng) -> Option<Vec<Point>> {
        let _ = rng;
        let (encodings, rest) = bytes.as_chunks::<32>();
        match (Lanes::detect(encodings.len()), rest) {
            (Some(lanes), []) => {
                Some(lanes.ristretto255(encodings)?.into_iter().map(Point).collect())
            }
            _ => decode_each::<Self, _>(bytes, Self::decode_point),
        }
    }

    fn encode_point(point: &Point) -> [u8; 32] {
        compress(&point.0)
    }

    fn encode_points(points: &[Point]) -> Vec<[u8; 32]> {
        points.iter().map(Self::encode_point).collect()
    }

    fn mul_base_many(scalars: &[Scalar]) -> (Vec<Point>, Vec<[u8; 32]>) {
        // The encoding of twice a point takes no square root but a division, and divisions share
        // an inversion.
        let doublings: Vec<_> = scalars
            .iter()
            .map(|scalar| Doubling::from_half(&Self::mul_base(&(*scalar * HALF)).0))
            .collect();
        let mut inverses: Vec<GF25519> = doublings.iter().map(Doubling::denominator).collect();
        GF25519::batch_invert(&mut inverses);
        let bytes = doublings.iter().zip(&inverses).map(|(d, inverse)| d.encode(inverse)).collect();
        (doublings.iter().map(|doubling| Point(doubling.point())).collect(), bytes)
    }
}

/// 1/2 modulo the order.
const HALF: Scalar = Scalar(backend::Scalar::w64le(
    0x2c09_318d_2e7a_e9f7,
    0x0a6f_7cef_517b_ce6b,
    0,
    0x0800_0000_0000_0000,
));

/// The point that `s` stands for (RFC 9496 section 4.3.1).
fn decompress(s: GF25519) -> Option<Point> {
    let ss = s.square();
    let u1 = GF25519::ONE - ss;
    let u2 = GF25519::ONE + ss;
    let u2_squared = u2.square();
    let v = -(D * u1.square()) - u2_squared;
    let (root, is_square) = sqrt_ratio(GF25519::ONE, v * u2_squared);
    let den_x = root * u2;
    let den_y = root * den_x * v;
    let x = abs((s * den_x).mul2());
    let y = u1 * den_y;
    let point = Edwards::from_affine(x, y);
    let refused = !is_square | is_negative(point.t) | y.iszero();
    (refused == 0).then_some(Point(point))
}

/// The encoding (RFC 9496 section 4.3.2).
fn compress(point: &Edwards) -> [u8; 32] {
    let Edwards { x, y, z, t } = *point;
    let u1 = (z + y) * (z - y);
    let u2 = x * y;
    let (root, _) = sqrt_ratio(GF25519::ONE, u1 * u2.square());
    let den1 = root * u1;
    let den2 = root * u2;
    let z_inverse = den1 * den2 * t;
    let rotate = is_negative(t * z_inverse);
    let x_chosen = GF25519::select(&x, &(y * SQRT_M1), rotate);
    let mut y_chosen = GF25519::select(&y, &(x * SQRT_M1), rotate);
    let den_inverse = GF25519::select(&den2, &(den1 * INVSQRT_A_MINUS_D), rotate);
    y_chosen.set_cond(&-y_chosen, is_negative(x_chosen * z_inverse));
    abs(den_inverse * (z - y_chosen)).encode()
}

/// Twice a point, x = E/F and y = G/H: E = 2XY, F = Z^2 + dT^2, G = Y^2 + X^2, H = Z^2 - dT^2.
///
/// Let X = EH, Y = FG, Z = FH and T = EG in the encoding of RFC 9496. The curve's equation makes
/// u1*u2^2 the square of sqrt(a-d)*(EF)^2*GH, so that no root is left. Then den1 = sqrt(a-d)/GH and
/// den2 = 1/(sqrt(a-d)*EF), up to a common sign that cancels.
struct Doubling {
    e: GF25519,
    f: GF25519,
    g: GF25519,
    h: GF25519,
}

impl Doubling {
    fn from_half(point: &Edwards) -> Self {
        let Edwards { x, y, z, t } = point;
        let zz = z.square();
        let dtt = D * t.square();
        Self { e: (x * y).mul2(), f: zz + dtt, g: y.square() + x.square(), h: zz - dtt }
    }

    fn point(&self) -> Edwards {
        let Self { e, f, g, h } = self;
        Edwards { x: e * h, y: f * g, z: f * h, t: e * g }
    }

    /// The value that [`Self::encode`] inverts; zero only for the identity's class.
    fn denominator(&self) -> GF25519 {
        self.e * self.f * self.g * self.h
    }

    /// The encoding; `inverse` is 1/EFGH, or zero.
    fn encode(&self, inverse: &GF25519) -> [u8; 32] {
        let Self { e, f, g, h } = self;
        let (eg, fh) = (e * g, f * h);
        let (one_over_eg, one_over_fh) = (fh * inverse, eg * inverse);
        let rotate = is_negative(eg * one_over_fh);
        // Not rotated: |den2*(Z - (+-)Y)| = |(H - (+-)G) / (sqrt(a-d)*E)|, the sign being that of x.
        let mut other = *g;
        other.set_cond(&-*g, is_negative(e * h * one_over_fh));
        let plain = (h - other) * g * one_over_eg * INVSQRT_A_MINUS_D;
        // Rotated: |(Z - (+-)iX) / GH| = |(F - (+-)iE) / G|, the sign being that of iy.
        let ie = e * SQRT_M1;
        let mut other = ie;
        other.set_cond(&-ie, is_negative(SQRT_M1 * f * g * one_over_fh));
        let rotated = (f - other) * e * one_over_eg;
        abs(GF25519::select(&plain, &rotated, rotate)).encode()
    }
}
