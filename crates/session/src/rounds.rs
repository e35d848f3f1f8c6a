//! Rounds as types: how a protocol goes from round to round.
//!
//! A protocol whose state is an enum of its rounds implements [`Rounds`] for it. Its [`Protocol::State`] is that enum, or,
//! where evidence needs the broadcasts of earlier rounds, the enum in [`Logged`], which keeps them.
//! [`AwaitingConfirmations`] is a last round in which all confirm the result.

mod log;

use alloc::vec::Vec;
use core::fmt;

use zeroize::Zeroizing;

pub use self::log::BroadcastLog;
use crate::{
    Abort, Blame, Fault, FrameBytes, Inbox, Judgement, Next, Outbox, PartyId, Protocol, Run,
};

/// The rounds of a protocol: an enum with a type for each round, named after what it waits for.
pub trait Rounds: Sized {
    /// The result of the protocol.
    type Output;

    /// Verifies the messages of the current round, and moves on; see [`Protocol::next`].
    ///
    /// # Errors
    /// [`Abort`] if a check fails.
    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<RoundOutcome<Self, Self::Output>, Abort>;

    /// Makes the checks of the current round for those peers that are there; see [`Protocol::judge`].
    fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<Self::Output>;

    /// Adds to the evidence of blames the frames that a judge needs besides the culprit's own. By default these are the
    /// frames of the others in the rounds before the one at fault.
    fn attach(log: &BroadcastLog<'_>, blames: &mut [Blame]) {
        let mut frames = log.frames();
        // The last frame is this party's own of the round at fault.
        frames.pop();
        for blame in blames {
            let Some(evidence) = &mut blame.evidence else { continue };
            let of_others = |(party, _): &&(PartyId, FrameBytes)| *party != blame.party;
            evidence.frames.extend(frames.iter().filter(of_others).cloned());
        }
    }
}

/// The outcome of a round.
#[allow(clippy::large_enum_variant, reason = "made once and taken apart at once")]
pub enum RoundOutcome<S, O> {
    /// The next round, with its messages.
    Round(S, Outbox),
    /// A piece of the work of this round; there is more.
    Work(S),
    /// The result.
    Done(O),
    /// A result that not every peer confirms.
    Unconfirmed(O, Abort),
}

impl<S, O> RoundOutcome<S, O> {
    /// The step to a round, by its variant of the state.
    pub fn round<R>((round, outbox): (R, Outbox), variant: impl FnOnce(R) -> S) -> Self {
        Self::Round(variant(round), outbox)
    }

    /// This step in a state that contains this one.
    pub fn map<T>(self, variant: impl FnOnce(S) -> T) -> RoundOutcome<T, O> {
        match self {
            Self::Round(state, outbox) => RoundOutcome::Round(variant(state), outbox),
            Self::Work(state) => RoundOutcome::Work(variant(state)),
            Self::Done(output) => RoundOutcome::Done(output),
            Self::Unconfirmed(output, abort) => RoundOutcome::Unconfirmed(output, abort),
        }
    }

    /// This step in a protocol that contains this one, and follows it with a round of its own.
    ///
    /// # Errors
    /// The [`Abort`] of a result that not every peer confirms, since the outer protocol cannot continue with
    /// it; or the error of `go_on`.
    pub fn within<T, P>(
        self,
        variant: impl FnOnce(S) -> T,
        go_on: impl FnOnce(O) -> Result<(T, Outbox), Abort>,
    ) -> Result<RoundOutcome<T, P>, Abort> {
        Ok(match self.map(variant) {
            RoundOutcome::Round(state, outbox) => RoundOutcome::Round(state, outbox),
            RoundOutcome::Work(state) => RoundOutcome::Work(state),
            RoundOutcome::Done(output) => RoundOutcome::round(go_on(output)?, |state| state),
            RoundOutcome::Unconfirmed(_, abort) => return Err(abort),
        })
    }
}

/// For a protocol whose evidence needs no broadcasts of earlier rounds: its state is the enum of its rounds.
impl<P: Protocol> From<RoundOutcome<P::State, P::Output>> for Next<P> {
    fn from(step: RoundOutcome<P::State, P::Output>) -> Self {
        match step {
            RoundOutcome::Round(state, outbox) => Self::Round(state, outbox),
            RoundOutcome::Work(state) => Self::Work(state),
            RoundOutcome::Done(output) => Self::Done(output),
            RoundOutcome::Unconfirmed(output, abort) => Self::Unconfirmed(output, abort),
        }
    }
}

impl<S, O> fmt::Debug for RoundOutcome<S, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Round(..) => "RoundOutcome::Round(..)",
            Self::Work(_) => "RoundOutcome::Work(..)",
            Self::Done(_) => "RoundOutcome::Done(..)",
            Self::Unconfirmed(..) => "RoundOutcome::Unconfirmed(..)",
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
            RoundOutcome::Unconfirmed(output, abort) => Next::Unconfirmed(output, attach(abort)),
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
/// The body of a confirmation follows from the broadcasts of the rounds before. The echo in its frame shows that its
/// sender saw the same broadcasts as this party, so a body that differs is the sender's fault.
pub struct AwaitingConfirmations<T> {
    result: T,
    body: Vec<u8>,
}

impl<T> AwaitingConfirmations<T> {
    /// Confirms a result, and withholds it until the round ends.
    pub fn new(result: T, body: &[u8]) -> (Self, Outbox) {
        (Self { result, body: body.to_vec() }, Outbox::broadcast(body.to_vec()))
    }

    /// Confirms a result, and keeps it as a checkpoint, so that an opened session has it without replaying the rounds before.
    pub fn with_checkpoint(
        result: T,
        body: &[u8],
        checkpoint: Zeroizing<Vec<u8>>,
    ) -> (Self, Outbox) {
        let (round, outbox) = Self::new(result, body);
        (round, Outbox { checkpoint, ..outbox })
    }

    /// The round of a session that is [opened](Run::recalled), with the result of the checkpoint. `None` if no confirmation
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
    /// The blame of the peers that confirm something else.
    pub fn verify(&self, inbox: Inbox<'_>) -> Result<(), Abort> {
        inbox.verify(|_, message| confirmation(message.broadcast, &self.body)).map(drop)
    }

    /// The result, for a protocol that has further rounds.
    pub fn into_result(self) -> T {
        self.result
    }

    /// Gives out the result, marked by `confirm` if all peers have confirmed it.
    pub fn finish<S>(self, inbox: Inbox<'_>, confirm: impl FnOnce(&mut T)) -> RoundOutcome<S, T> {
        let verdict = self.verify(inbox);
        let mut result = self.result;
        match verdict {
            Ok(()) => {
                confirm(&mut result);
                RoundOutcome::Done(result)
            }
            Err(abort) => RoundOutcome::Unconfirmed(result, abort),
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
