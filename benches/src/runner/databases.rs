//! The databases under services: a folder of SQLite's files, and schemas of a PostgreSQL server.

use core::sync::atomic::{AtomicU32, Ordering};
use std::path::PathBuf;

use quorate::runner::Store;
use quorate::session::PartyId;
use quorate_store::{Error, SqliteStore};

/// The opening of a store, on the thread that keeps it.
pub(super) type Open<S> = Box<dyn FnOnce() -> Result<S, Error> + Send>;

/// An empty database for each party, which is removed in the end.
pub(super) trait Databases {
    /// The store in the database.
    type Store: Store<Error = Error> + 'static;

    /// The name in the figures.
    const NAME: &'static str;

    /// Opens the database of this party.
    fn open(&self, me: PartyId) -> Open<Self::Store>;
}

static FOLDERS: AtomicU32 = AtomicU32::new(0);

/// SQLite's files, in a folder of their own.
pub(super) struct Files(PathBuf);

impl Files {
    pub(super) fn new() -> Self {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let name = format!("quorate-timings-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }
}

impl Databases for Files {
    type Store = SqliteStore;

    const NAME: &'static str = "SQLite";

    fn open(&self, me: PartyId) -> Open<SqliteStore> {
        let file = self.0.join(format!("{me}.db"));
        Box::new(move || SqliteStore::open(file))
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// Schemas of a PostgreSQL server.
#[cfg(feature = "postgres")]
pub(super) use schemas::Schemas;

#[cfg(feature = "postgres")]
mod schemas {
    use core::cell::RefCell;
    use core::sync::atomic::{AtomicUsize, Ordering};

    use postgres::{Client, NoTls};
    use quorate::session::PartyId;
    use quorate_store::PostgresStore;

    use super::{Databases, Open};

    pub(in crate::runner) struct Schemas<'a> {
        address: &'a str,
        made: RefCell<Vec<String>>,
    }

    impl<'a> Schemas<'a> {
        /// On the server at this address, which is a URL or a list of `key=value`.
        pub(in crate::runner) const fn new(address: &'a str) -> Self {
            Self { address, made: RefCell::new(Vec::new()) }
        }
    }

    impl Databases for Schemas<'_> {
        type Store = PostgresStore;

        const NAME: &'static str = "PostgreSQL";

        fn open(&self, me: PartyId) -> Open<PostgresStore> {
            let mut made = self.made.borrow_mut();
            // Several sets of schemas may be there at once.
            static NUMBER: AtomicUsize = AtomicUsize::new(0);
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let schema = format!("timings_{}_{number}", std::process::id());
            made.push(schema.clone());
            let (address, me) = (self.address.to_owned(), me.get());
            Box::new(move || {
                let client = Client::connect(&address, NoTls)
                    .unwrap_or_else(|error| panic!("party {me}: {address}: {error}"));
                PostgresStore::options().schema(schema).connect(client)
            })
        }
    }

    impl Drop for Schemas<'_> {
        fn drop(&mut self) {
            let Ok(mut client) = Client::connect(self.address, NoTls) else { return };
            for schema in self.made.get_mut() {
                client.batch_execute(&format!("DROP SCHEMA IF EXISTS {schema} CASCADE")).ok();
            }
        }
    }
}
