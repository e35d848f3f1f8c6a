//! The runner: restarts, damage, liars, parked packets, several protocols, and random schedules.
#![allow(
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs,
    reason = "tests"
)]

mod attacks;
mod common;
mod damage;
mod due;
mod keeping;
mod liars;
mod memory_transport;
mod model;
mod opening;
mod outbox;
mod panics;
mod parking;
mod protocols;
mod rows;
mod store;
