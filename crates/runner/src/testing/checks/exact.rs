//! Times and names that are nearly the same.

use alloc::vec::Vec;

use quorate_session::{PartyId, SessionId, TableEntry};

use super::world::*;
use crate::Time;
use crate::store::{
    Arrival, ArrivalKind, NewStep, OutgoingMessage, Place, PutOutcome, Store, Taken,
};
use crate::testing::toy::{Seals, party, seals_of};
use crate::testing::violation::Violation;

/// The first whole number that a float of 64 bits cannot hold. Its last 32 bits are 1.
const T: Time = (1 << 53) + 1;

/// Ends a run from its first slot.
fn end<S: Store>(store: &mut S, run: &Seals, until: Time) -> Verdict<S> {
    let end = NewStep { outcome: Some(b"outcome"), until, ..step(&run.tombstone, &[]) };
    rule(did(store.swap(seal(run, 0)?.slot(), &end))?, "a run ends")
}

pub(super) fn times_are_exact<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
    let (one, two) = (run(1)?, run(2)?);
    begin(&mut store, &one, T, &[])?;
    begin(&mut store, &two, T - 1, &[])?;
    store = reopen(store);
    let [first, second] = [seal(&two, 0)?, seal(&one, 0)?].map(|sealed| sealed.slot().session());
    let exact = "a deadline beyond 2^53 is exact";
    let expired = |store: &mut S, now| did(store.expired(&KINDS, now, 9));
    rule(expired(&mut store, T - 2)?.is_empty(), exact)?;
    rule(expired(&mut store, T - 1)? == [first], exact)?;
    rule(expired(&mut store, T)? == [first, second], exact)?;
    rule(did(store.next(&KINDS))? == Some(T - 1), exact)?;
    rule(did(store.run(&second))?.is_some_and(|row| row.deadline == T), exact)?;
    end(&mut store, &one, T + 9)?;
    end(&mut store, &two, T + 9)?;

    let exact = "the times of a message beyond 2^53 are exact";
    let three = run(3)?;
    let messages = [OutgoingMessage { until: T + 2, ..message(2, 1, T) }];
    begin(&mut store, &three, T + 100, &messages)?;
    let due = |store: &mut S, now| Ok(did(store.due(now, &bounds(), 9))?.len());
    rule(due(&mut store, T - 1)? == 0 && due(&mut store, T)? == 1, exact)?;
    rule(did(store.next(&KINDS))? == Some(T + 10), "the time of the next attempt is exact")?;
    let messages = |store: &mut S| Ok(did(store.counts())?.messages);
    prune(&mut store, T + 1)?;
    rule(messages(&mut store)? == 1, exact)?;
    prune(&mut store, T + 2)?;
    rule(messages(&mut store)? == 0, exact)?;

    let exact = "the time of what is parked beyond 2^53 is exact";
    let parked = |store: &mut S| Ok(did(store.counts())?.parked);
    let early = Arrival { until: T, ..arrival([9; 32], 2, 1, 1) };
    rule(did(store.put(&early, &bounds()))? == PutOutcome::Parked, exact)?;
    prune(&mut store, T - 1)?;
    rule(parked(&mut store)? > 0, exact)?;
    prune(&mut store, T)?;
    rule(parked(&mut store)? == 0, exact)
}

/// Names that differ in their last byte alone.
fn twins(byte: u8) -> [[u8; 32]; 2] {
    let mut other = [byte; 32];
    if let Some(last) = other.last_mut() {
        *last ^= 1;
    }
    [[byte; 32], other]
}

pub(super) fn names_are_compared_whole<S: Store>(
    mut store: S,
    reopen: Reopen<'_, S>,
) -> Verdict<S> {
    claims(&mut store)?;
    let [sid, other] = twins(1);
    let make = |sid| seals_of(SessionId::new(sid), 1).ok_or(Violation::Rule(BROKEN));
    let (one, two) = (make(sid)?, make(other)?);
    let [id, twin] = twins(3);
    let messages = [message(2, 3, 0), OutgoingMessage { id: twin, ..message(2, 4, 0) }];
    begin(&mut store, &one, 100, &messages)?;
    let whole = "jobs are told apart by the last byte of their session ids";
    rule(did(store.job(&two.sid))?.is_none(), whole)?;
    rule(has_begun(begin(&mut store, &two, 100, &[])?), whole)?;
    store = reopen(store);
    for one in [&one, &two] {
        let context = seal(one, 0)?.slot().session();
        rule(did(store.job(&one.sid))?.is_some_and(|job| job.context == context), whole)?;
    }
    let context = seal(&one, 0)?.slot().session();
    let mut strange = context;
    if let Some(last) = strange.last_mut() {
        *last ^= 1;
    }
    let whole = "runs are told apart by the last byte of their contexts";
    rule(did(store.run(&strange))?.is_none(), whole)?;
    rule(did(store.inbox(&strange))?.is_empty(), whole)?;
    let put = |store: &mut S, arrival: &Arrival<'_>| did(store.put(arrival, &bounds()));
    rule(put(&mut store, &arrival(strange, 2, 1, 3))? == PutOutcome::Parked, whole)?;
    let end = NewStep { outcome: Some(b"outcome"), ..step(&one.tombstone, &[]) };
    rule(!did(store.abandon(&strange, &end))?, whole)?;
    let whole = "frames are told apart by the last byte of their names";
    rule(put(&mut store, &arrival(context, 2, 1, 3))? == PutOutcome::Stored(1), whole)?;
    let second = Arrival { id: twin, ..arrival(context, 2, 1, 3) };
    rule(put(&mut store, &second)? == PutOutcome::Stored(2), whole)?;
    let taken = [Taken { from: party(2), id: twin }];
    let next = NewStep { taken: &taken, ..step(seal(&one, 1)?, &[]) };
    rule(did(store.swap(seal(&one, 0)?.slot(), &next))?, "a swap")?;
    let left = did(store.inbox(&context))?;
    rule(left.iter().map(|row| row.id).eq([id]), whole)?;
    let whole = "messages are told apart by the last byte of their names";
    rule(did(store.counts())?.messages == 2, whole)?;
    rule(did(store.acknowledge(party(2), &[twin]))? == 1, whole)?;
    let due = did(store.due(0, &bounds(), 9))?;
    rule(due.iter().map(|due| due.id).eq([id]), whole)
}

fn claims<S: Store>(store: &mut S) -> Verdict<S> {
    let [id, other] = twins(1);
    let [digest, twin] = twins(2);
    let whole = "claims are told apart by the last byte of their ids";
    rule(did(store.record(&id, &digest))? == TableEntry::New, whole)?;
    rule(did(store.record(&other, &twin))? == TableEntry::New, whole)?;
    let whole = "the digest of a claim is kept to its last byte";
    rule(did(store.record(&id, &twin))? == TableEntry::Before(digest), whole)?;
    rule(did(store.record(&other, &digest))? == TableEntry::Before(twin), whole)
}

/// Numbers of parties have two bytes, and no sign.
pub(super) fn parties_are_compared_whole<S: Store>(
    mut store: S,
    reopen: Reopen<'_, S>,
) -> Verdict<S> {
    let all: [PartyId; 3] = [2, 258, u16::MAX].map(party);
    let one = run(1)?;
    let messages = [OutgoingMessage { to: all.into(), ..message(2, 1, 0) }];
    begin(&mut store, &one, 100, &messages)?;
    let context = seal(&one, 0)?.slot().session();
    let whole = "parties are told apart by both bytes of their numbers";
    for (waiting, from) in (1..).zip(all) {
        let place = Place { from, round: 1, kind: ArrivalKind::Broadcast };
        let arrival = Arrival { place, ..arrival(context, 2, 1, 1) };
        rule(did(store.put(&arrival, &bounds()))? == PutOutcome::Stored(waiting), whole)?;
    }
    store = reopen(store);
    let rows = did(store.inbox(&context))?;
    rule(rows.iter().map(|row| row.place.from).eq(all), whole)?;
    let [.., last] = all;
    rule(did(store.acknowledge(last, &[[1; 32]]))? == 1, whole)?;
    let mut due: Vec<_> = did(store.due(0, &bounds(), 9))?.into_iter().map(|due| due.to).collect();
    due.sort_unstable();
    rule(due.iter().eq(&all[..2]), whole)
}
