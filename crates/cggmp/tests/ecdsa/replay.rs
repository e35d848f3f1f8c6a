//! One party alone, fed with the recorded frames of the others, some of them altered.
//!
//! A session depends on nothing but its seed and the frames, so the others' messages up to the
//! altered one are the recorded ones.

use std::collections::BTreeMap;

use quorate_session::{
    Abort, Blame, Fault, Parties, PartyId, Progress, Protocol, Rejected, Session, SessionId, Step,
    Stopped, To, Transcript,
};

use crate::support::*;

/// Bytes of the header.
pub const HEADER: usize = 39;
/// Bytes of what stands between header and body: the items agreed on, or an echo.
pub const ECHO: usize = 32;

pub const SESSION: u8 = 60;

/// Where a frame belongs: sender, round, whether it is a broadcast, recipient.
pub type Place = (PartyId, u8, bool, PartyId);
pub type Frames = BTreeMap<Place, Vec<u8>>;
/// What each party came to.
pub type Results<P> = BTreeMap<PartyId, Result<<P as Protocol>::Output, Abort>>;

/// What became of a party.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    Done,
    /// By party, with the round.
    Blamed(u8, Vec<(PartyId, Fault)>),
    Unattributed(quorate_session::Check),
    /// In this round frames are missing.
    Waiting(u8),
    Rejected(Rejected),
}

/// A party of the recorded runs: its seed is its number.
pub fn start<P: Protocol>(
    session: SessionId,
    me: PartyId,
    all: &Parties,
    params: P::Params,
) -> Step<P> {
    start_seeded(session, me, all, params, me.get() as u8)
}

fn start_seeded<P: Protocol>(
    session: SessionId,
    me: PartyId,
    all: &Parties,
    params: P::Params,
    seed: u8,
) -> Step<P> {
    Session::start(session, me, all, params, &mut seeded(seed)).unwrap()
}

/// Runs all parties and records what they send; `alter` has its hand on every frame that is
/// delivered, with all frames so far.
pub fn record<P: Protocol>(
    all: &Parties,
    session: SessionId,
    params: impl FnMut(PartyId) -> P::Params,
    alter: impl FnMut(Place, &mut Vec<u8>, &Frames),
) -> (Frames, Results<P>) {
    record_seeded::<P>((all, |me| me.get() as u8), session, params, alter)
}

/// As [`record`], with other seeds.
pub fn record_seeded<P: Protocol>(
    (all, seed): (&Parties, impl Fn(PartyId) -> u8),
    session: SessionId,
    mut params: impl FnMut(PartyId) -> P::Params,
    mut alter: impl FnMut(Place, &mut Vec<u8>, &Frames),
) -> (Frames, Results<P>) {
    let (mut frames, mut results) = (Frames::new(), BTreeMap::new());
    let begin = |me| start_seeded::<P>(session, me, all, params(me), seed(me));
    let mut steps: Vec<_> = all.iter().map(begin).collect();
    while !steps.is_empty() {
        for step in &steps {
            let (from, round) = (step.session.me(), step.session.round().get());
            for message in &step.outgoing {
                let broadcast = message.to == To::Everyone;
                for to in all.iter().filter(|to| *to != from) {
                    if broadcast || message.to == To::Only(to) {
                        frames.insert((from, round, broadcast, to), message.bytes.clone());
                    }
                }
            }
        }
        let now = steps[0].session.round().get();
        let places: Vec<Place> = frames.keys().filter(|place| place.1 == now).copied().collect();
        for place in places {
            let mut frame = frames[&place].clone();
            alter(place, &mut frame, &frames);
            frames.insert(place, frame);
        }
        let mut next = Vec::new();
        for step in steps {
            let mut session = step.session;
            let me = session.me();
            for (place, frame) in frames.iter().filter(|(place, _)| place.3 == me) {
                if place.1 == now {
                    session.receive(place.0, frame).unwrap();
                }
            }
            match through(session) {
                Ok(Progress::Round(step)) => next.push(step),
                Ok(Progress::Done { output, .. }) => drop(results.insert(me, Ok(output))),
                Ok(Progress::Waiting(_) | Progress::Working(_)) => {}
                Err(stopped) => drop(results.insert(me, Err(stopped.abort))),
            }
        }
        steps = next;
    }
    (frames, results)
}

/// Takes all steps of a round's work.
pub fn through<P: Protocol>(mut session: Session<P>) -> Result<Progress<P>, Stopped<P::Output>> {
    loop {
        match session.advance()? {
            Progress::Working(working) => session = working,
            progress => return Ok(progress),
        }
    }
}

/// What becomes of `me` with these frames.
pub fn play<P: Protocol>(
    me: PartyId,
    all: &Parties,
    session: SessionId,
    params: P::Params,
    frames: &Frames,
) -> Outcome {
    judged::<P>(me, (all, session), params, frames, |_| {})
}

/// The same, with a look at each blame.
pub fn judged<P: Protocol>(
    me: PartyId,
    (all, session): (&Parties, SessionId),
    params: P::Params,
    frames: &Frames,
    judge: impl Fn(&Blame),
) -> Outcome {
    let mut step = start::<P>(session, me, all, params);
    loop {
        let mut session = step.session;
        let round = session.round().get();
        for (place, frame) in frames.iter().filter(|(place, _)| place.3 == me && place.1 == round) {
            if let Err(why) = session.receive(place.0, frame) {
                return Outcome::Rejected(why);
            }
        }
        step = match through(session) {
            Ok(Progress::Round(step)) => step,
            Ok(Progress::Done { .. }) => return Outcome::Done,
            Ok(Progress::Waiting(_) | Progress::Working(_)) => return Outcome::Waiting(round),
            Err(Stopped { abort, .. }) => {
                if let Abort::Misbehaviour(blames) = &abort {
                    blames.iter().for_each(judge);
                }
                return outcome(abort);
            }
        };
    }
}

pub fn outcome(abort: Abort) -> Outcome {
    match abort {
        Abort::Misbehaviour(blames) => Outcome::Blamed(
            blames[0].round.get(),
            blames.iter().map(|blame| (blame.party, blame.fault)).collect(),
        ),
        Abort::Unattributed { check, .. } => Outcome::Unattributed(check),
        other => panic!("{other}"),
    }
}

/// The digest of a run that its frames carry.
pub fn context(frame: &[u8]) -> [u8; 32] {
    frame[7..HEADER].try_into().unwrap()
}

/// The echo of a round's broadcasts as `to` saw them: `own` is what it broadcast itself.
pub fn echo(round: u8, bodies: &[&[u8]], context: &[u8; 32]) -> [u8; 32] {
    let mut transcript = Transcript::new("echo");
    transcript.append("context", context);
    transcript.append_u64("round", round.into());
    transcript.append_list("broadcasts", bodies);
    transcript.finish32()
}
