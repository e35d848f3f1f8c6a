//! Claims: what waits until a table that answers later has stored its record.

use std::sync::{Arc, Mutex};

use quorate::session::{self, ClaimRecord, SpendReceipt};

use crate::arguments::lock;
use crate::error::{QuorateError, Result};
use crate::table::{Foreign, SpentTable, TableEntry, TableError};

type Release<T> = Box<dyn FnOnce(SpendReceipt) -> Result<T> + Send>;

/// A record, and the value that its receipt releases, once.
pub(crate) struct Claimed<T> {
    record: ClaimRecord,
    release: Mutex<Option<Release<T>>>,
}

impl<T> Claimed<T> {
    pub(crate) fn new(
        record: ClaimRecord,
        release: impl FnOnce(SpendReceipt) -> Result<T> + Send + 'static,
    ) -> Self {
        Self { record, release: Mutex::new(Some(Box::new(release))) }
    }

    pub(crate) fn id(&self) -> Vec<u8> {
        self.record.id.to_vec()
    }

    pub(crate) fn digest(&self) -> Vec<u8> {
        self.record.digest.to_vec()
    }

    /// Asks a table that answers at once.
    pub(crate) fn store(&self, table: Arc<dyn SpentTable>) -> Result<T> {
        self.by(&mut Foreign(table))
    }

    /// Takes the answer of a table.
    pub(crate) fn answered(&self, answer: TableEntry) -> Result<T> {
        self.by(&mut Answer(answer))
    }

    fn by(&self, table: &mut impl session::SpentTable<Error = TableError>) -> Result<T> {
        let release = lock(&self.release).take();
        let release = release.ok_or_else(|| QuorateError::consumed("the claim"))?;
        release(self.record.store(table)?)
    }
}

/// The answer that a table has given.
struct Answer(TableEntry);

impl session::SpentTable for Answer {
    type Error = TableError;

    fn record(&mut self, _: &[u8; 32], _: &[u8; 32]) -> Result<session::TableEntry, TableError> {
        self.0.clone().try_into()
    }
}

/// A signature share that waits until a table has recorded what it is spent on.
///
/// It is for tables that do not answer at once, such as a browser's. Store `digest` under `id` as `SpentTable.record` says, and
/// call `release` with the answer. A claim that is dropped leaves the presignature or the nonces used up.
#[cfg_attr(feature = "uniffi", derive(uniffi::Object))]
#[cfg_attr(feature = "uniffi", uniffi::export(Debug))]
pub struct ShareClaim(pub(crate) Claimed<Vec<u8>>);

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl ShareClaim {
    /// The name, 32 bytes. It is not secret.
    pub fn id(&self) -> Vec<u8> {
        self.0.id()
    }

    /// The digest of everything that the share depends on, 32 bytes. It is not secret.
    pub fn digest(&self) -> Vec<u8> {
        self.0.digest()
    }

    /// Gives the signature share, once the table has answered. A claim is used up even if the call fails.
    ///
    /// # Errors
    /// `Consumed` if it was released before; `Spent` if the table has another digest under the name; `Table` for an answer that
    /// is no digest; the errors of signing.
    pub fn release(&self, answer: TableEntry) -> Result<Vec<u8>> {
        self.0.answered(answer)
    }
}
