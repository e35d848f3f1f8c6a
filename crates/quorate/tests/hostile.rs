//! Hostile input against the FROST crates: every message, every field, every mutation, for every
//! suite; and a test for each known attack, named after it.
//!
//! Every case asserts that nothing panics and that the error is the right one. The culprits are exactly
//! the parties that misbehaved, or nobody where they cannot be known; an honest party is never named. A
//! frame that was rejected does no harm to the run.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::unwrap_in_result,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::missing_panics_doc,
    reason = "tests"
)]

mod hostile {
    pub mod cheat;
    pub mod confirm;
    pub mod dkg;
    pub mod dkg_fields;
    pub mod en;
    pub mod envelope;
    pub mod exchange;
    pub mod forget;
    pub mod fr;
    pub mod fr_keys;
    pub mod harness;
    pub mod inputs;
    pub mod keys;
    pub mod matrix;
    pub mod pairs;
    pub mod reference;
    pub mod refresh;
    pub mod repair;
    pub mod round_trips;
    pub mod se;
    pub mod secrets;
    pub mod signing;
    pub mod spent;
    pub mod stored;
    pub mod vs;
}
