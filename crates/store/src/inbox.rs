//! The packets of peers: for open runs, and parked for runs that have not started.

use quorate_runner::store::{Arrival, ArrivalKind, InboxRow, Place, PutOutcome, RunContext, Taken};
use quorate_runner::{Bounds, PARKED_OVERHEAD, Time};
use quorate_session::frame::{self, Prefix, Tag};

use crate::engine::Sql;
use crate::error::{Error, Result};
use crate::outbox::PRUNED;
use crate::value::{Row, moment, names, party, size, time, values};

/// The number of a kind in the database.
const fn number(kind: ArrivalKind) -> i64 {
    match kind {
        ArrivalKind::Broadcast => 0,
        ArrivalKind::Direct => 1,
        ArrivalKind::Stopped => 2,
        ArrivalKind::Other => 3,
    }
}

fn kind(number: i64) -> Result<ArrivalKind> {
    Ok(match number {
        0 => ArrivalKind::Broadcast,
        1 => ArrivalKind::Direct,
        2 => ArrivalKind::Stopped,
        3 => ArrivalKind::Other,
        _ => return Err(Error::Damaged(format!("a frame of the unknown kind {number}"))),
    })
}

pub(crate) fn put(db: &mut dyn Sql, arrival: &Arrival<'_>, bounds: &Bounds) -> Result<PutOutcome> {
    let Arrival { context, place, id, sealed, .. } = *arrival;
    // Whether the run has ended, its longest frame, the rows that wait, those at this place, and whether this one is among them.
    let sql = "SELECT ended, longest,
        (SELECT count(*) FROM inbox WHERE inbox.context = runs.context AND taken = 0),
        (SELECT count(*) FROM inbox
            WHERE context = $1 AND sender = $2 AND round = $3 AND kind = $4),
        (SELECT count(*) FROM inbox
            WHERE context = $1 AND sender = $2 AND round = $3 AND kind = $4 AND id = $5)
        FROM runs WHERE context = $1";
    let (from, round, kind) = (party(place.from), i64::from(place.round), number(place.kind));
    let Some(row) = db.first(sql, values![&context, from, round, kind, &id])? else {
        return put_early(db, arrival, bounds);
    };
    if row.number::<i64>(0)? == 1 {
        return Ok(PutOutcome::Ended);
    }
    if row.number::<i64>(4)? > 0 {
        return Ok(PutOutcome::Duplicate);
    }
    if row.number::<i64>(3)? >= 2 {
        return Ok(PutOutcome::Contradiction);
    }
    if sealed.len() > row.number::<usize>(1)? {
        return Ok(PutOutcome::TooLong);
    }
    insert(db, arrival, None)?;
    Ok(PutOutcome::Stored(row.number::<usize>(2)?.saturating_add(1)))
}

/// Stores a packet without a run under its context.
fn put_early(db: &mut dyn Sql, arrival: &Arrival<'_>, bounds: &Bounds) -> Result<PutOutcome> {
    let Arrival { context, place, id, .. } = *arrival;
    if let Some(opening) = arrival.opening
        && let Some(run) = tagged(db, &opening)?
    {
        return put_opening(db, arrival, &opening, run);
    }
    let there = names(&at(db, &context, place)?)?;
    if there.contains(&id) {
        // A copy of what is parked is parked.
        return Ok(PutOutcome::Parked);
    }
    if there.len() >= 2 {
        return Ok(PutOutcome::Contradiction);
    }
    park(db, arrival, bounds.parked)
}

/// The names of the packets at a place of a run.
fn at(db: &mut dyn Sql, context: &RunContext, place: Place) -> Result<Vec<Row>> {
    let sql = "SELECT id FROM inbox
        WHERE context = $1 AND sender = $2 AND round = $3 AND kind = $4";
    let Place { from, round, kind } = place;
    db.query(sql, values![context, party(from), i64::from(round), number(kind)])
}

/// Parks a packet, unless its sender has parked too much.
fn park(db: &mut dyn Sql, arrival: &Arrival<'_>, bound: usize) -> Result<PutOutcome> {
    let sql = "SELECT CAST(coalesce(sum(cost), 0) AS BIGINT) FROM inbox
        WHERE parked = 1 AND sender = $1";
    let parked = db.one(sql, values![party(arrival.place.from)])?.number::<usize>(0)?;
    let cost = arrival.sealed.len() + PARKED_OVERHEAD;
    if parked.saturating_add(cost) > bound {
        return Ok(PutOutcome::Full);
    }
    insert(db, arrival, Some(cost))?;
    Ok(PutOutcome::Parked)
}

/// Stores a packet; at this cost if it is parked.
fn insert(db: &mut dyn Sql, arrival: &Arrival<'_>, parked: Option<usize>) -> Result<()> {
    let Arrival { context, place, id, sealed, until, opening } = *arrival;
    let sql = "INSERT INTO inbox (context, sender, round, kind, id, sealed, tag, opening, cost,
        until, parked, taken) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0)";
    // The frames of a run are of no other.
    let opening = opening.filter(|_| parked.is_some());
    let tag = opening.as_ref().map(frame::tag);
    let (from, round) = (party(place.from), i64::from(place.round));
    let (cost, is_parked) = (size(parked.unwrap_or(0)), i64::from(parked.is_some()));
    let until = if parked.is_some() { time(until)? } else { moment(until) };
    let (kind, tag, opening) = (number(place.kind), tag.as_ref(), opening.as_ref());
    let row =
        values![&context, from, round, kind, &id, sealed, tag, opening, cost, until, is_parked];
    db.execute(sql, row).map(drop)
}

/// The open run with the tag of this opening, if there is one.
fn tagged(db: &mut dyn Sql, opening: &Prefix) -> Result<Option<RunContext>> {
    let sql = "SELECT context FROM runs WHERE tag = $1 AND ended = 0 ORDER BY context LIMIT 1";
    db.first(sql, values![&frame::tag(opening)])?.map(|row| row.array(0)).transpose()
}

/// Stores the opening of a frame for the run with its tag, if it is the first of its sender.
fn put_opening(
    db: &mut dyn Sql,
    arrival: &Arrival<'_>,
    opening: &Prefix,
    run: RunContext,
) -> Result<PutOutcome> {
    let place = Place { kind: ArrivalKind::Other, ..arrival.place };
    if !at(db, &run, place)?.is_empty() {
        return Ok(PutOutcome::Other { run, waiting: None });
    }
    insert(db, &Arrival { context: run, place, sealed: opening, ..*arrival }, None)?;
    let waiting = Some(waiting(db, &run)?);
    Ok(PutOutcome::Other { run, waiting })
}

/// The number of rows of a run that are not taken in.
fn waiting(db: &mut dyn Sql, context: &RunContext) -> Result<usize> {
    let sql = "SELECT count(*) FROM inbox WHERE context = $1 AND taken = 0";
    db.one(sql, values![context])?.number(0)
}

/// A run begins: it takes over what was parked under its context, and a copy of one opening of each peer that has parked
/// some with its tag.
pub(crate) fn take_over(db: &mut dyn Sql, context: &RunContext, tag: &Tag) -> Result<()> {
    let sql = "UPDATE inbox SET parked = 0, tag = NULL, opening = NULL
        WHERE context = $1 AND parked = 1";
    db.execute(sql, values![context])?;
    let sql = "INSERT INTO inbox
        (context, sender, round, kind, id, sealed, cost, until, parked, taken)
        SELECT $1, sender, round, $2, id, opening, 0, until, 0, 0 FROM inbox
        WHERE place IN (SELECT min(place) FROM inbox WHERE tag = $3 AND parked = 1 GROUP BY sender)";
    db.execute(sql, values![context, number(ArrivalKind::Other), tag]).map(drop)
}

/// Marks rows of a run as taken in.
pub(crate) fn take(db: &mut dyn Sql, context: &RunContext, taken: &[Taken]) -> Result<()> {
    let (sql, nothing): (_, &[u8]) = (
        "UPDATE inbox SET taken = 1, sealed = $4 WHERE context = $1 AND sender = $2 AND id = $3",
        &[],
    );
    taken.iter().try_for_each(|Taken { from, id }| {
        db.execute(sql, values![context, party(*from), id, nothing]).map(drop)
    })
}

/// The rows of a run that are not taken in, in the order in which they came.
pub(crate) fn rows(db: &mut dyn Sql, context: &RunContext) -> Result<Vec<InboxRow>> {
    let sql = "SELECT sender, round, kind, id, sealed FROM inbox
        WHERE context = $1 AND taken = 0 ORDER BY place";
    let read = |mut row: Row| {
        let (from, round, kind) = (row.party(0)?, row.number(1)?, kind(row.number(2)?)?);
        Ok(InboxRow {
            place: Place { from, round, kind },
            id: row.array(3)?,
            sealed: row.bytes(4)?,
        })
    };
    db.query(sql, values![context])?.into_iter().map(read).collect()
}

/// Returns whether anything can be forgotten.
pub(crate) fn is_over(db: &mut dyn Sql, now: Time) -> Result<bool> {
    let sql = "SELECT 1 FROM inbox WHERE parked = 1 AND until <= $1 LIMIT 1";
    db.finds(sql, values![moment(now)])
}

/// Forgets what was parked and whose time is over.
pub(crate) fn prune(db: &mut dyn Sql, now: Time) -> Result<()> {
    let sql = "DELETE FROM inbox WHERE place IN (SELECT place FROM inbox
        WHERE parked = 1 AND until <= $1 ORDER BY until LIMIT $2)";
    db.execute(sql, values![moment(now), PRUNED]).map(drop)
}
