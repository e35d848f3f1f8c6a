//! Engines: from products to jobs, from jobs to groups, from groups to kernels.
//!
//! This layer is above the exponents and below the primes.

mod choice;
mod comb;
#[cfg(feature = "counting")]
mod counting;
mod evaluate;
#[cfg(any(feature = "gmp", feature = "openssl"))]
mod foreign;
mod jobs;
mod run;
mod schedule;
mod search;

pub use choice::Engine;
#[cfg(feature = "counting")]
pub use counting::Repeated;

#[cfg(test)]
mod tests;
