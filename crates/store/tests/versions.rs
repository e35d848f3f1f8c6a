//! Versions of the schema: later ones are refused, the tables of before version 1 are taken over.
#![cfg(feature = "sqlite")]
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

mod common;

use common::{Folder, KIND, begin, sid};
use quorate_runner::store::RunRow;
use quorate_runner::{Bounds, Kind, MessageTable as _, RunTable as _};
use quorate_session::{SpentTable as _, TableEntry};
use quorate_store::{Error, SqliteStore};

const DUMP: &str = include_str!("fixtures/before-1.sql");
const SPENT: &str = include_str!("fixtures/before-1-spent.sql");

fn dumped() -> Folder {
    let folder = Folder::new();
    for (name, dump) in [("node.db", DUMP), ("spent.db", SPENT)] {
        rusqlite::Connection::open(folder.file(name)).unwrap().execute_batch(dump).unwrap();
    }
    folder
}

fn take_over(folder: &Folder, kinds: &[(u8, Kind)]) -> Result<SqliteStore, Error> {
    let options = SqliteStore::options().spent(folder.file("spent.db"));
    let options = kinds.iter().fold(options, |options, (code, kind)| options.kind(*code, *kind));
    options.open(folder.file("node.db"))
}

const OTHER: Kind = Kind::new([8; 32]);

#[test]
fn tables_of_before_version_1_are_taken_over() {
    let folder = dumped();
    let mut store = take_over(&folder, &[(1, KIND), (2, OTHER), (3, OTHER)]).unwrap();
    let counts = store.counts().unwrap();
    assert_eq!((counts.open, counts.messages, counts.outbox, counts.parked), (2, 3, 7, 386));
    assert_eq!(store.open(&[KIND], None, 9).unwrap(), [[0x11; 32]]);
    assert_eq!(store.open(&[OTHER], None, 9).unwrap(), [[0x12; 32]]);
    let row = store.run(&[0x11; 32]).unwrap().unwrap();
    let RunRow { kind, job, sealed, deadline, .. } = row;
    assert_eq!((kind, job, sealed, deadline), (KIND, b"job 1".into(), b"session 1".into(), 100));
    let ended = store.run(&[0x13; 32]).unwrap().unwrap();
    assert_eq!((ended.kind, ended.sealed.as_slice()), (KIND, b"tombstone".as_slice()));
    let job = store.job(&ended.sid).unwrap().unwrap();
    assert_eq!(job.outcome.as_deref(), Some(b"outcome".as_slice()));
    let inbox = store.inbox(&[0x11; 32]).unwrap();
    assert_eq!(inbox.iter().map(|row| row.sealed.as_slice()).collect::<Vec<_>>(), [b"frame"]);
    let due = store.due(1000, &Bounds::new(10), 9).unwrap();
    assert_eq!(due.iter().map(|due| due.to.get()).collect::<Vec<_>>(), [2, 3, 2]);
    assert_eq!(store.canary(b"new").unwrap().as_deref(), Some(b"canary".as_slice()));
    assert_eq!(store.record(&[1; 32], &[9; 32]), Ok(TableEntry::Before([2; 32])));
    begin(&mut store, 1).unwrap();
    drop(store);
    // It is a pair like any other now, and opens without the codes.
    begin(&mut folder.pair().unwrap(), 2).unwrap();
    let alone = SqliteStore::open(folder.file("node.db"));
    assert_eq!(alone.map(drop), Err(Error::SpentIsApart));
}

#[test]
fn a_code_without_a_kind_is_named_and_nothing_has_changed() {
    let folder = dumped();
    assert_eq!(take_over(&folder, &[(1, KIND)]).map(drop), Err(Error::UnknownCode(2)));
    assert!(take_over(&folder, &[(1, KIND), (2, OTHER)]).is_ok());
}

#[test]
fn of_the_tables_of_before_only_those_with_rows_of_their_own_stay() {
    let folder = dumped();
    drop(take_over(&folder, &[(1, KIND), (2, OTHER)]).unwrap());
    let stays = |name: &str, table: &str| {
        let file = rusqlite::Connection::open(folder.file(name)).unwrap();
        let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1";
        file.query_row(sql, [table], |row| row.get::<_, i64>(0)).unwrap() == 1
    };
    for table in ["totals", "parked", "marks", "confirmed", "old_runs"] {
        assert!(!stays("node.db", table), "{table}");
    }
    for table in ["spent", "witness"] {
        assert!(stays("spent.db", table), "{table}");
    }
}

#[test]
fn a_version_that_no_release_wrote_is_not_called_a_later_one() {
    let folder = Folder::new();
    let path = folder.file("node.db");
    drop(SqliteStore::open(&path).unwrap());
    let file = rusqlite::Connection::open(&path).unwrap();
    file.execute("UPDATE quorate_store SET version = 0", []).unwrap();
    assert_eq!(SqliteStore::open(&path).map(drop), Err(Error::NoSuchVersion(0)));
}

#[test]
fn a_later_version_is_refused_by_its_number() {
    let folder = Folder::new();
    let path = folder.file("node.db");
    begin(&mut SqliteStore::open(&path).unwrap(), 1).unwrap();
    let file = rusqlite::Connection::open(&path).unwrap();
    file.execute("UPDATE quorate_store SET version = 2", []).unwrap();
    assert_eq!(SqliteStore::open(&path).map(drop), Err(Error::Newer { found: 2, known: 1 }));
    file.execute("UPDATE quorate_store SET version = 1", []).unwrap();
    assert!(SqliteStore::open(&path).unwrap().job(&sid(1)).unwrap().is_some());
}
