//! Signature Version 4: a request of botocore 1.43.11, whole and damaged.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use sockets_backend::AccessKeys;
use sockets_kms::{Error, ErrorKind, Head, verify};

const SECRET: &str = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const BODY: &[u8] =
    br#"{"KeyId": "alias/test", "Message": "aGVsbG8=", "SigningAlgorithm": "ECDSA_SHA_256"}"#;
const AUTHORIZATION: &str = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261202/eu-west-1/kms/aws4_request, \
    SignedHeaders=content-type;host;x-amz-date;x-amz-target, \
    Signature=ad26dfb4282205fc4658359bc0b2746f4ec31bbbab9a281edfec7195f93277c1";
/// 2 December 2026, 16:00.
const NOW: u64 = 1_796_227_200;

fn head() -> Head {
    let headers = [
        ("x-amz-target", "TrentService.Sign"),
        ("content-type", "application/x-amz-json-1.1"),
        ("user-agent", "Botocore"),
        ("x-amz-date", "20261202T160000Z"),
        ("authorization", AUTHORIZATION),
        ("host", "127.0.0.1:8090"),
        ("content-length", "83"),
    ];
    Head {
        method: "POST".to_owned(),
        path: "/".to_owned(),
        query: String::new(),
        headers: headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
    }
}

fn access() -> AccessKeys {
    let other = AccessKeys::new().with("OTHER", "other".to_owned().into());
    other.with("AKIDEXAMPLE", SECRET.to_owned().into())
}

fn check(head: &Head, body: &[u8]) -> Result<String, Error> {
    verify(head, body, &access(), "eu-west-1", NOW).map(str::to_owned)
}

/// The request with another value of a header, or without the header.
fn with(name: &str, value: Option<&str>) -> Head {
    let mut head = head();
    head.headers.retain(|(known, _)| known != name);
    head.headers.extend(value.map(|value| (name.to_owned(), value.to_owned())));
    head
}

#[test]
fn request_of_botocore_verifies() {
    assert_eq!(check(&head(), BODY).unwrap(), "AKIDEXAMPLE");
    // Clocks may differ by five minutes.
    for now in [NOW - 300, NOW + 300] {
        assert!(verify(&head(), BODY, &access(), "eu-west-1", now).is_ok());
    }
}

#[test]
fn request_that_was_changed_does_not_verify() {
    let mismatch = |head: &Head, body: &[u8]| {
        assert_eq!(check(head, body).unwrap_err().kind, ErrorKind::InvalidSignature);
    };
    for at in 0..BODY.len() {
        let mut body = BODY.to_vec();
        body[at] ^= 1;
        mismatch(&head(), &body);
    }
    mismatch(&head(), b"");
    mismatch(&with("x-amz-target", Some("TrentService.GetPublicKey")), BODY);
    mismatch(&with("host", Some("127.0.0.1:8091")), BODY);
    mismatch(&with("x-amz-date", Some("20261202T160001Z")), BODY);
    mismatch(&with("x-amz-date", Some("20261203T000000Z")), BODY);
    mismatch(&with("x-amz-content-sha256", Some("UNSIGNED-PAYLOAD")), BODY);
    // A header that AWS reads, and that nobody has signed.
    mismatch(&with("x-amz-other", Some("1")), BODY);
    mismatch(&Head { query: "a=b".to_owned(), ..head() }, BODY);
    mismatch(&Head { path: "/a".to_owned(), ..head() }, BODY);
    mismatch(&Head { method: "GET".to_owned(), ..head() }, BODY);
    for now in [NOW - 301, NOW + 301, 0, u64::MAX] {
        let why = verify(&head(), BODY, &access(), "eu-west-1", now).unwrap_err();
        assert_eq!(why.kind, ErrorKind::InvalidSignature);
    }
    let why = verify(&head(), BODY, &access(), "us-east-1", NOW).unwrap_err();
    assert_eq!(why.kind, ErrorKind::InvalidSignature);
}

#[test]
fn access_key_that_is_unknown_or_temporary_is_refused() {
    let unknown = verify(&head(), BODY, &AccessKeys::new(), "eu-west-1", NOW).unwrap_err();
    assert_eq!(unknown.kind, ErrorKind::UnrecognizedClient);
    let signed = AUTHORIZATION.replace("x-amz-date;", "x-amz-date;x-amz-security-token;");
    let mut head = with("authorization", Some(&signed));
    head.headers.push(("x-amz-security-token".to_owned(), "token".to_owned()));
    assert_eq!(check(&head, BODY).unwrap_err().kind, ErrorKind::UnrecognizedClient);
    let other = AUTHORIZATION.replace("AKIDEXAMPLE", "OTHER");
    let why = check(&with("authorization", Some(&other)), BODY).unwrap_err();
    assert_eq!(why.kind, ErrorKind::InvalidSignature);
}

#[test]
fn header_that_is_missing_or_twice_is_refused() {
    let missing = check(&with("authorization", None), BODY).unwrap_err();
    assert_eq!(missing.kind, ErrorKind::MissingAuthenticationToken);
    for name in ["x-amz-date", "content-type", "host"] {
        assert_eq!(
            check(&with(name, None), BODY).unwrap_err().kind,
            ErrorKind::IncompleteSignature
        );
        let mut twice = head();
        let again = twice.headers.iter().find(|(known, _)| known == name).cloned();
        twice.headers.extend(again);
        assert_eq!(check(&twice, BODY).unwrap_err().kind, ErrorKind::IncompleteSignature, "{name}");
    }
}

/// Every damage of the header is refused, but for spaces between its fields.
#[test]
fn damaged_authorization_is_refused() {
    for at in 0..AUTHORIZATION.len() {
        for byte in [b' ', b',', b'/', b';', b'=', b'0', b'z'] {
            let mut bytes = AUTHORIZATION.as_bytes().to_vec();
            bytes[at] = byte;
            let text = String::from_utf8(bytes).unwrap();
            if text != AUTHORIZATION {
                assert!(check(&with("authorization", Some(&text)), BODY).is_err(), "{text}");
            }
        }
        let cut = &AUTHORIZATION[..at];
        assert!(check(&with("authorization", Some(cut)), BODY).is_err(), "{cut}");
        let doubled = format!("{cut}{AUTHORIZATION}");
        let is_whole = doubled == AUTHORIZATION;
        assert!(
            is_whole || check(&with("authorization", Some(&doubled)), BODY).is_err(),
            "{doubled}"
        );
    }
}
