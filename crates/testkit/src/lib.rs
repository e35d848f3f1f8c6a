//! Helpers for the tests of several crates. Never published.

mod stuck;

pub use stuck::Stuck;
