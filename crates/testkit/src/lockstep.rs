//! Parties, and runs of any protocol in lockstep: all parties send, then all receive and move on.
//!
//! A run is a function of the seeds and the frames, so frames that were recorded can be altered and played again to
//! one party alone.

use core::borrow::Borrow;
use core::fmt;
use std::collections::BTreeMap;

pub use quorate_session::Round;
use quorate_session::frame::Header;
pub use quorate_session::frame::{ECHO, HEADER, echo};
use quorate_session::{
    Abort, Blame, Check, Fault, Outgoing, Parties, PartyId, Progress, Protocol, Rejected, SealKey,
    Session, SessionId, Step, Stopped, To, Unconfirmed,
};

use crate::rng;

/// The party of this number, which must not be zero.
#[must_use]
pub fn id(number: u16) -> PartyId {
    PartyId::new(number).expect("not zero")
}

/// The parties of these numbers.
pub fn parties(numbers: impl IntoIterator<Item: Borrow<u16>>) -> Parties {
    let ids = numbers.into_iter().map(|number| id(*number.borrow()));
    Parties::new(ids).expect("two parties or more")
}

/// The session id of 32 times this byte.
#[must_use]
pub fn sid(byte: u8) -> SessionId {
    SessionId::new([byte; 32])
}

/// A key for seals.
#[must_use]
pub fn seal_key() -> SealKey {
    SealKey::new([9; 32])
}

/// The default seed of a party: the low byte of its number.
fn own_seed(me: PartyId) -> u8 {
    me.get().to_be_bytes()[1]
}

/// A session whose seed is 32 times the low byte of the party's number.
pub fn start<P: Protocol>(
    sid: SessionId,
    me: PartyId,
    parties: &Parties,
    params: P::Params,
) -> Step<P> {
    start_seeded(sid, me, parties, params, own_seed(me))
}

/// A session whose seed is 32 times this byte.
pub fn start_seeded<P: Protocol>(
    sid: SessionId,
    me: PartyId,
    parties: &Parties,
    params: P::Params,
    seed: u8,
) -> Step<P> {
    Session::start(sid, me, parties, params, &mut rng(seed)).expect("parameters that fit")
}

/// The digest of a run that its frames carry.
#[must_use]
pub fn context(frame: &[u8]) -> [u8; 32] {
    Header::parse(frame).expect("a frame").context
}

/// Takes all steps of a round's work.
///
/// # Errors
/// The session stops.
pub fn advance<P: Protocol>(mut session: Session<P>) -> Result<Progress<P>, Stopped> {
    loop {
        match session.advance()? {
            Progress::Working(working) => session = working,
            progress => return Ok(progress),
        }
    }
}

/// The end of a run without a confirmed result.
#[derive(PartialEq, Eq)]
pub struct Halted<O> {
    /// The reason.
    pub abort: Abort,
    /// The result, where there is one.
    pub unconfirmed: Option<O>,
}

impl<O> fmt::Debug for Halted<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unconfirmed = self.unconfirmed.is_some();
        f.debug_struct("Halted")
            .field("abort", &self.abort)
            .field("unconfirmed", &unconfirmed)
            .finish()
    }
}

impl<O> From<Unconfirmed<O>> for Halted<O> {
    fn from(Unconfirmed { output, abort, .. }: Unconfirmed<O>) -> Self {
        Self { abort, unconfirmed: Some(output) }
    }
}

impl<O> From<Stopped> for Halted<O> {
    fn from(Stopped { abort, .. }: Stopped) -> Self {
        Self { abort, unconfirmed: None }
    }
}

/// Gives up.
pub fn give_up<P: Protocol>(session: Session<P>) -> Halted<P::Output> {
    session.give_up().map_or_else(Halted::from, Halted::from)
}

/// The end of a session that has to halt, once all steps of its round's work are taken.
pub fn halt<P: Protocol>(session: Session<P>) -> Halted<P::Output> {
    match advance(session) {
        Ok(Progress::Unconfirmed(unconfirmed)) => unconfirmed.into(),
        Err(stopped) => stopped.into(),
        Ok(other) => panic!("expected a run that halts, got {other:?}"),
    }
}

/// Messages that a party sends in a round.
#[derive(Debug)]
pub struct Mail {
    /// The sender.
    pub from: PartyId,
    /// The round.
    pub round: u8,
    /// The messages.
    pub outgoing: Vec<Outgoing>,
}

impl Mail {
    /// Takes a step apart: the messages that its party sends, and the session.
    pub fn of<P: Protocol>(step: Step<P>) -> (Self, Session<P>) {
        let Step { session, outgoing } = step;
        (Self { from: session.party_id(), round: session.round().get(), outgoing }, session)
    }

    /// The messages that `me` is to receive.
    pub fn to(&self, me: PartyId) -> impl Iterator<Item = &Outgoing> {
        let mine = move |one: &&Outgoing| one.to == To::Everyone || one.to == To::Only(me);
        self.outgoing.iter().filter(move |_| self.from != me).filter(mine)
    }
}

/// Delivers every message to its recipients.
pub fn deliver<P: Protocol>(mail: &[Mail], sessions: &mut [Session<P>]) {
    for session in sessions {
        let me = session.party_id();
        for one in mail {
            for message in one.to(me) {
                session.receive(one.from, &message.bytes).expect("a frame that fits");
            }
        }
    }
}

/// Runs honest parties to their ends, and returns their outputs in ascending order of the parties. `look` sees the messages of
/// each round.
pub fn honest<P: Protocol>(steps: Vec<Step<P>>, mut look: impl FnMut(&[Mail])) -> Vec<P::Output> {
    let parties = steps.len();
    let results = in_lockstep::<P>(steps, |mail, sessions| {
        look(mail);
        deliver(mail, sessions);
    });
    assert_eq!(results.len(), parties, "a party waits");
    let output = |result: Result<_, Abort>| result.unwrap_or_else(|abort| panic!("{abort}"));
    results.into_values().map(output).collect()
}

/// The end of a run for each party; a party that waits for ever has none.
pub type Results<P> = BTreeMap<PartyId, Result<<P as Protocol>::Output, Abort>>;

/// Runs sessions round by round. `deliver` gets the messages of a round, and decides which of them the sessions get.
pub fn in_lockstep<P: Protocol>(
    steps: Vec<Step<P>>,
    mut deliver: impl FnMut(&[Mail], &mut [Session<P>]),
) -> Results<P> {
    run(steps, &mut deliver)
}

/// A function that delivers the messages of a round to the sessions.
type Deliver<'d, P> = &'d mut dyn FnMut(&[Mail], &mut [Session<P>]);

/// The body of [`in_lockstep`], compiled once for a protocol and not for every caller.
fn run<P: Protocol>(mut steps: Vec<Step<P>>, deliver: Deliver<'_, P>) -> Results<P> {
    let mut results = BTreeMap::new();
    while !steps.is_empty() {
        let (mail, mut sessions): (Vec<_>, Vec<_>) = steps.into_iter().map(Mail::of).unzip();
        deliver(&mail, &mut sessions);
        drop(mail);
        steps = Vec::with_capacity(sessions.len());
        for session in sessions {
            let me = session.party_id();
            match advance(session) {
                Ok(Progress::Round(step)) => steps.push(step),
                Ok(Progress::Done { output, .. }) => drop(results.insert(me, Ok(output))),
                Ok(Progress::Waiting(_) | Progress::Working(_)) => {}
                Ok(Progress::Unconfirmed(unconfirmed)) => {
                    results.insert(me, Err(unconfirmed.abort));
                }
                Err(stopped) => drop(results.insert(me, Err(stopped.abort))),
            }
        }
    }
    results
}

/// A frame's place in a run: sender, round, whether it is a broadcast, recipient.
pub type Place = (PartyId, u8, bool, PartyId);
/// The frames of a run.
pub type Frames = BTreeMap<Place, Vec<u8>>;

/// Runs all parties and records the frames. `alter` may change every frame that is delivered, and gets all frames so
/// far.
pub fn record<P: Protocol>(
    all: &Parties,
    sid: SessionId,
    params: impl FnMut(PartyId) -> P::Params,
    alter: impl FnMut(Place, &mut Vec<u8>, &Frames),
) -> (Frames, Results<P>) {
    record_seeded::<P>((all, own_seed), sid, params, alter)
}

/// Runs all parties and records the frames. `seed` gives each party's seed. `alter` may change every frame that is
/// delivered, and gets all frames so far.
pub fn record_seeded<P: Protocol>(
    (all, seed): (&Parties, impl Fn(PartyId) -> u8),
    sid: SessionId,
    mut params: impl FnMut(PartyId) -> P::Params,
    mut alter: impl FnMut(Place, &mut Vec<u8>, &Frames),
) -> (Frames, Results<P>) {
    let mut steps = Vec::with_capacity(all.len());
    for me in all.iter() {
        steps.push(start_seeded::<P>(sid, me, all, params(me), seed(me)));
    }
    record_steps(all, steps, &mut alter)
}

fn record_steps<P: Protocol>(
    all: &Parties,
    steps: Vec<Step<P>>,
    alter: &mut dyn FnMut(Place, &mut Vec<u8>, &Frames),
) -> (Frames, Results<P>) {
    let mut frames = Frames::new();
    let results = in_lockstep::<P>(steps, |mail, sessions| {
        let mut places = Vec::new();
        for one in mail {
            for to in all.iter() {
                for message in one.to(to) {
                    let place = (one.from, one.round, message.to == To::Everyone, to);
                    frames.insert(place, message.bytes.clone());
                    places.push(place);
                }
            }
        }
        places.sort_unstable();
        for place in &places {
            let mut frame = frames[place].clone();
            alter(*place, &mut frame, &frames);
            frames.insert(*place, frame);
        }
        for session in sessions {
            let me = session.party_id();
            for place in places.iter().filter(|place| place.3 == me) {
                session.receive(place.0, &frames[place]).expect("a frame that fits");
            }
        }
    });
    (frames, results)
}

/// The end of a run for one party.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The party has a result.
    Done,
    /// The round, and every culprit's fault.
    Blamed(u8, Vec<(PartyId, Fault)>),
    /// A check failed, and nobody is blamed.
    Unattributed(Check),
    /// In this round frames are missing.
    Waiting(u8),
    /// A frame was not taken.
    Rejected(Rejected),
}

impl From<Abort> for Outcome {
    fn from(abort: Abort) -> Self {
        match abort {
            Abort::Misbehaviour(blames) => Self::Blamed(
                blames[0].round.get(),
                blames.iter().map(|blame| (blame.party, blame.fault)).collect(),
            ),
            Abort::Unattributed { check, .. } => Self::Unattributed(check),
            other => panic!("{other}"),
        }
    }
}

/// Plays recorded frames to one party alone.
pub fn play<P: Protocol>(
    me: PartyId,
    all: &Parties,
    sid: SessionId,
    params: P::Params,
    frames: &Frames,
) -> Outcome {
    judged::<P>(me, (all, sid), params, frames, |_| {})
}

/// Plays recorded frames to one party alone. `judge` checks each blame.
pub fn judged<P: Protocol>(
    me: PartyId,
    (all, sid): (&Parties, SessionId),
    params: P::Params,
    frames: &Frames,
    judge: impl Fn(&Blame),
) -> Outcome {
    let mut session = start::<P>(sid, me, all, params).session;
    loop {
        let round = session.round().get();
        for (place, frame) in frames.iter().filter(|(place, _)| (place.3, place.1) == (me, round)) {
            if let Err(why) = session.receive(place.0, frame) {
                return Outcome::Rejected(why);
            }
        }
        session = match advance(session) {
            Ok(Progress::Round(step)) => step.session,
            Ok(Progress::Done { .. }) => return Outcome::Done,
            Ok(Progress::Waiting(_) | Progress::Working(_)) => return Outcome::Waiting(round),
            Ok(Progress::Unconfirmed(Unconfirmed { abort, .. })) | Err(Stopped { abort, .. }) => {
                if let Abort::Misbehaviour(blames) = &abort {
                    blames.iter().for_each(judge);
                }
                return abort.into();
            }
        };
    }
}
