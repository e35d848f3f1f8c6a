//! Making a runner.

use alloc::sync::Arc;
use core::fmt;

use quorate_session::{PartyId, Protocol, SealKey};

use crate::registry::Registry;
use crate::store::Store;
use crate::{App, Bounds, Continuity, Error, Runner};

/// The parts of a [`Runner`] before it opens its store.
///
/// ```text
/// Runner::builder(me, seal_key, continuity)
///     .protocol::<Dkg<Ed25519>>()
///     .protocol::<Presign<Secp256k1>>()
///     .bounds(Bounds::new(1_000))
///     .open(store, application)?
/// ```
#[must_use]
pub struct RunnerBuilder<A> {
    pub(crate) me: PartyId,
    pub(crate) key: Arc<SealKey>,
    pub(crate) continuity: Continuity,
    pub(crate) bounds: Bounds,
    pub(crate) registry: Registry<A>,
}

impl Runner<(), ()> {
    /// The parts of a runner of this party. `key` seals everything in the store; keep it apart from that. `continuity` says
    /// how it is known that the store is the latest.
    ///
    /// Times are in milliseconds unless [`bounds`](RunnerBuilder::bounds) says otherwise.
    pub const fn builder<A>(
        me: PartyId,
        key: Arc<SealKey>,
        continuity: Continuity,
    ) -> RunnerBuilder<A> {
        RunnerBuilder { me, key, continuity, bounds: Bounds::new(1_000), registry: Registry::new() }
    }
}

impl<A> RunnerBuilder<A> {
    /// Adds a protocol. The runner starts its jobs, and continues its runs that the store has.
    pub fn protocol<P: Protocol>(mut self) -> Self
    where
        A: App<P>,
    {
        self.registry.add::<P>();
        self
    }

    /// Sets the bounds in place of those for a clock of milliseconds.
    pub fn bounds(self, bounds: Bounds) -> Self {
        Self { bounds, ..self }
    }

    /// Opens the store. The runner continues the open runs of its protocols, unless the continuity is
    /// [`Continuity::Unknown`]: then it ends them. It leaves the runs of other protocols alone, also at
    /// their deadlines. Those stay open, and count toward [`Bounds::open`], until a runner with their protocol opens the store.
    ///
    /// # Errors
    /// [`Error::OtherKey`] and [`Error::OtherParty`] if another key or another party has used the store.
    /// [`Error::NotNew`] for [`Continuity::NewStore`] if anybody has. [`Error::Store`], [`Error::Seal`].
    pub fn open<S: Store>(self, store: S, app: A) -> Result<Runner<S, A>, Error<S::Error>> {
        Runner::open_store(self, store, app)
    }
}

impl<A> fmt::Debug for RunnerBuilder<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunnerBuilder").field("me", &self.me).finish_non_exhaustive()
    }
}
