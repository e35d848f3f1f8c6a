//! Requests of the protocol, malformed ones among them.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::std_instead_of_core,
    reason = "a test fails by panicking"
)]

use std::sync::Arc;

use quorate_purpose::{Kind, SshHash, SshSignature};
use sockets_agent::{Agent, Answer, Malformed, Request, serve};
use sockets_backend::encoding::ssh::{public_key, string};
use sockets_backend::{Backend as _, Failure, Limits, Scheme, UnixSocket};
use sockets_testkit::{Folder, Local, mutations};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;

const KINDS: &[Kind] = &[Kind::SshSignature, Kind::SshUserAuth];

fn local() -> Arc<Local> {
    let local = Local::new().with("laptop", Scheme::Ed25519, 1, KINDS);
    let local = local.with("p256", Scheme::EcdsaP256, 2, KINDS);
    // A validator's key is none of SSH.
    Arc::new(local.with("validator", Scheme::Ed25519, 3, &[Kind::CometVote]))
}

async fn blob(local: &Local, name: &str) -> Vec<u8> {
    let keys = local.keys().await.unwrap();
    let key = keys.iter().find(|key| key.name == name).unwrap();
    public_key(key.scheme, &key.public_key).unwrap()
}

fn commit() -> Vec<u8> {
    SshSignature::new("git", SshHash::Sha512([7; 64])).unwrap().signed_bytes()
}

/// The bytes of a login, RFC 4252, section 7.
fn login(key: &[u8]) -> Vec<u8> {
    let user = [string(b"deploy"), string(b"ssh-connection"), string(b"publickey")].concat();
    [string(&[5; 32]), vec![50], user, vec![1], string(b"ssh-ed25519"), string(key)].concat()
}

fn sign_request(key: &[u8], data: &[u8], flags: u32) -> Vec<u8> {
    [vec![13], string(key), string(data), flags.to_be_bytes().to_vec()].concat()
}

#[tokio::test]
async fn keys_of_ssh_are_listed_and_no_others() {
    let local = local();
    let agent = Agent::new(local.clone());
    let expected = ["laptop", "p256"];
    let Answer::Identities(keys) = agent.answer(&[11], 1000).await else { panic!("no list") };
    let names: Vec<_> = keys.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, expected);
    assert_eq!(keys[0].0, blob(&local, "laptop").await);
}

#[tokio::test]
async fn login_and_signature_are_signed_on_behalf_of_the_user() {
    let local = local();
    let agent = Agent::new(local.clone());
    let key = blob(&local, "laptop").await;
    for (data, kind) in [(commit(), Kind::SshSignature), (login(&key), Kind::SshUserAuth)] {
        let answer = agent.answer(&sign_request(&key, &data, 0), 1000).await;
        let Answer::Signature(signature) = answer else { panic!("no signature") };
        assert_eq!(signature[..15], string(b"ssh-ed25519")[..]);
        let asked = local.last().unwrap();
        assert_eq!((asked.purpose.kind(), asked.on_behalf.as_deref()), (kind, Some("uid 1000")));
    }
}

#[tokio::test]
async fn request_that_is_not_served_fails_and_nothing_is_signed() {
    let local = local();
    let agent = Agent::new(local.clone());
    let key = blob(&local, "laptop").await;
    let (validator, other) = (blob(&local, "validator").await, blob(&local, "p256").await);
    let requests = [
        vec![],
        vec![11, 0],
        vec![13],
        // Opaque bytes; a login with another key; a key that is not shown; an unknown key; flags of RSA.
        sign_request(&key, b"what is this", 0),
        sign_request(&key, &login(&other), 0),
        sign_request(&validator, &commit(), 0),
        sign_request(b"unknown", &commit(), 0),
        sign_request(&key, &commit(), 2),
        // Everything else that the protocol has: add, remove, lock, unlock, cards, extensions.
        vec![17],
        vec![18],
        vec![19],
        [vec![20], string(b"reader")].concat(),
        [vec![22], string(b"password")].concat(),
        [vec![23], string(b"password")].concat(),
        [vec![27], string(b"session-bind@openssh.com")].concat(),
        vec![255],
    ];
    for request in requests {
        assert_eq!(agent.answer(&request, 0).await, Answer::Failure, "{request:?}");
    }
    assert_eq!(local.signed(), 0);
    local.fail(Some(Failure::Refused("not today".to_owned())));
    assert_eq!(agent.answer(&sign_request(&key, &commit(), 0), 0).await, Answer::Failure);
}

/// A damaged request either fails, or is still a whole request for something that can be read.
#[tokio::test]
async fn damaged_request_is_answered_and_never_signs_other_bytes() {
    let local = local();
    let agent = Agent::new(local.clone());
    let key = blob(&local, "laptop").await;
    let data = commit();
    for damaged in mutations(&sign_request(&key, &data, 0)) {
        let before = local.signed();
        match agent.answer(&damaged, 0).await {
            Answer::Failure => assert_eq!(local.signed(), before),
            Answer::Signature(_) => {
                let asked = match Request::from_bytes(&damaged) {
                    Ok(Request::Sign { data, flags: 0, .. }) => data,
                    other => panic!("{other:?}"),
                };
                let read = SshSignature::from_signed_bytes(asked).unwrap();
                assert_eq!(local.last().unwrap().purpose, read.into());
            }
            // The first byte has become that of another request.
            Answer::Identities(_) => assert_eq!(damaged, [11]),
        }
    }
    assert!(local.signed() > 0, "the digest may be any");
}

#[test]
fn request_is_as_long_as_its_fields() {
    let request = sign_request(b"key", b"data", 9);
    let sign = Request::Sign { key: b"key", data: b"data", flags: 9 };
    assert_eq!(Request::from_bytes(&request), Ok(sign));
    for end in 0..request.len() {
        assert_eq!(Request::from_bytes(&request[..end]), Err(Malformed), "{end}");
    }
    assert_eq!(Request::from_bytes(&[&request[..], &[0]].concat()), Err(Malformed));
    assert_eq!(Request::from_bytes(&[17, 1, 2]), Ok(Request::Other(17)));
}

async fn exchange(stream: &mut UnixStream, message: &[u8]) -> Option<Vec<u8>> {
    stream.write_all(message).await.ok()?;
    let length = stream.read_u32().await.ok()?;
    let mut answer = vec![0; usize::try_from(length).unwrap()];
    stream.read_exact(&mut answer).await.ok()?;
    Some(answer)
}

#[tokio::test]
async fn malformed_message_fails_and_the_connection_stays() {
    let (folder, local) = (Folder::new(), local());
    let socket = UnixSocket::bind(folder.join("agent")).unwrap();
    let serving = tokio::spawn(serve(socket, local.clone(), Limits::default()));
    let mut stream = UnixStream::connect(folder.join("agent")).await.unwrap();
    for malformed in [&[][..], &[0], &[13, 0, 0, 0, 9], &[200, 1]] {
        assert_eq!(exchange(&mut stream, &string(malformed)).await.unwrap(), [5]);
    }
    assert_eq!(exchange(&mut stream, &string(&[11])).await.unwrap()[0], 12);
    // A message that is too long cannot be skipped.
    let mut long = UnixStream::connect(folder.join("agent")).await.unwrap();
    assert_eq!(exchange(&mut long, &u32::MAX.to_be_bytes()).await, None);
    assert_eq!(exchange(&mut stream, &string(&[11])).await.unwrap()[0], 12);
    serving.abort();
    assert!(serving.await.unwrap_err().is_cancelled());
    assert!(!folder.join("agent").exists());
}

#[tokio::test]
async fn connection_beyond_the_limit_is_closed() {
    let folder = Folder::new();
    let socket = UnixSocket::bind(folder.join("agent")).unwrap();
    let limits = Limits { connections: 1, ..Limits::default() };
    tokio::spawn(serve(socket, local(), limits));
    let mut first = UnixStream::connect(folder.join("agent")).await.unwrap();
    assert!(exchange(&mut first, &string(&[11])).await.is_some());
    let mut second = UnixStream::connect(folder.join("agent")).await.unwrap();
    assert_eq!(exchange(&mut second, &string(&[11])).await, None);
    assert!(exchange(&mut first, &string(&[11])).await.is_some());
}

#[tokio::test]
async fn socket_takes_the_place_of_a_dead_one_alone() {
    let folder = Folder::new();
    let path = folder.join("agent");
    std::fs::write(&path, "a file").unwrap();
    assert!(UnixSocket::bind(&path).is_err());
    std::fs::remove_file(&path).unwrap();
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    let alive = UnixSocket::bind(&path).unwrap();
    assert!(UnixSocket::bind(&path).is_err());
    use std::os::unix::fs::PermissionsExt as _;
    let mode = std::fs::metadata(alive.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
