//! Answers of the signer, with keys in memory.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::std_instead_of_core,
    reason = "a test fails by panicking"
)]

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use p256::ecdsa::signature::Verifier as _;
use p256::pkcs8::DecodePublicKey as _;
use quorate_purpose::{Hash, Kind};
use serde_json::{Value, json};
use sockets_backend::{Backend as _, Failure, Scheme};
use sockets_kubernetes::messages::SignRequest;
use sockets_kubernetes::{Invalid, MAX_CLAIMS, Settings, Signer};
use sockets_testkit::{Local, mutations};
use tonic::Code;

const TOKENS: &[Kind] = &[Kind::JwtClaims];

fn local() -> Arc<Local> {
    let local = Local::new().with("now", Scheme::EcdsaP256, 1, TOKENS);
    let local = local.with("before", Scheme::EcdsaP256, 2, TOKENS);
    let local = local.with("tls", Scheme::EcdsaP256, 3, &[Kind::Tls13CertificateVerify]);
    Arc::new(local.with("edwards", Scheme::Ed25519, 4, TOKENS))
}

fn signer(local: &Arc<Local>) -> Signer {
    Signer::new(local.clone(), Settings::new("now").publish(["before".to_owned()]))
}

fn claims() -> Value {
    json!({
        "aud": ["https://kubernetes.default.svc"], "exp": 1_800_003_600, "iat": 1_800_000_000,
        "iss": "https://kubernetes.default.svc", "jti": "8c4d2a5e-3f44-4a53-a6c9-1f2b7a8f8a10",
        "kubernetes.io": { "namespace": "default", "pod": { "name": "web-0", "uid": "1" } },
        "nbf": 1_800_000_000, "sub": "system:serviceaccount:default:web",
    })
}

fn request(json: impl AsRef<[u8]>) -> SignRequest {
    SignRequest { claims: BASE64.encode(json) }
}

#[tokio::test]
async fn token_is_signed_with_the_key_that_is_shown_first() {
    let local = local();
    let signer = signer(&local);
    let shown = signer.keys().await.unwrap();
    let ids: Vec<_> = shown.keys.iter().map(|key| key.key_id.as_str()).collect();
    let keys = local.keys().await.unwrap();
    let id = |name: &str| keys.iter().find(|key| key.name == name).unwrap().id.to_string();
    assert_eq!(ids, [id("now"), id("before")]);
    assert!(shown.keys.iter().all(|key| !key.exclude_from_oidc_discovery));
    assert_eq!(shown.refresh_hint_seconds, 300);
    assert!(shown.data_timestamp.unwrap().seconds > 1_700_000_000);

    let asked = request(claims().to_string());
    let made = signer.sign(&asked, 1000).await.unwrap();
    let header: Value = serde_json::from_slice(&BASE64.decode(&made.header).unwrap()).unwrap();
    assert_eq!(header, json!({ "alg": "ES256", "kid": ids[0], "typ": "JWT" }));
    let public = p256::ecdsa::VerifyingKey::from_public_key_der(&shown.keys[0].key).unwrap();
    let signature = BASE64.decode(&made.signature).unwrap();
    let signature = p256::ecdsa::Signature::from_slice(&signature).unwrap();
    let signed = format!("{}.{}", made.header, asked.claims);
    public.verify(signed.as_bytes(), &signature).unwrap();
    let last = local.last().unwrap();
    assert_eq!(last.on_behalf.as_deref(), Some("uid 1000"));
    let facts = last.purpose.facts();
    assert_eq!(facts.text("claim/sub"), Some("system:serviceaccount:default:web"));
    assert_eq!(facts.text("claim/kubernetes.io/pod/name"), Some("web-0"));
}

#[tokio::test]
async fn claims_that_are_malformed_are_refused_and_nothing_is_signed() {
    let local = local();
    let signer = signer(&local);
    let text = |claims: &str| SignRequest { claims: claims.to_owned() };
    let with = |name: &str, value: Value| {
        let mut claims = claims();
        claims[name] = value;
        request(claims.to_string())
    };
    let cases = [
        text(""),
        text("e30="),             // padded
        text("e31"),              // bits behind the end
        text("e30.e30"),          // two parts
        text("e30\n"),            // a line
        text("eyJhIjoi4pyTIn0+"), // the alphabet of plain base64
        request([0xff, 0xfe]),
        request(""),
        request("[]"),
        request("null"),
        request(r#"{"sub":"a","sub":"b"}"#),
        request(r#"{"sub":"a","Sub":"b"}"#),
        request(r#"{"sub":"a"} x"#),
        with("exp", json!("1800003600")),
        with("exp", json!(1.5)),
        with("warnafter", json!(9_007_199_254_740_992_u64)),
        with("sub", json!("a\u{0}b")),
        with("kubernetes.io", Value::Null),
        request(format!("{{\"a\":{}1{}}}", "[".repeat(4000), "]".repeat(4000))),
        text(&"A".repeat(MAX_CLAIMS + 1)),
        with("sub", json!("x".repeat(MAX_CLAIMS))),
    ];
    for asked in cases {
        let why = signer.sign(&asked, 0).await.unwrap_err();
        assert_eq!(why.code(), Code::InvalidArgument, "{asked:?}");
        assert!(!why.message().is_empty());
    }
    assert_eq!(local.signed(), 0);
    signer.sign(&request(claims().to_string()), 0).await.unwrap();
}

#[tokio::test]
async fn key_that_signs_no_tokens_is_a_failed_precondition() {
    let local = local();
    for name in ["tls", "edwards", "none"] {
        let signer = Signer::new(local.clone(), Settings::new(name));
        let asked = request(claims().to_string());
        assert_eq!(signer.sign(&asked, 0).await.unwrap_err().code(), Code::FailedPrecondition);
        assert_eq!(signer.keys().await.unwrap_err().code(), Code::FailedPrecondition);
        // A key that is only shown has to be one of tokens, too.
        let shown = Settings::new("now").publish([name.to_owned()]);
        let why = Signer::new(local.clone(), shown).keys().await.unwrap_err();
        assert_eq!(why.code(), Code::FailedPrecondition);
    }
    assert_eq!(local.signed(), 0);
}

#[tokio::test]
async fn failure_of_the_committee_has_its_status() {
    let local = local();
    let signer = signer(&local);
    let text = || "why".to_owned();
    let cases = [
        (Failure::Refused(text()), Code::PermissionDenied),
        (Failure::Conflict(text()), Code::PermissionDenied),
        (Failure::WrongPurpose(text()), Code::FailedPrecondition),
        (Failure::Malformed(text()), Code::InvalidArgument),
        (Failure::Expired(text()), Code::DeadlineExceeded),
        (Failure::Unavailable(text()), Code::Unavailable),
        (Failure::Unsupported(text()), Code::Unimplemented),
        (Failure::Broken(text()), Code::Internal),
    ];
    for (failure, code) in cases {
        local.fail(Some(failure));
        let why = signer.sign(&request(claims().to_string()), 0).await.unwrap_err();
        assert_eq!(why.code(), code);
        assert!(why.message().contains("why"));
    }
}

#[test]
fn settings_with_which_no_api_server_starts_are_refused() {
    let settings = || Settings::new("key");
    assert_eq!(settings().max_expiration(Duration::from_secs(599)), Err(Invalid::Expiration));
    assert_eq!(settings().refresh(Duration::from_millis(999)), Err(Invalid::Refresh));
    let good = settings().max_expiration(Duration::from_secs(600)).unwrap();
    let good = good.refresh(Duration::from_secs(1)).unwrap();
    let signer = Signer::new(local(), good);
    assert_eq!(signer.metadata().max_token_expiration_seconds, 600);
}

#[tokio::test]
async fn key_that_is_named_twice_is_shown_once() {
    let names = ["before", "now", "before"].map(str::to_owned);
    let signer = Signer::new(local(), Settings::new("now").publish(names));
    assert_eq!(signer.keys().await.unwrap().keys.len(), 2);
}

/// A token of damaged claims is a token of these claims, or there is none.
#[tokio::test]
async fn damaged_claims_are_signed_as_they_are_or_refused() {
    let local = local();
    let signer = signer(&local);
    let asked = request(claims().to_string());
    let (mut good, mut bad) = (0, 0);
    for damaged in mutations(asked.claims.as_bytes()) {
        let Ok(claims) = String::from_utf8(damaged) else { continue };
        let before = local.signed();
        match signer.sign(&SignRequest { claims: claims.clone() }, 0).await {
            Ok(made) => {
                let signed = local.last().unwrap().purpose;
                let signed = signed.message(Scheme::EcdsaP256.key_kind()).unwrap();
                let input = format!("{}.{claims}", made.header);
                let digest = Hash::Sha256.digest(input.as_bytes());
                assert_eq!(signed.ecdsa_digest().unwrap().to_vec(), digest);
                good += 1;
            }
            Err(why) => {
                assert_eq!(why.code(), Code::InvalidArgument);
                assert_eq!(local.signed(), before);
                bad += 1;
            }
        }
    }
    assert!(good > 0 && bad > good, "{good} {bad}");
}
