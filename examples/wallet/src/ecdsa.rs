//! Threshold ECDSA in the wallet: [`keygen`] and [`signing`] are the part to read.

pub(crate) mod aux;
pub(crate) mod cheats;
pub(crate) mod commands;
pub(crate) mod demo;
pub mod folder;
pub mod keygen;
pub(crate) mod openssl;
pub(crate) mod primes;
pub mod signing;
pub(crate) mod stock;

use quorate_cggmp::{EcdsaCurve, P256, Secp256k1};

/// A curve, with its names.
pub trait EcdsaSuite: EcdsaCurve {
    /// Its name on the command line.
    const SUITE: &'static str;
    /// Its name in a sentence.
    const TITLE: &'static str;
}

impl EcdsaSuite for Secp256k1 {
    const SUITE: &'static str = "ecdsa-secp256k1";
    const TITLE: &'static str = "ECDSA over secp256k1";
}

impl EcdsaSuite for P256 {
    const SUITE: &'static str = "ecdsa-p256";
    const TITLE: &'static str = "ECDSA over P-256";
}
