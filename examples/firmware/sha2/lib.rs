//! The hashes that `crrl` takes, re-exported from a release that works without `std`.
#![no_std]

pub use now::*;
