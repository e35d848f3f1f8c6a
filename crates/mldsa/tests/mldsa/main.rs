//! Keys, attempts and signatures of threshold ML-DSA, honest and hostile.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::unwrap_in_result,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::arithmetic_side_effects,
    reason = "a test that fails stops"
)]

mod attack_games;
mod attack_masks;
mod common;
mod crash;
mod dkg;
mod game;
mod hostile;
mod known;
mod resume;
mod sign;
mod spki;
mod statistics;
mod verify;
