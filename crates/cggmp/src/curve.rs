//! The curves, with the properties that ECDSA needs.

use quorate_curve::{P256, Secp256k1};
use quorate_keys::derive::Derivable;
use sha2::{Digest, Sha256};

use crate::signature::RecoveryId;

mod sealed {
    /// The seal of [`EcdsaCurve`](super::EcdsaCurve). With the feature `testing` a curve that counts can break it.
    pub trait Sealed {}
    impl Sealed for quorate_curve::Secp256k1 {}
    impl Sealed for quorate_curve::P256 {}
}

#[cfg(feature = "testing")]
pub use sealed::Sealed as Seal;

/// A curve for ECDSA: [`Secp256k1`] or [`P256`]. Sealed: the 256-bit order is built into the ranges
/// of the proofs.
pub trait EcdsaCurve:
    Derivable<PointBytes = [u8; 33], ScalarBytes = [u8; 32]> + sealed::Sealed
{
    /// The code of the curve in stored forms: 4 for P-256, 5 for secp256k1.
    const CODE: u8;

    /// The name of the [family](crate::Ecdsa) of its keys, hashed into every package and share.
    const FAMILY: &'static str;

    /// The curve's name in SEC 2: `"secp256k1"`, `"secp256r1"`.
    const SEC_2: &'static str;

    /// `AlgorithmIdentifier` of a public key (RFC 5480, section 2.1.1), in DER: `id-ecPublicKey`, and
    /// the curve by its name.
    const SPKI_ALGORITHM: &'static [u8];

    /// The uncompressed form of SEC 1 (section 2.3.3): 4 ‖ x ‖ y. Zeros for the identity.
    #[must_use]
    fn point_to_uncompressed(point: &Self::Point) -> [u8; 65];

    /// Decodes the uncompressed form, strictly; `None` for the identity.
    #[must_use]
    fn point_from_uncompressed(bytes: &[u8; 65]) -> Option<Self::Point>;

    /// The x-coordinate of `point` modulo the order (SEC 1, 4.1.3), with the recovery id that is needed
    /// to find the point again. `None` for the identity, and if the result is zero.
    ///
    /// Variable time: nonce points are public once they are used.
    #[must_use]
    fn r_vartime(point: &Self::Point) -> Option<(Self::Scalar, RecoveryId)> {
        if Self::is_identity(point) {
            return None;
        }
        let [tag, x @ ..] = Self::encode_point(point);
        let r = Self::scalar_from_wide(&x);
        let reduced = Self::decode_scalar(&x).is_none();
        (r != Self::Scalar::default()).then_some((r, RecoveryId::new(tag & 1 == 1, reduced)))
    }

    /// Returns whether `s` is above half the order, so that its negative is the smaller of the two.
    ///
    /// Variable time: for signatures, which are public.
    #[must_use]
    fn is_high_vartime(s: &Self::Scalar) -> bool {
        let limbs = Self::scalar_limbs(s);
        let negative = Self::scalar_limbs(&-*s);
        limbs.iter().rev().gt(negative.iter().rev())
    }

    /// The hash of a message: SHA-256.
    #[must_use]
    fn hash(message: &[u8]) -> [u8; 32] {
        Sha256::digest(message).into()
    }
}

impl EcdsaCurve for Secp256k1 {
    const CODE: u8 = 5;
    const FAMILY: &'static str = "quorate-cggmp ECDSA secp256k1 v1";
    const SEC_2: &'static str = "secp256k1";
    /// 1.2.840.10045.2.1 and 1.3.132.0.10
    const SPKI_ALGORITHM: &'static [u8] = &[
        0x30, 0x10, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x05, 0x2b, 0x81,
        0x04, 0x00, 0x0a,
    ];

    fn point_to_uncompressed(point: &Self::Point) -> [u8; 65] {
        point.to_uncompressed()
    }

    fn point_from_uncompressed(bytes: &[u8; 65]) -> Option<Self::Point> {
        Self::Point::from_uncompressed(bytes)
    }
}

impl EcdsaCurve for P256 {
    const CODE: u8 = 4;
    const FAMILY: &'static str = "quorate-cggmp ECDSA P-256 v1";
    const SEC_2: &'static str = "secp256r1";
    /// 1.2.840.10045.2.1 and 1.2.840.10045.3.1.7
    const SPKI_ALGORITHM: &'static [u8] = &[
        0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
        0x48, 0xce, 0x3d, 0x03, 0x01, 0x07,
    ];

    fn point_to_uncompressed(point: &Self::Point) -> [u8; 65] {
        point.to_uncompressed()
    }

    fn point_from_uncompressed(bytes: &[u8; 65]) -> Option<Self::Point> {
        Self::Point::from_uncompressed(bytes)
    }
}
