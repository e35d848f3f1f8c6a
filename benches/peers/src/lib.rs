//! The steps of `quorate-benches` done by other libraries: FROST by the frost-* 3.0 crates, threshold ECDSA by
//! several; and what a comparison needs besides: the table of targets.
//!
//! # Misuse
//! As in `quorate-benches`: fixtures use the same nonces again and again, on purpose.

pub mod ecdsa;
pub mod migration;
mod targets;
mod theirs;

pub use targets::{sizes, target};
pub use theirs::{Frost, OldRng};
