//! Steps that wait to be stored.

use alloc::boxed::Box;
use alloc::vec::Vec;

use quorate_session::{SealError, Sealed, SessionId, Slot};

use crate::store::{NewStep, OutgoingMessage, RunContext, Swap, Taken};
use crate::work::Cached;
use crate::{Kind, Outcome, Time};

/// A run that has just ended, with its outcome, which is stored.
///
/// After a crash it is not given out again: the outcome is there for [`Runner::start`](crate::Runner::start) and
/// [`Runner::outcome`](crate::Runner::outcome).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndedRun {
    /// The kind of its protocol.
    pub kind: Kind,
    /// The name of the job.
    pub sid: SessionId,
    /// The outcome.
    pub outcome: Outcome,
}

/// A step of a run that waits to be stored.
pub(super) struct PreparedStep {
    pub(super) context: RunContext,
    pub(super) now: Time,
    pub(super) result: Prepared,
}

/// What is to be stored of a step.
pub(super) enum Prepared {
    Waiting(Box<dyn Cached>),
    Round {
        before: Slot,
        after: Sealed,
        taken: Vec<Taken>,
        messages: Vec<OutgoingMessage>,
        cached: Box<dyn Cached>,
    },
    /// The end; without a slot if it does not matter what the store has of the run.
    Ended {
        before: Option<Slot>,
        tombstone: Sealed,
        messages: Vec<OutgoingMessage>,
        /// The outcome, sealed.
        sealed: Vec<u8>,
        until: Time,
        run: EndedRun,
    },
    Unopened(SealError),
    OtherKey,
}

impl Prepared {
    /// The slot that the step replaces in the store, if it has one.
    pub(super) const fn before(&self) -> Option<Slot> {
        match self {
            Self::Round { before, .. } => Some(*before),
            Self::Ended { before, .. } => *before,
            Self::Waiting(_) | Self::Unopened(_) | Self::OtherKey => None,
        }
    }
}

impl PreparedStep {
    pub(super) fn swap(&self) -> Option<Swap<'_>> {
        let before = self.result.before()?;
        let step = match &self.result {
            Prepared::Round { after, taken, messages, .. } => {
                NewStep { after, taken, messages, outcome: None, until: Time::MAX }
            }
            Prepared::Ended { tombstone, messages, sealed, until, .. } => NewStep {
                after: tombstone,
                taken: &[],
                messages,
                outcome: Some(sealed),
                until: *until,
            },
            Prepared::Waiting(_) | Prepared::Unopened(_) | Prepared::OtherKey => return None,
        };
        Some(Swap { before, step })
    }
}
