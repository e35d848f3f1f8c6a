//! Two databases that watch each other: each remembers how far the other has come.
//!
//! A transaction that lets something out leaves a mark in its database: the next number, and 16 random bytes. The other
//! database is told of it before the method returns, and keeps the last one that it was told. A database that does not have
//! the mark that the other remembers was restored to an older copy, or is not its partner.

use crate::engine::{Connection, Sql, transaction};
use crate::error::{Error, Result};
use crate::rolled_back::RolledBack;
use crate::value::{Row, values};

/// The marks that a database keeps at least: of more steps than are under way at a time, and of the time between two looks of a
/// peer.
const KEPT: u64 = 4096;
/// Older marks are forgotten this many at a time.
const FORGOTTEN: u64 = 64;

/// A head of a store's ledger: a number that rises with each step, and the step's mark.
///
/// Tell it to peers, or to a counter outside, before a step's messages are sent. After a restart ask them for the last one
/// that they know, and the store [how it stands](crate::SqlStore::standing) to that.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Head {
    /// The number of steps so far.
    pub step: u64,
    /// Random bytes, which tell two histories apart that have the same number of steps.
    pub mark: [u8; 16],
}

/// The relation of a [`Head`] that somebody remembers to a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// The store has been there: nothing that the witness knows is missing.
    Known,
    /// The head is older than the last 4096 steps, of which alone the store keeps the marks.
    Older,
    /// The store has never been there: it was restored to an older copy, or is another.
    Unknown,
}

fn head(row: &Row) -> Result<Head> {
    Ok(Head { step: row.number(0)?, mark: row.array(1)? })
}

/// The last mark.
pub(crate) fn last(db: &mut dyn Sql) -> Result<Option<Head>> {
    let sql = "SELECT step, mark FROM quorate_marks ORDER BY step DESC LIMIT 1";
    db.first(sql, &[])?.map(|row| head(&row)).transpose()
}

/// The last mark; an error if the database has come less far than this handle knows.
pub(crate) fn reached(db: &mut dyn Sql, is_spent: bool, known: u64) -> Result<Option<Head>> {
    let last = last(db)?;
    let at = last.map_or(0, |last| last.step);
    if at < known {
        return Err(Error::RolledBack(RolledBack { is_spent, at, seen: known }));
    }
    Ok(last)
}

/// Leaves the next mark, in a transaction of the database that lets something out. `known` is the last step that this handle
/// knows of: a database that has come less far was restored while it was open.
pub(crate) fn leave(db: &mut dyn Sql, is_spent: bool, known: u64) -> Result<Head> {
    let mut mark = [0; 16];
    getrandom::fill(&mut mark)
        .map_err(|error| Error::Database(format!("no random bytes: {error}")))?;
    let sql = "INSERT INTO quorate_marks (step, mark)
        VALUES ((SELECT coalesce(max(step), 0) + 1 FROM quorate_marks), $1) RETURNING step";
    let step = db.one(sql, values![&mark])?.number::<u64>(0)?;
    let at = step.saturating_sub(1);
    if at < known {
        return Err(Error::RolledBack(RolledBack { is_spent, at, seen: known }));
    }
    if step.is_multiple_of(FORGOTTEN) {
        let old = crate::value::time(step.saturating_sub(KEPT))?;
        db.execute("DELETE FROM quorate_marks WHERE step <= $1", values![old])?;
    }
    Ok(Head { step, mark })
}

/// How a head stands to this database.
pub(crate) fn standing(db: &mut dyn Sql, head: &Head) -> Result<Standing> {
    let step = crate::value::moment(head.step);
    let sql = "SELECT mark FROM quorate_marks WHERE step = $1";
    if let Some(row) = db.first(sql, values![step])? {
        let known = row.array(0)? == head.mark;
        return Ok(if known { Standing::Known } else { Standing::Unknown });
    }
    let at = last(db)?.map_or(0, |last| last.step);
    Ok(if head.step < at { Standing::Older } else { Standing::Unknown })
}

/// The last mark of the other database that this one remembers.
fn seen(db: &mut dyn Sql) -> Result<Option<Head>> {
    let row = db.one("SELECT seen_step, seen_mark FROM quorate_store", &[])?;
    if row.int_if(0)?.is_none() { Ok(None) } else { head(&row).map(Some) }
}

/// A database, and whether it is the one of what was spent.
type Which<'a> = (&'a mut dyn Connection, bool);

/// Checks that a database has a mark. If it has not, it was restored to an older copy since the mark was left.
fn expect((db, is_spent): Which<'_>, head: &Head) -> Result<()> {
    if standing(db, head)? != Standing::Unknown {
        return Ok(());
    }
    let at = last(db)?.map_or(0, |last| last.step);
    Err(Error::RolledBack(RolledBack { is_spent, at, seen: head.step }))
}

/// Checks that a database has the mark that the other one remembers, which may come from another handle. The other one goes
/// on remembering a mark that was lost.
fn expect_seen(from: Which<'_>, by: &mut dyn Connection) -> Result<()> {
    seen(by)?.map_or(Ok(()), |before| expect(from, &before))
}

/// Tells the database of what was spent of a mark of the runs if it `is_news` to this handle, unless the database knows of a later
/// one.
///
/// Compares them in any case: another handle may have found out that the runs were restored, and this one would send what that
/// one has stored. At the end the mark has to be there still: if the runs were restored before the other database was told,
/// it may know another step of this number.
pub(crate) fn tell_spent(
    runs: &mut dyn Connection,
    spent: &mut dyn Connection,
    head: &Head,
    is_news: bool,
) -> Result<()> {
    expect_seen((runs, false), spent)?;
    if is_news {
        transaction(spent, |tx| remember(tx, head, true))?;
    }
    expect((runs, false), head)
}

/// Tells the database of the runs of a mark of a claim, unless it knows of a later one, and leaves a mark there as well: a
/// witness remembers the runs' marks, and nothing else shows that both databases lost the claim. `then` writes there, too.
/// At the end the claim's mark has to be there still, as in [`tell_spent`].
pub(crate) fn tell_runs(
    spent: &mut dyn Connection,
    runs: &mut dyn Connection,
    head: &Head,
    known: u64,
    mut then: impl FnMut(&mut dyn Sql) -> Result<()>,
) -> Result<Option<Head>> {
    expect_seen((spent, true), runs)?;
    let left = transaction(runs, |tx| {
        then(tx)?;
        let is_news = remember(tx, head, true)?;
        is_news.then(|| leave(tx, false, known)).transpose()
    })?;
    expect((spent, true), head)?;
    Ok(left)
}

/// Remembers a mark of the other database; returns whether it is another one than before.
fn remember(db: &mut dyn Sql, head: &Head, later: bool) -> Result<bool> {
    let only = if later { " WHERE seen_step IS NULL OR seen_step < $1" } else { "" };
    let sql = format!("UPDATE quorate_store SET seen_step = $1, seen_mark = $2{only}");
    Ok(db.execute(&sql, values![crate::value::time(head.step)?, &head.mark])? == 1)
}

/// Says whether what was spent is in another database.
pub(crate) fn is_apart(db: &mut dyn Sql) -> Result<bool> {
    Ok(db.one("SELECT apart FROM quorate_store", &[])?.number::<i64>(0)? == 1)
}

/// Compares the two databases: the one that was rolled back, if any was. Two that have never met are made a pair: claims that
/// the runs' database has so far move to the other one.
pub(crate) fn check(
    runs: &mut dyn Connection,
    spent: &mut dyn Connection,
) -> Result<Option<RolledBack>> {
    // Each is read before the one that has to be ahead of it, since other workers continue.
    let (mut of_runs, of_spent) = (seen(spent)?, seen(runs)?);
    if of_runs.is_none() && of_spent.is_some() {
        // Another process may have paired them in between, and `pair` tells what was spent first.
        of_runs = seen(spent)?;
    }
    if let Some(head) = of_runs
        && standing(runs, &head)? != Standing::Known
    {
        let at = last(runs)?.map_or(0, |last| last.step);
        return Ok(Some(RolledBack { is_spent: false, at, seen: head.step }));
    }
    match of_spent {
        Some(head) if of_runs.is_none() || standing(spent, &head)? != Standing::Known => {
            let at = last(spent)?.map_or(0, |last| last.step);
            Ok(Some(RolledBack { is_spent: true, at, seen: head.step }))
        }
        Some(_) => Ok(None),
        None => pair(runs, spent).map(|()| None),
    }
}

/// The last mark, or the first one.
fn last_or_first(db: &mut dyn Sql, is_spent: bool) -> Result<Head> {
    last(db)?.map_or_else(|| leave(db, is_spent, 0), Ok)
}

/// Each step may be repeated after a crash, and by several processes at once.
fn pair(runs: &mut dyn Connection, spent: &mut dyn Connection) -> Result<()> {
    let (head, claims) = transaction(runs, |tx| {
        // Nobody who has opened it alone adds a claim from now on.
        tx.execute("UPDATE quorate_store SET apart = 1", &[])?;
        let claims = tx.query("SELECT id, digest FROM claims", &[])?;
        Ok((last_or_first(tx, false)?, claims))
    })?;
    let told = transaction(spent, |tx| {
        let sql = "INSERT INTO claims (id, digest) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        for row in &claims {
            tx.execute(sql, values![&row.array::<32>(0)?, &row.array::<32>(1)?])?;
        }
        remember(tx, &head, true)?;
        last_or_first(tx, true)
    })?;
    transaction(runs, |tx| remember(tx, &told, true)).map(drop)
}

/// Makes two databases a pair as they are.
pub(crate) fn settle(runs: &mut dyn Connection, spent: &mut dyn Connection) -> Result<()> {
    let of_runs = transaction(runs, |tx| {
        tx.execute("UPDATE quorate_store SET apart = 1", &[])?;
        last_or_first(tx, false)
    })?;
    let of_spent = transaction(spent, |tx| {
        remember(tx, &of_runs, false)?;
        last_or_first(tx, true)
    })?;
    transaction(runs, |tx| remember(tx, &of_spent, false)).map(drop)
}

#[cfg(all(test, feature = "sqlite"))]
mod tests;
