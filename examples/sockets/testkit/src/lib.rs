//! Helpers that the tests of sockets share.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::std_instead_of_core,
    clippy::missing_panics_doc,
    clippy::indexing_slicing,
    clippy::unwrap_in_result,
    reason = "a test fails by panicking"
)]

mod folder;
mod local;
mod mutate;
mod programs;

pub use folder::Folder;
pub use local::Local;
pub use mutate::mutations;
pub use programs::{Running, free_port, program, run};
