//! The module as programs load it.
#![allow(
    unsafe_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::macro_metavars_in_unsafe,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::undocumented_unsafe_blocks,
    clippy::std_instead_of_core,
    clippy::cast_possible_truncation,
    reason = "a test calls C, and fails by panicking"
)]

mod client;
mod hostile;
mod keys;
mod programs;
mod served;
mod signatures;
mod standard;
