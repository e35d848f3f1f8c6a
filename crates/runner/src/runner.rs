//! The runner.

mod receiving;
mod sending;
mod starting;
mod working;

use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use quorate_session::{ParamError, PartyId, Protocol, SealError, SealKey};

pub use self::receiving::ReceiveOutcome;
pub use self::sending::OutgoingPacket;
pub use self::starting::StartOutcome;
pub(crate) use self::starting::{JOB, OUTCOME};
pub use self::working::EndedRun;
use crate::store::{Context, PacketId, Store};
use crate::work::Hot;
use crate::{Bounds, Metrics, Refusal};

/// Many sessions of one protocol at one party, on a store.
///
/// It does nothing by itself: the caller [starts](Self::start) jobs, hands in what the transport
/// [delivers](Self::receive), lets it [work](Self::next_work), and sends what it [gives out](Self::outgoing). Each takes the
/// time. [`turn`](Self::turn) is all of it over a [`Transport`](crate::Transport).
///
/// Everything is in the store before anything is sent, so that a runner may be dropped at any moment; a new one on the
/// same store goes on. Several may share a store: of two that make the same step one is told that it came late. A
/// service with several protocols has a runner for each, over one store if it likes, and hands each frame to the one whose
/// [code](quorate_session::Protocol::CODE) it has.
pub struct Runner<P: Protocol, S, A> {
    me: PartyId,
    key: Arc<SealKey>,
    bounds: Bounds,
    store: S,
    app: A,
    hot: BTreeMap<Context, Hot<P>>,
    ready: Ready,
    /// The runs that are being worked on; whether something has come for them since.
    out: BTreeMap<Context, bool>,
    /// The runs of which the store gives a session that it does not let go on. They are over at their deadlines.
    torn: BTreeSet<Context>,
    /// Acknowledgements to be sent, by peer.
    acknowledgements: BTreeMap<PartyId, BTreeSet<PacketId>>,
    /// Of calls that failed after them.
    pub(crate) events: Vec<EndedRun>,
    metrics: Metrics,
}

impl<P: Protocol, S: Store, A> Runner<P, S, A> {
    /// A runner of this party, which goes on with all open runs in the store.
    ///
    /// `key` seals everything in the store; keep it apart from that.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn new(
        me: PartyId,
        key: Arc<SealKey>,
        (store, app): (S, A),
        bounds: Bounds,
    ) -> Result<Self, Error<S::Error>> {
        let mut runner = Self {
            me,
            key,
            bounds,
            store,
            app,
            hot: BTreeMap::new(),
            ready: Ready::default(),
            out: BTreeMap::new(),
            torn: BTreeSet::new(),
            acknowledgements: BTreeMap::new(),
            events: Vec::new(),
            metrics: Metrics::default(),
        };
        runner.recover()?;
        Ok(runner)
    }

    /// Looks after all open runs in the store, as if something had come for each: when another worker on the same store
    /// has died.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn recover(&mut self) -> Result<(), Error<S::Error>> {
        let mut after = None;
        loop {
            let found = self.store.open(P::CODE, after.as_ref(), 256).map_err(Error::Store)?;
            let Some(last) = found.last() else { return Ok(()) };
            after = Some(*last);
            for context in found {
                self.look_again(context);
            }
        }
    }

    /// The counters of what it has done.
    #[must_use]
    pub const fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Its bounds.
    #[must_use]
    pub const fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// The store that it stands on.
    pub const fn store(&mut self) -> &mut S {
        &mut self.store
    }

    /// The application that it asks.
    pub const fn app(&mut self) -> &mut A {
        &mut self.app
    }

    /// The party that it works for.
    #[must_use]
    pub const fn me(&self) -> PartyId {
        self.me
    }

    /// The number of sessions in memory.
    #[must_use]
    pub fn in_memory(&self) -> usize {
        self.hot.len()
    }

    /// Goes on with a run from what the store has, where it is not known whether that has changed.
    fn look_again(&mut self, context: Context) {
        if let Some(hot) = self.hot.get_mut(&context) {
            hot.reread = true;
        }
        self.ready.push(context);
    }

    /// Keeps a session in memory, instead of another if there are too many.
    fn keep(&mut self, context: Context, hot: Hot<P>) {
        while self.hot.len() >= self.bounds.in_memory.max(1) {
            self.hot.pop_first();
        }
        self.hot.insert(context, hot);
    }

    fn refuse(&mut self, why: Refusal) -> Error<S::Error> {
        Error::Refused(self.metrics.refuse(why))
    }
}

/// The runs of which something has happened, in order.
#[derive(Default)]
struct Ready {
    order: VecDeque<Context>,
    there: BTreeSet<Context>,
}

impl Ready {
    fn push(&mut self, context: Context) {
        if self.there.insert(context) {
            self.order.push_back(context);
        }
    }

    fn pop(&mut self) -> Option<Context> {
        let context = self.order.pop_front()?;
        self.there.remove(&context);
        Some(context)
    }
}

/// The failure of a call of the runner.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error<E> {
    /// The store failed. What was to be stored may be there or not; the runner goes on from what is.
    Store(E),
    /// The job is not started.
    Refused(Refusal),
    /// The protocol refuses the parameters of a job.
    Params(ParamError),
    /// Something in the store does not open: it is of another key, or damaged.
    Seal(SealError),
}

impl<E: fmt::Display> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => write!(f, "the store failed: {error}"),
            Self::Refused(why) => write!(f, "refused: {why}"),
            Self::Params(error) => error.fmt(f),
            Self::Seal(error) => write!(f, "the store holds what does not open: {error}"),
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for Error<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Store(error) => Some(error),
            Self::Refused(error) => Some(error),
            Self::Params(error) => Some(error),
            Self::Seal(error) => Some(error),
        }
    }
}

impl<P: Protocol, S, A> fmt::Debug for Runner<P, S, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner")
            .field("protocol", &P::NAME)
            .field("me", &self.me)
            .field("in_memory", &self.hot.len())
            .finish_non_exhaustive()
    }
}
