//! Sessions: rounds, ends, seals, defects of protocols, and the forms of what is stored and sent.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::panic,
    clippy::unwrap_in_result,
    clippy::unwrap_used,
    missing_docs,
    reason = "tests"
)]

mod defects;
mod ending;
mod golden;
mod keyring;
mod network;
#[cfg(feature = "passphrase")]
mod passphrase;
mod recall;
mod seal;
mod seal_key;
mod session;
mod spend;
mod stock;
mod texts;
mod toy;
mod transcript;
mod wire;
mod work;
