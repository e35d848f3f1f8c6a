//! Rows of megabytes.

use alloc::vec::Vec;

use quorate_session::{Sealed, SessionId};

use super::world::*;
use crate::Bounds;
use crate::store::{Arrival, NewRun, NewStep, OutgoingMessage, PutOutcome, Store};
use crate::testing::toy::{Seals, seals_of};
use crate::testing::violation::Violation;

/// More than any limit that a column, a message or a page may have by default.
const LONG: usize = (1 << 20) + 3;

fn long(first: u8) -> Vec<u8> {
    let mut next = first;
    let step = |_| {
        next = next.wrapping_mul(5).wrapping_add(1);
        next
    };
    (0..LONG).map(step).collect()
}

pub(super) fn rows_of_megabytes_come_back_whole<S: Store>(
    mut store: S,
    reopen: Reopen<'_, S>,
) -> Verdict<S> {
    let one = seals_of(SessionId::new([1; 32]), LONG).ok_or(Violation::Rule(BROKEN))?;
    let bounds = Bounds { parked: 2 * LONG, ..bounds() };
    let context = seal(&one, 0)?.slot().session();
    let messages = [OutgoingMessage { sealed: long(1), ..message(2, 1, 0) }];
    let (job, early, late) = (long(2), long(3), long(4));
    let early = Arrival { sealed: &early, ..arrival(context, 2, 1, 1) };
    rule(did(store.put(&early, &bounds))? == PutOutcome::Parked, "a frame of megabytes is parked")?;
    let new = NewRun { job: &job, longest: LONG, ..new_run(&one, 100, &messages)? };
    rule(has_begun(did(store.begin(&new, &bounds))?), "a job of megabytes begins")?;
    let late = Arrival { sealed: &late, ..arrival(context, 3, 1, 2) };
    let put = did(store.put(&late, &bounds))?;
    rule(put == PutOutcome::Stored(2), "a frame of megabytes is stored")?;
    store = reopen(store);
    let row = did(store.run(&context))?;
    rule(row.is_some_and(|row| row.job == job), "a job of megabytes comes back whole")?;
    let rows = did(store.inbox(&context))?;
    let whole = rows.iter().map(|row| row.sealed.as_slice()).eq([early.sealed, late.sealed]);
    rule(whole, "frames of megabytes come back whole")?;
    let mut due = did(store.due(0, &bounds, 9))?.into_iter().zip(&messages);
    let whole = due.next().is_some_and(|(due, message)| due.sealed == message.sealed);
    rule(whole, "a message of megabytes comes back whole")?;
    let counts = did(store.counts())?;
    rule(counts.outbox == LONG, "a message of megabytes is counted whole")?;
    let mut before = seal(&one, 0)?;
    for after in one.seals.iter().skip(1) {
        rule(
            did(store.swap(before.slot(), &step(after, &[])))?,
            "a session of megabytes is stored",
        )?;
        before = after;
    }
    store = reopen(store);
    let row = did(store.run(&context))?;
    let whole = row.is_some_and(|row| row.sealed == before.as_bytes());
    rule(whole, "a session of megabytes comes back whole")?;
    outcomes(store, reopen, &one, before)
}

/// Outcomes are stored by three methods.
fn outcomes<S: Store>(
    mut store: S,
    reopen: Reopen<'_, S>,
    one: &Seals,
    before: &Sealed,
) -> Verdict<S> {
    let two = run(2)?;
    let outcomes = [long(5), long(6), long(7)];
    let [first, second, third] = &outcomes;
    let whole = "an outcome of megabytes comes back whole";
    let is = |store: &mut S, run: &Seals, is: &[u8]| {
        let outcome = did(store.job(&run.sid))?.and_then(|job| job.outcome);
        rule(outcome.is_some_and(|outcome| outcome == is), whole)
    };
    let end = NewStep { outcome: Some(first), ..step(&one.tombstone, &[]) };
    rule(did(store.swap(before.slot(), &end))?, "a run ends with an outcome of megabytes")?;
    begin(&mut store, &two, 100, &[])?;
    let end = NewStep { outcome: Some(second), ..step(&two.tombstone, &[]) };
    let context = seal(&two, 0)?.slot().session();
    rule(did(store.abandon(&context, &end))?, "a run is abandoned with an outcome of megabytes")?;
    store = reopen(store);
    is(&mut store, one, first)?;
    is(&mut store, &two, second)?;
    rule(did(store.replace_outcome(&one.sid, third))?, "an outcome is replaced")?;
    store = reopen(store);
    is(&mut store, one, third)
}
