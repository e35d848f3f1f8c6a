//! Taking frames from the transport.

use alloc::vec::Vec;

use super::Session;
use crate::{
    FrameFate, PartyId, Protocol, Rejected, Rejection, Round, binding,
    frame::{self, Header},
    log::{Kind, Stored},
};

impl<P: Protocol> Session<P> {
    /// Takes a frame from the transport. Cheap: checks the header and the size, and stores it;
    /// verification is left to [`advance`](Self::advance).
    ///
    /// `from` is the sender of the frame, as the **authenticated** transport names it.
    ///
    /// A frame that differs from one received before, of this round or an earlier one, is kept:
    /// the next [`advance`](Self::advance) blames its sender, with both frames as evidence.
    ///
    /// # Errors
    /// [`Rejected`]: the session can go on, and a proper frame from the same sender will still be
    /// accepted. Rejected frames are counted: [`rejections`](Self::rejections).
    pub fn receive(&mut self, from: PartyId, frame: &[u8]) -> Result<FrameFate, Rejected> {
        #[cfg(feature = "tracing")]
        let _span = tracing::trace_span!("receive", bytes = frame.len()).entered();
        if from == self.run.party_id() || !self.run.parties().contains(from) {
            return Err(Rejected::UnknownSender(from));
        }
        let place = self.place(from, frame);
        let (round, kind) = place.inspect_err(|why| self.rejections.count(from, *why))?;
        let early = round > self.round();
        let current = round == self.round();
        Ok(match self.log.store(round, from, kind, frame) {
            Stored::New if early => FrameFate::Early,
            Stored::New => {
                // Rounds before the current one are complete.
                debug_assert!(current, "a frame of a past round is never the first");
                self.missing = self.missing.saturating_sub(1);
                FrameFate::Accepted
            }
            Stored::Duplicate => FrameFate::Duplicate,
            Stored::Conflict => FrameFate::Conflicting,
        })
    }

    /// Takes note of a frame of round 1 that did not come under the [context](crate::Run::context) of this run, by its
    /// [prefix](frame::opening). This is for a caller that keeps frames by their context, and has found that only the
    /// session id is this one. The frame counts as rejected, and changes nothing else.
    pub fn reject_opening(&mut self, from: PartyId, prefix: &frame::Prefix) -> Rejected {
        if from == self.run.party_id() || !self.run.parties().contains(from) {
            return Rejected::UnknownSender(from);
        }
        let why = self.difference(prefix);
        self.rejections.count(from, why);
        why
    }

    /// The rejected frames of each peer that sent some, since this session was started or
    /// opened. A peer that is waited for and stands here is not silent: it, or this party, has
    /// wrong parameters.
    #[must_use]
    pub fn rejections(&self) -> Vec<Rejection> {
        self.rejections.list()
    }

    /// Checks header and size, and says which round and kind a frame is of.
    fn place(&self, from: PartyId, frame: &[u8]) -> Result<(Round, Kind), Rejected> {
        let header = Header::parse(frame).ok_or(Rejected::BadFrame)?;
        self.check_run(&header, frame)?;
        if header.from != from {
            return Err(Rejected::OtherSender { named: header.from });
        }
        let kind = match header.to {
            None => Kind::Broadcast,
            Some(to) if to == self.run.party_id() => Kind::Direct,
            Some(to) => return Err(Rejected::OtherRecipient(to)),
        };
        let body = frame.get(self.body_start(header.round)..).ok_or(Rejected::BadFrame)?;
        if header.round == Round::FIRST && prefix(frame) != self.run.bound().prefix() {
            return Err(Rejected::BadFrame);
        }
        let limits = self.limits(header.round).ok_or(Rejected::BadFrame)?;
        let limit = match kind {
            Kind::Broadcast => limits.broadcast,
            Kind::Direct => limits.direct,
        };
        if limit == 0 || header.round > self.round().following() {
            return Err(Rejected::BadFrame);
        }
        if body.len() > limit {
            return Err(Rejected::Oversized { limit, got: body.len() });
        }
        Ok((header.round, kind))
    }

    /// Checks that a frame is of this run; the error says what differs.
    fn check_run(&self, header: &Header, frame: &[u8]) -> Result<(), Rejected> {
        if header.version != frame::VERSION {
            return Err(Rejected::OtherVersion { expected: frame::VERSION, found: header.version });
        }
        if header.code != P::CODE {
            return Err(Rejected::OtherProtocol { expected: P::CODE, found: header.code });
        }
        if header.context == self.run.context() {
            return Ok(());
        }
        if header.round != Round::FIRST {
            return Err(Rejected::OtherSession);
        }
        Err(self.difference(prefix(frame)))
    }

    /// The difference between this run and the one of a frame of round 1 with this prefix.
    fn difference(&self, prefix: &[u8]) -> Rejected {
        match self.run.bound().first_difference(prefix) {
            Some(which) if which != binding::SESSION => Rejected::OtherParameters { which },
            _ => Rejected::OtherSession,
        }
    }
}

/// The bytes between header and body in a frame of round 1.
fn prefix(frame: &[u8]) -> &[u8] {
    frame.get(frame::HEADER..frame::HEADER + frame::PREFIX).unwrap_or_default()
}
