//! Random numbers, each uniform in its set.
//!
//! Numbers below a bound are drawn with exactly its length and thrown away unless they are below it, so there is no
//! bias at all. A draw succeeds more often than not; a generator that fails [`TRIES`] times in a row is broken, and is
//! reported as such instead of asked for ever.

use alloc::vec;

use quorate_declassify::declassify;
use rand_core::CryptoRng;
use subtle::Choice;
use zeroize::{Zeroize, Zeroizing};

use super::limbs::{Words, sub_assign, words_for};
use super::natural::Natural;
use super::secret_integer::SecretInteger;
use super::secret_natural::SecretNatural;
use crate::error::Error;

/// Draws before a generator counts as broken: a good one fails with probability below `2^-256`.
pub(crate) const TRIES: u32 = 256;

/// A uniform number of `bits` bits. The time shows `bits` alone.
pub(crate) fn bits(rng: &mut (impl CryptoRng + ?Sized), bits: u32) -> Words {
    let mut out = Zeroizing::new(vec![0u64; words_for(bits)]);
    let mut bytes = [0; 8];
    for word in out.iter_mut() {
        rng.fill_bytes(&mut bytes);
        *word = u64::from_le_bytes(bytes);
    }
    bytes.zeroize();
    let spare = (64 - (bits & 63)) & 63;
    if let Some(top) = out.last_mut() {
        *top = if bits == 0 { 0 } else { *top >> spare };
    }
    out
}

/// A uniform number below `bound`. The time tells how many draws it took, which is independent of the result.
pub(crate) fn below(rng: &mut (impl CryptoRng + ?Sized), bound: &Natural) -> Result<Words, Error> {
    if bound.is_zero() {
        return Err(Error::Unsupported);
    }
    let limit = bound.to_words(words_for(bound.bits()));
    for _ in 0..TRIES {
        let candidate = bits(rng, bound.bits());
        let below = sub_assign(&mut candidate.clone(), &limit);
        // A number that is not below is discarded. It is independent of those that follow.
        if declassify(bool::from(below)) {
            return Ok(candidate);
        }
    }
    Err(Error::Randomness)
}

impl Natural {
    /// A public number, uniform in `[0, bound)`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the bound is zero, [`Error::Randomness`] if the generator is broken.
    pub fn random_below(rng: &mut (impl CryptoRng + ?Sized), bound: &Self) -> Result<Self, Error> {
        Ok(Self::from_words(&below(rng, bound)?))
    }
}

impl SecretNatural {
    /// A secret uniform in `[0, bound)`, of the bound's length.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the bound is zero, [`Error::Randomness`] if the generator is broken.
    pub fn random_below(
        rng: &mut (impl CryptoRng + ?Sized),
        bound: &Natural,
    ) -> Result<Self, Error> {
        Ok(Self::from_words(&below(rng, bound)?, bound.bits()))
    }

    /// A secret uniform in `[0, 2^bits)`.
    #[must_use]
    pub fn random_bits(rng: &mut (impl CryptoRng + ?Sized), len: u32) -> Self {
        Self::from_words(&bits(rng, len), len)
    }
}

impl SecretInteger {
    /// A secret uniform among the `2^a` integers `-2^(a-1) <= z < 2^(a-1)`, of magnitude bound `a` bits.
    ///
    /// The set is the `±2^a = {|z| <= 2^(a-1)}` of the paper without its largest element, at statistical distance
    /// `2^-a` from it. For `a = 0` it is zero alone.
    #[must_use]
    pub fn random_half_range(rng: &mut (impl CryptoRng + ?Sized), a: u32) -> Self {
        let Some(top) = a.checked_sub(1) else {
            return Self::new(Choice::from(0), SecretNatural::from_words(&[0], 0));
        };
        let raised = SecretNatural::from_words(&bits(rng, a), a);
        let half = SecretNatural::new(Natural::power_of_two(top).as_uint().clone(), a);
        let (magnitude, below) = raised.abs_diff(&half);
        Self::new(below, magnitude)
    }
}
