//! The end of a run: equivocation, giving up, the tombstone.

use alloc::vec::Vec;

use super::Session;
use crate::{
    Abort, Blame, Evidence, Fault, Inbox, Judgement, Next, PartyId, Protocol, Sealed, Slot,
    Stopped, Unconfirmed, ended::over, log::Kind, wire::bounded,
};

impl<P: Protocol> Session<P> {
    /// Ends a run that has waited too long, and names the culprits.
    ///
    /// The frames that have arrived are judged first: contradictions, echoes that differ, and the checks that
    /// the protocol can make on one peer's messages alone. If nobody is found at fault,
    /// [`Abort::Missing`] lists the parties that have not sent everything, and the rejected frames by
    /// sender.
    ///
    /// A result that only lacks confirmations is given out with the reason. Where nothing was missing, the round is
    /// finished first. If that gives the result, it has all confirmations (a key share of it is ready to sign), and the
    /// reason is [`Abort::Missing`] with no parties in it. It is [`Unconfirmed`] all the same, since the others may lack
    /// this party's confirmation.
    ///
    /// # Errors
    /// [`Stopped`] if there is no result to keep.
    pub fn give_up(self) -> Result<Unconfirmed<P::Output>, Stopped> {
        let known = self.equivocation().or_else(|| self.check_echo().err());
        if known.is_none() && self.missing == 0 && self.working.is_none() {
            return self.finish();
        }
        self.judged(known)
    }

    /// The end of a run, judged by the frames that have arrived; `known` is the blame that follows from
    /// the frames alone.
    pub(super) fn judged(self, known: Option<Abort>) -> Result<Unconfirmed<P::Output>, Stopped> {
        let tombstone = self.tombstone();
        let round = self.round();
        let parties: Vec<_> = self.waiting_for().collect();
        let rejected = self.rejections();
        let kinds: Vec<Kind> = self.kinds(round).collect();
        let body = self.body_start(round);
        let inbox = Inbox::new(&self.run, &self.log, body, Some(&kinds));
        let Judgement { abort, unconfirmed } = P::judge(self.state, &self.run, inbox);
        let missing = || Abort::Missing { round, parties, rejected };
        over(unconfirmed, known.or(abort).unwrap_or_else(missing), tombstone)
    }

    /// The record that the store keeps for ever in place of a sealed session that has ended, however
    /// it ended. Its slot is greater than every other of the run, and it does not open.
    ///
    /// [`Progress::Done`](crate::Progress::Done), [`Unconfirmed`] and [`Stopped`] bring it along.
    #[must_use]
    pub fn tombstone(&self) -> Sealed {
        Self::tombstone_of(self.run.context(), self.run.party_id())
    }

    /// The [tombstone](Self::tombstone) of the run with this [context](crate::Run::context), for a store that holds a
    /// seal of it that does not open any more.
    #[must_use]
    pub fn tombstone_of(context: [u8; 32], me: PartyId) -> Sealed {
        Sealed::tombstone(P::CODE, context, me)
    }

    /// The end of a run that is given up when every message of the round is there.
    fn finish(mut self) -> Result<Unconfirmed<P::Output>, Stopped> {
        let (round, tombstone) = (self.round(), self.tombstone());
        let missing = Abort::Missing { round, parties: Vec::new(), rejected: self.rejections() };
        self.complete();
        let inbox = Inbox::new(&self.run, &self.log, self.body_start(round), None);
        let mut state = self.state;
        let (abort, unconfirmed) = loop {
            match P::next(state, &self.run, inbox) {
                Ok(Next::Work(working)) => state = working,
                Ok(Next::Done(output)) => break (missing, Some(output)),
                Ok(Next::Unconfirmed(output, abort)) => break (abort, Some(output)),
                Ok(Next::Round(..)) => break (missing, None),
                Err(abort) => break (abort, None),
            }
        };
        over(unconfirmed, abort, tombstone)
    }

    /// Blames the parties that contradicted themselves in this round or an earlier one.
    pub(super) fn equivocation(&self) -> Option<Abort> {
        let conflicts = self.log.conflicts(self.round());
        let context = self.run.context();
        let blames = conflicts.into_iter().map(|(party, round, frames)| {
            let frames = frames.into_iter().map(|frame| (party, frame)).collect();
            let evidence = Some(Evidence { context, frames });
            Blame { party, round, fault: Fault::Equivocation, evidence }
        });
        let blames: Vec<_> = blames.collect();
        (!blames.is_empty()).then_some(Abort::Misbehaviour(blames))
    }

    /// The slot that the session is sealed under now.
    #[must_use]
    pub fn slot(&self) -> Slot {
        // The log keeps two frames of each kind, sender and round, and the ends of the rounds.
        const { assert!(255 * (4 * 0xffff + 1) < Slot::LAST) };
        Slot::new(self.run.context(), self.run.party_id(), bounded(self.log.events().len()))
    }
}
