//! The locks of two workers on one server, in the order in which everybody takes them, so that nobody waits for each other in
//! a circle.
//!
//! 1. The lanes of a [batch](super::Runs::hold), by number: whatever is of a run is written under its lane's.
//! 2. Rows whose names others may insert at the same time, sorted (nonces).
//! 3. At the end of a transaction totals, the parked bytes of each sender, and the chain of marks.
//!
//! Whatever else two workers may be at, such as messages that are sent again, acknowledged or pruned, is passed over where
//! another one has it (`SKIP LOCKED`): who does not wait closes no circle.

use std::collections::BTreeSet;

use super::work::Work;
use crate::sql::{Result, Set, Sql, Type};
use crate::values;

/// The locks of lanes are those from this number on.
const FIRST: i64 = 1 << 8;

static LANES: Set = Set {
    columns: &[("lane", Type::Int), ("waits", Type::Int)],
    sql: "SELECT lane, /*lite 1*/ /*pg CASE WHEN waits = 1 THEN pg_advisory_xact_lock(lane) IS NOT NULL
        ELSE pg_try_advisory_xact_lock(lane) END*/ FROM given",
};

/// Takes the locks of lanes: `waits` for some, and others if nobody has them. Those that are held then.
pub(super) fn lanes(
    work: &mut Work<'_>,
    waits: &BTreeSet<u8>,
    others: &BTreeSet<u8>,
) -> Result<BTreeSet<u8>> {
    let all: BTreeSet<u8> = waits.union(others).copied().collect();
    // SQLite has one writer at a time.
    if !work.db.is_server() || all.is_empty() {
        return Ok(all);
    }
    let row =
        |lane: &u8| values![FIRST.saturating_add((*lane).into()), waits.contains(lane)].to_vec();
    // The server takes them one by one, as they are given: in their order.
    let rows = work.query_set(&LANES, &all.iter().map(row).collect::<Vec<_>>())?;
    let mut held = BTreeSet::new();
    for row in rows {
        if row.flag(1)? {
            held.insert(u8::try_from(row.int(0)?.saturating_sub(FIRST)).unwrap_or(u8::MAX));
        }
    }
    Ok(held)
}
