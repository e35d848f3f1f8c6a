//! Aux-info, presigning and signing over the simulated network.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::cast_possible_truncation,
    reason = "a test that fails stops"
)]

mod aux_info;
mod claims;
mod confirm;
mod dealer;
mod evidence;
mod exchanged;
mod golden;
mod hostile;
mod inventories;
mod known;
mod late;
mod lifecycle;
mod many;
mod pool;
mod presign;
mod red_alert;
mod rollback;
mod roundtrip;
mod sign;
mod stored;
mod support;
mod unconfirmed;
