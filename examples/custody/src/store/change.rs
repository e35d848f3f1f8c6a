//! What a transaction has done so far, besides its rows: totals, and what is released.
//!
//! The totals that bounds are compared with are kept along with the rows, so that no operation counts rows. A transaction
//! adds up what it has changed and writes it at its end, to the row of its own stripe: workers with other stripes do
//! not wait for each other.

use std::collections::BTreeMap;

use quorate::runner::store::Counts;
use sha2::{Digest, Sha256};

use crate::sql::{Db, Result, Row, Set, Sql, Type, Value};
use crate::values;

/// The changes of a transaction.
#[derive(Debug)]
pub(super) struct Change {
    /// The row of the totals that this worker writes.
    stripe: i64,
    open: i64,
    messages: i64,
    outbox: i64,
    parked: i64,
    parked_by: BTreeMap<u16, i64>,
    /// The totals and the bytes that peers have parked, as they were when they were read.
    before: Option<Counts>,
    before_by: BTreeMap<u16, i64>,
    /// A hash of what is released.
    released: Option<Sha256>,
    /// Messages were given out.
    pub(super) gave: bool,
}

impl Change {
    pub(super) const fn new(stripe: i64) -> Self {
        Self {
            stripe,
            open: 0,
            messages: 0,
            outbox: 0,
            parked: 0,
            parked_by: BTreeMap::new(),
            before: None,
            before_by: BTreeMap::new(),
            released: None,
            gave: false,
        }
    }

    pub(super) const fn opened(&mut self, runs: i64) {
        self.open = self.open.saturating_add(runs);
    }

    pub(super) fn posted(&mut self, messages: usize, bytes: usize) {
        self.messages = self.messages.saturating_add(signed(messages));
        self.outbox = self.outbox.saturating_add(signed(bytes));
    }

    pub(super) fn forgotten(&mut self, messages: usize, bytes: i64) {
        self.messages = self.messages.saturating_sub(signed(messages));
        self.outbox = self.outbox.saturating_sub(bytes);
    }

    /// A peer has parked so many bytes more, or fewer.
    pub(super) fn parked(&mut self, sender: u16, bytes: i64) {
        let by = self.parked_by.entry(sender).or_default();
        *by = by.saturating_add(bytes);
        self.parked = self.parked.saturating_add(bytes);
    }

    /// Rows that are parked no longer, as sender and cost.
    pub(super) fn unparked(&mut self, rows: &[Row]) -> Result<()> {
        for row in rows {
            self.parked(row.number(0)?, row.int(1)?.saturating_neg());
        }
        Ok(())
    }

    /// Something leaves the house once this is committed.
    pub(super) fn release(&mut self, what: &[u8]) {
        let hash = self.released.get_or_insert_with(Sha256::new);
        hash.update(u64::try_from(what.len()).unwrap_or(u64::MAX).to_be_bytes());
        hash.update(what);
    }

    /// The digest of what is released, if anything is.
    pub(super) fn released(&mut self) -> Option<[u8; 32]> {
        self.released.take().map(|hash| hash.finalize().into())
    }

    /// The totals, with what this transaction has changed.
    pub(super) fn counts(&mut self, db: &mut dyn Sql) -> Result<Counts> {
        let before = match self.before {
            Some(before) => before,
            None => read(db)?,
        };
        self.before = Some(before);
        let sum = |before: usize, change| before.saturating_add_signed(size(change));
        Ok(Counts {
            open: sum(before.open, self.open),
            messages: sum(before.messages, self.messages),
            outbox: sum(before.outbox, self.outbox),
            parked: sum(before.parked, self.parked),
        })
    }

    /// The bytes that a peer has parked.
    pub(super) fn parked_by(&mut self, db: &mut dyn Sql, sender: u16) -> Result<usize> {
        let before = match self.before_by.get(&sender) {
            Some(before) => *before,
            None => {
                let sql =
                    "SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM parked WHERE sender = $1";
                db.one(sql, &values![sender])?.int(0)?
            }
        };
        self.before_by.insert(sender, before);
        let change = self.parked_by.get(&sender).copied().unwrap_or(0);
        Ok(usize::try_from(before.saturating_add(change)).unwrap_or(0))
    }

    /// Writes the totals. It comes late in a transaction: nobody waits for these rows for long.
    pub(super) fn write(&mut self, db: &mut Db) -> Result<()> {
        let totals = [self.open, self.messages, self.outbox, self.parked];
        if totals.iter().any(|change| *change != 0) {
            let mut values = vec![Value::Int(self.stripe)];
            values.extend(totals.map(Value::Int));
            let sql = "INSERT INTO totals AS t (stripe, open, messages, outbox, parked)
                VALUES ($1, $2, $3, $4, $5) ON CONFLICT (stripe) DO UPDATE SET
                open = t.open + excluded.open, messages = t.messages + excluded.messages,
                outbox = t.outbox + excluded.outbox, parked = t.parked + excluded.parked";
            db.execute(sql, &values)?;
        }
        let parked = self.parked_by.iter().filter(|(_, bytes)| **bytes != 0);
        let rows = parked.map(|(sender, bytes)| values![*sender, self.stripe, *bytes].to_vec());
        db.execute_set(&PARKED, &rows.collect::<Vec<_>>()).map(drop)
    }
}

static PARKED: Set = Set {
    columns: &[("sender", Type::Int), ("stripe", Type::Int), ("bytes", Type::Int)],
    sql: "INSERT INTO parked AS p (sender, stripe, bytes) SELECT sender, stripe, bytes FROM given WHERE true
        ON CONFLICT (sender, stripe) DO UPDATE SET bytes = p.bytes + excluded.bytes",
};

/// The totals as they are stored.
pub(super) fn read(db: &mut dyn Sql) -> Result<Counts> {
    let sql = "SELECT CAST(coalesce(sum(open), 0) AS BIGINT), CAST(coalesce(sum(messages), 0) AS BIGINT),
        CAST(coalesce(sum(outbox), 0) AS BIGINT), CAST(coalesce(sum(parked), 0) AS BIGINT) FROM totals";
    let row = db.one(sql, &[])?;
    Ok(Counts {
        open: row.number(0)?,
        messages: row.number(1)?,
        outbox: row.number(2)?,
        parked: row.number(3)?,
    })
}

fn signed(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn size(number: i64) -> isize {
    isize::try_from(number).unwrap_or(if number < 0 { isize::MIN } else { isize::MAX })
}
