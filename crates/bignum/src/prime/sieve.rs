//! The sieve: which places of a window can hold a prime.
//!
//! A window is a run of numbers `k, k + 1, ...`; for a place `k` the candidates are linear in `k` ([`Family`]). Each
//! small prime rules out one place in `r` per candidate. What takes the time is the residue of the long number `k` for
//! each of several hundred thousand primes: it is divided exactly, from its lowest word up, by two primes at once,
//! two multiplications a word.
//!
//! The time depends on the residues of the start, which decide how many places are ruled out, and on nothing else of it.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::family::Family;
use super::small;
use crate::modulus::inverse_word;

/// Two primes `r` and `s` and what the division by their product needs.
struct Divisor {
    r: u32,
    s: u32,
    /// `2^(64 (W + 2)) mod r s`, for starts of `W` words.
    factor: u64,
}

/// The primes, for starts of one length.
pub(super) struct Sieve {
    family: Family,
    divisors: Vec<Divisor>,
    window: u32,
}

/// A number of two words, the upper below `d`, divided by `2^64` modulo `d`; `inverse` is that of `d`.
#[inline(always)]
fn redc(low: u64, high: u64, d: u64, inverse: u64) -> u64 {
    let (_, m) = low.wrapping_mul(inverse).carrying_mul(d, 0);
    let (out, borrow) = high.overflowing_sub(m);
    out.wrapping_add(d & u64::from(borrow).wrapping_neg())
}

impl Divisor {
    fn new(r: u32, s: u32, words: u32) -> Self {
        let d = u64::from(r) * u64::from(s);
        Self { r, s, factor: power(d, words) }
    }

    /// The start modulo `r` and `s`.
    #[inline(always)]
    fn residues(&self, start: &[u64]) -> (u64, u64) {
        let (r, s) = (u64::from(self.r), u64::from(self.s));
        let d = r * s;
        let inverse = inverse_word(d);
        // After each word, the words so far are -c 2^(64 j) modulo d.
        let mut c = 0u64;
        for &word in start {
            let (t, borrow) = word.overflowing_sub(c);
            let (_, high) = t.wrapping_mul(inverse).carrying_mul(d, 0);
            c = high.wrapping_add(u64::from(borrow));
        }
        let (low, high) = c.carrying_mul(self.factor, 0);
        let x = redc(low, high, d, inverse);
        // x = -start 2^64, and one more division of either prime turns the sign.
        let last = |p: u64, other: u64| x.wrapping_mul(inverse.wrapping_mul(other)).carrying_mul(p, 0).1;
        (last(r, s), last(s, r))
    }
}

/// `2^(64 (words + 2)) mod d`.
#[allow(clippy::integer_division_remainder_used, reason = "d is a product of primes")]
fn power(d: u64, words: u32) -> u64 {
    let inverse = inverse_word(d);
    // 2^(64 + e) for e = words + 1, in pieces that don't overflow; then e doubles six times under 2^64.
    let mut out = (u64::MAX % d) + 1;
    let room = d.leading_zeros();
    let mut left = words + 1;
    while left > 0 {
        let step = left.min(room.max(1));
        out = if room == 0 { double(out, d) } else { (out << step) % d };
        left -= step;
    }
    for _ in 0..6 {
        let (low, high) = out.carrying_mul(out, 0);
        out = redc(low, high, d, inverse);
    }
    out
}

/// `2 a mod d` for `a < d`.
fn double(a: u64, d: u64) -> u64 {
    let (out, carry) = a.overflowing_add(a);
    if carry || out >= d { out.wrapping_sub(d) } else { out }
}

impl Sieve {
    /// The sieve with the primes below `2^bound`, at most `2^31`, over windows of `window` places that start at numbers
    /// of `words` words.
    pub(super) fn new(family: Family, bound: u32, window: u32, words: u32) -> Self {
        let primes: Vec<u32> = small::odd_primes(1 << bound).into_iter().filter(|&p| p >= family.least()).collect();
        let divisors = primes
            .chunks(2)
            .filter_map(|pair| {
                let (&r, last) = (pair.first()?, pair.last()?);
                // A prime left over goes with one that is there already.
                let s = if pair.len() == 2 { *last } else { *primes.first()? };
                Some(Divisor::new(r, s, words))
            })
            .collect();
        Self { family, divisors, window }
    }

    /// The places that are left in the window from `start` on, rising.
    pub(super) fn survivors(&self, start: &[u64]) -> Zeroizing<Vec<u32>> {
        let mut marks = Zeroizing::new(vec![0u8; self.window as usize]);
        for divisor in &self.divisors {
            let (x, y) = divisor.residues(start);
            for (r, residue) in [(divisor.r, x), (divisor.s, y)] {
                for place in self.family.places(u64::from(r), residue) {
                    mark(&mut marks, place, r);
                }
            }
        }
        let left = marks.iter().filter(|&&m| m == 0).count();
        let mut out = Zeroizing::new(Vec::with_capacity(left));
        out.extend((0u32..).zip(marks.iter()).filter(|&(_, &m)| m == 0).map(|(place, _)| place));
        out
    }
}

/// Rules out a place and every `r`-th after it.
#[inline(always)]
fn mark(marks: &mut [u8], place: u64, r: u32) {
    let mut at = usize::try_from(place).unwrap_or(usize::MAX);
    while let Some(mark) = marks.get_mut(at) {
        *mark = 1;
        at += r as usize;
    }
}
