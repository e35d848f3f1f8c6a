//! The answers of peers to a node that starts: too few of them, false ones, and none.

use crate::common::cluster::{directory, identity, party, trusted};
use crate::common::{Cluster, now};
use custody_core::{LedgerHead, Reason, Refusal, Witness};
use custody_node::{Finding, Witnesses};
use getrandom::SysRng;
use quorate::envelope::{Challenge, Envelope, Name, Opened, Opener};
use quorate::session::Continuity;
use quorate::session::rand_core::UnwrapErr;
use quorate_store::{AnyStore, SqliteStore};

/// Node 1 of three, which is down, with a key of threshold 2.
struct Starting {
    cluster: Cluster,
    store: AnyStore,
    head: LedgerHead,
}

impl Starting {
    async fn new() -> Self {
        let mut cluster = Cluster::start(3).await;
        cluster.limits.witness_time = 300;
        cluster.make_key("ed25519", 2).await;
        cluster.down(1).await;
        let options = SqliteStore::options().spent(cluster.file(1, "spent"));
        let mut store = options.open(cluster.file(1, "node")).unwrap().into_any();
        let head = store.head().unwrap().unwrap();
        let head = LedgerHead { step: head.step, mark: head.mark };
        Self { cluster, store, head }
    }

    fn witnesses(&self, needed: Option<usize>) -> Witnesses {
        Witnesses::new(&self.cluster.settings(1), needed)
    }

    /// The answer of a peer that has heard of the present head.
    const fn vouches(&self) -> Witness {
        Witness { seen: Some(self.head), vouches: true, head: None, relies: true }
    }

    /// The answer of a peer with a head that never was.
    const fn invented(&self) -> Witness {
        let head = LedgerHead { step: self.head.step + 1000, mark: [9; 16] };
        Witness { seen: Some(head), ..self.vouches() }
    }

    fn find(&mut self, witnesses: &Witnesses, rejoin: bool) -> Finding {
        witnesses.wait(&mut self.store, rejoin).unwrap()
    }
}

const RESTARTED: Witness = Witness { seen: None, vouches: false, head: None, relies: false };

/// The answer of a node to a heartbeat of node 1, as the network carries it.
fn sealed(witnesses: &Witnesses, peer: u8, witness: Witness) -> Vec<u8> {
    let (me, peer_identity, directory) = (identity(1), identity(peer), trusted(3));
    let heartbeats = witnesses.heartbeats(now() * 1000);
    let (_, heartbeat) = heartbeats.into_iter().find(|(to, _)| *to == party(peer)).unwrap();
    let custody_core::Heartbeat { challenge } =
        custody_core::Heartbeat::from_bytes(&heartbeat).unwrap();
    let challenge = Challenge::from_bytes(me.name(), &challenge).unwrap();
    let bytes = witness.to_bytes().unwrap();
    let envelope = Envelope::answer(challenge).message(&bytes);
    envelope.seal(&peer_identity, &directory, &mut UnwrapErr(SysRng)).unwrap()
}

/// Delivers an envelope to node 1.
fn deliver(witnesses: &Witnesses, sealed: &[u8]) -> Result<(), Refusal> {
    witnesses.witnessed(opened(sealed), now() * 1000)
}

fn opened(sealed: &[u8]) -> Opened {
    let (me, directory) = (identity(1), trusted(3));
    Opener::new(&me, &directory).open(sealed).unwrap()
}

/// Delivers the answer of a node to a heartbeat of node 1.
fn answer(witnesses: &Witnesses, peer: u8, witness: Witness) {
    deliver(witnesses, &sealed(witnesses, peer, witness)).unwrap();
}

fn name(number: u8) -> Name {
    let directory = directory(3);
    directory.member_of(party(number)).unwrap().name.clone()
}

fn rolled_back(finding: Finding) -> Refusal {
    let Finding::RolledBack(why) = finding else { panic!("{finding:?}") };
    assert_eq!(why.reason, Reason::RolledBack);
    why
}

#[tokio::test(flavor = "multi_thread")]
async fn as_many_peers_as_the_threshold_have_to_vouch() {
    let mut node = Starting::new().await;
    let witnesses = node.witnesses(None);
    answer(&witnesses, 2, node.vouches());
    answer(&witnesses, 3, node.vouches());
    assert_eq!(node.find(&witnesses, false), Finding::Latest(Continuity::Peers));
    // One of them was restarted.
    let witnesses = node.witnesses(None);
    answer(&witnesses, 2, node.vouches());
    answer(&witnesses, 3, RESTARTED);
    assert_eq!(node.find(&witnesses, false), Finding::Unknown);
    // The operator lets one be enough.
    let witnesses = node.witnesses(Some(1));
    answer(&witnesses, 2, node.vouches());
    assert_eq!(node.find(&witnesses, false), Finding::Latest(Continuity::Peers));
    let witnesses = node.witnesses(None);
    answer(&witnesses, 2, RESTARTED);
    answer(&witnesses, 3, RESTARTED);
    assert_eq!(node.find(&witnesses, false), Finding::Unknown);
}

#[tokio::test(flavor = "multi_thread")]
async fn node_starts_without_its_stock_if_the_other_peers_stay_silent() {
    let mut node = Starting::new().await;
    let witnesses = node.witnesses(None);
    answer(&witnesses, 2, node.vouches());
    let watched = witnesses.clone();
    let why = std::thread::spawn(move || {
        for _ in 0..200 {
            std::thread::sleep(core::time::Duration::from_millis(1));
            if let Some(why) = watched.waits() {
                return Some(why);
            }
        }
        None
    });
    assert_eq!(node.find(&witnesses, false), Finding::Unknown);
    let why = why.join().unwrap().unwrap();
    assert_eq!(why.reason, Reason::NotVouched);
    assert!(why.detail.starts_with("1 of 2") && why.detail.contains("from n3"), "{why}");
    // Nobody answers, and an operator has said that the node may rejoin.
    let witnesses = node.witnesses(None);
    rolled_back(node.find(&witnesses, true));
}

#[tokio::test(flavor = "multi_thread")]
async fn peer_that_invents_a_head_is_named_and_can_be_excluded() {
    let mut node = Starting::new().await;
    let witnesses = node.witnesses(None);
    answer(&witnesses, 2, node.invented());
    answer(&witnesses, 3, node.vouches());
    let why = rolled_back(node.find(&witnesses, false)).detail;
    let (seen, step) = (node.head.step + 1000, node.head.step);
    for part in [
        &format!("n2 has heard of step {seen} of this node, which has come to step {step}"),
        "n2 is alone",
        "n3 vouch",
        "--exclude-witness n2",
        "--rejoin",
        "--accept-watermarks",
    ] {
        assert!(why.contains(part), "{part}: {why}");
    }
    assert_eq!(witnesses.ahead(), [name(2)]);
    let witnesses = node.witnesses(None);
    witnesses.exclude(&name(2)).unwrap();
    answer(&witnesses, 2, node.invented());
    answer(&witnesses, 3, node.vouches());
    assert_eq!(node.find(&witnesses, false), Finding::Latest(Continuity::Peers));
    // Somebody has to be left.
    assert_eq!(witnesses.exclude(&name(3)).unwrap_err().reason, Reason::Limit);
    assert_eq!(witnesses.exclude(&name(1)).unwrap_err().reason, Reason::Limit);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_peers_that_are_ahead_are_believed() {
    let mut node = Starting::new().await;
    let witnesses = node.witnesses(None);
    answer(&witnesses, 2, node.invented());
    let watched = witnesses.clone();
    let third = node.invented();
    let later = std::thread::spawn(move || {
        std::thread::sleep(core::time::Duration::from_millis(100));
        assert_eq!(watched.ahead(), [name(2)]);
        answer(&watched, 3, third);
    });
    let why = rolled_back(node.find(&witnesses, false)).detail;
    later.join().unwrap();
    assert!(why.contains("n2 has heard") && why.contains("n3 has heard"), "{why}");
    assert!(!why.contains("--exclude-witness"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_to_an_earlier_process_open_no_node() {
    let mut node = Starting::new().await;
    let before = node.witnesses(None);
    let answers = [2, 3].map(|peer| sealed(&before, peer, node.vouches()));
    // The process is another one, and the network has kept the answers.
    let witnesses = node.witnesses(None);
    for answer in &answers {
        assert_eq!(deliver(&witnesses, answer).unwrap_err().reason, Reason::Malformed);
    }
    let why = rolled_back(node.find(&witnesses, true));
    assert!(!why.detail.contains("has heard"), "{why}");
    // The process that asked would have opened by them.
    answers.iter().for_each(|answer| deliver(&before, answer).unwrap());
    assert_eq!(node.find(&before, false), Finding::Latest(Continuity::Peers));
}
