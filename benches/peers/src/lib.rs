//! The steps of `quorate-benches` done by the frost-* 3.0 crates, and what a comparison needs: a meter of
//! the heap and the table of targets.
//!
//! # Misuse
//! As in `quorate-benches`: fixtures use the same nonces again and again, on purpose.

mod heap;
mod targets;
mod theirs;

pub use heap::{CountingAllocator, HeapMeter};
pub use targets::{sizes, target};
pub use theirs::{Frost, OldRng};
