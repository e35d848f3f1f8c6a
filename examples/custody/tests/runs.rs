//! The store in SQLite keeps the contract of `quorate-runner`, closed and opened again between its operations, and
//! runs go on in it after a kill.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use std::path::{Path, PathBuf};

use getrandom::SysRng;
use quorate::runner::store::{
    Arrival, ArrivalKind, BeginOutcome, Counts, NewRun, NewStep, Place, PutOutcome,
};
use quorate::runner::{
    App, Bounds, EndKind, Job, MemoryTransport, RunEnd, Runner, Store, Transport,
    testing::conformance,
};
use quorate::session::rand_core::UnwrapErr;
use quorate::session::zeroize::Zeroizing;
use quorate::session::{
    Abort, Binding, Inbox, Limits, Next, Outbox, ParamError, Protocol, Round, Run, Sealed,
    SpentTable,
};
use quorate::{Parties, PartyId, SealKey, Session, SessionId};
use quorate_custody::runs::{OpenError, SqliteRuns};

/// A folder that is deleted at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("quorate-runs-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

fn open(folder: &Path, number: usize) -> SqliteRuns {
    let file = |name: &str| folder.join(format!("{name}-{number}.sqlite"));
    SqliteRuns::open(&file("runs"), &file("ledger")).unwrap()
}

#[test]
fn the_store_in_sqlite_keeps_the_contract() {
    let folder = Folder::new("contract");
    let made = core::cell::Cell::new(0);
    let make = || {
        made.set(made.get() + 1);
        open(&folder.0, made.get())
    };
    conformance(make, |store| {
        drop(store);
        open(&folder.0, made.get())
    })
    .unwrap();
}

/// The ledger is a file of its own: a database that is brought back has not forgotten what was spent.
#[test]
fn a_restored_database_has_not_forgotten_what_was_spent() {
    let folder = Folder::new("ledger");
    let mut store = open(&folder.0, 0);
    assert_eq!(store.record(&[1; 32], &[2; 32]).unwrap(), [2; 32]);
    drop(store);
    std::fs::remove_file(folder.0.join("runs-0.sqlite")).unwrap();
    let mut store = open(&folder.0, 0);
    assert_eq!(store.counts().unwrap(), Counts::default());
    assert_eq!(store.record(&[1; 32], &[3; 32]).unwrap(), [2; 32]);
}

/// Two workers, each with a connection of its own.
#[test]
fn two_connections_share_a_store() {
    let folder = Folder::new("shared");
    let (mut one, mut other) = (open(&folder.0, 0), open(&folder.0, 0));
    assert_eq!(one.record(&[1; 32], &[2; 32]).unwrap(), [2; 32]);
    assert_eq!(other.record(&[1; 32], &[3; 32]).unwrap(), [2; 32]);
}

/// SE-21: what a copy of a database of an earlier time is refused with, and what is told of one that lost its ledger.
#[test]
fn a_database_that_was_put_back_is_refused() {
    let folder = Folder::new("back");
    let (database, ledger) = (folder.0.join("runs-0.sqlite"), folder.0.join("ledger-0.sqlite"));
    let copy = folder.0.join("copy");
    let begin = |number| {
        let mut store = open(&folder.0, 0);
        let sealed = sealed(number);
        let run = NewRun {
            code: Toy::CODE,
            sid: SessionId::new([number; 32]),
            tag: [number; 4],
            digest: [0; 32],
            job: b"job",
            sealed: &sealed,
            deadline: 50,
            longest: 100,
            letters: &[],
        };
        store.begin(&run, &Bounds::new(10)).unwrap()
    };
    assert_eq!(begin(1), BeginOutcome::Begun);
    // The last connection is closed: all of it is in one file.
    std::fs::copy(&database, &copy).unwrap();
    assert_eq!(begin(1), BeginOutcome::Exists);
    // Nothing has left since: the copy is taken. It could lack what has come in.
    std::fs::copy(&copy, &database).unwrap();
    assert_eq!(begin(2), BeginOutcome::Begun);
    std::fs::copy(&database, folder.0.join("current")).unwrap();
    std::fs::copy(&copy, &database).unwrap();
    let refused = SqliteRuns::open(&database, &ledger).unwrap_err();
    assert!(matches!(refused, OpenError::PutBack { at: 1, seen: 2, .. }), "{refused}");
    assert!(refused.to_string().contains("was put back from a backup"), "{refused}");
    assert!(refused.to_string().contains("Put back the current database, or"), "{refused}");
    // Nor is a copy that went on by itself, with another ledger, and has come as far.
    let elsewhere = folder.0.join("elsewhere");
    let mut store = SqliteRuns::open(&database, &elsewhere).unwrap();
    store.bury(&context(1), &ended()).unwrap();
    drop(store);
    let refused = SqliteRuns::open(&database, &ledger).unwrap_err();
    assert!(matches!(refused, OpenError::PutBack { at: 2, seen: 2, .. }), "{refused}");
    // A new database beside a ledger that has seen another, and the other way round.
    std::fs::remove_file(&database).unwrap();
    let refused = SqliteRuns::open(&database, &ledger).unwrap_err();
    assert!(matches!(refused, OpenError::PutBack { at: 0, seen: 2, .. }), "{refused}");
    std::fs::copy(folder.0.join("current"), &database).unwrap();
    let refused = SqliteRuns::open(&database, &folder.0.join("new")).unwrap_err();
    assert!(matches!(refused, OpenError::NoLedger { at: 2, .. }), "{refused}");
    // The current one is taken, as ever.
    assert_eq!(begin(2), BeginOutcome::Exists);
}

/// A process that dies between the two commits leaves a database that is a step ahead: it is taken, and the ledger is told.
#[test]
fn a_database_that_is_ahead_of_its_ledger_is_taken() {
    let folder = Folder::new("ahead");
    let ledger = folder.0.join("ledger-0.sqlite");
    let mut store = open(&folder.0, 0);
    for number in 1..=3 {
        let sealed = sealed(number);
        let run = NewRun {
            code: Toy::CODE,
            sid: SessionId::new([number; 32]),
            tag: [number; 4],
            digest: [0; 32],
            job: b"job",
            sealed: &sealed,
            deadline: 50,
            longest: 100,
            letters: &[],
        };
        store.begin(&run, &Bounds::new(10)).unwrap();
        if number == 2 {
            std::fs::copy(&ledger, folder.0.join("older")).unwrap();
        }
    }
    drop(store);
    let number = |path: &Path| -> i64 {
        let ledger = rusqlite::Connection::open(path).unwrap();
        ledger.query_row("SELECT number FROM witness", [], |row| row.get(0)).unwrap()
    };
    let ahead = rusqlite::Connection::open(&ledger).unwrap();
    let sql = "ATTACH ? AS runs";
    ahead.execute(sql, [folder.0.join("runs-0.sqlite").display().to_string()]).unwrap();
    let sql = "UPDATE witness SET number = 2, tag = (SELECT tag FROM runs.marks WHERE number = 2)";
    ahead.execute(sql, []).unwrap();
    drop(ahead);
    assert_eq!(number(&ledger), 2);
    drop(open(&folder.0, 0));
    assert_eq!(number(&ledger), 3);
}

/// A run of which the disk has kept something else than was stored is closed at its deadline.
#[test]
fn a_damaged_run_is_closed_at_its_deadline() {
    let folder = Folder::new("damaged");
    for (column, record) in [("sealed", 1), ("job", 0)] {
        let name = usize::from(column == "job");
        let job = Job {
            sid: SessionId::new([7; 32]),
            parties: Parties::numbered(2).unwrap(),
            body: vec![1],
            deadline: 50,
        };
        let runner = || {
            let key = std::sync::Arc::new(SealKey::new([1; 32]));
            let me = PartyId::new(1).unwrap();
            Runner::<Toy, _, _>::new(me, key, (open(&folder.0, name), ToyApp), Bounds::new(10))
        };
        runner().unwrap().start(&job, 0, &mut UnwrapErr(SysRng)).unwrap();
        let path = folder.0.join(format!("runs-{name}.sqlite"));
        let database = rusqlite::Connection::open(path).unwrap();
        database.execute(&format!("UPDATE runs SET {column} = x'0102'"), []).unwrap();
        drop(database);
        let mut again = runner().unwrap();
        assert!(again.work(49).unwrap().is_empty());
        let ended = again.work(50).unwrap();
        assert_eq!((ended.len(), ended[0].sid), (1, job.sid));
        assert_eq!((ended[0].outcome.kind, ended[0].outcome.record.len()), (EndKind::Lost, record));
        assert_eq!((again.metrics().damaged, again.store().counts().unwrap().open), (1, 0));
    }
}

/// A protocol of one round.
struct Toy;

struct ToyApp;

impl Protocol for Toy {
    const NAME: &'static str = "custody toy";
    const CODE: u8 = 250;
    const ROUNDS: u8 = 1;
    type Params = ();
    type State = ();
    type Output = ();

    fn bind((): &(), _: &mut Binding) {}

    fn limits((): &(), _: usize, _: Round) -> Limits {
        Limits { broadcast: 1, direct: 0 }
    }

    fn start((): (), _: &Run) -> Result<((), Outbox), ParamError> {
        Ok(((), Outbox::broadcast(Vec::new())))
    }

    fn next((): (), _: &Run, _: Inbox<'_>) -> Result<Next<Self>, Abort> {
        Ok(Next::Done(()))
    }
}

impl App<Toy> for ToyApp {
    fn params(&mut self, _: &Job) -> Option<()> {
        Some(())
    }

    fn record(&mut self, _: &Job, _: RunEnd<()>) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(vec![1])
    }
}

fn session(number: u8) -> Session<Toy> {
    let (sid, parties) = (SessionId::new([number; 32]), Parties::numbered(2).unwrap());
    let me = PartyId::new(1).unwrap();
    Session::start(sid, me, &parties, (), &mut UnwrapErr(SysRng)).unwrap().session
}

fn sealed(number: u8) -> Sealed {
    session(number).seal(&SealKey::new([1; 32]))
}

fn context(number: u8) -> [u8; 32] {
    session(number).slot().session()
}

fn ended() -> NewStep<'static> {
    let tombstone = Box::leak(Box::new(session(1).tombstone()));
    NewStep { after: tombstone, taken: &[], letters: &[], outcome: Some(b"end") }
}

fn toy_job(number: u8, deadline: u64) -> Job {
    let (sid, parties) = (SessionId::new([number; 32]), Parties::numbered(2).unwrap());
    Job { sid, parties, body: vec![1], deadline }
}

fn toy_runner(folder: &Path, name: usize) -> Runner<Toy, SqliteRuns, ToyApp> {
    let key = std::sync::Arc::new(SealKey::new([1; 32]));
    let me = PartyId::new(1).unwrap();
    Runner::<Toy, _, _>::new(me, key, (open(folder, name), ToyApp), Bounds::new(10)).unwrap()
}

/// What the ledger cannot be told of is not sent; once it can be told, it is.
#[test]
fn nothing_leaves_that_the_ledger_has_not_seen() {
    let folder = Folder::new("unseen");
    let mut ends = MemoryTransport::network(&Parties::numbered(2).unwrap()).into_iter();
    let (mut one, mut two) = (ends.next().unwrap(), ends.next().unwrap());
    let mut runner = toy_runner(&folder.0, 0);
    let ledger = rusqlite::Connection::open(folder.0.join("ledger-0.sqlite")).unwrap();
    let sql = "CREATE TRIGGER full BEFORE INSERT ON witness BEGIN SELECT RAISE(ABORT, 'full'); END";
    ledger.execute_batch(sql).unwrap();
    runner.start(&toy_job(1, 1000), 0, &mut UnwrapErr(SysRng)).unwrap_err();
    runner.turn(&mut one, 1).ok();
    assert!(two.receive().unwrap().is_none());
    ledger.execute_batch("DROP TRIGGER full").unwrap();
    runner.turn(&mut one, 2).unwrap();
    assert!(two.receive().unwrap().is_some());
}

/// A row that holds the session of another run, or of another time, or a tombstone, is damaged: closed at its deadline,
/// alone.
#[test]
fn a_session_in_another_slot_is_damaged() {
    let folder = Folder::new("slots");
    let theirs = "(SELECT sealed FROM runs WHERE deadline = 1000)";
    let changes = [format!("sealed = {theirs}"), "slot = slot + 1".into(), "sealed = ?2".into()];
    for (name, change) in changes.into_iter().enumerate() {
        let (one, two) = (toy_job(1, 50), toy_job(2, 1000));
        let mut runner = toy_runner(&folder.0, name);
        for job in [&one, &two] {
            runner.start(job, 0, &mut UnwrapErr(SysRng)).unwrap();
        }
        drop(runner);
        let path = folder.0.join(format!("runs-{name}.sqlite"));
        let database = rusqlite::Connection::open(path).unwrap();
        let sql = format!("UPDATE runs SET {change} WHERE sid = ?1 AND length(?2) > 0");
        let tombstone = session(1).tombstone();
        let row = rusqlite::params![one.sid.as_bytes(), tombstone.as_bytes()];
        assert_eq!(database.execute(&sql, row).unwrap(), 1);
        drop(database);
        let mut runner = toy_runner(&folder.0, name);
        assert!(runner.work(1).unwrap().is_empty());
        let mut ended = Vec::new();
        // A bound: it would never come to rest.
        for _ in 0..20 {
            let Some(work) = runner.next_work(50).unwrap() else { break };
            ended.extend(runner.finish(work.run()).unwrap());
        }
        assert_eq!((ended.len(), ended[0].sid), (1, one.sid), "{change}");
        assert_eq!(ended[0].outcome.kind, EndKind::Lost);
        assert!(runner.outcome(&two).unwrap().is_none());
        assert_eq!(runner.store().counts().unwrap().open, 1);
        assert!(runner.next_work(50).unwrap().is_none(), "it comes to rest");
    }
}

/// What is parked may be dropped, so a copy of it is not told as stored.
#[test]
fn a_copy_of_what_is_parked_is_parked() {
    let folder = Folder::new("parked");
    let mut store = open(&folder.0, 0);
    let place = Place { from: PartyId::new(2).unwrap(), round: 1, kind: ArrivalKind::Broadcast };
    let (sealed, context) = (b"sealed", context(1));
    let arrival = Arrival { context, place, id: [1; 32], sealed, opening: None, until: 5 };
    for _ in 0..2 {
        assert_eq!(store.put(&arrival, &Bounds::new(10)).unwrap(), PutOutcome::Parked);
    }
    let counts = store.counts().unwrap();
    store.prune(5).unwrap();
    assert!(counts.parked > 0 && store.counts().unwrap().parked == 0);
}
