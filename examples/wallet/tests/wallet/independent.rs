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
    let read = |name: &str| fs::read(fixture.path(name)).unwrap();
    let public = read(&format!("{wallet}/public.key"));
    let (message, signature) = (read("letter.txt"), read(signature));
    let frost = |key: Vec<u8>, verifier: Verifier| verifier(&key, &message, &signature);
    Some(match suite {
        "ed25519" => frost(package::<ed25519::Ed25519Sha512>(&public), verifiers::ed25519),
        "ristretto255" => {
            frost(package::<ristretto255::Ristretto255Sha512>(&public), verifiers::ristretto255)
        }
        "ed448" => frost(package::<ed448::Ed448Shake256>(&public), verifiers::ed448),
        "p256" => frost(package::<p256::P256Sha256>(&public), verifiers::p256),
        "secp256k1" => frost(package::<secp256k1::Secp256k1Sha256>(&public), verifiers::secp256k1),
        "secp256k1-tr" => {
            // The wallet's key is an internal one; its output key without scripts signs.
            let package = secp256k1_tr::internal::PublicKeyPackage::from_bytes(&public).unwrap();
            let output = package.tweak(None).unwrap();
            frost(output.verifying_key().as_bytes().to_vec(), verifiers::bip340)
        }
        "ecdsa-secp256k1" => {
            ecdsa::<Secp256k1>(&public, &message, &signature, verifiers::ecdsa_secp256k1)
        }
        "ecdsa-p256" => ecdsa::<P256>(&public, &message, &signature, verifiers::ecdsa_p256),
        _ if suite.starts_with("ml-dsa") => {
            let pem = fs::read_to_string(fixture.path(&format!("{wallet}/public.pem"))).unwrap();
            verifiers::ml_dsa(&pem, &message, b"", &signature)
        }
        _ => return None,
    })
}

fn package<S: Ciphersuite>(public: &[u8]) -> Vec<u8> {
    let package = PublicKeyPackage::<S>::from_bytes(public).unwrap();
    package.verifying_key().as_bytes().as_ref().to_vec()
}

fn ecdsa<C: EcdsaCurve>(public: &[u8], message: &[u8], der: &[u8], verifier: Verifier) -> bool {
    let public = quorate_cggmp::PublicKeyPackage::<C>::from_bytes(public).unwrap();
    let signature = Signature::<C>::from_der(der).unwrap();
    verifier(public.verifying_key().as_bytes(), message, &signature.to_compact())
}
