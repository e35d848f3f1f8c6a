//! Products of powers over any kernel: windows, sliding windows, combs, pairs for squares, and powers of two.
//! Also the descriptions of products.
//!
//! This layer is above the kernels and below the engines.

pub(crate) mod comb;
pub(crate) mod job;
#[cfg(target_arch = "x86_64")]
pub(crate) mod pairs;
pub(crate) mod product;
pub(crate) mod sliding;
pub(crate) mod two;
mod width;
pub(crate) mod window;
