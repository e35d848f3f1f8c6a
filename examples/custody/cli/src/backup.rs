//! `custody backup`, `custody drill` and `custody restore`: the shares of a node in one file that only an offline key opens.

mod content;
mod drill;
mod key;
mod make;
mod restore;
mod sealed;

use anyhow::{Result, bail};
use quorate_store::{AnyStore, PostgresStore, SqliteStore};

pub(crate) use drill::drill;
pub(crate) use key::make_key;
pub(crate) use make::make;
pub(crate) use restore::restore;

use crate::connect;
use crate::folder::Folder;
use crate::settings::{Database, Settings};

/// The record of the last backup in the folder of a node: the epoch of each key. It is not secret.
pub(crate) const RECORD: &str = "backup.json";

/// What opens the databases of a node. It is called on a thread that may block.
pub(crate) fn opener(
    folder: &Folder,
    settings: &Settings,
    allow_rolled_back: bool,
) -> Result<Box<dyn FnOnce() -> Result<AnyStore, quorate_store::Error> + Send>> {
    Ok(match &settings.database {
        Database::Sqlite { path, spent: Some(spent) } => {
            let (path, options) = (folder.path_of(path), SqliteStore::options());
            let options = options.spent(folder.path_of(spent));
            let options = if allow_rolled_back { options.allow_rolled_back() } else { options };
            Box::new(move || Ok(options.open(path)?.into_any()))
        }
        Database::Postgres(database) => {
            let (connect, connect_spent) = connect::both(folder, database)?;
            let schema = database.schema(settings);
            let options = PostgresStore::options().schema(schema).spent_with(connect_spent);
            let options = if allow_rolled_back { options.allow_rolled_back() } else { options };
            Box::new(move || Ok(options.connect_with(connect)?.into_any()))
        }
        Database::Sqlite { spent: None, .. } => bail!("database: a node needs a place for `spent`"),
    })
}

/// Opens the databases of a node for a command beside it, restored ones as well.
pub(crate) fn open_store(folder: &Folder, settings: &Settings) -> Result<AnyStore> {
    Ok(opener(folder, settings, true)?()?)
}
