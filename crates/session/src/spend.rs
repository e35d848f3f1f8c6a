//! Records of what may happen once, the table that keeps them, and the receipt for a record.

use alloc::collections::btree_map::Entry;
use alloc::vec::Vec;
use core::fmt;

use crate::container::{ContainerError, Kind, Label, NO_CURVE};

const RECORD: Kind = Kind { code: 97, name: "a record of a claim", version: 1 };
const LABEL: Label =
    Label { kind: RECORD, curve: NO_CURVE, family: "quorate-session", family_code: 0 };

/// A name that may be used once, and its use: the digest of a message or a package.
///
/// The record is stored under its `id` before the share that it stands for is released. It is not secret.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClaimRecord {
    /// The name of the presignature or the pair of nonces.
    pub id: [u8; 32],
    /// The digest of everything that the share to be released depends on.
    pub digest: [u8; 32],
}

impl ClaimRecord {
    /// The stored form, for a table that keeps whole records: a [container](crate::container) of name ‖ digest. A table
    /// with a column for each keeps the two as they are.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = LABEL.start(64);
        bytes.extend_from_slice(&self.id);
        bytes.extend_from_slice(&self.digest);
        LABEL.end_public(bytes)
    }

    /// Opens a stored form, strictly.
    ///
    /// # Errors
    /// A [`ContainerError`] that says what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ContainerError> {
        let (_, mut reader) = LABEL.open(bytes)?;
        match (reader.array(), reader.array(), reader.remaining()) {
            (Ok(id), Ok(digest), 0) => Ok(Self { id, digest }),
            _ => Err(ContainerError::Damaged),
        }
    }

    /// Stores the record, and gives the receipt with which the share can be released.
    ///
    /// If the same record is stored already, `digest` included, it gives a receipt again: the share was or
    /// could have been released before, and the very same share does no harm. So a crash between
    /// storing and sending loses nothing. [`SpendReceipt::is_new`] says which of the two it was: a protocol that
    /// draws randomness when it starts may start only with a new receipt.
    ///
    /// # Errors
    /// [`RecordError::Spent`] if the name was used on something else: drop the nonces or presignature of this name.
    /// [`RecordError::Table`] if the table failed; nothing may be released, and the call may be repeated.
    pub fn store<T: SpentTable>(
        &self,
        table: &mut T,
    ) -> Result<SpendReceipt, RecordError<T::Error>> {
        match table.record(&self.id, &self.digest).map_err(RecordError::Table)? {
            TableEntry::New => Ok(SpendReceipt { record: *self, new: true }),
            TableEntry::Before(digest) if digest == self.digest => {
                Ok(SpendReceipt { record: *self, new: false })
            }
            TableEntry::Before(on) => Err(RecordError::Spent { id: self.id, on }),
        }
    }
}

/// The table of all spent names: a map from `id` to `digest` that only grows.
///
/// The table must outlive every restore: keep it outside the backups that bring back presignatures and
/// nonces. Otherwise a restored one is spent twice, which gives the key away.
pub trait SpentTable {
    /// The error of the table.
    type Error;

    /// Stores `digest` under `id` unless something is stored there, durably, and says which of the two it was.
    ///
    /// Of all calls with one `id`, from whatever process and with whatever digest, **one** at the most gets
    /// [`TableEntry::New`]; all others get what that one stored. In SQL: `INSERT … ON CONFLICT DO NOTHING`, which returns the
    /// number of rows that it has inserted; `SELECT` if there was none; and the commit before the return.
    ///
    /// # Errors
    /// The table's own error, if it cannot store or read.
    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<TableEntry, Self::Error>;
}

/// The answer of a table to a record.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableEntry {
    /// Nothing was stored under the name; this call has stored the digest.
    New,
    /// This digest was stored under the name before, and is there still.
    Before([u8; 32]),
}

impl<T: SpentTable + ?Sized> SpentTable for &mut T {
    type Error = T::Error;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<TableEntry, Self::Error> {
        (**self).record(id, digest)
    }
}

/// The receipt for a stored [`ClaimRecord`]; [`ClaimRecord::store`] alone makes it.
#[must_use]
#[derive(PartialEq, Eq, Debug)]
pub struct SpendReceipt {
    record: ClaimRecord,
    new: bool,
}

impl SpendReceipt {
    /// The record that is stored.
    #[must_use]
    pub const fn record(&self) -> &ClaimRecord {
        &self.record
    }

    /// Returns whether this receipt's call stored the record. Of all receipts for one record, one at the most is new.
    #[must_use]
    pub const fn is_new(&self) -> bool {
        self.new
    }
}

/// The reason why there is no receipt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RecordError<E> {
    /// The name was used before, on something else.
    Spent {
        /// The name.
        id: [u8; 32],
        /// The digest that it was used on.
        on: [u8; 32],
    },
    /// The table failed.
    Table(E),
}

impl<E: fmt::Display> fmt::Display for RecordError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spent { id, on } => {
                f.write_str("already spent: ")?;
                hex(f, id)?;
                f.write_str(" was used on ")?;
                hex(f, on)
            }
            Self::Table(error) => write!(f, "the table of spent names failed: {error}"),
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for RecordError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Spent { .. } => None,
            Self::Table(error) => Some(error),
        }
    }
}

/// The first eight bytes, which are enough to find a name in a table.
fn hex(f: &mut fmt::Formatter<'_>, bytes: &[u8; 32]) -> fmt::Result {
    bytes.iter().take(8).try_for_each(|byte| write!(f, "{byte:02x}"))?;
    f.write_str("…")
}

/// A table in memory, for tests and for callers that keep nothing across restarts.
#[derive(Clone, Default, Debug)]
pub struct SpentInMemory(alloc::collections::BTreeMap<[u8; 32], [u8; 32]>);

impl SpentInMemory {
    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of spent names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether no name is spent.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl SpentTable for SpentInMemory {
    type Error = core::convert::Infallible;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<TableEntry, Self::Error> {
        Ok(match self.0.entry(*id) {
            Entry::Occupied(before) => TableEntry::Before(*before.get()),
            Entry::Vacant(place) => {
                place.insert(*digest);
                TableEntry::New
            }
        })
    }
}
