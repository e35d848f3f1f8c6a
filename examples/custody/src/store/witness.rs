//! The witness against a database that was put back: each transaction that lets something out leaves a mark in the database,
//! and the ledger keeps the last. Peers may keep it, too.
//!
//! A mark is a number, an epoch and a head: the hash of the head before it, of what was released, and of 16 random bytes. The
//! database keeps its last [`KEPT`]; the ledger, which backups do not reach, keeps one. A database is taken if the ledger's
//! mark is among its own: then it is the one that the ledger has seen, or what became of that. An older copy does not
//! have it, nor has one that went on by itself under another ledger.
//!
//! The database commits first and the ledger follows, before anything is sent. A process that dies in between leaves a
//! database that is a mark ahead, of which nothing has left the house; it is taken.
//!
//! The other way round the database keeps how far its ledger has come, and refuses one that has come less far: a dump that
//! was restored, or a replica that lags. With each mark it stores what the ledger has confirmed until then. The last mark of a
//! process that died may be missing there; what was spent with that, the database itself knows.
//!
//! What only comes in leaves no mark: a copy with all marks may lack frames that were received and acknowledged since. They
//! are not sent again, and a run that needs one ends at its deadline without a result. That costs the run, and nothing
//! else: the node says nothing twice.

use core::fmt;

use getrandom::SysRng;
use quorate::session::rand_core::TryRng;
use sha2::{Digest, Sha256};

use crate::sql::{Db, Error, Result, Row, Sql};
use crate::values;

/// The marks that a database keeps: of more transactions than may be under way, and of the time between two looks of a peer.
pub const KEPT: i64 = 4096;

/// What a mark is hashed under.
const LABEL: &[u8] = b"custody mark";

/// The lock of the chain of marks, on PostgreSQL. Whoever holds it commits next.
const LOCK: i64 = 1;

/// A mark: the end of the chain of what a database has released.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// How often the node has begun anew after its database was put back.
    pub epoch: u32,
    /// The number of marks before.
    pub number: u64,
    /// The hash of all that was released.
    pub head: [u8; 32],
}

/// How a mark that a witness has kept stands to a database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It is one of the database's.
    Known,
    /// It is older than those that the database keeps.
    Older,
    /// It is none of the database's: the database was put back, or is another.
    Unknown,
}

/// The error of opening a store.
#[derive(Debug)]
pub enum OpenError {
    /// The database's own.
    Sql(Error),
    /// The database is not the one that the ledger has seen last, nor what became of it.
    PutBack {
        /// The database.
        database: String,
        /// The number of its last mark.
        at: u64,
        /// The number of the mark that the ledger has seen.
        seen: u64,
        /// The epoch of the database's last mark.
        epoch: u32,
    },
    /// The ledger has not seen what the database knows that it has confirmed: it was put back, or is an old replica.
    LedgerPutBack {
        /// The ledger.
        ledger: String,
        /// The number of the mark that it has seen.
        at: u64,
        /// The number of the mark that it has confirmed.
        confirmed: u64,
        /// The epoch of the database's last mark.
        epoch: u32,
    },
    /// The ledger has seen nothing of a database that has let something out: it is missing, or another's.
    NoLedger {
        /// The ledger.
        ledger: String,
        /// The number of the database's last mark.
        at: u64,
        /// Its epoch.
        epoch: u32,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sql(error) => error.fmt(f),
            Self::PutBack { database, at, seen, .. } => write!(
                f,
                "{database} was put back from a backup, or is not this ledger's: it is at step {at}, and the ledger has \
                 seen step {seen}. What it holds may have been used since; a node that signed with it could give the key \
                 away. Put back the current database, or have the share repaired on a new one"
            ),
            Self::LedgerPutBack { ledger, at, confirmed, .. } => write!(
                f,
                "{ledger} was put back from a backup, or is a replica that lags: it has seen step {at}, and has confirmed \
                 step {confirmed} before. It has forgotten what was spent; a node that signed with it could give the key \
                 away. Put the current ledger in its place"
            ),
            Self::NoLedger { ledger, at, .. } => write!(
                f,
                "{ledger} knows nothing of its database, which is at step {at}: the record of what was spent is missing, \
                 and nothing is signed without it"
            ),
        }
    }
}

impl core::error::Error for OpenError {}

impl From<Error> for OpenError {
    fn from(error: Error) -> Self {
        Self::Sql(error)
    }
}

/// Refuses a database that is not what the ledger has seen, and tells the ledger of what it has not; gives its last mark.
pub(super) fn check(
    (db, database): (&mut Db, impl fmt::Display),
    (ledger, name): (&mut Db, impl fmt::Display),
) -> core::result::Result<Option<Mark>, OpenError> {
    // Each is read after the one that it must not be behind, since other workers go on.
    let confirmed = confirmed(db)?;
    let seen = seen(ledger)?;
    let last = last(db)?;
    let (at, epoch) = last.map_or((0, 0), |mark| (mark.number, mark.epoch));
    if let (Some(seen), Some(confirmed)) = (seen, confirmed)
        && seen.number < confirmed
    {
        let (ledger, at) = (name.to_string(), seen.number);
        return Err(OpenError::LedgerPutBack { ledger, at, confirmed, epoch });
    }
    match seen {
        // A process that died before it could tell the ledger of the first step.
        None if at <= 1 && confirmed.is_none() => {}
        _ if begins(db, last, seen)? => {}
        None => return Err(OpenError::NoLedger { ledger: name.to_string(), at, epoch }),
        Some(seen) => {
            if standing(db, &seen)? != Standing::Known {
                let (database, seen) = (database.to_string(), seen.number);
                return Err(OpenError::PutBack { database, at, seen, epoch });
            }
        }
    }
    last.map_or(Ok(()), |mark| tell(ledger, &mark, seen.map(|seen| seen.number)))?;
    Ok(last)
}

/// Whether a database has begun an epoch after all that the ledger has seen, and released nothing since: a worker has not
/// come to telling the ledger yet.
fn begins(db: &mut dyn Sql, last: Option<Mark>, seen: Option<Mark>) -> Result<bool> {
    let Some(last) = last else { return Ok(false) };
    let (epoch, number) = seen.map_or((1, 0), |seen| (seen.epoch, seen.number));
    let marks: u64 = db.one("SELECT count(*) FROM marks", &[])?.number(0)?;
    Ok(last.epoch > epoch && last.number > number && marks == 1)
}

/// How a mark stands to a database.
pub(super) fn standing(db: &mut dyn Sql, mark: &Mark) -> Result<Standing> {
    let sql = "SELECT epoch, number, head FROM marks WHERE number = $1";
    if let Some(row) = db.first(sql, &values![mark.number])? {
        let known = self::mark(&row)? == *mark;
        return Ok(if known { Standing::Known } else { Standing::Unknown });
    }
    let last = last(db)?.map_or(0, |last| last.number);
    Ok(if mark.number < last { Standing::Older } else { Standing::Unknown })
}

/// Leaves a mark in a transaction of the database, as the last thing before it is committed.
pub(super) fn leave(db: &mut dyn Sql, released: &[u8; 32]) -> Result<Mark> {
    let before = locked(db)?;
    let (epoch, number) = before.map_or((1, 0), |mark| (mark.epoch, mark.number));
    let head = before.map_or([0; 32], |mark| mark.head);
    write(db, &next(head, (epoch, number.saturating_add(1)), released)?)
}

/// Whether this is the epoch of the last mark: else another worker has ended it already.
pub(super) fn ends(db: &mut dyn Sql, epoch: u32) -> Result<bool> {
    Ok(last(db)?.map_or(0, |mark| mark.epoch) == epoch)
}

/// Leaves the first mark of a new epoch, after all that anybody has seen. Nobody else has begun one meanwhile: its caller has
/// the database alone.
pub(super) fn begin_epoch(db: &mut dyn Sql, seen: &[Mark], ends: u32) -> Result<Option<Mark>> {
    let known = locked(db)?;
    if known.map_or(0, |mark| mark.epoch) != ends {
        return Err(Error::other("another worker has begun a new epoch"));
    }
    let all = || seen.iter().copied().chain(known);
    let epoch = all().map(|mark| mark.epoch).max().unwrap_or(0).saturating_add(1);
    let number = all().map(|mark| mark.number).max().unwrap_or(0).saturating_add(1);
    // Marks of a branch that ended here are none of this chain.
    db.execute("DELETE FROM marks", &[])?;
    // What the ledger of before has confirmed is over.
    db.execute("DELETE FROM confirmed", &[])?;
    Ok(Some(write(db, &next([0; 32], (epoch, number), &[0; 32])?)?))
}

/// The last mark, after which nobody leaves one before this transaction ends.
fn locked(db: &mut dyn Sql) -> Result<Option<Mark>> {
    let sql = "SELECT /*lite $1*/ /*pg pg_advisory_xact_lock($1)*/";
    db.query(sql, &values![LOCK])?;
    last(db)
}

fn next(head: [u8; 32], (epoch, number): (u32, u64), released: &[u8; 32]) -> Result<Mark> {
    let mut random = [0; 16];
    SysRng.try_fill_bytes(&mut random).map_err(|error| Error::other(error.to_string()))?;
    let hash = Sha256::new_with_prefix(LABEL).chain_update(epoch.to_be_bytes());
    let hash = hash.chain_update(number.to_be_bytes()).chain_update(head);
    let head = hash.chain_update(released).chain_update(random).finalize().into();
    Ok(Mark { epoch, number, head })
}

fn write(db: &mut dyn Sql, mark: &Mark) -> Result<Mark> {
    let sql = "INSERT INTO marks (slot, number, epoch, head) VALUES ($1, $2, $3, $4)
        ON CONFLICT (slot) DO UPDATE SET number = excluded.number, epoch = excluded.epoch, head = excluded.head";
    let slot = i64::try_from(mark.number).unwrap_or(i64::MAX) & (KEPT - 1);
    db.execute(sql, &values![slot, mark.number, mark.epoch, &mark.head])?;
    Ok(*mark)
}

/// Keeps how far the ledger has come, along with a mark that is left: whoever does so has its lock.
pub(super) fn confirm(db: &mut dyn Sql, told: &Mark) -> Result<()> {
    let sql = "INSERT INTO confirmed AS c (one, number) VALUES (1, $1)
        ON CONFLICT (one) DO UPDATE SET number = excluded.number WHERE excluded.number > c.number";
    db.execute(sql, &values![told.number]).map(drop)
}

/// The number of the last mark that the ledger has confirmed, as far as the database knows.
fn confirmed(db: &mut dyn Sql) -> Result<Option<u64>> {
    db.first("SELECT number FROM confirmed", &[])?.map(|row| row.number(0)).transpose()
}

/// Tells the ledger of a mark, unless it has seen a later one of another worker. It has seen one of this number before, if one
/// is given: a ledger that has not is refused.
pub(super) fn tell(ledger: &mut Db, mark: &Mark, before: Option<u64>) -> Result<()> {
    let Some(before) = before else {
        let sql = "INSERT INTO witness AS w (one, number, epoch, head) VALUES (1, $1, $2, $3)
            ON CONFLICT (one) DO UPDATE SET number = excluded.number, epoch = excluded.epoch, head = excluded.head
            WHERE excluded.number > w.number";
        return ledger.execute(sql, &values![mark.number, mark.epoch, &mark.head]).map(drop);
    };
    let sql =
        "UPDATE witness SET number = $1, epoch = $2, head = $3 WHERE number >= $4 AND number < $1";
    if ledger.execute(sql, &values![mark.number, mark.epoch, &mark.head, before])? == 1 {
        return Ok(());
    }
    let seen = seen(ledger)?.map_or(0, |seen| seen.number);
    if seen >= mark.number {
        return Ok(());
    }
    Err(Error::other(format!("the ledger was put back: it is at step {seen}, and was at {before}")))
}

/// The last mark of a database.
pub(super) fn last(db: &mut dyn Sql) -> Result<Option<Mark>> {
    let sql = "SELECT epoch, number, head FROM marks ORDER BY number DESC LIMIT 1";
    db.first(sql, &[])?.map(|row| mark(&row)).transpose()
}

/// The mark that the ledger has seen.
pub(super) fn seen(ledger: &mut Db) -> Result<Option<Mark>> {
    let row = ledger.first("SELECT epoch, number, head FROM witness", &[])?;
    row.map(|row| mark(&row)).transpose()
}

fn mark(row: &Row) -> Result<Mark> {
    Ok(Mark { epoch: row.number(0)?, number: row.number(1)?, head: row.array(2)? })
}
