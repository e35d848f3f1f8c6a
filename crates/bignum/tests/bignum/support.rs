//! Numbers for the tests.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng as _, SeedableRng};
use num_bigint::BigUint;
use quorate_bignum::Natural;

/// A seeded source of numbers.
pub(crate) struct Rng(pub ChaCha20Rng);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha20Rng::seed_from_u64(seed))
    }

    pub(crate) fn bits(&mut self, bits: u32) -> BigUint {
        let mut bytes = vec![0; bits.div_ceil(8) as usize];
        self.0.fill_bytes(&mut bytes);
        BigUint::from_bytes_be(&bytes) >> ((8 - bits % 8) % 8)
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

pub(crate) fn natural(value: &BigUint) -> Natural {
    Natural::from_be_bytes(&value.to_bytes_be())
}

pub(crate) fn big(value: &Natural) -> BigUint {
    BigUint::from_bytes_be(&value.to_be_bytes(value.bits().div_ceil(8) as usize).unwrap())
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
