//! The rows of a runner under another seal key.
#![cfg(feature = "sqlite")]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod common;

use std::sync::Arc;

use common::{Fixed, Folder, Toy, party, sid};
use quorate_runner::{App, Bounds, Continuity, EndKind, Error as RunnerError, Job, RunEnd, Runner};
use quorate_session::zeroize::Zeroizing;
use quorate_session::{Parties, SealKey};
use quorate_store::{Error, Resealed, SqliteStore};

const RUNS: u32 = 150;

struct ToyApp;

impl App<Toy> for ToyApp {
    type Record = Zeroizing<Vec<u8>>;

    fn params(&mut self, _: &Job) -> Option<()> {
        Some(())
    }

    fn record(&mut self, _: &Job, _: RunEnd<()>) -> Self::Record {
        Zeroizing::new(b"recorded".to_vec())
    }
}

fn key(number: u8) -> SealKey {
    SealKey::new([number; 32])
}

type Party = Runner<SqliteStore, ToyApp>;

fn open(me: u16, file: &str, folder: &Folder, sealed: u8) -> Result<Party, RunnerError<Error>> {
    let store = SqliteStore::open(folder.file(file)).map_err(RunnerError::Store)?;
    let bounds = Bounds { open: 1000, ..Bounds::new(10) };
    let builder = Runner::builder(party(me), Arc::new(key(sealed)), Continuity::StayedUp);
    builder.protocol::<Toy>().bounds(bounds).open(store, ToyApp)
}

fn start(runner: &mut Party, number: u32) -> Job {
    let parties = Parties::numbered(2).unwrap();
    let job = Job { sid: sid(number), parties, body: vec![7; 30], deadline: 1000 };
    runner.start::<Toy>(&job, 0, &mut Fixed).unwrap();
    job
}

/// A store of party 1 with open runs, a frame that was not taken in, messages and an outcome, all under key 1. Gives the job that has
/// ended.
fn fill(folder: &Folder) -> Job {
    let mut one = open(1, "node.db", folder, 1).unwrap();
    let mut two = open(2, "peer.db", folder, 9).unwrap();
    let jobs: Vec<_> = (0..RUNS).map(|number| start(&mut one, number)).collect();
    jobs.iter().take(2).enumerate().for_each(|(number, _)| {
        start(&mut two, u32::try_from(number).unwrap());
    });
    let packets = two.outgoing(0, 9).unwrap();
    one.receive(party(2), &packets[0].bytes, 0).unwrap();
    assert_eq!(one.work(0).unwrap().len(), 1);
    one.receive(party(2), &packets[1].bytes, 0).unwrap();
    let is_over = |job: &&Job| one.outcome(job).unwrap().is_some();
    let ended: Vec<_> = jobs.iter().filter(is_over).cloned().collect();
    assert_eq!(ended.len(), 1);
    ended.into_iter().next().unwrap()
}

#[test]
fn every_row_moves_and_runs_continue_under_the_new_key() {
    let folder = Folder::new();
    let over = fill(&folder);
    let mut store = SqliteStore::open(folder.file("node.db")).unwrap();
    let resealed = store.reseal(&key(1), &key(2)).unwrap();
    // The canary; of each open run its job and session; a frame; the messages; an outcome.
    let open_runs = u64::from(RUNS) - 1;
    let all = 1 + 2 * open_runs + 1 + u64::from(RUNS) + 1;
    assert_eq!(resealed, Resealed { moved: all, before: 0, damaged: 0 });
    // A call after one that was killed finds the rows that are left.
    let again = store.reseal(&key(1), &key(2)).unwrap();
    assert_eq!(again, Resealed { moved: 0, before: all, damaged: 0 });
    drop(store);
    assert!(matches!(open(1, "node.db", &folder, 1), Err(RunnerError::OtherKey)));
    let mut runner = open(1, "node.db", &folder, 2).unwrap();
    assert_eq!(runner.outcome(&over).unwrap().unwrap().record_bytes.as_slice(), b"recorded");
    // The frame that had come is taken in.
    let ended = runner.work(0).unwrap();
    assert_eq!(ended.iter().map(|run| run.outcome.kind).collect::<Vec<_>>(), [EndKind::Done]);
    assert_eq!(runner.outgoing(0, 1000).unwrap().len(), RUNS as usize);
    let ended = runner.work(1000).unwrap();
    assert!(ended.iter().all(|run| run.outcome.kind == EndKind::Stopped));
    assert_eq!(ended.len() as u64, open_runs - 1);
}

#[test]
fn a_row_of_a_third_key_stops_it_and_the_same_call_goes_on_afterwards() {
    let folder = Folder::new();
    fill(&folder);
    let mut store = SqliteStore::open(folder.file("node.db")).unwrap();
    let why = store.reseal(&key(3), &key(2)).unwrap_err();
    assert!(matches!(why, Error::Refused(_)), "{why:?}");
    let rows = rusqlite::Connection::open(folder.file("node.db")).unwrap();
    // The last of the open runs, by its name.
    let last = "context = (SELECT max(context) FROM runs WHERE ended = 0)";
    let session = format!("SELECT sealed FROM runs WHERE {last}");
    let session: Vec<u8> = rows.query_row(&session, [], |row| row.get(0)).unwrap();
    let put = |bytes: &[u8]| {
        let sql = format!("UPDATE runs SET sealed = ? WHERE {last}");
        assert_eq!(rows.execute(&sql, [bytes]).unwrap(), 1);
    };
    put(&quorate_runner::Stored::Session.reseal(&session, &key(1), &key(3)).unwrap());
    assert!(matches!(store.reseal(&key(1), &key(2)), Err(Error::Refused(_))));
    // As after a kill in the middle: rows under each key.
    put(&session);
    let rest = store.reseal(&key(1), &key(2)).unwrap();
    assert!(rest.moved > 0 && rest.before > 0, "{rest:?}");
    put(b"damaged");
    let all = rest.moved + rest.before;
    let damaged = store.reseal(&key(1), &key(2)).unwrap();
    assert_eq!(damaged, Resealed { moved: 0, before: all - 1, damaged: 1 });
}
