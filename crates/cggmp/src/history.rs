//! The broadcasts of a run so far, which evidence needs besides the culprit's own frames.

use alloc::vec::Vec;

use quorate_session::{Abort, Inbox, Outbox, PartyId, Run};

use crate::proofs::Names;

/// The version of the wire format.
pub(crate) const VERSION: u8 = 1;

/// What everybody broadcast in the rounds that are over, and this party in the one that is not.
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

    /// A round is complete.
    pub(crate) fn received(&mut self, run: &Run, inbox: Inbox<'_>) {
        let own = core::mem::take(&mut self.own);
        let theirs = inbox.each().map(|message| (message.from, message.broadcast.to_vec()));
        let mut round: Vec<_> = theirs.chain([(run.me(), own)]).collect();
        round.sort_unstable_by_key(|(party, _)| *party);
        self.rounds.push(round);
    }

    /// Adds the frames of the others, up to the round before that of the fault.
    pub(crate) fn attach(&self, run: &Run, abort: Abort) -> Abort {
        let Abort::Misbehaviour(mut blames) = abort else { return abort };
        for blame in &mut blames {
            let Some(evidence) = &mut blame.evidence else { continue };
            let before = usize::from(blame.round.get().saturating_sub(1));
            let frames = self.frames(run.into()).into_iter().take(before).flatten();
            evidence.frames.extend(frames.filter(|(party, _)| *party != blame.party));
        }
        Abort::Misbehaviour(blames)
    }

    /// The frames of every round, as they were sent.
    fn frames(&self, names: Names) -> Vec<Vec<(PartyId, Vec<u8>)>> {
        let mut echo = None;
        let mut out = Vec::new();
        for (number, round) in (1u8..).zip(&self.rounds) {
            let frames = round.iter().map(|(party, body)| {
                let mut frame = Vec::from([VERSION, self.code, number]);
                frame.extend_from_slice(&party.get().to_be_bytes());
                frame.extend_from_slice(&[0, 0]);
                frame.extend_from_slice(&names.context);
                frame.extend(echo.iter().flatten());
                frame.extend_from_slice(body);
                (*party, frame)
            });
            out.push(frames.collect());
            echo = Some(self::echo(names, number, round.iter().map(|(_, body)| body.as_slice())));
        }
        out
    }
}

/// The echo of a round's broadcasts, given by ascending party.
pub(crate) fn echo<'b>(
    names: Names,
    round: u8,
    bodies: impl IntoIterator<Item = &'b [u8]>,
) -> [u8; 32] {
    let mut transcript = names.transcript("echo");
    transcript.append_u64("round", round.into());
    transcript.append_list("broadcasts", bodies);
    transcript.finish32()
}
