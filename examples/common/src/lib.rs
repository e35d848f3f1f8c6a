//! Code common to the example programs: how they read their command line and print, and
//! verifiers that are not Quorate's.

pub mod args;
pub mod failure;
pub mod files;
pub mod out;
pub mod progress;
pub mod table;
#[cfg(feature = "verifiers")]
pub mod verifiers;

pub use failure::{Failure, Result};
pub use out::Out;
