//! Conformance: published test vectors, independent verifiers, the pinned wire, and the shapes of
//! groups that have to work. The data lie in `tests/vectors/data`.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::cast_possible_truncation,
    reason = "tests fail by panicking, on data that is known"
)]

mod bip340;
mod bip341;
mod data;
mod derive;
mod ed25519;
mod expand_message;
mod frost;
mod group;
mod known;
mod outside;
mod peers_dkg;
mod rfc8032;
mod shapes;
mod verifiers;
mod wire;
