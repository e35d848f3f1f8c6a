//! A bus inside one process. It loses, copies, delays and reorders as it is told, by a seeded generator.

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Instant;

use super::{Ack, Beat, Bus, Counts, Delivery, Event, Parcel, Peer, Route, Sink};
pub use settings::{DeadLetter, Faults, Limits};
use state::{State, Stored};

mod settings;
mod state;

/// A network of peers in one process. Each clone is the same network, which ends with the last one and the last worker.
#[derive(Clone)]
pub struct Network(Arc<Owner>);

/// Ends the clock's thread when it is dropped.
struct Owner(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Network {
    /// A network whose faults follow from this seed.
    #[must_use]
    pub fn new(seed: u64, limits: Limits) -> Self {
        let state = Mutex::new(State::new(seed, limits));
        let shared = Arc::new(Shared { state, changed: Condvar::new() });
        let clock = Arc::downgrade(&shared);
        // Without the thread parcels would still come as long as anybody does anything.
        thread::Builder::new().name("bus".to_owned()).spawn(move || tick(&clock)).ok();
        Self(Arc::new(Owner(shared)))
    }

    /// A worker's end. What is told goes to the sink.
    #[must_use]
    pub fn connect(&self, me: Peer, worker: u16, sink: impl Sink) -> MemoryBus {
        let number = self.shared().lock().join(me, Arc::new(sink));
        MemoryBus { network: self.clone(), me, worker, number }
    }

    /// Lets these faults happen from now on.
    pub fn set_faults(&self, faults: Faults) {
        self.shared().lock().faults = faults;
    }

    /// Cuts a peer off, or joins it again: what it sends, and what is sent to it, is lost meanwhile.
    pub fn cut(&self, peer: Peer, off: bool) {
        let mut state = self.shared().lock();
        if off {
            state.cut.insert(peer);
        } else {
            state.cut.remove(&peer);
        }
    }

    /// Loses all parcels that wait, as a broker does whose store was wiped, and tells so.
    pub fn wipe(&self) {
        let sinks = self.shared().lock().wipe();
        for sink in sinks {
            sink.put(Event::Reset);
        }
    }

    /// The parcels that nobody could use, oldest first; the last thousand of them.
    #[must_use]
    pub fn dead_letters(&self) -> Vec<DeadLetter> {
        self.shared().lock().dead.iter().cloned().collect()
    }

    /// The number of parcels that wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.shared().lock().waiting()
    }

    fn shared(&self) -> &Arc<Shared> {
        &self.0.0
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.lock().over = true;
        self.0.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Whoever panicked with the lock has left a state that is whole: each change is one call.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn leave(&self, number: u64) -> Option<Arc<dyn Sink>> {
        self.lock().leave(number)
    }

    /// Hands over what can be, outside the lock: a sink that is gone drops its delivery, which comes back here.
    /// One thread at a time does so: without faults the order is kept.
    fn pump(self: &Arc<Self>) {
        if !self.lock().begin() {
            return;
        }
        loop {
            let next = self.lock().next(Instant::now());
            let Some((number, sink, stored)) = next else {
                self.changed.notify_all();
                return;
            };
            if !sink.put(Event::Delivery(self.delivery(number, stored))) {
                drop(self.leave(number));
            }
        }
    }

    fn delivery(self: &Arc<Self>, number: u64, stored: Stored) -> Delivery {
        let (from, attempt) = (stored.from, stored.attempt);
        let (route, messages) = (stored.parcel.route, stored.parcel.messages.clone());
        let shared = Arc::downgrade(self);
        let ack = Ack::new(move |verdict| {
            let Some(shared) = Weak::upgrade(&shared) else { return };
            shared.lock().judge(number, stored, verdict);
            shared.changed.notify_all();
        });
        Delivery { from, route, attempt, messages, ack }
    }
}

/// Hands over what is due, until the network is over.
fn tick(clock: &Weak<Shared>) {
    while let Some(shared) = clock.upgrade() {
        shared.lock().stirred = false;
        shared.pump();
        let state = shared.lock();
        if state.over {
            return;
        }
        if state.stirred {
            continue;
        }
        let wait = state.wait(Instant::now());
        drop(shared.changed.wait_timeout(state, wait));
    }
}

/// A worker's end of a [`Network`].
pub struct MemoryBus {
    network: Network,
    me: Peer,
    worker: u16,
    number: u64,
}

impl Bus for MemoryBus {
    fn me(&self) -> Peer {
        self.me
    }

    fn listen(&self, routes: &[Route]) {
        let routes: BTreeSet<Route> = routes.iter().copied().collect();
        self.network.shared().lock().listen(self.number, routes);
        self.network.shared().pump();
    }

    fn publish(&self, parcels: Vec<Parcel>) -> usize {
        let dropped = self.network.shared().lock().publish(self.me, parcels, Instant::now());
        self.network.shared().pump();
        dropped
    }

    fn beat(&self, body: &[u8]) {
        self.network.shared().lock().beat((self.me, self.worker), body, Instant::now());
    }

    fn alive(&self) -> Vec<Beat> {
        self.network.shared().lock().alive(Instant::now())
    }

    fn counts(&self) -> Counts {
        self.network.shared().lock().counts(self.number)
    }
}

impl Drop for MemoryBus {
    fn drop(&mut self) {
        drop(self.network.shared().leave(self.number));
    }
}
