//! One face over two databases: SQLite in a file, and a PostgreSQL server.
//!
//! Statements are the same text for both, with parameters `$1`, `$2`, …; what only one of them knows stands in a
//! [comment](text) that the other skips. Values are numbers, bytes, texts and nothing; a [`Row`] gives them by
//! position, and one of another type is an error. Text is `&'static`, so no input of anybody becomes part of it, and each is
//! prepared once.
//!
//! A [`transaction`](Db::transaction) happens whole or not at all. On SQLite it is `IMMEDIATE`: nobody else writes at the
//! same time. On PostgreSQL it is `READ COMMITTED`: each statement sees what is committed when it begins, and whoever reads in
//! order to write takes a lock on what it has read (`FOR UPDATE`). An error within a transaction ends it: what comes after is
//! refused, and it is rolled back.
//!
//! The face is synchronous. It must not be used on a thread of an asynchronous runtime: it has one of its own.

mod error;
mod postgres;
mod row;
mod settings;
mod sqlite;
mod text;
mod value;

pub use self::error::{Error, Kind};
pub use self::row::Row;
pub use self::settings::{Address, Settings};
pub use self::text::{Set, Type};
pub use self::value::Value;
pub use crate::values;

use self::postgres::Postgres;
use self::sqlite::Sqlite;

/// What comes of a statement.
pub type Result<T> = core::result::Result<T, Error>;

/// What takes statements: a database, each statement in a transaction of its own, or a [transaction](Tx).
pub trait Sql {
    /// Runs a statement; the number of rows that it has changed.
    ///
    /// # Errors
    /// [`Error`].
    fn execute(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<u64>;

    /// The rows that a statement gives.
    ///
    /// # Errors
    /// [`Error`].
    fn query(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<Vec<Row>>;

    /// Runs a statement once for each row of values, in order, without waiting in between; the number of rows changed.
    ///
    /// # Errors
    /// [`Error`].
    fn execute_many(&mut self, sql: &'static str, rows: &[Vec<Value<'_>>]) -> Result<u64>;

    /// Runs a statement over a [set](Set) of rows; the number of rows changed.
    ///
    /// # Errors
    /// [`Error`].
    fn execute_set(&mut self, set: &'static Set, rows: &[Vec<Value<'_>>]) -> Result<u64>;

    /// The rows that a statement over a [set](Set) of rows gives, in any order.
    ///
    /// # Errors
    /// [`Error`].
    fn query_set(&mut self, set: &'static Set, rows: &[Vec<Value<'_>>]) -> Result<Vec<Row>>;

    /// The first row that a statement gives, if there is one.
    ///
    /// # Errors
    /// [`Error`].
    fn first(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<Option<Row>> {
        Ok(self.query(sql, values)?.into_iter().next())
    }

    /// The row that a statement always gives.
    ///
    /// # Errors
    /// [`Error`], also if there is none.
    fn one(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<Row> {
        self.first(sql, values)?
            .ok_or_else(|| Error::other("a statement that gives a row gave none"))
    }
}

/// A connection to a database. It is made when it is first needed, and again when it was lost.
#[derive(Debug)]
pub struct Db {
    engine: Engine,
    state: State,
}

#[derive(Debug)]
enum Engine {
    Sqlite(Sqlite),
    Postgres(Box<Postgres>),
}

/// Whether there is a transaction.
#[derive(Clone, PartialEq, Eq, Debug)]
enum State {
    Idle,
    Open,
    /// A statement of it has failed.
    Failed(Error),
}

impl Db {
    /// Connects to a database.
    ///
    /// # Errors
    /// [`Error`], after [`Settings::patience`] if there is nobody at the address.
    pub fn open(address: &Address, settings: Settings) -> Result<Self> {
        let engine = match address {
            Address::Sqlite(path) => Engine::Sqlite(Sqlite::open(path, settings)?),
            Address::Postgres(url) => Engine::Postgres(Box::new(Postgres::open(url, settings)?)),
        };
        Ok(Self { engine, state: State::Idle })
    }

    /// Runs statements without values, separated by semicolons: a schema. It is written for PostgreSQL; for SQLite types
    /// become its own (`BYTEA` becomes `BLOB`, an identity becomes a row number). Two processes may do so at the same time.
    ///
    /// # Errors
    /// [`Error`].
    pub fn schema(&mut self, sql: &'static str) -> Result<()> {
        self.idle()?;
        match &mut self.engine {
            Engine::Sqlite(db) => db.schema(sql),
            Engine::Postgres(db) => db.schema(sql),
        }
    }

    /// A transaction: it is committed if `act` succeeds.
    ///
    /// # Errors
    /// Those of `act`, and [`Error`] if it cannot be committed: of the kind [`Lost`](Kind::Lost) if nobody knows whether it
    /// was.
    pub fn transaction<T, E: From<Error>>(
        &mut self,
        act: impl FnOnce(&mut Tx<'_>) -> core::result::Result<T, E>,
    ) -> core::result::Result<T, E> {
        self.begin()?;
        match act(&mut Tx(self)) {
            Ok(value) => {
                self.commit()?;
                Ok(value)
            }
            Err(error) => {
                self.roll_back();
                Err(error)
            }
        }
    }

    /// Whether it is PostgreSQL.
    #[must_use]
    pub const fn is_server(&self) -> bool {
        matches!(self.engine, Engine::Postgres(_))
    }

    /// Begins a transaction that ends with [`commit`](Self::commit) or [`roll_back`](Self::roll_back).
    pub(crate) fn begin(&mut self) -> Result<()> {
        self.idle()?;
        match &mut self.engine {
            Engine::Sqlite(db) => db.begin(),
            Engine::Postgres(db) => db.begin(),
        }?;
        self.state = State::Open;
        Ok(())
    }

    /// Why the transaction cannot be committed, if a statement of it has failed.
    pub(crate) const fn failed(&self) -> Option<&Error> {
        match &self.state {
            State::Failed(error) => Some(error),
            State::Idle | State::Open => None,
        }
    }

    /// Says that the transaction must not be committed, if there is one.
    pub(crate) fn fail(&mut self, error: &Error) {
        if self.state == State::Open {
            self.state = State::Failed(error.clone());
        }
    }

    /// Commits the transaction, unless a statement of it has failed.
    pub(crate) fn commit(&mut self) -> Result<()> {
        match core::mem::replace(&mut self.state, State::Idle) {
            State::Idle => Err(Error::other("there is no transaction")),
            State::Failed(error) => {
                self.undo();
                Err(error)
            }
            State::Open => {
                let done = match &mut self.engine {
                    Engine::Sqlite(db) => db.commit(),
                    Engine::Postgres(db) => db.commit(),
                };
                done.inspect_err(|_| self.undo())
            }
        }
    }

    /// Gives the transaction up, if there is one.
    pub(crate) fn roll_back(&mut self) {
        if self.state != State::Idle {
            self.state = State::Idle;
            self.undo();
        }
    }

    /// An engine that cannot roll back drops its connection, which does it.
    fn undo(&mut self) {
        match &mut self.engine {
            Engine::Sqlite(db) => db.roll_back(),
            Engine::Postgres(db) => db.roll_back(),
        }
    }

    fn idle(&self) -> Result<()> {
        if self.state == State::Idle {
            return Ok(());
        }
        Err(Error::other("a transaction within a transaction"))
    }

    /// Runs a statement, in the transaction if there is one.
    fn run<T>(&mut self, act: impl FnOnce(&mut Engine) -> Result<T>) -> Result<T> {
        if let State::Failed(error) = &self.state {
            return Err(error.clone());
        }
        let result = act(&mut self.engine);
        if let (State::Open, Err(error)) = (&self.state, &result) {
            self.state = State::Failed(error.clone());
        }
        result
    }
}

impl Drop for Db {
    fn drop(&mut self) {
        self.roll_back();
    }
}

impl Sql for Db {
    fn execute(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<u64> {
        self.run(|engine| match engine {
            Engine::Sqlite(db) => db.execute(sql, values),
            Engine::Postgres(db) => db.execute(sql, values),
        })
    }

    fn query(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<Vec<Row>> {
        self.run(|engine| match engine {
            Engine::Sqlite(db) => db.query(sql, values),
            Engine::Postgres(db) => db.query(sql, values),
        })
    }

    fn execute_many(&mut self, sql: &'static str, rows: &[Vec<Value<'_>>]) -> Result<u64> {
        self.run(|engine| match engine {
            Engine::Sqlite(db) => db.execute_many(sql, rows),
            Engine::Postgres(db) => db.execute_many(sql, rows),
        })
    }

    fn execute_set(&mut self, set: &'static Set, rows: &[Vec<Value<'_>>]) -> Result<u64> {
        self.run(|engine| match engine {
            _ if rows.is_empty() => Ok(0),
            Engine::Sqlite(db) => db.execute_set(set, rows),
            Engine::Postgres(db) => db.execute_set(set, rows),
        })
    }

    fn query_set(&mut self, set: &'static Set, rows: &[Vec<Value<'_>>]) -> Result<Vec<Row>> {
        self.run(|engine| match engine {
            _ if rows.is_empty() => Ok(Vec::new()),
            Engine::Sqlite(db) => db.query_set(set, rows),
            Engine::Postgres(db) => db.query_set(set, rows),
        })
    }
}

/// A transaction that is open.
#[derive(Debug)]
pub struct Tx<'d>(&'d mut Db);

impl Sql for Tx<'_> {
    fn execute(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<u64> {
        self.0.execute(sql, values)
    }

    fn query(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<Vec<Row>> {
        self.0.query(sql, values)
    }

    fn execute_many(&mut self, sql: &'static str, rows: &[Vec<Value<'_>>]) -> Result<u64> {
        self.0.execute_many(sql, rows)
    }

    fn execute_set(&mut self, set: &'static Set, rows: &[Vec<Value<'_>>]) -> Result<u64> {
        self.0.execute_set(set, rows)
    }

    fn query_set(&mut self, set: &'static Set, rows: &[Vec<Value<'_>>]) -> Result<Vec<Row>> {
        self.0.query_set(set, rows)
    }
}
