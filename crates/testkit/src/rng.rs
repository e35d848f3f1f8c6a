//! Generators of random numbers: seeded ones, and broken ones.

use core::convert::Infallible;

use chacha20::ChaCha20Rng;
use rand_core::{SeedableRng, TryCryptoRng, TryRng};

/// A generator whose seed is 32 times this byte.
#[must_use]
pub fn rng(seed: u8) -> ChaCha20Rng {
    ChaCha20Rng::from_seed([seed; 32])
}

/// A generator with the seed that `rand_core` makes of a number.
#[must_use]
pub fn rng_of(number: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(number)
}

/// A small generator for schedules: a linear congruence with an output mix, without any security.
#[derive(Clone, Debug)]
pub struct Lcg(pub u64);

impl Lcg {
    /// The next number of 48 bits.
    pub fn number(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 16
    }

    /// A number below `bound`, which must not be zero.
    #[allow(clippy::cast_possible_truncation, reason = "below a bound that fits")]
    pub fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound as u64) as usize
    }

    /// The next `length` bytes.
    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.number().to_le_bytes()[0]).collect()
    }
}

/// A generator that gives one byte again and again: for ever, or for a given number of bytes, after which it counts up.
#[derive(Clone, Debug)]
pub struct Stuck {
    byte: u8,
    left: usize,
}

impl Stuck {
    /// Stuck for ever.
    #[must_use]
    pub const fn at(byte: u8) -> Self {
        Self::for_bytes(byte, usize::MAX)
    }

    /// Stuck for the first `left` bytes.
    #[must_use]
    pub const fn for_bytes(byte: u8, left: usize) -> Self {
        Self { byte, left }
    }

    fn next(&mut self) -> u8 {
        match self.left.checked_sub(1) {
            Some(left) if self.left < usize::MAX => self.left = left,
            Some(_) => {}
            None => self.byte = self.byte.wrapping_add(1),
        }
        self.byte
    }
}

impl TryRng for Stuck {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes([(); 4].map(|()| self.next())))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_le_bytes([(); 8].map(|()| self.next())))
    }

    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Infallible> {
        to.iter_mut().for_each(|byte| *byte = self.next());
        Ok(())
    }
}

impl TryCryptoRng for Stuck {}
