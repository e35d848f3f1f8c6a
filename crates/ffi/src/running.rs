//! A run of some protocol, with the protocol hidden.

use quorate::session::{
    Outgoing, Parties, PartyId, Progress, Protocol, Receipt, Rejected, Rejection, SealKey, Sealed,
    Session, SessionId, Step, Stopped,
};

use crate::arguments::rng;
use crate::error::Result;
use crate::outcome::Outcome;

/// A run that waits for messages.
pub(crate) trait Running: Send {
    fn outgoing(&self) -> &[Outgoing];
    fn receive(&mut self, from: PartyId, frame: &[u8]) -> core::result::Result<Receipt, Rejected>;
    fn advance(self: Box<Self>) -> Advanced;
    fn give_up(self: Box<Self>) -> Stopped<Outcome>;
    fn seal(&self, key: &SealKey) -> Sealed;
    fn round(&self) -> u8;
    fn waiting_for(&self) -> Vec<PartyId>;
    fn rejections(&self) -> Vec<Rejection>;
}

/// What [`Running::advance`] comes to.
pub(crate) enum Advanced {
    /// Messages are missing.
    Waiting(Box<dyn Running>),
    /// There is more to do in this round.
    Working(Box<dyn Running>),
    /// The next round has begun.
    Round(Box<dyn Running>),
    /// The end: the result, and the tombstone.
    Done(Outcome, Sealed),
    /// The end without a confirmed result.
    Stopped(Stopped<Outcome>),
}

/// How a run comes to be.
pub(crate) enum Begin<'a> {
    /// A new one.
    Start { sid: SessionId, me: PartyId, parties: Parties },
    /// From its seal.
    Open { sealed: &'a Sealed, key: &'a SealKey },
}

impl Begin<'_> {
    /// This party.
    pub(crate) const fn me(&self) -> PartyId {
        match self {
            Self::Start { me, .. } => *me,
            Self::Open { sealed, .. } => sealed.slot().party(),
        }
    }

    /// The run of a protocol with these parameters, whose result `end` wraps.
    pub(crate) fn run<P: Protocol<State: Send> + 'static>(
        self,
        params: P::Params,
        end: impl FnOnce(P::Output) -> Outcome + Send + 'static,
    ) -> Result<Box<dyn Running>> {
        let Step { session, outgoing } = match self {
            Self::Start { sid, me, parties } => {
                Session::<P>::start(sid, me, &parties, params, &mut rng()?)?
            }
            Self::Open { sealed, key } => Session::<P>::open(sealed, params, key)?,
        };
        Ok(Box::new(Run { session, outgoing, end }))
    }
}

/// A run of one protocol.
struct Run<P: Protocol, E> {
    session: Session<P>,
    /// The messages of the current round.
    outgoing: Vec<Outgoing>,
    end: E,
}

impl<P, E> Running for Run<P, E>
where
    P: Protocol<State: Send> + 'static,
    E: FnOnce(P::Output) -> Outcome + Send + 'static,
{
    fn outgoing(&self) -> &[Outgoing] {
        &self.outgoing
    }

    fn receive(&mut self, from: PartyId, frame: &[u8]) -> core::result::Result<Receipt, Rejected> {
        self.session.receive(from, frame)
    }

    fn advance(self: Box<Self>) -> Advanced {
        let Self { session, outgoing, end } = *self;
        match session.advance() {
            Ok(Progress::Waiting(session)) => {
                Advanced::Waiting(Box::new(Self { session, outgoing, end }))
            }
            Ok(Progress::Working(session)) => {
                Advanced::Working(Box::new(Self { session, outgoing, end }))
            }
            Ok(Progress::Round(Step { session, outgoing })) => {
                Advanced::Round(Box::new(Self { session, outgoing, end }))
            }
            Ok(Progress::Done { output, tombstone }) => Advanced::Done(end(output), tombstone),
            Err(stopped) => Advanced::Stopped(wrap(stopped, end)),
        }
    }

    fn give_up(self: Box<Self>) -> Stopped<Outcome> {
        let Self { session, end, .. } = *self;
        wrap(session.give_up(), end)
    }

    fn seal(&self, key: &SealKey) -> Sealed {
        self.session.seal(key)
    }

    fn round(&self) -> u8 {
        self.session.round().get()
    }

    fn waiting_for(&self) -> Vec<PartyId> {
        self.session.waiting_for().collect()
    }

    fn rejections(&self) -> Vec<Rejection> {
        self.session.rejections()
    }
}

fn wrap<O>(stopped: Stopped<O>, end: impl FnOnce(O) -> Outcome) -> Stopped<Outcome> {
    let Stopped { abort, unconfirmed, tombstone } = stopped;
    Stopped { abort, unconfirmed: unconfirmed.map(end), tombstone }
}
