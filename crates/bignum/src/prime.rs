//! Primes: a test for public numbers, and searches for secret ones.

use alloc::vec::Vec;

use rand_core::CryptoRng;

use crate::{Engine, Error, MAX_BITS, Natural, SecretNatural};

mod family;
pub(crate) mod fermat;
mod lucas;
mod ring;
mod search;
mod sieve;
mod small;
mod test;

pub use search::{BlumPrimeSearch, Progress, SafePrimeSearch};

use test::Candidate;

/// Small factors are looked for below this.
const TRIAL: u32 = 1 << 10;

/// Rounds of the strong test to random bases for numbers that somebody else chose: four to this power is `2^128`.
const ROUNDS: usize = 64;

/// Whether a public number is prime. Variable time.
///
/// Small factors, the test of Baillie and PSW (strong to base 2, strong Lucas with Selfridge's parameters), then 64 rounds
/// of the strong test to random bases. No composite is known to pass the first two, whoever chose it; were there one, it
/// would pass the rounds with probability at most `2^-128`. Primes always pass.
///
/// # Errors
/// [`Error::LargeModulus`] for odd numbers of more than [`MAX_BITS`] bits without a factor below 1024.
pub fn is_prime_vartime(n: &Natural, rng: &mut (impl CryptoRng + ?Sized)) -> Result<bool, Error> {
    let words = n.to_words(n.bits().div_ceil(64).max(1) as usize);
    if !n.is_odd() {
        return Ok(*n == Natural::from(2));
    }
    for prime in small::odd_primes(TRIAL) {
        if small::residue(&words, prime) == 0 {
            return Ok(*n == Natural::from(u64::from(prime)));
        }
    }
    if n.bits() <= 2 * TRIAL.trailing_zeros() {
        // Below the square of the bound: prime unless it is 1.
        return Ok(n.bits() > 1);
    }
    if n.bits() > MAX_BITS {
        return Err(Error::LargeModulus);
    }
    let engine = Engine::detect();
    let mut candidate = Candidate::new(&SecretNatural::classify(n, n.bits())?)?;
    let twos = candidate.twos_vartime();
    if !candidate.is_strong(&engine, &[two()], twos) || !candidate.is_strong_lucas() {
        return Ok(false);
    }
    let bases: Vec<_> = (0..ROUNDS).map(|_| candidate.random_base(rng)).collect();
    Ok(candidate.is_strong(&engine, &bases, twos))
}

/// The base 2.
fn two() -> SecretNatural {
    SecretNatural::from_words(&[2], 2)
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::cast_possible_truncation,
    reason = "a test stops at the first surprise"
)]
mod tests;
