#![allow(dead_code, reason = "each test program uses a part")]
//! Independent arithmetic to check the curves against, and a stream of random scalars.

use curve25519_dalek::edwards::{CompressedEdwardsY, EdwardsPoint};
use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use curve25519_dalek::traits::IsIdentity;
use k256::elliptic_curve::group::ff::PrimeField;
use k256::elliptic_curve::group::{Group, GroupEncoding};
use quorate_curve::{Curve, Ed448, Ed25519, P256, Ristretto255, Secp256k1};
pub(crate) use quorate_testkit::rng;

/// A group of another library. Everything goes through encodings, and the scalars are those of the
/// oracle, so that the test relies on neither side's arithmetic.
pub(crate) trait Oracle: Curve {
    /// The oracle's integers modulo the order.
    type Number: Copy;

    /// Decodes an encoded scalar.
    fn number(bytes: &[u8]) -> Self::Number;
    /// Encodes a scalar.
    fn bytes(number: Self::Number) -> Vec<u8>;
    /// a + b * c.
    fn plus_times(a: Self::Number, b: Self::Number, c: Self::Number) -> Self::Number;
    /// The inverse.
    fn inverse(number: Self::Number) -> Self::Number;
    /// The generator times the scalar, encoded; the identity as the oracle encodes it.
    fn base_times(number: Self::Number) -> Vec<u8>;
    /// The point times the scalar, encoded.
    fn times(point: &[u8], number: Self::Number) -> Vec<u8>;
    /// Returns whether the oracle decodes the bytes as a point of its group other than the
    /// identity.
    fn accepts(bytes: &[u8]) -> bool;

    /// A small scalar of the oracle.
    fn small(value: u8) -> Self::Number {
        let mut bytes = Self::encode_scalar(&Self::Scalar::default()).as_ref().to_vec();
        let first = Self::encode_scalar(&Self::Scalar::from(1))
            .as_ref()
            .iter()
            .position(|byte| *byte == 1)
            .unwrap();
        bytes[first] = value;
        Self::number(&bytes)
    }

    /// The crate's scalar, in the oracle's type.
    fn numbered(scalar: &Self::Scalar) -> Self::Number {
        Self::number(Self::encode_scalar(scalar).as_ref())
    }
}

/// An oracle of the RustCrypto line.
macro_rules! group_oracle {
    ($curve:ty, $point:ty) => {
        impl Oracle for $curve {
            type Number = <$point as Group>::Scalar;

            fn number(bytes: &[u8]) -> Self::Number {
                let mut repr = <Self::Number as PrimeField>::Repr::default();
                repr.copy_from_slice(bytes);
                Self::Number::from_repr(repr).unwrap()
            }
            fn bytes(number: Self::Number) -> Vec<u8> {
                number.to_repr().to_vec()
            }
            fn plus_times(a: Self::Number, b: Self::Number, c: Self::Number) -> Self::Number {
                a + b * c
            }
            fn inverse(number: Self::Number) -> Self::Number {
                k256::elliptic_curve::Field::invert(&number).unwrap()
            }
            fn base_times(number: Self::Number) -> Vec<u8> {
                (<$point>::generator() * number).to_bytes().to_vec()
            }
            fn times(point: &[u8], number: Self::Number) -> Vec<u8> {
                let mut repr = <$point as GroupEncoding>::Repr::default();
                repr.copy_from_slice(point);
                (<$point>::from_bytes(&repr).unwrap() * number).to_bytes().to_vec()
            }
            fn accepts(bytes: &[u8]) -> bool {
                let mut repr = <$point as GroupEncoding>::Repr::default();
                repr.copy_from_slice(bytes);
                let point = Option::<$point>::from(<$point>::from_bytes(&repr));
                point.is_some_and(|point| !bool::from(point.is_identity()))
            }
        }
    };
}

group_oracle!(Secp256k1, k256::ProjectivePoint);
group_oracle!(P256, p256::ProjectivePoint);
group_oracle!(Ed448, ed448_goldilocks::EdwardsPoint);

/// An oracle of curve25519-dalek.
macro_rules! dalek_oracle {
    ($curve:ty, $point:ty, $compressed:path, |$decoded:ident| $in_group:expr) => {
        impl Oracle for $curve {
            type Number = curve25519_dalek::Scalar;

            fn number(bytes: &[u8]) -> Self::Number {
                Self::Number::from_canonical_bytes(bytes.try_into().unwrap()).unwrap()
            }
            fn bytes(number: Self::Number) -> Vec<u8> {
                number.to_bytes().to_vec()
            }
            fn plus_times(a: Self::Number, b: Self::Number, c: Self::Number) -> Self::Number {
                a + b * c
            }
            fn inverse(number: Self::Number) -> Self::Number {
                number.invert()
            }
            fn base_times(number: Self::Number) -> Vec<u8> {
                <$point>::mul_base(&number).compress().to_bytes().to_vec()
            }
            fn times(point: &[u8], number: Self::Number) -> Vec<u8> {
                let point = $compressed(point.try_into().unwrap()).decompress().unwrap();
                (point * number).compress().to_bytes().to_vec()
            }
            fn accepts(bytes: &[u8]) -> bool {
                // dalek takes some strings that are not canonical.
                let Ok(bytes) = <[u8; 32]>::try_from(bytes) else {
                    return false;
                };
                $compressed(bytes).decompress().is_some_and(|$decoded| {
                    $in_group && !$decoded.is_identity() && $decoded.compress().to_bytes() == bytes
                })
            }
        }
    };
}

dalek_oracle!(Ed25519, EdwardsPoint, CompressedEdwardsY, |point| point.is_torsion_free());
dalek_oracle!(Ristretto255, RistrettoPoint, CompressedRistretto, |point| true);

/// Runs a generic test for every curve.
macro_rules! for_every_curve {
    ($($test:ident),* $(,)?) => {
        for_every_curve!(@ ed25519, Ed25519, $($test)*);
        for_every_curve!(@ ristretto255, Ristretto255, $($test)*);
        for_every_curve!(@ ed448, Ed448, $($test)*);
        for_every_curve!(@ p256, P256, $($test)*);
        for_every_curve!(@ secp256k1, Secp256k1, $($test)*);
    };
    (@ $module:ident, $curve:ident, $($test:ident)*) => {
        mod $module {
            $(
                #[test]
                fn $test() {
                    super::$test::<quorate_curve::$curve>();
                }
            )*
        }
    };
}
pub(crate) use for_every_curve;
