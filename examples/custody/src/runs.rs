//! A store of `quorate-runner` in SQLite: jobs, runs, inbox, outbox and tombstones in one database, claims in another.
//!
//! The second, the ledger, only grows and lies where backups do not reach: a restored database must not forget what was
//! spent. Each method is one transaction; the counters that bounds are compared with are kept by triggers, so that no
//! operation counts rows.

mod rows;

use std::path::Path;

use quorate::runner::store::{
    Arrival, BeginOutcome, Context, Counts, InboxRow, JobRow, Letter, NewRun, NewStep, PacketId,
    PutOutcome, RunRow,
};
use quorate::runner::{Bounds, PARKED_OVERHEAD, Store, Time};
use quorate::session::{Slot, SpentTable};
use quorate::{PartyId, SessionId};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use self::rows::{array, inbox_row, kind, letter, post, size, stored, time};

const SCHEMA: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;    -- what is committed survives a loss of power
    PRAGMA secure_delete = ON;    -- what is deleted is overwritten

    CREATE TABLE IF NOT EXISTS jobs (
        sid BLOB PRIMARY KEY, digest BLOB NOT NULL, context BLOB NOT NULL, outcome BLOB) WITHOUT ROWID;
    -- Nothing is ever deleted here: a run that has ended leaves its tombstone.
    CREATE TABLE IF NOT EXISTS runs (
        context BLOB PRIMARY KEY, sid BLOB NOT NULL, job BLOB NOT NULL, sealed BLOB NOT NULL,
        party INTEGER NOT NULL, slot INTEGER NOT NULL, deadline INTEGER NOT NULL, longest INTEGER NOT NULL,
        ended INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX IF NOT EXISTS deadlines ON runs (deadline) WHERE ended = 0;
    CREATE INDEX IF NOT EXISTS open ON runs (context) WHERE ended = 0;
    CREATE TABLE IF NOT EXISTS inbox (
        place INTEGER PRIMARY KEY, context BLOB NOT NULL, sender INTEGER NOT NULL, round INTEGER NOT NULL,
        kind INTEGER NOT NULL, id BLOB NOT NULL, sealed BLOB NOT NULL, cost INTEGER NOT NULL,
        until INTEGER NOT NULL, parked INTEGER NOT NULL, taken INTEGER NOT NULL DEFAULT 0,
        UNIQUE (context, sender, round, kind, id));
    CREATE INDEX IF NOT EXISTS parked_until ON inbox (until) WHERE parked = 1;
    CREATE TABLE IF NOT EXISTS outbox (
        recipient INTEGER NOT NULL, id BLOB NOT NULL, sealed BLOB NOT NULL, due INTEGER NOT NULL,
        until INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (recipient, id));
    CREATE INDEX IF NOT EXISTS due ON outbox (due);
    CREATE INDEX IF NOT EXISTS until ON outbox (until);

    CREATE TABLE IF NOT EXISTS parked (sender INTEGER PRIMARY KEY, bytes INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS totals (
        one INTEGER PRIMARY KEY CHECK (one = 1), open INTEGER, letters INTEGER, outbox INTEGER, parked INTEGER);
    INSERT OR IGNORE INTO totals VALUES (1, 0, 0, 0, 0);
    CREATE TRIGGER IF NOT EXISTS begun AFTER INSERT ON runs BEGIN
        UPDATE totals SET open = open + 1; END;
    CREATE TRIGGER IF NOT EXISTS ended AFTER UPDATE OF ended ON runs WHEN new.ended > old.ended BEGIN
        UPDATE totals SET open = open - 1; END;
    CREATE TRIGGER IF NOT EXISTS posted AFTER INSERT ON outbox BEGIN
        UPDATE totals SET letters = letters + 1, outbox = outbox + length(new.sealed); END;
    CREATE TRIGGER IF NOT EXISTS forgotten AFTER DELETE ON outbox BEGIN
        UPDATE totals SET letters = letters - 1, outbox = outbox - length(old.sealed); END;
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
    CREATE TABLE IF NOT EXISTS spent (id BLOB PRIMARY KEY, digest BLOB NOT NULL) WITHOUT ROWID;
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
    /// SQLite's own.
    pub fn open(runs: &Path, ledger: &Path) -> rusqlite::Result<Self> {
        let (db, ledger) = (Connection::open(runs)?, Connection::open(ledger)?);
        for connection in [&db, &ledger] {
            // Another worker may be in a transaction.
            connection.busy_timeout(core::time::Duration::from_secs(10))?;
        }
        db.execute_batch(SCHEMA)?;
        ledger.execute_batch(LEDGER)?;
        Ok(Self { db, ledger })
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
        let slot = run.sealed.slot();
        let tx = self.write()?;
        let sql = "SELECT EXISTS (SELECT 1 FROM jobs WHERE sid = ?)
            OR EXISTS (SELECT 1 FROM runs WHERE context = ?)";
        if tx.query_row(sql, params![run.sid.as_bytes(), slot.session()], |row| row.get(0))? {
            return Ok(BeginOutcome::Exists);
        }
        let counts = counts(&tx)?;
        if counts.open >= bounds.open {
            return Ok(BeginOutcome::Busy);
        }
        if counts.outbox > bounds.outbox {
            return Ok(BeginOutcome::Outbox);
        }
        let sql = "INSERT INTO jobs (sid, digest, context) VALUES (?, ?, ?)";
        tx.execute(sql, params![run.sid.as_bytes(), run.digest, slot.session()])?;
        let sql = "INSERT INTO runs (context, sid, job, sealed, party, slot, deadline, longest)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
        tx.execute(
            sql,
            params![
                slot.session(),
                run.sid.as_bytes(),
                run.job,
                run.sealed.as_bytes(),
                slot.party().get(),
                slot.length(),
                time(run.deadline),
                stored(run.longest),
            ],
        )?;
        tx.execute("UPDATE inbox SET parked = 0 WHERE context = ?", [slot.session()])?;
        post(&tx, run.letters)?;
        tx.commit()?;
        Ok(BeginOutcome::Begun)
    }

    fn job(&mut self, sid: &SessionId) -> rusqlite::Result<Option<JobRow>> {
        let sql = "SELECT digest, context, outcome FROM jobs WHERE sid = ?";
        let row = |row: &rusqlite::Row<'_>| {
            Ok(JobRow { digest: row.get(0)?, context: row.get(1)?, outcome: row.get(2)? })
        };
        self.db.query_row(sql, [sid.as_bytes()], row).optional()
    }

    fn run(&mut self, context: &Context) -> rusqlite::Result<Option<RunRow>> {
        let sql = "SELECT job, sealed, deadline FROM runs WHERE context = ?";
        let row = |row: &rusqlite::Row<'_>| {
            let deadline = rows::since(row.get(2)?);
            Ok(RunRow { job: row.get(0)?, sealed: row.get(1)?, deadline })
        };
        self.db.query_row(sql, [context], row).optional()
    }

    fn swap(&mut self, before: Slot, step: &NewStep<'_>) -> rusqlite::Result<bool> {
        let context = before.session();
        let tx = self.write()?;
        let sql = "UPDATE runs SET sealed = ?, slot = ?, ended = ?
            WHERE context = ? AND party = ? AND slot = ? AND ended = 0";
        let (after, ended) = (step.after.slot(), step.outcome.is_some());
        let (party, length) = (before.party().get(), before.length());
        let row = params![step.after.as_bytes(), after.length(), ended, context, party, length];
        if tx.execute(sql, row)? != 1 {
            return Ok(false);
        }
        if let Some(outcome) = step.outcome {
            tx.execute("UPDATE runs SET job = x'' WHERE context = ?", [context])?;
            tx.execute("DELETE FROM inbox WHERE context = ?", [context])?;
            let sql = "UPDATE jobs SET outcome = ? WHERE context = ?
                AND sid = (SELECT sid FROM runs WHERE runs.context = jobs.context)";
            tx.execute(sql, params![outcome, context])?;
        }
        let sql =
            "UPDATE inbox SET taken = 1, sealed = x'' WHERE context = ? AND sender = ? AND id = ?";
        let mut take = tx.prepare_cached(sql)?;
        for (from, id) in step.taken {
            take.execute(params![context, from.get(), id])?;
        }
        drop(take);
        post(&tx, step.letters)?;
        tx.commit()?;
        Ok(true)
    }

    fn put(&mut self, arrival: &Arrival<'_>, bounds: &Bounds) -> rusqlite::Result<PutOutcome> {
        let Arrival { context, place, id, sealed, until } = *arrival;
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
        let there = params![context, sender, place.round, kind(place.kind)];
        let there: Vec<PacketId> = array(&tx, sql, there)?;
        if there.contains(&id) {
            return Ok(PutOutcome::Duplicate);
        }
        if there.len() >= 2 {
            return Ok(PutOutcome::Contradiction);
        }
        if run.is_some_and(|(_, longest)| sealed.len() > longest) {
            return Ok(PutOutcome::TooLong);
        }
        let cost = sealed.len().saturating_add(PARKED_OVERHEAD);
        if run.is_none() {
            let sql = "SELECT bytes FROM parked WHERE sender = ?";
            let parked: Option<usize> =
                tx.query_row(sql, [sender], |row| size(row, 0)).optional()?;
            if parked.unwrap_or(0).saturating_add(cost) > bounds.parked {
                return Ok(PutOutcome::Full);
            }
        }
        let sql =
            "INSERT INTO inbox (context, sender, round, kind, id, sealed, cost, until, parked)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
        let (round, kind) = (place.round, kind(place.kind));
        let (cost, parked) = (stored(cost), run.is_none());
        tx.execute(
            sql,
            params![context, sender, round, kind, id, sealed, cost, time(until), parked],
        )?;
        let sql = "SELECT count(*) FROM inbox WHERE context = ? AND taken = 0";
        let waiting = tx.query_row(sql, [context], |row| size(row, 0))?;
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
            let sql = "DELETE FROM outbox WHERE recipient = ? AND id = ?";
            known = known.saturating_add(tx.execute(sql, params![by.get(), id])?);
        }
        tx.commit()?;
        Ok(known)
    }

    fn due(&mut self, now: Time, bounds: &Bounds, most: usize) -> rusqlite::Result<Vec<Letter>> {
        let tx = self.write()?;
        let sql = "SELECT recipient, id, sealed, due, until, attempts FROM outbox
            WHERE due <= ? ORDER BY due LIMIT ?";
        let mut rows = tx.prepare_cached(sql)?;
        let found = rows.query_map(params![time(now), stored(most)], letter)?;
        let found: Vec<(Letter, u32)> = found.collect::<rusqlite::Result<_>>()?;
        drop(rows);
        let sql =
            "UPDATE outbox SET due = ?, attempts = attempts + 1 WHERE recipient = ? AND id = ?";
        for (letter, attempts) in &found {
            let due = time(now.saturating_add(bounds.backoff(*attempts)));
            tx.execute(sql, params![due, letter.to.get(), letter.id])?;
        }
        tx.commit()?;
        Ok(found.into_iter().map(|(letter, _)| letter).collect())
    }

    fn expired(&mut self, now: Time, most: usize) -> rusqlite::Result<Vec<Context>> {
        let sql =
            "SELECT context FROM runs WHERE ended = 0 AND deadline <= ? ORDER BY deadline LIMIT ?";
        array(&self.db, sql, params![time(now), stored(most)])
    }

    fn open(&mut self, after: Option<&Context>, most: usize) -> rusqlite::Result<Vec<Context>> {
        let sql =
            "SELECT context FROM runs WHERE ended = 0 AND context > ? ORDER BY context LIMIT ?";
        let after = after.map_or(&[][..], |context| context.as_slice());
        array(&self.db, sql, params![after, stored(most)])
    }

    fn prune(&mut self, now: Time) -> rusqlite::Result<()> {
        let tx = self.write()?;
        tx.execute("DELETE FROM outbox WHERE until <= ?", [time(now)])?;
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

fn counts(db: &Connection) -> rusqlite::Result<Counts> {
    db.query_row("SELECT open, letters, outbox, parked FROM totals", [], |row| {
        let (open, letters) = (size(row, 0)?, size(row, 1)?);
        Ok(Counts { open, letters, outbox: size(row, 2)?, parked: size(row, 3)? })
    })
}
