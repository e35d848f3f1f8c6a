//! The locks of two workers on one server, in the order in which everybody takes them, so that nobody waits for each other in
//! a circle.
//!
//! 1. The whole database: [batches](super::Runs::hold) share it, and whoever works on rows of all kinds has it alone, which is
//!    whoever begins an [epoch](super::Runs::rejoin) or seals rows anew.
//! 2. The [shards](crate::orders::Shard) of a batch, by number: whatever is of a run is written under its shard's.
//! 3. Rows whose names others may insert at the same time, sorted (nonces).
//! 4. At the end of a transaction totals, the parked bytes of each sender, and the chain of marks.
//!
//! Whatever else two workers may be at, such as messages that are sent again, acknowledged or pruned, is passed over where
//! another one has it (`SKIP LOCKED`): who does not wait closes no circle.

use std::collections::BTreeSet;

use super::work::Work;
use crate::sql::{Result, Set, Sql, Type};
use crate::values;

/// The lock of the whole database.
const WHOLE: i64 = FIRST - 1;

/// The locks of shards are those from this number on.
const FIRST: i64 = 1 << 8;

/// Has it alone.
const ALONE: &str = "SELECT /*lite $1*/ /*pg pg_advisory_xact_lock($1)*/";

static SHARDS: Set = Set {
    columns: &[("shard", Type::Int), ("waits", Type::Int)],
    sql: "SELECT shard, /*lite 1*/ /*pg CASE WHEN waits = 2 THEN pg_advisory_xact_lock_shared(shard) IS NOT NULL
        WHEN waits = 1 THEN pg_advisory_xact_lock(shard) IS NOT NULL
        ELSE pg_try_advisory_xact_lock(shard) END*/ FROM given",
};

/// Has the whole database alone until the transaction ends, as the first thing in it.
pub(super) fn alone(db: &mut dyn Sql) -> Result<()> {
    db.query(ALONE, &values![WHOLE]).map(drop)
}

/// Shares the database, and takes the locks of shards: `waits` for some, and others if nobody has them. Those that are held then.
pub(super) fn shards(
    work: &mut Work<'_>,
    waits: &BTreeSet<u8>,
    others: &BTreeSet<u8>,
) -> Result<BTreeSet<u8>> {
    let all: BTreeSet<u8> = waits.union(others).copied().collect();
    // SQLite has one writer at a time.
    if !work.db.is_server() {
        return Ok(all);
    }
    let row =
        |shard: &u8| values![FIRST.saturating_add((*shard).into()), waits.contains(shard)].to_vec();
    // The server takes them one by one, as they are given: in their order.
    let mut rows = vec![values![WHOLE, 2_u8].to_vec()];
    rows.extend(all.iter().map(row));
    let mut held = BTreeSet::new();
    for row in work.query_set(&SHARDS, &rows)? {
        let shard = row.int(0)?.saturating_sub(FIRST);
        if let (Ok(shard), true) = (u8::try_from(shard), row.flag(1)?) {
            held.insert(shard);
        }
    }
    Ok(held)
}
