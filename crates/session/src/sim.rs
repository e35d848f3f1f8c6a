//! A network in memory, for tests, examples and benchmarks: every run of it is determined by one
//! seed, with no threads and no clock.
//!
//! The network can reorder, duplicate, lose and resend frames, crash parties and resume them from their
//! seal, and hand every frame to a hook that alters, drops, adds or replaces it per recipient.
//! Not for production: it delivers confidential messages in clear and trusts every sender.

mod network;
mod report;
mod world;

pub use network::Network;
pub use report::{Delivery, Report, RoundStats, Stats};
