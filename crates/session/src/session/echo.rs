//! Reliable broadcast: in each round, parties compare the broadcasts that they saw in the round before.

use alloc::{boxed::Box, vec::Vec};

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
            if party == self.run.party_id() {
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
            let kinds = [Kind::Broadcast, Kind::Direct];
            let [one, other] = [of(party, Kind::Broadcast)?, of(party, Kind::Direct)?].map(echo);
            // Frames to one party are confidential: none is copied unless it is evidence.
            (one != other).then(|| {
                let frame = |kind| Some((party, self.log.shared(round, party, kind)?));
                let frames = kinds.into_iter().filter_map(frame).collect();
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
        // The broadcasts that this party saw, and the frames of the parties that claim to have seen others. Two
        // parties' copies of one broadcast convict its sender: `Evidence::equivocators`.
        let seen = round.get().checked_sub(1).map(Round).into_iter();
        let seen = seen.flat_map(|previous| {
            self.log.firsts(previous).map(move |(from, kind, _)| (previous, from, kind))
        });
        let seen = seen.filter(|(_, _, kind)| *kind == Kind::Broadcast);
        // A message to this party alone is shown only where it is all that its sender sent.
        let broadcasts = self.limits(round).is_some_and(|limits| limits.broadcast > 0);
        let shown = |kind| (kind == Kind::Broadcast) == broadcasts;
        let others = self.log.firsts(round);
        let others = others.filter(|(_, kind, frame)| shown(*kind) && !agrees(frame));
        let others = others.map(|(from, kind, _)| (round, from, kind));
        let frame = |(round, from, kind)| Some((from, self.log.shared(round, from, kind)?));
        let frames = seen.chain(others).filter_map(frame).collect();
        let evidence = Some(Box::new(Evidence { context: self.run.context(), frames }));
        Err(Abort::Unattributed { round, check: Check::EchoMismatch, evidence })
    }
}
