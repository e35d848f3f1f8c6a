//! The time of a vote: a committee of three nodes, of which two sign, beside a key in a file.
//!
//! `cargo run --release -p sockets-privval --example latency -- [VOTES]`
//!
//! Both are asked over a Unix socket, in turns, by the messages that a CometBFT node sends. The key in a file does what CometBFT's own
//! signer does: it writes height, round, step and signature to a file, and waits until the disk has them. The nodes, the gateway and
//! the asker are in one process here, so no network is in the figures.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::std_instead_of_core,
    clippy::mod_module_files,
    clippy::missing_panics_doc,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "a measurement fails by panicking"
)]

#[path = "../tests/common/mod.rs"]
mod common;

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use common::{Node, vote};
use ed25519_dalek::{Signer as _, SigningKey};
use quorate_purpose::comet::VoteStep;
use quorate_purpose::{KeyKind, Kind};
use sockets_backend::committee::Trial;
use sockets_backend::{
    Asked, Backend, Committee, Failure, Key, KeyId, KeySpec, Limits, Reply, Scheme, Signature,
};
use sockets_privval::{Address, Signer, serve};
use sockets_testkit::Folder;
use tokio::net::UnixListener;

const KINDS: &[Kind] = &[Kind::CometVote, Kind::CometProposal, Kind::CometVoteExtension];
const NAME: &str = "validator";

/// A key in a file, and the state beside it.
struct InFile {
    key: SigningKey,
    state: PathBuf,
}

impl InFile {
    fn described(&self) -> Key {
        let public_key = self.key.verifying_key().to_bytes().to_vec();
        let id = KeyId::of(Scheme::Ed25519, &public_key);
        let (name, purposes) = (NAME.to_owned(), KINDS.to_vec());
        Key { id, name, scheme: Scheme::Ed25519, purposes, public_key }
    }

    fn signature(&self, asked: &Asked) -> Signature {
        let message = asked.purpose.message(KeyKind::Ed25519).unwrap();
        let bytes = self.key.sign(message.raw().unwrap()).to_bytes().to_vec();
        // Extensions are not in the state.
        if asked.purpose.watermark().is_some() {
            let new = self.state.with_extension("new");
            let mut file = File::create(&new).unwrap();
            file.write_all(&asked.purpose.to_bytes()).unwrap();
            file.write_all(&bytes).unwrap();
            file.sync_all().unwrap();
            std::fs::rename(&new, &self.state).unwrap();
        }
        Signature { bytes, recovery_id: None, signed: asked.purpose.clone() }
    }
}

impl Backend for InFile {
    fn keys(&self) -> Reply<'_, Vec<Key>> {
        Box::pin(async { Ok(vec![self.described()]) })
    }

    fn create<'a>(&'a self, _: &'a KeySpec) -> Reply<'a, Key> {
        Box::pin(async { Err(Failure::Unsupported("one key".to_owned())) })
    }

    fn sign<'a>(&'a self, _: KeyId, asked: &'a Asked) -> Reply<'a, Signature> {
        Box::pin(async { Ok(self.signature(asked)) })
    }
}

/// A node with a signer of this backend.
async fn connected(folder: &Folder, name: &str, backend: Arc<dyn Backend>) -> Node {
    let listener = UnixListener::bind(folder.join(name)).unwrap();
    let node = vec![Address::Unix(folder.join(name))];
    tokio::spawn(serve(node, Arc::new(Signer::new(backend, NAME)), Limits::default()));
    Node::unix(&listener).await
}

/// The times of one height: of the prevote, and of the precommit with its extension.
async fn height(node: &mut Node, at: u64) -> [Duration; 2] {
    let mut times = [Duration::ZERO; 2];
    for (time, step) in times.iter_mut().zip([VoteStep::Prevote, VoteStep::Precommit]) {
        let since = Instant::now();
        node.vote(vote(step, at, Some(1), 1)).await.unwrap();
        *time = since.elapsed();
    }
    times
}

fn quantile(times: &mut [Duration], part: usize) -> Duration {
    times.sort();
    times[(times.len() - 1) * part / 100]
}

#[tokio::main]
async fn main() {
    let votes = std::env::args().nth(1).map_or(500, |text| text.parse().unwrap());
    let folder = Folder::new();
    let committee = Committee::start(Trial::new(folder.join("committee"))).await.unwrap();
    committee.create(&committee.spec(NAME, Scheme::Ed25519, KINDS)).await.unwrap();
    let file = InFile { key: SigningKey::from_bytes(&[1; 32]), state: folder.join("state") };
    let mut nodes = [
        ("a key in a file", connected(&folder, "of-file", Arc::new(file)).await),
        ("2 of 3 nodes", connected(&folder, "of-committee", Arc::new(committee)).await),
    ];
    let mut times: [[Vec<Duration>; 2]; 2] = Default::default();
    for at in 1..=votes {
        for ((_, node), times) in nodes.iter_mut().zip(&mut times) {
            for (all, one) in times.iter_mut().zip(height(node, at).await) {
                // The first heights open databases and fill caches.
                if at > votes / 10 {
                    all.push(one);
                }
            }
        }
        // A chain is not faster than this, and the nodes make nonces meanwhile.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    println!("{:16} {:26} {:>10} {:>10} {:>10}", "signer", "vote", "median", "90 %", "99 %");
    for ((name, _), times) in nodes.iter().zip(&mut times) {
        for (what, all) in ["prevote", "precommit with extension"].iter().zip(times) {
            let [median, most, nearly] = [50, 90, 99].map(|part| quantile(all, part));
            println!("{name:16} {what:26} {median:>10.2?} {most:>10.2?} {nearly:>10.2?}");
        }
    }
}
