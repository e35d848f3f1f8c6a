//! The rules, one by one.

use alloc::vec::Vec;

use quorate_session::Slot;

use super::toy::{Seals, party, seals};
use super::violation::Violation;
use crate::store::{
    Arrival, ArrivalKind, BeginOutcome, Letter, NewRun, NewStep, PacketId, Place, PutOutcome, Store,
};
use crate::{Bounds, PARKED_OVERHEAD, Time};

type Verdict<S> = Result<(), Violation<<S as quorate_session::SpentTable>::Error>>;
type Reopen<'r, S> = &'r mut dyn FnMut(S) -> S;
type Check<S> = fn(S, Reopen<'_, S>) -> Verdict<S>;

pub(super) fn all<S: Store>() -> [Check<S>; 9] {
    [
        jobs_begin_once,
        slots_are_compared,
        an_end_is_the_end,
        claims_are_unique,
        arrivals_are_kept_once,
        parking_is_bounded,
        letters_wait_for_acknowledgement,
        deadlines_come_in_order,
        bounds_refuse,
    ]
}

fn rule<E>(holds: bool, rule: &'static str) -> Result<(), Violation<E>> {
    if holds { Ok(()) } else { Err(Violation::Rule(rule)) }
}

const LONGEST: usize = 1000;

fn bounds() -> Bounds {
    Bounds { parked: 3 * (PARKED_OVERHEAD + 10), ..Bounds::new(10) }
}

fn run<E>(number: u8) -> Result<Seals, Violation<E>> {
    seals(number).ok_or(Violation::Rule("the test itself is broken"))
}

fn seal<E>(run: &Seals, at: usize) -> Result<&quorate_session::Sealed, Violation<E>> {
    run.seals.get(at).ok_or(Violation::Rule("the test itself is broken"))
}

fn begin<S: Store>(
    store: &mut S,
    run: &Seals,
    deadline: Time,
    letters: &[Letter],
) -> Result<BeginOutcome, Violation<S::Error>> {
    let new = NewRun {
        sid: run.sid,
        digest: [7; 32],
        job: b"the job",
        sealed: seal(run, 0)?,
        deadline,
        longest: LONGEST,
        letters,
    };
    store.begin(&new, &bounds()).map_err(Violation::Failed)
}

fn letter(to: u16, id: u8, due: Time) -> Letter {
    Letter { to: party(to), id: [id; 32], sealed: [id; 50].into(), due, until: 10_000 }
}

fn step<'a>(after: &'a quorate_session::Sealed, letters: &'a [Letter]) -> NewStep<'a> {
    NewStep { after, taken: &[], letters, outcome: None }
}

fn jobs_begin_once<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
    let one = run(1)?;
    rule(store.job(&one.sid).map_err(Violation::Failed)?.is_none(), "an empty store knows no job")?;
    rule(begin(&mut store, &one, 100, &[])? == BeginOutcome::Begun, "a new job begins")?;
    let again = begin(&mut store, &one, 100, &[letter(2, 1, 0)])?;
    rule(again == BeginOutcome::Exists, "a job begins once")?;
    store = reopen(store);
    let counts = store.counts().map_err(Violation::Failed)?;
    rule(counts.open == 1 && counts.letters == 0, "a job that exists changes nothing")?;
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
            && one.seals.first().is_some_and(|sealed| sealed.as_bytes() == row.sealed)
    });
    rule(known, "a run is stored as it was given")
}

fn slots_are_compared<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
    let (one, other) = (run(1)?, run(2)?);
    begin(&mut store, &one, 100, &[])?;
    let [first, second, third] = [seal(&one, 0)?, seal(&one, 1)?, seal(&one, 2)?];
    let swap = |store: &mut S, before: Slot, after, letters: &[Letter]| {
        store.swap(before, &step(after, letters)).map_err(Violation::Failed)
    };
    let letters = [letter(2, 1, 0)];
    rule(!swap(&mut store, second.slot(), third, &letters)?, "a swap from another slot fails")?;
    rule(!swap(&mut store, seal(&other, 0)?.slot(), second, &letters)?, "no run, no swap")?;
    rule(
        store.counts().map_err(Violation::Failed)?.letters == 0,
        "a swap that fails posts nothing",
    )?;
    rule(swap(&mut store, first.slot(), second, &letters)?, "a swap from the slot that is there")?;
    store = reopen(store);
    rule(!swap(&mut store, first.slot(), third, &[])?, "of two workers one swaps")?;
    let row = store.run(&first.slot().session()).map_err(Violation::Failed)?;
    rule(row.is_some_and(|row| row.sealed == second.as_bytes()), "the swapped session is there")?;
    rule(store.counts().map_err(Violation::Failed)?.letters == 1, "a swap posts its messages")
}

fn arrival(context: [u8; 32], from: u16, round: u8, id: u8) -> Arrival<'static> {
    let place = Place { from: party(from), round, kind: ArrivalKind::Broadcast };
    Arrival { context, place, id: [id; 32], sealed: &[5; 10], until: 50 }
}

fn an_end_is_the_end<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
    let one = run(1)?;
    begin(&mut store, &one, 100, &[])?;
    let (first, context) = (seal(&one, 0)?, seal(&one, 0)?.slot().session());
    store.put(&arrival(context, 2, 1, 1), &bounds()).map_err(Violation::Failed)?;
    let end = NewStep { outcome: Some(b"outcome"), ..step(&one.tombstone, &[]) };
    rule(store.swap(first.slot(), &end).map_err(Violation::Failed)?, "a run ends")?;
    store = reopen(store);
    let counts = store.counts().map_err(Violation::Failed)?;
    rule(counts.open == 0, "a run that has ended is not open")?;
    rule(store.inbox(&context).map_err(Violation::Failed)?.is_empty(), "its inbox is forgotten")?;
    rule(store.expired(1000, 9).map_err(Violation::Failed)?.is_empty(), "it has no deadline")?;
    rule(store.next().map_err(Violation::Failed)?.is_none(), "nothing is due")?;
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

fn claims_are_unique<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
    let claim = |store: &mut S, id, digest| {
        store.record(&[id; 32], &[digest; 32]).map_err(Violation::Failed)
    };
    rule(claim(&mut store, 1, 2)? == [2; 32], "a claim is stored")?;
    rule(claim(&mut store, 1, 3)? == [2; 32], "the first claim stays")?;
    store = reopen(store);
    rule(claim(&mut store, 1, 3)? == [2; 32], "a claim is durable")?;
    rule(claim(&mut store, 2, 3)? == [3; 32], "claims of two names are two")
}

fn arrivals_are_kept_once<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
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
    let taken = [(party(2), [1; 32]), (party(3), [2; 32])];
    let next = NewStep { taken: &taken, ..step(seal(&one, 1)?, &[]) };
    rule(store.swap(seal(&one, 0)?.slot(), &next).map_err(Violation::Failed)?, "a swap")?;
    let left = store.inbox(&context).map_err(Violation::Failed)?;
    rule(
        left.iter().map(|row| row.id).eq([[2; 32], [4; 32]]),
        "what was taken in is not given again, by its sender",
    )?;
    rule(put(&mut store, &first)? == PutOutcome::Duplicate, "what was taken in comes twice, too")
}

fn parking_is_bounded<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
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
    begin(&mut store, &one, 100, &[])?;
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
    store.prune(50).map_err(Violation::Failed)?;
    rule(parked(&mut store)? == 0, "what was parked is forgotten at its time")?;
    rule(
        store.inbox(&context).map_err(Violation::Failed)?.len() == 3,
        "what a run took over is not",
    )?;
    rule(put(&mut store, &arrival([9; 32], 2, 1, 4))? == PutOutcome::Parked, "and may come again")
}

fn letters_wait_for_acknowledgement<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
    let one = run(1)?;
    let letters = [letter(2, 1, 5), letter(3, 1, 5), letter(2, 2, 4)];
    begin(&mut store, &one, 100, &letters)?;
    let due = |store: &mut S, now, most| {
        let found = store.due(now, &bounds(), most).map_err(Violation::Failed)?;
        Ok(found.into_iter().map(|letter| (letter.to.get(), letter.id[0])).collect::<Vec<_>>())
    };
    let counts = store.counts().map_err(Violation::Failed)?;
    rule(counts.letters == 3 && counts.outbox == 150, "messages and their bytes are counted")?;
    rule(
        store.next().map_err(Violation::Failed)? == Some(4),
        "the next moment is the first message's",
    )?;
    rule(due(&mut store, 3, 9)?.is_empty(), "nothing is sent before its time")?;
    rule(
        due(&mut store, 5, 1)? == [(2, 2)],
        "what is due first is sent first, and no more than asked for",
    )?;
    let mut rest = due(&mut store, 5, 9)?;
    rest.sort_unstable();
    rule(rest == [(2, 1), (3, 1)], "then the rest")?;
    rule(due(&mut store, 5, 9)?.is_empty(), "once")?;
    store = reopen(store);
    rule(due(&mut store, 14, 9)?.is_empty(), "and not again too soon")?;
    rule(due(&mut store, 15, 9)?.len() == 3, "but again")?;
    rule(due(&mut store, 34, 9)?.is_empty(), "later each time")?;
    let acknowledge = |store: &mut S, by, ids: &[PacketId]| {
        store.acknowledge(party(by), ids).map_err(Violation::Failed)
    };
    rule(
        acknowledge(&mut store, 3, &[[1; 32], [2; 32]])? == 1,
        "a peer acknowledges its own messages",
    )?;
    rule(acknowledge(&mut store, 3, &[[1; 32]])? == 0, "once")?;
    rule(
        due(&mut store, 35, 9)?.iter().all(|(to, _)| *to == 2),
        "what is acknowledged is not sent",
    )?;
    store.prune(9_999).map_err(Violation::Failed)?;
    rule(
        store.counts().map_err(Violation::Failed)?.letters == 2,
        "nothing is forgotten before its time",
    )?;
    store.prune(10_000).map_err(Violation::Failed)?;
    let counts = store.counts().map_err(Violation::Failed)?;
    rule(counts.letters == 0 && counts.outbox == 0, "a message is forgotten at its time")
}

fn deadlines_come_in_order<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
    let runs = [run(1)?, run(2)?, run(3)?];
    for (run, deadline) in runs.iter().zip([30, 10, 20]) {
        begin(&mut store, run, deadline, &[])?;
    }
    let [one, two, three] = &runs;
    let context = |run: &Seals| Ok(seal(run, 0)?.slot().session());
    store = reopen(store);
    let mut expired = |now, most| store.expired(now, most).map_err(Violation::Failed);
    rule(expired(9, 9)?.is_empty(), "no run is over before its deadline")?;
    rule(expired(30, 2)? == [context(two)?, context(three)?], "the first deadline first")?;
    rule(expired(30, 9)?.len() == 3, "until they have ended")?;
    rule(
        store.next().map_err(Violation::Failed)? == Some(10),
        "the next moment is the first deadline",
    )?;
    let mut all = [context(one)?, context(two)?, context(three)?];
    all.sort_unstable();
    let [first, rest @ ..] = all;
    let mut open =
        |after: Option<&[u8; 32]>, most| store.open(after, most).map_err(Violation::Failed);
    rule(open(None, 1)? == [first], "open runs in order")?;
    rule(open(Some(&first), 9)? == rest, "and those after one")
}

fn bounds_refuse<S: Store>(mut store: S, _: Reopen<'_, S>) -> Verdict<S> {
    let (one, two) = (run(1)?, run(2)?);
    begin(&mut store, &one, 100, &[letter(2, 1, 0)])?;
    let mut begin = |bounds: &Bounds| {
        let new = NewRun {
            sid: two.sid,
            digest: [7; 32],
            job: &[],
            sealed: seal(&two, 0)?,
            deadline: 100,
            longest: LONGEST,
            letters: &[],
        };
        store.begin(&new, bounds).map_err(Violation::Failed)
    };
    rule(begin(&Bounds { open: 1, ..bounds() })? == BeginOutcome::Busy, "open runs are bounded")?;
    rule(
        begin(&Bounds { outbox: 49, ..bounds() })? == BeginOutcome::Outbox,
        "the outbox is bounded",
    )?;
    rule(
        begin(&Bounds { outbox: 50, open: 2, ..bounds() })? == BeginOutcome::Begun,
        "up to the bounds",
    )
}
