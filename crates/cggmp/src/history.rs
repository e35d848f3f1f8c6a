//! The broadcasts of a run so far, which evidence needs besides the culprit's own frames.

use alloc::vec::Vec;

use quorate_session::frame::{self, Header};
use quorate_session::{Abort, Inbox, Outbox, PartyId, Round, Run};

/// What everybody broadcast in the rounds that are over and in order, and this party in the one
/// that is not.
pub(crate) struct History {
    /// The code of the protocol.
    code: u8,
    rounds: Vec<Vec<(PartyId, Vec<u8>)>>,
    own: Vec<u8>,
}

impl History {
    pub(crate) fn new(code: u8, outbox: &Outbox) -> Self {
        Self { code, rounds: Vec::new(), own: outbox.broadcast.clone().unwrap_or_default() }
    }

    /// A round has begun.
    pub(crate) fn sent(&mut self, outbox: &Outbox) {
        self.own = outbox.broadcast.clone().unwrap_or_default();
    }

    /// A round is complete, and nobody was at fault.
    pub(crate) fn received(&mut self, run: &Run, inbox: Inbox<'_>) {
        let own = core::mem::take(&mut self.own);
        let theirs = inbox.each().map(|message| (message.from, message.broadcast.to_vec()));
        let mut round: Vec<_> = theirs.chain([(run.me(), own)]).collect();
        round.sort_unstable_by_key(|(party, _)| *party);
        self.rounds.push(round);
    }

    /// Adds the frames of the others, up to the round before this one, which is that of the fault.
    pub(crate) fn attach(&self, run: &Run, abort: Abort) -> Abort {
        let Abort::Misbehaviour(mut blames) = abort else { return abort };
        let frames = self.frames(run);
        for blame in &mut blames {
            let Some(evidence) = &mut blame.evidence else { continue };
            let of_others = frames.iter().flatten().filter(|(party, _)| *party != blame.party);
            evidence.frames.extend(of_others.cloned());
        }
        Abort::Misbehaviour(blames)
    }

    /// The frames of every round, as they were sent.
    fn frames(&self, run: &Run) -> Vec<Vec<(PartyId, Vec<u8>)>> {
        let context = run.context();
        let mut prefix = run.bound().prefix();
        let mut out = Vec::new();
        for (round, bodies) in (1u8..).map(Round).zip(&self.rounds) {
            let frames = bodies.iter().map(|(from, body)| {
                let (version, code) = (frame::VERSION, self.code);
                let header = Header { version, code, round, from: *from, to: None, context };
                (*from, header.frame(Some(&prefix), body))
            });
            out.push(frames.collect());
            prefix = frame::echo(&context, round, bodies.iter().map(|(_, body)| body));
        }
        out
    }
}
