//! The proofs: the statements that they accept and those that they refuse.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "a test stops at the first surprise"
)]

mod aff_g;
mod blum;
mod challenge;
mod curve;
mod dec;
mod enc_elg;
mod exchanged;
mod folded;
mod folded_cheats;
mod folded_products;
mod keys;
mod known;
mod layout;
mod machine;
mod recipe;
mod relations;
mod support;
