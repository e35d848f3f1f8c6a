//! The broadcasts of a run so far, which evidence needs besides the culprit's own frames.

use alloc::vec::Vec;

use crate::frame::{self, Header};
use crate::{Inbox, Outbox, PartyId, PerParty, Round, Run};

/// The broadcasts of all parties in the rounds that are over, and of this party in the one that is not.
pub struct BroadcastLog {
    /// The code of the protocol.
    code: u8,
    rounds: Vec<PerParty<Vec<u8>>>,
    own: Vec<u8>,
}

impl BroadcastLog {
    /// The log of a run of the protocol with this code, when the messages of round 1 are made.
    #[must_use]
    pub fn new(code: u8, outbox: &Outbox) -> Self {
        Self { code, rounds: Vec::new(), own: outbox.broadcast.clone().unwrap_or_default() }
    }

    /// Ends a round that is complete and in which nobody was at fault, and begins the next with these messages.
    pub fn go_on(&mut self, run: &Run, inbox: Inbox<'_>, outbox: &Outbox) {
        let next = outbox.broadcast.clone().unwrap_or_default();
        let own = core::mem::replace(&mut self.own, next);
        let theirs = inbox.each().map(|message| (message.from, message.broadcast.to_vec()));
        self.rounds.push(theirs.chain([(run.me(), own)]).collect());
    }

    /// The number of rounds that are over.
    #[must_use]
    pub const fn rounds_over(&self) -> usize {
        self.rounds.len()
    }

    /// The frames of the rounds that are over, as they were sent, and then this party's of the round that is not.
    #[must_use]
    pub fn frames(&self, run: &Run) -> Vec<(PartyId, Vec<u8>)> {
        let context = run.context();
        let mut prefix = run.bound().prefix();
        let own = PerParty::from_iter([(run.me(), self.own.clone())]);
        let mut frames = Vec::new();
        for (round, bodies) in (1u8..).map(Round).zip(self.rounds.iter().chain([&own])) {
            frames.extend(bodies.iter().map(|(from, body)| {
                let (version, code) = (frame::VERSION, self.code);
                let header = Header { version, code, round, from, to: None, context };
                (from, header.frame(Some(&prefix), body))
            }));
            prefix = frame::echo(&context, round, bodies.values());
        }
        frames
    }
}
