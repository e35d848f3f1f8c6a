//! The wallet's signatures before verifiers that are not Quorate's.

use std::fs;

use crate::fixture::Fixture;
use quorate::frost::generic::{Ciphersuite, PublicKeyPackage};
use quorate::frost::{ed448, ed25519, p256, ristretto255, secp256k1, secp256k1_tr};
use quorate_cggmp::{EcdsaCurve, P256, Secp256k1, Signature};
use quorate_examples::verifiers;

type Verifier = fn(&[u8], &[u8], &[u8]) -> bool;

/// Returns whether the signature in a file of this folder is one of `letter.txt` under the key of a wallet;
/// `None` for a suite without another verifier.
pub(crate) fn verifies(
    fixture: &Fixture,
    wallet: &str,
    suite: &str,
    signature: &str,
) -> Option<bool> {
    let public = fs::read(fixture.path(&format!("{wallet}/public.key"))).unwrap();
    let key = match suite {
        "ed25519" => package::<ed25519::Ed25519Sha512>(&public),
        "ristretto255" => package::<ristretto255::Ristretto255Sha512>(&public),
        "ed448" => package::<ed448::Ed448Shake256>(&public),
        "p256" => package::<p256::P256Sha256>(&public),
        "secp256k1" => package::<secp256k1::Secp256k1Sha256>(&public),
        "secp256k1-tr" => {
            // The wallet's key is an internal one; its output key without scripts signs.
            let package = secp256k1_tr::internal::PublicKeyPackage::from_bytes(&public).unwrap();
            package.tweak(None).unwrap().verifying_key().as_bytes().to_vec()
        }
        "ecdsa-secp256k1" => ecdsa::<Secp256k1>(&public),
        "ecdsa-p256" => ecdsa::<P256>(&public),
        _ if suite.starts_with("ml-dsa") => {
            let pem = fs::read_to_string(fixture.path(&format!("{wallet}/public.pem"))).unwrap();
            let read = |name: &str| fs::read(fixture.path(name)).unwrap();
            return Some(verifiers::ml_dsa(&pem, &read("letter.txt"), b"", &read(signature)));
        }
        _ => return None,
    };
    verifies_by(fixture, suite, &key, signature)
}

/// As [`verifies`], under the key with this encoding.
pub(crate) fn verifies_by(
    fixture: &Fixture,
    suite: &str,
    key: &[u8],
    signature: &str,
) -> Option<bool> {
    let [message, signature] =
        ["letter.txt", signature].map(|name| fs::read(fixture.path(name)).unwrap());
    let verifier: Verifier = match suite {
        "ed25519" => verifiers::ed25519,
        "ristretto255" => verifiers::ristretto255,
        "ed448" => verifiers::ed448,
        "p256" => verifiers::p256,
        "secp256k1" => verifiers::secp256k1,
        "secp256k1-tr" => verifiers::bip340,
        "ecdsa-secp256k1" => |key, message, der| {
            let signature = Signature::<Secp256k1>::from_der(der).unwrap();
            verifiers::ecdsa_secp256k1(key, message, &signature.to_compact())
        },
        "ecdsa-p256" => |key, message, der| {
            let signature = Signature::<P256>::from_der(der).unwrap();
            verifiers::ecdsa_p256(key, message, &signature.to_compact())
        },
        _ => return None,
    };
    Some(verifier(key, &message, &signature))
}

fn package<S: Ciphersuite>(public: &[u8]) -> Vec<u8> {
    let package = PublicKeyPackage::<S>::from_bytes(public).unwrap();
    package.verifying_key().as_bytes().as_ref().to_vec()
}

fn ecdsa<C: EcdsaCurve>(public: &[u8]) -> Vec<u8> {
    let public = quorate_cggmp::PublicKeyPackage::<C>::from_bytes(public).unwrap();
    public.verifying_key().as_bytes().to_vec()
}
