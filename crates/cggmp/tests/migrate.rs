//! Keys of cggmp24 sign here, under the key that they had there, after aux-info. The files are made by that library
//! (`benches/peers`).
#![allow(missing_docs, clippy::unwrap_used, reason = "a test that fails stops")]

use std::sync::Arc;

use quorate_cggmp::{EcdsaCurve, KeyShare, MessageDigest, P256, PublicKeyPackage, Secp256k1};
use quorate_paillier::Level;
use quorate_session::sim::Network;
use quorate_testkit::ecdsa::{Group, run_aux, signature_shares};
use quorate_testkit::unhex;

const MESSAGE: &[u8] = b"signed by who moved in";
const SECP256K1: &str = include_str!("../../keys/tests/migrate/fixtures/cggmp-secp256k1.txt");
const P_256: &str = include_str!("../../keys/tests/migrate/fixtures/cggmp-p256.txt");

/// The value of the line with this name in a file of keys.
fn line(file: &'static str, name: &str) -> &'static str {
    file.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).unwrap()
}

/// The group key that stands in a file.
fn theirs(file: &'static str, name: &str) -> Vec<u8> {
    let (_, rest) = line(file, name).split_once("\"shared_public_key\":\"").unwrap();
    unhex(rest.split('"').next().unwrap())
}

/// Takes a key's shares, runs aux-info, presigns and signs: the group key in the file, and the signature r ‖ s.
fn signed<C: EcdsaCurve>(file: &'static str, name: &str, signers: &[u16]) -> (Vec<u8>, [u8; 64]) {
    let read = |place| {
        let share = KeyShare::<C>::migrate(line(file, &format!("{name}/{place}")).as_bytes());
        Arc::new(share.unwrap())
    };
    let keys: Vec<_> = (1..=3).map(read).collect();
    let (first, ids) = (keys.first().unwrap(), [1, 2, 3]);
    assert!(keys.iter().all(|key| key.public() == first.public()));
    // Presigning cannot take the old aux-info.
    let aux = run_aux(Network::new(1), Level::Toy, &ids);
    let group = Group { keys, aux };
    let presignatures = group.presign(7, signers);
    let info = presignatures.first().unwrap().info().clone();
    let signature = info
        .aggregate(
            &group.itself(),
            MessageDigest::sha256(MESSAGE),
            signature_shares(&group, presignatures, MESSAGE),
        )
        .unwrap();
    (theirs(file, &format!("{name}/1")), signature.to_compact())
}

#[test]
fn secp256k1_keys_sign_after_aux_info() {
    use k256::ecdsa::signature::Verifier;
    use k256::ecdsa::{Signature, VerifyingKey};
    for (name, signers) in
        [("threshold", &[1, 3][..]), ("no-polynomial", &[1, 2, 3]), ("cggmp21", &[2, 3])]
    {
        let (key, signature) = signed::<Secp256k1>(SECP256K1, name, signers);
        let key = VerifyingKey::from_sec1_bytes(&key).unwrap();
        key.verify(MESSAGE, &Signature::from_slice(&signature).unwrap()).unwrap();
    }
}

#[test]
fn p256_keys_sign_after_aux_info() {
    use p256::ecdsa::signature::Verifier;
    use p256::ecdsa::{Signature, VerifyingKey};
    for (name, signers) in [("no-chain-code", &[1, 2][..]), ("no-polynomial", &[1, 2, 3])] {
        let (key, signature) = signed::<P256>(P_256, name, signers);
        let key = VerifyingKey::from_sec1_bytes(&key).unwrap();
        key.verify(MESSAGE, &Signature::from_slice(&signature).unwrap()).unwrap();
    }
}

/// The chain code of a key that had one. Otherwise all parties have the same new one, and no other key has it.
#[test]
fn chain_codes_are_kept_or_made() {
    let info = |name: &str| {
        KeyShare::<P256>::migrate(line(P_256, name).as_bytes()).unwrap().public().clone()
    };
    let json = line(P_256, "threshold/2");
    let (_, rest) = json.split_once("\"chain_code\":\"").unwrap();
    let code = unhex(rest.split('"').next().unwrap());
    assert_eq!(info("threshold/2").chain_code().as_slice(), code);
    let made = info("no-chain-code/1");
    assert_eq!(made.chain_code(), info("no-chain-code/3").chain_code());
    assert_ne!(made.chain_code(), made.rid());
    assert_ne!(made.chain_code(), info("threshold/1").chain_code());
    assert_ne!(made.rid(), info("threshold/1").rid());
}

#[test]
fn the_public_side_alone() {
    let public =
        PublicKeyPackage::<Secp256k1>::migrate(line(SECP256K1, "threshold/public").as_bytes());
    let share = KeyShare::<Secp256k1>::migrate(line(SECP256K1, "whole/1").as_bytes()).unwrap();
    assert!(public.unwrap() == *share.public());
    assert!(PublicKeyPackage::<Secp256k1>::migrate(line(SECP256K1, "whole/1").as_bytes()).is_err());
    assert!(KeyShare::<P256>::migrate(line(SECP256K1, "whole/1").as_bytes()).is_err());
}
