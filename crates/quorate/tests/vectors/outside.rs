//! Verifiers that share nothing with the library: other crates, or the equation of RFC 9591 over
//! other crates' arithmetic.

use quorate::frost as suites;
use quorate::frost::generic::Ciphersuite;
use sha2::{Digest, Sha512};

use crate::expand_message::expand_message_xmd;

/// A suite for whose signatures there is a verifier that is not ours.
pub(crate) trait Outside: Ciphersuite {
    /// Whether it accepts.
    fn holds(key: &[u8], message: &[u8], signature: &[u8]) -> bool;
}

impl Outside for suites::ed25519::Ed25519Sha512 {
    fn holds(key: &[u8], message: &[u8], signature: &[u8]) -> bool {
        let Ok(key) = ed25519_dalek::VerifyingKey::from_bytes(key.try_into().unwrap()) else {
            return false;
        };
        ed25519_dalek::Signature::from_slice(signature)
            .is_ok_and(|signature| key.verify_strict(message, &signature).is_ok())
    }
}

impl Outside for suites::ed448::Ed448Shake256 {
    fn holds(key: &[u8], message: &[u8], signature: &[u8]) -> bool {
        let Ok(key) = ed448_goldilocks::VerifyingKey::from_bytes(key.try_into().unwrap()) else {
            return false;
        };
        ed448_goldilocks::Signature::try_from(signature)
            .is_ok_and(|signature| key.verify_raw(&signature, message).is_ok())
    }
}

/// Both libsecp256k1 and k256.
impl Outside for suites::secp256k1_tr::Secp256k1Taproot {
    fn holds(key: &[u8], message: &[u8], signature: &[u8]) -> bool {
        assert_eq!((key.len(), key[0]), (33, 2), "keys are even");
        let (by_libsecp256k1, by_k256) = bip340(&key[1..], message, signature);
        assert_eq!(by_libsecp256k1, by_k256);
        by_k256
    }
}

/// The verdicts of libsecp256k1 and k256 on a BIP-340 signature.
pub(crate) fn bip340(x_only: &[u8], message: &[u8], signature: &[u8]) -> (bool, bool) {
    let x_only: [u8; 32] = x_only.try_into().unwrap();
    let by_libsecp256k1 = secp256k1::XOnlyPublicKey::from_byte_array(x_only).is_ok_and(|key| {
        signature.try_into().is_ok_and(|bytes| {
            secp256k1::schnorr::Signature::from_byte_array(bytes).verify(message, &key).is_ok()
        })
    });
    let by_k256 = k256::schnorr::VerifyingKey::from_slice(&x_only).is_ok_and(|key| {
        let signature = k256::schnorr::Signature::try_from(signature);
        signature.is_ok_and(|signature| key.verify_raw(message, &signature).is_ok())
    });
    (by_libsecp256k1, by_k256)
}

/// `z·G = R + c·Y` (RFC 9591 §6.2) over curve25519-dalek.
impl Outside for suites::ristretto255::Ristretto255Sha512 {
    fn holds(key: &[u8], message: &[u8], signature: &[u8]) -> bool {
        use curve25519_dalek::{RistrettoPoint, Scalar, ristretto::CompressedRistretto};
        let point = |bytes: &[u8]| CompressedRistretto::from_slice(bytes).unwrap().decompress();
        let (r, z) = signature.split_at(32);
        let challenge =
            Sha512::digest([b"FROST-RISTRETTO255-SHA512-v1chal", r, key, message].concat());
        let c = Scalar::from_bytes_mod_order_wide(&challenge.into());
        let z = Option::<Scalar>::from(Scalar::from_canonical_bytes(z.try_into().unwrap()));
        let (Some(r), Some(y), Some(z)) = (point(r), point(key), z) else {
            return false;
        };
        RistrettoPoint::mul_base(&z) == r + c * y
    }
}

/// `z·G = R + c·Y` (RFC 9591 §6.4, §6.5) over the RustCrypto curves.
macro_rules! equation {
    ($suite:ty, $curve:ident, $dst:literal) => {
        impl Outside for $suite {
            fn holds(key: &[u8], message: &[u8], signature: &[u8]) -> bool {
                use $curve::elliptic_curve::{PrimeField, group::GroupEncoding};
                use $curve::{ProjectivePoint, Scalar};
                let point = |bytes: &[u8]| {
                    let bytes: [u8; 33] = bytes.try_into().unwrap();
                    Option::<ProjectivePoint>::from(ProjectivePoint::from_bytes(&bytes.into()))
                };
                let (r, z) = signature.split_at(33);
                let uniform = expand_message_xmd(&[r, key, message].concat(), $dst, 48);
                let c = uniform.iter().fold(Scalar::ZERO, |c, byte| {
                    c * Scalar::from(256u64) + Scalar::from(u64::from(*byte))
                });
                let z: [u8; 32] = z.try_into().unwrap();
                let z = Option::<Scalar>::from(Scalar::from_repr(z.into()));
                let (Some(r), Some(y), Some(z)) = (point(r), point(key), z) else {
                    return false;
                };
                ProjectivePoint::GENERATOR * z == r + y * c
            }
        }
    };
}

equation!(suites::p256::P256Sha256, p256, b"FROST-P256-SHA256-v1chal");
equation!(suites::secp256k1::Secp256k1Sha256, k256, b"FROST-secp256k1-SHA256-v1chal");
