//! The inputs and outputs of a session: messages, steps, progress, receipts.

use alloc::vec::Vec;
use core::fmt;

use zeroize::Zeroize as _;

use crate::{Abort, PartyId, Protocol, Sealed, Session};

/// Whom a message is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum To {
    /// All other parties. The same bytes to each.
    Everyone,
    /// This party alone. The bytes are **confidential**: encrypt them to it.
    Only(PartyId),
}

/// A message to be delivered. `Debug` prints its length only. What is for one party alone is wiped when dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// Whom it is for.
    pub to: To,
    /// The frame, to be handed to [`Session::receive`] as it is.
    pub bytes: Vec<u8>,
}

impl Drop for Outgoing {
    fn drop(&mut self) {
        if self.to != To::Everyone {
            self.bytes.zeroize();
        }
    }
}

impl fmt::Debug for Outgoing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outgoing").field("to", &self.to).field("bytes", &self.bytes.len()).finish()
    }
}

/// A session that has entered a round, and the messages of that round.
///
/// **Persist, then send**: where a crash must not lose the run, store [`Session::seal`] under its
/// [`Slot`](crate::Slot) before any of `outgoing` leaves the house.
#[must_use]
pub struct Step<P: Protocol> {
    /// The session, waiting for the messages of the round.
    pub session: Session<P>,
    /// The messages of this party for the round.
    pub outgoing: Vec<Outgoing>,
}

impl<P: Protocol> fmt::Debug for Step<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Step")
            .field("session", &self.session)
            .field("outgoing", &self.outgoing)
            .finish()
    }
}

/// The outcome of an attempt to move on.
#[must_use]
pub enum Progress<P: Protocol> {
    /// Messages are missing, see [`Session::waiting_for`]. Nothing has changed.
    Waiting(Session<P>),
    /// The round is complete, and a piece of its work is done: [advance](Session::advance) again, with or without new
    /// frames, as soon as there is time. It is not part of a seal: a session opened again does it again.
    Working(Session<P>),
    /// The round is complete and verified; the next has begun.
    Round(Step<P>),
    /// The protocol has ended with a result.
    Done {
        /// The result. Store it, and what it depends on, before the tombstone.
        output: P::Output,
        /// The record that the store keeps for ever in the session's place: see [`Session::tombstone`].
        tombstone: Sealed,
    },
}

impl<P: Protocol> fmt::Debug for Progress<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Waiting(session) => f.debug_tuple("Waiting").field(session).finish(),
            Self::Working(session) => f.debug_tuple("Working").field(session).finish(),
            Self::Round(step) => f.debug_tuple("Round").field(step).finish(),
            Self::Done { .. } => f.write_str("Done { .. }"),
        }
    }
}

/// A run that has ended without a result that all parties confirm.
#[must_use]
#[derive(PartialEq, Eq)]
pub struct Stopped<O> {
    /// Why, and who is to blame.
    pub abort: Abort,
    /// The result, where this party has verified it and only a confirmation is wrong or missing.
    ///
    /// It is as good as a confirmed one for this party; what is not known is whether every other
    /// party has its own. The protocol says when it may be used.
    pub unconfirmed: Option<O>,
    /// The record that the store keeps for ever in the session's place: see [`Session::tombstone`].
    pub tombstone: Sealed,
}

impl<O> fmt::Debug for Stopped<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stopped")
            .field("abort", &self.abort)
            .field("unconfirmed", &self.unconfirmed.is_some())
            .finish_non_exhaustive()
    }
}

impl<O> fmt::Display for Stopped<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.abort.fmt(f)?;
        if self.unconfirmed.is_some() {
            f.write_str("; the result is there, unconfirmed")?;
        }
        Ok(())
    }
}

impl<O> core::error::Error for Stopped<O> {}

/// The fate of a frame that was not rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Receipt {
    /// Kept for the current round.
    Accepted,
    /// Kept for the next round.
    Early,
    /// Received before, byte for byte. Nothing has changed.
    Duplicate,
    /// Contradicts a frame kept before from the same sender for the same round, this one or an
    /// earlier one. Both are kept and [`Session::advance`] will blame the sender.
    Conflicting,
}
