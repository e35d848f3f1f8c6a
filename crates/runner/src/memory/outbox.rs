//! The messages that wait for acknowledgement.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use quorate_session::PartyId;

use crate::store::{Due, OutgoingMessage, PacketId, RunContext};
use crate::{Bounds, Time};

#[derive(Default, Debug)]
pub(super) struct Outbox {
    messages: BTreeMap<PacketId, Waiting>,
    due: BTreeSet<(Time, PartyId, PacketId)>,
    until: BTreeSet<(Time, PacketId)>,
    by_run: BTreeSet<(RunContext, PacketId)>,
    /// The bytes that wait for each recipient.
    bytes_to: BTreeMap<PartyId, usize>,
    /// The bytes of all messages, each once.
    bytes: usize,
}

/// A message that some have not acknowledged.
#[derive(Debug)]
struct Waiting {
    context: RunContext,
    sealed: Vec<u8>,
    until: Time,
    /// The next time and the attempts so far, for each who has not.
    left: BTreeMap<PartyId, (Time, u32)>,
}

impl Outbox {
    /// Stores the messages of a run.
    pub(super) fn add(&mut self, context: RunContext, messages: &[OutgoingMessage]) {
        for message in messages.iter().filter(|one| !one.to.is_empty()) {
            let OutgoingMessage { to, id, sealed, due, until } = message;
            let waiting = self.messages.entry(*id).or_insert_with(|| {
                self.bytes += sealed.len();
                self.until.insert((*until, *id));
                self.by_run.insert((context, *id));
                Waiting { context, sealed: sealed.clone(), until: *until, left: BTreeMap::new() }
            });
            for to in to {
                waiting.left.entry(*to).or_insert_with(|| {
                    self.due.insert((*due, *to, *id));
                    let bytes = self.bytes_to.entry(*to).or_default();
                    *bytes += waiting.sealed.len();
                    (*due, 0)
                });
            }
        }
    }

    /// Forgets a message to one of its recipients, and returns whether it was there.
    pub(super) fn forget(&mut self, to: PartyId, id: PacketId) -> bool {
        let Some(waiting) = self.messages.get_mut(&id) else { return false };
        let Some((due, _)) = waiting.left.remove(&to) else { return false };
        self.due.remove(&(due, to, id));
        if let Some(bytes) = self.bytes_to.get_mut(&to) {
            *bytes = bytes.saturating_sub(waiting.sealed.len());
            if *bytes == 0 {
                self.bytes_to.remove(&to);
            }
        }
        if waiting.left.is_empty() {
            self.bytes = self.bytes.saturating_sub(waiting.sealed.len());
            self.until.remove(&(waiting.until, id));
            self.by_run.remove(&(waiting.context, id));
            self.messages.remove(&id);
        }
        true
    }

    /// Keeps no message of a run longer than until then.
    pub(super) fn end(&mut self, context: &RunContext, until: Time) {
        let of_run = self.by_run.range((*context, [0; 32])..);
        for (_, id) in of_run.take_while(|(of, _)| of == context) {
            let Some(waiting) = self.messages.get_mut(id) else { continue };
            if until < waiting.until {
                self.until.remove(&(waiting.until, *id));
                self.until.insert((until, *id));
                waiting.until = until;
            }
        }
    }

    /// Returns whether more bytes than this wait for one of the recipients of these.
    pub(super) fn is_full(&self, messages: &[OutgoingMessage], bound: usize) -> bool {
        let mut to = messages.iter().flat_map(|message| &message.to);
        to.any(|to| self.bytes_to.get(to).is_some_and(|bytes| *bytes > bound))
    }

    pub(super) fn due(&mut self, now: Time, bounds: &Bounds, most: usize) -> Vec<Due> {
        let due = self.due.iter().take_while(|(due, ..)| *due <= now).take(most);
        let due: Vec<_> = due.copied().collect();
        let mut messages = Vec::with_capacity(due.len());
        for key in due {
            let (_, to, id) = key;
            self.due.remove(&key);
            let Some(waiting) = self.messages.get_mut(&id) else { continue };
            if let Some((next, attempts)) = waiting.left.get_mut(&to) {
                let (context, sealed) = (waiting.context, waiting.sealed.clone());
                messages.push(Due { to, id, context, sealed });
                *next = now.saturating_add(bounds.backoff(*attempts));
                *attempts = attempts.saturating_add(1);
                self.due.insert((*next, to, id));
            }
        }
        messages
    }

    /// Forgets messages whose time is over, to about `most` recipients.
    pub(super) fn prune(&mut self, now: Time, most: usize) {
        let mut left = most;
        while let Some(&(until, id)) = self.until.first()
            && until <= now
            && left > 0
        {
            self.until.remove(&(until, id));
            let to = self.messages.get(&id).map(|waiting| waiting.left.keys().copied());
            let to: Vec<_> = to.into_iter().flatten().collect();
            left = left.saturating_sub(to.len().max(1));
            for to in to {
                self.forget(to, id);
            }
        }
    }

    /// The time of the first message.
    pub(super) fn next(&self) -> Option<Time> {
        self.due.first().map(|(due, ..)| *due)
    }

    /// The number of messages, each as often as somebody waits for it, and the bytes of them, each once.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.due.len(), self.bytes)
    }
}
