//! Rows in a store of the caller's, under which a runner keeps everything.

use core::fmt;

use crate::error::{ErrorKind, QuorateError};

/// A row.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Record))]
pub struct Row {
    /// The name, at most 128 bytes.
    pub key: Vec<u8>,
    /// The content, which may be several megabytes, or empty.
    pub value: Vec<u8>,
}

/// A change of one row.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Record))]
pub struct Change {
    /// The name of the row.
    pub key: Vec<u8>,
    /// The new content, whether the row is there or not; nothing deletes the row.
    pub value: Option<Vec<u8>>,
}

/// The failure of a store of rows.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Error))]
pub enum RowsError {
    /// A failure of the database. The changes may have been made or not.
    Failed {
        /// The reason.
        reason: String,
    },
}

impl RowsError {
    pub(crate) fn new(reason: impl fmt::Display) -> Self {
        Self::Failed { reason: reason.to_string() }
    }
}

impl fmt::Display for RowsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Failed { reason } = self;
        f.write_str(reason)
    }
}

impl core::error::Error for RowsError {}

impl From<RowsError> for QuorateError {
    fn from(error: RowsError) -> Self {
        Self::new(ErrorKind::Store, error)
    }
}

/// An exception of the foreign side that is none of the declared ones.
#[cfg(feature = "uniffi")]
impl From<uniffi::UnexpectedUniFFICallbackError> for RowsError {
    fn from(error: uniffi::UnexpectedUniFFICallbackError) -> Self {
        Self::Failed { reason: error.reason }
    }
}

/// The rows of one party's runner, which you implement: a sorted map from bytes to bytes, with transactions. For Python there is
/// `quorate.sqlite.SqliteRows`.
///
/// The runner writes only sealed or public bytes. **The rows must never be restored to an earlier state**: a restored copy makes
/// this party send frames that contradict those it has sent, and the others blame it. So leave the rows out of backups, and
/// put the sealed share into them.
#[cfg_attr(feature = "uniffi", uniffi::export(foreign))]
pub trait Rows: Send + Sync {
    /// The number of transactions so far, 0 in an empty store.
    fn generation(&self) -> Result<u64, RowsError>;

    /// The rows whose keys are `from` or greater and less than `until`, by ascending key, at most `most`. Keys are compared as bytes; in
    /// SQL: `SELECT key, value FROM … WHERE key >= ? AND key < ? ORDER BY key LIMIT ?`.
    fn scan(&self, from: Vec<u8>, until: Vec<u8>, most: u32) -> Result<Vec<Row>, RowsError>;

    /// One transaction, durable before the return. If the generation is still the given one, makes all changes, raises the
    /// generation by one, and gives `true`. Otherwise changes nothing, and gives `false`.
    fn write(&self, generation: u64, changes: Vec<Change>) -> Result<bool, RowsError>;
}
