//! A store in a schema of PostgreSQL keeps the contract, alone and with what was spent apart. Without a server these say so,
//! and are skipped.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

mod common;
#[path = "common/server.rs"]
mod server;

use core::cell::{Cell, RefCell};

use common::{KIND, begin, party, sid};
use postgres::{Client, NoTls};
use quorate_runner::testing::{conformance, conformance_at_once};
use quorate_runner::{Bounds, MessageTable as _, RunTable as _};
use quorate_session::{ClaimRecord, SpentTable as _, TableEntry};
use quorate_store::{Error, PostgresStore, Standing};

fn client(address: &str) -> Client {
    Client::connect(address, NoTls).unwrap()
}

fn open(address: &str, schema: &str) -> PostgresStore {
    PostgresStore::options().schema(schema).connect(client(address)).unwrap()
}

fn pair(runs: &str, spent: &str) -> Result<PostgresStore, Error> {
    PostgresStore::options().spent(client(spent)).connect(client(runs))
}

#[test]
fn a_schema_that_is_reopened_between_calls_keeps_the_contract() {
    let Some(database) = server::database() else { return };
    let schema = Cell::new(0);
    let again = || open(&database, &format!("party_{}", schema.get()));
    let make = || {
        schema.set(schema.get() + 1);
        again()
    };
    conformance(make, |store| {
        drop(store);
        again()
    })
    .unwrap();
}

#[test]
fn two_databases_keep_the_contract_at_once() {
    let databases = RefCell::new(Vec::new());
    if server::database().is_none() {
        return;
    }
    let make = || {
        let both = [server::database().unwrap(), server::database().unwrap()];
        databases.borrow_mut().push(both.clone());
        both
    };
    conformance_at_once(|| {
        let [runs, spent] = make();
        move || pair(&runs, &spent).unwrap()
    })
    .unwrap();
}

#[test]
fn handles_of_one_schema_at_once_keep_the_contract() {
    let Some(database) = server::database() else { return };
    let schema = Cell::new(0);
    conformance_at_once(|| {
        schema.set(schema.get() + 1);
        let (database, schema) = (database.clone(), format!("party_{}", schema.get()));
        move || open(&database, &schema)
    })
    .unwrap();
}

#[test]
fn parties_on_one_server_have_a_schema_each() {
    let Some(database) = server::database() else { return };
    let (mut one, mut two) = (open(&database, "one"), open(&database, "two"));
    begin(&mut one, 1).unwrap();
    assert_eq!(one.record(&[1; 32], &[1; 32]), Ok(TableEntry::New));
    assert!(two.job(&sid(1)).unwrap().is_none());
    assert_eq!(two.record(&[1; 32], &[2; 32]), Ok(TableEntry::New));
    for name in ["", "One", "1", "a-b", "a\"; DROP SCHEMA one; --", &"a".repeat(64)] {
        let options = PostgresStore::options().schema(name);
        let error = options.connect(client(&database)).map(drop);
        assert_eq!(error, Err(Error::SchemaName(name.to_owned())));
    }
}

#[test]
fn a_database_that_was_restored_is_noticed() {
    let Some(runs) = server::database() else { return };
    let spent = server::database().unwrap();
    let mut store = pair(&runs, &spent).unwrap();
    begin(&mut store, 1).unwrap();
    let told = store.head().unwrap().unwrap();
    assert_eq!(store.standing(&told), Ok(Standing::Known));
    // As if the step had never been.
    let mut other = client(&runs);
    other.execute("DELETE FROM quorate.quorate_marks WHERE step > 1", &[]).unwrap();
    assert!(matches!(begin(&mut store, 2), Err(Error::RolledBack(which)) if !which.is_spent));
    assert!(matches!(pair(&runs, &spent), Err(Error::RolledBack(which)) if !which.is_spent));
    assert_eq!(PostgresStore::connect(other).map(drop), Err(Error::SpentIsApart));
}

#[test]
fn a_connection_that_is_lost_is_made_again_for_the_next_call() {
    let Some(database) = server::database() else { return };
    let address = database.clone();
    let connect = move || Client::connect(&address, NoTls);
    let mut store = PostgresStore::options().connect_with(connect).unwrap();
    let mut lonely = PostgresStore::connect(client(&database)).unwrap();
    begin(&mut store, 1).unwrap();
    let kill = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    client(&database).execute(kill, &[]).unwrap();
    assert!(matches!(begin(&mut store, 2), Err(Error::Disconnected(_))));
    begin(&mut store, 2).unwrap();
    assert_eq!(store.counts().unwrap().open, 2);
    for _ in 0..2 {
        assert!(matches!(lonely.job(&sid(1)), Err(Error::Disconnected(_))));
    }
}

#[test]
fn a_worker_that_holds_the_store_for_too_long_is_told_of() {
    let Some(database) = server::database() else { return };
    let options = PostgresStore::options().busy_timeout(core::time::Duration::from_millis(50));
    let mut store = options.connect(client(&database)).unwrap();
    begin(&mut store, 1).unwrap();
    let mut other = client(&database);
    let mut held = other.transaction().unwrap();
    held.batch_execute("LOCK TABLE quorate.quorate_store IN EXCLUSIVE MODE").unwrap();
    assert!(matches!(begin(&mut store, 2), Err(Error::Busy(_))));
    // It still reads.
    assert_eq!(store.expired(&[KIND], 1000, 9).unwrap().len(), 1);
    held.rollback().unwrap();
    begin(&mut store, 2).unwrap();
    assert_eq!(store.acknowledge(party(2), &[*sid(1).as_bytes()]), Ok(1));
    assert_eq!(store.due(0, &Bounds::new(10), 9).unwrap().len(), 1);
}

#[test]
fn the_tables_of_before_version_1_are_taken_over() {
    let Some(database) = server::database() else { return };
    let spent = server::database().unwrap();
    let name = |byte: u8| format!("decode(repeat('{byte:02x}', 32), 'hex')");
    let dump = format!(
        "CREATE SCHEMA quorate; SET search_path TO quorate;
        CREATE TABLE jobs (sid BYTEA PRIMARY KEY, digest BYTEA NOT NULL, context BYTEA NOT NULL, outcome BYTEA);
        CREATE TABLE runs (
            context BYTEA PRIMARY KEY, protocol BIGINT NOT NULL, sid BYTEA NOT NULL, tag BYTEA NOT NULL,
            job BYTEA NOT NULL, sealed BYTEA NOT NULL, party BIGINT NOT NULL, slot BIGINT NOT NULL,
            deadline BIGINT NOT NULL, longest BIGINT NOT NULL, ended BIGINT NOT NULL DEFAULT 0);
        CREATE INDEX runs_deadline ON runs (protocol, deadline) WHERE ended = 0;
        CREATE TABLE inbox (
            place BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            context BYTEA NOT NULL, sender BIGINT NOT NULL, round BIGINT NOT NULL, kind BIGINT NOT NULL,
            id BYTEA NOT NULL, sealed BYTEA NOT NULL, tag BYTEA, opening BYTEA, cost BIGINT NOT NULL,
            until BIGINT NOT NULL, parked BIGINT NOT NULL, taken BIGINT NOT NULL DEFAULT 0,
            UNIQUE (context, sender, round, kind, id));
        CREATE TABLE packets (
            id BYTEA PRIMARY KEY, context BYTEA NOT NULL, sealed BYTEA NOT NULL, until BIGINT NOT NULL);
        CREATE TABLE canary (one BIGINT PRIMARY KEY CHECK (one = 1), sealed BYTEA NOT NULL);
        CREATE TABLE outbox (
            id BYTEA NOT NULL, recipient BIGINT NOT NULL, due BIGINT NOT NULL,
            attempts BIGINT NOT NULL DEFAULT 0, PRIMARY KEY (id, recipient));
        INSERT INTO jobs VALUES ({sid}, {sid}, {context}, NULL);
        INSERT INTO runs VALUES ({context}, 1, {sid}, 'tag', 'job', 'session', 1, 0, 100, 500, 0);
        INSERT INTO inbox (context, sender, round, kind, id, sealed, cost, until, parked)
            VALUES ({context}, 2, 1, 0, {sid}, 'frame', 389, 900, 0);
        INSERT INTO packets VALUES ({sid}, {context}, 'packet', 9000);
        INSERT INTO outbox VALUES ({sid}, 2, 10, 0);",
        sid = name(0xa1),
        context = name(0x11),
    );
    client(&database).batch_execute(&dump).unwrap();
    let open = |kinds: bool| {
        let options = PostgresStore::options().spent(client(&spent));
        let options = if kinds { options.kind(1, KIND) } else { options };
        options.connect(client(&database))
    };
    assert_eq!(open(false).map(drop), Err(Error::UnknownCode(1)));
    let mut store = open(true).unwrap();
    assert_eq!(store.open(&[KIND], None, 9).unwrap(), [[0x11; 32]]);
    assert_eq!(store.inbox(&[0x11; 32]).unwrap().len(), 1);
    assert_eq!(store.counts().unwrap().outbox, 6);
    begin(&mut store, 1).unwrap();
    drop(store);
    assert!(open(false).is_ok());
}

#[test]
fn rows_of_the_application_are_kept_in_two_databases() {
    let (Some(runs), Some(spent)) = (server::database(), server::database()) else { return };
    let claim = ClaimRecord { id: [1; 32], digest: [2; 32] };
    let mut store = pair(&runs, &spent).unwrap();
    store
        .records(|rows| rows.put(7, b"a\xff", b"x").and_then(|()| rows.put(7, b"b", b"")))
        .unwrap();
    let shared =
        store.spend(|ledger| ledger.put(8, b"share", b"s").and_then(|()| ledger.claim(&claim)));
    assert_eq!(shared, Ok(TableEntry::New));
    drop(store);
    let mut store = pair(&runs, &spent).unwrap();
    let names = |store: &mut PostgresStore, prefix: &[u8], after: Option<&[u8]>| {
        let rows = store.read_records(|rows| rows.list(7, prefix, after, 9)).unwrap();
        rows.into_iter().map(|row| row.name).collect::<Vec<_>>()
    };
    assert_eq!(names(&mut store, b"", None), [b"a\xff".to_vec(), b"b".to_vec()]);
    assert_eq!(names(&mut store, b"a", None), [b"a\xff".to_vec()]);
    assert_eq!(names(&mut store, b"", Some(b"a\xff")), [b"b".to_vec()]);
    assert_eq!(store.read_ledger(|rows| rows.get(8, b"share")), Ok(Some(b"s".to_vec())));
    assert_eq!(store.record(&claim.id, &[9; 32]), Ok(TableEntry::Before(claim.digest)));
    assert_eq!(store.records(|rows| rows.remove_all(7, b"")), Ok(2));
}
