//! `custody reseal`: a machine gets another seal key, also if the command is killed again and again.
#![allow(clippy::unwrap_used, reason = "a test")]

use core::time::Duration;
use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::sync::Arc;

use custody_cli::Folder;
use custody_lab::Place;
use getrandom::SysRng;
use quorate::SealKey;
use quorate::ecdsa::{Keygen, KeygenParams, Secp256k1};
use quorate::runner::{App, Bounds, Continuity, EndKind, Error, Job, RunEnd, Runner};
use quorate::session::rand_core::UnwrapErr;
use quorate::session::zeroize::Zeroizing;
use quorate::session::{Parties, PartyId, Protocol, SessionId};
use quorate_envelope::Name;
use quorate_store::SqliteStore;

/// Runs in the database of the node, each with a job, a session and a message.
const RUNS: u16 = 400;
const DEADLINE: u64 = 1000;

type Output = <Keygen<Secp256k1> as Protocol>::Output;

/// An application that makes keys.
struct Keys;

impl App<Keygen<Secp256k1>> for Keys {
    type Record = Zeroizing<Vec<u8>>;

    fn params(&mut self, _: &Job) -> Option<KeygenParams<Secp256k1>> {
        Some(KeygenParams::new(2))
    }

    fn record(&mut self, _: &Job, _: RunEnd<Output>) -> Self::Record {
        Zeroizing::new(b"a secret".to_vec())
    }
}

type Failure = Error<quorate_store::Error>;

/// The runner of node 1, with this key.
fn open(
    place: &Place,
    key: SealKey,
    continuity: Continuity,
) -> Result<Runner<SqliteStore, Keys>, Failure> {
    let options = SqliteStore::options().spent(place.path("n1/spent/spent.db"));
    let store = options.open(place.path("n1/data.db")).map_err(Error::Store)?;
    let bounds = Bounds { open: usize::from(RUNS), ..Bounds::new(1) };
    Runner::builder(PartyId::new(1).unwrap(), Arc::new(key), continuity)
        .protocol::<Keygen<Secp256k1>>()
        .bounds(bounds)
        .open(store, Keys)
}

fn cluster(place: &Place) {
    for party in 1..=2 {
        place.run(&format!("init node --name n{party} --party {party} --dir @n{party}")).unwrap();
    }
    place.run("init gateway --name g1 --dir @g1").unwrap();
    let members = "@n1/n1.pub @n2/n2.pub @g1/g1.pub";
    let id =
        place.run(&format!("init cluster --name acme --nats n.example:1 --out @shared {members}"));
    let id = id.unwrap();
    for who in ["n1", "g1"] {
        place.run(&format!("init join --dir @{who} --cluster @shared --id {}", id.trim())).unwrap();
    }
}

/// Fills the database of node 1: open runs, and one that has ended.
fn fill(place: &Place) {
    let key = Folder::new(place.path("n1")).seal_key().unwrap();
    let mut runner = open(place, key, Continuity::NewStore).unwrap();
    for number in 0..RUNS {
        let mut sid = [7; 32];
        sid[..2].copy_from_slice(&number.to_be_bytes());
        let deadline = if number == 0 { 1 } else { DEADLINE };
        let parties = Parties::numbered(2).unwrap();
        let job = Job { sid: SessionId::new(sid), parties, body: vec![9; 40], deadline };
        runner.start::<Keygen<Secp256k1>>(&job, 0, &mut UnwrapErr(SysRng)).unwrap();
    }
    assert_eq!(runner.work(1).unwrap().len(), 1);
}

/// The command, killed after this time. Returns whether it had ended well before.
fn reseal(place: &Place, killed_after: Duration) -> bool {
    let mut command = Command::new(env!("CARGO_BIN_EXE_custody"));
    command.args(["reseal", "--dir"]).arg(place.path("n1")).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    std::thread::sleep(killed_after);
    child.kill().unwrap();
    child.wait().unwrap().success()
}

#[test]
fn command_that_is_killed_again_and_again_moves_every_row_in_the_end() {
    let place = Place::new("reseal").unwrap();
    cluster(&place);
    fill(&place);
    let folder = Folder::new(place.path("n1"));
    let old = folder.seal_key().unwrap().to_secret_bytes();
    let (mut killed, mut after) = (0, Duration::from_millis(1));
    while !reseal(&place, after) {
        if place.path("n1/resealing").exists() {
            killed += 1;
            let why = place.run("run --dir @n1").unwrap_err().to_string();
            assert!(why.contains("the change of the seal key was interrupted"), "{why}");
        }
        // Slow machines end some day, and fast ones are killed often.
        after += Duration::from_millis(1).max(after.checked_div(8).unwrap());
    }
    assert!(killed > 0, "the command was never in the middle");
    assert!(!place.path("n1/resealing").exists());
    assert!(!place.path("n1/identity.1").exists());
    // Nothing needs the first key.
    fs::remove_file(place.path("n1/seal/1.key")).unwrap();
    folder.identity(&Name::new("n1").unwrap()).unwrap();
    let refused = open(&place, SealKey::new(*old), Continuity::Operator).map(drop);
    assert!(matches!(refused, Err(Error::OtherKey)), "{refused:?}");
    let mut runner = open(&place, folder.seal_key().unwrap(), Continuity::Operator).unwrap();
    assert_eq!(runner.outgoing(0, usize::from(RUNS)).unwrap().len(), usize::from(RUNS));
    let mut ended = BTreeMap::<String, u16>::new();
    for run in runner.work(DEADLINE).unwrap() {
        // Its session was opened: else it were lost.
        assert_eq!(run.outcome.kind, EndKind::Stopped);
        *ended.entry(format!("{:?}", run.outcome.kind)).or_default() += 1;
    }
    assert_eq!(ended.get("Stopped"), Some(&(RUNS - 1)));
    drop(runner);
    let said = place.run("reseal --dir @n1").unwrap();
    assert!(said.contains("has the seal key 3"), "{said}");
}

#[test]
fn key_that_lies_beside_the_identity_of_another_one_is_refused_before_anything_changes() {
    let place = Place::new("reseal-stranger").unwrap();
    cluster(&place);
    let (first, second) = (place.path("g1/seal/1.key"), place.path("g1/seal/2.key"));
    fs::copy(&first, &second).unwrap();
    let why = place.run("reseal --dir @g1").unwrap_err().to_string();
    assert!(why.contains("identity.2"), "{why}");
    assert!(!place.path("g1/resealing").exists());
    // Without it, all is as before.
    fs::remove_file(second).unwrap();
    place.run("reseal --dir @g1").unwrap();
}

#[test]
fn gateway_gets_another_seal_key_and_its_identity_stays() {
    let place = Place::new("reseal-gateway").unwrap();
    cluster(&place);
    let (folder, name) = (Folder::new(place.path("g1")), Name::new("g1").unwrap());
    let before = folder.identity(&name).unwrap().public().clone();
    let said = place.run("reseal --dir @g1").unwrap();
    assert!(said.starts_with("g1 has the seal key 2; 0 rows"), "{said}");
    fs::remove_file(place.path("g1/seal/1.key")).unwrap();
    assert_eq!(*folder.identity(&name).unwrap().public(), before);
    // A key that somebody has added by hand is not taken for the new one.
    let lost = place.path("g1/seal/2.key");
    fs::remove_file(&lost).unwrap();
    assert!(place.run("reseal --dir @g1").is_err());
}
