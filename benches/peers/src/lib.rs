//! The steps of `quorate-benches` done by other libraries: FROST by the frost-* 3.0 crates, threshold ECDSA by
//! several, threshold ML-DSA by two; and what a comparison needs besides: the table of targets.
//!
//! # Misuse
//! As in `quorate-benches`: fixtures use the same nonces again and again, on purpose.

pub mod ecdsa;
pub mod migration;
pub mod mldsa;
mod targets;
mod theirs;

pub use targets::{mldsa_target, sizes, target};
pub use theirs::{Frost, OldRng};
