//! Operations and their errors, with keys in memory.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::std_instead_of_core,
    reason = "a test fails by panicking"
)]

use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use p256::ecdsa::signature::hazmat::PrehashVerifier as _;
use p256::pkcs8::DecodePublicKey as _;
use quorate_purpose::{Kind, SshHash, SshSignature};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sockets_backend::{Backend as _, Failure, Scheme};
use sockets_kms::{Error, ErrorKind, Kms, Place};
use sockets_testkit::{Local, mutations};

const OPAQUE: &[Kind] = &[Kind::OpaqueMessage, Kind::OpaqueDigest];

fn local() -> Arc<Local> {
    let local = Local::new().with("p256", Scheme::EcdsaP256, 1, OPAQUE);
    let local = local.with("ed25519", Scheme::Ed25519, 2, OPAQUE);
    Arc::new(local.with("git", Scheme::Ed25519, 3, &[Kind::SshSignature]))
}

async fn answer(kms: &Kms, operation: &str, body: Value) -> Result<Value, Error> {
    let answer = kms.answer(operation, body.to_string().as_bytes(), "AKID").await?;
    Ok(serde_json::from_slice(&answer).unwrap())
}

async fn refused(kms: &Kms, operation: &str, body: Value) -> ErrorKind {
    answer(kms, operation, body).await.unwrap_err().kind
}

fn sign(key: &str, message: &[u8], message_type: &str, algorithm: &str) -> Value {
    let message = BASE64_STANDARD.encode(message);
    json!({ "KeyId": key, "Message": message, "MessageType": message_type, "SigningAlgorithm": algorithm })
}

fn bytes(value: &Value) -> Vec<u8> {
    BASE64_STANDARD.decode(value.as_str().unwrap()).unwrap()
}

#[tokio::test]
async fn keys_are_listed_in_parts_and_described() {
    let (local, place) = (local(), Place::default());
    let kms = Kms::new(local.clone(), place);
    let all = answer(&kms, "ListKeys", json!({})).await.unwrap();
    assert_eq!((all["Keys"].as_array().unwrap().len(), &all["Truncated"]), (3, &json!(false)));
    let (mut parts, mut marker) = (vec![], None);
    loop {
        let asked = json!({ "Limit": 2, "Marker": marker });
        let part = answer(&kms, "ListKeys", asked).await.unwrap();
        parts.extend(part["Keys"].as_array().unwrap().clone());
        marker = part["NextMarker"].as_str().map(str::to_owned);
        assert_eq!(part["Truncated"], marker.is_some());
        if marker.is_none() {
            break;
        }
    }
    assert_eq!(json!(parts), all["Keys"]);
    assert_eq!(refused(&kms, "ListKeys", json!({ "Marker": "1" })).await, ErrorKind::InvalidMarker);
    for limit in [0, 1001, -1] {
        assert_eq!(
            refused(&kms, "ListKeys", json!({ "Limit": limit })).await,
            ErrorKind::Validation
        );
    }
    let aliases = answer(&kms, "ListAliases", json!({})).await.unwrap();
    assert_eq!(aliases["Aliases"][0]["AliasName"], "alias/ed25519");
    let id = local.keys().await.unwrap()[2].id.to_string();
    let arn = format!("arn:aws:kms:us-east-1:000000000000:key/{id}");
    let names = [id.clone(), arn.clone(), "alias/p256".to_owned()];
    for name in
        names.into_iter().chain(["arn:aws:kms:us-east-1:000000000000:alias/p256".to_owned()])
    {
        let described = answer(&kms, "DescribeKey", json!({ "KeyId": name })).await.unwrap();
        let data = &described["KeyMetadata"];
        assert_eq!((&data["Arn"], &data["KeyId"]), (&json!(arn), &json!(id)), "{name}");
        assert_eq!(data["KeySpec"], "ECC_NIST_P256");
        assert_eq!(data["SigningAlgorithms"], json!(["ECDSA_SHA_256"]));
    }
    for name in
        ["", "alias/", "alias/other", "p256", "arn:aws:kms:eu-west-1:000000000000:alias/p256"]
    {
        assert_eq!(
            refused(&kms, "DescribeKey", json!({ "KeyId": name })).await,
            ErrorKind::NotFound
        );
    }
}

#[tokio::test]
async fn message_and_digest_have_signatures_that_verify() {
    let local = local();
    let kms = Kms::new(local.clone(), Place::default());
    let public = answer(&kms, "GetPublicKey", json!({ "KeyId": "alias/p256" })).await.unwrap();
    let public =
        p256::ecdsa::VerifyingKey::from_public_key_der(&bytes(&public["PublicKey"])).unwrap();
    let digest = Sha256::digest(b"hello");
    for (message, kind) in [(&b"hello"[..], "RAW"), (&digest, "DIGEST")] {
        let asked = sign("alias/p256", message, kind, "ECDSA_SHA_256");
        let made = answer(&kms, "Sign", asked).await.unwrap();
        let signature = p256::ecdsa::Signature::from_der(&bytes(&made["Signature"])).unwrap();
        public.verify_prehash(&digest, &signature).unwrap();
        assert_eq!(local.last().unwrap().on_behalf.as_deref(), Some("AKID"));
    }
    let public = answer(&kms, "GetPublicKey", json!({ "KeyId": "alias/ed25519" })).await.unwrap();
    let public = bytes(&public["PublicKey"]);
    let public = ed25519_dalek::VerifyingKey::from_public_key_der(&public).unwrap();
    let asked = sign("alias/ed25519", b"hello", "RAW", "ED25519_SHA_512");
    let made = answer(&kms, "Sign", asked).await.unwrap();
    let signature = bytes(&made["Signature"]).as_slice().try_into().unwrap();
    public.verify_strict(b"hello", &signature).unwrap();
}

#[tokio::test]
async fn message_is_read_as_what_the_key_signs() {
    let local = local();
    let kms = Kms::new(local.clone(), Place::default());
    let commit = SshSignature::new("git", SshHash::Sha512([7; 64])).unwrap();
    let asked = sign("alias/git", &commit.signed_bytes(), "RAW", "ED25519_SHA_512");
    answer(&kms, "Sign", asked).await.unwrap();
    assert_eq!(local.last().unwrap().purpose, commit.clone().into());
    // A key of opaque bytes signs them as such.
    let asked = sign("alias/ed25519", &commit.signed_bytes(), "RAW", "ED25519_SHA_512");
    answer(&kms, "Sign", asked).await.unwrap();
    assert_eq!(local.last().unwrap().purpose.kind(), Kind::OpaqueMessage);
    let other = sign("alias/git", b"hello", "RAW", "ED25519_SHA_512");
    assert_eq!(refused(&kms, "Sign", other).await, ErrorKind::InvalidKeyUsage);
}

#[tokio::test]
async fn request_that_is_wrong_is_refused_and_nothing_is_signed() {
    let local = local();
    let kms = Kms::new(local.clone(), Place::default());
    let cases = [
        (sign("alias/p256", b"hello", "RAW", "ECDSA_SHA_384"), ErrorKind::InvalidKeyUsage),
        (sign("alias/p256", b"hello", "RAW", "ED25519_SHA_512"), ErrorKind::InvalidKeyUsage),
        (sign("alias/p256", &[1; 31], "DIGEST", "ECDSA_SHA_256"), ErrorKind::Validation),
        (sign("alias/p256", &[1; 33], "DIGEST", "ECDSA_SHA_256"), ErrorKind::Validation),
        (sign("alias/p256", &[1; 4097], "RAW", "ECDSA_SHA_256"), ErrorKind::Validation),
        (sign("alias/p256", b"", "RAW", "ECDSA_SHA_256"), ErrorKind::Validation),
        (sign("alias/p256", b"hello", "raw", "ECDSA_SHA_256"), ErrorKind::Validation),
        (
            sign("alias/ed25519", &[1; 64], "DIGEST", "ED25519_PH_SHA_512"),
            ErrorKind::InvalidKeyUsage,
        ),
        (sign("alias/ed25519", &[1; 64], "DIGEST", "ED25519_SHA_512"), ErrorKind::InvalidKeyUsage),
        (sign("alias/none", b"hello", "RAW", "ECDSA_SHA_256"), ErrorKind::NotFound),
        (json!({ "KeyId": "alias/p256", "Message": "aGVsbG8=" }), ErrorKind::Validation),
        (
            json!({ "KeyId": "alias/p256", "Message": "%", "SigningAlgorithm": "ECDSA_SHA_256" }),
            ErrorKind::Serialization,
        ),
        (
            json!({ "KeyId": "alias/p256", "Message": "aGVsbG8=", "SigningAlgorithm": "ECDSA_SHA_256", "DryRun": true }),
            ErrorKind::UnsupportedOperation,
        ),
        (json!([]), ErrorKind::Validation),
    ];
    for (asked, kind) in cases {
        assert_eq!(refused(&kms, "Sign", asked.clone()).await, kind, "{asked}");
    }
    for operation in ["", "sign", "CreateKey", "Encrypt", "ScheduleKeyDeletion"] {
        assert_eq!(refused(&kms, operation, json!({})).await, ErrorKind::UnknownOperation);
    }
    assert_eq!(local.signed(), 0);
}

#[tokio::test]
async fn failure_of_the_committee_has_the_error_that_sdks_know() {
    let local = local();
    let kms = Kms::new(local.clone(), Place::default());
    let text = || "why".to_owned();
    let cases = [
        (Failure::Refused(text()), ErrorKind::AccessDenied, 400),
        (Failure::Conflict(text()), ErrorKind::AccessDenied, 400),
        (Failure::WrongPurpose(text()), ErrorKind::InvalidKeyUsage, 400),
        (Failure::Malformed(text()), ErrorKind::Validation, 400),
        (Failure::Unsupported(text()), ErrorKind::UnsupportedOperation, 400),
        // SDKs repeat these.
        (Failure::Expired(text()), ErrorKind::DependencyTimeout, 503),
        (Failure::Unavailable(text()), ErrorKind::KeyUnavailable, 500),
        (Failure::Broken(text()), ErrorKind::KmsInternal, 500),
    ];
    for (failure, kind, status) in cases {
        local.fail(Some(failure));
        let asked = sign("alias/p256", b"hello", "RAW", "ECDSA_SHA_256");
        assert_eq!(refused(&kms, "Sign", asked).await, kind);
        assert_eq!(kind.status().as_u16(), status);
    }
}

#[tokio::test]
async fn damaged_request_never_panics() {
    let local = local();
    let kms = Kms::new(local.clone(), Place::default());
    let asked = sign("alias/p256", b"hello", "RAW", "ECDSA_SHA_256").to_string();
    let (mut good, mut bad) = (0, 0);
    for damaged in mutations(asked.as_bytes()) {
        let before = local.signed();
        match kms.answer("Sign", &damaged, "AKID").await {
            Ok(_) => good += 1,
            Err(_) => {
                assert_eq!(local.signed(), before);
                bad += 1;
            }
        }
    }
    assert!(good > 0 && bad > 10 * good, "{good} {bad}");
}
