//! What a network in memory is told, and what it tells.

use core::time::Duration;

use super::super::{Parcel, Peer};

/// What goes wrong. Nothing, unless something is set.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Faults {
    /// Of a thousand parcels, so many are lost.
    pub loss: u16,
    /// Of a thousand parcels, so many come twice.
    pub copies: u16,
    /// A parcel is late by up to this.
    pub delay: Duration,
    /// Parcels that wait are handed over in any order.
    pub shuffle: bool,
}

/// The bounds of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Deliveries of a worker that are not acknowledged, at a time.
    pub open: usize,
    /// Parcels that wait in a queue; more are dropped.
    pub waiting: usize,
    /// The number of times that a delivery is handed over before it is a dead letter.
    pub attempts: u32,
    /// How long a delivery that was not acknowledged waits before it comes again.
    pub pause: Duration,
    /// For how long a sign of life is good.
    pub life: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            open: 256,
            waiting: 65_536,
            attempts: 20,
            pause: Duration::from_millis(50),
            life: Duration::from_secs(3),
        }
    }
}

/// A parcel that nobody could use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeadLetter {
    /// The sender.
    pub from: Peer,
    /// The parcel.
    pub parcel: Parcel,
    /// The reason.
    pub why: String,
}
