//! Jobs, runs and claims.

use alloc::vec::Vec;

use quorate_session::{Sealed, Slot, TableEntry};

use super::world::*;
use crate::store::{BeginOutcome, NewStep, OutgoingMessage, PutOutcome, RunContext, Store};
use crate::testing::toy::Seals;
use crate::testing::violation::Violation;
use crate::{Bounds, Kind};

pub(super) fn jobs_begin_once<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
    let one = run(1)?;
    rule(store.job(&one.sid).map_err(Violation::Failed)?.is_none(), "an empty store knows no job")?;
    rule(has_begun(begin(&mut store, &one, 100, &[])?), "a new job begins")?;
    let again = begin(&mut store, &one, 100, &[message(2, 1, 0)])?;
    rule(again == BeginOutcome::Exists, "a job begins once")?;
    store = reopen(store);
    let counts = store.counts().map_err(Violation::Failed)?;
    rule(counts.open == 1 && counts.messages == 0, "a job that exists changes nothing")?;
    rule(did(store.open_runs())? == 1, "an open run is counted")?;
    let row = store.job(&one.sid).map_err(Violation::Failed)?;
    let context = seal(&one, 0)?.slot().session();
    let known = row.is_some_and(|row| {
        row.digest == [7; 32] && row.context == context && row.outcome.is_none()
    });
    rule(known, "a job is known by its digest and context")?;
    let row = store.run(&context).map_err(Violation::Failed)?;
    let known = row.is_some_and(|row| {
        row.job == b"the job"
            && row.deadline == 100
            && (row.kind, row.sid) == (KIND, one.sid)
            && one.seals.first().is_some_and(|sealed| sealed.as_bytes() == row.sealed)
    });
    rule(known, "a run is stored as it was given")
}

pub(super) fn slots_are_compared<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
    let (one, other) = (run(1)?, run(2)?);
    begin(&mut store, &one, 100, &[])?;
    let [first, second, third] = [seal(&one, 0)?, seal(&one, 1)?, seal(&one, 2)?];
    let swap = |store: &mut S, before: Slot, after, messages: &[OutgoingMessage]| {
        store.swap(before, &step(after, messages)).map_err(Violation::Failed)
    };
    let messages = [message(2, 1, 0)];
    rule(!swap(&mut store, second.slot(), third, &messages)?, "a swap from another slot fails")?;
    rule(!swap(&mut store, seal(&other, 0)?.slot(), second, &messages)?, "no run, no swap")?;
    rule(
        store.counts().map_err(Violation::Failed)?.messages == 0,
        "a swap that fails stores no messages",
    )?;
    rule(swap(&mut store, first.slot(), second, &messages)?, "a swap from the slot that is there")?;
    store = reopen(store);
    rule(!swap(&mut store, first.slot(), third, &[])?, "of two workers one swaps")?;
    let row = store.run(&first.slot().session()).map_err(Violation::Failed)?;
    rule(row.is_some_and(|row| row.sealed == second.as_bytes()), "the swapped session is there")?;
    rule(store.counts().map_err(Violation::Failed)?.messages == 1, "a swap stores its messages")
}

pub(super) fn an_end_is_the_end<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
    let one = run(1)?;
    begin(&mut store, &one, 100, &[])?;
    let (first, context) = (seal(&one, 0)?, seal(&one, 0)?.slot().session());
    store.put(&arrival(context, 2, 1, 1), &bounds()).map_err(Violation::Failed)?;
    let end = NewStep { outcome: Some(b"outcome"), ..step(&one.tombstone, &[]) };
    rule(store.swap(first.slot(), &end).map_err(Violation::Failed)?, "a run ends")?;
    store = reopen(store);
    let counts = store.counts().map_err(Violation::Failed)?;
    rule(counts.open == 0, "a run that has ended is not open")?;
    rule(did(store.open_runs())? == 0, "a run that has ended is not counted as open")?;
    rule(store.inbox(&context).map_err(Violation::Failed)?.is_empty(), "its inbox is forgotten")?;
    rule(
        store.expired(&KINDS, 1000, 9).map_err(Violation::Failed)?.is_empty(),
        "it has no deadline",
    )?;
    rule(store.next(&KINDS).map_err(Violation::Failed)?.is_none(), "nothing is due")?;
    let late = store.put(&arrival(context, 2, 1, 2), &bounds()).map_err(Violation::Failed)?;
    rule(late == PutOutcome::Ended, "what comes late is told so")?;
    rule(begin(&mut store, &one, 100, &[])? == BeginOutcome::Exists, "it does not begin again")?;
    for before in [first.slot(), one.tombstone.slot()] {
        let back = store.swap(before, &step(seal(&one, 1)?, &[])).map_err(Violation::Failed)?;
        rule(!back, "no session takes the place of a tombstone")?;
    }
    let row = store.job(&one.sid).map_err(Violation::Failed)?;
    let outcome = row.and_then(|row| row.outcome);
    rule(outcome.as_deref() == Some(b"outcome".as_slice()), "the outcome is kept")
}

pub(super) fn deadlines_come_in_order<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
    let runs = [run(1)?, run(2)?, run(3)?];
    for (run, deadline) in runs.iter().zip([30, 10, 20]) {
        begin(&mut store, run, deadline, &[])?;
    }
    let [one, two, three] = &runs;
    let context = |run: &Seals| Ok(seal(run, 0)?.slot().session());
    store = reopen(store);
    let mut expired = |now, most| store.expired(&KINDS, now, most).map_err(Violation::Failed);
    rule(expired(9, 9)?.is_empty(), "no run is over before its deadline")?;
    rule(expired(30, 2)? == [context(two)?, context(three)?], "the first deadline first")?;
    rule(expired(30, 9)?.len() == 3, "until they have ended")?;
    rule(
        store.next(&KINDS).map_err(Violation::Failed)? == Some(10),
        "the next moment is the first deadline",
    )?;
    let mut all = [context(one)?, context(two)?, context(three)?];
    all.sort_unstable();
    let [first, rest @ ..] = all;
    let mut open =
        |after: Option<&[u8; 32]>, most| store.open(&KINDS, after, most).map_err(Violation::Failed);
    rule(open(None, 1)? == [first], "open runs in order")?;
    rule(open(Some(&first), 9)? == rest, "and those after one")
}

pub(super) fn open_runs_are_bounded<S: Store>(mut store: S, _: Reopen<'_, S>) -> Verdict<S> {
    let (one, two) = (run(1)?, run(2)?);
    begin(&mut store, &one, 100, &[])?;
    let new = new_run(&two, 100, &[])?;
    let mut begin = |open| did(store.begin(&new, &Bounds { open, ..bounds() }));
    rule(begin(1)? == BeginOutcome::Busy, "open runs are bounded")?;
    rule(has_begun(begin(2)?), "up to the bound")
}

pub(super) fn a_canary_stays<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
    rule(did(store.canary(b"first"))?.is_none(), "an empty store has no canary")?;
    let is_first = |found: Option<Vec<u8>>| found.as_deref() == Some(b"first".as_slice());
    rule(is_first(did(store.canary(b"second"))?), "the first canary stays")?;
    store = reopen(store);
    rule(is_first(did(store.canary(b"third"))?), "a canary is durable")
}

/// Reads right after each write, with nothing in between: a cache, or a copy that lags, shows here.
pub(super) fn what_is_read_was_stored_last<S: Store>(mut store: S, _: Reopen<'_, S>) -> Verdict<S> {
    let one = run(1)?;
    let (first, context) = (seal(&one, 0)?, seal(&one, 0)?.slot().session());
    rule(did(store.run(&context))?.is_none(), "an empty store has no run")?;
    rule(did(store.job(&one.sid))?.is_none(), "an empty store has no job")?;
    begin(&mut store, &one, 100, &[])?;
    let sealed = |store: &mut S| Ok(did(store.run(&context))?.map(|row| row.sealed));
    let is = |found: Option<Vec<u8>>, sealed: &Sealed| found.as_deref() == Some(sealed.as_bytes());
    let fresh = "a run is read as it was stored last";
    rule(is(sealed(&mut store)?, first), fresh)?;
    for after in one.seals.iter().skip(1) {
        let before = sealed(&mut store)?.and_then(|bytes| Sealed::from_bytes(&bytes).ok());
        let before = before.ok_or(Violation::Rule(fresh))?.slot();
        rule(did(store.swap(before, &step(after, &[])))?, "a swap from the slot that was read")?;
        rule(is(sealed(&mut store)?, after), fresh)?;
    }
    rule(did(store.job(&one.sid))?.is_some_and(|job| job.outcome.is_none()), "a job is open")?;
    let last = one.seals.last().ok_or(Violation::Rule(BROKEN))?.slot();
    let end = NewStep { outcome: Some(b"outcome"), ..step(&one.tombstone, &[]) };
    rule(did(store.swap(last, &end))?, "a run ends")?;
    rule(is(sealed(&mut store)?, &one.tombstone), fresh)?;
    let outcome = |store: &mut S| Ok(did(store.job(&one.sid))?.and_then(|job| job.outcome));
    let fresh = "a job is read as it was stored last";
    rule(outcome(&mut store)?.as_deref() == Some(b"outcome".as_slice()), fresh)?;
    rule(did(store.replace_outcome(&one.sid, b"other"))?, "an outcome is replaced")?;
    rule(outcome(&mut store)?.as_deref() == Some(b"other".as_slice()), fresh)
}

pub(super) fn runs_are_apart_by_protocol<S: Store>(mut store: S, _: Reopen<'_, S>) -> Verdict<S> {
    begin(&mut store, &run(1)?, 10, &[])?;
    let open = |store: &mut S, kinds: &[Kind]| did(store.open(kinds, None, 9));
    let expired = |store: &mut S, kinds: &[Kind]| did(store.expired(kinds, 10, 9));
    let mut near = [[254; 32]; 2];
    near[0][31] = 253;
    near[1][0] = 255;
    let strange = near.map(Kind::new);
    for kinds in [&[][..], &strange[..1], &strange] {
        rule(
            open(&mut store, kinds)?.is_empty(),
            "open runs are those of the protocols asked for",
        )?;
        rule(expired(&mut store, kinds)?.is_empty(), "and so are those whose deadline has come")?;
        rule(did(store.next(kinds))?.is_none(), "and the next deadline")?;
    }
    let several = [strange[0], KIND, strange[1]];
    rule(open(&mut store, &several)?.len() == 1, "a run is found by any of several kinds")?;
    rule(expired(&mut store, &several)?.len() == 1, "and so is its deadline")?;
    rule(open(&mut store, &KINDS)?.len() == 1, "its own are there")?;
    rule(expired(&mut store, &KINDS)?.len() == 1, "its own are there")
}

pub(super) fn any_run_can_be_abandoned<S: Store>(
    mut store: S,
    reopen: Reopen<'_, S>,
) -> Verdict<S> {
    let one = run(1)?;
    begin(&mut store, &one, 100, &[])?;
    let context = seal(&one, 0)?.slot().session();
    let messages = [message(2, 1, 0)];
    let end = NewStep { outcome: Some(b"outcome"), ..step(&one.tombstone, &messages) };
    let abandon = |store: &mut S, context: &RunContext| {
        store.abandon(context, &end).map_err(Violation::Failed)
    };
    rule(!abandon(&mut store, &[9; 32])?, "what is not there is not abandoned")?;
    rule(abandon(&mut store, &context)?, "a run is abandoned from any slot")?;
    store = reopen(store);
    rule(!abandon(&mut store, &context)?, "once")?;
    let counts = store.counts().map_err(Violation::Failed)?;
    rule((counts.open, counts.messages) == (0, 1), "it is not open, and its messages are stored")?;
    rule(
        store.expired(&KINDS, 1000, 9).map_err(Violation::Failed)?.is_empty(),
        "it has no deadline",
    )?;
    let row = store.run(&context).map_err(Violation::Failed)?;
    rule(
        row.is_some_and(|row| row.sealed == one.tombstone.as_bytes() && row.job.is_empty()),
        "its tombstone is stored, and its job forgotten",
    )?;
    let row = store.job(&one.sid).map_err(Violation::Failed)?;
    let outcome = row.and_then(|row| row.outcome);
    rule(outcome.as_deref() == Some(b"outcome".as_slice()), "its outcome is kept")
}

pub(super) fn outcomes_are_replaced<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
    let one = run(1)?;
    let replace =
        |store: &mut S| store.replace_outcome(&one.sid, b"other").map_err(Violation::Failed);
    rule(!replace(&mut store)?, "an unknown job has no outcome")?;
    begin(&mut store, &one, 100, &[])?;
    rule(!replace(&mut store)?, "a job that runs has no outcome")?;
    let end = NewStep { outcome: Some(b"outcome"), ..step(&one.tombstone, &[]) };
    rule(store.swap(seal(&one, 0)?.slot(), &end).map_err(Violation::Failed)?, "a run ends")?;
    rule(replace(&mut store)?, "an outcome is replaced")?;
    store = reopen(store);
    let row = store.job(&one.sid).map_err(Violation::Failed)?;
    let outcome = row.and_then(|row| row.outcome);
    rule(outcome.as_deref() == Some(b"other".as_slice()), "and the other is kept")
}

pub(super) fn claims_are_unique<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
    let claim = |store: &mut S, id, digest| {
        store.record(&[id; 32], &[digest; 32]).map_err(Violation::Failed)
    };
    let first = TableEntry::Before([2; 32]);
    rule(claim(&mut store, 1, 2)? == TableEntry::New, "a claim is stored")?;
    let again = claim(&mut store, 1, 2)?;
    rule(again != TableEntry::New, "of two calls with one claim one is the first")?;
    rule(again == first, "the digest of a claim is kept")?;
    rule(claim(&mut store, 1, 3)? == first, "the first claim stays")?;
    store = reopen(store);
    rule(claim(&mut store, 1, 3)? == first, "a claim is durable")?;
    rule(claim(&mut store, 2, 3)? == TableEntry::New, "claims of two names are two")
}
