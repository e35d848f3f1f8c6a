//! `expand_message_xmd` of RFC 9380 with SHA-256, written from §5.3.1 and checked by its
//! Appendix K.1; then the hash to scalars of the library against it.

use quorate::frost::generic::curve::{Curve, P256, Secp256k1};
use quorate::frost::generic::hash::{SuiteHash, XmdSha256};
use sha2::{Digest, Sha256};

use crate::data::records;

/// RFC 9380 §5.3.1.
pub(crate) fn expand_message_xmd(message: &[u8], dst: &[u8], length: u16) -> Vec<u8> {
    let dst_prime = [dst, &[dst.len() as u8]].concat();
    let hash = |parts: &[&[u8]]| -> [u8; 32] {
        Sha256::digest([&parts.concat(), dst_prime.as_slice()].concat()).into()
    };
    let b_0 = hash(&[&[0; 64], message, &length.to_be_bytes(), &[0]]);
    let mut block = hash(&[&b_0, &[1]]);
    let mut uniform = block.to_vec();
    for i in 2..=u8::try_from(length.div_ceil(32)).unwrap() {
        let mixed: Vec<u8> = b_0.iter().zip(block).map(|(x, y)| x ^ y).collect();
        block = hash(&[&mixed, &[i]]);
        uniform.extend_from_slice(&block);
    }
    uniform.truncate(length.into());
    uniform
}

#[test]
fn appendix_k_1() {
    let all = records(include_str!("data/rfc9380_xmd_sha256.txt"));
    let dst = all[0].text("dst");
    assert_eq!(all.len(), 11);
    for record in &all[1..] {
        let expected = record.bytes("uniform_bytes");
        let length = u16::try_from(expected.len()).unwrap();
        assert_eq!(
            expand_message_xmd(record.text("text").as_bytes(), dst.as_bytes(), length),
            expected
        );
    }
}

/// Big-endian bytes as a scalar, by Horner's rule: no reduction of the library's.
fn horner<C: Curve>(bytes: &[u8]) -> C::Scalar {
    let by = C::Scalar::from(256);
    bytes
        .iter()
        .fold(C::Scalar::default(), |sum, byte| sum * by + C::Scalar::from(u64::from(*byte)))
}

fn hashes_to_scalars<C: Curve>() {
    let long = vec![0xa5; 1000];
    let contexts = ["FROST-P256-SHA256-v1", "QUUX-V01-CS02-with-expander-SHA256-128", ""];
    for context in contexts {
        for tag in ["rho", "nonce", "chal", ""] {
            for message in [&b""[..], b"abc", b"abcdef0123456789", &[7; 55], &[8; 64], &long] {
                let dst = format!("{context}{tag}");
                let expected = horner::<C>(&expand_message_xmd(message, dst.as_bytes(), 48));
                let mut whole = XmdSha256::new(context, tag);
                whole.update(message);
                assert!(whole.finish::<C>() == expected);
                // In pieces, from a midstate.
                let mut pieces = XmdSha256::new(context, tag);
                let (front, back) = message.split_at(message.len() / 2);
                pieces.update(front);
                let mut midstate = pieces.clone();
                midstate.update(back);
                assert!(midstate.finish::<C>() == expected);
            }
        }
    }
}

#[test]
fn p256_scalars() {
    hashes_to_scalars::<P256>();
}

#[test]
fn secp256k1_scalars() {
    hashes_to_scalars::<Secp256k1>();
}
