//! The life of a key, played with honest and corrupt parties over three curves.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::integer_division_remainder_used,
    reason = "a test that fails stops"
)]

/// Tests that are written once, for each of three curves.
macro_rules! every_curve {
    ($($name:ident)*) => {
        mod secp256k1 { $(#[test] fn $name() { super::$name::<quorate_curve::Secp256k1>(); })* }
        mod ed25519 { $(#[test] fn $name() { super::$name::<quorate_curve::Ed25519>(); })* }
        mod p256 { $(#[test] fn $name() { super::$name::<quorate_curve::P256>(); })* }
    };
}

/// Tests that are written once, for every group.
macro_rules! every_group {
    ($($name:ident)*) => {
        every_curve! { $($name)* }
        mod ristretto255 { $(#[test] fn $name() { super::$name::<quorate_curve::Ristretto255>(); })* }
        mod ed448 { $(#[test] fn $name() { super::$name::<quorate_curve::Ed448>(); })* }
    };
}

mod acknowledge;
mod backup;
mod completeness;
mod crash;
mod derive;
mod equivocation;
mod evidence;
mod fields;
mod giving_up;
mod golden;
mod group;
mod health;
mod lifecycle;
mod moved;
mod opened;
mod play;
mod repair;
mod reshare;
mod rollback;
mod shown;
mod single_point_of_failure;
mod stored;
mod together;

use quorate_testkit::forge;
