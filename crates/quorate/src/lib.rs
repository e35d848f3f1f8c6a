//! Threshold signatures: a key that no machine holds, shared by n parties, of which any t sign
//! together.
//!
//! This crate is the family under plain names, and nothing else:
//!
//! | module | what it is |
//! |---|---|
//! | [`frost::ed25519`] | signatures verify as Ed25519 (RFC 8032) |
//! | [`frost::ed448`] | signatures verify as Ed448 (RFC 8032) |
//! | [`frost::secp256k1_tr`] | Taproot: signatures verify as BIP-340, keys are tweaked as BIP-341 |
//! | [`frost::ristretto255`], [`frost::p256`], [`frost::secp256k1`] | the other suites of RFC 9591 |
//! | [`frost::generic`] | what they have in common, for code generic over the suite |
//! | [`ecdsa`] | threshold ECDSA (CGGMP24) over secp256k1 and P-256: signatures verify as ECDSA |
//! | [`session`] | sessions: rounds, echo, blame, sealing; every protocol of several rounds runs in one |
//!
//! # Misuse
//!
//! What this family cannot prevent, in the order in which it hurts:
//!
//! 1. **Restoring an old state.** A backup of a nonce batch, of a presignature or of a session,
//!    used again, gives the key away. See [`frost::generic::NonceBatch`], [`ecdsa::Claim`] and
//!    [`session::Session::seal`] for what to record first.
//! 2. **A transport that does not authenticate**, or does not encrypt what is
//!    [`session::To::Only`] for one party.
//! 3. **Signing without looking** at the message that the coordinator sent.
//! 4. **A session id used twice.**
//!
//! Each crate's documentation has the complete list of its own.
#![cfg_attr(not(feature = "std"), no_std)]

pub use quorate_session as session;
pub use quorate_session::{
    Abort, Blame, Fault, Parties, PartyId, Progress, Receipt, Rejected, SealKey, Session,
    SessionId, Step, To, drive,
};

/// FROST threshold Schnorr signatures (RFC 9591), one module for each suite.
pub mod frost {
    pub use quorate_frost as generic;
    pub use quorate_frost_ed448 as ed448;
    pub use quorate_frost_ed25519 as ed25519;
    pub use quorate_frost_p256 as p256;
    pub use quorate_frost_ristretto255 as ristretto255;
    pub use quorate_frost_secp256k1 as secp256k1;
    pub use quorate_frost_secp256k1_tr as secp256k1_tr;
}

/// Threshold ECDSA (CGGMP24) over secp256k1 and P-256, with the searches for the primes that it
/// needs and the levels of security that it knows.
pub mod ecdsa {
    pub use quorate_bignum::{BlumPrimeSearch, Engine, SafePrimeSearch, SecretNatural};
    pub use quorate_cggmp::*;
    pub use quorate_paillier::Level;
}

/// The README's code is run by the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
