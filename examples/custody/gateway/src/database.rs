//! The gateway's database: SQLite in a file, or a schema of PostgreSQL.

use core::fmt;

use quorate_store::{AnyStore, Error, RecordRow, Records};

type Result<T> = core::result::Result<T, Error>;
type Open = Box<dyn FnMut() -> Result<AnyStore> + Send>;

/// The place of a gateway's database. Each gateway has one of its own.
pub struct Database {
    open: Open,
    /// The mark of this process in the database, once it has opened it.
    owner: Option<[u8; 16]>,
}

/// The refusal after another process has opened the database.
const TAKEN: &str = "another gateway has opened this database: give each its own";

/// Spaces of requests, open requests, approvals and attempts in format 1. These numbers are not used again.
const OF_FORMAT_1: [u8; 4] = [2, 3, 5, 6];

/// The refusal of a database of format 1: here its requests would be unknown.
const FORMAT_1: &str = "the gateway's database has requests of format 1, and this release reads format 2: start the release before it, or give the \
     gateway a new database";

impl Database {
    /// A file of SQLite, which is made if it is missing. For one machine.
    #[cfg(feature = "sqlite")]
    #[must_use]
    pub fn sqlite(path: std::path::PathBuf) -> Self {
        let open = move || Ok(quorate_store::SqliteStore::open(&path)?.into_any());
        Self { open: Box::new(open), owner: None }
    }

    /// A schema of a PostgreSQL server, which is made if it is missing. `connect` is called again when a connection is lost.
    #[cfg(feature = "postgres")]
    #[must_use]
    pub fn postgres(
        schema: String,
        connect: impl FnMut() -> core::result::Result<postgres::Client, postgres::Error>
        + Send
        + 'static,
    ) -> Self {
        let connect = std::sync::Arc::new(std::sync::Mutex::new(connect));
        let open = move || {
            let connect = std::sync::Arc::clone(&connect);
            let again = move || {
                let mut connect = connect.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                connect()
            };
            let options = quorate_store::PostgresStore::options().schema(schema.clone());
            Ok(options.connect_with(again)?.into_any())
        };
        Self { open: Box::new(open), owner: None }
    }

    /// Opens the database. The first time it takes it over from any other process that has it open, which stops at its next
    /// write. Later it is refused if another process has done so meanwhile. A database of format 1 is refused.
    pub(crate) fn open(&mut self) -> Result<Table> {
        let mut owner = [0; 16];
        getrandom::fill(&mut owner).map_err(|error| Error::Database(error.to_string()))?;
        let mut store = (self.open)()?;
        for space in OF_FORMAT_1 {
            if !store.read_records(|rows| rows.list(space, &[], None, 1))?.is_empty() {
                return Err(Error::Refused(FORMAT_1.into()));
            }
        }
        let taken = Write::Put(Space::Owner, Vec::new(), owner.to_vec());
        store.records(|rows| write(rows, self.owner, core::slice::from_ref(&taken)))?;
        self.owner = Some(owner);
        Ok(Table { store, owner })
    }

    /// Lists the rows of a space, and takes nothing over.
    pub(crate) fn read(&mut self, space: Space) -> Result<Vec<RecordRow>> {
        (self.open)()?.read_records(|rows| rows.all(space as u8, &[]))
    }
}

/// The kinds of rows. The numbers are in the database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Space {
    /// The process that has the database open.
    Owner = 1,
    /// Requests that have ended, by id.
    Requests = 10,
    /// Requests that have not ended, with their attempts to sign, by id.
    Open = 11,
    /// The ids of requests that have ended, after the time of that.
    Ended = 4,
    /// Approvals of requests that have not ended, by request and id.
    Approvals = 12,
    /// Certificates of keys, by key.
    Keys = 7,
    /// Nodes that have sent wrong shares, with the findings.
    Cheaters = 8,
    /// The names of the signers of requests that have ended with a signature, as [`Ended`](Self::Ended) names them.
    Signers = 9,
}

/// A change of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Write {
    Put(Space, Vec<u8>, Vec<u8>),
    Remove(Space, Vec<u8>),
    RemoveAll(Space, Vec<u8>),
}

/// An open database.
pub(crate) struct Table {
    store: AnyStore,
    owner: [u8; 16],
}

impl Table {
    pub(crate) fn get(&mut self, space: Space, name: &[u8]) -> Result<Option<Vec<u8>>> {
        self.store.read_records(|rows| rows.get(space as u8, name))
    }

    /// Lists the rows whose names begin with the prefix.
    pub(crate) fn all(&mut self, space: Space, prefix: &[u8]) -> Result<Vec<RecordRow>> {
        self.store.read_records(|rows| rows.all(space as u8, prefix))
    }

    /// Some rows from the first one on.
    pub(crate) fn first(&mut self, space: Space, most: usize) -> Result<Vec<RecordRow>> {
        self.store.read_records(|rows| rows.list(space as u8, &[], None, most))
    }

    /// Writes all of these, or none. They are durable when this returns. Nothing is written once another process has taken the
    /// database over.
    pub(crate) fn write(&mut self, writes: &[Write]) -> Result<()> {
        if writes.is_empty() {
            return Ok(());
        }
        self.store.records(|rows| write(rows, Some(self.owner), writes))
    }
}

fn write(rows: &mut Records<'_>, owner: Option<[u8; 16]>, writes: &[Write]) -> Result<()> {
    let found = rows.get(Space::Owner as u8, &[])?;
    if owner.is_some_and(|owner| found.as_deref() != Some(&owner)) {
        return Err(Error::Refused(TAKEN.into()));
    }
    writes.iter().try_for_each(|write| match write {
        Write::Put(space, name, content) => rows.put(*space as u8, name, content),
        Write::Remove(space, name) => rows.remove(*space as u8, name).map(drop),
        Write::RemoveAll(space, prefix) => rows.remove_all(*space as u8, prefix).map(drop),
    })
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Database")
    }
}
