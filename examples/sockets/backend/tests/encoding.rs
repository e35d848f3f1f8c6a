//! Encodings, compared with those of other libraries.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use custody_core::Scheme;
use p256::ecdsa::{Signature, SigningKey};
use p256::pkcs8::EncodePublicKey as _;
use sockets_backend::Failure;
use sockets_backend::encoding::{der, ec, spki, ssh};

#[test]
fn der_of_signatures_is_that_of_another_library() {
    // First digits of both signs, zeros in front, and the shortest numbers.
    let scalars: [[u8; 4]; 5] =
        [[0x7f, 1, 2, 3], [0x80, 0, 0, 1], [0, 0, 0x80, 1], [0, 0, 0x7f, 0], [0, 0, 0, 1]];
    for r in scalars {
        for s in scalars {
            let mut fixed = [0; 64];
            fixed[..4].copy_from_slice(&r);
            fixed[28..32].copy_from_slice(&r);
            fixed[32..36].copy_from_slice(&s);
            fixed[60..].copy_from_slice(&s);
            let other = Signature::from_slice(&fixed).unwrap().to_der();
            assert_eq!(der::ecdsa_signature(&fixed).unwrap(), other.as_bytes());
        }
    }
    for length in [0, 1, 63, 134] {
        let refused = der::ecdsa_signature(&vec![1; length]);
        assert!(matches!(refused, Err(Failure::Broken(_))), "{length}");
    }
}

#[test]
fn public_keys_are_those_of_another_library() {
    let key = *SigningKey::from_slice(&[7; 32]).unwrap().verifying_key();
    let compressed = key.to_sec1_point(true);
    let point = ec::uncompressed(Scheme::EcdsaP256, compressed.as_bytes()).unwrap();
    assert_eq!(point, key.to_sec1_point(false).as_bytes());
    let der = spki::public_key(Scheme::EcdsaP256, compressed.as_bytes()).unwrap();
    assert_eq!(der, key.to_public_key_der().unwrap().as_bytes());
    let key = ed25519_dalek::SigningKey::from_bytes(&[7; 32]).verifying_key();
    let der = spki::public_key(Scheme::Ed25519, key.as_bytes()).unwrap();
    assert_eq!(der, key.to_public_key_der().unwrap().as_bytes());
    let key = k256::ecdsa::SigningKey::from_slice(&[7; 32]).unwrap();
    let key = key.verifying_key();
    let der = spki::public_key(Scheme::EcdsaSecp256k1, key.to_sec1_point(true).as_bytes()).unwrap();
    assert_eq!(der, key.to_public_key_der().unwrap().as_bytes());
}

#[test]
fn long_public_key_has_a_long_length() {
    let der = spki::public_key(Scheme::MlDsa65, &[5; 1952]).unwrap();
    // RFC 9881: a SEQUENCE of 1970 bytes, in two bytes of length.
    assert_eq!((der.len(), &der[..4]), (1974, &[0x30, 0x82, 0x07, 0xb2][..]));
    assert!(matches!(spki::public_key(Scheme::Taproot, &[5; 32]), Err(Failure::Unsupported(_))));
}

#[test]
fn numbers_of_ssh_are_the_shortest() {
    let mut fixed = [0; 64];
    fixed[0] = 0x80;
    fixed[63] = 5;
    let blob = ssh::signature(Scheme::EcdsaP256, &fixed).unwrap();
    let (r, s) = ([&[0, 0x80][..], &[0; 31]].concat(), [5]);
    let inner = [ssh::string(&r), ssh::string(&s)].concat();
    assert_eq!(blob, [ssh::string(b"ecdsa-sha2-nistp256"), ssh::string(&inner)].concat());
    let secp256k1 = ssh::public_key(Scheme::EcdsaSecp256k1, &[2; 33]);
    assert!(matches!(secp256k1, Err(Failure::Unsupported(_))));
    assert!(matches!(ssh::public_key(Scheme::EcdsaP256, &[9; 33]), Err(Failure::Broken(_))));
}
