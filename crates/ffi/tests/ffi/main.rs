//! Every protocol through the objects that the foreign side has, and the errors for a caller that misuses them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod across;
mod ecdsa;
mod frost;
mod misuse;
mod mldsa;
mod network;
mod runner;
mod step;
mod support;
