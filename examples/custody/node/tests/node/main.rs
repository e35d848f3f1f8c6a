//! Several nodes in one process, over networks and databases of the test.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "tests"
)]

mod accused;
mod batches;
mod certificates;
mod children;
mod common;
mod continuity;
mod crash;
mod ecdsa;
mod frost;
mod mldsa;
mod moves;
mod refresh;
mod replays;
mod rows;
mod safety;
mod upkeep;
mod witnesses;
