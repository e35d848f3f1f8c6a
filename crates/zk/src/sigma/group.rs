//! The group part of a relation: a curve, or none.

use alloc::vec::Vec;

use quorate_bignum::{Integer, SecretInteger};
use quorate_curve::{Curve, Secret, random_scalar};
use rand_core::CryptoRng;
use zeroize::Zeroize;

use crate::numbers::{centred, scalar, scalar_of_public};

/// The group that the points of a relation are in: a [`Curve`], or [`NoPoints`].
pub trait Group: Sized + 'static {
    /// The curve's name, which is hashed; nothing without a curve.
    const NAME: Option<&'static str>;
    /// A scalar.
    type Scalar: Copy + Zeroize + 'static;
    /// A point.
    type Point: Copy + PartialEq + 'static;
    /// The encoding of a scalar, of a fixed length.
    type ScalarBytes: AsRef<[u8]>;
    /// The encoding of a point, of a fixed length.
    type PointBytes: AsRef<[u8]>;

    /// Bytes of a scalar.
    fn scalar_bytes() -> usize;
    /// The encoding of a scalar.
    fn encode_scalar(scalar: &Self::Scalar) -> Self::ScalarBytes;
    /// The scalar of a canonical encoding.
    fn decode_scalar(bytes: &[u8]) -> Option<Self::Scalar>;
    /// The encodings of points.
    fn encode_points(points: &[Self::Point]) -> Vec<Self::PointBytes>;
    /// The challenge scalar of a digest, as it travels; nothing without a curve.
    fn challenge(digest: &[u8; 64]) -> Option<Vec<u8>>;
    /// The centred integer of a challenge scalar that has travelled.
    fn challenge_exponent(bytes: &[u8]) -> Option<Integer>;
    /// A uniform scalar.
    fn random_scalar(rng: &mut impl CryptoRng) -> Self::Scalar;
    /// The residue of a secret integer. Constant time.
    fn scalar(value: &SecretInteger) -> Self::Scalar;
    /// The residue of a public integer. Variable time.
    fn scalar_vartime(value: &Integer) -> Self::Scalar;
    /// `mask + e·x`. Constant time in the mask and in `x`.
    fn response(mask: &Self::Scalar, e: &Integer, x: &Self::Scalar) -> Self::Scalar;
    /// Returns whether a point is the identity, which no statement may have.
    fn is_identity(point: &Self::Point) -> bool;
    /// The sum of scalar times point. Constant time.
    fn sum(terms: &[(Self::Point, Secret<Self::Scalar>)]) -> Self::Point;
    /// The sum of scalar times point, in variable time.
    fn sum_vartime(scalars: &[Self::Scalar], points: &[Self::Point]) -> Self::Point;
}

impl<C: Curve> Group for C {
    const NAME: Option<&'static str> = Some(<C as Curve>::NAME);
    type Scalar = <C as Curve>::Scalar;
    type Point = <C as Curve>::Point;
    type ScalarBytes = <C as Curve>::ScalarBytes;
    type PointBytes = <C as Curve>::PointBytes;

    fn scalar_bytes() -> usize {
        <C as Curve>::encode_scalar(&Self::Scalar::default()).as_ref().len()
    }

    fn encode_scalar(scalar: &Self::Scalar) -> Self::ScalarBytes {
        <C as Curve>::encode_scalar(scalar)
    }

    fn decode_scalar(bytes: &[u8]) -> Option<Self::Scalar> {
        <C as Curve>::decode_scalar(bytes)
    }

    fn encode_points(points: &[Self::Point]) -> Vec<Self::PointBytes> {
        <C as Curve>::encode_points(points)
    }

    fn challenge(digest: &[u8; 64]) -> Option<Vec<u8>> {
        Some(<C as Curve>::encode_scalar(&C::scalar_from_wide(digest)).as_ref().to_vec())
    }

    fn challenge_exponent(bytes: &[u8]) -> Option<Integer> {
        Some(centred::<C>(&<C as Curve>::decode_scalar(bytes)?).declassify())
    }

    fn random_scalar(rng: &mut impl CryptoRng) -> Self::Scalar {
        random_scalar::<C>(rng)
    }

    fn scalar(value: &SecretInteger) -> Self::Scalar {
        scalar::<C>(value)
    }

    fn scalar_vartime(value: &Integer) -> Self::Scalar {
        scalar_of_public::<C>(value)
    }

    fn response(mask: &Self::Scalar, e: &Integer, x: &Self::Scalar) -> Self::Scalar {
        *mask + scalar_of_public::<C>(e) * *x
    }

    fn is_identity(point: &Self::Point) -> bool {
        <C as Curve>::is_identity(point)
    }

    fn sum(terms: &[(Self::Point, Secret<Self::Scalar>)]) -> Self::Point {
        terms.iter().fold(C::identity(), |sum, (point, scalar)| {
            let generator = *point == C::generator();
            let term = if generator {
                C::mul_base(scalar.expose())
            } else {
                C::mul(point, scalar.expose())
            };
            sum + term
        })
    }

    fn sum_vartime(scalars: &[Self::Scalar], points: &[Self::Point]) -> Self::Point {
        C::msm_vartime(scalars, points)
    }
}

/// The group of relations among integers alone: its one element is the identity, and it has no challenges of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPoints;

impl Group for NoPoints {
    const NAME: Option<&'static str> = None;
    type Scalar = ();
    type Point = ();
    type ScalarBytes = [u8; 0];
    type PointBytes = [u8; 0];

    fn scalar_bytes() -> usize {
        0
    }

    fn encode_scalar((): &()) -> [u8; 0] {
        []
    }

    fn decode_scalar(bytes: &[u8]) -> Option<()> {
        bytes.is_empty().then_some(())
    }

    fn encode_points(points: &[()]) -> Vec<[u8; 0]> {
        points.iter().map(|()| []).collect()
    }

    fn challenge(_: &[u8; 64]) -> Option<Vec<u8>> {
        None
    }

    fn challenge_exponent(_: &[u8]) -> Option<Integer> {
        None
    }

    fn random_scalar(_: &mut impl CryptoRng) {}

    fn scalar(_: &SecretInteger) {}

    fn scalar_vartime(_: &Integer) {}

    fn response((): &(), _: &Integer, (): &()) {}

    fn is_identity((): &()) -> bool {
        true
    }

    fn sum(_: &[((), Secret<()>)]) {}

    fn sum_vartime(_: &[()], _: &[()]) {}
}
