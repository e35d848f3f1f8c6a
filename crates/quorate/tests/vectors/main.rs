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

/// One test for each of the six suites, of a function that is generic over the suite.
macro_rules! every_suite {
    ($check:ident) => {
        mod $check {
            use quorate::frost;

            #[test]
            fn ed25519() {
                super::$check::<frost::ed25519::Ed25519Sha512>();
            }

            #[test]
            fn ristretto255() {
                super::$check::<frost::ristretto255::Ristretto255Sha512>();
            }

            #[test]
            fn ed448() {
                super::$check::<frost::ed448::Ed448Shake256>();
            }

            #[test]
            fn p256() {
                super::$check::<frost::p256::P256Sha256>();
            }

            #[test]
            fn secp256k1() {
                super::$check::<frost::secp256k1::Secp256k1Sha256>();
            }

            #[test]
            fn secp256k1_tr() {
                super::$check::<frost::secp256k1_tr::Secp256k1Taproot>();
            }
        }
    };
}

mod bip340;
mod bip341;
mod data;
mod ed25519;
mod expand_message;
mod frost;
mod group;
mod outside;
mod peers_dkg;
mod rfc8032;
mod shapes;
mod verifiers;
mod wire;
