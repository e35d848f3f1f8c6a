//! The 19 test vectors of BIP-340.

use quorate::Parties;
use quorate::frost::generic::{BatchError, Dealing, DecodeError, verify_batch};
use quorate::frost::secp256k1_tr::{Secp256k1Taproot, Signature, VerifyingKey, XOnly};

use crate::data::{Record, hex, records};
use crate::group::{Group, rng, sign};
use crate::outside;

fn vectors() -> Vec<Record<'static>> {
    let all = records(include_str!("data/bip340.txt"));
    assert_eq!(all.len(), 19);
    assert!(all.iter().enumerate().all(|(at, one)| one.number("index") == at as u16));
    all
}

fn key(record: &Record<'_>) -> Result<VerifyingKey, DecodeError> {
    VerifyingKey::from_bytes(&[&[2], record.bytes("public_key").as_slice()].concat())
}

fn signature(record: &Record<'_>) -> Result<Signature, DecodeError> {
    Signature::from_bytes(&record.bytes("signature"))
}

#[test]
fn verification() {
    for record in vectors() {
        let message = record.bytes("message");
        let valid = match (key(&record), signature(&record)) {
            (Ok(key), Ok(signature)) => {
                assert_eq!(hex(&signature.to_bytes()), record.text("signature"));
                key.verify(&message, &signature).is_ok()
            }
            _ => false,
        };
        let expected = record.text("valid") == "true";
        assert_eq!(valid, expected, "vector {}", record.text("index"));
        let (public, bytes) = (record.bytes("public_key"), record.bytes("signature"));
        assert_eq!(outside::bip340(&public, &message, &bytes), (expected, expected));
    }
}

#[test]
fn reasons() {
    let all = vectors();
    for (index, record) in all.iter().enumerate() {
        let bad_key = [5, 14].contains(&index).then_some(DecodeError::BadPoint);
        assert_eq!(key(record).err(), bad_key, "vector {index}");
        let bad_signature = match index {
            // 0 is no x-coordinate either: 7 is not a square.
            9 | 11 | 12 => Some(DecodeError::BadPoint),
            13 => Some(DecodeError::BadScalar),
            _ => None,
        };
        assert_eq!(signature(record).err(), bad_signature, "vector {index}");
    }
    let bytes = all[0].bytes("signature");
    assert!(Signature::from_bytes(&bytes[..63]).is_err());
    assert_eq!(
        Signature::from_bytes(&[bytes.as_slice(), &[0]].concat()),
        Err(DecodeError::TrailingBytes)
    );
}

/// BIP-340 knows no sign of a key: the odd one is taken for the even one.
#[test]
fn odd_keys_are_even_keys() {
    for record in vectors() {
        let odd = VerifyingKey::from_bytes(&[&[3], record.bytes("public_key").as_slice()].concat());
        assert_eq!(odd, key(&record));
    }
}

#[test]
fn batch() {
    let all = vectors();
    let parsed: Vec<_> = all
        .iter()
        .filter_map(|record| Some((key(record).ok()?, record, signature(record).ok()?)))
        .collect();
    let messages: Vec<_> = parsed.iter().map(|(_, record, _)| record.bytes("message")).collect();
    let items: Vec<_> = parsed
        .iter()
        .zip(&messages)
        .map(|((key, _, signature), message)| (key, message.as_slice(), signature))
        .collect();
    let invalid: Vec<usize> = parsed
        .iter()
        .enumerate()
        .filter_map(|(at, (_, record, _))| (record.text("valid") == "false").then_some(at))
        .collect();
    assert_eq!(verify_batch(&items), Err(BatchError { invalid: invalid.clone() }));
    let good: Vec<_> = items
        .iter()
        .enumerate()
        .filter_map(|(at, item)| (!invalid.contains(&at)).then_some(*item))
        .collect();
    assert_eq!(good.len(), 9);
    assert_eq!(verify_batch(&good), Ok(()));
}

/// The secret keys of the vectors, shared by a dealer, sign for the public keys of the vectors.
#[test]
fn imported_keys_sign() {
    let parties = Parties::numbered(3).unwrap();
    let with_secret: Vec<_> =
        vectors().into_iter().filter(|record| record.has("secret_key")).collect();
    assert_eq!(with_secret.len(), 8);
    for record in with_secret {
        let secret = record.bytes("secret_key");
        let dealing =
            Dealing::<Secp256k1Taproot>::import(&secret, 2, &parties, &mut rng(3)).unwrap();
        let group = Group::of(dealing);
        assert_eq!(hex(&group.public.x_only()), record.text("public_key"));
        assert_eq!(group.public.verifying_key(), &key(&record).unwrap());
        let message = record.bytes("message");
        let signers = [group.ids()[0], group.ids()[2]];
        let signature = sign(&group, &signers, &message, &mut rng(4)).to_bytes();
        let public = record.bytes("public_key");
        assert_eq!(outside::bip340(&public, &message, &signature), (true, true));
    }
}
