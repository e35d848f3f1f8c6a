//! Helpers for the tests of several crates. Never published.

pub mod heap;
mod stuck;
mod suites;

pub use stuck::Stuck;
