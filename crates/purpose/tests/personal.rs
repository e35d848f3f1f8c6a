//! Messages of EIP-191. The hashes are those of ethers 6.17 (`hashMessage`).
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::*;
use quorate_purpose::evm::PersonalMessage;
use quorate_purpose::{KeyKind, MAX_LENGTH, Purpose};

#[test]
fn hashes_are_those_of_another_implementation() {
    let cases: [(&[u8], &str); 3] = [
        (b"hello", "50b2c43fd39106bafbba0da34fc430e1f91e3c96ea2acee2bc34119f92b37750"),
        (b"", "5f35dce98ba4fba25530a026ed80b2cecdaa31091ba4958b99b52ea1d068adad"),
        (&[0xff, b'1', b'1'], "797638193ac059f6123b5ff59e8089081546a6aa93eef40659621ffc7c33b7d2"),
    ];
    for (message, hash) in cases {
        let purpose = Purpose::from(PersonalMessage::new(message).unwrap());
        let message = purpose.message(KeyKind::EcdsaSecp256k1).unwrap();
        assert_eq!(to_hex(&message.ecdsa_digest().unwrap()), hash);
        for key in KeyKind::ALL.into_iter().filter(|key| *key != KeyKind::EcdsaSecp256k1) {
            assert!(purpose.message(key).is_err(), "{key:?}");
        }
    }
}

/// The length is followed by the message without a mark between them, and the message may begin with digits.
#[test]
fn every_length_is_read_in_one_way() {
    for length in (0..1200).chain([9_990, 10_001, 99_995, 100_001, 1_000_000]) {
        for digit in *b"019" {
            let message = PersonalMessage::new(vec![digit; length]).unwrap();
            let read = PersonalMessage::from_unsigned_bytes(&message.unsigned_bytes());
            assert_eq!(read, Ok(message), "{length}");
        }
    }
}

#[test]
fn other_forms_are_refused() {
    let long = MAX_LENGTH.to_string();
    let of = |rest: &str| [b"\x19Ethereum Signed Message:\n", rest.as_bytes()].concat();
    for rest in ["", "1", "05hello", "4hello", "6hello", "+5hello", " 5hello", "-1", "0x1a", &long]
    {
        assert!(PersonalMessage::from_unsigned_bytes(&of(rest)).is_err(), "{rest:?}");
    }
    assert!(PersonalMessage::from_unsigned_bytes(b"\x19Ethereum Signed Message:5hello").is_err());
    assert!(PersonalMessage::from_unsigned_bytes(b"").is_err());
    assert!(PersonalMessage::new(vec![0; MAX_LENGTH]).is_err());
    assert_eq!(PersonalMessage::from_unsigned_bytes(&of("5hello")).unwrap().content(), b"hello");
}

#[test]
fn text_is_a_fact_if_there_is_one() {
    let facts = |message: &[u8]| Purpose::from(PersonalMessage::new(message).unwrap()).facts();
    let login = b"app.example wants you to sign in with your Ethereum account:\n0x35\n";
    assert_eq!(facts(login).text("text"), core::str::from_utf8(login).ok());
    assert_eq!(facts(login).text("purpose"), Some("evm-message"));
    assert_eq!(facts(&[0xff]).get("text"), None);
    assert_eq!(facts(&[0xff]).bytes("message"), Some(&[0xff][..]));
    assert_eq!(facts(&[0xff]).integer("length"), Some(&1_u64.into()));
}
