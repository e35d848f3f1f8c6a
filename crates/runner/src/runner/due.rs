//! What is due next, without asking the store each time.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::Runner;
use crate::Time;
use crate::store::{Due, OutgoingMessage, RunContext, Store};

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
    message.sealed.len().saturating_mul(message.to.len())
}

impl Fresh {
    /// Returns whether there was room for a short message.
    fn push(&mut self, context: RunContext, message: OutgoingMessage) -> bool {
        let total = self.bytes.saturating_add(bytes(&message));
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
        let is_sent = |one: &Due| sent.iter().any(|sent| (sent.to, sent.id) == (one.to, one.id));
        self.messages.retain(|one| !is_sent(one));
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
    asked: Time,
    /// Nothing that this runner has stored since is due before this moment.
    pub(super) at: Time,
}

impl<S: Store, A> Runner<S, A> {
    /// Returns whether nothing in the store is due, by its last answer. Another worker on the same store may have stored
    /// something since: the answer holds for [`Bounds::resend`](crate::Bounds::resend).
    pub(super) fn is_nothing_due(&self, now: Time) -> bool {
        let holds = |next: &&NextDue| next.asked <= now && now < self.after(next.asked);
        !self.resumes && self.next.as_ref().filter(holds).is_some_and(|next| now < next.at)
    }

    /// The store has something that this runner has not seen, or may have. Its messages are sent at once, too.
    pub(super) fn forget_next(&mut self) {
        self.next = None;
        self.resumes = true;
    }

    /// Remembers what the store says is due next.
    pub(super) fn remember_next(&mut self, next: Option<Time>) {
        self.next = Some(NextDue { asked: self.now, at: next.unwrap_or(Time::MAX) });
    }

    /// Something was stored that is due at this moment.
    pub(super) fn is_due_at(&mut self, at: Time) {
        if let Some(next) = &mut self.next {
            next.at = next.at.min(at);
        }
    }

    /// Messages are about to be stored: the store gives those that are short at their second attempt.
    pub(super) fn put_off(&self, messages: &mut [OutgoingMessage]) {
        let again = self.after(self.now);
        for message in messages.iter_mut().filter(|message| bytes(message) <= SHORT) {
            message.due = again;
        }
    }

    /// Messages were stored: those that are short are sent at once.
    pub(super) fn send_soon(&mut self, context: RunContext, messages: Vec<OutgoingMessage>) {
        for message in messages {
            self.is_due_at(message.due);
            if bytes(&message) <= SHORT && !self.fresh.push(context, message) {
                self.forget_next();
            }
        }
    }
}
