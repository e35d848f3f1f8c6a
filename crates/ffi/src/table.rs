//! The table of spent names, which the foreign side keeps.

use core::fmt;
use std::sync::Arc;

use quorate::session;

/// The reason why the table of spent names gave no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Error))]
pub enum TableError {
    /// The table failed; nothing may be released.
    Failed {
        /// The cause of the failure.
        reason: String,
    },
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Failed { reason } = self;
        f.write_str(reason)
    }
}

impl core::error::Error for TableError {}

/// An exception of the foreign side that is none of the declared ones.
#[cfg(feature = "uniffi")]
impl From<uniffi::UnexpectedUniFFICallbackError> for TableError {
    fn from(error: uniffi::UnexpectedUniFFICallbackError) -> Self {
        Self::Failed { reason: error.reason }
    }
}

/// The answer of the table to a record.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Enum))]
pub enum TableEntry {
    /// Nothing was stored under the name; this call has stored the digest.
    New,
    /// A digest was stored under the name before, and is there still.
    Before {
        /// The stored digest.
        digest: Vec<u8>,
    },
}

/// The table of all spent names, which you implement: a map from `id` to `digest` that only grows.
///
/// The table has to outlive every restore: keep it outside of the backups that restore presignatures and nonces. A name
/// that is spent twice gives the key away. The table also counts attempts of ML-DSA.
#[cfg_attr(feature = "uniffi", uniffi::export(foreign))]
pub trait SpentTable: Send + Sync {
    /// Stores `digest` under `id` unless something is stored there, durably, and says which of the two it was. Of all calls with
    /// one `id`, from whatever process, **one** at the most gets `New`. In SQL: `INSERT … ON CONFLICT DO NOTHING`, which returns
    /// the number of rows that it has inserted; `SELECT` if there was none; and the commit before the return. Both are 32 bytes,
    /// and not secret.
    fn record(&self, id: Vec<u8>, digest: Vec<u8>) -> Result<TableEntry, TableError>;
}

impl TryFrom<TableEntry> for session::TableEntry {
    type Error = TableError;

    fn try_from(entry: TableEntry) -> Result<Self, TableError> {
        let TableEntry::Before { digest } = entry else { return Ok(Self::New) };
        let stored = digest.try_into().map_err(|digest: Vec<u8>| TableError::Failed {
            reason: format!("the table gave {} bytes for a digest, expected 32", digest.len()),
        });
        stored.map(Self::Before)
    }
}

/// A table of the foreign side, as the sessions take it.
pub(crate) struct Foreign(pub(crate) Arc<dyn SpentTable>);

impl session::SpentTable for Foreign {
    type Error = TableError;

    fn record(
        &mut self,
        id: &[u8; 32],
        digest: &[u8; 32],
    ) -> Result<session::TableEntry, TableError> {
        self.0.record(id.to_vec(), digest.to_vec())?.try_into()
    }
}
