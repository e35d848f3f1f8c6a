//! Every protocol through the objects that the foreign side has, and what happens to who misuses them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod ecdsa;
mod frost;
mod misuse;
mod mldsa;
mod support;
