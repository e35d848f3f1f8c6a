//! A store of `quorate-runner` in SQLite: jobs, runs, inbox, outbox and tombstones in one database, claims in another.
//!
//! The second, the ledger, only grows and lies where backups do not reach: a restored database must not forget what was
//! spent. Each method is one transaction; the counters that bounds are compared with are kept by triggers, so that no
//! operation counts rows.

mod rows;
mod witness;

use std::path::Path;

use quorate::runner::store::{
    Arrival, ArrivalKind, BeginOutcome, Context, Counts, Due, InboxRow, JobRow, NewRun, NewStep,
    PacketId, PutOutcome, RunRow,
};
use quorate::runner::{Bounds, PARKED_OVERHEAD, Store, Time};
use quorate::session::{Slot, SpentTable, frame};
use quorate::{PartyId, SessionId};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

pub use self::witness::OpenError;

use self::rows::{array, inbox_row, kind, letter, post, size, stored, time};

const SCHEMA: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;    -- what is committed survives a loss of power
    PRAGMA secure_delete = ON;    -- what is deleted is overwritten

    CREATE TABLE IF NOT EXISTS jobs (
        sid BLOB PRIMARY KEY, digest BLOB NOT NULL, context BLOB NOT NULL, outcome BLOB) WITHOUT ROWID;
    -- Nothing is ever deleted here: a run that has ended leaves its tombstone.
    CREATE TABLE IF NOT EXISTS runs (
        context BLOB PRIMARY KEY, protocol INTEGER NOT NULL, sid BLOB NOT NULL, tag BLOB NOT NULL,
        job BLOB NOT NULL, sealed BLOB NOT NULL,
        party INTEGER NOT NULL, slot INTEGER NOT NULL, deadline INTEGER NOT NULL, longest INTEGER NOT NULL,
        ended INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX IF NOT EXISTS deadlines ON runs (protocol, deadline) WHERE ended = 0;
    CREATE INDEX IF NOT EXISTS open ON runs (protocol, context) WHERE ended = 0;
    CREATE INDEX IF NOT EXISTS tags ON runs (tag, context) WHERE ended = 0;
    CREATE TABLE IF NOT EXISTS inbox (
        place INTEGER PRIMARY KEY, context BLOB NOT NULL, sender INTEGER NOT NULL, round INTEGER NOT NULL,
        kind INTEGER NOT NULL, id BLOB NOT NULL, sealed BLOB NOT NULL, tag BLOB, opening BLOB, cost INTEGER NOT NULL,
        until INTEGER NOT NULL, parked INTEGER NOT NULL, taken INTEGER NOT NULL DEFAULT 0,
        UNIQUE (context, sender, round, kind, id));
    CREATE INDEX IF NOT EXISTS parked_until ON inbox (until) WHERE parked = 1;
    CREATE INDEX IF NOT EXISTS parked_tags ON inbox (tag) WHERE parked = 1;
    -- A message, once, and those who have not acknowledged it.
    CREATE TABLE IF NOT EXISTS packets (id BLOB PRIMARY KEY, sealed BLOB NOT NULL, until INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS until ON packets (until);
    CREATE TABLE IF NOT EXISTS outbox (
        id BLOB NOT NULL, recipient INTEGER NOT NULL, due INTEGER NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (id, recipient)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS due ON outbox (due);

    CREATE TABLE IF NOT EXISTS parked (sender INTEGER PRIMARY KEY, bytes INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS totals (
        one INTEGER PRIMARY KEY CHECK (one = 1), open INTEGER, letters INTEGER, outbox INTEGER, parked INTEGER);
    INSERT OR IGNORE INTO totals VALUES (1, 0, 0, 0, 0);
    CREATE TRIGGER IF NOT EXISTS begun AFTER INSERT ON runs BEGIN
        UPDATE totals SET open = open + 1; END;
    CREATE TRIGGER IF NOT EXISTS ended AFTER UPDATE OF ended ON runs WHEN new.ended > old.ended BEGIN
        UPDATE totals SET open = open - 1; END;
    CREATE TRIGGER IF NOT EXISTS posted AFTER INSERT ON outbox BEGIN
        UPDATE totals SET letters = letters + 1; END;
    CREATE TRIGGER IF NOT EXISTS acknowledged AFTER DELETE ON outbox BEGIN
        UPDATE totals SET letters = letters - 1;
        DELETE FROM packets WHERE id = old.id AND NOT EXISTS (SELECT 1 FROM outbox WHERE id = old.id); END;
    CREATE TRIGGER IF NOT EXISTS packed AFTER INSERT ON packets BEGIN
        UPDATE totals SET outbox = outbox + length(new.sealed); END;
    CREATE TRIGGER IF NOT EXISTS forgotten AFTER DELETE ON packets BEGIN
        UPDATE totals SET outbox = outbox - length(old.sealed); END;
    CREATE TRIGGER IF NOT EXISTS parking AFTER INSERT ON inbox WHEN new.parked = 1 BEGIN
        INSERT INTO parked VALUES (new.sender, new.cost) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
        UPDATE totals SET parked = parked + new.cost; END;
    CREATE TRIGGER IF NOT EXISTS unparking AFTER UPDATE OF parked ON inbox WHEN old.parked > new.parked BEGIN
        UPDATE parked SET bytes = bytes - old.cost WHERE sender = old.sender;
        UPDATE totals SET parked = parked - old.cost; END;
    CREATE TRIGGER IF NOT EXISTS expiring AFTER DELETE ON inbox WHEN old.parked = 1 BEGIN
        UPDATE parked SET bytes = bytes - old.cost WHERE sender = old.sender;
        UPDATE totals SET parked = parked - old.cost; END;
";

const LEDGER: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    -- Nothing is ever deleted here.
    CREATE TABLE IF NOT EXISTS spent (id BLOB PRIMARY KEY, digest BLOB NOT NULL, share BLOB) WITHOUT ROWID;
";

/// Runs in one database, and claims in another.
#[derive(Debug)]
pub struct SqliteRuns {
    db: Connection,
    ledger: Connection,
}

impl SqliteRuns {
    /// Opens both databases, and makes them if there are none.
    ///
    /// # Errors
    /// [`OpenError`]: SQLite's own, or a database that was put back.
    pub fn open(runs: &Path, ledger: &Path) -> Result<Self, OpenError> {
        let (paths, ledger) = ((runs, ledger), Connection::open(ledger)?);
        let db = Connection::open(runs)?;
        for connection in [&db, &ledger] {
            // Another worker may be in a transaction.
            connection.busy_timeout(core::time::Duration::from_secs(10))?;
        }
        db.execute_batch(SCHEMA)?;
        db.execute_batch(witness::MARKS)?;
        ledger.execute_batch(LEDGER)?;
        ledger.execute_batch(witness::WITNESS)?;
        witness::check((&db, paths.0), (&ledger, paths.1))?;
        Ok(Self { db, ledger })
    }

    /// A transaction after which something may leave the house: it leaves a mark, of which the ledger knows when this
    /// returns. `act` says whether there is anything to commit.
    pub(crate) fn release<T>(
        &mut self,
        act: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<(bool, T)>,
    ) -> rusqlite::Result<T> {
        let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let (commits, value) = act(&tx)?;
        if commits {
            let mark = witness::leave(&tx)?;
            tx.commit()?;
            witness::tell(&self.ledger, mark)?;
        }
        Ok(value)
    }

    /// A transaction that writes, from its first statement on: nobody else writes in between.
    fn write(&mut self) -> rusqlite::Result<Transaction<'_>> {
        self.db.transaction_with_behavior(TransactionBehavior::Immediate)
    }
}

impl SpentTable for SqliteRuns {
    type Error = rusqlite::Error;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> rusqlite::Result<[u8; 32]> {
        let sql = "INSERT INTO spent (id, digest) VALUES (?, ?) ON CONFLICT DO NOTHING";
        self.ledger.execute(sql, params![id, digest])?;
        self.ledger.query_row("SELECT digest FROM spent WHERE id = ?", [id], |row| row.get(0))
    }
}

impl Store for SqliteRuns {
    fn begin(&mut self, run: &NewRun<'_>, bounds: &Bounds) -> rusqlite::Result<BeginOutcome> {
        self.release(|tx| {
            let begun = begin(tx, run, bounds)?;
            Ok((begun == BeginOutcome::Begun, begun))
        })
    }

    fn job(&mut self, sid: &SessionId) -> rusqlite::Result<Option<JobRow>> {
        let sql = "SELECT digest, context, outcome FROM jobs WHERE sid = ?";
        let row = |row: &rusqlite::Row<'_>| {
            Ok(JobRow { digest: row.get(0)?, context: row.get(1)?, outcome: row.get(2)? })
        };
        self.db.query_row(sql, [sid.as_bytes()], row).optional()
    }

    fn run(&mut self, context: &Context) -> rusqlite::Result<Option<RunRow>> {
        let sql = "SELECT protocol, sid, job, sealed, deadline, party, slot
            FROM runs WHERE context = ?";
        let row = |row: &rusqlite::Row<'_>| {
            let (sid, deadline) = (SessionId::new(row.get(1)?), rows::since(row.get(4)?));
            let sealed = rows::in_its_slot(row.get(3)?, (*context, row.get(5)?, row.get(6)?));
            Ok(RunRow { code: row.get(0)?, sid, job: row.get(2)?, sealed, deadline })
        };
        self.db.query_row(sql, [context], row).optional()
    }

    fn swap(&mut self, before: Slot, step: &NewStep<'_>) -> rusqlite::Result<bool> {
        self.release(|tx| swap(tx, before, step).map(|done| (done, done)))
    }

    fn bury(&mut self, context: &Context, step: &NewStep<'_>) -> rusqlite::Result<bool> {
        self.release(|tx| {
            let sql =
                "UPDATE runs SET sealed = ?, slot = ?, ended = 1 WHERE context = ? AND ended = 0";
            let row = params![step.after.as_bytes(), step.after.slot().length(), context];
            if tx.execute(sql, row)? != 1 {
                return Ok((false, false));
            }
            close(tx, context, step.outcome.unwrap_or_default())?;
            post(tx, step.letters)?;
            Ok((true, true))
        })
    }

    fn replace_outcome(&mut self, sid: &SessionId, outcome: &[u8]) -> rusqlite::Result<bool> {
        let sql = "UPDATE jobs SET outcome = ? WHERE sid = ? AND outcome IS NOT NULL";
        Ok(self.db.execute(sql, params![outcome, sid.as_bytes()])? == 1)
    }

    fn put(&mut self, arrival: &Arrival<'_>, bounds: &Bounds) -> rusqlite::Result<PutOutcome> {
        let Arrival { context, place, id, sealed, .. } = *arrival;
        let tx = self.write()?;
        let sql = "SELECT ended, longest FROM runs WHERE context = ?";
        let run = tx.query_row(sql, [context], |row| Ok((row.get(0)?, size(row, 1)?)));
        let run: Option<(bool, usize)> = run.optional()?;
        if run.is_some_and(|(ended, _)| ended) {
            return Ok(PutOutcome::Ended);
        }
        let sql =
            "SELECT id FROM inbox WHERE context = ? AND sender = ? AND round = ? AND kind = ?";
        let sender = place.from.get();
        if run.is_none()
            && let Some(put) = put_opening(&tx, arrival)?
        {
            tx.commit()?;
            return Ok(put);
        }
        let there = params![context, sender, place.round, kind(place.kind)];
        let there: Vec<PacketId> = array(&tx, sql, there)?;
        if there.contains(&id) {
            // A copy of what is parked is parked.
            return Ok(if run.is_none() { PutOutcome::Parked } else { PutOutcome::Duplicate });
        }
        if there.len() >= 2 {
            return Ok(PutOutcome::Contradiction);
        }
        if run.is_some_and(|(_, longest)| sealed.len() > longest) {
            return Ok(PutOutcome::TooLong);
        }
        let parked = run.is_none();
        if parked && parked_by(&tx, sender)?.saturating_add(cost(sealed)) > bounds.parked {
            return Ok(PutOutcome::Full);
        }
        insert(&tx, arrival, parked)?;
        let waiting = waiting(&tx, &context)?;
        tx.commit()?;
        Ok(if parked { PutOutcome::Parked } else { PutOutcome::Stored(waiting) })
    }

    fn inbox(&mut self, context: &Context) -> rusqlite::Result<Vec<InboxRow>> {
        let sql = "SELECT sender, round, kind, id, sealed FROM inbox
            WHERE context = ? AND taken = 0 ORDER BY place";
        let mut rows = self.db.prepare_cached(sql)?;
        rows.query_map([context], inbox_row)?.collect()
    }

    fn acknowledge(&mut self, by: PartyId, ids: &[PacketId]) -> rusqlite::Result<usize> {
        let tx = self.write()?;
        let mut known = 0_usize;
        for id in ids {
            let sql = "DELETE FROM outbox WHERE id = ? AND recipient = ?";
            known = known.saturating_add(tx.execute(sql, params![id, by.get()])?);
        }
        tx.commit()?;
        Ok(known)
    }

    fn due(&mut self, now: Time, bounds: &Bounds, most: usize) -> rusqlite::Result<Vec<Due>> {
        let behavior = TransactionBehavior::Immediate;
        let tx = self.db.transaction_with_behavior(behavior)?;
        // A step may have been committed, and the ledger not told of it.
        witness::catch_up(&tx, &self.ledger)?;
        let sql = "SELECT recipient, id, sealed, attempts FROM outbox JOIN packets USING (id)
            WHERE due <= ? ORDER BY due LIMIT ?";
        let mut rows = tx.prepare_cached(sql)?;
        let found = rows.query_map(params![time(now), stored(most)], letter)?;
        let found: Vec<(Due, u32)> = found.collect::<rusqlite::Result<_>>()?;
        drop(rows);
        let sql =
            "UPDATE outbox SET due = ?, attempts = attempts + 1 WHERE id = ? AND recipient = ?";
        for (letter, attempts) in &found {
            let due = time(now.saturating_add(bounds.backoff(*attempts)));
            tx.execute(sql, params![due, letter.id, letter.to.get()])?;
        }
        tx.commit()?;
        Ok(found.into_iter().map(|(letter, _)| letter).collect())
    }

    fn expired(&mut self, code: u8, now: Time, most: usize) -> rusqlite::Result<Vec<Context>> {
        let sql = "SELECT context FROM runs WHERE ended = 0 AND protocol = ? AND deadline <= ?
            ORDER BY deadline LIMIT ?";
        array(&self.db, sql, params![code, time(now), stored(most)])
    }

    fn open(
        &mut self,
        code: u8,
        after: Option<&Context>,
        most: usize,
    ) -> rusqlite::Result<Vec<Context>> {
        let sql = "SELECT context FROM runs WHERE ended = 0 AND protocol = ? AND context > ?
            ORDER BY context LIMIT ?";
        let after = after.map_or(&[][..], |context| context.as_slice());
        array(&self.db, sql, params![code, after, stored(most)])
    }

    fn prune(&mut self, now: Time) -> rusqlite::Result<()> {
        let tx = self.write()?;
        let sql = "DELETE FROM outbox WHERE id IN (SELECT id FROM packets WHERE until <= ?)";
        tx.execute(sql, [time(now)])?;
        tx.execute("DELETE FROM inbox WHERE parked = 1 AND until <= ?", [time(now)])?;
        tx.execute("DELETE FROM parked WHERE bytes = 0", [])?;
        tx.commit()
    }

    fn next(&mut self) -> rusqlite::Result<Option<Time>> {
        let sql = "SELECT min(at) FROM (SELECT min(due) AS at FROM outbox
            UNION ALL SELECT min(deadline) FROM runs WHERE ended = 0)";
        let next: Option<i64> = self.db.query_row(sql, [], |row| row.get(0))?;
        Ok(next.map(rows::since))
    }

    fn counts(&mut self) -> rusqlite::Result<Counts> {
        counts(&self.db)
    }
}

fn begin(
    tx: &Transaction<'_>,
    run: &NewRun<'_>,
    bounds: &Bounds,
) -> rusqlite::Result<BeginOutcome> {
    let slot = run.sealed.slot();
    let sql = "SELECT EXISTS (SELECT 1 FROM jobs WHERE sid = ?)
        OR EXISTS (SELECT 1 FROM runs WHERE context = ?)";
    if tx.query_row(sql, params![run.sid.as_bytes(), slot.session()], |row| row.get(0))? {
        return Ok(BeginOutcome::Exists);
    }
    let counts = counts(tx)?;
    if counts.open >= bounds.open {
        return Ok(BeginOutcome::Busy);
    }
    if counts.outbox > bounds.outbox {
        return Ok(BeginOutcome::Outbox);
    }
    let sql = "INSERT INTO jobs (sid, digest, context) VALUES (?, ?, ?)";
    tx.execute(sql, params![run.sid.as_bytes(), run.digest, slot.session()])?;
    let sql = "INSERT INTO runs
        (context, protocol, sid, tag, job, sealed, party, slot, deadline, longest)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    tx.execute(
        sql,
        params![
            slot.session(),
            run.code,
            run.sid.as_bytes(),
            run.tag,
            run.job,
            run.sealed.as_bytes(),
            slot.party().get(),
            slot.length(),
            time(run.deadline),
            stored(run.longest),
        ],
    )?;
    tx.execute("UPDATE inbox SET parked = 0 WHERE context = ?", [slot.session()])?;
    // Other columns than an aggregate's are those of the row where it is the least.
    let sql = "INSERT INTO inbox (context, sender, round, kind, id, sealed, cost, until, parked)
        SELECT ?1, sender, round, ?2, id, opening, 0, until, 0 FROM
            (SELECT *, min(place) FROM inbox WHERE tag = ?3 AND parked = 1 GROUP BY sender)";
    tx.execute(sql, params![slot.session(), kind(ArrivalKind::Other), run.tag])?;
    post(tx, run.letters)?;
    Ok(BeginOutcome::Begun)
}

fn swap(tx: &Transaction<'_>, before: Slot, step: &NewStep<'_>) -> rusqlite::Result<bool> {
    let context = before.session();
    let sql = "UPDATE runs SET sealed = ?, slot = ?, ended = ?
        WHERE context = ? AND party = ? AND slot = ? AND ended = 0";
    let (after, ended) = (step.after.slot(), step.outcome.is_some());
    let (party, length) = (before.party().get(), before.length());
    let row = params![step.after.as_bytes(), after.length(), ended, context, party, length];
    if tx.execute(sql, row)? != 1 {
        return Ok(false);
    }
    if let Some(outcome) = step.outcome {
        close(tx, &context, outcome)?;
    }
    let sql =
        "UPDATE inbox SET taken = 1, sealed = x'' WHERE context = ? AND sender = ? AND id = ?";
    let mut take = tx.prepare_cached(sql)?;
    for (from, id) in step.taken {
        take.execute(params![context, from.get(), id])?;
    }
    drop(take);
    post(tx, step.letters)?;
    Ok(true)
}

/// The end of a run, whose tombstone is stored.
fn close(tx: &Transaction<'_>, context: &Context, outcome: &[u8]) -> rusqlite::Result<()> {
    tx.execute("UPDATE runs SET job = x'' WHERE context = ?", [context])?;
    tx.execute("DELETE FROM inbox WHERE context = ?", [context])?;
    let sql = "UPDATE jobs SET outcome = ? WHERE context = ?
        AND sid = (SELECT sid FROM runs WHERE runs.context = jobs.context)";
    tx.execute(sql, params![outcome, context]).map(drop)
}

/// What a row counts when it is parked.
const fn cost(sealed: &[u8]) -> usize {
    sealed.len().saturating_add(PARKED_OVERHEAD)
}

/// The bytes that a peer has parked.
fn parked_by(tx: &Transaction<'_>, sender: u16) -> rusqlite::Result<usize> {
    let sql = "SELECT bytes FROM parked WHERE sender = ?";
    Ok(tx.query_row(sql, [sender], |row| size(row, 0)).optional()?.unwrap_or(0))
}

fn insert(tx: &Transaction<'_>, arrival: &Arrival<'_>, parked: bool) -> rusqlite::Result<()> {
    let Arrival { context, place, id, sealed, until, opening } = *arrival;
    let sql = "INSERT INTO inbox
        (context, sender, round, kind, id, sealed, tag, opening, cost, until, parked)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    // What is of a run is of no other.
    let opening = opening.filter(|_| parked);
    let tag = opening.as_ref().map(frame::tag);
    let (sender, round, kind) = (place.from.get(), place.round, kind(place.kind));
    let (cost, until) = (stored(cost(sealed)), time(until));
    let row = params![context, sender, round, kind, id, sealed, tag, opening, cost, until, parked];
    tx.execute(sql, row).map(drop)
}

/// Stores the opening of a frame for the open run with its tag, if there is one.
fn put_opening(
    tx: &Transaction<'_>,
    arrival: &Arrival<'_>,
) -> rusqlite::Result<Option<PutOutcome>> {
    let Arrival { place, id, opening, until, .. } = *arrival;
    let Some(opening) = opening else { return Ok(None) };
    let sql = "SELECT context FROM runs WHERE tag = ? AND ended = 0 ORDER BY context LIMIT 1";
    let Some(&context) = array(tx, sql, [frame::tag(&opening)])?.first() else { return Ok(None) };
    let (sender, round, kind) = (place.from.get(), place.round, kind(ArrivalKind::Other));
    let sql = "INSERT INTO inbox (context, sender, round, kind, id, sealed, cost, until, parked)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6, 0, ?7, 0 WHERE NOT EXISTS (SELECT 1 FROM inbox
            WHERE context = ?1 AND sender = ?2 AND round = ?3 AND kind = ?4)";
    let row = params![context, sender, round, kind, id, opening, time(until)];
    let new = tx.execute(sql, row)? == 1;
    let waiting = new.then(|| waiting(tx, &context)).transpose()?;
    Ok(Some(PutOutcome::Other(context, waiting)))
}

/// The rows of a run that are not taken in.
fn waiting(tx: &Transaction<'_>, context: &Context) -> rusqlite::Result<usize> {
    let sql = "SELECT count(*) FROM inbox WHERE context = ? AND taken = 0";
    tx.query_row(sql, [context], |row| size(row, 0))
}

fn counts(db: &Connection) -> rusqlite::Result<Counts> {
    db.query_row("SELECT open, letters, outbox, parked FROM totals", [], |row| {
        let (open, letters) = (size(row, 0)?, size(row, 1)?);
        Ok(Counts { open, letters, outbox: size(row, 2)?, parked: size(row, 3)? })
    })
}
