//! Rows of the application, beside the runs or beside what was spent.

use core::fmt;
use core::ops::{Deref, DerefMut};

use quorate_session::{ClaimRecord, TableEntry};

use crate::engine::{Connection, Sql, making};
use crate::error::Result;
use crate::schema::{self, in_dialect};
use crate::value::{size, values};

/// The rows that [`Records::all`] reads at once.
const PAGE: usize = 256;

const TABLE: &str = "
    -- What the application keeps, each kind in a space of its own.
    CREATE TABLE records (
        space {int} NOT NULL, name {bytes} NOT NULL, content {bytes} NOT NULL, PRIMARY KEY (space, name)) {narrow};
";

/// Rows of the application in a database of the store: a map from a space and a name to a content.
///
/// Rows are ordered by name, byte by byte. What is secret has to be sealed: the store has everything in clear.
pub struct Records<'a>(pub(crate) &'a mut dyn Sql);

/// Rows of the application beside what was spent, and the table of that.
#[derive(Debug)]
pub struct Ledger<'a>(pub(crate) Records<'a>);

impl Ledger<'_> {
    /// Records a claim, unless one of its name is recorded. Only [`TableEntry::New`], and the digest of this claim, permit
    /// to let a share out, as for [`ClaimRecord::store`].
    ///
    /// # Errors
    /// [`Error`](crate::Error) of the database.
    pub fn claim(&mut self, claim: &ClaimRecord) -> Result<TableEntry> {
        claim_in(self.0.0, claim)
    }
}

impl<'a> Deref for Ledger<'a> {
    type Target = Records<'a>;

    fn deref(&self) -> &Records<'a> {
        &self.0
    }
}

impl DerefMut for Ledger<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// A row of the application.
#[derive(Clone, PartialEq, Eq)]
pub struct RecordRow {
    /// The name.
    pub name: Vec<u8>,
    /// The content.
    pub content: Vec<u8>,
}

impl Records<'_> {
    /// The content of a row.
    ///
    /// # Errors
    /// [`Error`](crate::Error) of the database.
    pub fn get(&mut self, space: u8, name: &[u8]) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT content FROM records WHERE space = $1 AND name = $2";
        let row = self.0.first(sql, values![i64::from(space), name])?;
        row.map(|mut row| row.bytes(0)).transpose()
    }

    /// Stores a row, in place of the one with its name.
    ///
    /// # Errors
    /// [`Error`](crate::Error) of the database.
    pub fn put(&mut self, space: u8, name: &[u8], content: &[u8]) -> Result<()> {
        let sql = "INSERT INTO records (space, name, content) VALUES ($1, $2, $3)
            ON CONFLICT (space, name) DO UPDATE SET content = excluded.content";
        self.0.execute(sql, values![i64::from(space), name, content]).map(drop)
    }

    /// Removes a row; returns whether it was there.
    ///
    /// # Errors
    /// [`Error`](crate::Error) of the database.
    pub fn remove(&mut self, space: u8, name: &[u8]) -> Result<bool> {
        let sql = "DELETE FROM records WHERE space = $1 AND name = $2";
        Ok(self.0.execute(sql, values![i64::from(space), name])? == 1)
    }

    /// Removes all rows whose names begin with these bytes; returns their number.
    ///
    /// # Errors
    /// [`Error`](crate::Error) of the database.
    pub fn remove_all(&mut self, space: u8, prefix: &[u8]) -> Result<u64> {
        let sql = format!("DELETE FROM records WHERE {WITHIN}");
        let end = after_all(prefix);
        self.0.execute(&sql, values![i64::from(space), prefix, end.as_deref()])
    }

    /// The rows whose names begin with `prefix` and come after `after`, by ascending name, `most` at most.
    ///
    /// # Errors
    /// [`Error`](crate::Error) of the database.
    pub fn list(
        &mut self,
        space: u8,
        prefix: &[u8],
        after: Option<&[u8]>,
        most: usize,
    ) -> Result<Vec<RecordRow>> {
        let (space, end, most) = (i64::from(space), after_all(prefix), size(most));
        let select = "SELECT name, content FROM records WHERE";
        let rows = match after {
            None => {
                let sql = format!("{select} {WITHIN} ORDER BY name LIMIT $4");
                self.0.query(&sql, values![space, prefix, end.as_deref(), most])?
            }
            Some(after) => {
                let sql = format!("{select} {WITHIN} AND name > $5 ORDER BY name LIMIT $4");
                self.0.query(&sql, values![space, prefix, end.as_deref(), most, after])?
            }
        };
        rows.into_iter()
            .map(|mut row| Ok(RecordRow { name: row.bytes(0)?, content: row.bytes(1)? }))
            .collect()
    }

    /// The rows whose names begin with `prefix`, however many there are, by ascending name.
    ///
    /// # Errors
    /// [`Error`](crate::Error) of the database.
    pub fn all(&mut self, space: u8, prefix: &[u8]) -> Result<Vec<RecordRow>> {
        let mut all: Vec<RecordRow> = Vec::new();
        loop {
            let after = all.last().map(|row| row.name.as_slice());
            let page = self.list(space, prefix, after, PAGE)?;
            let is_last = page.len() < PAGE;
            all.extend(page);
            if is_last {
                return Ok(all);
            }
        }
    }

    /// The row with the greatest name of a space.
    ///
    /// # Errors
    /// [`Error`](crate::Error) of the database.
    pub fn last(&mut self, space: u8) -> Result<Option<RecordRow>> {
        let sql = "SELECT name, content FROM records WHERE space = $1 ORDER BY name DESC LIMIT 1";
        let row = self.0.first(sql, values![i64::from(space)])?;
        row.map(|mut row| Ok(RecordRow { name: row.bytes(0)?, content: row.bytes(1)? })).transpose()
    }

    /// The number of rows whose names begin with these bytes.
    ///
    /// # Errors
    /// [`Error`](crate::Error) of the database.
    pub fn count(&mut self, space: u8, prefix: &[u8]) -> Result<u64> {
        let sql = format!("SELECT COUNT(*) FROM records WHERE {WITHIN}");
        let end = after_all(prefix);
        self.0.one(&sql, values![i64::from(space), prefix, end.as_deref()])?.number(0)
    }
}

/// The rows of a space from a name on, and before another one unless that is null.
const WITHIN: &str = "space = $1 AND name >= $2 AND (name < $3 OR $3 IS NULL)";

/// The first name after all that begin with these bytes; `None` if there is none.
fn after_all(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|byte| *byte < u8::MAX)?;
    let mut end = prefix.get(..=last)?.to_vec();
    if let Some(byte) = end.last_mut() {
        *byte = byte.saturating_add(1);
    }
    Some(end)
}

/// Makes the table if there is none.
pub(crate) fn prepare(db: &mut dyn Connection) -> Result<()> {
    if schema::exists(db, "records")? {
        return Ok(());
    }
    making(db, |tx| {
        if schema::exists(tx, "records")? {
            return Ok(());
        }
        let sql = in_dialect(TABLE, tx.dialect());
        tx.script(&sql)
    })
}

/// Records a claim, and gives the answer of the table.
pub(crate) fn claim_in(db: &mut dyn Sql, claim: &ClaimRecord) -> Result<TableEntry> {
    let ClaimRecord { id, digest } = claim;
    let sql = "INSERT INTO claims (id, digest) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    if db.execute(sql, values![id, digest])? == 1 {
        return Ok(TableEntry::New);
    }
    let row = db.one("SELECT digest FROM claims WHERE id = $1", values![id])?;
    Ok(TableEntry::Before(row.array(0)?))
}

impl fmt::Debug for Records<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records").finish_non_exhaustive()
    }
}

/// The name, and the length of the content.
impl fmt::Debug for RecordRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordRow")
            .field("name", &self.name)
            .field("length", &self.content.len())
            .finish()
    }
}
