//! The sieve, which finds the places of a window that can hold a prime.
//!
//! A window is a run of numbers `k, k + 1, ...`. For a place `k` the candidates are linear in `k` ([`Family`]).
//! Each small prime rules out one place in `r` per candidate. Most of the time goes into the residues of the long
//! number `k` for several hundred thousand primes. It is divided exactly, from its lowest word up, by two primes
//! at once, with two multiplications a word.
//!
//! **Neither the time nor the addresses are independent of the secret start.** Its residues decide how many
//! places are ruled out, and which. Each write to the window goes to an address that is a residue of the start.
//! An attacker that sees the addresses, and not only the total time, learns residues of the primes that are found
//! in the window. The residues themselves are computed in constant time.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::family::Family;
use super::small;
use crate::number::word::Carry;
use crate::number::word::inverse_word;

/// Two primes `r` and `s`, and the constant of the division by their product.
#[derive(Clone, Copy)]
struct Divisor {
    r: u32,
    s: u32,
    /// `2^(64 (W + 2)) mod r s`, for starts of `W` words.
    factor: u64,
}

/// The primes, for starts of one length.
pub(super) struct Sieve {
    family: Family,
    divisors: Vec<[Divisor; 4]>,
    window: u32,
}

/// A number of two words, the upper below `d`, divided by `2^64` modulo `d`; `inverse` is that of `d`.
#[inline(always)]
fn redc(low: u64, high: u64, d: u64, inverse: u64) -> u64 {
    let (_, m) = low.wrapping_mul(inverse).mul_carry(d, 0);
    let (out, borrow) = high.overflowing_sub(m);
    out.wrapping_add(d & u64::from(borrow).wrapping_neg())
}

impl Divisor {
    fn new(r: u32, s: u32, words: u32) -> Self {
        let d = u64::from(r) * u64::from(s);
        Self { r, s, factor: power(d, words) }
    }
}

/// The start modulo both primes of four divisors. Each is a long chain of multiplications that wait for one another, so
/// that four at once take little longer than one.
#[inline(always)]
fn residues(divisors: &[Divisor; 4], start: &[u64]) -> [(u64, u64); 4] {
    let products = divisors.each_ref().map(|pair| u64::from(pair.r) * u64::from(pair.s));
    let inverses = products.map(inverse_word);
    // After each word, the words so far are -c 2^(64 j) modulo the divisor.
    let mut all = [0u64; 4];
    for &word in start {
        for ((c, d), inverse) in all.iter_mut().zip(products).zip(inverses) {
            let (t, borrow) = word.overflowing_sub(*c);
            let (_, high) = t.wrapping_mul(inverse).mul_carry(d, 0);
            *c = high.wrapping_add(u64::from(borrow));
        }
    }
    let mut out = [(0, 0); 4];
    for ((((out, pair), c), d), inverse) in
        out.iter_mut().zip(divisors).zip(all).zip(products).zip(inverses)
    {
        let (low, high) = c.mul_carry(pair.factor, 0);
        let x = redc(low, high, d, inverse);
        // x = -start 2^64, and one more division of either prime turns the sign.
        let last = |p: u32, other: u32| {
            x.wrapping_mul(inverse.wrapping_mul(u64::from(other))).mul_carry(u64::from(p), 0).1
        };
        *out = (last(pair.r, pair.s), last(pair.s, pair.r));
    }
    out
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
        let (low, high) = out.mul_carry(out, 0);
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
        let primes: Vec<u32> =
            small::odd_primes(1 << bound).into_iter().filter(|&p| p >= family.least()).collect();
        // Primes missing in the last divisors are made up by ones that are there already.
        let filled = primes.len().next_multiple_of(8);
        let mut all = primes.iter().copied().cycle().take(filled);
        let mut pair = || Some(Divisor::new(all.next()?, all.next()?, words));
        let divisors = core::iter::from_fn(|| Some([pair()?, pair()?, pair()?, pair()?])).collect();
        Self { family, divisors, window }
    }

    /// The places that are left in the window from `start` on, rising.
    pub(super) fn survivors(&self, start: &[u64]) -> Zeroizing<Vec<u32>> {
        let mut marks = Zeroizing::new(vec![0u8; self.window as usize + 1]);
        for four in &self.divisors {
            for (divisor, (x, y)) in four.iter().zip(residues(four, start)) {
                self.rule_out(&mut marks, divisor.r, x);
                self.rule_out(&mut marks, divisor.s, y);
            }
        }
        if let Some(last) = marks.last_mut() {
            *last = 1;
        }
        let left = marks.iter().filter(|&&m| m == 0).count();
        let mut out = Zeroizing::new(Vec::with_capacity(left));
        out.extend((0u32..).zip(marks.iter()).filter(|&(_, &m)| m == 0).map(|(place, _)| place));
        out
    }
}

impl Sieve {
    /// Rules out the places of a prime.
    #[inline(always)]
    fn rule_out(&self, marks: &mut [u8], r: u32, residue: u64) {
        let places = self.family.places(u64::from(r), residue);
        if r < self.window {
            places.into_iter().for_each(|place| mark_all(marks, place, r));
        } else {
            places.into_iter().for_each(|place| mark_one(marks, place));
        }
    }
}

/// Rules out a place and every `r`-th after it.
#[inline(always)]
fn mark_all(marks: &mut [u8], place: u64, r: u32) {
    let mut at = usize::try_from(place).unwrap_or(usize::MAX);
    while let Some(mark) = marks.get_mut(at) {
        *mark = 1;
        at += r as usize;
    }
}

/// Rules out a place if the window has it. The last mark stands for no place, and takes all writes beyond the
/// window, so that there is no branch to guess.
#[inline(always)]
fn mark_one(marks: &mut [u8], place: u64) {
    let last = marks.len().saturating_sub(1);
    if let Some(mark) = marks.get_mut(usize::try_from(place).unwrap_or(usize::MAX).min(last)) {
        *mark = 1;
    }
}
