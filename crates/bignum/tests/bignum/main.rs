//! Big numbers against independent ones.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "a test stops at the first surprise"
)]

mod engines;
mod errors;
mod euclid;
mod inverses;
mod numbers;
mod primes;
mod random;
mod squares;
mod support;
