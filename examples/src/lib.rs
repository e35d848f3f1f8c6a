//! The examples' code, as a library so that it can be tested.
//!
//! Run them with `cargo run --release --example NAME`:
//!
//! - `wallet`: keys in files, made by all parties together, signing with some of them; see
//!   [`wallet`].
//! - `custody`: three nodes, each with a database, that survive a crash at every step; see
//!   [`custody`].

pub mod custody;
pub mod primes;
pub mod wallet;
