//! A gateway with real nodes: runs between them, their databases, decisions and logs.
#![allow(
    missing_docs,
    unreachable_pub,
    dead_code,
    clippy::large_enum_variant,
    clippy::too_many_lines,
    clippy::unwrap_in_result,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::mod_module_files,
    clippy::std_instead_of_core,
    reason = "a test fails by panicking"
)]

mod acceptance;
mod children;
mod cluster;
#[path = "../gateway/common/mod.rs"]
mod common;
mod lifecycle;
mod mldsa;
mod reshare;
mod served;
mod votes;
