//! Batches: each record is atomic by itself.

use alloc::vec::Vec;

use super::world::*;
use crate::Bounds;
use crate::store::{
    Arrival, BeginOutcome, Counts, NewStep, PacketId, PutOutcome, RunContext, Store, Swap,
};
use crate::testing::toy::Seals;
use crate::testing::violation::Violation;

/// The answers to a batch, none of which is an error.
fn all<T, E>(answers: Vec<Result<T, E>>) -> Result<Vec<T>, Violation<E>> {
    answers.into_iter().map(did).collect()
}

fn context<E>(run: &Seals) -> Result<RunContext, Violation<E>> {
    Ok(seal(run, 0)?.slot().session())
}

pub(super) fn runs_begin_together<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
    let (one, two, three) = (run(1)?, run(2)?, run(3)?);
    let messages = [message(2, 1, 0), message(2, 2, 0), message(2, 3, 0), message(2, 4, 0)];
    let [of_one, again, of_two, of_three] = messages.each_ref().map(core::slice::from_ref);
    let new = [
        new_run(&one, 100, of_one)?,
        new_run(&one, 100, again)?,
        new_run(&two, 100, of_two)?,
        new_run(&three, 100, of_three)?,
    ];
    let told = all(store.begin_all(&new, &Bounds { open: 2, ..bounds() }))?;
    let each = matches!(
        told[..],
        [
            BeginOutcome::Begun { .. },
            BeginOutcome::Exists,
            BeginOutcome::Begun { .. },
            BeginOutcome::Busy
        ]
    );
    rule(each, "each run of a batch has the answer that it has alone")?;
    rule(store.begin_all(&[], &bounds()).is_empty(), "a batch of no runs has no answers")?;
    store = reopen(store);
    let counts = did(store.counts())?;
    let begun = Counts { open: 2, messages: 2, ..counts };
    rule(counts == begun, "the runs of a batch that begin are there, with their messages")?;
    let mut sent: Vec<PacketId> =
        did(store.due(0, &bounds(), 9))?.iter().map(|due| due.id).collect();
    sent.sort_unstable();
    rule(
        sent == [[1; 32], [3; 32]],
        "a run that is refused stores no messages, whatever else begins",
    )?;
    rule(did(store.job(&three.sid))?.is_none(), "a run that is refused is not there")
}

pub(super) fn steps_are_swapped_together<S: Store>(
    mut store: S,
    reopen: Reopen<'_, S>,
) -> Verdict<S> {
    let (one, two, three) = (run(1)?, run(2)?, run(3)?);
    for run in [&one, &two] {
        begin(&mut store, run, 100, &[])?;
    }
    did(store.put(&arrival(context(&two)?, 2, 1, 1), &bounds()))?;
    let messages = [message(2, 1, 0), message(2, 2, 0)];
    let [first, second] = messages.each_ref().map(core::slice::from_ref);
    let end = NewStep { outcome: Some(b"outcome"), ..step(&two.tombstone, &[]) };
    let swaps = [
        Swap { before: seal(&one, 0)?.slot(), step: step(seal(&one, 1)?, first) },
        Swap { before: seal(&one, 0)?.slot(), step: step(seal(&one, 2)?, second) },
        Swap { before: seal(&two, 0)?.slot(), step: end },
        Swap { before: seal(&three, 0)?.slot(), step: step(seal(&three, 1)?, second) },
        Swap { before: seal(&one, 1)?.slot(), step: step(seal(&one, 2)?, &[]) },
    ];
    let told = all(store.swap_all(&swaps))?;
    let each = [true, false, true, false, true];
    rule(told == each, "each step of a batch has the answer that it has alone")?;
    rule(store.swap_all(&[]).is_empty(), "a batch of no steps has no answers")?;
    store = reopen(store);
    let row = did(store.run(&context(&one)?))?;
    let last = seal(&one, 2)?.as_bytes();
    rule(row.is_some_and(|row| row.sealed == last), "the last step of a run in a batch is there")?;
    let outcome = did(store.job(&two.sid))?.and_then(|job| job.outcome);
    let ended = outcome.as_deref() == Some(b"outcome".as_slice());
    rule(ended, "a run that ends in a batch has its outcome")?;
    let inbox = did(store.inbox(&context(&two)?))?;
    rule(inbox.is_empty(), "the inbox of a run that ends in a batch is forgotten")?;
    let counts = did(store.counts())?;
    let left = (counts.open, counts.messages) == (1, 1);
    rule(left, "the steps of a batch that are taken post their messages, and the others none")
}

pub(super) fn frames_are_put_together<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
    let (one, two, three) = (run(1)?, run(2)?, run(3)?);
    for run in [&one, &two] {
        begin(&mut store, run, 100, &[])?;
    }
    let (open, ended, unknown) = (context(&one)?, context(&two)?, context(&three)?);
    let end = NewStep { outcome: Some(b"outcome"), ..step(&two.tombstone, &[]) };
    rule(did(store.swap(seal(&two, 0)?.slot(), &end))?, "a run ends")?;
    let long = [0; LONGEST + 1];
    let arrivals = [
        arrival(open, 2, 1, 1),
        arrival(open, 2, 1, 1),
        arrival(open, 2, 1, 2),
        arrival(open, 2, 1, 3),
        arrival(ended, 2, 1, 4),
        Arrival { sealed: &long, ..arrival(open, 3, 1, 5) },
        arrival(unknown, 2, 1, 6),
        arrival(open, 3, 1, 7),
    ];
    let told = all(store.put_all(&arrivals, &bounds()))?;
    let each = [
        PutOutcome::Stored(1),
        PutOutcome::Duplicate,
        PutOutcome::Stored(2),
        PutOutcome::Contradiction,
        PutOutcome::Ended,
        PutOutcome::TooLong,
        PutOutcome::Parked,
        PutOutcome::Stored(3),
    ];
    rule(told == each, "each packet of a batch has the answer that it has alone")?;
    rule(store.put_all(&[], &bounds()).is_empty(), "a batch of no packets has no answers")?;
    store = reopen(store);
    let rows = did(store.inbox(&open))?;
    let ids = rows.iter().map(|row| row.id);
    rule(ids.eq([[1; 32], [2; 32], [7; 32]]), "the packets of a batch are there, in order")
}
