//! Reliable broadcast: what every party saw in one round is compared in the next.

use alloc::vec::Vec;

use super::Session;
use crate::{Abort, Blame, Check, Evidence, Fault, Protocol, Round, frame, log::Kind};

impl<P: Protocol> Session<P> {
    /// Digest of all broadcasts of the current round, this party's included, by ascending sender.
    pub(super) fn digest(&self) -> Option<[u8; frame::ECHO]> {
        let round = self.round();
        // The last round has none that would carry it.
        self.limits(round.following())?;
        if self.limits(round)?.broadcast == 0 {
            return None;
        }
        let header = self.body_start(round);
        let bodies = self.run.parties().iter().map(|party| {
            if party == self.run.me() {
                return self.log.own_broadcast();
            }
            let frame = self.log.first(round, party, Kind::Broadcast);
            frame.and_then(|frame| frame.get(header..)).unwrap_or_default()
        });
        Some(frame::echo(&self.run.context(), round, bodies))
    }

    /// Blames the parties whose two frames of the round carry different echoes.
    fn two_echoes(&self) -> Option<Abort> {
        let round = self.round();
        let of = |from, kind| self.log.first(round, from, kind);
        let echo =
            |frame: &[u8]| frame.get(frame::HEADER..)?.first_chunk::<{ frame::ECHO }>().copied();
        let blames = self.run.others().filter_map(|party| {
            let frames = [of(party, Kind::Broadcast)?, of(party, Kind::Direct)?];
            let [one, other] = frames.map(echo);
            // Frames to one party are confidential: none is copied unless it is evidence.
            (one != other).then(|| {
                let frames = frames.map(|frame| (party, frame.to_vec())).to_vec();
                let evidence = Some(Evidence { context: self.run.context(), frames });
                Blame { party, round, fault: Fault::Equivocation, evidence }
            })
        });
        let blames: Vec<_> = blames.collect();
        (!blames.is_empty()).then_some(Abort::Misbehaviour(blames))
    }

    pub(super) fn check_echo(&self) -> Result<(), Abort> {
        let Some(own) = self.echo else { return Ok(()) };
        if let Some(abort) = self.two_echoes() {
            return Err(abort);
        }
        let round = self.round();
        let agrees = |frame: &[u8]| {
            frame.get(frame::HEADER..).and_then(|rest| rest.first_chunk()) == Some(&own)
        };
        if self.log.firsts(round).all(|(_, _, frame)| agrees(frame)) {
            return Ok(());
        }
        // What this party saw, and who says that it saw something else. Two parties' copies of one
        // broadcast convict its sender: `Evidence::equivocators`.
        let seen = round.get().checked_sub(1).map(Round).into_iter();
        let seen = seen.flat_map(|previous| self.log.firsts(previous));
        let seen = seen.filter(|(_, kind, _)| *kind == Kind::Broadcast);
        // A message to this party alone is shown only where it is all that its sender sent.
        let broadcasts = self.limits(round).is_some_and(|limits| limits.broadcast > 0);
        let shown = |kind| (kind == Kind::Broadcast) == broadcasts;
        let others = self.log.firsts(round);
        let others = others.filter(|(_, kind, frame)| shown(*kind) && !agrees(frame));
        let frames = seen.chain(others).map(|(from, _, frame)| (from, frame.to_vec())).collect();
        let evidence = Some(Evidence { context: self.run.context(), frames });
        Err(Abort::Unattributed { round, check: Check::EchoMismatch, evidence })
    }
}
