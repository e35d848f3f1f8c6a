//! What a worker is told.

use core::time::Duration;
use std::sync::Arc;

use super::access::Access;
use crate::directory::{Directory, Identity};
use crate::envelope::Versions;

/// The bounds of a worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Deliveries of a queue that are not acknowledged, at a time.
    pub open: u16,
    /// Parcels that wait to be sent; more are dropped.
    pub waiting: usize,
    /// Their bytes.
    pub bytes: usize,
    /// The number of times that a message is handed over before it is a dead letter.
    pub attempts: u32,
    /// How long a message that was not acknowledged waits at first; twice as long each time, up to a hundred times.
    pub pause: Duration,
    /// For how long a sign of life is good.
    pub life: Duration,
    /// How often the broker is told that a delivery is being worked at: less than it waits
    /// ([`Layout::wait`](super::keeper::Layout::wait)).
    pub progress: Duration,
    /// For how long it is told so.
    pub hold: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            open: 256,
            waiting: 16_384,
            bytes: 64 << 20,
            attempts: 20,
            pause: Duration::from_millis(50),
            life: Duration::from_secs(3),
            progress: Duration::from_millis(1500),
            hold: Duration::from_secs(300),
        }
    }
}

/// What a worker needs to take part.
#[derive(Clone)]
pub struct Settings {
    /// How the broker is reached.
    pub access: Access,
    /// Who it is.
    pub identity: Arc<Identity>,
    /// Its number among the workers of the same peer.
    pub worker: u16,
    /// Everybody.
    pub directory: Arc<Directory>,
    /// What it understands.
    pub versions: Versions,
    /// Its bounds.
    pub bounds: Bounds,
}
