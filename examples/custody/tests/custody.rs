//! The custody example: crashes at every step, second processes, restored databases.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::unwrap_in_result,
    reason = "a test fails by panicking"
)]

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use getrandom::SysRng;
use quorate::session::rand_core::UnwrapErr;
use quorate::{Parties, PartyId, Progress, SealKey, Session, SessionId};
use quorate_cggmp::session::{ClaimRecord, RecordError};
use quorate_cggmp::{Keygen, KeygenParams, Secp256k1};
use quorate_custody::node::spend_elsewhere;
use quorate_custody::service::{Custody, check};
use quorate_custody::step;
use quorate_custody::store::{Store, StoreError};
use quorate_examples::files::fresh_name;
use quorate_examples::out::Out;
use quorate_paillier::Level;

const MESSAGE: &[u8] = b"the message";

/// A folder, removed in the end.
struct Place(PathBuf);

impl Place {
    fn new() -> Self {
        let dir = std::env::temp_dir().join(fresh_name("quorate-custody-test-"));
        fs::create_dir(&dir).unwrap();
        Self(dir)
    }

    fn custody(&self, name: &str) -> Custody {
        Custody::new(&self.0.join(name), Level::Bits112, MESSAGE).unwrap()
    }

    fn store(&self) -> Store {
        Store::open(&self.0.join("node.db"), SealKey::new([7; 32]).into()).unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

fn node(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

/// `check` holds: one signature, the same at both signers, which k256 verifies; one row in `spent`
/// at each of them; no session left.
fn killed_at(steps: &[&str]) {
    let place = Place::new();
    for (at, step) in steps.iter().enumerate() {
        // Both signers, in turn.
        let victim = node(if at & 1 == 0 { 2 } else { 1 });
        let custody = place.custody(step);
        let report = custody.run(Some((victim, step)), true).unwrap();
        assert_eq!(report.killed, 1, "{step}");
        assert_eq!(report.signatures.len(), 2, "{step}");
        check(&custody, &report).unwrap_or_else(|failure| panic!("{step}: {failure}"));
    }
}

#[test]
fn killed_in_key_generation() {
    killed_at(&step::ALL[..5]);
}

#[test]
fn killed_in_aux_info() {
    killed_at(&step::ALL[5..11]);
}

#[test]
fn killed_in_presigning_and_signing() {
    killed_at(&step::ALL[11..]);
}

/// The power fails for all of them at once, again and again.
#[test]
fn all_killed() {
    let place = Place::new();
    let custody = place.custody("all");
    for step in ["keygen-2", "keygen-end", "aux-info-3", "presign-2", "claim", "release"] {
        let report = custody.run(Some((node(1), step)), false).unwrap();
        assert_eq!((report.killed, report.signatures.len()), (1, 0), "{step}");
    }
    let report = custody.run(None, true).unwrap();
    let signature = check(&custody, &report).unwrap();
    // Nothing is left to do, and nothing else comes of it.
    let again = custody.run(None, true).unwrap();
    assert_eq!(check(&custody, &again).unwrap(), signature);
}

#[test]
fn nothing_is_spent_twice() {
    let place = Place::new();
    let custody = place.custody("twice");
    custody.run(Some((node(2), "claim")), false).unwrap();
    let config = custody.node(node(2)).unwrap();
    let refusal = format!("{:?}", spend_elsewhere(config, b"another message").unwrap_err());
    assert!(refusal.contains("already spent"), "{refusal}");
    // The same message is what it was spent on.
    spend_elsewhere(config, MESSAGE).unwrap();
    let report = custody.run(None, true).unwrap();
    check(&custody, &report).unwrap();
    let refusal = format!("{:?}", spend_elsewhere(config, MESSAGE).unwrap_err());
    assert!(refusal.contains("there is no presignature left"), "{refusal}");
}

#[test]
fn a_row_in_spent_is_for_ever() {
    let place = Place::new();
    let mut store = place.store();
    let record = |digest| ClaimRecord { id: [1; 32], digest: [digest; 32] };
    for _ in 0..2 {
        let receipt = record(1).store(&mut store).unwrap();
        assert_eq!(receipt.record(), &record(1));
    }
    let spent = record(2).store(&mut store).unwrap_err();
    assert!(matches!(spent, RecordError::Spent { id, on } if (id, on) == ([1; 32], [1; 32])));
    let other = ClaimRecord { id: [2; 32], digest: [2; 32] };
    assert!(other.store(&mut store).is_ok());
    assert_eq!(store.counts().unwrap(), [0, 2, 0]);
}

/// Two processes that go on from one database: the second to store is refused, and sends nothing.
#[test]
fn a_second_process_is_refused() {
    let place = Place::new();
    let mut store = place.store();
    let parties = Parties::numbered(2).unwrap();
    let start = |me| {
        let (sid, params) = (SessionId::new([3; 32]), KeygenParams::<Secp256k1>::new(2));
        let mut rng = UnwrapErr(SysRng);
        Session::<Keygen<Secp256k1>>::start(sid, node(me), &parties, params, &mut rng).unwrap()
    };
    let step = start(1);
    let context = step.session.slot().session();
    store.keep("keygen", None, &step).unwrap();
    // Another process that believes to be the first.
    assert!(matches!(store.keep("keygen", None, &start(1)), Err(StoreError::Stale)));
    // Two that have both opened the same row, and heard different things since.
    let sealed = store.session(&context).unwrap().unwrap();
    let next = || {
        let params = KeygenParams::<Secp256k1>::new(2);
        let opened = Session::<Keygen<Secp256k1>>::open(&sealed, params, store.key()).unwrap();
        let before = opened.session.slot();
        let mut session = opened.session;
        session.receive(node(2), &start(2).outgoing[0].bytes).unwrap();
        match session.advance().unwrap() {
            Progress::Round(step) => (before, step),
            _ => panic!("another round"),
        }
    };
    let (one, two) = (next(), next());
    assert_ne!(one.1.outgoing, two.1.outgoing);
    store.keep("keygen", Some(one.0), &one.1).unwrap();
    let refused = store.keep("keygen", Some(two.0), &two.1).unwrap_err();
    assert!(refused.to_string().contains("another process has gone on with this session"));
    // What the first has stored is what counts, its messages included.
    let kept = store.session(&context).unwrap().unwrap();
    assert_eq!(kept.slot(), one.1.session.slot());
    let sent: Vec<_> = store.outbox(node(2)).unwrap().into_iter().map(|(_, frame)| frame).collect();
    let expected = step.outgoing.iter().chain(&one.1.outgoing).map(|message| message.bytes.clone());
    assert_eq!(sent, expected.collect::<Vec<_>>());
}

/// A start job that is delivered again, to a node that has lost its result: what has ended is not
/// begun again with another seed.
#[test]
fn what_has_ended_is_not_begun_again() {
    let place = Place::new();
    let custody = place.custody("again");
    custody.run(Some((node(1), "keygen-end")), false).unwrap();
    let store = Store::open_for(custody.node(node(1)).unwrap()).unwrap();
    store.remove("key share").unwrap();
    drop(store);
    let refusal = custody.run(None, true).err().unwrap().to_string();
    let says = "node 1: keygen has ended, and is not begun again under the same id";
    assert!(refusal.contains(says), "{refusal}");
}

/// The operators of all three see which node is configured otherwise, and how.
#[test]
fn another_threshold_is_shown() {
    let place = Place::new();
    let dir = place.0.join("other").display().to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_custody"));
    let output = command.args(["run", "--other-threshold", "3", "--dir", &dir]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    for line in [
        "node 1: party 3 uses threshold 3, expected 2",
        "node 2: party 3 uses threshold 3, expected 2",
        "node 3: party 1 uses threshold 2, expected 3",
        "from party 3: the sender was started with another threshold",
        "node 1: gave up in round 1, still waiting for party 3; ",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
}

/// Nothing secret can be read without the key.
#[test]
fn another_key_opens_nothing() {
    let place = Place::new();
    place.store().put("name", b"xyzzy xyzzy").unwrap();
    assert_eq!(place.store().get("name").unwrap().unwrap().as_slice(), b"xyzzy xyzzy");
    let other = Store::open(&place.0.join("node.db"), SealKey::new([8; 32]).into()).unwrap();
    assert!(matches!(other.get("name"), Err(StoreError::Seal(_))));
    // Sealed for one purpose, a row is no use for another.
    assert!(matches!(place.store().get("other name"), Ok(None)));
    drop(other);
    for entry in fs::read_dir(&place.0).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        assert!(!bytes.windows(5).any(|window| window == b"xyzzy"));
    }
}

fn run(line: &str) -> Result<String, String> {
    let mut out = Out::captured();
    let args = line.split_whitespace().map(OsString::from);
    let result = quorate_custody::run(args, &mut out);
    result.map(|()| out.into_text()).map_err(|failure| failure.to_string())
}

#[test]
fn the_command_line() {
    let fails = |line: &str, part: &str| {
        let failure = run(line).expect_err(line);
        assert!(failure.contains(part), "{line}\n  says: {failure}\n  not:  {part}");
    };
    fails("", "Usage: custody <COMMAND>");
    fails("dance", "unrecognized subcommand 'dance'");
    fails(
        "run --crash-at lunch",
        "'lunch' for '--crash-at <STEP>'\n  [possible values: keygen-1, ",
    );
    fails("run --node 4", "node 4: there are three nodes");
    fails("run --other-threshold 4", "node 4: there are three nodes");
    fails("run --other-threshold 3 --crash-at claim", "cannot be used with");
    fails("run --level 80", "invalid value '80' for '--level <LEVEL>'");
    fails("demo --node 1", "unexpected argument '--node'");
    assert!(run("run --help").unwrap().contains("--crash-at <STEP>"));
    assert_eq!(run("steps").unwrap().lines().count(), step::ALL.len());
    let place = Place::new();
    let dir = place.0.display().to_string();
    let out = run(&format!("run --crash-at presign-2 --node 1 --dir {dir}")).unwrap();
    assert!(out.contains("node 1 was killed at presign-2, and went on"), "{out}");
    assert!(out.contains("one signature, which verifies by k256: "), "{out}");
    fails(&format!("run --dir {dir}"), "is not empty");
    let out = run(&format!("run --crash-at claim --node 3 --dir {dir}/third")).unwrap();
    assert!(out.contains("node 3 never comes to claim"), "{out}");
}
