//! Verifiers written by others or straight from the equation, one for each suite.
//!
//! They share nothing with Quorate's own verification but, for Ed25519 and Ristretto255, the
//! arithmetic of curve25519-dalek beneath both.

use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;
use hash2curve::{ExpandMsgXmd, MapToCurve, hash_to_scalar};
use k256::ecdsa::signature::Verifier;
use k256::elliptic_curve::array::Array;
use k256::elliptic_curve::consts::{U16, U48};
use k256::elliptic_curve::ops::Reduce;
use k256::elliptic_curve::sec1::{FromSec1Point, ModulusSize, ToSec1Point};
use k256::elliptic_curve::{
    AffinePoint, CurveArithmetic, FieldBytes, FieldBytesSize, Group, PrimeField, ProjectivePoint,
    PublicKey,
};
use sha2::{Digest, Sha256, Sha512};
use spki::DecodePublicKey;

/// Ed25519 (RFC 8032), by ed25519-dalek.
#[must_use]
pub fn ed25519(key: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let verify = || {
        let key = ed25519_dalek::VerifyingKey::from_bytes(key.try_into().ok()?).ok()?;
        let signature = ed25519_dalek::Signature::from_slice(signature).ok()?;
        key.verify_strict(message, &signature).ok()
    };
    verify().is_some()
}

/// Ed448 (RFC 8032), by ed448-goldilocks.
#[must_use]
pub fn ed448(key: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let verify = || {
        let key = ed448_goldilocks::VerifyingKey::from_bytes(key.try_into().ok()?).ok()?;
        let signature = ed448_goldilocks::Signature::try_from(signature).ok()?;
        key.verify_raw(&signature, message).ok()
    };
    verify().is_some()
}

/// BIP-340, by k256, under the x-coordinate of the key.
#[must_use]
pub fn bip340(key: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let verify = || {
        let (_, x) = key.split_first()?;
        let key = k256::schnorr::VerifyingKey::from_slice(x).ok()?;
        let signature = k256::schnorr::Signature::try_from(signature).ok()?;
        key.verify_raw(message, &signature).ok()
    };
    verify().is_some()
}

/// Schnorr over Ristretto255 as in RFC 9591 §6.2, from the equation s·G = R + c·Y.
#[must_use]
pub fn ristretto255(key: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let verify = || {
        let (r, s) = signature.split_at_checked(32)?;
        let hash = Sha512::new()
            .chain_update("FROST-RISTRETTO255-SHA512-v1chal")
            .chain_update(r)
            .chain_update(key)
            .chain_update(message);
        let c = Scalar::from_bytes_mod_order_wide(&hash.finalize().into());
        let s = Option::<Scalar>::from(Scalar::from_canonical_bytes(s.try_into().ok()?))?;
        let r = CompressedRistretto::from_slice(r).ok()?.decompress()?;
        let y = CompressedRistretto::from_slice(key).ok()?.decompress()?;
        Some(RistrettoPoint::mul_base(&s) == r + c * y)
    };
    verify() == Some(true)
}

/// Schnorr over P-256 as in RFC 9591 §6.4, from the equation s·G = R + c·Y.
#[must_use]
pub fn p256(key: &[u8], message: &[u8], signature: &[u8]) -> bool {
    sec1::<p256::NistP256>("FROST-P256-SHA256-v1chal", key, message, signature) == Some(true)
}

/// Schnorr over secp256k1 as in RFC 9591 §6.5, from the equation s·G = R + c·Y.
#[must_use]
pub fn secp256k1(key: &[u8], message: &[u8], signature: &[u8]) -> bool {
    sec1::<k256::Secp256k1>("FROST-secp256k1-SHA256-v1chal", key, message, signature) == Some(true)
}

/// ECDSA over secp256k1 with SHA-256, by k256; the signature is r ‖ s.
#[must_use]
pub fn ecdsa_secp256k1(key: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let verify = || {
        let key = k256::ecdsa::VerifyingKey::from_sec1_bytes(key).ok()?;
        let signature = k256::ecdsa::Signature::from_slice(signature).ok()?;
        key.verify(message, &signature).ok()
    };
    verify().is_some()
}

/// ECDSA over P-256 with SHA-256, by p256; the signature is r ‖ s.
#[must_use]
pub fn ecdsa_p256(key: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let verify = || {
        let key = p256::ecdsa::VerifyingKey::from_sec1_bytes(key).ok()?;
        let signature = p256::ecdsa::Signature::from_slice(signature).ok()?;
        key.verify(message, &signature).ok()
    };
    verify().is_some()
}

/// The equation over a curve with compressed points of 33 bytes; `tag` separates the challenge.
fn sec1<C>(tag: &str, key: &[u8], message: &[u8], signature: &[u8]) -> Option<bool>
where
    C: CurveArithmetic + MapToCurve<SecurityLevel = U16>,
    C::Scalar: Reduce<Array<u8, U48>>,
    FieldBytesSize<C>: ModulusSize,
    AffinePoint<C>: FromSec1Point<C> + ToSec1Point<C>,
{
    let (r, s) = signature.split_at_checked(33)?;
    let hash = hash_to_scalar::<C, ExpandMsgXmd<Sha256>, U48>;
    let c = hash(&[r, key, message], &[tag.as_bytes()]).ok()?;
    let s = FieldBytes::<C>::try_from(s).ok()?;
    let s = Option::<C::Scalar>::from(C::Scalar::from_repr(s))?;
    let r = PublicKey::<C>::from_sec1_bytes(r).ok()?.to_projective();
    let y = PublicKey::<C>::from_sec1_bytes(key).ok()?.to_projective();
    Some(ProjectivePoint::<C>::generator() * s == r + y * c)
}

/// ML-DSA (FIPS 204), by ml-dsa, under a key that spki has read from PEM (RFC 9881).
#[must_use]
pub fn ml_dsa(pem: &str, message: &[u8], context: &[u8], signature: &[u8]) -> bool {
    by_set::<ml_dsa::MlDsa44>(pem, message, context, signature)
        || by_set::<ml_dsa::MlDsa65>(pem, message, context, signature)
        || by_set::<ml_dsa::MlDsa87>(pem, message, context, signature)
}

/// Returns whether the key is of this parameter set, and the signature verifies under it.
fn by_set<P>(pem: &str, message: &[u8], context: &[u8], signature: &[u8]) -> bool
where
    P: ml_dsa::MlDsaParams,
    ml_dsa::VerifyingKey<P>: DecodePublicKey,
{
    let verify = || {
        let key = ml_dsa::VerifyingKey::<P>::from_public_key_pem(pem).ok()?;
        let signature = ml_dsa::Signature::<P>::try_from(signature).ok()?;
        Some(key.verify_with_context(message, context, &signature))
    };
    verify() == Some(true)
}
