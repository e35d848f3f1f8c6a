//! Primes: tests of secret numbers, and searches.
//!
//! The tests are constant time, as each of them states. A search is not. Its sieve writes to addresses that
//! depend on the secret start ([`sieve`]), and its duration is as random as the primes are.

mod candidate;
mod family;
mod lucas;
mod primality;
mod ring;
mod search;
mod sieve;
mod small;

pub use primality::{is_blum_prime, is_safe_prime};
pub use search::{BlumPrimeSearch, SafePrimeSearch, SearchProgress};
pub use small::has_factor_below;

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::cast_possible_truncation,
    reason = "a test stops at the first surprise"
)]
mod tests;
