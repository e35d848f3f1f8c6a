//! The face over databases means the same on SQLite and on PostgreSQL.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

#[path = "common/postgres.rs"]
mod postgres;

use core::time::Duration;
use std::time::Instant;

use quorate_custody::sql::{Address, Db, Error, Kind, Set, Settings, Sql, Type, Value};
use quorate_custody::values;

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS things (
        place BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name BYTEA NOT NULL UNIQUE, number BIGINT, word TEXT);
    CREATE TABLE IF NOT EXISTS others (name BYTEA PRIMARY KEY, number BIGINT NOT NULL);
";

/// A database of each kind that there is.
fn each(test: fn(&Address)) {
    let folder = std::env::temp_dir().join(quorate_examples::files::fresh_name("quorate-sql-"));
    std::fs::create_dir_all(&folder).unwrap();
    test(&Address::Sqlite(folder.join("db.sqlite")));
    std::fs::remove_dir_all(folder).unwrap();
    if let Some(address) = postgres::database() {
        test(&address);
    }
}

fn open(address: &Address) -> Db {
    let mut db = Db::open(address, Settings::default()).unwrap();
    db.schema(SCHEMA).unwrap();
    db
}

const INSERT: &str = "INSERT INTO things (name, number, word) VALUES ($1, $2, $3)";
const COUNT: &str = "SELECT count(*) FROM things";

fn count(db: &mut Db) -> i64 {
    db.one(COUNT, &[]).unwrap().int(0).unwrap()
}

#[test]
fn values_come_out_as_they_went_in() {
    each(|address| {
        let mut db = open(address);
        db.execute(INSERT, &values![b"one", 7_u32, "word"]).unwrap();
        let nothing = [Value::from(b"two"), Value::Null, Value::Null];
        assert_eq!(db.execute(INSERT, &nothing).unwrap(), 1);
        db.execute(INSERT, &values![&[0; 32], u64::MAX, ""]).unwrap();
        // A parameter that is used in another order, and twice.
        let sql = "SELECT name, number, word, number = $2 OR number IS NULL FROM things
            WHERE place >= $1 AND $2 > 0 ORDER BY place";
        let mut rows = db.query(sql, &values![1_i64, 7_i64]).unwrap();
        assert_eq!(rows[0].array::<3>(0).unwrap(), *b"one");
        assert_eq!((rows[0].number::<u8>(1), rows[0].text(2)), (Ok(7), Ok("word".to_owned())));
        assert_eq!((rows[0].flag(3), rows[2].flag(3)), (Ok(true), Ok(false)));
        assert_eq!((rows[1].number_if::<u8>(1), rows[1].text_if(2)), (Ok(None), Ok(None)));
        assert_eq!(rows[2].int(1), Ok(i64::MAX));
        assert_eq!((rows[2].bytes(0), rows[2].text(2)), (Ok(vec![0; 32]), Ok(String::new())));
    });
}

#[test]
fn a_value_of_another_type_is_an_error() {
    each(|address| {
        let mut db = open(address);
        db.execute(INSERT, &values![b"one", 300_i64, "word"]).unwrap();
        let mut row = db.one("SELECT name, number, word FROM things", &[]).unwrap();
        assert!(row.int(0).is_err() && row.text(1).is_err() && row.array::<4>(0).is_err());
        assert!(row.number::<u8>(1).is_err() && row.int(9).is_err() && row.bytes(2).is_err());
        assert!(row.party(2).is_err() && row.bytes_if(1).is_err());
        assert!(db.one("SELECT name FROM things WHERE number = $1", &values![1_i64]).is_err());
        let wrong = db.execute("INSERT INTO nowhere VALUES ($1)", &values![1_i64]).unwrap_err();
        assert_eq!(wrong.kind(), Kind::Other);
    });
}

#[test]
fn a_transaction_happens_whole_or_not_at_all() {
    each(|address| {
        let mut db = open(address);
        let failed: Result<(), Error> = db.transaction(|tx| {
            tx.execute(INSERT, &values![b"one", 1_i64, "a"])?;
            tx.execute(INSERT, &values![b"one", 2_i64, "b"]).map(drop)
        });
        assert_eq!(failed.unwrap_err().kind(), Kind::Other);
        assert_eq!(count(&mut db), 0);
        // An error that is passed over does not let the rest through.
        let failed: Result<(), Error> = db.transaction(|tx| {
            tx.execute(INSERT, &values![b"one", 1_i64, "a"])?;
            tx.execute(INSERT, &values![b"one", 2_i64, "b"]).unwrap_err();
            tx.execute(INSERT, &values![b"two", 2_i64, "b"]).unwrap_err();
            Ok(())
        });
        failed.unwrap_err();
        assert_eq!(count(&mut db), 0);
        let given = db.transaction(|tx| {
            tx.execute(INSERT, &values![b"one", 1_i64, "a"])?;
            Ok::<_, Error>(tx.one(COUNT, &[])?.int(0))
        });
        assert_eq!((given.unwrap(), count(&mut db)), (Ok(1), 1));
        assert_eq!(count(&mut open(address)), 1);
    });
}

static ADD: Set = Set {
    columns: &[("name", Type::Bytes), ("number", Type::Int)],
    sql: "INSERT INTO others (name, number) SELECT name, number FROM given WHERE true
        ON CONFLICT DO NOTHING",
};
static SEE: Set = Set {
    columns: &[("name", Type::Bytes)],
    sql: "SELECT others.name, number FROM others JOIN given ON others.name = given.name",
};
static TAKE: Set = Set {
    columns: &[("name", Type::Bytes)],
    sql: "DELETE FROM others WHERE name IN (SELECT name FROM given) RETURNING number",
};

#[test]
fn a_set_is_worked_on_as_its_rows_are() {
    each(|address| {
        let mut db = open(address);
        let names: Vec<[u8; 4]> = (0..600_u32).map(u32::to_be_bytes).collect();
        let rows = || names.iter().zip(0_i64..).map(|(name, at)| values![name, at].to_vec());
        assert_eq!(db.execute_set(&ADD, &rows().take(2).collect::<Vec<_>>()).unwrap(), 2);
        assert_eq!(db.execute_set(&ADD, &rows().collect::<Vec<_>>()).unwrap(), 598);
        assert_eq!(db.execute_set(&ADD, &[]).unwrap(), 0);
        let some: Vec<_> = names[590..].iter().map(|name| values![name].to_vec()).collect();
        let mut seen = db.query_set(&SEE, &some).unwrap();
        seen.sort_by_key(|row| row.int(1).unwrap());
        assert!(seen.iter().zip(590_i64..).all(|(row, at)| row.int(1) == Ok(at)));
        assert_eq!((seen.len(), db.query_set(&TAKE, &some).unwrap().len()), (10, 10));
        assert!(db.query_set(&SEE, &some).unwrap().is_empty());
        let sql = "UPDATE others SET number = number + $2 WHERE name = $1";
        let rows: Vec<_> = names.iter().map(|name| values![name, 1000_i64].to_vec()).collect();
        let changed = db.transaction(|tx| tx.execute_many(sql, &rows));
        assert_eq!(changed.unwrap(), 590);
        let least = db.one("SELECT min(number) FROM others", &[]).unwrap();
        assert_eq!(least.int(0), Ok(1000));
    });
}

/// Two that change one row: one waits, and after a while it is told so.
#[test]
fn whoever_waits_too_long_is_told_of_a_conflict() {
    each(|address| {
        let mut one = open(address);
        let short = Duration::from_millis(200);
        let settings = Settings { lock: short, statement: short, ..Settings::default() };
        let mut other = Db::open(address, settings).unwrap();
        one.execute("INSERT INTO others VALUES ($1, 0)", &values![b"a"]).unwrap();
        let sql = "UPDATE others SET number = number + 1 WHERE name = $1";
        let both: Result<(), Error> = one.transaction(|tx| {
            tx.execute(sql, &values![b"a"])?;
            let refused = other.transaction(|tx| tx.execute(sql, &values![b"a"])).unwrap_err();
            assert_eq!(refused.kind(), Kind::Conflict, "{refused}");
            Ok(())
        });
        both.unwrap();
        assert_eq!(other.transaction(|tx| tx.execute(sql, &values![b"a"])).unwrap(), 1);
        let row = one.one("SELECT number FROM others", &[]).unwrap();
        assert_eq!(row.int(0), Ok(2));
    });
}

/// Ends all other connections to the database.
fn kill_others(db: &mut Db) {
    let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    db.query(sql, &[]).unwrap();
}

#[test]
fn a_connection_that_is_lost_is_made_again() {
    let Some(address) = postgres::database() else { return };
    let (mut db, mut killer) = (open(&address), open(&address));
    // In the midst of a transaction: it is lost as a whole, and said so.
    let lost = db.transaction(|tx| {
        tx.execute(INSERT, &values![b"one", 1_i64, "a"])?;
        kill_others(&mut killer);
        tx.execute(INSERT, &values![b"two", 1_i64, "a"])
    });
    assert_eq!(lost.unwrap_err().kind(), Kind::Lost);
    assert_eq!(count(&mut db), 0);
    // Before the commit, too.
    let lost = db.transaction(|tx| {
        let done = tx.execute(INSERT, &values![b"one", 1_i64, "a"]);
        kill_others(&mut killer);
        done
    });
    assert_eq!(lost.unwrap_err().kind(), Kind::Lost);
    assert_eq!(count(&mut db), 0);
    // Before a transaction: nothing of it has happened, so it happens on another connection.
    kill_others(&mut killer);
    db.transaction(|tx| tx.execute(INSERT, &values![b"one", 1_i64, "a"])).unwrap();
    assert_eq!(count(&mut db), 1);
}

#[test]
fn nobody_is_waited_for_longer_than_patience_lasts() {
    let nowhere = Address::Postgres("host=127.0.0.1 port=1 user=nobody dbname=none".to_owned());
    let patience = Duration::from_millis(300);
    let began = Instant::now();
    let lost = Db::open(&nowhere, Settings { patience, ..Settings::default() }).unwrap_err();
    assert_eq!(lost.kind(), Kind::Lost);
    assert!(began.elapsed() >= patience && began.elapsed() < Duration::from_secs(10));
    assert!(!format!("{nowhere} {nowhere:?}").contains("nobody"));
}

/// Two processes that start at the same time make the same tables.
#[test]
fn a_schema_is_made_once() {
    each(|address| {
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| open(address));
            }
        });
        assert_eq!(count(&mut open(address)), 0);
    });
}

/// A process that begins anew does not wait for those who work, and they do not wait for it.
#[test]
fn a_schema_that_is_there_is_left_alone() {
    let Some(address) = postgres::database() else { return };
    let (mut works, mut begins) =
        (open(&address), Db::open(&address, Settings::default()).unwrap());
    let schema = "
        CREATE TABLE IF NOT EXISTS things (name BYTEA PRIMARY KEY);
        CREATE INDEX IF NOT EXISTS things_word ON things (word);
        /*pg ALTER TABLE things ALTER COLUMN name SET STORAGE EXTERNAL;*/";
    begins.schema(schema).unwrap();
    works
        .transaction(|tx| {
            tx.execute(INSERT, &values![b"one", 1_i64, "a"])?;
            let began = Instant::now();
            begins.schema(schema)?;
            assert!(began.elapsed() < Settings::default().lock / 2);
            Ok::<_, Error>(())
        })
        .unwrap();
    assert_eq!(count(&mut works), 1);
}
