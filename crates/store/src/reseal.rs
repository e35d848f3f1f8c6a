//! The rows of a runner under another seal key.

use quorate_runner::Stored;
use quorate_session::{SealError, SealKey};

use crate::error::{Error, Result};
use crate::store::{Engine, SqlStore};
use crate::value::{Cell, Row, Value, size, values};

/// The rows that a transaction reseals. A session or an outcome may have a megabyte.
const PAGE: usize = 64;

/// Rows with something sealed: their table, the column of their names, the sealed one, and the condition for it.
struct Rows {
    kind: Stored,
    table: &'static str,
    name: &'static str,
    sealed: &'static str,
    only: &'static str,
}

const fn rows(kind: Stored, [table, name, sealed, only]: [&'static str; 4]) -> Rows {
    Rows { kind, table, name, sealed, only }
}

/// All of them, the canary first: from then on no runner with the old key opens the store.
const ALL: [Rows; 6] = [
    rows(Stored::Canary, ["canary", "one", "sealed", "one = 1"]),
    rows(Stored::Job, ["runs", "context", "job", "ended = 0"]),
    rows(Stored::Session, ["runs", "context", "sealed", "ended = 0"]),
    rows(Stored::Frame, ["inbox", "place", "sealed", "kind IN (0, 1) AND taken = 0"]),
    rows(Stored::OutgoingMessage, ["packets", "id", "sealed", "bytes >= 0"]),
    rows(Stored::Outcome, ["jobs", "sid", "outcome", "outcome IS NOT NULL"]),
];

/// The outcome of [`SqlStore::reseal`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Resealed {
    /// The rows that are under the new key since this call.
    pub moved: u64,
    /// The rows that were under the new key before.
    pub before: u64,
    /// The rows that are damaged. They are left as they are: the runner ends their runs at the deadlines.
    pub damaged: u64,
}

impl<E: Engine> SqlStore<E> {
    /// Seals all that the runner's key `from` has sealed under the key `to`, in small transactions. Rows of the application are its
    /// own to reseal.
    ///
    /// Call it while no runner is open, and open none with either key until it has succeeded: a runner takes what it
    /// finds under another key for the work of another one. A call that fails or is killed in the middle leaves some rows under
    /// each key, and the next call with the same two keys continues with those that are left.
    ///
    /// # Errors
    /// [`Error::Refused`] if a row opens under neither key. [`Error`] of the database.
    pub fn reseal(&mut self, from: &SealKey, to: &SealKey) -> Result<Resealed> {
        self.all_rows((from, to), true)
    }

    /// Opens all that [`reseal`](Self::reseal) moves under either key, and changes nothing: the outcome that it would have. Call it
    /// before, so that a row which does not open is found while everything else is as it was.
    ///
    /// # Errors
    /// Those of [`reseal`](Self::reseal).
    pub fn check_reseal(&mut self, from: &SealKey, to: &SealKey) -> Result<Resealed> {
        self.all_rows((from, to), false)
    }

    fn all_rows(&mut self, keys: (&SealKey, &SealKey), stores: bool) -> Result<Resealed> {
        let mut all = Resealed::default();
        for rows in &ALL {
            let mut after = None;
            loop {
                let (page, last) = self.records_of(rows, after, keys, stores)?;
                all.moved = all.moved.saturating_add(page.moved);
                all.before = all.before.saturating_add(page.before);
                all.damaged = all.damaged.saturating_add(page.damaged);
                let Some(last) = last else { break };
                after = Some(last);
            }
        }
        Ok(all)
    }

    /// Reseals the rows after a name, or only opens them, as many as one transaction takes. Gives the last name, if there may be more.
    fn records_of(
        &mut self,
        rows: &Rows,
        after: Option<Name>,
        keys: (&SealKey, &SealKey),
        stores: bool,
    ) -> Result<(Resealed, Option<Name>)> {
        let Rows { table, name, sealed, only, .. } = rows;
        let first = format!("SELECT {name}, {sealed} FROM {table} WHERE {only}");
        let next = format!("{first} AND {name} > $2 ORDER BY {name} LIMIT $1");
        let first = format!("{first} ORDER BY {name} LIMIT $1");
        let update = format!("UPDATE {table} SET {sealed} = $2 WHERE {name} = $1");
        self.step(
            |_| false,
            |tx| {
                let found = match &after {
                    None => tx.query(&first, values![size(PAGE)])?,
                    Some(after) => tx.query(&next, &[Value::Int(size(PAGE)), after.value()])?,
                };
                let full = found.len() >= PAGE;
                let (mut page, mut last) = (Resealed::default(), None);
                for mut row in found {
                    let (name, sealed) = (Name::of(&mut row)?, row.bytes(1)?);
                    match moved(rows.kind, &sealed, keys)? {
                        Moved::Now(moved) => {
                            if stores {
                                let values = [name.value(), Value::from(moved.as_slice())];
                                tx.execute(&update, &values)?;
                            }
                            page.moved = page.moved.saturating_add(1);
                        }
                        Moved::Before => page.before = page.before.saturating_add(1),
                        Moved::Damaged => page.damaged = page.damaged.saturating_add(1),
                    }
                    last = Some(name);
                }
                Ok((page, last.filter(|_| full)))
            },
        )
    }
}

enum Moved {
    Now(Vec<u8>),
    Before,
    Damaged,
}

/// The bytes under the new key.
fn moved(kind: Stored, sealed: &[u8], (from, to): (&SealKey, &SealKey)) -> Result<Moved> {
    match kind.reseal(sealed, from, to) {
        Ok(moved) => Ok(Moved::Now(moved)),
        Err(SealError::Unauthentic) => match kind.reseal(sealed, to, to) {
            Ok(_) => Ok(Moved::Before),
            Err(_) => {
                Err(Error::Refused(format!("a row ({kind:?}) is under neither of the two keys")))
            }
        },
        Err(_) => Ok(Moved::Damaged),
    }
}

/// The name of a row: a number or bytes.
enum Name {
    Number(i64),
    Bytes(Vec<u8>),
}

impl Name {
    fn of(row: &mut Row) -> Result<Self> {
        match row.0.first() {
            Some(Cell::Int(number)) => Ok(Self::Number(*number)),
            _ => row.bytes(0).map(Self::Bytes),
        }
    }

    fn value(&self) -> Value<'_> {
        match self {
            Self::Number(number) => Value::Int(*number),
            Self::Bytes(bytes) => Value::Bytes(bytes),
        }
    }
}
