//! Reliable broadcast: what every party saw in one round is compared in the next.

use super::Session;
use crate::{Abort, Check, Protocol, frame, log::Kind};

impl<P: Protocol> Session<P> {
    /// Digest of all broadcasts of the current round, this party's included, by ascending sender.
    pub(super) fn digest(&self) -> Option<[u8; frame::ECHO]> {
        let round = self.round();
        if self.limits(round)?.broadcast == 0 {
            return None;
        }
        let header = self.header_length(round);
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
        Err(Abort::Unattributed { round, check: Check::EchoMismatch })
    }
}
