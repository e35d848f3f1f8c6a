//! Rounds as types: the state of a protocol is the round that it is in.

use alloc::boxed::Box;

use crate::{Abort, Inbox, Judgement, Next, Outbox, Protocol, Run};

/// The state of a protocol whose rounds are types of their own: a [`Protocol::State`].
///
/// [`Protocol::next`] is then `state.next(run, inbox)`, and [`Protocol::judge`] is
/// `state.judge(run, inbox)`.
pub type AnyRound<P> = Box<dyn RoundState<P>>;

/// One round of a protocol: the values that a party remembers while it waits for the messages of the round.
pub trait RoundState<P: Protocol>: Send + Sync {
    /// Verifies the messages of the round and moves on; see [`Protocol::next`].
    ///
    /// # Errors
    /// [`Abort`] if a check fails.
    fn next(self: Box<Self>, run: &Run, inbox: Inbox<'_>) -> Result<Next<P>, Abort>;

    /// Judges the round when the caller has given up on it; see [`Protocol::judge`].
    fn judge(self: Box<Self>, run: &Run, inbox: Inbox<'_>) -> Judgement<P::Output>;
}

impl<P: Protocol<State = AnyRound<P>>> Next<P> {
    /// The step into a round that is a type of its own, with its messages.
    #[must_use]
    pub fn round(round: impl RoundState<P> + 'static, outbox: Outbox) -> Self {
        Self::Round(Box::new(round), outbox)
    }
}
