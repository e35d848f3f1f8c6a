//! Numbers for the tests.

use chacha20::ChaCha20Rng;
use num_bigint::BigUint;
use quorate_testkit::numbers::random_bits;
pub(crate) use quorate_testkit::numbers::{big, natural};
use quorate_testkit::rng_of;

/// A seeded source of numbers.
pub(crate) struct Rng(pub ChaCha20Rng);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(rng_of(seed))
    }

    pub(crate) fn bits(&mut self, bits: u32) -> BigUint {
        random_bits(&mut self.0, bits)
    }

    /// Odd, with the top bit set.
    pub(crate) fn odd(&mut self, bits: u32) -> BigUint {
        let mut out = self.bits(bits);
        out.set_bit(0, true);
        out.set_bit(u64::from(bits) - 1, true);
        out
    }

    pub(crate) fn below(&mut self, n: &BigUint) -> BigUint {
        self.bits(u32::try_from(n.bits()).unwrap() + 64) % n
    }
}

/// Two primes of 512 bits: the first two after 2^511 + 2^510.
pub(crate) fn primes_512() -> (BigUint, BigUint) {
    let start = (BigUint::from(3u8) << 510u32) + 1u8;
    let mut primes = (0u32..).map(|k| &start + 2 * k).filter(|n| {
        BigUint::from(2u8).modpow(&(n - 1u8), n) == BigUint::from(1u8)
            && BigUint::from(3u8).modpow(&(n - 1u8), n) == BigUint::from(1u8)
    });
    (primes.next().unwrap(), primes.next().unwrap())
}
