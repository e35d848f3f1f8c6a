//! The wallet on real files and, where it matters, as a process of its own.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::unwrap_in_result,
    reason = "a test fails by panicking"
)]

mod backup;
mod command_line;
mod crash;
mod derive;
mod ecdsa;
mod fixture;
mod frost;
mod hardened;
mod hostile;
mod independent;
mod mldsa;
mod processes;
mod refresh;
mod reshare;
mod resume;
mod rounds;
mod secrets;
mod sessions;
