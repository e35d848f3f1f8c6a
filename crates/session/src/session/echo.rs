//! Reliable broadcast: what every party saw in one round is compared in the next.

use super::Session;
use crate::{Abort, Check, Evidence, Protocol, Round, frame, log::Kind};

impl<P: Protocol> Session<P> {
    /// Digest of all broadcasts of the current round, this party's included, by ascending sender.
    pub(super) fn digest(&self) -> Option<[u8; frame::ECHO]> {
        let round = self.round();
        if self.limits(round)?.broadcast == 0 {
            return None;
        }
        let header = self.body_start(round);
        let bodies = self.run.parties().iter().map(|party| {
            if party == self.run.me() {
                return self.own_broadcast.as_slice();
            }
            let frame = self.log.first(round, party, Kind::Broadcast);
            frame.and_then(|frame| frame.get(header..)).unwrap_or_default()
        });
        Some(frame::echo(&self.run.context(), round, bodies))
    }

    pub(super) fn check_echo(&self) -> Result<(), Abort> {
        let Some(own) = self.echo else { return Ok(()) };
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
        let others = self
            .log
            .firsts(round)
            .filter(|(_, kind, frame)| *kind == Kind::Broadcast && !agrees(frame));
        let frames = seen.chain(others).map(|(from, _, frame)| (from, frame.to_vec())).collect();
        let evidence = Some(Evidence { context: self.run.context(), frames });
        Err(Abort::Unattributed { round, check: Check::EchoMismatch, evidence })
    }
}
