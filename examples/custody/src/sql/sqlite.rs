//! SQLite in a file.

use std::collections::HashMap;
use std::path::Path;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, ToSql, params_from_iter};

use super::row::Cell;
use super::{Result, Row, Set, Settings, Value, text};

/// What is committed survives a loss of power; what is deleted is overwritten.
const PRAGMAS: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA secure_delete = ON;
";

/// Statements that are kept prepared.
const KEPT: usize = 256;

#[derive(Debug)]
pub(super) struct Sqlite {
    connection: Connection,
    /// The texts of statements as SQLite reads them, by theirs.
    texts: HashMap<&'static str, String>,
}

impl Sqlite {
    pub(super) fn open(path: &Path, settings: Settings) -> Result<Self> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(settings.statement)?;
        connection.set_prepared_statement_cache_capacity(KEPT);
        connection.execute_batch(PRAGMAS)?;
        Ok(Self { connection, texts: HashMap::new() })
    }

    pub(super) fn schema(&self, sql: &str) -> Result<()> {
        self.connection.execute_batch("BEGIN IMMEDIATE")?;
        let done = self.connection.execute_batch(&text::sqlite_schema(sql));
        self.connection.execute_batch(if done.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
        Ok(done?)
    }

    pub(super) fn begin(&self) -> Result<()> {
        Ok(self.connection.execute_batch("BEGIN IMMEDIATE")?)
    }

    pub(super) fn commit(&self) -> Result<()> {
        Ok(self.connection.execute_batch("COMMIT")?)
    }

    pub(super) fn roll_back(&self) {
        // Some errors have rolled back already.
        if !self.connection.is_autocommit() {
            self.connection.execute_batch("ROLLBACK").ok();
        }
    }

    fn plain(&mut self, sql: &'static str) -> Result<CachedStatement<'_>> {
        let text = self.texts.entry(sql).or_insert_with(|| text::sqlite(sql));
        Ok(self.connection.prepare_cached(text)?)
    }

    fn set(&mut self, set: &'static Set) -> Result<CachedStatement<'_>> {
        let text = self.texts.entry(set.sql).or_insert_with(|| set.for_sqlite());
        Ok(self.connection.prepare_cached(text)?)
    }

    pub(super) fn execute(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<u64> {
        change(&mut self.plain(sql)?, values)
    }

    pub(super) fn query(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        read(&mut self.plain(sql)?, values, &mut rows)?;
        Ok(rows)
    }

    pub(super) fn execute_many(
        &mut self,
        sql: &'static str,
        rows: &[Vec<Value<'_>>],
    ) -> Result<u64> {
        all(&mut self.plain(sql)?, rows)
    }

    pub(super) fn execute_set(
        &mut self,
        set: &'static Set,
        rows: &[Vec<Value<'_>>],
    ) -> Result<u64> {
        all(&mut self.set(set)?, rows)
    }

    pub(super) fn query_set(
        &mut self,
        set: &'static Set,
        rows: &[Vec<Value<'_>>],
    ) -> Result<Vec<Row>> {
        let mut statement = self.set(set)?;
        let mut found = Vec::new();
        rows.iter().try_for_each(|values| read(&mut statement, values, &mut found))?;
        Ok(found)
    }
}

fn all(statement: &mut CachedStatement<'_>, rows: &[Vec<Value<'_>>]) -> Result<u64> {
    let mut changed = 0_u64;
    for values in rows {
        changed = changed.saturating_add(change(statement, values)?);
    }
    Ok(changed)
}

fn change(statement: &mut CachedStatement<'_>, values: &[Value<'_>]) -> Result<u64> {
    // One that gives rows, too, is run to its end.
    if statement.column_count() > 0 {
        let mut rows = Vec::new();
        read(statement, values, &mut rows)?;
        return Ok(u64::try_from(rows.len()).unwrap_or(u64::MAX));
    }
    let changed = statement.execute(params_from_iter(values))?;
    Ok(u64::try_from(changed).unwrap_or(u64::MAX))
}

fn read(
    statement: &mut CachedStatement<'_>,
    values: &[Value<'_>],
    found: &mut Vec<Row>,
) -> Result<()> {
    let columns = statement.column_count();
    let mut rows = statement.query(params_from_iter(values))?;
    while let Some(row) = rows.next()? {
        let cell = |at| row.get_ref(at).map(Cell::from);
        found.push(Row((0..columns).map(cell).collect::<rusqlite::Result<_>>()?));
    }
    Ok(())
}

impl From<ValueRef<'_>> for Cell {
    fn from(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Integer(number) => Self::Int(number),
            ValueRef::Blob(bytes) => Self::Bytes(bytes.to_vec()),
            ValueRef::Text(text) => Self::Text(String::from_utf8_lossy(text).into_owned()),
            // No statement gives a fraction.
            ValueRef::Null | ValueRef::Real(_) => Self::Null,
        }
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(number) => ValueRef::Integer(*number),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}
