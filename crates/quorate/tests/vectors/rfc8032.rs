//! Known-answer signatures of RFC 8032, and its keys shared among parties.

use quorate::Parties;
use quorate::frost::generic::{Dealing, Signature, VerifyingKey};
use quorate::frost::{ed448::Ed448Shake256, ed25519::Ed25519Sha512};
use sha2::{Digest, Sha512};

use crate::data::{Record, records};
use crate::group::{Group, rng, sign};
use crate::outside::Outside;

fn check<S: Outside>(records: &[Record<'_>], secret_scalar: impl Fn(&[u8]) -> Vec<u8>) {
    let parties = Parties::numbered(3).unwrap();
    for record in records {
        let (key, message) = (record.bytes("public_key"), record.bytes("message"));
        let theirs = Signature::<S>::from_bytes(&record.bytes("signature")).unwrap();
        assert_eq!(theirs.to_bytes().as_ref(), record.bytes("signature"));
        let verifying = VerifyingKey::<S>::from_bytes(&key).unwrap();
        verifying.verify(&message, &theirs).unwrap();
        verifying.verify(b"another", &theirs).unwrap_err();

        let secret = secret_scalar(&record.bytes("secret_key"));
        let group = Group::of(Dealing::<S>::import(&secret, 2, &parties, &mut rng(1)).unwrap());
        assert_eq!(group.public.verifying_key(), &verifying);
        let ours = sign(&group, &group.ids(), &message, &mut rng(2));
        assert!(S::holds(&key, &message, ours.to_bytes().as_ref()));
    }
}

#[test]
fn ed25519() {
    let all = records(include_str!("data/rfc8032_ed25519.txt"));
    assert_eq!(all.len(), 4);
    check::<Ed25519Sha512>(&all, |secret| {
        let digest = Sha512::digest(secret);
        let mut scalar: [u8; 32] = digest[..32].try_into().unwrap();
        scalar[0] &= 248;
        scalar[31] = scalar[31] & 127 | 64;
        curve25519_dalek::Scalar::from_bytes_mod_order(scalar).to_bytes().to_vec()
    });
}

#[test]
fn ed448() {
    let all = records(include_str!("data/rfc8032_ed448.txt"));
    assert_eq!(all.len(), 3);
    check::<Ed448Shake256>(&all, |secret| {
        let key = ed448_goldilocks::SigningKey::try_from(secret).unwrap();
        let mut bytes = key.to_scalar().to_bytes().to_vec();
        bytes.resize(57, 0);
        bytes
    });
}
