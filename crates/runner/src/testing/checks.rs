//! The rules, one by one.

use alloc::vec::Vec;

use quorate_session::{Slot, frame::Tag};

use super::toy::{Seals, party, seals};
use super::violation::Violation;
use crate::store::{
    Arrival, ArrivalKind, BeginOutcome, Context, InboxRow, Letter, NewRun, NewStep, PacketId,
    Place, PutOutcome, Store,
};
use crate::{Bounds, PARKED_OVERHEAD, Time};

type Verdict<S> = Result<(), Violation<<S as quorate_session::SpentTable>::Error>>;
type Reopen<'r, S> = &'r mut dyn FnMut(S) -> S;
type Check<S> = fn(S, Reopen<'_, S>) -> Verdict<S>;

pub(super) fn all<S: Store>() -> [Check<S>; 13] {
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
        openings_tell_of_other_parameters,
        runs_are_apart_by_protocol,
        any_run_can_be_buried,
        outcomes_are_replaced,
    ]
}

fn rule<E>(holds: bool, rule: &'static str) -> Result<(), Violation<E>> {
    if holds { Ok(()) } else { Err(Violation::Rule(rule)) }
}

const LONGEST: usize = 1000;
const CODE: u8 = 254;

/// All the bytes of the session id of a run are its number.
fn tag(run: &Seals) -> Tag {
    run.sid.as_bytes().first_chunk().copied().unwrap_or_default()
}

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
        code: CODE,
        sid: run.sid,
        tag: tag(run),
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
    Letter { to: [party(to)].into(), id: [id; 32], sealed: [id; 50].into(), due, until: 10_000 }
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
            && (row.code, row.sid) == (CODE, one.sid)
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
    Arrival { context, place, id: [id; 32], sealed: &[5; 10], opening: None, until: 50 }
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
    rule(
        store.expired(CODE, 1000, 9).map_err(Violation::Failed)?.is_empty(),
        "it has no deadline",
    )?;
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
    // The first is for two.
    let both = Letter { to: [party(2), party(3)].into(), ..letter(2, 1, 5) };
    let letters = [both, letter(2, 2, 4)];
    begin(&mut store, &one, 100, &letters)?;
    let due = |store: &mut S, now, most| {
        let found = store.due(now, &bounds(), most).map_err(Violation::Failed)?;
        let whole = found.iter().all(|one| one.sealed == [one.id[0]; 50]);
        rule(whole, "a message comes out as it went in")?;
        Ok(found.into_iter().map(|letter| (letter.to.get(), letter.id[0])).collect::<Vec<_>>())
    };
    let counts = store.counts().map_err(Violation::Failed)?;
    rule(
        counts.letters == 3 && counts.outbox == 100,
        "messages are counted by recipient, and the bytes of each once",
    )?;
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
    let left = due(&mut store, 35, 9)?;
    rule(
        left.len() == 2 && left.iter().all(|(to, _)| *to == 2),
        "what is acknowledged is not sent, but to the others",
    )?;
    rule(acknowledge(&mut store, 2, &[[1; 32]])? == 1, "the last recipient acknowledges")?;
    let counts = store.counts().map_err(Violation::Failed)?;
    rule(counts.letters == 1 && counts.outbox == 50, "what all have is forgotten")?;
    store.prune(9_999).map_err(Violation::Failed)?;
    rule(
        store.counts().map_err(Violation::Failed)?.letters == 1,
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
    let mut expired = |now, most| store.expired(CODE, now, most).map_err(Violation::Failed);
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
        |after: Option<&[u8; 32]>, most| store.open(CODE, after, most).map_err(Violation::Failed);
    rule(open(None, 1)? == [first], "open runs in order")?;
    rule(open(Some(&first), 9)? == rest, "and those after one")
}

fn bounds_refuse<S: Store>(mut store: S, _: Reopen<'_, S>) -> Verdict<S> {
    let (one, two) = (run(1)?, run(2)?);
    begin(&mut store, &one, 100, &[letter(2, 1, 0)])?;
    let mut begin = |bounds: &Bounds| {
        let new = NewRun {
            code: CODE,
            sid: two.sid,
            tag: tag(&two),
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

/// A frame of round 1 of another context, with the tag of a run.
fn opening(run: &Seals, from: u16, id: u8) -> Arrival<'static> {
    let mut opening = [9; 32];
    opening.iter_mut().zip(tag(run)).for_each(|(to, byte)| *to = byte);
    Arrival { opening: Some(opening), ..arrival([id; 32], from, 1, id) }
}

fn openings_tell_of_other_parameters<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
    let (one, two) = (run(1)?, run(2)?);
    let put = |store: &mut S, arrival: &Arrival<'_>| {
        store.put(arrival, &bounds()).map_err(Violation::Failed)
    };
    let early = opening(&one, 2, 7);
    rule(put(&mut store, &early)? == PutOutcome::Parked, "no run has its tag yet")?;
    rule(put(&mut store, &opening(&one, 2, 8))? == PutOutcome::Parked, "no run has its tag yet")?;
    begin(&mut store, &two, 100, &[])?;
    begin(&mut store, &one, 100, &[])?;
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
    rule(again == PutOutcome::Other(context, None), "the run has one of this peer")?;
    let new = put(&mut store, &opening(&one, 3, 9))?;
    rule(new == PutOutcome::Other(context, Some(2)), "the first of another is stored for the run")?;
    let more = put(&mut store, &opening(&one, 3, 10))?;
    rule(more == PutOutcome::Other(context, None), "and no other")?;
    rule(inbox(&mut store)?.len() == 2, "what a run has of other parameters is bounded")?;
    let own = Arrival { context, ..opening(&one, 3, 11) };
    rule(put(&mut store, &own)? == PutOutcome::Stored(3), "a frame of its own is not of another")?;
    let end = NewStep { outcome: Some(b"outcome"), ..step(&one.tombstone, &[]) };
    rule(store.swap(seal(&one, 0)?.slot(), &end).map_err(Violation::Failed)?, "a run ends")?;
    let late = put(&mut store, &opening(&one, 3, 12))?;
    rule(late == PutOutcome::Parked, "a run that has ended is told of nothing")
}

fn runs_are_apart_by_protocol<S: Store>(mut store: S, _: Reopen<'_, S>) -> Verdict<S> {
    begin(&mut store, &run(1)?, 10, &[])?;
    let open = |store: &mut S, code| store.open(code, None, 9).map_err(Violation::Failed);
    let expired = |store: &mut S, code| store.expired(code, 10, 9).map_err(Violation::Failed);
    for code in [0, CODE - 1, CODE + 1] {
        rule(open(&mut store, code)?.is_empty(), "open runs are those of one protocol")?;
        rule(expired(&mut store, code)?.is_empty(), "and so are those whose deadline has come")?;
    }
    rule(open(&mut store, CODE)?.len() == 1, "its own are there")?;
    rule(expired(&mut store, CODE)?.len() == 1, "its own are there")
}

fn any_run_can_be_buried<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
    let one = run(1)?;
    begin(&mut store, &one, 100, &[])?;
    let context = seal(&one, 0)?.slot().session();
    let letters = [letter(2, 1, 0)];
    let end = NewStep { outcome: Some(b"outcome"), ..step(&one.tombstone, &letters) };
    let bury =
        |store: &mut S, context: &Context| store.bury(context, &end).map_err(Violation::Failed);
    rule(!bury(&mut store, &[9; 32])?, "what is not there is not buried")?;
    rule(bury(&mut store, &context)?, "a run is buried from any slot")?;
    store = reopen(store);
    rule(!bury(&mut store, &context)?, "once")?;
    let counts = store.counts().map_err(Violation::Failed)?;
    rule((counts.open, counts.letters) == (0, 1), "it is not open, and its messages are posted")?;
    rule(
        store.expired(CODE, 1000, 9).map_err(Violation::Failed)?.is_empty(),
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

fn outcomes_are_replaced<S: Store>(mut store: S, reopen: Reopen<'_, S>) -> Verdict<S> {
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
