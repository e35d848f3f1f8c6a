//! New keys: names that collide, names that are none, and a token that is full.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::std_instead_of_core,
    reason = "a test fails by panicking"
)]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use custody_core::PartyId;
use quorate_purpose::Kind;
use sockets_backend::{Asked, Backend, Failure, Key, KeyId, KeySpec, Reply, Scheme, Signature};
use sockets_pkcs11::{Making, Settings, Token};
use sockets_pkcs11_wire as wire;
use sockets_pkcs11_wire::{Answer, MAX_FRAME, MAX_KEYS, MakeRequest, Reason, Request};

/// A backend that takes its time for a key, as a committee does.
#[derive(Default)]
struct Slow(Mutex<Vec<Key>>);

impl Slow {
    fn with(count: usize) -> Self {
        let keys = (0..count).map(|number| key(number, format!("key-{number}")));
        Self(Mutex::new(keys.collect()))
    }

    /// Keys of ML-DSA, which take two kilobytes each.
    fn with_long(count: usize) -> Self {
        let long = |number| Key {
            scheme: Scheme::MlDsa65,
            public_key: vec![7; 1952],
            ..key(number, format!("key-{number}"))
        };
        Self(Mutex::new((0..count).map(long).collect()))
    }

    fn names(&self) -> Vec<String> {
        self.0.lock().unwrap().iter().map(|key| key.name.clone()).collect()
    }
}

fn key(number: usize, name: String) -> Key {
    let public_key = [[7; 24].as_slice(), &number.to_be_bytes()].concat();
    let id = KeyId::of(Scheme::Ed25519, &public_key);
    Key { id, name, scheme: Scheme::Ed25519, purposes: vec![], public_key }
}

impl Backend for Slow {
    fn keys(&self) -> Reply<'_, Vec<Key>> {
        Box::pin(async { Ok(self.0.lock().unwrap().clone()) })
    }

    fn create<'a>(&'a self, spec: &'a KeySpec) -> Reply<'a, Key> {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_secs(60)).await;
            let mut keys = self.0.lock().unwrap();
            let name = spec.labels.get(Key::NAME).cloned().unwrap_or_default();
            let made = key(keys.len(), name);
            keys.push(made.clone());
            Ok(made)
        })
    }

    fn sign<'a>(&'a self, key: KeyId, _: &'a Asked) -> Reply<'a, Signature> {
        Box::pin(async move { Err(Failure::UnknownKey(key)) })
    }
}

fn token(backend: &Arc<Slow>) -> Token {
    let members = (1..=3).filter_map(PartyId::new).collect();
    let purposes = vec![Kind::OpaqueMessage];
    let making = Some(Making { threshold: 2, members, purposes, scope: String::new() });
    Token::new(backend.clone(), Settings { making, ..Settings::default() })
}

fn make(name: &str) -> Request<'_> {
    Request::Make(MakeRequest { pin: None, scheme: wire::Scheme::Ed25519, name })
}

/// A person stops a program that waits for its key, and starts it again. Two keys with one name would keep the daemon from
/// ever starting again.
#[tokio::test(start_paused = true)]
async fn name_that_is_asked_for_again_before_its_key_is_there_is_given_once() {
    let backend = Arc::new(Slow::default());
    let token = token(&backend);
    let (first, again, other, also) = (make("web"), make("web"), make("other"), make("web"));
    let answers = tokio::join!(
        token.answer(&first, 33),
        token.answer(&again, 33),
        token.answer(&other, 33),
        token.answer(&also, 34)
    );
    assert!(matches!(answers.0, Answer::Made(_)), "{:?}", answers.0);
    assert_eq!(answers.1, Answer::Failed(Reason::NameTaken));
    assert!(matches!(answers.2, Answer::Made(_)), "{:?}", answers.2);
    assert_eq!(answers.3, Answer::Failed(Reason::NameTaken));
    assert_eq!(backend.names(), ["web", "other"]);
}

#[tokio::test(start_paused = true)]
async fn name_that_would_write_lines_of_a_log_is_refused() {
    let backend = Arc::new(Slow::default());
    let token = token(&backend);
    for name in [
        "web\n2026-12-03T09:00:00Z  INFO sockets_pkcs11: signed",
        "web\r",
        "\0",
        "\x1b[2Jweb",
        "\u{9b}2J",
        "bew\u{202e}",
        "web\u{2028}",
    ] {
        assert_eq!(
            token.answer(&make(name), 0).await,
            Answer::Failed(Reason::Malformed),
            "{name:?}"
        );
    }
    assert_eq!(backend.names(), [""; 0]);
    for name in ["web server, 2026", "naïve/ключ", ""] {
        let made = token.answer(&make(name), 0).await;
        assert!(matches!(made, Answer::Made(_)), "{name:?}");
    }
}

/// A consumer makes keys until there are too many to be described. Then no program would find any key.
#[tokio::test(start_paused = true)]
async fn token_that_is_full_makes_no_more_keys_and_is_still_described() {
    let backend = Arc::new(Slow::with(MAX_KEYS - 1));
    let token = token(&backend);
    let (a, b) = (make("a"), make("b"));
    let answers = tokio::join!(token.answer(&a, 0), token.answer(&b, 0));
    assert!(matches!(answers.0, Answer::Made(_)), "{:?}", answers.0);
    assert_eq!(answers.1, Answer::Failed(Reason::NoNewKeys));
    let Answer::Description(description) = token.answer(&Request::Describe, 0).await else {
        panic!("no description")
    };
    assert_eq!(description.keys.len(), MAX_KEYS);
}

/// Of keys that are long, fewer fit into a description.
#[tokio::test(start_paused = true)]
async fn token_with_long_keys_is_full_before_it_cannot_be_described() {
    let asked =
        Request::Make(MakeRequest { pin: None, scheme: wire::Scheme::MlDsa65, name: "another" });
    let mut most = 0;
    for count in 500..540 {
        let token = token(&Arc::new(Slow::with_long(count)));
        let described = token.answer(&Request::Describe, 0).await;
        assert!(described.to_frame().len() <= MAX_FRAME);
        let makes = token.answer(&asked, 0).await != Answer::Failed(Reason::NoNewKeys);
        if makes {
            assert!(matches!(described, Answer::Description(_)), "{count}");
            most = count + 1;
        }
        assert!(count > most || matches!(described, Answer::Description(_)), "{count}");
    }
    assert!((510..530).contains(&most), "{most}");
}
