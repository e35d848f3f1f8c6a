//! Parties in services of `quorate-tokio`, each on a store of its own in a database.

use core::convert::Infallible;
use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::Arc;

use futures_channel::mpsc;
use futures_util::{future, sink};
use quorate::runner::{App, Continuity, EndKind, IncomingPacket, Job, OutgoingPacket, Runner};
use quorate::session::{Parties, PartyId, Protocol, SealKey};
use quorate_tokio::{Builder, Handle, Service, SpawnError};
use tokio::runtime::{self, Runtime};

use super::databases::Databases;

type Party<S, A> = (Handle<S, A>, Service<S, A>);
type Failure = quorate::runner::Error<quorate_store::Error>;

/// Parties of one protocol, over channels, on databases that are removed in the end.
pub(super) struct Services<D: Databases, A> {
    runtime: Runtime,
    parties: Vec<Party<D::Store, A>>,
    /// Removed after the parties have stopped.
    _databases: D,
}

impl<D: Databases, A: Send + 'static> Services<D, A> {
    /// A service for each party, with its application and this number of worker threads.
    pub(super) fn new<P: Protocol>(
        databases: D,
        parties: &Parties,
        workers: usize,
        apps: Vec<A>,
    ) -> Self
    where
        A: App<P>,
    {
        let runtime = runtime::Builder::new_current_thread().build().expect("a runtime");
        let (inboxes, arriving): (BTreeMap<_, _>, Vec<_>) = parties
            .iter()
            .map(|party| {
                let (inbox, packets) = mpsc::unbounded();
                ((party, inbox), packets)
            })
            .unzip();
        let spawned = parties.iter().zip(apps).zip(arriving).map(|((me, app), packets)| {
            let sink =
                sink::unfold(inboxes.clone(), move |inboxes, packet| carry(me, inboxes, packet));
            let database = databases.open(me);
            let open = move || {
                let store = database().map_err(quorate::runner::Error::Store)?;
                let key = Arc::new(SealKey::new([7; 32]));
                Runner::builder(me, key, Continuity::NewStore).protocol::<P>().open(store, app)
            };
            let service = Builder::new().workers(workers).spawn(open, packets, sink);
            let party: Result<Party<D::Store, A>, SpawnError<Failure>> = runtime.block_on(service);
            party.expect("a service")
        });
        let parties = spawned.collect();
        Self { runtime, parties, _databases: databases }
    }

    /// Runs jobs, those of the first party, those of the second…, all at once, to their ends.
    pub(super) fn run<P: Protocol>(&self, jobs: Vec<Vec<Job>>)
    where
        A: App<P>,
    {
        let runs = self
            .parties
            .iter()
            .zip(jobs)
            .flat_map(|((handle, _), jobs)| jobs.into_iter().map(|job| handle.run::<P>(job)));
        for outcome in self.runtime.block_on(future::join_all(runs)) {
            assert_eq!(outcome.expect("a run").kind, EndKind::Done);
        }
    }

    /// Calls a function on the thread of each party's runner, all at once. Gives what they return, party by party.
    pub(super) fn call<T: Send + 'static>(
        &self,
        calls: Vec<impl FnOnce(&mut A) -> T + Send + 'static>,
    ) -> Vec<T> {
        let answers = self
            .parties
            .iter()
            .zip(calls)
            .map(|((handle, _), call)| handle.with_app(move |app, _| call(app)));
        let answers = self.runtime.block_on(future::join_all(answers));
        answers.into_iter().map(|answer| answer.expect("a service that runs")).collect()
    }

    /// A deadline that no run reaches.
    pub(super) fn deadline(&self) -> u64 {
        self.parties.first().map_or(0, |(handle, _)| handle.deadline(Duration::from_secs(3600)))
    }
}

impl<D: Databases, A> Drop for Services<D, A> {
    fn drop(&mut self) {
        for (_, service) in self.parties.drain(..) {
            self.runtime.block_on(service.shutdown(Duration::from_secs(5)));
        }
    }
}

type Inboxes = BTreeMap<PartyId, mpsc::UnboundedSender<IncomingPacket>>;

async fn carry(
    from: PartyId,
    inboxes: Inboxes,
    packet: OutgoingPacket,
) -> Result<Inboxes, Infallible> {
    if let Some(inbox) = inboxes.get(&packet.to) {
        // A party that has stopped takes nothing.
        inbox.unbounded_send(IncomingPacket { from, bytes: packet.bytes.to_vec() }).ok();
    }
    Ok(inboxes)
}

/// The CPU time of the whole process, where the system tells it, and otherwise the time that has passed.
pub(super) fn process_time() -> Duration {
    #[cfg(target_os = "linux")]
    return rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime)
        .try_into()
        .expect("a clock that counts up from zero");
    #[cfg(not(target_os = "linux"))]
    return crate::measure::now();
}
