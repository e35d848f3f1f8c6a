//! The file of a socket among those of others, and clients that give up.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::std_instead_of_core,
    reason = "a test fails by panicking"
)]

use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::sync::{Arc, Barrier};
use std::time::Duration;

use quorate_purpose::{Kind, SshHash, SshSignature};
use sockets_agent::serve;
use sockets_backend::encoding::ssh::{public_key, string};
use sockets_backend::{Backend as _, Limits, Scheme, UnixSocket};
use sockets_testkit::{Folder, Local};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;

/// A connection is refused by a socket of datagrams, such as that of a system's log, and by one of another user. Both may be
/// alive.
#[tokio::test]
async fn socket_to_which_nobody_can_connect_is_not_taken_for_a_dead_one() {
    let folder = Folder::new();
    let path = folder.join("log");
    let log = UnixDatagram::bind(&path).unwrap();
    let before = std::fs::symlink_metadata(&path).unwrap().ino();
    assert_eq!(UnixSocket::bind(&path).unwrap_err().kind(), ErrorKind::AddrInUse);
    assert_eq!(std::fs::symlink_metadata(&path).unwrap().ino(), before);
    UnixDatagram::unbound().unwrap().send_to(b"a line", &path).unwrap();
    assert_eq!(log.recv(&mut [0; 8]).unwrap(), 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_several_starts_at_one_moment_gets_the_socket() {
    const STARTS: usize = 4;
    for _ in 0..50 {
        let folder = Folder::new();
        let path = folder.join("agent");
        // Left behind by a process that was killed.
        drop(UnixListener::bind(&path).unwrap());
        let barrier = Arc::new(Barrier::new(STARTS));
        let starts: Vec<_> = (0..STARTS)
            .map(|_| {
                let (barrier, path) = (Arc::clone(&barrier), path.clone());
                let runtime = tokio::runtime::Handle::current();
                std::thread::spawn(move || {
                    let _inside = runtime.enter();
                    barrier.wait();
                    UnixSocket::bind(path)
                })
            })
            .collect();
        let bound: Vec<_> = starts.into_iter().map(|start| start.join().unwrap()).collect();
        assert_eq!(bound.iter().filter(|bound| bound.is_ok()).count(), 1, "{bound:?}");
        UnixStream::connect(&path).await.unwrap();
    }
}

#[tokio::test]
async fn end_of_a_socket_leaves_the_file_that_another_program_has_made_there() {
    let folder = Folder::new();
    let path = folder.join("agent");
    let ours = UnixSocket::bind(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let other = UnixListener::bind(&path).unwrap();
    drop(ours);
    UnixStream::connect(&path).await.unwrap();
    drop(other);
    // The path is free again.
    drop(UnixSocket::bind(&path).unwrap());
    assert!(!path.exists());
}

async fn listed(path: &std::path::Path) -> bool {
    let mut stream = UnixStream::connect(path).await.unwrap();
    stream.write_all(&string(&[11])).await.ok();
    stream.read_u32().await.is_ok()
}

/// A user who waits for an approval stops `ssh`, and tries again: the places of those that are gone are free.
#[tokio::test]
async fn client_that_gives_up_leaves_its_place() {
    let folder = Folder::new();
    let path = folder.join("agent");
    let local = Local::new().with("laptop", Scheme::Ed25519, 1, &[Kind::SshSignature]);
    let key = local.keys().await.unwrap().remove(0);
    let blob = public_key(key.scheme, &key.public_key).unwrap();
    let data = SshSignature::new("git", SshHash::Sha256([7; 32])).unwrap().signed_bytes();
    let request = [&[13][..], &string(&blob), &string(&data), &[0; 4]].concat();
    let limits = Limits { connections: 2, within: Duration::from_secs(3600), ..Limits::default() };
    local.silence();
    tokio::spawn(serve(UnixSocket::bind(&path).unwrap(), Arc::new(local), limits));
    let mut clients = vec![];
    for _ in 0..2 {
        let mut client = UnixStream::connect(&path).await.unwrap();
        client.write_all(&string(&request)).await.unwrap();
        clients.push(client);
    }
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert!(!listed(&path).await, "both wait, and nobody has given up");
    // One that sends no more, and waits, is there.
    clients.first_mut().unwrap().shutdown().await.unwrap();
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert!(!listed(&path).await);
    drop(clients);
    let free = async {
        while !listed(&path).await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), free).await.unwrap();
}
