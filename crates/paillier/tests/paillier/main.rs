//! Paillier and ring-Pedersen against the same formulas in an independent big-number library.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "a test stops at the first surprise"
)]

mod encryption;
mod keys;
mod pedersen;
mod primes;
mod support;
mod units;
