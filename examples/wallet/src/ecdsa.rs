//! Threshold ECDSA in the wallet: [`keygen`] and [`signing`] are the part to read.

pub(crate) mod cheats;
pub(crate) mod commands;
pub(crate) mod demo;
pub mod folder;
pub mod keygen;
pub(crate) mod openssl;
pub mod signing;

use quorate_cggmp::{EcdsaCurve, P256, Secp256k1};

use quorate_examples::verifiers;

/// A curve, with its names and its independent verifier.
pub trait EcdsaSuite: EcdsaCurve {
    /// Its name on the command line.
    const SUITE: &'static str;
    /// Its name in a sentence.
    const TITLE: &'static str;
    /// Who verifies its signatures independently.
    const VERIFIER: &'static str;

    /// Verifies a signature, r ‖ s, with code that is not Quorate's.
    fn verify_independently(key: &[u8], message: &[u8], signature: &[u8]) -> bool;
}

macro_rules! ecdsa_suite {
    ($curve:ty, $name:literal, $title:literal, $verify:path, $verifier:literal) => {
        impl EcdsaSuite for $curve {
            const SUITE: &'static str = $name;
            const TITLE: &'static str = $title;
            const VERIFIER: &'static str = $verifier;

            fn verify_independently(key: &[u8], message: &[u8], signature: &[u8]) -> bool {
                $verify(key, message, signature)
            }
        }
    };
}

ecdsa_suite!(
    Secp256k1,
    "ecdsa-secp256k1",
    "ECDSA over secp256k1",
    verifiers::ecdsa_secp256k1,
    "k256, a verifier of ECDSA over secp256k1"
);
ecdsa_suite!(
    P256,
    "ecdsa-p256",
    "ECDSA over P-256",
    verifiers::ecdsa_p256,
    "p256, a verifier of ECDSA over P-256"
);
