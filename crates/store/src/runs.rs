//! Jobs and runs.

use quorate_runner::store::{BeginOutcome, Counts, JobRow, NewRun, NewStep, RunContext, RunRow};
use quorate_runner::{Bounds, Kind, Time};
use quorate_session::{SessionId, Slot};

use crate::engine::Sql;
use crate::error::Result;
use crate::value::{Value, list, moment, names, party, size, time, values};
use crate::{inbox, outbox};

pub(crate) fn canary(db: &mut dyn Sql, new: &[u8]) -> Result<Option<Vec<u8>>> {
    let sql = "INSERT INTO canary (one, sealed) VALUES (1, $1) ON CONFLICT DO NOTHING";
    if db.execute(sql, values![new])? == 1 {
        return Ok(None);
    }
    db.one("SELECT sealed FROM canary", &[])?.bytes(0).map(Some)
}

/// Returns whether nobody has used the database.
pub(crate) fn is_new(db: &mut dyn Sql) -> Result<bool> {
    Ok(!db.finds("SELECT 1 FROM canary", &[])?)
}

pub(crate) fn begin(db: &mut dyn Sql, run: &NewRun<'_>, bounds: &Bounds) -> Result<BeginOutcome> {
    let slot = run.sealed.slot();
    let (sid, context) = (run.sid.as_bytes(), slot.session());
    // Whether the job and the run are there, the number of open runs, whether anything is parked, and whether any outbox is full.
    let sql = "SELECT (SELECT count(*) FROM jobs WHERE sid = $1),
        (SELECT count(*) FROM runs WHERE context = $2),
        (SELECT number FROM quorate_totals WHERE what = -1),
        (SELECT count(*) FROM (SELECT 1 FROM inbox WHERE parked = 1 LIMIT 1) AS parked),
        (SELECT count(*) FROM quorate_totals WHERE what > 0 AND bytes > $3)";
    let row = db.one(sql, values![sid, &context, size(bounds.outbox)])?;
    let (jobs, runs, open, parked, full) = (
        row.number::<i64>(0)?,
        row.number::<i64>(1)?,
        row.number::<usize>(2)?,
        row.number::<i64>(3)?,
        row.number::<i64>(4)?,
    );
    if jobs + runs > 0 {
        return Ok(BeginOutcome::Exists);
    }
    if open >= bounds.open {
        return Ok(BeginOutcome::Busy);
    }
    if full > 0 && outbox::is_full(db, run.messages, bounds.outbox)? {
        return Ok(BeginOutcome::Outbox);
    }
    let sql = "INSERT INTO jobs (sid, digest, context) VALUES ($1, $2, $3)";
    db.execute(sql, values![sid, &run.digest, &context])?;
    let sql = "INSERT INTO runs
        (context, kind, sid, tag, job, sealed, party, slot, deadline, longest, ended)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0)";
    let (kind, sealed) = (run.kind.as_bytes(), run.sealed.as_bytes());
    let (me, length) = (party(slot.party_id()), i64::from(slot.length()));
    let (deadline, longest) = (time(run.deadline)?, size(run.longest));
    let row =
        values![&context, kind, sid, &run.tag, run.job, sealed, me, length, deadline, longest];
    db.execute(sql, row)?;
    if parked > 0 {
        inbox::take_over(db, &context, &run.tag)?;
    }
    outbox::add(db, &context, run.messages)?;
    Ok(BeginOutcome::Begun { parked: parked > 0 })
}

pub(crate) fn swap(db: &mut dyn Sql, before: Slot, step: &NewStep<'_>) -> Result<bool> {
    let context = before.session();
    let (sealed, length) = (step.after.as_bytes(), i64::from(step.after.slot().length()));
    let (me, at) = (party(before.party_id()), i64::from(before.length()));
    let Some(outcome) = step.outcome else {
        let sql = "UPDATE runs SET sealed = $1, slot = $2
            WHERE context = $3 AND party = $4 AND slot = $5 AND ended = 0";
        if db.execute(sql, values![sealed, length, &context, me, at])? != 1 {
            return Ok(false);
        }
        inbox::take(db, &context, step.taken)?;
        outbox::add(db, &context, step.messages)?;
        return Ok(true);
    };
    let sql = "UPDATE runs SET sealed = $1, slot = $2, ended = 1, job = $3
        WHERE context = $4 AND party = $5 AND slot = $6 AND ended = 0";
    if db.execute(sql, values![sealed, length, NOTHING, &context, me, at])? != 1 {
        return Ok(false);
    }
    close(db, &context, outcome, step)?;
    Ok(true)
}

pub(crate) fn abandon(db: &mut dyn Sql, context: &RunContext, step: &NewStep<'_>) -> Result<bool> {
    let sql = "UPDATE runs SET sealed = $1, slot = $2, ended = 1, job = $3
        WHERE context = $4 AND ended = 0";
    let length = i64::from(step.after.slot().length());
    if db.execute(sql, values![step.after.as_bytes(), length, NOTHING, context])? != 1 {
        return Ok(false);
    }
    close(db, context, step.outcome.unwrap_or_default(), step)?;
    Ok(true)
}

/// The job of a run that has ended.
const NOTHING: &[u8] = &[];

/// The end of a run, whose tombstone is stored.
fn close(db: &mut dyn Sql, context: &RunContext, outcome: &[u8], step: &NewStep<'_>) -> Result<()> {
    outbox::add(db, context, step.messages)?;
    outbox::end(db, context, step.until)?;
    db.execute("DELETE FROM inbox WHERE context = $1", values![context])?;
    let sql = "UPDATE jobs SET outcome = $1 WHERE sid = (SELECT sid FROM runs WHERE context = $2)";
    db.execute(sql, values![outcome, context]).map(drop)
}

pub(crate) fn replace_outcome(db: &mut dyn Sql, sid: &SessionId, outcome: &[u8]) -> Result<bool> {
    let sql = "UPDATE jobs SET outcome = $1 WHERE sid = $2 AND outcome IS NOT NULL";
    Ok(db.execute(sql, values![outcome, sid.as_bytes()])? == 1)
}

pub(crate) fn job(db: &mut dyn Sql, sid: &SessionId) -> Result<Option<JobRow>> {
    let sql = "SELECT digest, context, outcome FROM jobs WHERE sid = $1";
    let row = db.first(sql, values![sid.as_bytes()])?.map(|mut row| {
        Ok(JobRow { digest: row.array(0)?, context: row.array(1)?, outcome: row.bytes_if(2)? })
    });
    row.transpose()
}

pub(crate) fn run(db: &mut dyn Sql, context: &RunContext) -> Result<Option<RunRow>> {
    let sql = "SELECT kind, sid, job, sealed, deadline FROM runs WHERE context = $1";
    let row = db.first(sql, values![context])?.map(|mut row| {
        Ok(RunRow {
            kind: Kind::new(row.array(0)?),
            sid: SessionId::new(row.array(1)?),
            job: row.bytes(2)?,
            sealed: row.bytes(3)?,
            deadline: row.number(4)?,
        })
    });
    row.transpose()
}

/// A condition on the kind of a run, whose values are those from this number on.
fn among(kinds: &[Kind], first: usize) -> String {
    let list = list(first, kinds.len());
    if list.is_empty() { "1 = 0".to_owned() } else { format!("kind IN ({list})") }
}

/// Values, and those of the condition.
fn and_kinds<'v>(values: &[Value<'v>], kinds: &'v [Kind]) -> Vec<Value<'v>> {
    let kinds = kinds.iter().map(|kind| Value::from(kind.as_bytes()));
    values.iter().copied().chain(kinds).collect()
}

pub(crate) fn expired(
    db: &mut dyn Sql,
    kinds: &[Kind],
    now: Time,
    most: usize,
) -> Result<Vec<RunContext>> {
    let sql = format!(
        "SELECT context FROM runs WHERE ended = 0 AND deadline <= $1 AND {}
        ORDER BY deadline, context LIMIT $2",
        among(kinds, 3)
    );
    names(&db.query(&sql, &and_kinds(values![moment(now), size(most)], kinds))?)
}

pub(crate) fn open(
    db: &mut dyn Sql,
    kinds: &[Kind],
    after: Option<&RunContext>,
    most: usize,
) -> Result<Vec<RunContext>> {
    let sql = format!(
        "SELECT context FROM runs WHERE ended = 0 AND context > $1 AND {}
        ORDER BY context LIMIT $2",
        among(kinds, 3)
    );
    let after = after.map_or(&[][..], |context| context.as_slice());
    names(&db.query(&sql, &and_kinds(values![after, size(most)], kinds))?)
}

pub(crate) fn next(db: &mut dyn Sql, kinds: &[Kind]) -> Result<Option<Time>> {
    let sql = format!(
        "SELECT min(at) FROM (SELECT min(due) AS at FROM outbox
        UNION ALL SELECT min(deadline) FROM runs WHERE ended = 0 AND {}) AS times",
        among(kinds, 1)
    );
    let at = db.one(&sql, &and_kinds(&[], kinds))?.int_if(0)?;
    Ok(at.map(|at| Time::try_from(at).unwrap_or(0)))
}

pub(crate) fn counts(db: &mut dyn Sql) -> Result<Counts> {
    let sql = "SELECT (SELECT number FROM quorate_totals WHERE what = -1),
        (SELECT CAST(coalesce(sum(number), 0) AS BIGINT) FROM quorate_totals WHERE what > 0),
        (SELECT bytes FROM quorate_totals WHERE what = -2),
        (SELECT CAST(coalesce(sum(cost), 0) AS BIGINT) FROM inbox WHERE parked = 1)";
    let row = db.one(sql, &[])?;
    Ok(Counts {
        open: row.number(0)?,
        messages: row.number(1)?,
        outbox: row.number(2)?,
        parked: row.number(3)?,
    })
}
