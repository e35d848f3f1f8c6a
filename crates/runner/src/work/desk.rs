//! Messages of steps.

use alloc::vec::Vec;

use quorate_session::{PartyId, Protocol, SealKey, Step, To};

use crate::store::{OutgoingMessage, RunContext};
use crate::{Job, Time, packet};

/// The purpose of the sealed bytes of the outbox.
pub(crate) const OUTBOX: &str = "runner outbox";

/// The key, the party and the times with which messages are made.
pub(crate) struct Desk<'k> {
    pub(crate) me: PartyId,
    pub(crate) key: &'k SealKey,
    pub(crate) now: Time,
    pub(crate) until: Time,
}

impl Desk<'_> {
    /// The messages of a step.
    pub(crate) fn messages<P: Protocol>(&self, job: &Job, step: &Step<P>) -> Vec<OutgoingMessage> {
        let mut messages = Vec::new();
        for message in &step.outgoing {
            let packet = quorate_session::zeroize::Zeroizing::new(packet::frame(&message.bytes));
            match message.to {
                To::Everyone => messages.push(self.to_all(job, &packet)),
                To::Only(to) => messages.push(self.message(Vec::from([to]), &packet)),
            }
        }
        messages
    }

    /// The message that this party has stopped.
    pub(super) fn stop(&self, code: u8, context: &RunContext, job: &Job) -> Vec<OutgoingMessage> {
        Vec::from([self.to_all(job, &packet::stopped(code, context))])
    }

    fn to_all(&self, job: &Job, packet: &[u8]) -> OutgoingMessage {
        let others = job.parties.iter().filter(|party| *party != self.me);
        self.message(others.collect(), packet)
    }

    fn message(&self, to: Vec<PartyId>, packet: &[u8]) -> OutgoingMessage {
        let sealed = self.key.seal_bytes(OUTBOX, packet);
        OutgoingMessage { to, id: packet::id(packet), sealed, due: self.now, until: self.until }
    }
}
