//! Reliable broadcast: in each round, parties compare the broadcasts that they saw in the round before.

use alloc::{boxed::Box, vec::Vec};

use super::Session;
use crate::log::{Kind, Log};
use crate::{Abort, Blame, BodyDigest, Check, Evidence, Fault, Protocol, Round, Run, frame};

/// The echo of a round's broadcasts; nothing if one is missing.
fn echo(run: &Run, log: &Log, round: Round) -> Option<[u8; frame::ECHO]> {
    let digests = run.parties().iter().map(|party| {
        let own = party == run.party_id();
        if own { Some(log.own_digest()) } else { log.digest(party) }
    });
    let digests: Vec<_> = digests.collect::<Option<_>>()?;
    Some(frame::echo_of(&run.context(), round, digests))
}

/// Hashes the body of every frame of a round, which stands behind `header` bytes, and with the frames the state of the run.
///
/// Not inlined, as the session of each protocol would have a copy.
#[inline(never)]
fn hash(run: &mut Run, log: &mut Log, round: Round, header: usize) {
    log.hash_broadcasts(round, header);
    let frames = log.firsts(round).map(|(from, kind, frame)| {
        let (head, body) = frame.split_at_checked(header).unwrap_or((frame, &[]));
        let known = if kind == Kind::Broadcast { log.digest(from) } else { None };
        (head, known.unwrap_or_else(|| BodyDigest::of(body)))
    });
    let frames: Vec<_> = frames.collect();
    run.complete(frames.iter().copied());
}

impl<P: Protocol> Session<P> {
    /// Digest of all broadcasts of the current round, this party's included, by ascending sender.
    pub(super) fn digest(&self) -> Option<[u8; frame::ECHO]> {
        let round = self.round();
        // The last round has none that would carry it.
        self.limits(round.following())?;
        if self.limits(round)?.broadcast == 0 {
            return None;
        }
        echo(&self.run, &self.log, round)
    }

    /// Completes the current round: hashes the body of every frame, and with the frames the state of the run.
    pub(super) fn complete(&mut self) {
        let (round, header) = (self.round(), self.body_start(self.round()));
        if round.get() == P::ROUNDS && !P::LAST_ROUND_DRAWS {
            return self.run.complete_unread();
        }
        hash(&mut self.run, &mut self.log, round, header);
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
