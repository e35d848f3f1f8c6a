//! The transport of the signing service: it carries envelopes between the members of a directory.
//!
//! The interface is [`Transport`], a stream of envelopes that have arrived and a sink of envelopes to send. Members are
//! named as in the directory of `quorate-envelope`.
//!
//! A transport promises nothing. An envelope may be lost, arrive twice, late, or after a later one, and the sender's name
//! is what the broker says until the envelope's signature is verified. Nothing is acknowledged: the runner sends its
//! packets again until its peers acknowledge them, and the gateway repeats its orders until they are answered.
//!
//! `nats` is the implementation over a NATS server (feature `nats`, on by default), `memory` a network inside one process,
//! with faults (feature `testing`).

#![cfg_attr(not(feature = "nats"), allow(dead_code, reason = "less is done with queues"))]

#[cfg(feature = "testing")]
pub mod memory;
#[cfg(feature = "nats")]
pub mod nats;
mod queues;
mod transport;

pub use queues::Bounds;
pub use transport::{Incoming, Outgoing, Receiver, Sender, Transport};
