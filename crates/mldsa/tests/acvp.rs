//! The verifier against NIST's vectors of signature verification and generation (ACVP). Those of key generation are in
//! `src/secret.rs`.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;

use quorate_mldsa::{Level, MessageRepresentative, PreHash, Signature, VerifyingKey};

/// The bytes of base64 without padding, `-` for none.
fn bytes(text: &str) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut held, mut count, mut bytes) = (0_u32, 0, Vec::new());
    for digit in text.bytes().filter(|digit| *digit != b'-') {
        let value = DIGITS.iter().zip(0..).find(|(of, _)| **of == digit).unwrap().1;
        held = held << 6 | value;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((held >> count & 0xff) as u8);
        }
    }
    bytes
}

/// The hash function of a name of ACVP, if it is offered.
fn pre_hash(name: &str) -> Option<PreHash> {
    Some(match name {
        "SHA2-256" => PreHash::Sha256,
        "SHA2-384" => PreHash::Sha384,
        "SHA2-512" => PreHash::Sha512,
        "SHA2-512/256" => PreHash::Sha512_256,
        "SHA3-256" => PreHash::Sha3_256,
        "SHA3-384" => PreHash::Sha3_384,
        "SHA3-512" => PreHash::Sha3_512,
        "SHAKE-128" => PreHash::Shake128,
        "SHAKE-256" => PreHash::Shake256,
        _ => return None,
    })
}

/// Returns whether the signature of a line is accepted. A signature that decodes has one form.
fn accepts(line: &[&str]) -> bool {
    let [set, _, interface, _, key, context, signed, signature] = line else { unreachable!() };
    let level = Level::ALL.into_iter().find(|level| level.name() == *set).unwrap();
    let [key, context, signed, signature] =
        [key, context, signed, signature].map(|text| bytes(text));
    let read = VerifyingKey::from_bytes(level, &key).unwrap();
    assert_eq!(read.to_bytes(), key);
    let Ok(parsed) = Signature::from_bytes(level, &signature) else { return false };
    assert_eq!(parsed.to_bytes(), signature);
    let mu = match (*interface, pre_hash(interface)) {
        ("pure", _) => return read.verify(&signed, &context, &parsed).is_ok(),
        (_, Some(hash)) => read.represent_digest(hash, &signed, &context).unwrap(),
        _ => MessageRepresentative::external(signed.try_into().unwrap()),
    };
    read.verify_representative(&mu, &parsed).is_ok()
}

/// The number of lines by what was altered in them.
fn run(vectors: &str) -> BTreeMap<&str, u32> {
    let mut counts = BTreeMap::new();
    for line in vectors.lines().filter(|line| !line.starts_with('#')) {
        let line: Vec<&str> = line.split(' ').collect();
        assert_eq!(accepts(&line), line[3] == "good", "{} {}", line[0], line[1]);
        *counts.entry(line[3]).or_default() += 1;
    }
    counts
}

#[test]
fn signatures_of_nist_are_accepted_and_altered_ones_are_not() {
    let counts = run(include_str!("acvp/sigver.txt"));
    let expected = [
        ("challenge", 36),
        ("good", 36),
        ("hint", 36),
        ("hints", 9),
        ("long", 9),
        ("message", 36),
        ("z", 36),
    ];
    assert_eq!(counts, BTreeMap::from(expected));
}

#[test]
fn signatures_that_nist_has_made_are_accepted() {
    assert_eq!(run(include_str!("acvp/siggen.txt")), BTreeMap::from([("good", 24)]));
}
