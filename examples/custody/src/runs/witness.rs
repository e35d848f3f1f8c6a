//! The witness against a database that was put back: every step that lets something out leaves a mark in the database,
//! and the ledger keeps the last.
//!
//! A mark is a number and 16 random bytes. The database keeps its last [`KEPT`] marks; the ledger, which backups do not
//! reach, keeps one. A database is taken if the ledger's mark is among its own: then it is the one that the ledger has
//! seen, or what became of that. An older copy does not have the mark, nor has one that went on by itself under another
//! ledger.
//!
//! The database commits first and the ledger follows, before anything is sent: what is due is given only once the ledger
//! has the last mark. A process that dies in between leaves a database that is a mark ahead, of which nothing has left
//! the house; it is taken.
//!
//! What only comes in leaves no mark: a copy with all marks may lack frames that were received and acknowledged since. They
//! are not sent again, and a run that needs one ends at its deadline without a result. That costs the run, and nothing
//! else: the node says nothing twice.

use core::fmt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, Transaction, params};

pub(super) const MARKS: &str = "
    CREATE TABLE IF NOT EXISTS marks (number INTEGER PRIMARY KEY, tag BLOB NOT NULL);
";

pub(super) const WITNESS: &str = "
    CREATE TABLE IF NOT EXISTS witness (
        one INTEGER PRIMARY KEY CHECK (one = 1), number INTEGER NOT NULL, tag BLOB NOT NULL);
";

/// Marks that a database keeps: more than there are workers that may have committed and not yet told the ledger.
const KEPT: i64 = 64;

type Mark = (i64, [u8; 16]);

/// The error of opening a store.
#[derive(Debug)]
pub enum OpenError {
    /// SQLite's own.
    Sql(rusqlite::Error),
    /// The database is not the one that the ledger has seen last, nor what became of it.
    PutBack {
        /// The database.
        database: PathBuf,
        /// The number of its last mark.
        at: i64,
        /// The number of the mark that the ledger has seen.
        seen: i64,
    },
    /// The ledger has seen nothing of a database that has let something out: it is missing, or another's.
    NoLedger {
        /// The ledger.
        ledger: PathBuf,
        /// The number of the database's last mark.
        at: i64,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sql(error) => error.fmt(f),
            Self::PutBack { database, at, seen } => write!(
                f,
                "{} was put back from a backup, or is not this ledger's: it is at step {at}, and the ledger has seen \
                 step {seen}. What it holds may have been used since; a node that signed with it could give the key \
                 away. Put back the current database, or have the share repaired on a new one",
                database.display()
            ),
            Self::NoLedger { ledger, at } => write!(
                f,
                "{} knows nothing of its database, which is at step {at}: the record of what was spent is missing, \
                 and nothing is signed without it",
                ledger.display()
            ),
        }
    }
}

impl core::error::Error for OpenError {}

impl From<rusqlite::Error> for OpenError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

/// Refuses a database that is not what the ledger has seen, and tells the ledger of what it has not.
pub(super) fn check(
    (db, database): (&Connection, &Path),
    (ledger, path): (&Connection, &Path),
) -> Result<(), OpenError> {
    let last = last(db)?;
    let at = last.map_or(0, |(number, _)| number);
    let seen = ledger.query_row("SELECT number, tag FROM witness", [], mark).optional()?;
    match seen {
        // A process that died before it could tell the ledger of the first step.
        None if at <= 1 => {}
        None => return Err(OpenError::NoLedger { ledger: path.to_owned(), at }),
        Some((seen, tag)) => {
            let sql = "SELECT EXISTS (SELECT 1 FROM marks WHERE number = ? AND tag = ?)";
            if !db.query_row(sql, params![seen, tag], |row| row.get(0))? {
                return Err(OpenError::PutBack { database: database.to_owned(), at, seen });
            }
        }
    }
    Ok(last.map_or(Ok(()), |mark| tell(ledger, mark))?)
}

/// Leaves a mark in a transaction of the database.
pub(super) fn leave(tx: &Transaction<'_>) -> rusqlite::Result<Mark> {
    let sql = "INSERT INTO marks (number, tag)
        SELECT coalesce(max(number), 0) + 1, randomblob(16) FROM marks RETURNING number, tag";
    let (number, tag) = tx.query_row(sql, [], mark)?;
    tx.execute("DELETE FROM marks WHERE number <= ?", [number.saturating_sub(KEPT)])?;
    Ok((number, tag))
}

/// Tells the ledger of a mark, unless it has seen a later one of another worker.
pub(super) fn tell(ledger: &Connection, (number, tag): Mark) -> rusqlite::Result<()> {
    let sql = "INSERT INTO witness VALUES (1, ?, ?) ON CONFLICT DO UPDATE
        SET number = excluded.number, tag = excluded.tag WHERE excluded.number > number";
    ledger.execute(sql, params![number, tag]).map(drop)
}

/// Tells the ledger of the last mark of a database, if it has not seen it.
pub(super) fn catch_up(db: &Connection, ledger: &Connection) -> rusqlite::Result<()> {
    let Some(last) = last(db)? else { return Ok(()) };
    let sql = "SELECT number FROM witness";
    let seen: Option<i64> = ledger.query_row(sql, [], |row| row.get(0)).optional()?;
    if seen.is_some_and(|seen| seen >= last.0) { Ok(()) } else { tell(ledger, last) }
}

fn last(db: &Connection) -> rusqlite::Result<Option<Mark>> {
    db.query_row("SELECT number, tag FROM marks ORDER BY number DESC LIMIT 1", [], mark).optional()
}

fn mark(row: &rusqlite::Row<'_>) -> rusqlite::Result<Mark> {
    Ok((row.get(0)?, row.get(1)?))
}
