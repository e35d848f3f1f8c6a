//! `custody backup`, `custody drill` and `custody restore`: the shares of a node in one file that only an offline key opens.

mod content;
mod drill;
mod key;
mod make;
mod restore;
mod sealed;

use anyhow::{Result, bail};
use quorate_store::{Engine, PostgresStore, SqlStore, SqliteStore};

pub(crate) use drill::drill;
pub(crate) use key::make_key;
pub(crate) use make::make;
pub(crate) use restore::restore;

use crate::connect;
use crate::folder::Folder;
use crate::settings::{Database, Settings};

/// The record of the last backup in the folder of a node: the epoch of each key. It is not secret.
pub(crate) const RECORD: &str = "backup.json";

/// Something to do with the databases of a node.
pub(crate) trait Work {
    type Done;
    fn on<E: Engine>(self, store: &mut SqlStore<E>) -> Result<Self::Done>;
}

/// Opens the databases of a node for some work.
pub(crate) fn with_store<W: Work>(
    folder: &Folder,
    settings: &Settings,
    work: W,
) -> Result<W::Done> {
    match &settings.database {
        Database::Sqlite { path, spent: Some(spent) } => {
            let options = SqliteStore::options().spent(folder.path_of(spent)).allow_rolled_back();
            work.on(&mut options.open(folder.path_of(path))?)
        }
        Database::Postgres(database) => {
            let (connect, connect_spent) = connect::both(folder, database)?;
            let options = PostgresStore::options().schema(database.schema(settings));
            let options = options.spent_with(connect_spent).allow_rolled_back();
            work.on(&mut options.connect_with(connect)?)
        }
        Database::Sqlite { spent: None, .. } => bail!("database: a node needs a place for `spent`"),
    }
}
