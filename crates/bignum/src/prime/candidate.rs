//! Tests of primality, in constant time except as their comments state: the strong test of Miller and Rabin, and
//! the strong Lucas test with Selfridge's parameters. Together, the first to base 2, they are the test of Baillie
//! and PSW (Baillie and Wagstaff, "Lucas pseudoprimes", 1980).

use alloc::vec::Vec;

use quorate_declassify::declassify;
use rand_core::CryptoRng;
use subtle::{Choice, ConstantTimeEq};

use super::lucas::Lucas;
use super::ring::Ring;
use super::small;
use crate::engine::Engine;
use crate::error::Error;
use crate::modular::secret_modulus::SecretModulus;
use crate::number::limbs::Words;
use crate::number::limbs::{bit, sub_assign, widened};
use crate::number::natural::Natural;
use crate::number::random;
use crate::number::secret_natural::SecretNatural;

/// An odd number under test.
pub(super) struct Candidate {
    words: Words,
    modulus: SecretModulus,
    ring: Ring,
}

impl Candidate {
    /// # Errors
    /// The errors of [`SecretModulus::new`].
    pub(super) fn new(value: &SecretNatural) -> Result<Self, Error> {
        let modulus = SecretModulus::new(value)?;
        let ring = Ring::new(modulus.parameters())?;
        let words = value.to_words(modulus.parameters().words().len());
        Ok(Self { words, modulus, ring })
    }

    /// Twos in `n - 1`, in variable time.
    #[cfg(test)]
    pub(super) fn twos_vartime(&self) -> u32 {
        (1..self.modulus.bits()).find(|&k| bit(&self.words, k) == 1).unwrap_or(1)
    }

    /// A base in `[0, n)`, off uniform by less than `2^-128`: 128 bits more than `n` has, reduced.
    pub(super) fn random_base(&self, rng: &mut (impl CryptoRng + ?Sized)) -> SecretNatural {
        let bits = self.modulus.bits();
        let wide = SecretNatural::from_words(&random::bits(rng, bits + 128), bits + 128);
        self.modulus.reduce(&wide)
    }

    /// Returns whether `n` passes the strong test to every base, for up to `twos` factors 2 of `n - 1`. A prime
    /// with more of them may fail.
    ///
    /// With `n - 1 = 2^s t` that is: `a^t = 1`, or `a^(2^r t) = -1` for an `r` below `s`. The bits of `n - 1` above the
    /// lowest `twos` are the engine's work; the rest is done bit by bit with a look at each power, and whether the look
    /// counts is decided by masks: the time does not tell `s`. Bases 0, 1 and -1
    /// modulo `n` pass.
    pub(super) fn is_strong(
        &mut self,
        engine: &Engine,
        bases: &[SecretNatural],
        twos: u32,
    ) -> bool {
        let mut exponent = self.words.clone();
        // n is odd: this only clears its lowest bit.
        let _borrow = sub_assign(&mut exponent, &[1]);
        let head = shifted(&exponent, twos);
        let bits = self.modulus.bits().saturating_sub(twos).max(1);
        let bases: Vec<Words> = bases.iter().map(|base| base.to_words(exponent.len())).collect();
        // An engine that fails makes a prime of nothing.
        let Ok(powers) = engine.powers(&self.modulus, &bases, &head, bits) else { return false };
        let mut all = Choice::from(1);
        for (base, power) in bases.iter().zip(&powers) {
            let trivial = base.iter().fold(0, |all, w| all | w).ct_eq(&0);
            all &= trivial | self.strong_tail(base, power, &exponent, twos);
        }
        // A number that is not prime is refused.
        declassify(all.into())
    }

    fn strong_tail(&mut self, base: &[u64], power: &[u64], exponent: &[u64], twos: u32) -> Choice {
        let base = self.ring.enter(base);
        let mut power = self.ring.enter(power);
        let (one, zero) = (self.ring.one(), self.ring.zero());
        let mut minus_one = zero;
        self.ring.sub(&mut minus_one, &one);
        let mut times = self.ring.zero();
        let mut passed = Choice::from(0);
        for j in (1..=twos).rev() {
            let at_t = is_set(exponent, j);
            let hit = Ring::equal(&power, &minus_one) | (at_t & Ring::equal(&power, &one));
            passed |= hit & low_zero(exponent, j);
            self.ring.square(&mut power);
            times.copy_from_slice(&power);
            self.ring.mul(&mut times, &base);
            Ring::choose(&mut power, &times, is_set(exponent, j - 1));
        }
        passed
    }

    /// Returns whether `n` passes the strong Lucas test with Selfridge's parameters. `D` is the first of 5, -7,
    /// 9, -11, ... whose Jacobi symbol is -1, `P = 1`, and `Q = (1 - D) / 4`. With `n + 1 = 2^s d`, the test is:
    /// `U_d = 0`, or `V_(2^r d) = 0` for an `r` below `s`.
    ///
    /// The time tells which `D` it was and nothing else. A square, which has no such `D`, is found out on the way.
    pub(super) fn is_strong_lucas(&mut self) -> bool {
        let Some((d, negative)) = self.selfridge() else { return false };
        // n + 1; n is odd and its length leaves room or the carry is the next word.
        let mut index = widened(&self.words);
        let _carry = crate::number::limbs::add_assign(&mut index, &[1]);
        let mut lucas = Lucas::new(&mut self.ring, d, negative);
        let mut passed = Choice::from(0);
        for j in (1..=self.modulus.bits()).rev() {
            lucas.double(&mut self.ring);
            let odd = is_set(&index, j);
            lucas.next_if(&mut self.ring, odd);
            // Here k = (n + 1) >> j.
            let hit = Ring::is_zero(&lucas.v) | (odd & Ring::is_zero(&lucas.u));
            passed |= hit & low_zero(&index, j);
        }
        declassify(passed.into())
    }

    /// Selfridge's `D`, its magnitude and sign; nothing if `n` is a square or shares a factor with a `D`.
    fn selfridge(&self) -> Option<(u64, bool)> {
        let mut d = 5u32;
        loop {
            // All of these are 1 mod 4, so that (D / n) = (n / |D|).
            // Which D fits is all that shows.
            match declassify(small::secret_jacobi(small::residue(&self.words, d), d)) {
                -1 => return Some((u64::from(d), d & 3 == 3)),
                0 if self.exceeds(d) => return None,
                _ => {}
            }
            d = d.checked_add(2)?;
            // A number that is no square gets here once in 2^64 times.
            if d == 133 && self.is_square_vartime() {
                return None;
            }
        }
    }

    fn exceeds(&self, d: u32) -> bool {
        Natural::from_words(&self.words) > Natural::from(u64::from(d))
    }

    /// Returns whether `n` is a square, by Newton's iteration.
    fn is_square_vartime(&self) -> bool {
        let n = Natural::from_words(&self.words);
        let mut root = Natural::power_of_two(n.bits().div_ceil(2));
        while let Some((quotient, _)) = n.div_rem(&root) {
            let next = root.add(&quotient).shr(1);
            if next >= root {
                break;
            }
            root = next;
        }
        root.mul(&root) == n
    }
}

/// Returns whether a bit is set, as a choice.
fn is_set(words: &[u64], index: u32) -> Choice {
    bit(words, index).ct_eq(&1)
}

/// Returns whether the lowest `count` bits are zero.
fn low_zero(words: &[u64], count: u32) -> Choice {
    let mut seen = 0;
    for (k, word) in (0u32..).zip(words) {
        let bits = count.saturating_sub(64 * k).min(64);
        seen |= if bits == 0 { 0 } else { word << (64 - bits) };
    }
    seen.ct_eq(&0)
}

/// `value >> shift`.
pub(super) fn shifted(value: &[u64], shift: u32) -> Words {
    let (skip, bits) = ((shift >> 6) as usize, shift & 63);
    let word = |k: usize| value.get(k).copied().unwrap_or(0);
    let shifted = (skip..value.len()).map(|k| {
        let high = if bits == 0 { 0 } else { word(k + 1) << (64 - bits) };
        word(k) >> bits | high
    });
    Words::new(shifted.collect())
}
