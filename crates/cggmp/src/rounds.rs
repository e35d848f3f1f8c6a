//! The way in which every protocol here goes from round to round.
//!
//! Each has `messages` (types, encodings, lengths), a `view` (public data by party, with the statements and verdicts
//! that follow from it) and `rounds`: an enum `State` with a type for each round, named after what it waits for.

mod log;

use alloc::vec::Vec;
use core::fmt;

use quorate_session::{Abort, Inbox, Judgement, Next, Outbox, Protocol, Run};

use self::log::BroadcastLog;
use crate::proofs::confirmation;

/// The rounds of a protocol.
pub trait Rounds: Sized {
    type Output;

    /// Verifies the messages of the current round, and goes on.
    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<Step<Self, Self::Output>, Abort>;

    /// Makes the checks of the current round for those peers that are there.
    fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<Self::Output>;
}

/// The outcome of a round.
#[allow(clippy::large_enum_variant, reason = "made once and taken apart at once")]
pub enum Step<S, O> {
    /// The next round, with its messages.
    Round(S, Outbox),
    /// A piece of the work of this round; there is more.
    Work(S),
    Done(O),
    /// A result that not every peer confirms.
    Unconfirmed(O, Abort),
}

impl<S, O> Step<S, O> {
    /// The step to a round, by its variant of the state.
    pub(crate) fn round<R>((round, outbox): (R, Outbox), variant: impl FnOnce(R) -> S) -> Self {
        Self::Round(variant(round), outbox)
    }

    /// This step in a state that contains this one.
    pub(crate) fn map<T>(self, variant: impl FnOnce(S) -> T) -> Step<T, O> {
        match self {
            Self::Round(state, outbox) => Step::Round(variant(state), outbox),
            Self::Work(state) => Step::Work(variant(state)),
            Self::Done(output) => Step::Done(output),
            Self::Unconfirmed(output, abort) => Step::Unconfirmed(output, abort),
        }
    }

    /// This step in a protocol that contains this one, and goes on with a round of its own.
    pub(crate) fn within<T, P>(
        self,
        variant: impl FnOnce(S) -> T,
        go_on: impl FnOnce(O) -> (T, Outbox),
    ) -> Result<Step<T, P>, Abort> {
        Ok(match self.map(variant) {
            Step::Round(state, outbox) => Step::Round(state, outbox),
            Step::Work(state) => Step::Work(state),
            Step::Done(output) => Step::round(go_on(output), |state| state),
            Step::Unconfirmed(_, abort) => return Err(abort),
        })
    }
}

/// A state with the broadcasts of the run so far, which go into the evidence of every blame.
pub struct Logged<S> {
    pub(crate) state: S,
    pub(crate) log: BroadcastLog,
}

impl<S: Rounds> Logged<S> {
    /// The first round of the protocol with this code.
    pub(crate) fn start<R>(
        code: u8,
        (round, outbox): (R, Outbox),
        variant: impl FnOnce(R) -> S,
    ) -> (Self, Outbox) {
        let log = BroadcastLog::new(code, &outbox);
        (Self { state: variant(round), log }, outbox)
    }

    /// [`Protocol::next`].
    pub(crate) fn next<P>(self, run: &Run, inbox: Inbox<'_>) -> Result<Next<P>, Abort>
    where
        P: Protocol<State = Self, Output = S::Output>,
    {
        let Self { state, mut log } = self;
        Ok(match state.next(run, inbox).map_err(|abort| log.attach(run, abort))? {
            Step::Round(state, outbox) => {
                log.received(run, inbox);
                log.sent(&outbox);
                Next::Round(Self { state, log }, outbox)
            }
            Step::Work(state) => Next::Work(Self { state, log }),
            Step::Done(output) => Next::Done(output),
            Step::Unconfirmed(output, abort) => Next::Unconfirmed(output, log.attach(run, abort)),
        })
    }

    /// [`Protocol::judge`].
    pub(crate) fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<S::Output> {
        let Self { state, log } = self;
        let Judgement { abort, unconfirmed } = state.judge(run, inbox);
        Judgement { abort: abort.map(|abort| log.attach(run, abort)), unconfirmed }
    }
}

impl<S> fmt::Debug for Logged<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

/// The last round of a protocol, in which all confirm its result: the state of P_i when its confirmation is sent.
///
/// The body of a confirmation follows from the broadcasts of the rounds before, and the echo in its frame says that its
/// sender saw the same ones as this party: one that differs is the sender's fault.
pub struct AwaitingConfirmations<T> {
    result: T,
    body: Vec<u8>,
}

impl<T> AwaitingConfirmations<T> {
    /// Confirms a result, and keeps it back.
    pub(crate) fn new(result: T, body: &[u8]) -> (Self, Outbox) {
        (Self { result, body: body.to_vec() }, Outbox::broadcast(body.to_vec()))
    }

    /// Verifies the confirmations of all peers that are there.
    pub(crate) fn verify(&self, inbox: Inbox<'_>) -> Result<(), Abort> {
        inbox.verify(|_, message| confirmation(message.broadcast, &self.body)).map(drop)
    }

    pub(crate) fn into_result(self) -> T {
        self.result
    }

    /// Gives out the result, marked by `confirm` if all peers have confirmed it.
    pub(crate) fn finish<S>(self, inbox: Inbox<'_>, confirm: impl FnOnce(&mut T)) -> Step<S, T> {
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
    pub(crate) fn judge(self, inbox: Inbox<'_>) -> Judgement<T> {
        Judgement { abort: self.verify(inbox).err(), unconfirmed: Some(self.result) }
    }
}
