//! The same sums by an independent implementation, through bytes only.

use quorate_curve::{Curve, Ed448, Ed25519, P256, Ristretto255, Secp256k1};

/// An independent implementation of a curve.
pub trait Oracle: Curve {
    /// The encoding of the sum of every scalar times its point; `None` stands for the identity.
    fn sum(terms: &[(Self::ScalarBytes, Option<Self::PointBytes>)]) -> Self::PointBytes;
}

macro_rules! by_rustcrypto {
    ($curve:ident, $library:ident, $scalar:ty, $point:ty) => {
        impl Oracle for $curve {
            fn sum(terms: &[(Self::ScalarBytes, Option<Self::PointBytes>)]) -> Self::PointBytes {
                use $library::elliptic_curve::ff::PrimeField;
                use $library::elliptic_curve::group::{Group, GroupEncoding};
                let mut sum = <$point>::identity();
                for (scalar, point) in terms {
                    let scalar = <$scalar>::from_repr((*scalar).into()).unwrap();
                    let point = match point {
                        Some(bytes) => <$point>::from_bytes(&(*bytes).into()).unwrap(),
                        None => <$point>::identity(),
                    };
                    sum += point * scalar;
                }
                sum.to_bytes().into()
            }
        }
    };
}

macro_rules! by_crrl {
    ($curve:ident, $module:ident) => {
        impl Oracle for $curve {
            fn sum(terms: &[([u8; 32], Option<[u8; 32]>)]) -> [u8; 32] {
                use crrl::$module::{Point, Scalar};
                let mut sum = Point::NEUTRAL;
                for (scalar, point) in terms {
                    let scalar = Scalar::decode(scalar).unwrap();
                    let point =
                        point.map_or(Point::NEUTRAL, |bytes| Point::decode(&bytes).unwrap());
                    sum += point * scalar;
                }
                sum.encode()
            }
        }
    };
}

by_crrl!(Ed25519, ed25519);
by_crrl!(Ristretto255, ristretto255);
by_rustcrypto!(
    Ed448,
    ed448_goldilocks,
    ed448_goldilocks::EdwardsScalar,
    ed448_goldilocks::EdwardsPoint
);
by_rustcrypto!(P256, p256, p256::Scalar, p256::ProjectivePoint);
by_rustcrypto!(Secp256k1, k256, k256::Scalar, k256::ProjectivePoint);
