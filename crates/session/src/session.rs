//! The session: one loop for every protocol of several rounds.

mod echo;
mod ending;
mod receiving;
mod rejections;
mod saving;
mod starting;

use alloc::vec::Vec;
use core::fmt;

use quorate_declassify::declassify_slice;

use self::rejections::Rejections;

use crate::{
    Abort, Check, Inbox, Limits, Next, Outbox, Outgoing, Parties, PartyId, Protocol, Round, Run,
    Sealed, SessionId, Stopped, To, Unconfirmed,
    frame::{self, Header},
    log::{Kind, Log},
    outbox,
    round_messages::RoundMessages,
};

/// A run of a protocol at one party: a pure function of its parameters, one seed and the frames
/// it received.
///
/// A session has five kinds of methods:
///
/// 1. **To begin**: [`start`](Self::start) for a new run, [`open`](Self::open) for a sealed one. Both
///    give a [`Step`]: the session and the messages to send.
/// 2. **To take frames**: [`receive`](Self::receive), once for each frame that the transport delivers,
///    in any order. It checks the header, stores the frame, and leaves verification to `advance`.
/// 3. **To move on**: [`advance`](Self::advance), after each frame or as often as one likes. It takes
///    the session, and gives it back as long as messages are missing ([`Progress::Waiting`]) or work is
///    left ([`Progress::Working`]). When the round is over it gives a new step. At the end it gives the
///    result, confirmed ([`Progress::Done`]) or not ([`Progress::Unconfirmed`]), or the error
///    [`Stopped`]. A call of [`give_up`](Self::give_up) ends a run that waits too long.
/// 4. **To save**: [`seal`](Self::seal) before the messages of a step are sent, under
///    [`slot`](Self::slot). When the run has ended, the [`tombstone`](Self::tombstone) takes the place of
///    the seal.
/// 5. **To look**: [`round`](Self::round), [`waiting_for`](Self::waiting_for),
///    [`rejections`](Self::rejections) and the like change nothing.
///
/// The order is `start` or `open`; then `seal`, store and send; then `receive` and `advance` until the
/// next step, which is sealed, stored and sent again; and so on to the end. [`drive`](crate::drive) is
/// this loop without the sealing.
pub struct Session<P: Protocol> {
    run: Run,
    /// The limits of each round, the first at index 0.
    limits: Vec<Limits>,
    log: Log,
    /// The number of frames that the current round still needs.
    missing: u32,
    /// Digest of the broadcasts of the previous round, if it had any.
    echo: Option<[u8; frame::ECHO]>,
    /// The next echo, once the protocol has begun on the frames of the current round.
    working: Option<Option<[u8; frame::ECHO]>>,
    /// The rejected frames by sender, since the session was started or opened.
    rejections: Rejections,
    state: P::State,
}

impl<P: Protocol> Session<P> {
    /// The peers of which the current round still needs a message.
    pub fn waiting_for(&self) -> impl Iterator<Item = PartyId> + '_ {
        let round = self.round();
        let kinds = self.kinds(round);
        self.run.others().filter(move |from| {
            kinds.clone().any(|kind| self.log.first(round, *from, kind).is_none())
        })
    }

    /// Verifies the round if it is complete, and moves on; a long round in steps, each of which is
    /// [`Progress::Working`].
    ///
    /// The checks, in this order: no peer contradicted itself, in this round or an earlier one (made
    /// even before the round is complete); all peers saw the same broadcasts in the previous round;
    /// the protocol's own.
    ///
    /// # Errors
    /// [`Stopped`]: the run is over without a result, and its secrets are wiped. A result that only lacks confirmation
    /// is no error: [`Progress::Unconfirmed`].
    pub fn advance(mut self) -> Result<Progress<P>, Stopped> {
        let round = self.round();
        #[cfg(feature = "tracing")]
        let _span = tracing::trace_span!("advance", protocol = P::NAME, round = round.0).entered();
        let tombstone = self.tombstone();
        let stop = |abort| Stopped { abort, tombstone: tombstone.clone() };
        // A result that only lacks confirmation is not lost by a contradiction or an echo.
        if let Some(known) = self.equivocation() {
            return self.judged(Some(known)).map(Progress::Unconfirmed);
        }
        if self.missing > 0 {
            return Ok(Progress::Waiting(self));
        }
        if self.working.is_none()
            && let Err(known) = self.check_echo()
        {
            return self.judged(Some(known)).map(Progress::Unconfirmed);
        }
        let echo = match self.working {
            Some(echo) => echo,
            None => {
                self.complete();
                self.digest()
            }
        };
        let inbox = Inbox::new(&self.run, &self.log, self.body_start(round), None);
        match P::next(self.state, &self.run, inbox).map_err(stop)? {
            Next::Done(output) => Ok(Progress::Done { output, tombstone }),
            Next::Unconfirmed(output, abort) => {
                Ok(Progress::Unconfirmed(Unconfirmed { output, abort, tombstone }))
            }
            // Nothing is logged: a replay takes all steps at once.
            Next::Work(state) => Ok(Progress::Working(Self { state, working: Some(echo), ..self })),
            Next::Round(state, outbox) => {
                self.log.advance();
                self.run.begin_next();
                let session = Self { state, echo, working: None, ..self };
                let step = session.enter(outbox);
                let defect = Abort::unattributed(round, Check::Internal);
                step.map(Progress::Round).ok_or_else(|| stop(defect))
            }
        }
    }

    /// Frames the messages of the round just begun, and counts the frames to wait for.
    ///
    /// `None` if the protocol breaks its own limits, or notes more than a sealed session has room for.
    fn enter(mut self, outbox: Outbox) -> Option<Step<P>> {
        let round = self.round();
        let limits = self.limits(round)?;
        let mut bodies = RoundMessages::from(outbox::complete(&self.run, limits, outbox)?);
        if let Some(body) = &mut bodies.broadcast {
            // A broadcast is public, whatever secrets it was made from.
            declassify_slice(body);
        }
        // A replay does not send the messages of the rounds before the one that was sealed.
        let outgoing = if self.run.is_passing() { Vec::new() } else { self.frames(&bodies) };
        self.log.send(bodies)?;
        let peers = self.run.parties().len().saturating_sub(1);
        let expected = peers.saturating_mul(self.kinds(round).count());
        let here = self.log.firsts(round).count();
        self.missing = u32::try_from(expected.saturating_sub(here)).ok()?;
        Some(Step { session: self, outgoing })
    }

    /// The messages of the round just begun, in their frames.
    fn frames(&self, bodies: &RoundMessages) -> Vec<Outgoing> {
        let (round, prefix) = (self.round(), self.prefix());
        let frame = |to, body: &[u8]| self.header(round, to).frame(prefix.as_ref(), body);
        let broadcast = bodies.broadcast.iter();
        let broadcast =
            broadcast.map(|body| Outgoing { to: To::Everyone, bytes: frame(None, body) });
        let direct = bodies.direct.iter();
        let direct =
            direct.map(|(to, body)| Outgoing { to: To::Only(*to), bytes: frame(Some(*to), body) });
        broadcast.chain(direct).collect()
    }

    /// The session id.
    #[must_use]
    pub const fn sid(&self) -> SessionId {
        self.run.sid()
    }

    /// This party.
    #[must_use]
    pub const fn party_id(&self) -> PartyId {
        self.run.party_id()
    }

    /// The parties of the run, this one included.
    #[must_use]
    pub const fn parties(&self) -> &Parties {
        self.run.parties()
    }

    /// The round whose messages are being waited for.
    #[must_use]
    pub const fn round(&self) -> Round {
        self.run.round()
    }

    fn limits(&self, round: Round) -> Option<Limits> {
        self.limits.get(usize::from(round.get().checked_sub(1)?)).copied()
    }

    fn kinds(&self, round: Round) -> impl Iterator<Item = Kind> + Clone + use<P> {
        let limits = self.limits(round).unwrap_or(Limits { broadcast: 0, direct: 0 });
        let broadcast = (limits.broadcast > 0).then_some(Kind::Broadcast);
        broadcast.into_iter().chain((limits.direct > 0).then_some(Kind::Direct))
    }

    fn header(&self, round: Round, to: Option<PartyId>) -> Header {
        let context = self.run.context();
        Header {
            version: frame::VERSION,
            code: P::CODE,
            round,
            from: self.run.party_id(),
            to,
            context,
        }
    }

    /// The bytes between header and body in the frames of the round just begun.
    fn prefix(&self) -> Option<[u8; frame::PREFIX]> {
        if self.round() == Round::FIRST { Some(self.run.bound().prefix()) } else { self.echo }
    }

    /// Length of everything before the body in a frame of this round.
    fn body_start(&self, round: Round) -> usize {
        let previous = round.get().checked_sub(1).and_then(|round| self.limits(Round(round)));
        let echoed = previous.is_some_and(|limits| limits.broadcast > 0);
        if round == Round::FIRST || echoed { frame::HEADER + frame::PREFIX } else { frame::HEADER }
    }
}

impl<P: Protocol> fmt::Debug for Session<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("protocol", &P::NAME)
            .field("run", &self.run)
            .finish_non_exhaustive()
    }
}

/// A session that has entered a round, and the messages of that round.
///
/// **Persist, then send**: where a crash must not lose the run, store [`Session::seal`] under its
/// [`Slot`](crate::Slot) before any of `outgoing` is sent.
#[must_use]
pub struct Step<P: Protocol> {
    /// The session, waiting for the messages of the round.
    pub session: Session<P>,
    /// The messages of this party for the round.
    pub outgoing: Vec<Outgoing>,
}

impl<P: Protocol> fmt::Debug for Step<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Step")
            .field("session", &self.session)
            .field("outgoing", &self.outgoing)
            .finish()
    }
}

/// The outcome of an attempt to move on.
#[must_use]
pub enum Progress<P: Protocol> {
    /// Messages are missing, see [`Session::waiting_for`]. Nothing has changed.
    Waiting(Session<P>),
    /// The round is complete, and a piece of its work is done: [advance](Session::advance) again, with or without new
    /// frames, as soon as there is time. A seal does not contain this work: a session opened again does it again.
    Working(Session<P>),
    /// The round is complete and verified; the next has begun.
    Round(Step<P>),
    /// The protocol has ended with a result, confirmed by all if the protocol has confirmations.
    Done {
        /// The result. Store it before the tombstone.
        output: P::Output,
        /// The record that the store keeps for ever in the session's place: see [`Session::tombstone`].
        tombstone: Sealed,
    },
    /// The protocol has ended with a result that lacks the confirmation of others, and the reason. Keep the result.
    Unconfirmed(Unconfirmed<P::Output>),
}

impl<P: Protocol> fmt::Debug for Progress<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Waiting(session) => f.debug_tuple("Waiting").field(session).finish(),
            Self::Working(session) => f.debug_tuple("Working").field(session).finish(),
            Self::Round(step) => f.debug_tuple("Round").field(step).finish(),
            Self::Done { .. } => f.write_str("Done { .. }"),
            Self::Unconfirmed(unconfirmed) => unconfirmed.fmt(f),
        }
    }
}
