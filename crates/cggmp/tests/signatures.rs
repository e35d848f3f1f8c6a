//! Signatures, against `k256` and `p256`.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "a test that fails stops"
)]

use quorate_cggmp::curves::{Curve, random_nonzero_scalar};
use quorate_cggmp::{
    DecodeError, EcdsaCurve, P256, RawDigest, RecoveryId, Secp256k1, Signature, VerifyingKey,
};
use quorate_testkit::encodings::order_plus;

/// A signature with the whole key, and the s before it was normalised.
fn sign<C: EcdsaCurve>(x: &C::Scalar, k: &C::Scalar, message: &[u8]) -> (Signature<C>, C::Scalar) {
    let nonce = C::mul_base(k);
    let (r, _) = C::r_vartime(&nonce).unwrap();
    let m = C::scalar_from_wide(&C::hash(message));
    let s = C::invert(k) * (m + r * *x);
    (Signature::from_nonce_point(&nonce, &s).unwrap(), s)
}

fn accepts_and_refuses<C: EcdsaCurve>() {
    let mut rng = quorate_testkit::rng(1);
    let (mut low, mut high) = (0, 0);
    for round in 0..20u8 {
        let x = random_nonzero_scalar::<C>(&mut rng).unwrap();
        let key = VerifyingKey::<C>::new(C::mul_base(&x)).unwrap();
        let message = [round; 9];
        let (signature, s) =
            sign::<C>(&x, &random_nonzero_scalar::<C>(&mut rng).unwrap(), &message);
        if s == *signature.s() {
            low += 1
        } else {
            high += 1
        }
        assert!(!C::is_high_vartime(signature.s()));
        key.verify(&message, &signature).unwrap();
        key.verify_raw_digest(&RawDigest::of_message::<C>(&message), &signature).unwrap();
        assert!(key.verify(&[round; 8], &signature).is_err());
        let other = VerifyingKey::<C>::new(*key.point() + C::generator()).unwrap();
        assert!(other.verify(&message, &signature).is_err());
        // The key comes back, and no other recovery id gives it.
        let digest = RawDigest::of_message::<C>(&message);
        assert!(signature.recover(&digest) == Some(key));
        for id in 0..4 {
            let mut bytes = signature.to_recoverable().unwrap();
            bytes[64] = id;
            let found = Signature::<C>::from_recoverable(&bytes).unwrap().recover(&digest);
            assert_eq!(found == Some(key), id == signature.recovery_id().unwrap().get());
        }
    }
    assert!(low > 0 && high > 0);
}

fn encodings<C: EcdsaCurve>() {
    let (signature, _) = sign::<C>(&7.into(), &11.into(), b"message");
    let bytes = signature.to_recoverable().unwrap();
    assert!(Signature::<C>::from_recoverable(&bytes) == Ok(signature));
    assert_eq!(bytes[..64], signature.to_compact());
    let key = VerifyingKey::<C>::new(C::mul_base(&7.into())).unwrap();
    // Any bit: refused, or another signature, which does not verify; or another recovery id.
    for at in 0..64 * 8 {
        let mut altered = bytes;
        altered[at / 8] ^= 1 << (at % 8);
        if let Ok(other) = Signature::<C>::from_recoverable(&altered) {
            assert!(key.verify(b"message", &other).is_err());
        }
    }
    let with = |at: usize, new: &[u8]| {
        let mut altered = bytes;
        altered[at..at + new.len()].copy_from_slice(new);
        Signature::<C>::from_recoverable(&altered).unwrap_err()
    };
    for at in [0, 32] {
        assert_eq!(with(at, &[0; 32]), DecodeError::BadScalar);
        assert_eq!(with(at, &order_plus::<C>(0)), DecodeError::BadScalar);
        assert_eq!(with(at, &[0xff; 32]), DecodeError::BadScalar);
    }
    assert_eq!(with(32, &C::encode_scalar(&-*signature.s())), DecodeError::HighS);
    assert_eq!(with(64, &[4]), DecodeError::BadRecoveryId(4));
}

/// (q − 1)/2 is the largest s that stays as it is.
fn half_the_order<C: EcdsaCurve>() {
    let one = C::Scalar::from(1);
    let half = -one * C::invert(&2.into());
    assert!(!C::is_high_vartime(&half) && C::is_high_vartime(&(half + one)));
    assert!(!C::is_high_vartime(&one) && C::is_high_vartime(&-one));
    assert!(!C::is_high_vartime(&C::Scalar::default()));
    let nonce = C::mul_base(&5.into());
    let of = |s: C::Scalar| Signature::<C>::from_nonce_point(&nonce, &s);
    assert!(*of(half).unwrap().s() == half && *of(half + one).unwrap().s() == half);
    let id = |s: C::Scalar| of(s).unwrap().recovery_id().unwrap().get();
    assert_eq!(id(half) ^ id(half + one), 1);
    assert!(of(C::Scalar::default()).is_none());
    assert!(Signature::<C>::from_nonce_point(&C::identity(), &one).is_none());
    assert!(VerifyingKey::<C>::new(C::identity()).is_none());
    assert!(VerifyingKey::<C>::from_bytes(&[0; 33]).is_err());
}

/// A nonce point whose x-coordinate is above the order, as one in 2^128 (2^32 over P-256) is.
fn reduced_x<C: EcdsaCurve>() {
    // Some x = q + c that is on the curve and below the field's order.
    let nonce = (1..200u8).find_map(|c| {
        let mut bytes = [2; 33];
        bytes[1..].copy_from_slice(&order_plus::<C>(0));
        bytes[32] = bytes[32].checked_add(c)?;
        C::decode_point(&bytes)
    });
    let nonce = nonce.unwrap();
    let (r, id) = C::r_vartime(&nonce).unwrap();
    assert_eq!(
        (id, C::encode_scalar(&r)[..31].iter().max()),
        (RecoveryId::new(false, true), Some(&0))
    );
    let digest = RawDigest::of_message::<C>(b"message");
    let s = C::Scalar::from(3);
    let signature = Signature::<C>::from_nonce_point(&nonce, &s).unwrap();
    assert_eq!(signature.recovery_id().map(RecoveryId::get), Some(2));
    let key = signature.recover(&digest).unwrap();
    key.verify(b"message", &signature).unwrap();
    let mut bytes = signature.to_recoverable().unwrap();
    bytes[64] = 0;
    assert!(Signature::<C>::from_recoverable(&bytes).unwrap().recover(&digest) != Some(key));
    // Without its recovery id, it is found among all four.
    let bare = Signature::<C>::from_compact(&signature.to_compact()).unwrap();
    assert_eq!((bare.recovery_id(), bare.recover(&digest).is_none()), (None, true));
    assert!(bare.with_recovery_id(&key, &digest) == Some(signature));
    let other = RawDigest::of_message::<C>(b"another message");
    assert!(bare.with_recovery_id(&key, &other).is_none());
}

/// The point of P-256 with x = 0 would make r zero.
#[test]
fn zero_r_is_no_nonce() {
    let mut bytes = [0; 33];
    bytes[0] = 2;
    let nonce = P256::decode_point(&bytes).unwrap();
    assert!(P256::r_vartime(&nonce).is_none());
    assert!(Signature::<P256>::from_nonce_point(&nonce, &3.into()).is_none());
}

quorate_testkit::curve_tests!(accepts_and_refuses, encodings, half_the_order, reduced_x);

macro_rules! interop {
    ($test:ident, $name:ident, $curve:ident) => {
        /// Each side verifies the other's signatures; forms come back as they went.
        #[test]
        fn $test() {
            use ::$name::ecdsa::{
                SigningKey,
                signature::{Signer, Verifier},
            };
            use quorate_cggmp::interop::$name::*;

            for seed in 1..20u64 {
                let x = <$curve as Curve>::Scalar::from(seed * 77_777);
                let key = VerifyingKey::<$curve>::new($curve::mul_base(&x)).unwrap();
                let theirs = SigningKey::from_slice(&$curve::encode_scalar(&x)).unwrap();
                let public = verifying_key_to(&key).unwrap();
                assert!(verifying_key_from(&public) == Ok(key));
                let verifier = ::$name::ecdsa::VerifyingKey::from(public);
                assert_eq!(verifier, *theirs.verifying_key());
                let message = seed.to_be_bytes();

                let (ours, _) = sign::<$curve>(&x, &(seed + 5).into(), &message);
                let (converted, id) = signature_to(&ours).unwrap();
                verifier.verify(&message, &converted).unwrap();
                let recovered = ::$name::ecdsa::VerifyingKey::recover_from_msg(
                    &message,
                    &converted,
                    id.unwrap(),
                );
                assert_eq!(recovered.unwrap(), verifier);
                assert!(signature_from(&converted, id) == Ok(ours));

                let (signed, id): (::$name::ecdsa::Signature, _) = theirs.sign(&message);
                let signed = signature_from(&signed, Some(id)).unwrap();
                key.verify(&message, &signed).unwrap();
                let digest = RawDigest::of_message::<$curve>(&message);
                assert!(signed.recover(&digest) == Some(key));
            }
        }
    };
}

interop!(agrees_with_k256, k256, Secp256k1);
interop!(agrees_with_p256, p256, P256);
