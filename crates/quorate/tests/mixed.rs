//! Mixed runs: a party of the reference in Python, which was written from the specification alone, beside parties of
//! these crates.
//!
//! They need `python3`. Without it they say so, and end; with the variable `CI` set they fail.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_in_result,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "tests"
)]

mod mixed {
    mod ecdsa;
    mod frost;
    pub mod python;
}
