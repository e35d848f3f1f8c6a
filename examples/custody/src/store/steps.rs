//! The life of a run: its beginning, its steps, its end.

use quorate::SessionId;
use quorate::runner::store::{BeginOutcome, Context, JobRow, NewRun, NewStep, RunRow};
use quorate::runner::{Bounds, Stored, Time};
use quorate::session::{Sealed, Slot};

use super::reseal::given;
use super::rows::{in_its_slot, names};
use super::work::Work;
use super::{inbox, outbox};
use crate::seals::Seals;
use crate::sql::{Result, Sql};
use crate::values;

/// The bounds hold for what is committed and what this transaction does; what other workers have under way comes on top.
pub(super) fn begin(
    work: &mut Work<'_>,
    run: &NewRun<'_>,
    bounds: &Bounds,
) -> Result<BeginOutcome> {
    let slot = run.sealed.slot();
    let context = slot.session();
    inbox::lock(work, &context)?;
    let sql = "SELECT 1 WHERE EXISTS (SELECT 1 FROM jobs WHERE sid = $1)
        OR EXISTS (SELECT 1 FROM runs WHERE context = $2)";
    if work.first(sql, &values![&run.sid, &context])?.is_some() {
        return Ok(BeginOutcome::Exists);
    }
    let counts = work.change.counts(work.db)?;
    if counts.open >= bounds.open {
        return Ok(BeginOutcome::Busy);
    }
    if counts.outbox > bounds.outbox {
        return Ok(BeginOutcome::Outbox);
    }
    let sql = "INSERT INTO jobs (sid, digest, context) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
    if work.execute(sql, &values![&run.sid, &run.digest, &context])? == 0 {
        // Another worker was faster, with other parameters.
        return Ok(BeginOutcome::Exists);
    }
    let sql = "INSERT INTO runs
        (context, protocol, sid, tag, job, sealed, party, slot, deadline, longest)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let (job, sealed) = (work.stamp(run.job), stamped(work, run.sealed));
    let mut values = values![&context, run.code, &run.sid, &run.tag, &job].to_vec();
    values.extend(values![&sealed, slot.party().get(), slot.length()]);
    values.extend(values![run.deadline, run.longest]);
    work.execute(sql, &values)?;
    work.change.opened(1);
    work.release(run.sealed.as_bytes());
    inbox::take_over(work, &context, run.tag)?;
    outbox::post(work, run.letters)?;
    Ok(BeginOutcome::Begun)
}

pub(super) fn swap(work: &mut Work<'_>, before: Slot, step: &NewStep<'_>) -> Result<bool> {
    let context = before.session();
    let sql = "UPDATE runs SET sealed = $1, slot = $2, ended = $3
        WHERE context = $4 AND party = $5 AND slot = $6 AND ended = 0";
    let (after, ended) = (step.after.slot(), step.outcome.is_some());
    let sealed = stamped(work, step.after);
    let mut values = values![&sealed, after.length(), ended].to_vec();
    values.extend(values![&context, before.party().get(), before.length()]);
    if work.execute(sql, &values)? != 1 {
        return Ok(false);
    }
    work.release(step.after.as_bytes());
    match step.outcome {
        Some(outcome) => close(work, &context, outcome)?,
        None => inbox::take(work, &context, step.taken)?,
    }
    outbox::post(work, step.letters)?;
    Ok(true)
}

pub(super) fn bury(work: &mut Work<'_>, context: &Context, step: &NewStep<'_>) -> Result<bool> {
    let sql = "UPDATE runs SET sealed = $1, slot = $2, ended = 1 WHERE context = $3 AND ended = 0";
    let sealed = stamped(work, step.after);
    let values = values![&sealed, step.after.slot().length(), context];
    if work.execute(sql, &values)? != 1 {
        return Ok(false);
    }
    work.release(step.after.as_bytes());
    close(work, context, step.outcome.unwrap_or_default())?;
    outbox::post(work, step.letters)?;
    Ok(true)
}

/// A session as it is stored. A tombstone is under no key.
fn stamped(work: &Work<'_>, sealed: &Sealed) -> Vec<u8> {
    let bytes = sealed.as_bytes();
    if sealed.is_tombstone() { bytes.to_vec() } else { work.stamp(bytes) }
}

/// The end of a run, whose tombstone is stored.
fn close(work: &mut Work<'_>, context: &Context, outcome: &[u8]) -> Result<()> {
    let empty: &[u8] = &[];
    work.execute("UPDATE runs SET job = $2 WHERE context = $1", &values![context, empty])?;
    work.execute("DELETE FROM inbox WHERE context = $1", &values![context])?;
    work.change.opened(-1);
    let sql = "UPDATE jobs SET outcome = $1 WHERE context = $2
        AND sid = (SELECT sid FROM runs WHERE runs.context = jobs.context)";
    let outcome = work.stamp(outcome);
    work.execute(sql, &values![&outcome, context]).map(drop)
}

pub(super) fn replace_outcome(
    work: &mut Work<'_>,
    sid: &SessionId,
    outcome: &[u8],
) -> Result<bool> {
    let sql = "UPDATE jobs SET outcome = $1 WHERE sid = $2 AND outcome IS NOT NULL";
    Ok(work.execute(sql, &values![outcome, sid])? == 1)
}

pub(super) fn job(db: &mut dyn Sql, sid: &SessionId) -> Result<Option<JobRow>> {
    let sql = "SELECT digest, context, outcome FROM jobs WHERE sid = $1";
    let row = db.first(sql, &values![sid])?.map(|mut row| {
        Ok(JobRow { digest: row.array(0)?, context: row.array(1)?, outcome: row.bytes_if(2)? })
    });
    row.transpose()
}

pub(super) fn run(
    db: &mut dyn Sql,
    context: &Context,
    seals: Option<&Seals>,
) -> Result<Option<RunRow>> {
    let sql =
        "SELECT protocol, sid, job, sealed, deadline, party, slot FROM runs WHERE context = $1";
    let row = db.first(sql, &values![context])?.map(|mut row| {
        let (sid, deadline) = (SessionId::new(row.array(1)?), row.number(4)?);
        let sealed = given(seals, Stored::Session, row.bytes(3)?)?;
        let sealed = in_its_slot(sealed, (*context, row.number(5)?, row.number(6)?));
        let job = given(seals, Stored::Job, row.bytes(2)?)?;
        Ok(RunRow { code: row.number(0)?, sid, job, sealed, deadline })
    });
    row.transpose()
}

pub(super) fn expired(db: &mut dyn Sql, code: u8, now: Time, most: usize) -> Result<Vec<Context>> {
    let sql = "SELECT context FROM runs WHERE ended = 0 AND protocol = $1 AND deadline <= $2
        ORDER BY deadline LIMIT $3";
    names(&db.query(sql, &values![code, now, most])?)
}

pub(super) fn open(
    db: &mut dyn Sql,
    code: u8,
    after: Option<&Context>,
    most: usize,
) -> Result<Vec<Context>> {
    let sql = "SELECT context FROM runs WHERE ended = 0 AND protocol = $1 AND context > $2
        ORDER BY context LIMIT $3";
    let after = after.map_or(&[][..], |context| context.as_slice());
    names(&db.query(sql, &values![code, after, most])?)
}

pub(super) fn next(db: &mut dyn Sql) -> Result<Option<Time>> {
    let sql = "SELECT min(at) FROM (SELECT min(due) AS at FROM outbox
        UNION ALL SELECT min(deadline) FROM runs WHERE ended = 0) AS times";
    db.one(sql, &[])?.number_if(0)
}

/// Damages all open runs, so that their runners close them as lost, and forgets what was to be sent.
pub(super) fn damage_all(db: &mut dyn Sql) -> Result<()> {
    let empty: &[u8] = &[];
    let sql = "UPDATE runs SET sealed = $1, deadline = 0 WHERE ended = 0";
    db.execute(sql, &values![empty])?;
    for sql in [
        "DELETE FROM inbox",
        "DELETE FROM outbox",
        "DELETE FROM packets",
        "DELETE FROM parked",
        "UPDATE totals SET letters = 0, outbox = 0, parked = 0",
    ] {
        db.execute(sql, &[])?;
    }
    Ok(())
}
