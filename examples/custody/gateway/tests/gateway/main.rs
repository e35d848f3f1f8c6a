//! A gateway with fake nodes that hold real key material.
#![allow(
    missing_docs,
    unreachable_pub,
    dead_code,
    clippy::large_enum_variant,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_in_result,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::mod_module_files,
    clippy::std_instead_of_core,
    reason = "a test fails by panicking"
)]

mod common;
mod ending;
mod failing;
mod keys;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "postgres")]
#[path = "../../../../../crates/store/tests/common/server.rs"]
mod server;
mod signing;
