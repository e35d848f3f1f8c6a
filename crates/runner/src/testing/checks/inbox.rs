//! The packets of peers.

use alloc::vec::Vec;

use quorate_session::wire::joined;

use super::world::*;
use crate::PARKED_OVERHEAD;
use crate::store::{
    Arrival, ArrivalKind, BeginOutcome, InboxRow, NewStep, PacketId, Place, PutOutcome, Store,
    Taken,
};
use crate::testing::toy::{Seals, party};
use crate::testing::violation::Violation;

pub(super) fn arrivals_are_kept_once<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
    let one = run(1)?;
    begin(&mut store, &one, 100, &[])?;
    let context = seal(&one, 0)?.slot().session();
    let put = |store: &mut S, arrival: &Arrival<'_>| {
        store.put(arrival, &bounds()).map_err(Violation::Failed)
    };
    let first = arrival(context, 2, 1, 1);
    rule(put(&mut store, &first)? == PutOutcome::Stored(1), "what comes is stored")?;
    rule(put(&mut store, &first)? == PutOutcome::Duplicate, "what comes twice is told so")?;
    rule(
        put(&mut store, &arrival(context, 2, 1, 2))? == PutOutcome::Stored(2),
        "both halves of a contradiction are kept",
    )?;
    rule(
        put(&mut store, &arrival(context, 2, 1, 3))? == PutOutcome::Contradiction,
        "a third is not",
    )?;
    let direct = Place { kind: ArrivalKind::Direct, ..first.place };
    let direct = Arrival { place: direct, id: [4; 32], ..first };
    rule(put(&mut store, &direct)? == PutOutcome::Stored(3), "another kind has another place")?;
    let long = [0; LONGEST + 1];
    let long = Arrival { sealed: &long, ..arrival(context, 3, 1, 5) };
    rule(put(&mut store, &long)? == PutOutcome::TooLong, "what is too long is not stored")?;
    store = reopen(store);
    let rows = store.inbox(&context).map_err(Violation::Failed)?;
    let ids: Vec<PacketId> = rows.iter().map(|row| row.id).collect();
    rule(ids == [[1; 32], [2; 32], [4; 32]], "the inbox is in order")?;
    rule(
        rows.first().is_some_and(|row| row.sealed == [5; 10] && row.place == first.place),
        "the inbox holds what came",
    )?;
    let taken = [(2, 1), (3, 2)].map(|(from, id)| Taken { from: party(from), id: [id; 32] });
    let next = NewStep { taken: &taken, ..step(seal(&one, 1)?, &[]) };
    rule(store.swap(seal(&one, 0)?.slot(), &next).map_err(Violation::Failed)?, "a swap")?;
    let left = store.inbox(&context).map_err(Violation::Failed)?;
    rule(
        left.iter().map(|row| row.id).eq([[2; 32], [4; 32]]),
        "what was taken in is not given again, by its sender",
    )?;
    rule(put(&mut store, &first)? == PutOutcome::Duplicate, "what was taken in comes twice, too")
}

pub(super) fn parking_is_bounded<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
    let one = run(1)?;
    let context = seal(&one, 0)?.slot().session();
    let put = |store: &mut S, arrival: &Arrival<'_>| {
        store.put(arrival, &bounds()).map_err(Violation::Failed)
    };
    for round in 1..=3 {
        rule(
            put(&mut store, &arrival(context, 2, round, round))? == PutOutcome::Parked,
            "a frame of no run is parked",
        )?;
    }
    let copy = put(&mut store, &arrival(context, 2, 1, 1))?;
    rule(copy == PutOutcome::Parked, "a copy of it is parked too: it is not acknowledged")?;
    rule(
        put(&mut store, &arrival([9; 32], 2, 1, 4))? == PutOutcome::Full,
        "up to the bound of its sender",
    )?;
    rule(
        put(&mut store, &arrival([9; 32], 3, 1, 4))? == PutOutcome::Parked,
        "which is not that of another",
    )?;
    store = reopen(store);
    let parked = |store: &mut S| Ok(store.counts().map_err(Violation::Failed)?.parked);
    rule(parked(&mut store)? == 4 * (PARKED_OVERHEAD + 10), "what is parked is counted")?;
    let told = begin(&mut store, &one, 100, &[])?;
    rule(told == BeginOutcome::Begun { parked: true }, "a run is told that something was parked")?;
    rule(
        parked(&mut store)? == PARKED_OVERHEAD + 10,
        "what a run takes over is not parked any more",
    )?;
    rule(
        store.inbox(&context).map_err(Violation::Failed)?.len() == 3,
        "a run takes over what was parked",
    )?;
    rule(
        put(&mut store, &arrival([9; 32], 2, 1, 4))? == PutOutcome::Parked,
        "then there is room again",
    )?;
    store.prune(49).map_err(Violation::Failed)?;
    rule(
        parked(&mut store)? == 2 * (PARKED_OVERHEAD + 10),
        "nothing is forgotten before its time",
    )?;
    prune(&mut store, 50)?;
    rule(parked(&mut store)? == 0, "what was parked is forgotten at its time")?;
    rule(
        store.inbox(&context).map_err(Violation::Failed)?.len() == 3,
        "what a run took over is not",
    )?;
    rule(put(&mut store, &arrival([9; 32], 2, 1, 4))? == PutOutcome::Parked, "and may come again")
}

/// A frame of round 1 of another context, with the tag of a run.
fn opening(run: &Seals, from: u16, id: u8) -> Arrival<'static> {
    let opening = joined(&[&tag(run), &[9; 28]]);
    Arrival { opening: Some(opening), ..arrival([id; 32], from, 1, id) }
}

pub(super) fn openings_tell_of_other_parameters<S: Store>(
    mut store: S,
    reopen: Reopen<'_, S>,
) -> Verdict<S> {
    let (one, two) = (run(1)?, run(2)?);
    let put = |store: &mut S, arrival: &Arrival<'_>| {
        store.put(arrival, &bounds()).map_err(Violation::Failed)
    };
    let early = opening(&one, 2, 7);
    rule(put(&mut store, &early)? == PutOutcome::Parked, "no run has its tag yet")?;
    rule(put(&mut store, &opening(&one, 2, 8))? == PutOutcome::Parked, "no run has its tag yet")?;
    begin(&mut store, &two, 100, &[])?;
    let told = begin(&mut store, &one, 100, &[])?;
    rule(
        told == BeginOutcome::Begun { parked: true },
        "a run is told of openings that were parked",
    )?;
    store = reopen(store);
    let context = seal(&one, 0)?.slot().session();
    let inbox = |store: &mut S| store.inbox(&context).map_err(Violation::Failed);
    let rows = inbox(&mut store)?;
    let copied = |row: &InboxRow| {
        let one = [opening(&one, 2, 7), opening(&one, 2, 8)];
        row.place == Place { from: party(2), round: 1, kind: ArrivalKind::Other }
            && one.iter().any(|one| {
                row.id == one.id && one.opening.is_some_and(|opening| row.sealed == opening)
            })
    };
    let single = rows.len() == 1 && rows.iter().all(copied);
    rule(single, "of each peer an opening that was parked is copied for the run with its tag")?;
    let parked = store.counts().map_err(Violation::Failed)?.parked;
    rule(parked == 2 * (PARKED_OVERHEAD + 10), "and it stays parked for its own")?;
    let again = put(&mut store, &early)?;
    let other = |waiting| PutOutcome::Other { run: context, waiting };
    rule(again == other(None), "the run has one of this peer")?;
    let new = put(&mut store, &opening(&one, 3, 9))?;
    rule(new == other(Some(2)), "the first of another is stored for the run")?;
    let more = put(&mut store, &opening(&one, 3, 10))?;
    rule(more == other(None), "and no other")?;
    rule(inbox(&mut store)?.len() == 2, "what a run has of other parameters is bounded")?;
    let own = Arrival { context, ..opening(&one, 3, 11) };
    rule(put(&mut store, &own)? == PutOutcome::Stored(3), "a frame of its own is not of another")?;
    let end = NewStep { outcome: Some(b"outcome"), ..step(&one.tombstone, &[]) };
    rule(store.swap(seal(&one, 0)?.slot(), &end).map_err(Violation::Failed)?, "a run ends")?;
    let late = put(&mut store, &opening(&one, 3, 12))?;
    rule(late == PutOutcome::Parked, "a run that has ended is told of nothing")
}
