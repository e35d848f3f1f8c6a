//! Several callers at once, each on a thread and with a handle of its own.

use core::panic::AssertUnwindSafe;
use std::panic;
use std::sync::Barrier;
use std::thread;
use std::vec::Vec;

use quorate_session::TableEntry;

use super::world::*;
use crate::Bounds;
use crate::store::{BeginOutcome, NewStep, OutgoingMessage, PacketId, PutOutcome, Store};
use crate::testing::toy::party;
use crate::testing::violation::Violation;

/// The callers, and the times that they meet for each rule.
const CALLERS: u8 = 4;
const ROUNDS: u8 = 12;

/// Checks what callers do at the same time, each rule on an empty store.
pub(in crate::testing) fn at_once<S: Store<Error: Send>, O: Fn() -> S + Sync>(
    mut make: impl FnMut() -> O,
) -> Verdict<S> {
    claims(&make())?;
    jobs(&make())?;
    steps(&make())?;
    frames(&make())?;
    reads(&make())
}

/// The answers of a round, in which all callers do the same at the same time.
type Told<T> = Vec<Vec<T>>;

/// Lets the callers act at the same time, again and again.
fn meet<S: Store<Error: Send>, T: Send>(
    open: &(impl Fn() -> S + Sync),
    act: impl Fn(&mut S, u8, u8) -> Result<T, Violation<S::Error>> + Sync,
) -> Result<Told<T>, Violation<S::Error>> {
    let barrier = Barrier::new(CALLERS.into());
    let call = |caller| {
        let mut store = caught(open);
        let round = |round| {
            barrier.wait();
            let acted = store.as_mut().map(|store| caught(|| act(store, round, caller)));
            acted.flatten().unwrap_or(Err(Violation::Rule("no caller panics")))
        };
        // Every caller comes to every meeting, whatever has failed, so that no caller waits for ever.
        (0..ROUNDS).map(round).collect::<Vec<_>>()
    };
    let given: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> =
            (1..=CALLERS).map(|caller| scope.spawn(move || call(caller))).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    let mut told: Told<T> = (0..ROUNDS).map(|_| Vec::new()).collect();
    for answers in given {
        for (round, answer) in told.iter_mut().zip(answers) {
            round.push(answer?);
        }
    }
    Ok(told)
}

/// The result of a function, if it does not panic.
fn caught<T>(call: impl FnOnce() -> T) -> Option<T> {
    panic::catch_unwind(AssertUnwindSafe(call)).ok()
}

fn claims<S: Store<Error: Send>>(open: &(impl Fn() -> S + Sync)) -> Verdict<S> {
    let told = meet(open, |store, round, caller| did(store.record(&[round; 32], &[caller; 32])))?;
    let mut store = open();
    for (round, told) in (0..).zip(told) {
        let TableEntry::Before(first) = did(store.record(&[round; 32], &[0; 32]))? else {
            return rule(false, "a claim that was recorded is there");
        };
        // The callers answer in the order of their numbers, and each claims its own.
        let new = (1..=CALLERS).zip(&told).filter(|(_, entry)| **entry == TableEntry::New);
        rule(new.clone().count() == 1, "of callers that claim one name at once, one is the first")?;
        rule(new.map(|(caller, _)| [caller; 32]).eq([first]), "the claim of the first is stored")?;
        let others = told.iter().filter(|entry| **entry != TableEntry::New);
        let same = others.copied().all(|entry| entry == TableEntry::Before(first));
        rule(same, "of callers that claim one name at once, the others are told of the first")?;
    }
    Ok(())
}

fn jobs<S: Store<Error: Send>>(open: &(impl Fn() -> S + Sync)) -> Verdict<S> {
    let bounds = Bounds { open: 1000, ..bounds() };
    let told = meet(open, |store, round, caller| {
        let one = run(round)?;
        let messages = [OutgoingMessage { id: [caller; 32], ..message(2, round, 0) }];
        let messages = messages.map(|one| OutgoingMessage { id: mixed(one.id, round), ..one });
        did(store.begin(&new_run(&one, 100, &messages)?, &bounds))
    })?;
    for told in told {
        let begun = told.iter().filter(|outcome| has_begun(**outcome)).count();
        let other = told.iter().filter(|outcome| **outcome == BeginOutcome::Exists).count();
        let one = (begun, other) == (1, usize::from(CALLERS - 1));
        rule(one, "of callers that begin one job at once, one begins it")?;
    }
    let counts = did(open().counts())?;
    let once = (counts.open, counts.messages) == (ROUNDS.into(), ROUNDS.into());
    rule(once, "a job that callers begin at once is there once, with its messages")
}

fn mixed(mut id: PacketId, round: u8) -> PacketId {
    if let Some(last) = id.last_mut() {
        *last = round;
    }
    id
}

fn steps<S: Store<Error: Send>>(open: &(impl Fn() -> S + Sync)) -> Verdict<S> {
    let mut store = open();
    for round in 0..ROUNDS {
        begin(&mut store, &run(round)?, 100, &[])?;
    }
    let told = meet(open, |store, round, caller| {
        let one = run(round)?;
        let messages = [OutgoingMessage { id: mixed([caller; 32], round), ..message(2, round, 0) }];
        did(store.swap(seal(&one, 0)?.slot(), &step(seal(&one, 1)?, &messages)))
    })?;
    for told in told {
        let swapped = told.iter().filter(|swapped| **swapped).count();
        rule(swapped == 1, "of callers that swap from one slot at once, one does")?;
    }
    let counts = did(store.counts())?;
    rule(
        counts.messages == usize::from(ROUNDS),
        "of callers that swap at once, one stores messages",
    )
}

fn frames<S: Store<Error: Send>>(open: &(impl Fn() -> S + Sync)) -> Verdict<S> {
    let one = run(1)?;
    let mut store = open();
    begin(&mut store, &one, 100, &[])?;
    let context = seal(&one, 0)?.slot().session();
    let told =
        meet(open, |store, round, _| did(store.put(&arrival(context, 2, round, 1), &bounds())))?;
    for told in told {
        let stored = told.iter().filter(|put| matches!(put, PutOutcome::Stored(_))).count();
        let copies = told.iter().filter(|put| **put == PutOutcome::Duplicate).count();
        let once = (stored, copies) == (1, usize::from(CALLERS - 1));
        rule(once, "a frame that comes to callers at once is stored once")?;
    }
    // Another frame of each caller in the same place.
    meet(open, |store, round, caller| {
        did(store.put(&arrival(context, 3, round, caller), &bounds()))
    })?;
    let rows = did(store.inbox(&context))?;
    for round in 0..ROUNDS {
        let here = rows.iter().filter(|row| (row.place.from, row.place.round) == (party(3), round));
        rule(here.count() == 2, "of frames that come to callers at once two are kept of a place")?;
    }
    Ok(())
}

/// Two handles: one reads what the other has stored, whatever it has read before.
fn reads<S: Store<Error: Send>>(open: &(impl Fn() -> S + Sync)) -> Verdict<S> {
    let one = run(1)?;
    let (mut writer, mut reader) = (open(), open());
    let context = seal(&one, 0)?.slot().session();
    let fresh = "a handle reads what another one has stored";
    rule(did(reader.run(&context))?.is_none(), fresh)?;
    begin(&mut writer, &one, 100, &[])?;
    for pair in one.seals.windows(2) {
        let [before, after] = pair else { continue };
        let row = did(reader.run(&context))?;
        rule(row.is_some_and(|row| row.sealed == before.as_bytes()), fresh)?;
        rule(did(writer.swap(before.slot(), &step(after, &[])))?, "a swap")?;
    }
    let last = one.seals.last().ok_or(Violation::Rule(BROKEN))?;
    let row = did(reader.run(&context))?;
    rule(row.is_some_and(|row| row.sealed == last.as_bytes()), fresh)?;
    let end = NewStep { outcome: Some(b"outcome"), ..step(&one.tombstone, &[]) };
    rule(did(writer.swap(last.slot(), &end))?, "a run ends")?;
    rule(did(reader.job(&one.sid))?.is_some_and(|job| job.outcome.is_some()), fresh)
}
