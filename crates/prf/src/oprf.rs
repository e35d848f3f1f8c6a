//! Oblivious pseudorandom functions (RFC 9497): the client, the proofs, and the elements that travel.
//!
//! | step | who | function |
//! |---|---|---|
//! | blind | client | [`Blinding::new`] |
//! | evaluate | any t of the parties | [`Query::blinded`](crate::Query::blinded), [`Query::evaluate`](crate::Query::evaluate) |
//! | put together | anyone | [`Query::aggregate`](crate::Query::aggregate) |
//! | prove, for a VOPRF | the same t parties | [`ProofPackage`](crate::ProofPackage) |
//! | finalize | client | `Blinding::finalize` |
//!
//! The client is that of the RFC and talks to any server of it. Its output does not depend on how the key is shared.
//!
//! # The mode POPRF
//!
//! The server of a POPRF multiplies by the inverse of x + m, with m hashed from the public input. Shares of x add up to
//! shares of x + m, and not to shares of its inverse: each party's multiple is no share of the result. Inverting a shared
//! number takes another protocol, with a product of two shared numbers. So a shared key of this kind does not evaluate
//! here. [`PoprfBlinding`] is the client, and with the feature `single-point-of-failure` there is a server with the whole
//! key.

mod client;
mod element;
mod poprf;
mod proof;
#[cfg(feature = "single-point-of-failure")]
mod server;

pub use client::{Blinding, BlindingError, Output};
pub use element::{BlindedElement, EvaluatedElement};
pub use poprf::PoprfBlinding;
pub use proof::{InvalidProof, Proof};
#[cfg(feature = "single-point-of-failure")]
pub use server::Server;

pub(crate) use proof::{challenge, weights};

/// The largest number of elements that are evaluated together. The RFC writes their places in two bytes.
pub const MOST_ELEMENTS: usize = 65_535;
