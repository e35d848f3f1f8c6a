//! What the tests of several crates share. Never published.

mod stuck;

pub use stuck::Stuck;
