//! Tests of whether secret numbers are primes.

use core::ops::RangeInclusive;

use quorate_declassify::declassify;

use super::candidate::{Candidate, shifted};
use super::small;
use crate::engine::Engine;
use crate::error::Error;
use crate::modular::parameters::MAX_BITS;
use crate::number::limbs::{Words, words_for};
use crate::number::secret_natural::SecretNatural;

/// The lengths of primes that are searched for, in bits. The longest: the product of two must have a square that is a
/// modulus.
pub(super) const LENGTHS: RangeInclusive<u32> = 64..=MAX_BITS >> 1;
/// A bound on the factors 2 of `q - 1` for the `q` of a safe prime: the time must not tell how many there are.
const TWOS: u32 = 64;

/// Returns whether a secret number is a prime that is 3 modulo 4.
///
/// The test is that of Baillie and PSW: strong to base 2, strong Lucas with Selfridge's parameters. No composite
/// is known to pass, even one chosen by an attacker. So use it for numbers from elsewhere (Albrecht, Massimo,
/// Paterson and Somorovsky, "Prime and Prejudice", CCS 2018). Primes always pass.
///
/// Constant time in a prime, except that the time shows which of Selfridge's few first `D` fits it.
///
/// # Errors
/// [`Error::Unsupported`] for a bound outside the lengths of [`BlumPrimeSearch`](crate::BlumPrimeSearch).
pub fn is_blum_prime(engine: &Engine, p: &SecretNatural) -> Result<bool, Error> {
    let words = sized(p)?;
    Ok(declassify(small::residue(&words, 4) == 3) && is_prime(engine, p, 1)?)
}

/// Returns whether a secret number is a safe prime above 7: `p` and `q = (p - 1) / 2` are prime.
///
/// `q` is tested as by [`is_blum_prime`]; that `p` is prime then follows from `2^(p - 1) = 1 mod p`, by Pocklington's
/// theorem. Refused as well is a `q` of which `q - 1` is a multiple of `2^65`: no random one is.
///
/// Constant time in a safe prime, except that the time shows which of Selfridge's few first `D` fits `q`.
///
/// # Errors
/// [`Error::Unsupported`] for a bound outside the lengths of [`SafePrimeSearch`](crate::SafePrimeSearch).
pub fn is_safe_prime(engine: &Engine, p: &SecretNatural) -> Result<bool, Error> {
    let words = sized(p)?;
    // 3 divides neither p nor q, 2 does not divide q.
    if declassify(small::residue(&words, 12) != 11) {
        return Ok(false);
    }
    let half = SecretNatural::from_words(&shifted(&words, 1), p.bits() - 1);
    // As p is 3 modulo 4, the strong test to base 2 is 2^((p - 1) / 2) = 1 or -1.
    Ok(Candidate::new(p)?.is_strong(engine, &[two()], 1) && is_prime(engine, &half, TWOS)?)
}

/// The words of a number whose bound is a length that primes are looked for of.
fn sized(p: &SecretNatural) -> Result<Words, Error> {
    if !LENGTHS.contains(&p.bits()) {
        return Err(Error::Unsupported);
    }
    Ok(p.to_words(words_for(p.bits())))
}

/// Returns whether an odd number is prime. One with more than `twos` factors 2 in `n - 1` may be refused.
pub(super) fn is_prime(engine: &Engine, n: &SecretNatural, twos: u32) -> Result<bool, Error> {
    let mut candidate = Candidate::new(n)?;
    Ok(candidate.is_strong(engine, &[two()], twos) && candidate.is_strong_lucas())
}

/// The base 2.
pub(super) fn two() -> SecretNatural {
    SecretNatural::from_words(&[2], 2)
}
