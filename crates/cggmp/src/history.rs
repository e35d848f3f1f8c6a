//! The broadcasts of a run so far, which evidence needs besides the culprit's own frames.

use alloc::vec::Vec;

use quorate_session::frame::{self, Header};
use quorate_session::{Abort, Inbox, Judgement, Next, Outbox, PartyId, Protocol, Round, Run};

/// The broadcasts of all parties in the rounds that are over and in order, and of this party in the one
/// that is not.
pub(crate) struct BroadcastLog {
    /// The code of the protocol.
    code: u8,
    rounds: Vec<Vec<(PartyId, Vec<u8>)>>,
    own: Vec<u8>,
}

/// The outcome of a round of a protocol whose last round confirms its result.
#[allow(clippy::large_enum_variant, reason = "made once and taken apart at once")]
pub(crate) enum Step<A, O> {
    Next(A, Outbox),
    /// The result, unconfirmed, and whether all have confirmed it.
    Ended(O, Result<(), Abort>),
}

/// A result that bears the mark of being confirmed.
pub(crate) trait Confirm {
    fn confirm(&mut self);
}

impl BroadcastLog {
    /// Goes on with a round's outcome; `state` puts the next state together.
    pub(crate) fn go_on<A, P: Protocol<Output: Confirm>>(
        mut self,
        (run, inbox): (&Run, Inbox<'_>),
        step: Result<Step<A, P::Output>, Abort>,
        state: impl FnOnce(A, Self) -> P::State,
    ) -> Result<Next<P>, Abort> {
        Ok(match step.map_err(|abort| self.attach(run, abort))? {
            Step::Next(at, outbox) => {
                self.received(run, inbox);
                self.sent(&outbox);
                Next::Round(state(at, self), outbox)
            }
            Step::Ended(mut output, Ok(())) => {
                output.confirm();
                Next::Done(output)
            }
            Step::Ended(output, Err(abort)) => Next::Unconfirmed(output, self.attach(run, abort)),
        })
    }

    /// The judgement of a round that was given up.
    pub(crate) fn judgement<O>(
        &self,
        run: &Run,
        (checked, unconfirmed): (Result<(), Abort>, Option<O>),
    ) -> Judgement<O> {
        Judgement { abort: checked.err().map(|abort| self.attach(run, abort)), unconfirmed }
    }

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
