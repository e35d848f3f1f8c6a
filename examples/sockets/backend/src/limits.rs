//! The limits of a socket.

use core::time::Duration;

use crate::backend::Asked;

/// The limits of a socket, so that no consumer keeps the others out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most connections at a time. A further one is closed. Where users are admitted to a Unix socket, each user has at
    /// most half of them.
    pub connections: usize,
    /// The longest time between two requests on a connection.
    pub idle: Duration,
    /// The longest time for the rest of a request that has begun, and for taking an answer.
    pub transfer: Duration,
    /// The longest time for a signature. It is long where people approve requests.
    pub within: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 64,
            idle: Duration::from_secs(3600),
            transfer: Duration::from_secs(10),
            within: Asked::WITHIN,
        }
    }
}
