//! The measurements of all benchmarks, written once.
//!
//! A [`Operation`] says which operation is timed and what is left out of the time, a [`Library`] builds the
//! [`Fixture`] that the steps of one suite and size need, and a [`Routine`] runs a step any number of times
//! under a [`Meter`]. The program `timings`, the Criterion benches and the comparison with other libraries
//! in `benches/peers` all use these four, so a figure means the same wherever it is printed.
//!
//! # Misuse
//! 1. Fixtures draw from a seeded generator and use the same nonces again and again. Nothing here may be
//!    used as an example of signing.
//! 2. Figures taken while something else uses the machine are worth little, although CPU time is counted
//!    where the system tells it: compare ratios of one run.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::missing_panics_doc,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a benchmark that cannot prepare its inputs has nothing better to do than to stop"
)]

mod args;
pub mod bignum;
pub mod ecdsa;
mod heap;
mod library;
mod lines;
mod measure;
pub mod mldsa;
mod operation;
mod operations;
mod ours;
pub mod report;
mod routine;
pub mod runner;
mod suite;

pub use args::{Args, Size, families, flag, timings};
pub use heap::{CountingAllocator, Division, HeapMeter, OTHERS, Parts, add_parts};
pub use library::{Fixture, Library, MESSAGE, generator, half_bad, one_bad};
pub use lines::{Line, Ratio, Report};
pub use measure::{Plan, SAMPLES, Stopwatch, median, pair};
pub use operation::Operation;
pub use operations::Operations;
pub use ours::Quorate;
pub use routine::{Meter, Routine};
pub use suite::Suite;
