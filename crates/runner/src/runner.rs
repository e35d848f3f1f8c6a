//! The runner.

mod due;
mod fresh;
mod opening;
mod prepared;
mod receiving;
mod sending;
mod starting;
mod working;

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use quorate_session::{ParamError, PartyId, SealError, SealKey, SessionId};

use self::fresh::{Fresh, NextDue};
pub(crate) use self::opening::CANARY;
pub use self::prepared::EndedRun;
use self::prepared::PreparedStep;
pub use self::receiving::ReceiveOutcome;
pub use self::sending::OutgoingPacket;
pub(crate) use self::starting::{JOB, OUTCOME};
pub use self::starting::{NewJob, StartOutcome, Starting};
use crate::metrics::count_one;
use crate::registry::Registry;
use crate::store::{PacketId, RunContext, Store};
use crate::work::Cached;
use crate::{Bounds, Continuity, Metrics, Refusal, Time};

/// Many sessions of several protocols at one party, on a store. [`Runner::builder`] makes one.
///
/// A runner does nothing by itself: the caller [starts](Self::start) jobs, hands in what the transport
/// [delivers](Self::receive), lets it [work](Self::next_work), and sends what it [gives out](Self::outgoing). Each takes the
/// time. [`turn`](Self::turn) is all of it over a [`Transport`](crate::Transport).
///
/// A runner stores before it sends, so it may be dropped at any moment: a new one on the same store resumes. Several may
/// share a store. Of two that make the same step, one is told that it came late.
pub struct Runner<S, A> {
    me: PartyId,
    key: Arc<SealKey>,
    bounds: Bounds,
    store: S,
    app: A,
    registry: Registry<A>,
    cached: BTreeMap<RunContext, Box<dyn Cached>>,
    ready: Ready,
    /// The time at which it was last looked for runs whose deadlines have come.
    looked: Option<Time>,
    /// The last time that the caller has given.
    now: Time,
    /// What the store has said is due next.
    next: Option<NextDue>,
    /// The messages that were stored and not sent yet.
    fresh: Fresh,
    /// The next look at the store also takes messages whose second attempt is due within one pause: nobody knows whether they were
    /// sent, since another runner stored them, or the store's answer was lost.
    resumes: bool,
    /// The store has refused a job, since too many runs are open, and half of the places have not become free since.
    busy: bool,
    /// The runs that are being worked on.
    out: BTreeMap<RunContext, Out>,
    /// Steps that wait to be stored, whose runs are out.
    prepared: Vec<PreparedStep>,
    /// The runs of which the store gives a session that it does not let go on. They are over at their deadlines.
    torn: BTreeSet<RunContext>,
    /// The runs of which something is under another key, with the time at which that was seen last.
    foreign: BTreeMap<RunContext, Time>,
    /// The runs that were open in a store that may not be the latest.
    discontinued: BTreeSet<RunContext>,
    continuity: Continuity,
    /// The peers for which the store has damaged messages, by run.
    unsent: BTreeMap<RunContext, BTreeSet<PartyId>>,
    /// Set once the store has become another key's.
    shut: bool,
    /// Packets that were opened in a call that failed.
    held: Vec<OutgoingPacket>,
    /// Acknowledgements to be sent, by peer.
    acknowledgements: BTreeMap<PartyId, BTreeSet<PacketId>>,
    /// Of calls that failed after them.
    pub(crate) events: Vec<EndedRun>,
    metrics: Metrics,
}

impl<S: Store, A> Runner<S, A> {
    /// The counters of what it has done.
    #[must_use]
    pub const fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// The bounds of the runner.
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

    /// The store and the application, for a step that needs both.
    pub const fn store_and_app(&mut self) -> (&mut S, &mut A) {
        (&mut self.store, &mut self.app)
    }

    /// The party that it works for.
    #[must_use]
    pub const fn id(&self) -> PartyId {
        self.me
    }

    /// The number of sessions in memory.
    #[must_use]
    pub fn in_memory(&self) -> usize {
        self.cached.len()
    }

    /// Resumes a run from the store, where it is not known whether that has changed.
    fn look_again(&mut self, context: RunContext) {
        if let Some(cached) = self.cached.get_mut(&context) {
            cached.set_reread(true);
        }
        self.ready.push(context);
    }

    /// Keeps a session in memory, instead of another if there are too many.
    fn keep(&mut self, context: RunContext, cached: Box<dyn Cached>) {
        while self.cached.len() >= self.bounds.in_memory.max(1) {
            self.cached.pop_first();
        }
        self.cached.insert(context, cached);
    }

    /// Another key has sealed something. If the store's canary is under another key, too, the store was resealed, and
    /// nothing is done on it from now on: what this runner would store, nobody could open.
    fn other_key(&mut self) -> Error<S::Error> {
        count_one(&mut self.metrics.other_key);
        self.shut |= matches!(self.check_canary(), Err(Error::OtherKey));
        Error::OtherKey
    }

    /// An error once the store has become another key's.
    const fn is_open(&self) -> Result<(), Error<S::Error>> {
        if self.shut { Err(Error::OtherKey) } else { Ok(()) }
    }

    /// The time at which a run that waits for another key is looked at again.
    fn after(&self, seen: Time) -> Time {
        seen.saturating_add(self.bounds.backoff(0))
    }

    fn refuse(&mut self, why: Refusal) -> Error<S::Error> {
        Error::Refused(self.metrics.refuse(why))
    }
}

/// A run that is being worked on.
struct Out {
    sid: SessionId,
    /// Something has come for it since.
    dirty: bool,
}

/// The runs of which something has happened, in order.
#[derive(Default)]
struct Ready {
    order: VecDeque<RunContext>,
    there: BTreeSet<RunContext>,
}

impl Ready {
    fn push(&mut self, context: RunContext) {
        if self.there.insert(context) {
            self.order.push_back(context);
        }
    }

    fn pop(&mut self) -> Option<RunContext> {
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
    /// Something in the store does not open: it is damaged, or was stored by another release.
    Seal(SealError),
    /// Another key has sealed something in the store. Nothing was ended: the run goes on under the right key.
    OtherKey,
    /// The store is another party's: this one's.
    OtherParty(PartyId),
    /// The store is not empty, though [`Continuity::NewStore`] says so.
    NotNew,
}

impl<E> Error<E> {
    /// The error of something that does not open.
    fn sealed(why: SealError) -> Self {
        if why == SealError::Unauthentic { Self::OtherKey } else { Self::Seal(why) }
    }
}

impl<E: fmt::Display> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => write!(f, "the store failed: {error}"),
            Self::Refused(why) => write!(f, "refused: {why}"),
            Self::Params(error) => error.fmt(f),
            Self::Seal(error) => write!(f, "the store holds what does not open: {error}"),
            Self::OtherKey => f.write_str(
                "the store was sealed under another key than the runner's: \
                 make the runner with that key, or reseal the store",
            ),
            Self::OtherParty(party) => {
                write!(f, "the store is that of party {party}: give each party a store of its own")
            }
            Self::NotNew => f.write_str(
                "the store is not new: say by another `Continuity` how it is known to be the latest",
            ),
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
            Self::OtherKey | Self::OtherParty(_) | Self::NotNew => None,
        }
    }
}

impl<S, A> fmt::Debug for Runner<S, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner")
            .field("protocols", &self.registry.names().collect::<Vec<_>>())
            .field("me", &self.me)
            .field("in_memory", &self.cached.len())
            .finish_non_exhaustive()
    }
}
