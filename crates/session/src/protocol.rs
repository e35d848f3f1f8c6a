//! The trait of a protocol that runs in a [`Session`](crate::Session).

use alloc::vec::Vec;
use core::fmt;

use zeroize::Zeroizing;

use crate::{Abort, Binding, Inbox, Outbox, ParamError, Round, Run};

/// `Send` on targets with atomic pointers, and no bound on others, which have no threads.
///
/// Implemented for every type that it fits. Sessions may move between threads, so the types of a protocol may.
#[cfg(target_has_atomic = "ptr")]
pub trait MaybeSend: Send {}
#[cfg(target_has_atomic = "ptr")]
impl<T: Send> MaybeSend for T {}

/// `Send` on targets with atomic pointers, and no bound on others, which have no threads.
#[cfg(not(target_has_atomic = "ptr"))]
pub trait MaybeSend {}
#[cfg(not(target_has_atomic = "ptr"))]
impl<T> MaybeSend for T {}

/// A protocol of a fixed number of rounds among a fixed set of parties.
///
/// In every round each party sends at most one broadcast and at most one message to each peer, as
/// [`limits`](Self::limits) says. Where the [`Outbox`] has a gap, the session sends an empty body.
/// Before [`next`](Self::next) runs, the session has checked that every message of the round is there
/// and within its limit, and that all parties saw the same broadcasts in the round before.
///
/// Three rules for implementors:
/// - **Determinism.** `start` and `next` depend on nothing but their arguments; every random value
///   comes from [`Run::rng`]. A resumed session replays them.
/// - **Recall what was expensive.** While a session is opened, [`Run::recalled`] gives the messages that this call made
///   when it first ran. A protocol whose proofs take long rebuilds its state from them, and neither proves nor verifies
///   again. It has to come to the same state, and to return the same messages. A protocol that does not look at them is
///   replayed in full.
/// - **Blame only on shared data.** The broadcasts of round *r* are known to be the same for all
///   only in `next` of round *r + 1*. In round *r* itself blame a party by its own messages alone;
///   a check that mixes in the broadcasts of a third party belongs one round later. Broadcasts of
///   the last round are not echoed: a protocol whose result depends on them ends with one more
///   round (its body may be empty, the echo rides in the frame).
pub trait Protocol: Sized + 'static {
    /// The name of the protocol, which goes into every transcript.
    const NAME: &'static str;
    /// The code of the protocol, which goes into every frame.
    const CODE: u8;
    /// The suite, curve or key family of a protocol that is generic over one; empty for any other. Name, family and code
    /// tell the rows of one protocol from those of another in a store.
    const FAMILY: &'static str;
    /// The number of rounds of messages, at least 1.
    const ROUNDS: u8;
    /// Whether [`next`](Self::next) or [`judge`](Self::judge) draws from [`Run::rng`] when it has the messages of the last
    /// round. If not, the state of the run need not depend on those messages, and the session does not hash them. True by
    /// default.
    const LAST_ROUND_DRAWS: bool = true;

    /// Public and secret parameters. They are not part of a sealed session: the caller
    /// gives them again when it opens one.
    type Params: MaybeSend;
    /// A party's memory between rounds: an enum of the round structs.
    type State: MaybeSend;
    /// The result.
    type Output: MaybeSend;

    /// Appends everything that all parties must agree on (suite, threshold, key, message, …).
    ///
    /// Parties that differ here reject each other's frames, with no blame, as
    /// [`OtherParameters`](crate::Rejected::OtherParameters) with the label of the item that differs.
    /// Parties and session id are bound already.
    fn bind(params: &Self::Params, binding: &mut Binding);

    /// The longest bodies allowed in `round`, for a run of `parties` parties.
    fn limits(params: &Self::Params, parties: usize, round: Round) -> Limits;

    /// Secret bytes that are mixed into the seed of the run, so that a broken random generator
    /// alone cannot make it predictable. Empty by default.
    #[must_use]
    fn hedge(_params: &Self::Params) -> Option<Zeroizing<Vec<u8>>> {
        None
    }

    /// The messages of round 1.
    ///
    /// # Errors
    /// [`ParamError`] if the parameters don't fit.
    fn start(params: Self::Params, run: &Run) -> Result<(Self::State, Outbox), ParamError>;

    /// Verifies the messages of the current round and moves on.
    ///
    /// Work that takes long may be cut in pieces: after [`Next::Work`] it is called again, with
    /// the state that it gave and the same messages.
    ///
    /// # Errors
    /// [`Abort`] if a check fails.
    fn next(state: Self::State, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort>;

    /// Judges a round that the caller has given up on, by the messages of those peers that are
    /// there: `inbox` holds no others.
    ///
    /// An implementation makes the checks of [`next`](Self::next) that need one peer's messages alone, and
    /// gives out a result that only lacks confirmation. By default there is no judgement.
    fn judge(_state: Self::State, _run: &Run, _inbox: Inbox<'_>) -> Judgement<Self::Output> {
        Judgement::default()
    }
}

/// The judgement of a round that was given up.
pub struct Judgement<O> {
    /// The blame that the messages that have arrived give rise to, if any.
    pub abort: Option<Abort>,
    /// The result, where only its confirmation is missing.
    pub unconfirmed: Option<O>,
}

impl<O> Default for Judgement<O> {
    fn default() -> Self {
        Self { abort: None, unconfirmed: None }
    }
}

/// The outcome of checks over those peers whose messages are there.
impl<O, T> From<Result<T, Abort>> for Judgement<O> {
    fn from(checked: Result<T, Abort>) -> Self {
        Self { abort: checked.err(), unconfirmed: None }
    }
}

impl<O> fmt::Debug for Judgement<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judgement").field("abort", &self.abort).finish_non_exhaustive()
    }
}

/// The step after a round.
pub enum Next<P: Protocol> {
    /// Another round, with its messages.
    Round(P::State, Outbox),
    /// A piece of the work of this round; there is more.
    Work(P::State),
    /// The result.
    Done(P::Output),
    /// A result that this party has verified, but that not every peer confirms: the
    /// [`Abort`] says why. The session ends, and hands out both
    /// ([`Progress::Unconfirmed`](crate::Progress::Unconfirmed)).
    Unconfirmed(P::Output, Abort),
}

impl<P: Protocol> fmt::Debug for Next<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Round(..) => "Next::Round(..)",
            Self::Work(_) => "Next::Work(..)",
            Self::Done(_) => "Next::Done(..)",
            Self::Unconfirmed(..) => "Next::Unconfirmed(..)",
        })
    }
}

/// The longest bodies of a round, in bytes; zero means that no such message is sent at all.
///
/// A message that is always empty (only its frame matters) has limit 1, and the protocol checks
/// that it is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The longest broadcast.
    pub broadcast: usize,
    /// The longest message to one party.
    pub direct: usize,
}
