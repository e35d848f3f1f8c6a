//! The errors of the database.

use core::fmt;

use quorate::session::SealError;

/// An error of the database.
#[derive(Debug)]
pub enum StoreError {
    /// The database's own trouble.
    Sql(rusqlite::Error),
    /// A row that does not open under this key.
    Seal(SealError),
    /// Somebody else has gone on with this session.
    Stale,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sql(error) => error.fmt(f),
            Self::Seal(error) => error.fmt(f),
            Self::Stale => {
                f.write_str("another process has gone on with this session; this one must not")
            }
        }
    }
}

impl core::error::Error for StoreError {}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<SealError> for StoreError {
    fn from(error: SealError) -> Self {
        Self::Seal(error)
    }
}
