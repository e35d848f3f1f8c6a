//! Helpers for the tests of several crates. Never published.

pub mod heap;
mod stuck;

pub use stuck::Stuck;
