#![doc = include_str!("../README.md")]
//!
//! # Modules and features
//!
//! | module | what it is | feature |
//! |---|---|---|
//! | [`ecdsa`] | threshold ECDSA (CGGMP24) over secp256k1 and P-256: signatures verify as ECDSA | `ecdsa` |
//! | [`frost::ed25519`] | signatures verify as Ed25519 (RFC 8032) | `frost-ed25519` |
//! | [`frost::ed448`] | signatures verify as Ed448 (RFC 8032) | `frost-ed448` |
//! | [`frost::secp256k1_tr`] | Taproot: signatures verify as BIP-340, keys are tweaked as BIP-341 | `frost-secp256k1-tr` |
//! | [`frost::p256`], [`frost::ristretto255`], [`frost::secp256k1`] | the other suites of RFC 9591 | `frost-p256`, `frost-ristretto255`, `frost-secp256k1` |
//! | [`frost::generic`] | what they have in common, for code generic over the suite | with any of them |
//! | [`keys`] | the life of a key of either kind: resharing, repair, backups, child keys; for code generic over both | `ecdsa`, or any of FROST |
//! | `mldsa` | **experimental**: threshold ML-DSA (FIPS 204), at most six parties | `mldsa`, off by default |
//! | [`session`] | sessions: rounds, echo, blame, sealing; every protocol of several rounds runs in one | always |
//! | [`runner`] | the loop of a service: many sessions on a store, with resending, deadlines and recovery | `runner`; with streams `async` |
//!
//! On by default are `std`, `ecdsa` and `frost`, which is all six suites. Besides there are
//! `curve25519-dalek`, `ed25519-dalek`, `ed448-goldilocks`, `k256` and `p256` for conversions to and
//! from the types of those crates, `serde`, `rayon`, `single-point-of-failure` for imports and exports of
//! keys, and `sim`, the in-memory network of the example above.
//!
//! With `frost`, [`for_each_frost_suite`] hands the list of suites to a macro, for code that supports
//! every one.
//!
//! `crates/quorate/examples` has a program for each of FROST, Taproot, ECDSA with presignatures,
//! derivation, refresh (of FROST and of ECDSA) and evidence: `cargo run -p quorate --example frost`.
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "frost")]
mod suites;

#[cfg(feature = "keys")]
pub use quorate_keys as keys;
#[cfg(feature = "mldsa")]
pub use quorate_mldsa as mldsa;
#[cfg(feature = "runner")]
pub use quorate_runner as runner;
pub use quorate_session as session;
pub use quorate_session::{
    Abort, Blame, Fault, Parties, PartyId, Progress, Receipt, Rejected, SealKey, Session,
    SessionId, Step, Stopped, To, drive,
};

/// FROST threshold Schnorr signatures (RFC 9591), one module for each suite.
#[cfg(any(
    feature = "frost-ed25519",
    feature = "frost-ed448",
    feature = "frost-p256",
    feature = "frost-ristretto255",
    feature = "frost-secp256k1",
    feature = "frost-secp256k1-tr",
))]
pub mod frost {
    pub use quorate_frost as generic;
    pub use quorate_frost::{Committee, Mismatch, PackageId, PlanError, ShareState};
    #[cfg(feature = "frost-ed448")]
    pub use quorate_frost_ed448 as ed448;
    #[cfg(feature = "frost-ed25519")]
    pub use quorate_frost_ed25519 as ed25519;
    #[cfg(feature = "frost-p256")]
    pub use quorate_frost_p256 as p256;
    #[cfg(feature = "frost-ristretto255")]
    pub use quorate_frost_ristretto255 as ristretto255;
    #[cfg(feature = "frost-secp256k1")]
    pub use quorate_frost_secp256k1 as secp256k1;
    #[cfg(feature = "frost-secp256k1-tr")]
    pub use quorate_frost_secp256k1_tr as secp256k1_tr;
}

/// Threshold ECDSA (CGGMP24) over secp256k1 and P-256, with the engines for its big numbers and the
/// levels of security that it knows.
#[cfg(feature = "ecdsa")]
pub mod ecdsa {
    pub use quorate_bignum::{Engine, SecretNatural};
    pub use quorate_cggmp::*;
    pub use quorate_paillier::{Error as NumberError, Level, Primes};
}
