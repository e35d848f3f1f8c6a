//! Messages on their way out that are in memory, and the moment at which the store has more.

use alloc::collections::{BTreeSet, VecDeque};
use alloc::vec::Vec;

use crate::Time;
use crate::store::{Due, OutgoingMessage, RunContext};

/// Bytes of a message to all its recipients that is sent as soon as it is stored, at most. A longer one is read from the store
/// when it is sent, so that memory holds few of them.
const SHORT: usize = 1 << 16;
/// Bytes of the messages in memory that are to be sent at once, at most. What is beyond is read from the store.
const FRESH: usize = 1 << 20;

/// The messages that are stored and were never sent. The store has them due at their second attempt: if the process ends before
/// they are sent, they are sent then.
#[derive(Default)]
pub(super) struct Fresh {
    messages: VecDeque<Due>,
    bytes: usize,
}

/// The bytes of a message to all its recipients.
const fn bytes(message: &OutgoingMessage) -> usize {
    message.sealed.len() * message.to.len()
}

/// Returns whether a message is sent as soon as it is stored.
pub(super) const fn is_short(message: &OutgoingMessage) -> bool {
    bytes(message) <= SHORT
}

impl Fresh {
    /// Returns whether there was room for a short message.
    pub(super) fn push(&mut self, context: RunContext, message: OutgoingMessage) -> bool {
        let total = self.bytes + bytes(&message);
        if total > FRESH {
            return false;
        }
        self.bytes = total;
        let OutgoingMessage { to, id, sealed, .. } = message;
        let due = |to| Due { to, id, context, sealed: sealed.clone() };
        self.messages.extend(to.into_iter().map(due));
        true
    }

    pub(super) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// These are being sent.
    pub(super) fn forget(&mut self, sent: &[Due]) {
        if self.messages.is_empty() || sent.is_empty() {
            return;
        }
        let sent: BTreeSet<_> = sent.iter().map(|one| (one.to, one.id)).collect();
        self.messages.retain(|one| !sent.contains(&(one.to, one.id)));
        self.bytes = self.messages.iter().map(|one| one.sealed.len()).sum();
    }

    pub(super) fn take(&mut self, most: usize) -> Vec<Due> {
        let taken: Vec<_> = self.messages.drain(..most.min(self.messages.len())).collect();
        let bytes = taken.iter().map(|message| message.sealed.len()).sum();
        self.bytes = self.bytes.saturating_sub(bytes);
        taken
    }
}

/// The answer of the store to when the next message or deadline is due.
pub(super) struct NextDue {
    /// The time of the question.
    pub(super) asked: Time,
    /// Nothing that this runner has stored since is due before this moment.
    pub(super) at: Time,
}
