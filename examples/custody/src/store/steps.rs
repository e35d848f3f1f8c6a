//! The life of a run: its beginning, its steps, its end.

use quorate::SessionId;
use quorate::runner::store::{BeginOutcome, JobRow, NewRun, NewStep, RunContext, RunRow};
use quorate::runner::{Bounds, Kind, Stored, Time};
use quorate::session::keyring::Keyring;
use quorate::session::{Sealed, Slot};

use super::reseal::given;
use super::rows::{in_its_slot, names};
use super::work::Work;
use super::{inbox, outbox};
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
    // Nobody has more than all.
    if counts.outbox > bounds.outbox && outbox::is_full(work, run.messages, bounds.outbox)? {
        return Ok(BeginOutcome::Outbox);
    }
    let sql = "INSERT INTO jobs (sid, digest, context) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
    if work.execute(sql, &values![&run.sid, &run.digest, &context])? == 0 {
        // Another worker was faster, with other parameters.
        return Ok(BeginOutcome::Exists);
    }
    let sql = "INSERT INTO runs
        (context, kind, sid, tag, job, sealed, party, slot, deadline, longest)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let (job, sealed) = (work.stamp(run.job), stamped(work, run.sealed));
    let mut values = values![&context, run.kind.as_bytes(), &run.sid, &run.tag, &job].to_vec();
    values.extend(values![&sealed, slot.party_id().get(), slot.length()]);
    values.extend(values![run.deadline, run.longest]);
    work.execute(sql, &values)?;
    work.change.opened(1);
    work.release(run.sealed.as_bytes());
    inbox::take_over(work, &context, run.tag)?;
    outbox::post(work, &context, run.messages)?;
    Ok(BeginOutcome::Begun)
}

pub(super) fn swap(work: &mut Work<'_>, before: Slot, step: &NewStep<'_>) -> Result<bool> {
    let context = before.session();
    let sql = "UPDATE runs SET sealed = $1, slot = $2, ended = $3
        WHERE context = $4 AND party = $5 AND slot = $6 AND ended = 0";
    let (after, ended) = (step.after.slot(), step.outcome.is_some());
    let sealed = stamped(work, step.after);
    let mut values = values![&sealed, after.length(), ended].to_vec();
    values.extend(values![&context, before.party_id().get(), before.length()]);
    if work.execute(sql, &values)? != 1 {
        return Ok(false);
    }
    work.release(step.after.as_bytes());
    match step.outcome {
        Some(outcome) => close(work, &context, outcome, step)?,
        None => {
            inbox::take(work, &context, step.taken)?;
            outbox::post(work, &context, step.messages)?;
        }
    }
    Ok(true)
}

pub(super) fn abandon(
    work: &mut Work<'_>,
    context: &RunContext,
    step: &NewStep<'_>,
) -> Result<bool> {
    let sql = "UPDATE runs SET sealed = $1, slot = $2, ended = 1 WHERE context = $3 AND ended = 0";
    let sealed = stamped(work, step.after);
    let values = values![&sealed, step.after.slot().length(), context];
    if work.execute(sql, &values)? != 1 {
        return Ok(false);
    }
    work.release(step.after.as_bytes());
    close(work, context, step.outcome.unwrap_or_default(), step)?;
    Ok(true)
}

/// A session as it is stored. A tombstone is under no key.
fn stamped(work: &Work<'_>, sealed: &Sealed) -> Vec<u8> {
    let bytes = sealed.as_bytes();
    if sealed.is_tombstone() { bytes.to_vec() } else { work.stamp(bytes) }
}

/// The end of a run, whose tombstone is stored.
fn close(
    work: &mut Work<'_>,
    context: &RunContext,
    outcome: &[u8],
    step: &NewStep<'_>,
) -> Result<()> {
    outbox::post(work, context, step.messages)?;
    outbox::end(work, context, step.until)?;
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

/// Stores this canary, unless there is one; the one that was there.
pub(super) fn canary(work: &mut Work<'_>, new: &[u8]) -> Result<Option<Vec<u8>>> {
    let sql = "INSERT INTO canary (one, sealed) VALUES (1, $1) ON CONFLICT DO NOTHING";
    let new = work.stamp(new);
    if work.execute(sql, &values![&new])? == 1 {
        return Ok(None);
    }
    let found = work.one("SELECT sealed FROM canary", &[])?.bytes(0)?;
    given(work.seals, Stored::Canary, found).map(Some)
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
    context: &RunContext,
    seals: Option<&Keyring>,
) -> Result<Option<RunRow>> {
    let sql = "SELECT kind, sid, job, sealed, deadline, party, slot, ended FROM runs
        WHERE context = $1";
    let row = db.first(sql, &values![context])?.map(|mut row| {
        let (sid, deadline) = (SessionId::new(row.array(1)?), row.number(4)?);
        // A run that has ended has a tombstone and no job, both under no key.
        let seals = if row.flag(7)? { None } else { seals };
        let sealed = given(seals, Stored::Session, row.bytes(3)?)?;
        let sealed = in_its_slot(sealed, (*context, row.number(5)?, row.number(6)?));
        let job = given(seals, Stored::Job, row.bytes(2)?)?;
        Ok(RunRow { kind: Kind::new(row.array(0)?), sid, job, sealed, deadline })
    });
    row.transpose()
}

pub(super) fn expired(
    db: &mut dyn Sql,
    kinds: &[Kind],
    now: Time,
    most: usize,
) -> Result<Vec<RunContext>> {
    let sql = "SELECT context FROM runs WHERE ended = 0 AND deadline <= $2
        AND /*lite instr($1, kind)*/ /*pg position(kind IN $1)*/ > 0
        ORDER BY deadline LIMIT $3";
    names(&db.query(sql, &values![&joined(kinds), now, most])?)
}

pub(super) fn open(
    db: &mut dyn Sql,
    kinds: &[Kind],
    after: Option<&RunContext>,
    most: usize,
) -> Result<Vec<RunContext>> {
    let sql = "SELECT context FROM runs WHERE ended = 0 AND context > $2
        AND /*lite instr($1, kind)*/ /*pg position(kind IN $1)*/ > 0
        ORDER BY context LIMIT $3";
    let after = after.map_or(&[][..], |context| context.as_slice());
    names(&db.query(sql, &values![&joined(kinds), after, most])?)
}

pub(super) fn next(db: &mut dyn Sql, kinds: &[Kind]) -> Result<Option<Time>> {
    let sql = "SELECT min(at) FROM (SELECT min(due) AS at FROM outbox
        UNION ALL SELECT min(deadline) FROM runs WHERE ended = 0
        AND /*lite instr($1, kind)*/ /*pg position(kind IN $1)*/ > 0) AS times";
    db.one(sql, &values![&joined(kinds)])?.number_if(0)
}

/// The kinds one after the other: a kind is one of them if it is found in there, since it is a digest.
fn joined(kinds: &[Kind]) -> Vec<u8> {
    kinds.iter().flat_map(|kind| *kind.as_bytes()).collect()
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
        "UPDATE totals SET messages = 0, outbox = 0, parked = 0",
    ] {
        db.execute(sql, &[])?;
    }
    Ok(())
}
