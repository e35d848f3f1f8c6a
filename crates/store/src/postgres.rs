//! PostgreSQL, in a schema of its own.

use core::fmt;
use core::time::Duration;
use std::collections::HashMap;

use postgres::error::SqlState;
use postgres::types::private::BytesMut;
use postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, Statement};
use quorate_runner::Kind;

use crate::engine::{Connection, Dialect, Sql};
use crate::error::{Error, Result};
use crate::store::{Engine, Setup, SqlStore};
use crate::value::{Cell, Row, Value};

/// The advisory lock of those who make tables: "quorate" in ASCII.
const MAKING: i64 = 0x71_756f_7261_7465;

/// A store in a schema of a PostgreSQL server. One party has one schema.
///
/// Any number of handles, on any machines, may be open on a schema; one writes at a time, as long as its transaction takes. The
/// client blocks: use it on a thread that is none of an async runtime's. A proxy that pools transactions, and
/// not sessions, must not stand in between.
pub type PostgresStore = SqlStore<Postgres>;

type Connect = Box<dyn FnMut() -> core::result::Result<Client, postgres::Error> + Send>;

/// A connection to a schema of a PostgreSQL server.
pub struct Postgres {
    /// Nothing if it was lost.
    client: Option<Client>,
    connect: Option<Connect>,
    settings: String,
    statements: HashMap<String, Statement>,
    within: bool,
}

/// The options of a [`PostgresStore`].
#[must_use]
pub struct PostgresOptions {
    schema: String,
    spent: Option<Source>,
    busy: Duration,
    setup: Setup,
}

enum Source {
    Client(Box<Client>),
    Connect(Connect),
}

impl PostgresStore {
    /// Opens the store in the schema `quorate` of this client's database, and makes it if there is none. What was spent lies
    /// in the same one. A connection that is lost stays lost: prefer [`PostgresOptions::connect_with`] for a service.
    ///
    /// # Errors
    /// [`Error`] of the database; [`Error::SpentIsApart`] if what was spent is in another one.
    pub fn connect(client: Client) -> Result<Self> {
        Self::options().connect(client)
    }

    /// The options: the schema `quorate`, what was spent in the same database, a time-out of 5 seconds.
    pub fn options() -> PostgresOptions {
        PostgresOptions {
            schema: "quorate".to_owned(),
            spent: None,
            busy: Duration::from_secs(5),
            setup: Setup::default(),
        }
    }
}

impl PostgresOptions {
    /// The schema, which is made if it is not there. Several parties may have one each on a server.
    pub fn schema(mut self, name: impl Into<String>) -> Self {
        self.schema = name.into();
        self
    }

    /// Keeps what was spent in the schema of this name in another database, which no backup reaches: on another server, best.
    /// A store that was opened without it hands its claims over; from then on it opens with this one alone.
    pub fn spent(mut self, client: Client) -> Self {
        self.spent = Some(Source::Client(Box::new(client)));
        self
    }

    /// Keeps what was spent as [`spent`](Self::spent) does, with a function that connects, and connects again when the
    /// connection is lost.
    pub fn spent_with(
        mut self,
        connect: impl FnMut() -> core::result::Result<Client, postgres::Error> + Send + 'static,
    ) -> Self {
        self.spent = Some(Source::Connect(Box::new(connect)));
        self
    }

    /// The time for which a transaction waits for another one.
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

    /// Opens the store over this client, and makes it if there is none.
    ///
    /// # Errors
    /// [`Error`] of the databases; [`Error::RolledBack`] if one of them was restored to an older copy.
    pub fn connect(self, client: Client) -> Result<PostgresStore> {
        self.open(Source::Client(Box::new(client)))
    }

    /// Opens the store with a function that connects. When a connection is lost, the method under way fails, and the next one
    /// connects again.
    ///
    /// # Errors
    /// As [`connect`](Self::connect).
    pub fn connect_with(
        self,
        connect: impl FnMut() -> core::result::Result<Client, postgres::Error> + Send + 'static,
    ) -> Result<PostgresStore> {
        self.open(Source::Connect(Box::new(connect)))
    }

    fn open(self, source: Source) -> Result<PostgresStore> {
        let Self { schema, spent, busy, setup } = self;
        let runs = Postgres::open(source, &schema, busy)?;
        let spent = spent.map(|source| Postgres::open(source, &schema, busy)).transpose()?;
        SqlStore::over(runs, spent, &setup)
    }
}

impl Postgres {
    fn open(source: Source, schema: &str, busy: Duration) -> Result<Self> {
        let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        let starts = schema.starts_with(|first: char| first.is_ascii_lowercase());
        if !starts || schema.len() > 63 || !schema.bytes().all(fits) {
            return Err(Error::SchemaName(schema.to_owned()));
        }
        // Each commit is on the disk when it returns. Each statement sees what is committed when it begins.
        let settings = format!(
            "SET search_path TO {schema}; SET synchronous_commit TO on;
            SET default_transaction_isolation TO 'read committed'; SET lock_timeout TO {}",
            busy.as_millis()
        );
        let (client, connect) = match source {
            Source::Client(client) => (Some(*client), None),
            Source::Connect(connect) => (None, Some(connect)),
        };
        let statements = HashMap::new();
        let mut made = Self { client, connect, settings, statements, within: false };
        if made.client.is_some() {
            made.script(&made.settings.clone())?;
        } else {
            made.reconnect()?;
        }
        // A look first: one who may use the schema need not be allowed to make one.
        if made
            .query(&format!("SELECT 1 FROM pg_namespace WHERE nspname = '{schema}'"), &[])?
            .is_empty()
        {
            made.script(&format!(
                "BEGIN; SELECT pg_advisory_xact_lock({MAKING});
                CREATE SCHEMA IF NOT EXISTS {schema}; COMMIT"
            ))?;
        }
        Ok(made)
    }

    /// Connects, unless there is a connection.
    fn reconnect(&mut self) -> Result<()> {
        if self.client.as_ref().is_some_and(|client| !client.is_closed()) {
            return Ok(());
        }
        self.client = None;
        self.statements.clear();
        if let Some(connect) = &mut self.connect {
            let mut client = connect().map_err(|error| Error::Disconnected(error.to_string()))?;
            client.batch_execute(&self.settings).map_err(|error| failed(&error))?;
            self.client = Some(client);
        }
        Ok(())
    }

    /// Does something on the connection. Within a transaction a connection that is lost is not made anew: what comes after
    /// would be outside of it.
    fn on_client<T>(
        &mut self,
        act: impl FnOnce(
            &mut Client,
            &mut HashMap<String, Statement>,
        ) -> core::result::Result<T, postgres::Error>,
    ) -> Result<T> {
        if !self.within {
            self.reconnect()?;
        }
        let client = self.client.as_mut().filter(|client| !client.is_closed());
        let client = client.ok_or_else(|| Error::Disconnected("it was lost before".to_owned()))?;
        act(client, &mut self.statements).map_err(|error| failed(&error))
    }
}

fn prepared(
    client: &mut Client,
    statements: &mut HashMap<String, Statement>,
    sql: &str,
) -> core::result::Result<Statement, postgres::Error> {
    if let Some(statement) = statements.get(sql) {
        return Ok(statement.clone());
    }
    let statement = client.prepare(sql)?;
    statements.insert(sql.to_owned(), statement.clone());
    Ok(statement)
}

impl Engine for Postgres {}

impl Connection for Postgres {
    fn begin(&mut self, makes: bool) -> Result<()> {
        // Nobody else writes until it ends; everybody may read.
        let lock = if makes {
            format!("SELECT pg_advisory_xact_lock({MAKING})")
        } else {
            "LOCK TABLE quorate_store IN EXCLUSIVE MODE".to_owned()
        };
        let begun = self.script(&format!("BEGIN; {lock}"));
        self.within = true;
        begun
    }

    fn commit(&mut self) -> Result<()> {
        self.script("COMMIT")?;
        self.within = false;
        Ok(())
    }

    fn roll_back(&mut self) {
        // A connection that cannot roll back is dropped, which does it.
        if self.within && self.script("ROLLBACK").is_err() {
            self.client = None;
        }
        self.within = false;
    }
}

impl Sql for Postgres {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn script(&mut self, sql: &str) -> Result<()> {
        self.on_client(|client, _| client.batch_execute(sql))
    }

    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64> {
        self.on_client(|client, statements| {
            let statement = prepared(client, statements, sql)?;
            client.execute(&statement, &params(values))
        })
    }

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>> {
        let rows = self.on_client(|client, statements| {
            let statement = prepared(client, statements, sql)?;
            client.query(&statement, &params(values))
        })?;
        let row = |row: &postgres::Row| {
            let cells = (0..row.len()).map(|at| row.try_get::<_, Option<Cell>>(at));
            let cells = cells.map(|cell| cell.map(|cell| cell.unwrap_or(Cell::Null)));
            let cells = cells.collect::<core::result::Result<_, postgres::Error>>();
            cells.map(Row).map_err(|error| Error::Damaged(error.to_string()))
        };
        rows.iter().map(row).collect()
    }
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres")
            .field("connected", &self.client.is_some())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for PostgresOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresOptions").field("schema", &self.schema).finish_non_exhaustive()
    }
}

fn params<'v>(values: &'v [Value<'_>]) -> Vec<&'v (dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

type Failed = Box<dyn core::error::Error + Sync + Send>;

impl ToSql for Value<'_> {
    fn to_sql(&self, of: &Type, out: &mut BytesMut) -> core::result::Result<IsNull, Failed> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(number) => number.to_sql(of, out),
            Self::Bytes(bytes) => bytes.to_sql(of, out),
        }
    }

    fn accepts(of: &Type) -> bool {
        matches!(*of, Type::INT8 | Type::BYTEA)
    }

    to_sql_checked!();
}

impl<'r> FromSql<'r> for Cell {
    fn from_sql(of: &Type, raw: &'r [u8]) -> core::result::Result<Self, Failed> {
        Ok(match *of {
            Type::BYTEA => Self::Bytes(raw.to_vec()),
            Type::INT4 => Self::Int(i32::from_sql(of, raw)?.into()),
            _ => Self::Int(i64::from_sql(of, raw)?),
        })
    }

    fn accepts(of: &Type) -> bool {
        matches!(*of, Type::INT8 | Type::INT4 | Type::BYTEA)
    }
}

fn failed(error: &postgres::Error) -> Error {
    let what = match error.as_db_error() {
        Some(from_server) => from_server.message().to_owned(),
        None => error.to_string(),
    };
    match error.code() {
        Some(code) => of_code(code, what),
        // Without a code it does not come from the server.
        None => Error::Disconnected(what),
    }
}

fn of_code(code: &SqlState, what: String) -> Error {
    match code.code() {
        // A serialization failure, a deadlock: the server has rolled back.
        "40001" | "40P01" => Error::Conflict(what),
        // A lock or a statement that took too long.
        "55P03" | "57014" => Error::Busy(what),
        // The disk is full.
        "53100" => Error::Full(what),
        // A standby, or a role that may only read.
        "25006" | "42501" => Error::ReadOnly(what),
        // It shuts down, starts up, crashed, ended an idle connection, has no room for more.
        "57P01" | "57P02" | "57P03" | "57P05" | "25P03" | "53300" => Error::Disconnected(what),
        code if code.starts_with("08") => Error::Disconnected(what),
        // Data corruption, index corruption.
        "XX001" | "XX002" => Error::Damaged(what),
        _ => Error::Database(what),
    }
}
