//! The connections of a server, and who may have one.

use core::net::IpAddr;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::limits::Limits;

/// The connections of a server.
#[derive(Debug)]
pub(crate) struct Connections {
    limits: Limits,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The number of the next connection.
    next: u64,
    /// The number of connections of each address.
    addresses: HashMap<IpAddr, usize>,
    /// The connections of callers.
    callers: HashSet<u64>,
    /// The connections of strangers, the oldest first, with what closes them.
    strangers: BTreeMap<u64, Arc<Notify>>,
}

/// A connection, which handlers find in the extensions of a request as an [`Arc`]. It counts until it is dropped.
#[derive(Debug)]
pub struct Connection {
    connections: Arc<Connections>,
    number: u64,
    address: IpAddr,
    evicted: Arc<Notify>,
}

impl Connections {
    pub(crate) fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self { limits, state: Mutex::default() })
    }

    /// Admits a connection from this address, as that of a stranger, unless the address has too many.
    pub(crate) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Connection> {
        let address = network(address);
        let mut state = self.state();
        let count = state.addresses.get(&address).copied().unwrap_or(0);
        if count >= self.limits.per_address {
            return None;
        }
        state.addresses.insert(address, count.saturating_add(1));
        let number = state.next;
        state.next = number.wrapping_add(1);
        if state.strangers.len() >= self.limits.strangers {
            let oldest = state.strangers.pop_first();
            oldest.iter().for_each(|(_, evict)| evict.notify_one());
        }
        let evicted = Arc::new(Notify::new());
        state.strangers.insert(number, Arc::clone(&evicted));
        Some(Connection { connections: Arc::clone(self), number, address, evicted })
    }

    /// The state. No code that holds the lock can panic half-way through a change.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The numbers of connections: of callers and of strangers.
    pub(crate) fn count(&self) -> (usize, usize) {
        let state = self.state();
        (state.callers.len(), state.strangers.len())
    }
}

impl Connection {
    /// Makes it the connection of a caller: a request has verified. Without room it stays one of a stranger.
    pub fn is_of_a_caller(&self) {
        let mut state = self.connections.state();
        let room = state.callers.len() < self.connections.limits.callers;
        if room && state.strangers.remove(&self.number).is_some() {
            state.callers.insert(self.number);
        }
    }

    /// Waits until the connection has to be closed for a newer one.
    pub(crate) async fn evicted(&self) {
        self.evicted.notified().await;
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut state = self.connections.state();
        state.strangers.remove(&self.number);
        state.callers.remove(&self.number);
        if let Some(count) = state.addresses.get_mut(&self.address) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                state.addresses.remove(&self.address);
            }
        }
    }
}

/// The address, or the network that one subscriber of IPv6 has.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
        address @ IpAddr::V4(_) => address,
    }
}
