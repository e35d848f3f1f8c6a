//! SQLite, in a file.

use core::time::Duration;
use std::path::{Path, PathBuf};

use quorate_runner::Kind;
use quorate_session::wire::wide;
use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{ErrorCode, ToSql, params_from_iter, types};

use crate::engine::{Connection, Dialect, Sql};
use crate::error::{Error, Result};
use crate::store::{Engine, Setup, SqlStore};
use crate::value::{Cell, Row, Value};

/// The statements that are kept prepared.
const STATEMENTS: usize = 64;

/// A store in a file of SQLite.
///
/// Each handle is a connection. Any number of them, in one process or several on one machine, may be open on a file; one
/// writes at a time. Not on a network's file system, where locks do not hold.
pub type SqliteStore = SqlStore<Sqlite>;

/// A connection to a file of SQLite.
#[derive(Debug)]
pub struct Sqlite {
    connection: rusqlite::Connection,
    within: bool,
}

/// The options of a [`SqliteStore`], as those of [`std::fs::OpenOptions`].
#[derive(Debug)]
#[must_use]
pub struct SqliteOptions {
    spent: Option<PathBuf>,
    busy: Duration,
    setup: Setup,
}

impl SqliteStore {
    /// Opens the store in this file, and makes it if there is none. What was spent lies in the same file.
    ///
    /// # Errors
    /// [`Error`] of the database; [`Error::SpentIsApart`] if what was spent is in another file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::options().open(path)
    }

    /// A store in memory, for tests.
    ///
    /// # Errors
    /// [`Error`] of the database.
    pub fn in_memory() -> Result<Self> {
        Self::over(Sqlite::open(None, BUSY)?, None, &Setup::default())
    }

    /// The options: what was spent in the same file, a time-out of 5 seconds.
    pub fn options() -> SqliteOptions {
        SqliteOptions { spent: None, busy: BUSY, setup: Setup::default() }
    }
}

const BUSY: Duration = Duration::from_secs(5);

impl SqliteOptions {
    /// Keeps what was spent in this file: put it where no backup reaches. A store that was opened without it hands its claims
    /// over to the file; from then on it opens with this file alone.
    pub fn spent(mut self, path: impl Into<PathBuf>) -> Self {
        self.spent = Some(path.into());
        self
    }

    /// The time for which a transaction waits for another process.
    pub const fn busy_timeout(mut self, busy: Duration) -> Self {
        self.busy = busy;
        self
    }

    /// Names the kind of the protocol that a database of before version 1 knows by this code.
    pub fn kind(mut self, code: u8, kind: Kind) -> Self {
        self.setup.kinds.push((code, kind));
        self
    }

    /// Opens a store of which a database was restored to an older copy, too: [`SqlStore::rolled_back`] says so, and
    /// [`SqlStore::continuity`]. A database of the runs that is missing is refused all the same.
    pub const fn allow_rolled_back(mut self) -> Self {
        self.setup.allow_rolled_back = true;
        self
    }

    /// Opens the store in this file, and makes it if there is none.
    ///
    /// # Errors
    /// [`Error`] of the databases; [`Error::RolledBack`] if one of them was restored to an older copy.
    pub fn open(self, path: impl AsRef<Path>) -> Result<SqliteStore> {
        let runs = Sqlite::open(Some(path.as_ref()), self.busy)?;
        let spent = self.spent.as_deref().map(|path| Sqlite::open(Some(path), self.busy));
        SqlStore::over(runs, spent.transpose()?, &self.setup)
    }
}

impl Sqlite {
    pub(crate) fn open(path: Option<&Path>, busy: Duration) -> Result<Self> {
        let connection = match path {
            Some(path) => rusqlite::Connection::open(path).map_err(|error| at(error, path)),
            None => rusqlite::Connection::open_in_memory().map_err(failed),
        }?;
        connection.busy_timeout(busy).map_err(failed)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        if connection.is_readonly("main").map_err(failed)? {
            let path = path.unwrap_or(Path::new(":memory:"));
            return Err(Error::ReadOnly(path.display().to_string()));
        }
        // Each commit is on the disk when it returns. macOS needs more than `synchronous`, or the drive may hold it back.
        let settings = "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
            PRAGMA checkpoint_fullfsync = ON; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF";
        connection.execute_batch(settings).map_err(failed)?;
        // Without it, SQLite compiles a statement again whenever a value is bound that it compares with a partial index's.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(failed)?;
        if path.is_some() {
            write_ahead(&connection, busy)?;
        }
        Ok(Self { connection, within: false })
    }
}

/// Turns the write-ahead log on. SQLite does not wait for another process here.
fn write_ahead(connection: &rusqlite::Connection, busy: Duration) -> Result<()> {
    let pause = Duration::from_millis(10);
    let mut waited = Duration::ZERO;
    loop {
        let mode = connection
            .pragma_update_and_check(None, "journal_mode", "wal", |row| row.get::<_, String>(0));
        match mode.map_err(failed) {
            Ok(mode) if mode == "wal" => return Ok(()),
            Ok(mode) => {
                let what = format!("this file system allows no write-ahead log, but {mode}");
                return Err(Error::Database(what));
            }
            Err(Error::Busy(_)) if waited < busy => waited = waited.saturating_add(pause),
            Err(error) => return Err(error),
        }
        std::thread::sleep(pause);
    }
}

impl Engine for Sqlite {}

impl Connection for Sqlite {
    fn begin(&mut self, _: bool) -> Result<()> {
        self.script("BEGIN IMMEDIATE")?;
        self.within = true;
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        self.script("COMMIT")?;
        self.within = false;
        Ok(())
    }

    fn roll_back(&mut self) {
        // Some errors have rolled it back already.
        if self.within && !self.connection.is_autocommit() {
            self.script("ROLLBACK").ok();
        }
        self.within = false;
    }
}

impl Sql for Sqlite {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn script(&mut self, sql: &str) -> Result<()> {
        self.connection.execute_batch(sql).map_err(failed)
    }

    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64> {
        let mut statement = self.connection.prepare_cached(&numbered(sql)).map_err(failed)?;
        let changed = statement.execute(params_from_iter(values)).map_err(failed)?;
        Ok(wide(changed))
    }

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>> {
        let mut statement = self.connection.prepare_cached(&numbered(sql)).map_err(failed)?;
        let columns = statement.column_count();
        let rows = statement.query_map(params_from_iter(values), |row| {
            (0..columns).map(|at| Ok(cell(row.get_ref(at)?))).collect::<rusqlite::Result<_>>()
        });
        let rows = rows.map_err(failed)?.map(|row| row.map(Row).map_err(failed));
        rows.collect()
    }
}

/// A statement whose parameters are found by their numbers: SQLite takes `$1` for a name.
fn numbered(sql: &str) -> String {
    sql.replace('$', "?")
}

fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Integer(number) => Cell::Int(number),
        ValueRef::Blob(bytes) | ValueRef::Text(bytes) => Cell::Bytes(bytes.to_vec()),
        ValueRef::Null | ValueRef::Real(_) => Cell::Null,
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<types::ToSqlOutput<'_>> {
        Ok(types::ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(number) => ValueRef::Integer(*number),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

/// The error, with the file.
fn at(error: rusqlite::Error, path: &Path) -> Error {
    match failed(error) {
        Error::Database(what) => Error::Database(format!("{}: {what}", path.display())),
        other => other,
    }
}

fn failed(error: rusqlite::Error) -> Error {
    let what = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Error::Busy(what),
        Some(ErrorCode::DiskFull) => Error::Full(what),
        Some(ErrorCode::SystemIoFailure) => Error::Disk(what),
        Some(ErrorCode::ReadOnly) => Error::ReadOnly(what),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Error::Damaged(what),
        _ => Error::Database(what),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn each_commit_is_flushed_through_the_cache_of_the_drive() {
        let mut file = Sqlite::open(None, BUSY).unwrap();
        for (setting, value) in
            [("synchronous", 2), ("fullfsync", 1), ("checkpoint_fullfsync", 1), ("foreign_keys", 1)]
        {
            let rows = file.query(&format!("PRAGMA {setting}"), &[]).unwrap();
            assert_eq!(rows.first().unwrap().number::<i64>(0), Ok(value), "{setting}");
        }
    }

    #[test]
    fn a_statement_over_a_partial_index_is_compiled_once() {
        let mut file = Sqlite::open(None, BUSY).unwrap();
        file.script("CREATE TABLE t (a INT, ended INT); CREATE INDEX i ON t (a) WHERE ended = 0")
            .unwrap();
        let sql = "UPDATE t SET ended = $1 WHERE a = $2 AND ended = $3";
        for value in 0..3 {
            file.execute(sql, &[Value::Int(value); 3]).unwrap();
        }
        let statement = file.connection.prepare_cached(&numbered(sql)).unwrap();
        assert_eq!(statement.get_status(rusqlite::StatementStatus::Run), 3);
        assert_eq!(statement.get_status(rusqlite::StatementStatus::RePrepare), 0);
    }
}
