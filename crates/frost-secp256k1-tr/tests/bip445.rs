//! Attacks on BIP-445, and its equations beside an implementation with other arithmetic.
#![cfg(feature = "bip445-draft")]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "a test that fails stops"
)]

#[path = "bip445/deterministic.rs"]
mod deterministic;
#[path = "bip445/draft.rs"]
mod draft;
#[path = "bip445/foreign.rs"]
mod foreign;
#[path = "bip445/group.rs"]
mod group;
#[path = "bip445/verify.rs"]
mod verify;
