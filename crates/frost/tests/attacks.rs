//! Attacks on the surroundings of signing: lists of nonces, coordinators of many sessions, exchanges without one,
//! shifted keys. Every attack ends with exactly the cheaters named and never an honest signer. No pair of nonces
//! signs twice.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::unwrap_in_result,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "tests"
)]

mod attacks {
    pub mod bench;
    pub mod coordinators;
    pub mod exchange;
    pub mod lists;
    pub mod low_order;
    pub mod shifted;
}
