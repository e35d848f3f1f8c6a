//! ROAST, for every suite: t honest signers finish, whoever stalls or lies, within n − t + 1 sessions.
#![cfg(feature = "frost")]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::unwrap_in_result,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::cast_possible_truncation,
    reason = "tests"
)]

#[allow(dead_code, unused_imports, reason = "a part of it is used")]
#[path = "vectors/data.rs"]
mod data;
#[allow(dead_code, reason = "a part of it is used")]
#[path = "vectors/expand_message.rs"]
mod expand_message;
#[allow(dead_code, reason = "a part of it is used")]
#[path = "vectors/outside.rs"]
mod outside;

#[path = "roast/adversary.rs"]
mod adversary;
#[path = "roast/attacks.rs"]
mod attacks;
#[path = "roast/bytes.rs"]
mod bytes;
#[path = "roast/faults.rs"]
mod faults;
#[path = "roast/finishes.rs"]
mod finishes;
#[path = "roast/restored.rs"]
mod restored;
#[path = "roast/world.rs"]
mod world;
