//! The little that a database has to do, and transactions over it.

use core::fmt::Debug;
use core::time::Duration;

use crate::error::{Error, Result};
use crate::value::{Row, Value};

/// A dialect of SQL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// The dialect of SQLite.
    Sqlite,
    /// The dialect of PostgreSQL.
    Postgres,
}

/// Something that takes statements, with parameters `$1`, `$2`, ….
pub trait Sql {
    /// The dialect.
    fn dialect(&self) -> Dialect;

    /// Runs statements without values.
    fn script(&mut self, sql: &str) -> Result<()>;

    /// Runs a statement; the number of rows that it has changed.
    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64>;

    /// The rows that a statement gives.
    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>>;
}

impl dyn Sql + '_ {
    /// The first row that a statement gives, if there is one.
    pub(crate) fn first(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Option<Row>> {
        Ok(self.query(sql, values)?.into_iter().next())
    }

    /// The row that a statement always gives.
    pub(crate) fn one(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Row> {
        let row = self.first(sql, values)?;
        row.ok_or_else(|| Error::Damaged(format!("no row for: {sql}")))
    }

    /// Returns whether a statement gives a row.
    pub(crate) fn finds(&mut self, sql: &str, values: &[Value<'_>]) -> Result<bool> {
        Ok(self.first(sql, values)?.is_some())
    }
}

/// A connection to a database.
pub trait Connection: Sql + Debug + Send {
    /// Begins a transaction, the only one that writes until it ends. `makes` is one that makes tables.
    fn begin(&mut self, makes: bool) -> Result<()>;

    /// Commits it. It is durable then.
    fn commit(&mut self) -> Result<()>;

    /// Gives it up, if there is one.
    fn roll_back(&mut self);
}

/// The attempts of a transaction that the server ends for a conflict, and the pause after the first.
const ATTEMPTS: u32 = 12;
const PAUSE: Duration = Duration::from_millis(2);

/// Runs `act` in a transaction, again if the server ends it for a conflict: then nothing of it has happened.
pub(crate) fn transaction<T>(
    db: &mut dyn Connection,
    act: impl FnMut(&mut dyn Sql) -> Result<T>,
) -> Result<T> {
    within(db, false, act)
}

/// A transaction that makes or changes tables.
pub(crate) fn making<T>(
    db: &mut dyn Connection,
    act: impl FnMut(&mut dyn Sql) -> Result<T>,
) -> Result<T> {
    within(db, true, act)
}

fn within<T>(
    db: &mut dyn Connection,
    makes: bool,
    mut act: impl FnMut(&mut dyn Sql) -> Result<T>,
) -> Result<T> {
    let mut attempt = 0;
    loop {
        let done = db.begin(makes).and_then(|()| act(db));
        let error = match done.and_then(|value| db.commit().map(|()| value)) {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        db.roll_back();
        attempt += 1;
        if !matches!(error, Error::Conflict(_)) || attempt >= ATTEMPTS {
            return Err(error);
        }
        std::thread::sleep(PAUSE.saturating_mul(1 << attempt.min(7)));
    }
}
