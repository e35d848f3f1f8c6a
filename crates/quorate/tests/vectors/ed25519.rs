//! Signatures that a strict verifier of Ed25519 has to refuse.

use curve25519_dalek::constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION};
use quorate::Parties;
use quorate::frost::ed25519::{Ed25519Sha512, Signature, VerifyingKey};
use quorate::frost::generic::DecodeError;

use crate::data::records;
use crate::group::{Group, rng, sign};
use crate::outside::Outside;

/// L, the order of the group, little-endian.
const ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

#[test]
fn speccheck() {
    let all = records(include_str!("data/ed25519_speccheck.txt"));
    assert_eq!(all.len(), 12);
    for record in all {
        let comment = record.text("comment");
        let accepted = match (
            VerifyingKey::from_bytes(&record.bytes("public_key")),
            Signature::from_bytes(&record.bytes("signature")),
        ) {
            (Ok(key), Ok(signature)) => key.verify(&record.bytes("message"), &signature).is_ok(),
            _ => false,
        };
        assert!(!accepted, "{comment}");
    }
}

/// Points of small order, in their canonical encodings and in all others of 32 bytes.
#[test]
fn small_order() {
    let mut encodings: Vec<[u8; 32]> =
        EIGHT_TORSION.iter().map(|point| point.compress().to_bytes()).collect();
    // y = 1, −1 and 0, with the wrong sign of x or not reduced modulo 2^255 − 19.
    for (low, high) in [(0xee, 0x7f), (0xec, 0x7f), (0xed, 0x7f)] {
        for sign in [0, 0x80] {
            let mut bytes = [0xff; 32];
            (bytes[0], bytes[31]) = (low, high | sign);
            encodings.push(bytes);
        }
    }
    let mut one = [0; 32];
    (one[0], one[31]) = (1, 0x80);
    encodings.push(one);
    for bytes in encodings {
        assert_eq!(VerifyingKey::from_bytes(&bytes), Err(DecodeError::BadPoint));
        let signature = [bytes, [0; 32]].concat();
        assert_eq!(Signature::from_bytes(&signature), Err(DecodeError::BadPoint));
    }
}

/// A point of the prime-order group with one of small order added.
#[test]
fn mixed_order() {
    for torsion in &EIGHT_TORSION[1..] {
        let bytes = (ED25519_BASEPOINT_POINT + torsion).compress().to_bytes();
        assert_eq!(VerifyingKey::from_bytes(&bytes), Err(DecodeError::BadPoint));
    }
    assert!(VerifyingKey::from_bytes(&ED25519_BASEPOINT_POINT.compress().to_bytes()).is_ok());
}

#[test]
fn non_canonical_y() {
    // All encodings of y from p to 2^255 − 1.
    for low in 0xed..=0xff {
        for sign in [0, 0x80] {
            let mut bytes = [0xff; 32];
            (bytes[0], bytes[31]) = (low, 0x7f | sign);
            assert_eq!(VerifyingKey::from_bytes(&bytes), Err(DecodeError::BadPoint));
            let signature = [bytes, [1; 32]].concat();
            assert_eq!(Signature::from_bytes(&signature), Err(DecodeError::BadPoint));
        }
    }
    for length in [0, 31, 33, 64] {
        assert_eq!(
            VerifyingKey::from_bytes(&vec![1; length]),
            Err(DecodeError::WrongLength { expected: 32, got: length })
        );
    }
}

/// S + L satisfies the equation and is refused, as are L itself and all ones.
#[test]
fn scalars_above_the_order() {
    let parties = Parties::numbered(2).unwrap();
    let group = Group::<Ed25519Sha512>::dealt(2, &parties, &mut rng(1));
    let good = sign(&group, &group.ids(), b"malleable", &mut rng(2)).to_bytes();
    let (r, s) = good.split_at(32);
    let mut carry = 0;
    let sum: Vec<u8> = s
        .iter()
        .zip(ORDER)
        .map(|(s, l)| {
            let sum = u16::from(*s) + u16::from(l) + carry;
            carry = sum >> 8;
            sum as u8
        })
        .collect();
    for s in [sum.as_slice(), &ORDER, &[0xff; 32]] {
        let bytes = [r, s].concat();
        assert_eq!(Signature::from_bytes(&bytes), Err(DecodeError::BadScalar));
        let key = group.public.verifying_key().as_bytes();
        assert!(!Ed25519Sha512::holds(key, b"malleable", &bytes));
    }
    let mut below = ORDER;
    below[0] -= 1;
    assert!(Signature::from_bytes(&[r, &below].concat()).is_ok());
}
