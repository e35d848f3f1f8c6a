//! The verifiable random function over elliptic curves (RFC 9381).
//!
//! A proof π shows that an output β is the one that a public key has for an input α. Anyone who has the key, the input
//! and the proof verifies it, with any implementation of the RFC. Several parties who share the key evaluate with
//! [`Query::vrf`](crate::Query::vrf). The output needs one round; the proof needs a second ([`ProofPackage`](crate::ProofPackage)).
//!
//! Points are decoded strictly: a key or a proof whose point is outside the subgroup of prime order is refused, also where
//! the RFC multiplies by the cofactor. An honest prover makes no such points.

mod proof;
mod suite;

pub use proof::{InvalidVrf, VrfOutput, VrfProof};
pub use suite::{EcvrfEd25519Ell2, EcvrfEd25519Tai, EcvrfP256Swu, EcvrfP256Tai, VrfSuite};

pub(crate) use proof::{challenge, output};
