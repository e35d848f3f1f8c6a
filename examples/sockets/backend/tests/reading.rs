//! Bytes that are read as what a key signs, and keys that a socket does not show.
#![allow(
    clippy::unwrap_used,
    clippy::std_instead_of_core,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use quorate_purpose::{
    Hash, JwtClaims, KeyKind, Kind, OpaqueMessage, Purpose, SshHash, SshSignature,
    Tls13CertificateVerify, TlsRole,
};
use sockets_backend::{Asked, Backend as _, Failure, Key, KeyId, KeySpec, Only, Scheme, read};
use sockets_testkit::{Local, mutations};

fn key(scheme: Scheme, purposes: &[Kind]) -> Key {
    let (public_key, name) = (vec![1; 32], "key".to_owned());
    let id = KeyId::of(scheme, &public_key);
    Key { id, name, scheme, purposes: purposes.to_vec(), public_key }
}

/// A certificate to be signed, of those that are tried with the policy for authorities.
fn certificate() -> Vec<u8> {
    let file =
        include_str!("../../../custody/policies/requests/x509-ca/allowed-server-certificate.json");
    let request: serde_json::Value = serde_json::from_str(file).unwrap();
    let hex = request["sign"]["hex"].as_str().unwrap().trim_start_matches("0x");
    let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(byte).collect()
}

fn token(header: &str, claims: &str) -> Vec<u8> {
    let part = |text: &str| BASE64_URL_SAFE_NO_PAD.encode(text);
    format!("{}.{}", part(header), part(claims)).into_bytes()
}

#[test]
fn bytes_are_read_as_the_kind_that_the_key_is_bound_to() {
    let tls = Tls13CertificateVerify::new(TlsRole::Server, [3; 32]).unwrap();
    let ssh = SshSignature::new("git", SshHash::Sha256([7; 32])).unwrap();
    let jwt = token(r#"{"alg":"ES256","kid":"one","typ":"JWT"}"#, r#"{"sub":"me"}"#);
    let known = [
        (tls.signed_bytes(), Kind::Tls13CertificateVerify),
        (ssh.signed_bytes(), Kind::SshSignature),
        (jwt.clone(), Kind::JwtClaims),
    ];
    let p256 = |purposes: &[Kind]| key(Scheme::EcdsaP256, purposes);
    for (bytes, kind) in &known {
        for key in [p256(&[*kind]), p256(&[])] {
            let purpose = read(&key, Some(Hash::Sha256), bytes).unwrap();
            assert_eq!(purpose.kind(), *kind);
            let signed = purpose.message(KeyKind::EcdsaP256).unwrap().ecdsa_digest().unwrap();
            assert_eq!(signed.to_vec(), Hash::Sha256.digest(bytes));
        }
        // Another key has the bytes as bytes alone, and so has the kind's own with another hash.
        for (key, hash) in
            [(p256(&[Kind::OpaqueMessage]), Hash::Sha256), (p256(&[*kind]), Hash::Keccak256)]
        {
            let opaque = OpaqueMessage::hashed(hash, bytes.as_slice()).unwrap();
            assert_eq!(read(&key, Some(hash), bytes), Ok(opaque.into()));
        }
    }
    let claims = JwtClaims::new(r#"{"sub":"me"}"#, "one", "JWT").unwrap();
    assert_eq!(read(&p256(&[Kind::JwtClaims]), Some(Hash::Sha256), &jwt), Ok(claims.into()));
}

#[test]
fn certificate_is_one_for_the_algorithm_that_it_names() {
    let tbs = certificate();
    let purpose = read(&key(Scheme::Ed25519, &[]), None, &tbs).unwrap();
    assert_eq!(purpose.kind(), Kind::X509Certificate);
    // It says Ed25519.
    let purpose = read(&key(Scheme::EcdsaP256, &[]), Some(Hash::Sha256), &tbs).unwrap();
    assert_eq!(purpose.kind(), Kind::OpaqueMessage);
}

#[test]
fn hash_has_to_be_one_of_the_scheme() {
    let cases = [(Scheme::EcdsaP256, None), (Scheme::Ed25519, Some(Hash::Sha256))];
    for (scheme, hash) in cases {
        let wrong = read(&key(scheme, &[]), hash, b"bytes");
        assert!(matches!(wrong, Err(Failure::WrongPurpose(_))), "{wrong:?}");
    }
}

#[test]
fn token_with_another_header_is_opaque() {
    let headers = [
        r#"{"typ":"JWT","alg":"ES256"}"#,
        r#"{"alg":"EdDSA"}"#,
        r#"{"alg":"ES256","crit":["b64"]}"#,
        r#"{"alg": "ES256"}"#,
        "{}",
        "[]",
    ];
    let key = key(Scheme::EcdsaP256, &[Kind::JwtClaims]);
    for header in headers {
        let purpose = read(&key, Some(Hash::Sha256), &token(header, r#"{"sub":"me"}"#)).unwrap();
        assert_eq!(purpose.kind(), Kind::OpaqueMessage, "{header}");
    }
}

/// Whatever is read signs the bytes that were asked for, and no others.
#[test]
fn damaged_bytes_are_signed_as_they_are() {
    let jwt = token(r#"{"alg":"ES256"}"#, r#"{"sub":"me"}"#);
    let ssh = SshSignature::new("git", SshHash::Sha256([7; 32])).unwrap().signed_bytes();
    let key = key(Scheme::EcdsaP256, &[]);
    for bytes in [jwt, ssh] {
        for damaged in mutations(&bytes) {
            let purpose = read(&key, Some(Hash::Sha256), &damaged).unwrap();
            let signed = purpose.message(KeyKind::EcdsaP256).unwrap().ecdsa_digest().unwrap();
            assert_eq!(signed.to_vec(), Hash::Sha256.digest(&damaged));
        }
    }
}

#[tokio::test]
async fn socket_with_some_keys_does_not_reach_the_others() {
    let local = Local::new().with("a", Scheme::Ed25519, 1, &[]).with("b", Scheme::Ed25519, 2, &[]);
    let local = Arc::new(local);
    let [a, b] = local.keys().await.unwrap().try_into().unwrap();
    let only = Only::new(local.clone(), ["b".to_owned(), "c".to_owned()]);
    assert_eq!(only.keys().await.unwrap(), std::slice::from_ref(&b));
    let commit = SshSignature::new("git", SshHash::Sha256([7; 32])).unwrap();
    let asked = Asked::new(Purpose::from(commit));
    assert_eq!(only.sign(a.id, &asked).await, Err(Failure::UnknownKey(a.id)));
    assert_eq!(local.signed(), 0);
    only.sign(b.id, &asked).await.unwrap();
}

/// A socket has no list of its keys. The key of another socket is not among them, and no consumer gives its name to a new one.
#[tokio::test]
async fn socket_without_a_list_does_not_reach_the_keys_of_a_list() {
    let local = Local::new().with("a", Scheme::Ed25519, 1, &[]).with("b", Scheme::Ed25519, 2, &[]);
    let local = Arc::new(local);
    let [a, b] = local.keys().await.unwrap().try_into().unwrap();
    let others = Only::without(local.clone(), ["a".to_owned(), "later".to_owned()]);
    assert_eq!(others.keys().await.unwrap(), std::slice::from_ref(&b));
    let commit = SshSignature::new("git", SshHash::Sha256([7; 32])).unwrap();
    let asked = Asked::new(Purpose::from(commit));
    assert_eq!(others.sign(a.id, &asked).await, Err(Failure::UnknownKey(a.id)));
    assert_eq!(local.signed(), 0);
    others.sign(b.id, &asked).await.unwrap();
    let spec = |name: &str| KeySpec {
        scheme: Scheme::Ed25519,
        threshold: 2,
        members: vec![],
        purposes: vec![],
        scope: String::new(),
        labels: [(Key::NAME.to_owned(), name.to_owned())].into(),
    };
    for name in ["a", "later"] {
        let refused = others.create(&spec(name)).await;
        assert!(matches!(refused, Err(Failure::Refused(_))), "{refused:?}");
    }
    // Keys in memory are not made: the question has come through.
    assert!(matches!(others.create(&spec("b")).await, Err(Failure::Unsupported(_))));
}
