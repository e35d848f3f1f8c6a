//! The tables, in both dialects, and the versions of them.

use quorate_runner::Kind;

use crate::engine::{Connection, Dialect, Sql, making};
use crate::error::{Error, Result};
use crate::value::values;

/// The version of the schema.
pub(crate) const VERSION: i64 = 1;

/// The tables of every database: its version and role, its own last steps, and the last step of the other one.
const BOTH: &str = "
    CREATE TABLE quorate_store (
        one {int} NOT NULL PRIMARY KEY CHECK (one = 1), version {int} NOT NULL,
        -- 1 if it holds what was spent; 1 if another database does.
        is_spent {int} NOT NULL, apart {int} NOT NULL,
        seen_step {int}, seen_mark {bytes}) {strict};
    CREATE TABLE quorate_marks (step {int} NOT NULL PRIMARY KEY, mark {bytes} NOT NULL) {strict};
    -- Nothing is ever deleted here.
    CREATE TABLE claims (id {bytes} NOT NULL PRIMARY KEY, digest {bytes} NOT NULL) {narrow};
";

/// Jobs and runs, what came for them and what goes out.
const RUNS: &str = "
    CREATE TABLE jobs (
        sid {bytes} NOT NULL PRIMARY KEY, digest {bytes} NOT NULL, context {bytes} NOT NULL, outcome {bytes}) {strict};
    -- Nothing is ever deleted here: a run that has ended leaves its tombstone.
    CREATE TABLE runs (
        context {bytes} NOT NULL PRIMARY KEY, kind {bytes} NOT NULL, sid {bytes} NOT NULL REFERENCES jobs (sid),
        tag {bytes} NOT NULL, job {bytes} NOT NULL, sealed {bytes} NOT NULL, party {int} NOT NULL,
        slot {int} NOT NULL, deadline {int} NOT NULL, longest {int} NOT NULL, ended {int} NOT NULL) {strict};
    CREATE INDEX runs_by_deadline ON runs (kind, deadline) WHERE ended = 0;
    CREATE INDEX runs_by_context ON runs (kind, context) WHERE ended = 0;
    CREATE INDEX runs_by_tag ON runs (tag, context) WHERE ended = 0;
    CREATE TABLE inbox (
        place {serial}, context {bytes} NOT NULL, sender {int} NOT NULL, round {int} NOT NULL,
        kind {int} NOT NULL, id {bytes} NOT NULL, sealed {bytes} NOT NULL, tag {bytes}, opening {bytes},
        cost {int} NOT NULL, until {int} NOT NULL, parked {int} NOT NULL, taken {int} NOT NULL,
        UNIQUE (context, sender, round, kind, id)) {strict};
    CREATE INDEX inbox_by_time ON inbox (until) WHERE parked = 1;
    CREATE INDEX inbox_by_tag ON inbox (tag, sender, place) WHERE parked = 1;
    CREATE INDEX inbox_by_sender ON inbox (sender, cost) WHERE parked = 1;
    -- A message, once; and those who have not acknowledged it.
    CREATE TABLE packets (
        id {bytes} NOT NULL PRIMARY KEY, context {bytes} NOT NULL, sealed {bytes} NOT NULL,
        bytes {int} NOT NULL, until {int} NOT NULL) {strict};
    CREATE INDEX packets_by_time ON packets (until, bytes);
    CREATE INDEX packets_by_context ON packets (context);
    CREATE TABLE outbox (
        id {bytes} NOT NULL REFERENCES packets (id) ON DELETE CASCADE, recipient {int} NOT NULL,
        due {int} NOT NULL, attempts {int} NOT NULL, bytes {int} NOT NULL, PRIMARY KEY (id, recipient)) {narrow};
    CREATE INDEX outbox_by_time ON outbox (due, recipient, id);
    CREATE INDEX outbox_by_recipient ON outbox (recipient, bytes);
    CREATE TABLE canary (one {int} NOT NULL PRIMARY KEY CHECK (one = 1), sealed {bytes} NOT NULL) {strict};
";

/// Sealed bytes cannot be compressed.
const EXTERNAL: &str = "
    ALTER TABLE jobs ALTER COLUMN outcome SET STORAGE EXTERNAL;
    ALTER TABLE runs ALTER COLUMN sealed SET STORAGE EXTERNAL, ALTER COLUMN job SET STORAGE EXTERNAL;
    ALTER TABLE inbox ALTER COLUMN sealed SET STORAGE EXTERNAL;
    ALTER TABLE packets ALTER COLUMN sealed SET STORAGE EXTERNAL;
";

/// Tables of before there were versions, which have the names of today's.
const OLD: [&str; 6] = ["jobs", "runs", "inbox", "packets", "outbox", "canary"];

/// Their counters and marks, which today's tables have in another form.
const DEAD: [&str; 4] = ["totals", "parked", "marks", "confirmed"];

/// The statements that take their rows over, all but the jobs and the runs.
const TAKE_OVER: &str = "
    INSERT INTO inbox (context, sender, round, kind, id, sealed, tag, opening, cost, until, parked, taken)
        SELECT context, sender, round, kind, id, sealed, tag, opening, cost, until, parked, taken
        FROM old_inbox ORDER BY place;
    INSERT INTO packets (id, context, sealed, bytes, until)
        SELECT id, context, sealed, length(sealed), until FROM old_packets;
    INSERT INTO outbox (id, recipient, due, attempts, bytes)
        SELECT old_outbox.id, recipient, due, attempts, length(sealed)
        FROM old_outbox JOIN old_packets ON old_packets.id = old_outbox.id;
    INSERT INTO canary (one, sealed) SELECT one, sealed FROM old_canary;
";

pub(crate) fn in_dialect(sql: &str, dialect: Dialect) -> String {
    let words = match dialect {
        Dialect::Sqlite => {
            ["BLOB", "INTEGER", "INTEGER PRIMARY KEY", "STRICT", "STRICT, WITHOUT ROWID"]
        }
        Dialect::Postgres => {
            ["BYTEA", "BIGINT", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "", ""]
        }
    };
    let names = ["{bytes}", "{int}", "{serial}", "{strict}", "{narrow}"];
    names.iter().zip(words).fold(sql.to_owned(), |sql, (name, word)| sql.replace(name, word))
}

/// Makes the tables if there are none, and migrates older ones, in one transaction; refuses later ones, and those of the other
/// role.
pub(crate) fn prepare(db: &mut dyn Connection, is_spent: bool, kinds: &[(u8, Kind)]) -> Result<()> {
    if !exists(db, "quorate_store")? {
        making(db, |tx| {
            // Another process may have been first.
            if exists(tx, "quorate_store")? { Ok(()) } else { make(tx, is_spent, kinds) }
        })?;
    }
    let row = (db as &mut dyn Sql).one("SELECT version, is_spent FROM quorate_store", &[])?;
    let found = row.number(0)?;
    if found > VERSION {
        return Err(Error::Newer { found, known: VERSION });
    }
    // There is no older version: the tables of before the first one have no number.
    if found < VERSION {
        return Err(Error::NoSuchVersion(found));
    }
    let found = row.number::<i64>(1)? == 1;
    if found == is_spent { Ok(()) } else { Err(Error::OtherRole { is_spent: found }) }
}

pub(crate) fn exists(db: &mut dyn Sql, table: &str) -> Result<bool> {
    let sql = match db.dialect() {
        Dialect::Sqlite => "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ",
        Dialect::Postgres => {
            "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = "
        }
    };
    db.finds(&format!("{sql}'{table}'"), &[])
}

fn make(db: &mut dyn Sql, is_spent: bool, kinds: &[(u8, Kind)]) -> Result<()> {
    let dialect = db.dialect();
    let old = exists(db, "runs")?;
    if old {
        for table in OLD {
            db.script(&format!("ALTER TABLE {table} RENAME TO old_{table}"))?;
        }
    }
    db.script(&in_dialect(BOTH, dialect))?;
    if !is_spent {
        db.script(&in_dialect(RUNS, dialect))?;
        if dialect == Dialect::Postgres {
            db.script(EXTERNAL)?;
        }
    }
    // What was spent has always been apart in those days.
    let sql = "INSERT INTO quorate_store (one, version, is_spent, apart) VALUES (1, $1, $2, $3)";
    db.execute(sql, values![VERSION, i64::from(is_spent), i64::from(old)])?;
    if old {
        take_over(db, kinds)?;
    }
    if exists(db, "spent")? {
        db.script("INSERT INTO claims (id, digest) SELECT id, digest FROM spent")?;
    }
    Ok(())
}

/// Takes over the rows of before there were versions, which are keyed by the codes of protocols.
fn take_over(db: &mut dyn Sql, kinds: &[(u8, Kind)]) -> Result<()> {
    for row in db.query("SELECT DISTINCT protocol FROM old_runs", &[])? {
        let code = row.number(0)?;
        if !kinds.iter().any(|(named, _)| i64::from(*named) == code) {
            return Err(Error::UnknownCode(code));
        }
    }
    db.script(
        "INSERT INTO jobs (sid, digest, context, outcome)
        SELECT sid, digest, context, outcome FROM old_jobs",
    )?;
    for (code, kind) in kinds {
        let sql = "INSERT INTO runs
            (context, kind, sid, tag, job, sealed, party, slot, deadline, longest, ended)
            SELECT context, $1, sid, tag, job, sealed, party, slot, deadline, longest, ended
            FROM old_runs WHERE protocol = $2";
        db.execute(sql, values![kind.as_bytes(), i64::from(*code)])?;
    }
    db.script(TAKE_OVER)?;
    OLD.iter().try_for_each(|table| db.script(&format!("DROP TABLE old_{table}")))?;
    DEAD.iter().try_for_each(|table| db.script(&format!("DROP TABLE IF EXISTS {table}")))
}
