//! What is due next, without asking the store each time.

use alloc::vec::Vec;

use super::Runner;
use super::fresh::{NextDue, is_short};
use crate::Time;
use crate::store::{OutgoingMessage, RunContext, Store};

impl<S: Store, A> Runner<S, A> {
    /// Returns whether nothing in the store is due, by its last answer. Another worker on the same store may have stored
    /// something since: the answer holds for [`Bounds::resend`](crate::Bounds::resend).
    pub(super) fn nothing_is_due(&self, now: Time) -> bool {
        let holds = |next: &&NextDue| next.asked <= now && now < self.after(next.asked);
        !self.resumes && self.next.as_ref().filter(holds).is_some_and(|next| now < next.at)
    }

    /// Forgets what the store has said is due next: it may have something that this runner does not know of. The messages of that
    /// are sent at once, too.
    pub(super) fn forget_next(&mut self) {
        self.next = None;
        self.resumes = true;
    }

    /// Remembers what the store says is due next.
    pub(super) fn remember_next(&mut self, next: Option<Time>) {
        self.next = Some(NextDue { asked: self.now, at: next.unwrap_or(Time::MAX) });
    }

    /// Something was stored that is due at this moment.
    pub(super) fn comes_due(&mut self, at: Time) {
        if let Some(next) = &mut self.next {
            next.at = next.at.min(at);
        }
    }

    /// Messages are about to be stored: the store gives those that are short at their second attempt.
    pub(super) fn put_off(&self, messages: &mut [OutgoingMessage]) {
        let again = self.after(self.now);
        for message in messages.iter_mut().filter(|message| is_short(message)) {
            message.due = again;
        }
    }

    /// Messages were stored: those that are short are sent at once.
    pub(super) fn send_soon(&mut self, context: RunContext, messages: Vec<OutgoingMessage>) {
        for message in messages {
            self.comes_due(message.due);
            if is_short(&message) && !self.fresh.push(context, message) {
                self.forget_next();
            }
        }
    }
}
