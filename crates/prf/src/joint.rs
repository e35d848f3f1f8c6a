//! **Experimental.** The joint proof: one ordinary proof under the group's key, made by t parties in two rounds. Nobody
//! outside this project has read the argument for it (`docs/prf.md`). Evaluation without it rests on nothing new.
//!
//! 1. Each party sends a [`Contribution`]: its [share of the evaluation](crate::EvaluationShare), and commitments to two
//!    nonces d and e in the base G and in each point of the query.
//! 2. The contributions make a [`ProofPackage`], which fixes the results, the binding factors ρ_i, the commitments
//!    U = Σ (D_i + ρ_i·E_i) and V, the same in the other base, and the challenge c as the RFC hashes it. Each party
//!    answers with a [`ProofShare`], s_i = d_i + ρ_i·e_i ± λ_i·c·x_i. The sum of the answers is the RFC's s.
//!
//! Each answer is checked in both bases, so that a wrong one names its sender. The challenge hashes the result and V, to
//! which every party contributes a multiple of a point of the query. So there are two rounds once the query is known, and no
//! nonces that are made before can save one of them. If the query is known ahead of time, as the number of a round is, the
//! first round can run ahead of time.
//!
//! A party's nonces are spent by value. They cannot be stored, copied or printed, so a party that restarts between the two
//! rounds contributes anew:
//!
//! ```compile_fail,E0382
//! use quorate_prf::{KeyKind, ProofNonces, ProofPackage, Provable};
//! use quorate_frost::KeyShare;
//!
//! fn twice<K: Provable>(
//!     share: &KeyShare<K>,
//!     nonces: ProofNonces<K>,
//!     one: &ProofPackage<K>,
//!     other: &ProofPackage<K>,
//! ) {
//!     let _ = one.prove(share, nonces);
//!     let _ = other.prove(share, nonces); // they are spent
//! }
//! ```

mod aggregate;
#[cfg(test)]
mod attacks;
mod contribution;
mod exchange;
mod package;
mod provable;
mod share;

pub use contribution::{Contribution, ProofNonces};
pub use exchange::{AwaitingProofShares, ProofExchange, ProofExchangeParams};
pub use package::{PackageReadError, ProofPackage};
pub use provable::{ProofPoint, Provable};
pub use share::ProofShare;
