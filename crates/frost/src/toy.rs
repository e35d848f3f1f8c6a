//! Toy groups for tests. An element is a pair: an integer modulo the order of a curve, which stands for the
//! multiple of the generator, and one modulo a cofactor. So it behaves like the curves of Ed25519 (cofactor 8)
//! and Ed448 (4) with their points of low order, which its decoder accepts. A multiplication takes nanoseconds.
//! Discrete logarithms are visible to everybody.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Add, Neg, Sub};

use quorate_curve::Curve;

use crate::hash::WideSha512;
use crate::suite::{Ciphersuite, KeySuite, PointBytes, ScalarBytes};

/// A group of the order of `C` times the cofactor `H`, a power of two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Toy<C, const H: u8>(PhantomData<C>);

/// A point: the multiple of the generator, and the part of low order.
pub(crate) struct ToyPoint<C: Curve, const H: u8>(C::Scalar, u8);

impl<C: Curve, const H: u8> ToyPoint<C, H> {
    /// The point of low order with this number.
    pub(crate) fn low(number: u8) -> Self {
        Self(0.into(), number & (H - 1))
    }

    fn times(self, scalar: &C::Scalar) -> Self {
        let low = C::scalar_limbs(scalar)[0].to_le_bytes()[0];
        Self(self.0 * *scalar, self.1.wrapping_mul(low) & (H - 1))
    }
}

impl<C: Curve, const H: u8> Clone for ToyPoint<C, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Curve, const H: u8> Copy for ToyPoint<C, H> {}

impl<C: Curve, const H: u8> PartialEq for ToyPoint<C, H> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 && self.1 == other.1
    }
}

impl<C: Curve, const H: u8> Eq for ToyPoint<C, H> {}

impl<C: Curve, const H: u8> fmt::Debug for ToyPoint<C, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", Toy::<C, H>::encode_point(self))
    }
}

impl<C: Curve, const H: u8> Add for ToyPoint<C, H> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1.wrapping_add(other.1) & (H - 1))
    }
}

impl<C: Curve, const H: u8> Neg for ToyPoint<C, H> {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0, self.1.wrapping_neg() & (H - 1))
    }
}

impl<C: Curve, const H: u8> Sub for ToyPoint<C, H> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<C: Curve, const H: u8> quorate_curve::seal::Seal for Toy<C, H> {}

impl<C: Curve, const H: u8> Curve for Toy<C, H> {
    const NAME: &'static str = "toy";
    const ORDER: &'static [u64] = C::ORDER;
    type Scalar = C::Scalar;
    type Point = ToyPoint<C, H>;
    type PointBytes = [u8; 59];
    type ScalarBytes = C::ScalarBytes;

    fn identity() -> Self::Point {
        ToyPoint::low(0)
    }

    fn generator() -> Self::Point {
        ToyPoint(1.into(), 0)
    }

    fn is_identity(point: &Self::Point) -> bool {
        *point == Self::identity()
    }

    fn mul_base(scalar: &Self::Scalar) -> Self::Point {
        ToyPoint(*scalar, 0)
    }

    fn mul(point: &Self::Point, scalar: &Self::Scalar) -> Self::Point {
        point.times(scalar)
    }

    fn double(point: &Self::Point) -> Self::Point {
        *point + *point
    }

    fn msm_vartime(scalars: &[Self::Scalar], points: &[Self::Point]) -> Self::Point {
        let terms = scalars.iter().zip(points).map(|(scalar, point)| point.times(scalar));
        terms.fold(Self::identity(), Add::add)
    }

    fn mul_small_vartime(point: &Self::Point, multiplier: u64) -> Self::Point {
        point.times(&multiplier.into())
    }

    fn verify_vartime(
        key: &Self::Point,
        r: &Self::Point,
        s: &Self::Scalar,
        c: &Self::Scalar,
    ) -> bool {
        Self::mul_base(s) == *r + key.times(c)
    }

    fn invert(scalar: &Self::Scalar) -> Self::Scalar {
        C::invert(scalar)
    }

    fn scalar_from_wide(bytes: &[u8]) -> Self::Scalar {
        C::scalar_from_wide(bytes)
    }

    fn decode_scalar(bytes: &[u8]) -> Option<Self::Scalar> {
        C::decode_scalar(bytes)
    }

    fn encode_scalar(scalar: &Self::Scalar) -> Self::ScalarBytes {
        C::encode_scalar(scalar)
    }

    fn scalar_limbs(scalar: &Self::Scalar) -> [u64; 8] {
        C::scalar_limbs(scalar)
    }

    fn scalar_from_limbs(limbs: &[u64; 8]) -> Self::Scalar {
        C::scalar_from_limbs(limbs)
    }

    /// Only the identity is refused.
    fn decode_point(bytes: &[u8]) -> Option<Self::Point> {
        let bytes = <[u8; 59]>::try_from(bytes).ok()?;
        let scalar = C::decode_scalar(&bytes[1..=size_of::<C::ScalarBytes>()])?;
        let point = ToyPoint(scalar, bytes[58]);
        (Self::encode_point(&point) == bytes && !Self::is_identity(&point)).then_some(point)
    }

    /// Three parts: 2 or 3, as the multiple of the generator is even or odd; the multiple; the part of low order.
    /// Of a point and its negative, one is odd.
    fn encode_point(point: &Self::Point) -> [u8; 59] {
        let mut bytes = [0; 59];
        bytes[0] = 2 | (C::scalar_limbs(&point.0)[0] & 1).to_le_bytes()[0];
        let scalar = C::encode_scalar(&point.0);
        let scalar = scalar.as_ref();
        // The scalars of Ed448 fill their place, all others are shorter.
        bytes[1..=scalar.len()].copy_from_slice(scalar);
        bytes[58] = point.1;
        bytes
    }

    fn encode_points(points: &[Self::Point]) -> Vec<[u8; 59]> {
        points.iter().map(Self::encode_point).collect()
    }
}

/// A suite over a toy group; with `EVEN` one of even keys, as Taproot's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ToySuite<C, const H: u8, const EVEN: bool>(PhantomData<C>);

impl<C: Curve, const H: u8, const EVEN: bool> KeySuite for ToySuite<C, H, EVEN> {
    type Curve = Toy<C, H>;
    type Hash = WideSha512;

    const CONTEXT: &'static str = "a toy suite";
    const CODE: u8 = 201;
    const EVEN_Y: bool = EVEN;
}

impl<C: Curve, const H: u8, const EVEN: bool> Ciphersuite for ToySuite<C, H, EVEN> {
    type SignatureBytes = PointBytes<Self>;

    fn encode_signature(r: &PointBytes<Self>, _: &ScalarBytes<Self>) -> PointBytes<Self> {
        *r
    }
}
