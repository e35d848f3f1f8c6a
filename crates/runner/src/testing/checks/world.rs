//! Runs, messages, packets and verdicts for the rules.

use quorate_session::{Sealed, frame::Tag};

use crate::store::{
    Arrival, ArrivalKind, BeginOutcome, NewRun, NewStep, OutgoingMessage, Place, Store,
};
use crate::testing::toy::{Seals, party, seals};
use crate::testing::violation::Violation;
use crate::{Bounds, Kind, PARKED_OVERHEAD, Time};

pub(super) type Verdict<S> = Result<(), Violation<<S as quorate_session::SpentTable>::Error>>;
pub(super) type Reopen<'r, S> = &'r mut dyn FnMut(S) -> S;
pub(super) type Check<S> = fn(S, Reopen<'_, S>) -> Verdict<S>;

pub(super) fn rule<E>(holds: bool, rule: &'static str) -> Result<(), Violation<E>> {
    if holds { Ok(()) } else { Err(Violation::Rule(rule)) }
}

pub(super) const LONGEST: usize = 1000;
pub(super) const KIND: Kind = Kind::new([254; 32]);
pub(super) const KINDS: [Kind; 1] = [KIND];

/// The tag of a run. Each byte of its session id is the run's number.
pub(super) fn tag(run: &Seals) -> Tag {
    run.sid.as_bytes().first_chunk().copied().unwrap_or_default()
}

pub(super) fn bounds() -> Bounds {
    Bounds { parked: 3 * (PARKED_OVERHEAD + 10), ..Bounds::new(10) }
}

pub(super) fn did<T, E>(result: Result<T, E>) -> Result<T, Violation<E>> {
    result.map_err(Violation::Failed)
}

pub(super) const BROKEN: &str = "the test itself is broken";

pub(super) fn run<E>(number: u8) -> Result<Seals, Violation<E>> {
    seals(number).ok_or(Violation::Rule(BROKEN))
}

pub(super) fn seal<E>(run: &Seals, at: usize) -> Result<&Sealed, Violation<E>> {
    run.seals.get(at).ok_or(Violation::Rule(BROKEN))
}

pub(super) fn new_run<'r, E>(
    run: &'r Seals,
    deadline: Time,
    messages: &'r [OutgoingMessage],
) -> Result<NewRun<'r>, Violation<E>> {
    Ok(NewRun {
        kind: KIND,
        sid: run.sid,
        tag: tag(run),
        digest: [7; 32],
        job: b"the job",
        sealed: seal(run, 0)?,
        deadline,
        longest: LONGEST,
        messages,
    })
}

pub(super) fn begin<S: Store>(
    store: &mut S,
    run: &Seals,
    deadline: Time,
    messages: &[OutgoingMessage],
) -> Result<BeginOutcome, Violation<S::Error>> {
    did(store.begin(&new_run(run, deadline, messages)?, &bounds()))
}

pub(super) const fn has_begun(outcome: BeginOutcome) -> bool {
    matches!(outcome, BeginOutcome::Begun { .. })
}

pub(super) fn message(to: u16, id: u8, due: Time) -> OutgoingMessage {
    OutgoingMessage {
        to: [party(to)].into(),
        id: [id; 32],
        sealed: [id; 50].into(),
        due,
        until: 10_000,
    }
}

pub(super) fn step<'a>(after: &'a Sealed, messages: &'a [OutgoingMessage]) -> NewStep<'a> {
    NewStep { after, taken: &[], messages, outcome: None, until: 10_000 }
}

/// Forgets everything whose time is over: a store may do that in pieces.
pub(super) fn prune<S: Store>(store: &mut S, now: Time) -> Verdict<S> {
    for _ in 0..16 {
        did(store.prune(now))?;
    }
    Ok(())
}

pub(super) fn arrival(context: [u8; 32], from: u16, round: u8, id: u8) -> Arrival<'static> {
    let place = Place { from: party(from), round, kind: ArrivalKind::Broadcast };
    Arrival { context, place, id: [id; 32], sealed: &[5; 10], opening: None, until: 50 }
}
