//! Transactions over rows: reads, and changes that are written at once if no other worker has written since.

use std::collections::BTreeMap;
use std::sync::Arc;

use quorate::session::wire::Reader;

use crate::rows::{Change, Row, Rows, RowsError};

/// Rows read at a time.
const PAGE: u32 = 256;
/// The rows that one call of [`Store::prune`](quorate::runner::MessageTable::prune) forgets, about.
pub(super) const PRUNED: usize = 4096;
/// Attempts at a transaction, of which each was overtaken by another worker's.
const ATTEMPTS: u32 = 100;

/// The result of an access to rows.
pub(super) type Result<T> = core::result::Result<T, RowsError>;

/// The rest of a row's key, and its content.
pub(super) type Rest = (Vec<u8>, Vec<u8>);

/// The rows of a store.
pub(super) struct Space(pub(super) Arc<dyn Rows>);

impl Space {
    /// Runs a transaction, again if another worker has written in between.
    pub(super) fn transact<T>(
        &self,
        work: impl Fn(&mut Transaction<'_>) -> Result<T>,
    ) -> Result<T> {
        for _ in 0..ATTEMPTS {
            let generation = self.0.generation()?;
            let mut transaction =
                Transaction { rows: &*self.0, generation, changes: BTreeMap::new() };
            let worked = work(&mut transaction);
            let changes = transaction.changes;
            // If the rows that were read are not of one generation, they are read again.
            let whole = if changes.is_empty() || worked.is_err() {
                self.0.generation()? == generation
            } else {
                let change = |(key, value)| Change { key, value };
                self.0.write(generation, changes.into_iter().map(change).collect())?
            };
            if whole {
                return worked;
            }
        }
        Err(RowsError::new("other workers change the rows without end"))
    }
}

/// A transaction under way.
pub(super) struct Transaction<'a> {
    rows: &'a dyn Rows,
    generation: u64,
    changes: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
}

impl Transaction<'_> {
    /// A number that grows with each transaction.
    pub(super) const fn number(&self) -> u64 {
        self.generation
    }

    /// The key of a row, or the start of several, of a table.
    pub(super) fn key(&self, table: u8, parts: &[&[u8]]) -> Vec<u8> {
        let mut key = vec![table];
        parts.iter().for_each(|part| key.extend_from_slice(part));
        key
    }

    pub(super) fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>> {
        if let Some(changed) = self.changes.get(key) {
            return Ok(changed.clone());
        }
        let until = [key, &[0]].concat();
        let mut rows = self.rows.scan(key.to_vec(), until, 1)?;
        Ok(rows.pop().filter(|row| row.key == key).map(|row| row.value))
    }

    pub(super) fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.changes.insert(key, Some(value));
    }

    pub(super) fn delete(&mut self, key: Vec<u8>) {
        self.changes.insert(key, None);
    }

    /// The stored rows from one key on and before another, in order, until `take` has enough. Rows that this transaction has
    /// deleted are left out, and rows that it has made are not there.
    pub(super) fn each(
        &self,
        mut from: Vec<u8>,
        until: &[u8],
        mut take: impl FnMut(Row) -> Result<bool>,
    ) -> Result<()> {
        loop {
            let page = self.rows.scan(from, until.to_vec(), PAGE)?;
            let whole = u32::try_from(page.len()).is_ok_and(|length| length < PAGE);
            let mut last = None;
            for mut row in page {
                last = Some(row.key.clone());
                match self.changes.get(&row.key) {
                    Some(None) => continue,
                    Some(Some(changed)) => row.value.clone_from(changed),
                    None => {}
                }
                if !take(row)? {
                    return Ok(());
                }
            }
            let Some(last) = last.filter(|_| !whole) else { return Ok(()) };
            from = [last.as_slice(), &[0]].concat();
        }
    }

    /// The stored rows whose keys have this start, with the rest of the key.
    pub(super) fn under(&self, start: &[u8]) -> Result<Vec<Rest>> {
        let mut found = Vec::new();
        self.each(start.to_vec(), &after(start), |row| {
            found.push((row.key.get(start.len()..).unwrap_or_default().to_vec(), row.value));
            Ok(true)
        })?;
        Ok(found)
    }
}

/// The first key after all that have this start.
pub(super) fn after(start: &[u8]) -> Vec<u8> {
    let mut key = start.to_vec();
    while let Some(last) = key.pop() {
        if let Some(next) = last.checked_add(1) {
            key.push(next);
            break;
        }
    }
    key
}

/// Reads a row that this crate wrote.
pub(super) fn read<T>(bytes: &[u8], read: impl FnOnce(&mut Reader<'_>) -> Option<T>) -> Result<T> {
    let mut reader = Reader::new(bytes);
    let found = read(&mut reader).filter(|_| reader.remaining() == 0);
    found.ok_or_else(|| RowsError::new("a row is not what was written"))
}
