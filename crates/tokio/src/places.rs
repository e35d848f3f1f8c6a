//! Places for connections.

use core::fmt;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Places for the connections that a node accepts, with a bound for all and a bound for each peer. `K` is the name by which the
/// transport knows a peer.
///
/// Without the second bound, one peer that lies, or a client whose orders take long, keeps all others out. The sum of what the
/// peers may have is to be below the first bound: then only connections that name no peer can take the last place, and those
/// are given a few seconds.
///
/// ```
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let places = quorate_tokio::Places::new(64, 16);
/// let mut place = places.wait().await; // before a connection is accepted; given back when it is dropped
/// place.take_as("n2")?; // when the first message has said, and proved, who the peer is
/// # Ok::<(), quorate_tokio::TooMany>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Places<K> {
    free: Arc<Semaphore>,
    peers: Arc<Peers<K>>,
}

/// The places that each peer has.
struct Peers<K> {
    most: usize,
    taken: Mutex<BTreeMap<K, usize>>,
}

/// A place for a connection, until it is dropped.
#[must_use = "the place is free again when this is dropped"]
pub struct Place<K: Ord> {
    /// `None` only if somebody has closed the semaphore, which nobody does.
    _free: Option<OwnedSemaphorePermit>,
    peers: Arc<Peers<K>>,
    peer: Option<K>,
}

/// A peer that has as many connections as it may have, or a second peer on one connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TooMany {
    /// The peer has this number of connections, and may have no more.
    Connections(usize),
    /// The connection is another peer's.
    Peers,
}

impl<K> Places<K> {
    /// Places for `all` connections, of which a peer has `each`.
    #[must_use]
    pub fn new(all: usize, each: usize) -> Self {
        let free = Arc::new(Semaphore::new(all.min(Semaphore::MAX_PERMITS)));
        Self { free, peers: Arc::new(Peers { most: each, taken: Mutex::default() }) }
    }
}

impl<K: Ord> Places<K> {
    /// Waits for a place.
    pub async fn wait(&self) -> Place<K> {
        let free = Arc::clone(&self.free).acquire_owned().await.ok();
        Place { _free: free, peers: Arc::clone(&self.peers), peer: None }
    }
}

impl<K: Ord + Clone> Place<K> {
    /// Takes the place for a peer, once its first message has proved who it is. For the same peer it may be called again.
    ///
    /// # Errors
    /// [`TooMany`]: close the connection.
    pub fn take_as(&mut self, peer: K) -> Result<(), TooMany> {
        if let Some(known) = &self.peer {
            return if *known == peer { Ok(()) } else { Err(TooMany::Peers) };
        }
        let mut taken = self.peers.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.get(&peer).copied().unwrap_or(0);
        if count >= self.peers.most {
            return Err(TooMany::Connections(count));
        }
        taken.insert(peer.clone(), count.saturating_add(1));
        drop(taken);
        self.peer = Some(peer);
        Ok(())
    }
}

impl<K: Ord> Drop for Place<K> {
    fn drop(&mut self) {
        let Some(peer) = self.peer.take() else { return };
        let mut taken = self.peers.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&peer) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                taken.remove(&peer);
            }
        }
    }
}

impl<K> fmt::Debug for Places<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (free, each) = (self.free.available_permits(), self.peers.most);
        f.debug_struct("Places").field("free", &free).field("each", &each).finish_non_exhaustive()
    }
}

impl<K: Ord + fmt::Debug> fmt::Debug for Place<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Place").field("peer", &self.peer).finish_non_exhaustive()
    }
}

impl fmt::Display for TooMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connections(count) => {
                write!(
                    f,
                    "the peer has {count} connections: it may have another when one of these is over"
                )
            }
            Self::Peers => {
                f.write_str("another peer's message: each peer makes a connection of its own")
            }
        }
    }
}

impl core::error::Error for TooMany {}
