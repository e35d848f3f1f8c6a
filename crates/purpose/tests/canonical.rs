//! The canonical form: one for each purpose, pinned, and safe to read whoever wrote it. `QUORATE_BLESS=1` writes the pinned
//! forms anew.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::cast_possible_truncation,
    reason = "tests"
)]

mod common;

use core::fmt::Write as _;

use common::*;
use quorate_purpose::*;

#[test]
fn the_canonical_forms_are_those_of_version_1() {
    let mut made = String::new();
    for (place, purpose) in examples().iter().enumerate() {
        writeln!(made, "{place:02}_{} {}", purpose.kind(), to_hex(&purpose.to_bytes())).unwrap();
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/v1/purposes.hex");
    if std::env::var_os("QUORATE_BLESS").is_some() {
        std::fs::write(file, &made).unwrap();
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), made);
}

#[test]
fn what_is_written_is_read_again() {
    for purpose in examples() {
        let bytes = purpose.to_bytes();
        assert_eq!(bytes[..2], [1, purpose.kind().code()]);
        assert_eq!(Purpose::from_bytes(&bytes).as_ref(), Ok(&purpose));
        assert_eq!(purpose.facts().text("purpose"), Some(purpose.kind().name()));
    }
    let seen: std::collections::BTreeSet<Kind> = examples().iter().map(Purpose::kind).collect();
    assert_eq!(seen.len(), Kind::ALL.len(), "an example of each kind");
}

#[test]
fn kinds_have_names_and_codes_of_their_own() {
    for kind in Kind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(kind));
        assert_eq!(Kind::from_code(kind.code()), Some(kind));
        assert_eq!(kind.is_opaque(), kind.name().starts_with("opaque-"));
    }
    assert_eq!("X".parse::<Kind>(), Err(UnknownKind));
    assert_eq!((Kind::from_code(0), Kind::from_code(9), Kind::from_code(21)), (None, None, None));
}

#[test]
fn other_versions_kinds_and_lengths_are_refused() {
    let error = |bytes: &[u8]| Purpose::from_bytes(bytes).unwrap_err();
    assert_eq!(error(&[]), DecodeError::Length);
    assert_eq!(error(&[1]), DecodeError::Length);
    assert_eq!(error(&vec![1; MAX_LENGTH + 1]), DecodeError::Length);
    assert_eq!(error(&[2, 1, 0]), DecodeError::Version(2));
    assert_eq!(error(&[1, 200]), DecodeError::Kind(200));
    let DecodeError::Malformed(Kind::OpaqueMessage, reason) = error(&[1, 1]) else {
        unreachable!()
    };
    assert_eq!(reason.reason(), "the hash is unknown");
    assert_eq!(error(&[1, 1, 4]).to_string(), "opaque-message: the hash is unknown");
    assert_eq!(
        error(&[1, 2, 1, 0]).to_string(),
        "opaque-digest: the digest has not the length of its hash"
    );
    assert_eq!(error(&[1, 2, 0]).to_string(), "opaque-digest: the hash is unknown");
}

#[test]
fn the_longest_message_fits_and_no_longer_one() {
    let longest = Purpose::from(OpaqueMessage::raw(vec![0; MAX_LENGTH - 3]).unwrap());
    assert_eq!(longest.to_bytes().len(), MAX_LENGTH);
    assert_eq!(Purpose::from_bytes(&longest.to_bytes()), Ok(longest));
    let longer = OpaqueMessage::hashed(Hash::Sha256, vec![0; MAX_LENGTH - 2]).unwrap_err();
    assert_eq!(longer.reason(), "it is too long");
}

#[test]
fn opaque_purposes_name_hash_and_bytes() {
    let raw = Purpose::from(OpaqueMessage::raw(*b"hello").unwrap());
    let hashed = Purpose::from(OpaqueMessage::hashed(Hash::Sha384, *b"hello").unwrap());
    let digest = Purpose::from(OpaqueDigest::new(Hash::Sha384, [7; 48]).unwrap());
    for key in KeyKind::ALL {
        assert_eq!(raw.message(key).is_err(), key.is_ecdsa());
        assert_eq!(hashed.message(key).is_ok(), key.is_ecdsa());
        assert_eq!(digest.message(key).is_ok(), key.is_ecdsa());
    }
    let message = raw.message(KeyKind::MlDsa).unwrap();
    assert_eq!((message.raw(), message.ecdsa_digest()), (Some(&b"hello"[..]), None));
    // FIPS 186-5, 6.4.1: the leftmost bits of a longer hash.
    let message = hashed.message(KeyKind::EcdsaP256).unwrap();
    let expected = hex("59e1748777448c69de6b800d7a33bbfb9ff1b463e44354c3553bcdb9c666fa90");
    assert_eq!(message.ecdsa_digest().unwrap()[..], expected);
    assert_eq!(message.raw(), None);
    assert_eq!(digest.message(KeyKind::EcdsaP256).unwrap().ecdsa_digest(), Some([7; 32]));
    assert_eq!(hashed.facts().text("hash"), Some("sha384"));
    assert_eq!(raw.facts().text("hash"), Some("none"));
    assert_eq!(digest.facts().bytes("digest"), Some(&[7; 48][..]));
    let wrong = raw.message(KeyKind::EcdsaP256).unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "no key of the kind EcdsaP256 signs this purpose: opaque-message"
    );
}

#[test]
fn hashes_are_the_published_ones() {
    let of = |hash: Hash| to_hex(&hash.digest(b"abc"));
    assert_eq!(
        of(Hash::Sha256),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
    assert!(of(Hash::Sha384).starts_with("cb00753f45a35e8bb5a03d699ac65007272c32ab0eded163"));
    assert_eq!(
        of(Hash::Keccak256),
        "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"
    );
}

#[test]
fn a_stranger_cannot_write_lines_of_their_own() {
    let facts =
        Purpose::from(JwtClaims::new(r#"{"a\nto":"b\nto: 0x00"}"#, "", "").unwrap()).facts();
    assert_eq!(facts.to_string(), "claim/a\\nto: \"b\\nto: 0x00\"\npurpose: \"jwt-claims\"\n");
    let facts = Purpose::from(vote(comet::VoteStep::Prevote, None)).facts();
    assert!(facts.to_string().contains("\ntime: 1514170801 s + 234000000 ns\n"), "{facts}");
}

/// Whatever is read has one form, and all that can be asked of it has an answer.
fn check(bytes: &[u8]) -> bool {
    let Ok(purpose) = Purpose::from_bytes(bytes) else { return false };
    assert_eq!(purpose.to_bytes(), bytes);
    let facts = purpose.facts();
    let names: usize = facts.iter().map(|(name, _)| name.len()).sum();
    assert!(names <= 8 * bytes.len() + 2048);
    let signed = KeyKind::ALL.into_iter().filter(|key| purpose.message(*key).is_ok()).count();
    assert!(signed > 0 || purpose.kind() == Kind::SshUserAuth, "some key signs {facts}");
    if let Some(watermark) = purpose.watermark() {
        assert!(watermark.slot().len() <= 64);
    }
    true
}

#[test]
fn altered_bytes_are_refused_or_are_another_purpose() {
    let (mut read, mut state) = (0, 1_u64);
    let mut random = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    for purpose in examples() {
        let bytes = purpose.to_bytes();
        for at in 0..bytes.len() {
            for flip in [1, 0x80, 0xff] {
                let mut altered = bytes.clone();
                altered[at] ^= flip;
                read += usize::from(check(&altered));
                assert_ne!(Purpose::from_bytes(&altered).as_ref(), Ok(&purpose));
            }
            check(&bytes[..at]);
            check(&[&bytes[..at], &bytes[at + 1..]].concat());
        }
        for _ in 0..200 {
            let (from, to) = (random() % bytes.len(), random() % bytes.len());
            let mut altered = bytes.clone();
            altered.splice(
                from.min(to)..from.max(to),
                (0..random() % 8).map(|_| 0xff).collect::<Vec<u8>>(),
            );
            check(&altered);
        }
    }
    assert!(read > 100, "bytes of hashes may be others");
}

/// Lengths that claim more than there is, lists of lists, and many small parts. One that took quadratic time would not end.
#[test]
fn long_and_nested_bytes_are_read_to_an_end() {
    let full = |code: u8, head: &[u8], part: &[u8]| {
        let count = (MAX_LENGTH / 4 - head.len()) / part.len();
        let bytes = [&[1, code], head, &part.repeat(count)].concat();
        check(&bytes);
    };
    for code in 1..=19 {
        for byte in [0, 1, 0x5b, 0x7b, 0x7f, 0x80, 0xc1, 0xff] {
            full(code, &[], &[byte]);
        }
    }
    full(13, b"\0\0{\"a\":[", b"1,");
    full(13, b"\0\0{\"a\":[", b"{},");
    let flat = Purpose::from(TypedData::from_json(MAIL).unwrap()).to_bytes();
    full(4, &flat[2..], &[0]);
    let entry = evm::AccessListItem { address: [1; 20], slots: vec![] };
    let fees = evm::Fees::AccessList { gas_price: 1, access_list: vec![entry; 40_000] };
    let long = evm::Transaction::new(evm::Unsigned { fees, ..eip155() }).unwrap();
    assert!(check(&Purpose::from(long).to_bytes()));
}
