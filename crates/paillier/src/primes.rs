//! The primes of a party, by their names.

use core::fmt;

use quorate_bignum::SecretNatural;

/// The four primes from which a party makes its keys. Each has exactly [`Level::prime_bits`] bits with the top
/// bits set, is random, and is used for nothing else. They are wiped when dropped.
///
/// [`Level::prime_bits`]: crate::Level::prime_bits
pub struct Primes {
    /// A factor of the Paillier modulus `N`: a prime that is 3 modulo 4.
    pub p: SecretNatural,
    /// The other factor of `N`: a prime that is 3 modulo 4.
    pub q: SecretNatural,
    /// A factor of the modulus `N̂` of commitments: a safe prime, `(safe_p - 1) / 2` being prime.
    pub safe_p: SecretNatural,
    /// The other factor of `N̂`: a safe prime.
    pub safe_q: SecretNatural,
}

impl fmt::Debug for Primes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Primes")
    }
}
