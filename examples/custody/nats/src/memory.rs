//! A network inside one process, which loses, repeats, delays and reorders envelopes by a seed.
//!
//! Delays are of tokio's clock: with a paused clock and one thread, a test runs the same way each time.

use core::fmt;
use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fastrand::Rng;
use quorate_envelope::Name;
use tokio::task::JoinSet;

use crate::queues::{Bounds, Queues};
use crate::transport::{Outgoing, Receiver, Sender, Transport};

/// The faults of a network.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Faults {
    /// The envelopes of a thousand that are lost.
    pub lost: u16,
    /// The envelopes of a thousand that arrive twice.
    pub repeated: u16,
    /// The longest delay. Each copy has its own, so copies and envelopes overtake each other.
    pub delay: Duration,
}

/// A network. Clones are the same network.
#[derive(Clone)]
pub struct Network(Arc<Mutex<State>>);

struct State {
    rng: Rng,
    faults: Faults,
    members: BTreeMap<Name, Queues>,
    cut_off: BTreeSet<Name>,
}

impl Network {
    /// A network without members.
    #[must_use]
    pub fn new(seed: u64, faults: Faults) -> Self {
        let (members, cut_off) = (BTreeMap::new(), BTreeSet::new());
        Self(Arc::new(Mutex::new(State { rng: Rng::with_seed(seed), faults, members, cut_off })))
    }

    /// A member's end. An earlier end of the same name receives nothing more.
    #[must_use]
    pub fn join(&self, name: &Name) -> MemoryTransport {
        let arrived = Queues::new(Bounds::default());
        if let Some(earlier) = self.lock().members.insert(name.clone(), arrived.clone()) {
            earlier.close();
        }
        let (network, me) = (self.clone(), name.clone());
        let sender = Sender(Box::new(move |outgoing| network.send(&me, outgoing)));
        MemoryTransport { receiver: Receiver { arrived, _filler: JoinSet::new() }, sender }
    }

    /// Sets what happens to envelopes from now on.
    pub fn set_faults(&self, faults: Faults) {
        self.lock().faults = faults;
    }

    /// Cuts a member off, or connects it again. Envelopes from and to a member that is cut off are lost.
    pub fn cut_off(&self, name: &Name, is_cut_off: bool) {
        let mut state = self.lock();
        if is_cut_off {
            state.cut_off.insert(name.clone());
        } else {
            state.cut_off.remove(name);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, from: &Name, Outgoing { to, envelope }: Outgoing) {
        let delays = self.lock().delays(from, &to);
        for delay in delays {
            let (network, from, to) = (self.clone(), from.clone(), to.clone());
            let envelope = envelope.clone();
            if delay.is_zero() {
                network.lock().arrive(&from, &to, envelope);
                continue;
            }
            tokio::spawn(async move {
                tokio::time::sleep(delay).await;
                network.lock().arrive(&from, &to, envelope);
            });
        }
    }
}

impl State {
    /// The delay of each copy of an envelope.
    fn delays(&mut self, from: &Name, to: &Name) -> Vec<Duration> {
        let Faults { lost, repeated, delay } = self.faults;
        let is_cut_off = self.cut_off.contains(from) || self.cut_off.contains(to);
        let is_lost = self.rng.u16(0..1000) < lost;
        let is_repeated = self.rng.u16(0..1000) < repeated;
        let copies = if is_cut_off || is_lost { 0 } else { 1 + usize::from(is_repeated) };
        let longest = u64::try_from(delay.as_millis()).unwrap_or(u64::MAX);
        (0..copies).map(|_| Duration::from_millis(self.rng.u64(0..=longest))).collect()
    }

    fn arrive(&self, from: &Name, to: &Name, envelope: Vec<u8>) {
        if let Some(arrived) = self.members.get(to) {
            arrived.push(from, envelope);
        }
    }
}

/// One member's end of a [`Network`].
#[derive(Debug)]
pub struct MemoryTransport {
    receiver: Receiver,
    sender: Sender,
}

impl Transport for MemoryTransport {
    type Receiver = Receiver;
    type Sender = Sender;

    fn split(self) -> (Receiver, Sender) {
        (self.receiver, self.sender)
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").field("faults", &self.lock().faults).finish_non_exhaustive()
    }
}
