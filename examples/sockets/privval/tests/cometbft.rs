//! Unmodified CometBFT: a chain of four validators, two of which have threshold keys.
//!
//! It needs the program `cometbft`: `go install github.com/cometbft/cometbft/cmd/cometbft@v0.38.17`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::std_instead_of_core,
    clippy::mod_module_files,
    clippy::integer_division_remainder_used,
    clippy::print_stdout,
    reason = "a test fails by panicking"
)]

mod chain;
mod common;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chain::{Chain, VALIDATORS};
use common::{Node, prevote, vote};
use quorate::ecdsa::Level;
use quorate_purpose::comet::VoteStep;
use quorate_purpose::{Kind, Time};
use sockets_backend::committee::Trial;
use sockets_backend::{
    Asked, Backend, Committee, Key, KeyId, KeySpec, Limits, Reply, Scheme, Signature,
};
use sockets_privval::{Address, Signer, serve};
use sockets_testkit::{Folder, free_port, program};
use tokio::net::UnixListener;
use tokio::sync::RwLock;
use tokio::task::JoinHandle;

const KINDS: &[Kind] = &[Kind::CometVote, Kind::CometProposal, Kind::CometVoteExtension];

/// A committee whose nodes stop and start while it signs.
struct Changing(RwLock<Committee>);

impl Backend for Changing {
    fn keys(&self) -> Reply<'_, Vec<Key>> {
        Box::pin(async { self.0.read().await.keys().await })
    }

    fn create<'a>(&'a self, spec: &'a KeySpec) -> Reply<'a, Key> {
        Box::pin(async move { self.0.read().await.create(spec).await })
    }

    fn sign<'a>(&'a self, key: KeyId, asked: &'a Asked) -> Reply<'a, Signature> {
        Box::pin(async move { self.0.read().await.sign(key, asked).await })
    }
}

/// A validator with the key of a committee.
struct Validator {
    _folder: Folder,
    committee: Arc<Changing>,
    signer: Arc<Signer>,
    key: [u8; 32],
    node: Address,
    serving: Option<JoinHandle<()>>,
}

impl Validator {
    async fn new(node: Address) -> Self {
        let folder = Folder::new();
        let trial = Trial { level: Level::Toy, ..Trial::new(folder.join("committee")) };
        let committee = Committee::start(trial).await.unwrap();
        committee.create(&committee.spec("validator", Scheme::Ed25519, KINDS)).await.unwrap();
        let committee = Arc::new(Changing(RwLock::new(committee)));
        let signer = Arc::new(Signer::new(committee.clone(), "validator").for_chain(common::CHAIN));
        let key = signer.public_key().await.unwrap();
        let mut validator = Self { _folder: folder, committee, signer, key, node, serving: None };
        validator.start();
        validator
    }

    fn start(&mut self) {
        let (nodes, signer) = (vec![self.node.clone()], Arc::clone(&self.signer));
        self.serving = Some(tokio::spawn(serve(nodes, signer, Limits::default())));
    }

    /// Ends the signer in the midst of what it does.
    fn stop(&mut self) {
        self.serving.take().unwrap().abort();
    }

    async fn down(&self, node: u16) {
        self.committee.0.write().await.stop_node(node).await;
    }

    async fn up(&self, node: u16) {
        self.committee.0.write().await.start_node(node).await.unwrap();
    }
}

fn tcp() -> Address {
    Address::Tcp(format!("127.0.0.1:{}", free_port()))
}

/// A chain with two threshold validators, the first over a Unix socket and the second over TCP.
async fn started(cometbft: &Path) -> (Chain, [Validator; 2], Folder) {
    let sockets = Folder::new();
    let first = Validator::new(Address::Unix(sockets.join("node0"))).await;
    let second = Validator::new(tcp()).await;
    let mut chain = Chain::new(cometbft, &[first.key, second.key]);
    chain.start(0, Some(&first.node));
    chain.start(1, Some(&second.node));
    (2..VALIDATORS).for_each(|node| chain.start(node, None));
    (chain, [first, second], sockets)
}

/// A node that nobody should believe asks for votes that contradict those that were signed.
async fn nothing_contradicting_is_signed(chain: &Chain, validator: &Validator) {
    let folder = Folder::new();
    let listener = UnixListener::bind(folder.join("hostile")).unwrap();
    let nodes = vec![Address::Unix(folder.join("hostile"))];
    let serving = tokio::spawn(serve(nodes, Arc::clone(&validator.signer), Limits::default()));
    let mut hostile = Node::unix(&listener).await;
    let height = chain.commits_of(2, &validator.key, chain.height(2).await).await;
    let time = 1_800_000_000;
    for at in [1, height - 1, height] {
        for block in [Some(1), None] {
            let precommit = vote(VoteStep::Precommit, at, block, time);
            for asked in [prevote(at, block, time), precommit] {
                match hostile.vote(asked).await {
                    Err(why) => assert!(why.contains("contradicts"), "{why}"),
                    // The validator had voted for no block: this is that vote.
                    Ok(signed) => {
                        assert_eq!(signed.request.vote.block(), None);
                        assert_ne!(signed.request.vote.time(), Time::from_seconds(time));
                    }
                }
            }
        }
    }
    serving.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn chain_goes_on_while_signers_come_and_go_and_no_vote_contradicts_another() {
    let Some(cometbft) = program("cometbft") else { return };
    let (mut chain, [mut first, mut second], _sockets) = started(&cometbft).await;
    chain.reach(2, 3).await;
    for validator in [&first, &second] {
        chain.commits_of(2, &validator.key, 1).await;
    }
    // One signer away; then it is back, and another one is killed.
    first.down(3).await;
    let height = chain.blocks(2, 3).await;
    chain.commits_of(2, &first.key, height).await;
    first.up(3).await;
    first.down(1).await;
    let height = chain.blocks(2, 3).await;
    chain.commits_of(2, &first.key, height).await;
    first.up(1).await;
    nothing_contradicting_is_signed(&chain, &first).await;
    // The program of the signer is killed, and the node of the other validator.
    second.stop();
    chain.kill(0);
    tokio::time::sleep(Duration::from_secs(1)).await;
    second.start();
    chain.start(0, Some(&first.node));
    let height = chain.height(2).await;
    for validator in [&first, &second] {
        chain.commits_of(2, &validator.key, height).await;
    }
    // A node that has no part in it verifies all blocks from the first.
    let height = chain.height(2).await;
    chain.start(VALIDATORS, None);
    chain.reach(VALIDATORS, height).await;
    assert!(!chain.has_evidence(VALIDATORS).await);
    first.stop();
}

/// A long chain, with two nodes for one validator, and whatever can be away is away at times: `MINUTES` says how long.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes minutes: cargo test --release -p sockets-privval --test cometbft -- --ignored --nocapture"]
async fn long_chain_with_two_nodes_for_one_validator_has_no_evidence() {
    let Some(cometbft) = program("cometbft") else { return };
    let minutes = std::env::var("MINUTES").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    let (mut chain, [first, mut second], sockets) = started(&cometbft).await;
    // The twin of the first validator: it asks for the same votes, with time stamps of its own.
    let twin = Address::Unix(sockets.join("twin"));
    let also = serve(vec![twin.clone()], Arc::clone(&first.signer), Limits::default());
    let _also = tokio::spawn(also);
    chain.start(VALIDATORS + 1, Some(&twin));
    chain.reach(2, 3).await;
    let (since, mut turn, mut before) = (Instant::now(), 0_u16, chain.height(2).await);
    while since.elapsed() < Duration::from_secs(60 * minutes) {
        let away = turn % 3 + 1;
        first.down(away).await;
        second.down(away).await;
        match turn % 4 {
            0 => second.stop(),
            1 => chain.kill(0),
            2 => chain.kill(VALIDATORS + 1),
            _ => {}
        }
        tokio::time::sleep(Duration::from_secs(5)).await;
        first.up(away).await;
        second.up(away).await;
        match turn % 4 {
            0 => second.start(),
            1 => chain.start(0, Some(&first.node)),
            2 => chain.start(VALIDATORS + 1, Some(&twin)),
            _ => {}
        }
        nothing_contradicting_is_signed(&chain, &second).await;
        tokio::time::sleep(Duration::from_secs(5)).await;
        let height = chain.height(2).await;
        assert!(height > before, "the chain stands still at {height}");
        (before, turn) = (height, turn + 1);
    }
    let height = chain.blocks(2, 2).await;
    let mut votes = [0; 2];
    for at in 1..height {
        let signers = chain.signers(2, at).await;
        for (count, validator) in votes.iter_mut().zip([&first, &second]) {
            *count += u64::from(signers.contains(&chain::address(&validator.key)));
        }
    }
    println!("{height} blocks; the threshold validators have {votes:?} votes in their commits");
    assert!(votes.iter().all(|count| *count > height / 2), "{votes:?} of {height}");
    chain.start(VALIDATORS, None);
    chain.reach(VALIDATORS, height).await;
    assert!(!chain.has_evidence(VALIDATORS).await);
}
