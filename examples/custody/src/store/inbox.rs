//! What peers have sent.
//!
//! Whoever works on a run holds the lock of its row; of a run that has not begun here, that of its name. So a frame is
//! either there when its run begins, or finds the run.

use quorate::runner::store::{Arrival, ArrivalKind, InboxRow, PutOutcome, RunContext, Taken};
use quorate::runner::{Bounds, PARKED_OVERHEAD, Stored};
use quorate::session::frame::{self, Tag};
use quorate::session::keyring::Keyring;

use super::reseal::given;
use super::rows::{inbox_row, kind, names};
use super::work::Work;
use crate::sql::{Result, Set, Sql, Type};
use crate::values;

/// An open run, as far as what comes for it is concerned.
struct Run {
    ended: bool,
    longest: usize,
}

/// What is there for a run: the rows that it has not taken in, those of one place, and whether one is a copy.
struct There {
    waiting: usize,
    place: usize,
    copy: bool,
}

pub(super) fn put(
    work: &mut Work<'_>,
    arrival: &Arrival<'_>,
    bounds: &Bounds,
) -> Result<PutOutcome> {
    let Arrival { context, place, sealed, .. } = *arrival;
    let run = match run(work, &context)? {
        Some(run) => Some(run),
        // It may have begun just now.
        None => {
            lock(work, &context)?;
            run(work, &context)?
        }
    };
    if run.as_ref().is_some_and(|run| run.ended) {
        return Ok(PutOutcome::Ended);
    }
    if run.is_none()
        && let Some(put) = put_opening(work, arrival)?
    {
        return Ok(put);
    }
    let there = there(work, arrival)?;
    if there.copy {
        // A copy of what is parked is parked.
        return Ok(if run.is_none() { PutOutcome::Parked } else { PutOutcome::Duplicate });
    }
    if there.place >= 2 {
        return Ok(PutOutcome::Contradiction);
    }
    if run.as_ref().is_some_and(|run| sealed.len() > run.longest) {
        return Ok(PutOutcome::TooLong);
    }
    let parked = run.is_none();
    let sender = place.from.get();
    let cost = sealed.len().saturating_add(PARKED_OVERHEAD);
    if parked && work.change.parked_by(work.db, sender)?.saturating_add(cost) > bounds.parked {
        return Ok(PutOutcome::Full);
    }
    insert(work, arrival, (parked, cost))?;
    if parked {
        work.change.parked(sender, i64::try_from(cost).unwrap_or(i64::MAX));
        return Ok(PutOutcome::Parked);
    }
    Ok(PutOutcome::Stored(there.waiting.saturating_add(1)))
}

/// The run of a frame; nobody else changes it before this transaction ends.
fn run(work: &mut Work<'_>, context: &RunContext) -> Result<Option<Run>> {
    let sql = "SELECT ended, longest FROM runs WHERE context = $1 /*pg FOR UPDATE*/";
    let row = work.first(sql, &values![context])?;
    row.map(|row| Ok(Run { ended: row.flag(0)?, longest: row.number(1)? })).transpose()
}

/// Takes the lock of the name of a run.
pub(super) fn lock(work: &mut Work<'_>, context: &RunContext) -> Result<()> {
    let first = context.first_chunk().copied().unwrap_or_default();
    let sql = "SELECT /*lite $1*/ /*pg pg_advisory_xact_lock($1)*/";
    // Far from the few that are used for other things.
    let name = i64::from_be_bytes(first) | (1 << 62);
    work.query(sql, &values![name]).map(drop)
}

fn there(work: &mut Work<'_>, arrival: &Arrival<'_>) -> Result<There> {
    let Arrival { context, place, id, .. } = *arrival;
    let sql = "SELECT count(*) FILTER (WHERE taken = 0),
        count(*) FILTER (WHERE sender = $2 AND round = $3 AND kind = $4),
        count(*) FILTER (WHERE sender = $2 AND round = $3 AND kind = $4 AND id = $5)
        FROM inbox WHERE context = $1";
    let values = values![&context, place.from.get(), place.round, kind(place.kind), &id];
    let row = work.one(sql, &values)?;
    Ok(There { waiting: row.number(0)?, place: row.number(1)?, copy: row.flag(2)? })
}

fn insert(work: &mut Work<'_>, arrival: &Arrival<'_>, (parked, cost): (bool, usize)) -> Result<()> {
    let Arrival { context, place, id, sealed, until, opening } = *arrival;
    let sql = "INSERT INTO inbox
        (context, sender, round, kind, id, sealed, tag, opening, cost, until, parked)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    // What is of a run is of no other.
    let opening = opening.filter(|_| parked);
    let tag = opening.as_ref().map(frame::tag);
    let mut values = values![&context, place.from.get(), place.round, kind(place.kind)].to_vec();
    // A word that a peer has stopped is under no key.
    let secret = matches!(place.kind, ArrivalKind::Broadcast | ArrivalKind::Direct);
    let sealed = if secret { work.stamp(sealed) } else { sealed.to_vec() };
    values.extend(values![&id, &sealed, tag.as_ref(), opening.as_ref(), cost, until, parked]);
    work.execute(sql, &values).map(drop)
}

/// Stores the opening of a frame for the open run with its tag, if there is one.
fn put_opening(work: &mut Work<'_>, arrival: &Arrival<'_>) -> Result<Option<PutOutcome>> {
    let Arrival { place, id, opening, until, .. } = *arrival;
    let Some(opening) = opening else { return Ok(None) };
    let sql = "SELECT context FROM runs WHERE tag = $1 AND ended = 0 ORDER BY context LIMIT 1 /*pg FOR UPDATE*/";
    let found = names(&work.query(sql, &values![&frame::tag(&opening)])?)?;
    let Some(&context) = found.first() else { return Ok(None) };
    let sql = "INSERT INTO inbox (context, sender, round, kind, id, sealed, cost, until, parked)
        SELECT $1, $2, $3, $4, $5, $6, 0, $7, 0 WHERE NOT EXISTS (SELECT 1 FROM inbox
            WHERE context = $1 AND sender = $2 AND round = $3 AND kind = $4)";
    let mut values = values![&context, place.from.get(), place.round].to_vec();
    values.extend(values![kind(ArrivalKind::Other), &id, &opening, until]);
    let new = work.execute(sql, &values)? == 1;
    let waiting = new.then(|| waiting(work, &context)).transpose()?;
    Ok(Some(PutOutcome::Other(context, waiting)))
}

/// The rows of a run that are not taken in.
fn waiting(work: &mut Work<'_>, context: &RunContext) -> Result<usize> {
    let sql = "SELECT count(*) FROM inbox WHERE context = $1 AND taken = 0";
    work.one(sql, &values![context])?.number(0)
}

/// What a run that begins finds: what was parked for it is its own, and of each peer that has parked something with its tag,
/// one opening is copied.
pub(super) fn take_over(work: &mut Work<'_>, context: &RunContext, tag: Tag) -> Result<()> {
    let sql =
        "UPDATE inbox SET parked = 0 WHERE context = $1 AND parked = 1 RETURNING sender, cost";
    let rows = work.query(sql, &values![context])?;
    work.change.unparked(&rows)?;
    let sql = "INSERT INTO inbox (context, sender, round, kind, id, sealed, cost, until, parked)
        SELECT $1, sender, round, $2, id, opening, 0, until, 0 FROM inbox AS one
        WHERE tag = $3 AND parked = 1 AND place = (SELECT min(place) FROM inbox AS other
            WHERE other.tag = one.tag AND other.parked = 1 AND other.sender = one.sender)";
    work.execute(sql, &values![context, kind(ArrivalKind::Other), &tag]).map(drop)
}

/// The rows of a run that are not taken in, in the order in which they came.
pub(super) fn rows(
    db: &mut dyn Sql,
    context: &RunContext,
    seals: Option<&Keyring>,
) -> Result<Vec<InboxRow>> {
    let sql = "SELECT sender, round, kind, id, sealed FROM inbox
        WHERE context = $1 AND taken = 0 ORDER BY place";
    let read = |row| {
        let row = inbox_row(row)?;
        Ok(match row.place.kind {
            ArrivalKind::Broadcast | ArrivalKind::Direct => {
                InboxRow { sealed: given(seals, Stored::Frame, row.sealed)?, ..row }
            }
            ArrivalKind::Stopped | ArrivalKind::Other => row,
        })
    };
    db.query(sql, &values![context])?.into_iter().map(read).collect()
}

static TAKE: Set = Set {
    columns: &[("context", Type::Bytes), ("sender", Type::Int), ("id", Type::Bytes)],
    sql:
        "UPDATE inbox SET taken = 1, sealed = /*pg ''::bytea*/ /*lite x''*/ FROM given
        WHERE inbox.context = given.context AND inbox.sender = given.sender AND inbox.id = given.id",
};

/// Marks rows of a run as taken in.
pub(super) fn take(work: &mut Work<'_>, context: &RunContext, taken: &[Taken]) -> Result<()> {
    let rows = taken.iter().map(|row| values![context, row.from.get(), &row.id].to_vec());
    let rows: Vec<_> = rows.collect();
    work.execute_set(&TAKE, &rows).map(drop)
}

/// Forgets what was parked and whose time is over.
pub(super) fn prune(work: &mut Work<'_>, now: u64) -> Result<()> {
    let sql = "DELETE FROM inbox WHERE place IN (SELECT place FROM inbox
        WHERE parked = 1 AND until <= $1 /*pg FOR UPDATE SKIP LOCKED*/) RETURNING sender, cost";
    let rows = work.query(sql, &values![now])?;
    work.change.unparked(&rows)
}
