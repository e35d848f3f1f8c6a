//! Limits of a server.

use core::time::Duration;
use std::sync::Arc;

use custody_core::{Reason, Refusal, SignedHead};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The limits of a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most connections of callers, which have sent a request that verified.
    pub callers: usize,
    /// The most connections of strangers, which have not. When another one comes, the oldest is closed.
    pub strangers: usize,
    /// The most connections from one address, or one network of 64 bits for IPv6. Raise it behind a proxy.
    pub per_address: usize,
    /// The longest time for the handshake of TLS, for a head, and between two requests.
    pub head: Duration,
    /// The longest time for a body.
    pub body: Duration,
    /// The longest life of a connection.
    pub life: Duration,
    /// The most requests for signatures at once, with those that wait.
    pub signing: usize,
    /// The most requests that read, at once.
    pub reads: usize,
    /// The most other requests at once.
    pub changes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            callers: 1024,
            strangers: 128,
            per_address: 64,
            head: Duration::from_secs(10),
            body: Duration::from_secs(10),
            life: Duration::from_secs(600),
            signing: 512,
            reads: 128,
            changes: 64,
        }
    }
}

/// Permits for requests. Each class has its own, so that no class starves another.
#[derive(Debug)]
pub(crate) struct Permits {
    signing: Arc<Semaphore>,
    reads: Arc<Semaphore>,
    changes: Arc<Semaphore>,
}

impl Permits {
    pub(crate) fn new(limits: &Limits) -> Self {
        let Limits { signing, reads, changes, .. } = *limits;
        let semaphore = |most: usize| Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)));
        let [signing, reads, changes] = [signing, reads, changes].map(semaphore);
        Self { signing, reads, changes }
    }

    /// A permit for a request with this head.
    ///
    /// # Errors
    /// A [`Refusal`] with `busy` if none is free.
    pub(crate) fn of(&self, head: &SignedHead) -> Result<OwnedSemaphorePermit, Refusal> {
        let path = head.target.split('?').next().unwrap_or_default();
        let class = match head.method.as_str() {
            "GET" => &self.reads,
            _ if path.ends_with("/sign") => &self.signing,
            _ => &self.changes,
        };
        let permit = Arc::clone(class).try_acquire_owned();
        permit.map_err(|_| {
            Refusal::new(Reason::Busy, "too many requests of this kind at once: repeat it")
        })
    }
}
