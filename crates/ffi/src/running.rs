//! Tasks and runs, with the protocol hidden.

#[cfg(feature = "runner")]
use core::any::Any;

#[cfg(feature = "runner")]
use quorate::runner::Kind;
use quorate::session::{
    self, Abort, FrameFate, Outgoing, Parties, PartyId, Protocol, Rejected, Rejection, SealKey,
    Sealed, Session, SessionId, Step, Stopped, Unconfirmed,
};

use crate::arguments::rng;
use crate::error::Result;
use crate::outcome::Outcome;

/// The progress of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Enum))]
pub enum Progress {
    /// Messages are missing: `waiting_for` says whose.
    Waiting,
    /// There is more to do in this round: call `advance` again when there is time.
    Working,
    /// The next round has begun. Seal, store, and send what is `outgoing`.
    Round,
    /// The run has ended with a result: take the `outcome`, store it, then the `tombstone`.
    Done,
    /// The run has ended with a result that lacks the confirmation of others, and `reason` says why. Take the `outcome`
    /// and store it all the same, then the `tombstone`: others may have theirs. An unconfirmed key share is marked, and does not
    /// sign.
    Unconfirmed,
}

/// A task with its parameters, ready to begin.
pub(crate) trait Prepared: Send {
    /// The kind of its protocol.
    #[cfg(feature = "runner")]
    fn kind(&self) -> Kind;

    /// Starts a session.
    fn start(
        self: Box<Self>,
        sid: SessionId,
        me: PartyId,
        parties: &Parties,
    ) -> Result<Box<dyn Running>>;

    /// Opens a sealed session.
    fn open(self: Box<Self>, sealed: &Sealed, key: &SealKey) -> Result<Box<dyn Running>>;

    /// The [`Ready`] of its protocol.
    #[cfg(feature = "runner")]
    fn into_any(self: Box<Self>) -> Box<dyn Any + Send>;
}

/// The function that makes an outcome of a result.
pub(crate) type Wrap<P> = Box<dyn FnOnce(<P as Protocol>::Output) -> Outcome + Send>;

/// The parameters of a task of one protocol, and the function for its result.
pub(crate) struct Ready<P: Protocol> {
    pub(crate) params: P::Params,
    pub(crate) wrap: Wrap<P>,
}

/// A task of one protocol, with the protocol hidden.
pub(crate) fn ready<P: Protocol>(
    params: P::Params,
    wrap: impl FnOnce(P::Output) -> Outcome + Send + 'static,
) -> Result<Box<dyn Prepared>> {
    Ok(Box::new(Ready::<P> { params, wrap: Box::new(wrap) }))
}

impl<P: Protocol> Prepared for Ready<P> {
    #[cfg(feature = "runner")]
    fn kind(&self) -> Kind {
        Kind::of::<P>()
    }

    fn start(
        self: Box<Self>,
        sid: SessionId,
        me: PartyId,
        parties: &Parties,
    ) -> Result<Box<dyn Running>> {
        let Self { params, wrap } = *self;
        let step = Session::<P>::start(sid, me, parties, params, &mut rng()?)?;
        Ok(Run::boxed(step, wrap))
    }

    fn open(self: Box<Self>, sealed: &Sealed, key: &SealKey) -> Result<Box<dyn Running>> {
        let Self { params, wrap } = *self;
        Ok(Run::boxed(Session::<P>::open(sealed, params, key)?, wrap))
    }

    #[cfg(feature = "runner")]
    fn into_any(self: Box<Self>) -> Box<dyn Any + Send> {
        self
    }
}

/// A run that waits for messages.
pub(crate) trait Running: Send {
    fn outgoing(&self) -> &[Outgoing];
    fn receive(&mut self, from: PartyId, frame: &[u8])
    -> core::result::Result<FrameFate, Rejected>;
    fn advance(self: Box<Self>) -> Advanced;
    fn give_up(self: Box<Self>) -> Ended;
    fn seal(&self, key: &SealKey) -> Sealed;
    fn round(&self) -> u8;
    fn waiting_for(&self) -> Vec<PartyId>;
    fn rejections(&self) -> Vec<Rejection>;
}

/// The outcome of [`Running::advance`].
pub(crate) enum Advanced {
    /// The run is open: `Waiting`, `Working` or `Round`.
    Running(Progress, Box<dyn Running>),
    /// The run has ended.
    Ended(Ended),
}

/// A run that has ended.
pub(crate) struct Ended {
    /// The result, until it is taken.
    pub(crate) outcome: Option<Outcome>,
    /// The reason why there is no confirmed result.
    pub(crate) abort: Option<Abort>,
    pub(crate) tombstone: Sealed,
}

impl From<Stopped> for Ended {
    fn from(Stopped { abort, tombstone }: Stopped) -> Self {
        Self { outcome: None, abort: Some(abort), tombstone }
    }
}

/// A run of one protocol.
struct Run<P: Protocol> {
    session: Session<P>,
    /// The messages of the current round.
    outgoing: Vec<Outgoing>,
    wrap: Wrap<P>,
}

impl<P: Protocol> Run<P> {
    fn boxed(Step { session, outgoing }: Step<P>, wrap: Wrap<P>) -> Box<dyn Running> {
        Box::new(Self { session, outgoing, wrap })
    }
}

/// The end of a run whose result lacks confirmations.
fn unconfirmed<O>(made: Unconfirmed<O>, wrap: impl FnOnce(O) -> Outcome) -> Ended {
    let Unconfirmed { output, abort, tombstone } = made;
    Ended { outcome: Some(wrap(output)), abort: Some(abort), tombstone }
}

impl<P: Protocol> Running for Run<P> {
    fn outgoing(&self) -> &[Outgoing] {
        &self.outgoing
    }

    fn receive(
        &mut self,
        from: PartyId,
        frame: &[u8],
    ) -> core::result::Result<FrameFate, Rejected> {
        self.session.receive(from, frame)
    }

    fn advance(self: Box<Self>) -> Advanced {
        let Self { session, outgoing, wrap } = *self;
        let (progress, step) = match session.advance() {
            Ok(session::Progress::Waiting(session)) => {
                (Progress::Waiting, Step { session, outgoing })
            }
            Ok(session::Progress::Working(session)) => {
                (Progress::Working, Step { session, outgoing })
            }
            Ok(session::Progress::Round(step)) => (Progress::Round, step),
            Ok(session::Progress::Done { output, tombstone }) => {
                let outcome = Some(wrap(output));
                return Advanced::Ended(Ended { outcome, abort: None, tombstone });
            }
            Ok(session::Progress::Unconfirmed(made)) => {
                return Advanced::Ended(unconfirmed(made, wrap));
            }
            Err(stopped) => return Advanced::Ended(stopped.into()),
        };
        Advanced::Running(progress, Self::boxed(step, wrap))
    }

    fn give_up(self: Box<Self>) -> Ended {
        let Self { session, wrap, .. } = *self;
        session.give_up().map_or_else(Ended::from, |made| unconfirmed(made, wrap))
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
