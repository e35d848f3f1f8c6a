//! The table of spent names, which the foreign side keeps.

use core::fmt;
use std::sync::Arc;

use quorate::session;

/// Why the table of spent names gave no answer.
#[derive(Clone, PartialEq, Eq, Debug, uniffi::Error)]
pub enum TableError {
    /// It failed; nothing may be released.
    Failed {
        /// What went wrong.
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
impl From<uniffi::UnexpectedUniFFICallbackError> for TableError {
    fn from(error: uniffi::UnexpectedUniFFICallbackError) -> Self {
        Self::Failed { reason: error.reason }
    }
}

/// The table of all spent names, which you implement: a map from `id` to `digest` that only grows.
///
/// It has to outlive every restore: keep it outside of the backups that bring back presignatures and nonces. A name that
/// is spent twice gives the key away. Attempts of ML-DSA are counted in it.
#[uniffi::export(foreign)]
pub trait SpentTable: Send + Sync {
    /// Stores `digest` under `id` unless something is stored there, durably, and returns what is stored there
    /// afterwards. In SQL: `INSERT … ON CONFLICT DO NOTHING`, then `SELECT`, and the commit before the return. Both are
    /// 32 bytes, and not secret.
    fn record(&self, id: Vec<u8>, digest: Vec<u8>) -> Result<Vec<u8>, TableError>;
}

/// A table of the foreign side, as the sessions take it.
pub(crate) struct Foreign(pub(crate) Arc<dyn SpentTable>);

impl session::SpentTable for Foreign {
    type Error = TableError;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<[u8; 32], TableError> {
        let stored = self.0.record(id.to_vec(), digest.to_vec())?;
        stored.try_into().map_err(|stored: Vec<u8>| TableError::Failed {
            reason: format!("the table gave {} bytes for a digest, expected 32", stored.len()),
        })
    }
}
