//! The broadcasts of a run so far, which evidence needs besides the culprit's own frames.

use alloc::vec::Vec;

use quorate_session::frame::{self, Header};
use quorate_session::{Abort, Inbox, Outbox, PartyId, PerParty, Round, Run};

/// The broadcasts of all parties in the rounds that are over and in order, and of this party in the one that is not.
pub(crate) struct BroadcastLog {
    /// The code of the protocol.
    code: u8,
    rounds: Vec<PerParty<Vec<u8>>>,
    own: Vec<u8>,
}

impl BroadcastLog {
    pub(crate) fn new(code: u8, outbox: &Outbox) -> Self {
        Self { code, rounds: Vec::new(), own: outbox.broadcast.clone().unwrap_or_default() }
    }

    /// Begins a round.
    pub(crate) fn sent(&mut self, outbox: &Outbox) {
        self.own = outbox.broadcast.clone().unwrap_or_default();
    }

    /// Ends a round that is complete, and in which nobody was at fault.
    pub(crate) fn received(&mut self, run: &Run, inbox: Inbox<'_>) {
        let own = core::mem::take(&mut self.own);
        let theirs = inbox.each().map(|message| (message.from, message.broadcast.to_vec()));
        self.rounds.push(theirs.chain([(run.me(), own)]).collect());
    }

    /// Adds the frames of the others, up to the round before this one, which is that of the fault.
    pub(crate) fn attach(&self, run: &Run, abort: Abort) -> Abort {
        let Abort::Misbehaviour(mut blames) = abort else { return abort };
        let frames = self.frames(run);
        for blame in &mut blames {
            let Some(evidence) = &mut blame.evidence else { continue };
            let of_others = frames.iter().filter(|(party, _)| *party != blame.party);
            evidence.frames.extend(of_others.cloned());
        }
        Abort::Misbehaviour(blames)
    }

    /// The frames of every round, as they were sent.
    fn frames(&self, run: &Run) -> Vec<(PartyId, Vec<u8>)> {
        let context = run.context();
        let mut prefix = run.bound().prefix();
        let mut out = Vec::new();
        for (round, bodies) in (1u8..).map(Round).zip(&self.rounds) {
            let frames = bodies.iter().map(|(from, body)| {
                let (version, code) = (frame::VERSION, self.code);
                let header = Header { version, code, round, from, to: None, context };
                (from, header.frame(Some(&prefix), body))
            });
            out.extend(frames);
            prefix = frame::echo(&context, round, bodies.values());
        }
        out
    }
}
