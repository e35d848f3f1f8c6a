//! Rounds as types: how a protocol goes from round to round.
//!
//! A protocol whose state is an enum of its rounds implements [`Rounds`] for it. Its [`Protocol::State`] is that enum, or,
//! where evidence needs the broadcasts of earlier rounds, the enum in [`Logged`], which keeps them. [`AwaitingConfirmations`] is a last round in which all
//! confirm the result.

mod log;

use alloc::vec::Vec;
use core::fmt;

use zeroize::Zeroizing;

pub use self::log::BroadcastLog;
use crate::{Abort, Blame, Fault, Inbox, Judgement, Next, Outbox, PartyId, Protocol, Run};

/// The rounds of a protocol: an enum with a type for each round, named after what it waits for.
pub trait Rounds: Sized {
    /// The result of the protocol.
    type Output;

    /// Verifies the messages of the current round, and goes on; see [`Protocol::next`].
    ///
    /// # Errors
    /// [`Abort`] if a check fails.
    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<Step<Self, Self::Output>, Abort>;

    /// Makes the checks of the current round for those peers that are there; see [`Protocol::judge`].
    fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<Self::Output>;

    /// Adds to the evidence of blames the frames that a judge needs besides the culprit's own: unless the protocol says
    /// otherwise, those of the others in the rounds before the one at fault.
    fn attach(log: &BroadcastLog<'_>, blames: &mut [Blame]) {
        let mut frames = log.frames();
        // The last is this party's of the round at fault.
        frames.pop();
        for blame in blames {
            let Some(evidence) = &mut blame.evidence else { continue };
            let of_others = |(party, _): &&(PartyId, Vec<u8>)| *party != blame.party;
            evidence.frames.extend(frames.iter().filter(of_others).cloned());
        }
    }
}

/// The outcome of a round.
#[allow(clippy::large_enum_variant, reason = "made once and taken apart at once")]
pub enum Step<S, O> {
    /// The next round, with its messages.
    Round(S, Outbox),
    /// A piece of the work of this round; there is more.
    Work(S),
    /// The result.
    Done(O),
    /// A result that not every peer confirms.
    Unconfirmed(O, Abort),
}

impl<S, O> Step<S, O> {
    /// The step to a round, by its variant of the state.
    pub fn round<R>((round, outbox): (R, Outbox), variant: impl FnOnce(R) -> S) -> Self {
        Self::Round(variant(round), outbox)
    }

    /// This step in a state that contains this one.
    pub fn map<T>(self, variant: impl FnOnce(S) -> T) -> Step<T, O> {
        match self {
            Self::Round(state, outbox) => Step::Round(variant(state), outbox),
            Self::Work(state) => Step::Work(variant(state)),
            Self::Done(output) => Step::Done(output),
            Self::Unconfirmed(output, abort) => Step::Unconfirmed(output, abort),
        }
    }

    /// This step in a protocol that contains this one, and goes on with a round of its own.
    ///
    /// # Errors
    /// The [`Abort`] of a result that not every peer confirms, since there is nothing to go on with; or
    /// that of `go_on`.
    pub fn within<T, P>(
        self,
        variant: impl FnOnce(S) -> T,
        go_on: impl FnOnce(O) -> Result<(T, Outbox), Abort>,
    ) -> Result<Step<T, P>, Abort> {
        Ok(match self.map(variant) {
            Step::Round(state, outbox) => Step::Round(state, outbox),
            Step::Work(state) => Step::Work(state),
            Step::Done(output) => Step::round(go_on(output)?, |state| state),
            Step::Unconfirmed(_, abort) => return Err(abort),
        })
    }
}

/// For a protocol whose evidence needs no broadcasts of earlier rounds: its state is the enum of its rounds.
impl<P: Protocol> From<Step<P::State, P::Output>> for Next<P> {
    fn from(step: Step<P::State, P::Output>) -> Self {
        match step {
            Step::Round(state, outbox) => Self::Round(state, outbox),
            Step::Work(state) => Self::Work(state),
            Step::Done(output) => Self::Done(output),
            Step::Unconfirmed(output, abort) => Self::Unconfirmed(output, abort),
        }
    }
}

impl<S, O> fmt::Debug for Step<S, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Round(..) => "Step::Round(..)",
            Self::Work(_) => "Step::Work(..)",
            Self::Done(_) => "Step::Done(..)",
            Self::Unconfirmed(..) => "Step::Unconfirmed(..)",
        })
    }
}

/// A state whose blames carry the broadcasts of the run so far as evidence.
pub struct Logged<S> {
    state: S,
    /// The code of the protocol.
    code: u8,
}

impl<S: Rounds> Logged<S> {
    /// The first round of the protocol with this code, by its variant of the state.
    pub fn start<R>(
        code: u8,
        (round, outbox): (R, Outbox),
        variant: impl FnOnce(R) -> S,
    ) -> (Self, Outbox) {
        (Self { state: variant(round), code }, outbox)
    }

    /// [`Protocol::next`].
    ///
    /// # Errors
    /// [`Abort`] if a check fails.
    pub fn next<P>(self, run: &Run, inbox: Inbox<'_>) -> Result<Next<P>, Abort>
    where
        P: Protocol<State = Self, Output = S::Output>,
    {
        let Self { state, code } = self;
        let attach = |abort| attach::<S>(&BroadcastLog::new(code, inbox), abort);
        let step = state.next(run, inbox).map_err(attach)?;
        Ok(match step.map(|state| Self { state, code }) {
            Step::Unconfirmed(output, abort) => Next::Unconfirmed(output, attach(abort)),
            step => step.into(),
        })
    }

    /// [`Protocol::judge`].
    pub fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<S::Output> {
        let Self { state, code } = self;
        let Judgement { abort, unconfirmed } = state.judge(run, inbox);
        let log = BroadcastLog::new(code, inbox);
        Judgement { abort: abort.map(|abort| attach::<S>(&log, abort)), unconfirmed }
    }

    /// The state alone, for what is done ahead of time.
    pub const fn state_mut(&mut self) -> &mut S {
        &mut self.state
    }
}

fn attach<S: Rounds>(log: &BroadcastLog<'_>, mut abort: Abort) -> Abort {
    if let Abort::Misbehaviour(blames) = &mut abort {
        S::attach(log, blames);
    }
    abort
}

impl<S> fmt::Debug for Logged<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

/// The last round of a protocol, in which all confirm its result.
///
/// The body of a confirmation follows from the broadcasts of the rounds before, and the echo in its frame says that its
/// sender saw the same ones as this party: one that differs is the sender's fault.
pub struct AwaitingConfirmations<T> {
    result: T,
    body: Vec<u8>,
}

impl<T> AwaitingConfirmations<T> {
    /// Confirms a result, and keeps it back.
    pub fn new(result: T, body: &[u8]) -> (Self, Outbox) {
        (Self { result, body: body.to_vec() }, Outbox::broadcast(body.to_vec()))
    }

    /// Confirms a result, and notes it, so that an opened session has it without the rounds before.
    pub fn noting(result: T, body: &[u8], note: Zeroizing<Vec<u8>>) -> (Self, Outbox) {
        let (round, outbox) = Self::new(result, body);
        (round, Outbox { note, ..outbox })
    }

    /// The round of a session that is [opened](Run::recalled), with the result that was noted. `None` if no confirmation
    /// was sent.
    #[must_use]
    pub fn recall(result: T, run: &Run) -> Option<(Self, Outbox)> {
        let sent = run.recalled()?;
        let body = sent.broadcast.clone()?;
        Some((Self { result, body }, sent))
    }

    /// Verifies the confirmations of all peers that are there.
    ///
    /// # Errors
    /// The blame of those who confirm something else.
    pub fn verify(&self, inbox: Inbox<'_>) -> Result<(), Abort> {
        inbox.verify(|_, message| confirmation(message.broadcast, &self.body)).map(drop)
    }

    /// The result, for a protocol that goes on.
    pub fn into_result(self) -> T {
        self.result
    }

    /// Gives out the result, marked by `confirm` if all peers have confirmed it.
    pub fn finish<S>(self, inbox: Inbox<'_>, confirm: impl FnOnce(&mut T)) -> Step<S, T> {
        let verdict = self.verify(inbox);
        let mut result = self.result;
        match verdict {
            Ok(()) => {
                confirm(&mut result);
                Step::Done(result)
            }
            Err(abort) => Step::Unconfirmed(result, abort),
        }
    }

    /// The judgement of a round that was given up, on a result that is of use unconfirmed.
    pub fn judge(self, inbox: Inbox<'_>) -> Judgement<T> {
        Judgement { abort: self.verify(inbox).err(), unconfirmed: Some(self.result) }
    }
}

impl<T> fmt::Debug for AwaitingConfirmations<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AwaitingConfirmations").finish_non_exhaustive()
    }
}

/// The verdict on the confirmation of a result.
///
/// # Errors
/// [`Fault::WrongLength`] or [`Fault::InvalidConfirmation`].
pub fn confirmation(found: &[u8], expected: &[u8]) -> Result<(), Fault> {
    if found.len() != expected.len() {
        Err(Fault::WrongLength)
    } else if found != expected {
        Err(Fault::InvalidConfirmation)
    } else {
        Ok(())
    }
}
