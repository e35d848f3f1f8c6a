//! Requests of modules, malformed ones among them.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::std_instead_of_core,
    reason = "a test fails by panicking"
)]

use std::sync::Arc;
use std::time::Duration;

use quorate_purpose::{Kind, SshHash, SshSignature};
use sockets_backend::{Failure, Limits, Scheme, UnixSocket};
use sockets_pkcs11::{PinError, Settings, Token, TokenPin, serve};
use sockets_pkcs11_wire as wire;
use sockets_pkcs11_wire::{
    Answer, Description, Input, KeyInfo, MakeRequest, Pin, Reason, Request, SignRequest,
};
use sockets_testkit::{Folder, Local, mutations};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;

fn local() -> Arc<Local> {
    let opaque = &[Kind::OpaqueMessage, Kind::SshSignature][..];
    let local = Local::new().with("ed25519", Scheme::Ed25519, 1, opaque);
    let digests = &[Kind::OpaqueMessage, Kind::OpaqueDigest];
    let local = local.with("digests", Scheme::EcdsaP256, 2, digests);
    let local = local.with("secp256k1", Scheme::EcdsaSecp256k1, 3, opaque);
    Arc::new(local.with("validator", Scheme::Ed25519, 4, &[Kind::CometVote]))
}

fn with_pin(local: &Arc<Local>) -> Token {
    let pin = Some(TokenPin::new(b"1234").unwrap());
    Token::new(local.clone(), Settings { pin, ..Settings::default() })
}

async fn keys(token: &Token) -> Vec<KeyInfo> {
    let Answer::Description(Description { keys, .. }) = token.answer(&Request::Describe, 0).await
    else {
        panic!("no description")
    };
    keys
}

async fn id(token: &Token, name: &str) -> [u8; 32] {
    keys(token).await.iter().find(|key| key.name == name).unwrap().id
}

fn sign(key: [u8; 32], input: Input, bytes: &[u8]) -> Request<'_> {
    Request::Sign(SignRequest { pin: None, key, input, bytes })
}

#[tokio::test]
async fn keys_are_described_with_whether_they_sign_digests() {
    let token = Token::new(local(), Settings::default());
    let keys = keys(&token).await;
    let described: Vec<_> =
        keys.iter().map(|key| (key.name.as_str(), key.scheme, key.signs_digests)).collect();
    let expected = [
        ("digests", wire::Scheme::EcdsaP256, true),
        ("ed25519", wire::Scheme::Ed25519, false),
        ("secp256k1", wire::Scheme::EcdsaSecp256k1, false),
        ("validator", wire::Scheme::Ed25519, false),
    ];
    assert_eq!(described, expected);
    assert_eq!(keys[0].public_key[0], 4, "an uncompressed point");
}

#[tokio::test]
async fn message_is_read_and_signed_on_behalf_of_the_user() {
    let local = local();
    let token = Token::new(local.clone(), Settings::default());
    let key = id(&token, "ed25519").await;
    let commit = SshSignature::new("git", SshHash::Sha512([7; 64])).unwrap();
    let cases = [
        (commit.signed_bytes(), Kind::SshSignature),
        (b"hello".to_vec(), Kind::OpaqueMessage),
        (vec![], Kind::OpaqueMessage),
    ];
    for (bytes, kind) in cases {
        let answer = token.answer(&sign(key, Input::Message, &bytes), 1000).await;
        assert!(matches!(answer, Answer::Signature(made) if made.len() == 64));
        let asked = local.last().unwrap();
        assert_eq!((asked.purpose.kind(), asked.on_behalf.as_deref()), (kind, Some("uid 1000")));
    }
}

#[tokio::test]
async fn request_that_does_not_fit_the_key_is_refused_and_nothing_is_signed() {
    let local = local();
    let token = Token::new(local.clone(), Settings::default());
    let (ed25519, p256) = (id(&token, "ed25519").await, id(&token, "digests").await);
    let (secp256k1, validator) = (id(&token, "secp256k1").await, id(&token, "validator").await);
    let cases = [
        (sign(ed25519, Input::Sha256Message, b"hello"), Reason::WrongPurpose),
        (sign(p256, Input::Message, b"hello"), Reason::WrongPurpose),
        (sign(p256, Input::Digest, b"too short"), Reason::Malformed),
        (sign(secp256k1, Input::Digest, &[1; 32]), Reason::WrongPurpose),
        (sign(validator, Input::Message, b"hello"), Reason::WrongPurpose),
        (sign([9; 32], Input::Message, b"hello"), Reason::UnknownKey),
    ];
    for (request, reason) in cases {
        assert_eq!(token.answer(&request, 0).await, Answer::Failed(reason), "{request:?}");
    }
    assert_eq!(local.signed(), 0);
}

#[tokio::test]
async fn failures_of_the_backend_have_reasons() {
    let local = local();
    let token = Token::new(local.clone(), Settings::default());
    let key = id(&token, "ed25519").await;
    let text = || "why".to_owned();
    let cases = [
        (Failure::Refused(text()), Reason::Refused),
        (Failure::Conflict(text()), Reason::Refused),
        (Failure::Expired(text()), Reason::Expired),
        (Failure::Unavailable(text()), Reason::Unavailable),
        (Failure::Unsupported(text()), Reason::Unsupported),
        (Failure::Broken(text()), Reason::Broken),
    ];
    for (failure, reason) in cases {
        local.fail(Some(failure));
        let answer = token.answer(&sign(key, Input::Message, b"hello"), 0).await;
        assert_eq!(answer, Answer::Failed(reason));
    }
}

#[tokio::test(start_paused = true)]
async fn five_wrong_pins_lock_their_user_out_for_a_minute() {
    let local = local();
    let token = with_pin(&local);
    let key = id(&token, "ed25519").await;
    let login = |pin: &'static [u8]| Request::Login(Pin::new(pin).unwrap());
    assert_eq!(token.answer(&login(b"1234"), 7).await, Answer::LoggedIn);
    let without = token.answer(&sign(key, Input::Message, b"hello"), 7).await;
    assert_eq!(without, Answer::Failed(Reason::NotLoggedIn));
    for wrong in [&b"1"[..], b"1235", b"12345", b"123", b"\0\0\0\0"] {
        assert_eq!(token.answer(&login(wrong), 7).await, Answer::Failed(Reason::WrongPin));
    }
    let right = |pin| {
        let (key, input) = (key, Input::Message);
        Request::Sign(SignRequest { pin: Some(pin), key, input, bytes: b"hello" })
    };
    let right = right(Pin::new(b"1234").unwrap());
    assert_eq!(token.answer(&right, 7).await, Answer::Failed(Reason::PinLocked));
    assert_eq!(token.answer(&login(b"1234"), 7).await, Answer::Failed(Reason::PinLocked));
    assert_eq!(local.signed(), 0);
    assert!(matches!(token.answer(&right, 8).await, Answer::Signature(_)));
    tokio::time::advance(Duration::from_secs(61)).await;
    assert!(matches!(token.answer(&right, 7).await, Answer::Signature(_)));
}

/// A web server signs all the time, and a program that was planted under its user guesses between its signatures.
#[tokio::test(start_paused = true)]
async fn right_pins_of_another_program_give_no_more_guesses() {
    let token = with_pin(&local());
    let login = |pin: &'static [u8]| Request::Login(Pin::new(pin).unwrap());
    let mut guesses = 0;
    for _ in 0..100 {
        guesses +=
            u32::from(token.answer(&login(b"guess"), 7).await == Answer::Failed(Reason::WrongPin));
        token.answer(&login(b"1234"), 7).await;
    }
    assert_eq!(guesses, 5);
    // A person who mistypes has all tries again after a minute.
    tokio::time::advance(Duration::from_secs(61)).await;
    assert_eq!(token.answer(&login(b"1234"), 7).await, Answer::LoggedIn);
    assert_eq!(token.answer(&login(b"guess"), 7).await, Answer::Failed(Reason::WrongPin));
}

#[test]
fn pin_of_a_token_has_four_bytes_and_more() {
    for pin in [&b""[..], b"123", &[1; 256]] {
        assert_eq!(TokenPin::new(pin).err(), Some(PinError));
    }
    assert_eq!(format!("{:?}", TokenPin::new(b"1234").unwrap()), "TokenPin");
}

#[tokio::test]
async fn token_without_pin_and_rules_neither_logs_in_nor_makes_keys() {
    let token = Token::new(local(), Settings::default());
    let login = Request::Login(Pin::new(b"1234").unwrap());
    assert_eq!(token.answer(&login, 0).await, Answer::Failed(Reason::NoPin));
    let (scheme, name) = (wire::Scheme::Ed25519, "new");
    let make = Request::Make(MakeRequest { pin: None, scheme, name });
    assert_eq!(token.answer(&make, 0).await, Answer::Failed(Reason::NoNewKeys));
}

/// A damaged request either fails, or is still a whole request for the bytes that it has.
#[tokio::test]
async fn damaged_request_never_signs_other_bytes() {
    let local = local();
    let token = Token::new(local.clone(), Settings::default());
    let key = id(&token, "ed25519").await;
    for damaged in mutations(&sign(key, Input::Message, b"hello").to_frame()[4..]) {
        let Ok(request) = Request::from_bytes(&damaged) else { continue };
        let before = local.signed();
        match (token.answer(&request, 0).await, request) {
            (Answer::Signature(_), Request::Sign(asked)) => {
                let signed = local.last().unwrap().purpose;
                let key = quorate_purpose::KeyKind::Ed25519;
                assert_eq!(signed.message(key).unwrap().raw(), Some(asked.bytes));
            }
            _ => assert_eq!(local.signed(), before),
        }
    }
    assert!(local.signed() > 0, "the message may be any");
}

/// Sends bytes, and reads whole answers until the connection ends.
async fn exchange(folder: &Folder, bytes: &[u8]) -> Vec<Answer> {
    let mut stream = UnixStream::connect(folder.join("socket")).await.unwrap();
    stream.write_all(bytes).await.ok();
    let mut answers = vec![];
    while let Ok(length) = stream.read_u32().await {
        let mut body = vec![0; usize::try_from(length).unwrap()];
        stream.read_exact(&mut body).await.unwrap();
        answers.push(Answer::from_bytes(&body).unwrap());
    }
    answers
}

#[tokio::test]
async fn connection_has_one_request_and_malformed_ones_fail() {
    let (folder, local) = (Folder::new(), local());
    let socket = UnixSocket::bind(folder.join("socket")).unwrap();
    let limits = Limits { transfer: Duration::from_millis(300), ..Limits::default() };
    tokio::spawn(serve(socket, local.clone(), Settings::default(), limits));
    let describe = Request::Describe.to_frame();
    let answers = exchange(&folder, &[describe.as_slice(), &describe].concat()).await;
    assert!(matches!(answers[..], [Answer::Wait(_), Answer::Description(_)]), "{answers:?}");
    let malformed = [Answer::Failed(Reason::Malformed)];
    for body in [&[][..], &[1], &[1, 200], &[2, 1], &[1, 1, 0]] {
        let length = u32::try_from(body.len()).unwrap().to_be_bytes();
        assert_eq!(exchange(&folder, &[&length, body].concat()).await, malformed, "{body:?}");
    }
    // Too long; cut off in the length and in the body.
    for bytes in [&u32::MAX.to_be_bytes()[..], &[0, 0], &[0, 0, 0, 9, 1, 1], &[0, 15, 0, 0, 1]] {
        assert_eq!(exchange(&folder, bytes).await, []);
    }
    let key = id(&Token::new(local.clone(), Settings::default()), "ed25519").await;
    let long = vec![7; 300_000];
    let answers = exchange(&folder, &sign(key, Input::Message, &long).to_frame()).await;
    assert!(matches!(answers[..], [Answer::Wait(31), Answer::Signature(_)]), "{answers:?}");
}

/// A person stops a program whose request waits for an approval, and tries again: the place of the one that is gone is free.
#[tokio::test]
async fn program_that_is_stopped_leaves_its_place() {
    let (folder, local) = (Folder::new(), local());
    let key = id(&Token::new(local.clone(), Settings::default()), "ed25519").await;
    local.silence();
    let socket = UnixSocket::bind(folder.join("socket")).unwrap();
    let limits = Limits { connections: 1, within: Duration::from_secs(3600), ..Limits::default() };
    tokio::spawn(serve(socket, local, Settings::default(), limits));
    let mut waiting = UnixStream::connect(folder.join("socket")).await.unwrap();
    waiting.write_all(&sign(key, Input::Message, b"hello").to_frame()).await.unwrap();
    waiting.read_u32().await.unwrap();
    let describe = Request::Describe.to_frame();
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(exchange(&folder, &describe).await, []);
    drop(waiting);
    let free = async { while exchange(&folder, &describe).await.is_empty() {} };
    tokio::time::timeout(Duration::from_secs(10), free).await.unwrap();
}
