//! What a session takes and gives: messages, steps, progress, receipts.

use alloc::vec::Vec;
use core::fmt;

use crate::{PartyId, Protocol, Session};

/// Whom a message is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum To {
    /// All other parties. The same bytes to each.
    Everyone,
    /// This party alone. The bytes are **confidential**: encrypt them to it.
    Only(PartyId),
}

/// A message to be delivered. `Debug` prints its length only.
#[derive(Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// Whom it is for.
    pub to: To,
    /// The frame, to be handed to [`Session::receive`] as it is.
    pub bytes: Vec<u8>,
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

/// What came of an attempt to move on.
#[must_use]
pub enum Progress<P: Protocol> {
    /// Messages are missing, see [`Session::waiting_for`]. Nothing has changed.
    Waiting(Session<P>),
    /// The round is complete and verified; the next has begun.
    Round(Step<P>),
    /// The protocol has ended with this result.
    Done(P::Output),
}

impl<P: Protocol> fmt::Debug for Progress<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Waiting(session) => f.debug_tuple("Waiting").field(session).finish(),
            Self::Round(step) => f.debug_tuple("Round").field(step).finish(),
            Self::Done(_) => f.write_str("Done(..)"),
        }
    }
}

/// What became of a frame that was not rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Receipt {
    /// Kept for the current round.
    Accepted,
    /// Kept for the next round.
    Early,
    /// Received before, byte for byte. Nothing has changed.
    Duplicate,
    /// Contradicts a frame kept before from the same sender for the same round. Both are kept and
    /// [`Session::advance`] will blame the sender.
    Conflicting,
}
