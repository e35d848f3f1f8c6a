//! Greatest common divisors, inverses and Jacobi symbols of public numbers, by Euclid's algorithm with Lehmer's
//! shortcut: the leading 128 bits give a matrix of words that stands for some thirty divisions, and the whole numbers
//! are touched once a matrix.
//!
//! The algorithms here take variable time.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::limbs::bits_vartime;
use super::natural::Natural;
use super::word::Carry;

mod lehmer;

use lehmer::{Matrix, Symbol};

impl Natural {
    /// The greatest common divisor. Variable time.
    #[must_use]
    pub fn gcd(&self, other: &Self) -> Self {
        let mut pair = Pair::new(self, other);
        pair.run(&mut ());
        Self::from_words(&pair.a)
    }
}

/// The inverse of `a` modulo an odd `n > 1`, if they have no common factor.
pub(crate) fn inverse_vartime(a: &Natural, n: &Natural) -> Option<Natural> {
    let mut pair = Pair::new(n, a);
    let mut factors = Factors { of_a: Vec::new(), of_b: vec![1], a_negative: true };
    pair.run(&mut factors);
    if bits_vartime(&pair.a) != 1 {
        return None;
    }
    let factor = Natural::from_words(&factors.of_a);
    if factors.a_negative { n.checked_sub(&factor) } else { Some(factor) }
}

/// The Jacobi symbol `(a / n)` for an odd `n`.
pub(crate) fn jacobi_vartime(a: &Natural, n: &Natural) -> i8 {
    let mut pair = Pair::new(a, n);
    let low = |words: &[u64]| words.first().map_or(0, |w| w & 7);
    let mut symbol = Symbol { a: low(&pair.a), b: low(&pair.b), a_below: false, negative: false };
    pair.run(&mut symbol);
    match (bits_vartime(&pair.a), symbol.negative) {
        (1, false) => 1,
        (1, true) => -1,
        _ => 0,
    }
}

/// A value kept up to date beside the two numbers.
trait Companion {
    /// The numbers changed places.
    fn swap(&mut self);
    /// `a -= q b`.
    fn subtract(&mut self, q: &[u64]);
    /// A matrix was applied.
    fn apply(&mut self, matrix: &Matrix);
    /// The symbol, which follows each quotient rather than each matrix.
    fn symbol(&mut self) -> Option<&mut Symbol> {
        None
    }
}

impl Companion for () {
    fn swap(&mut self) {}
    fn subtract(&mut self, _: &[u64]) {}
    fn apply(&mut self, _: &Matrix) {}
}

impl Companion for Symbol {
    fn swap(&mut self) {
        Symbol::swap(self);
    }

    fn subtract(&mut self, q: &[u64]) {
        Symbol::subtract(self, q.first().map_or(0, |w| w & 7));
    }

    fn apply(&mut self, _: &Matrix) {}

    fn symbol(&mut self) -> Option<&mut Symbol> {
        Some(self)
    }
}

/// Numbers `s` and `t` with `a = ±s x` and `b = ∓t x` modulo `n`, for the `x` that is inverted. The signs stay opposite,
/// so that only sums are made; by the determinant, `a t + b s = n`, and neither outgrows `n`.
struct Factors {
    of_a: Vec<u64>,
    of_b: Vec<u64>,
    a_negative: bool,
}

impl Companion for Factors {
    fn swap(&mut self) {
        core::mem::swap(&mut self.of_a, &mut self.of_b);
        self.a_negative = !self.a_negative;
    }

    fn subtract(&mut self, q: &[u64]) {
        let product = Natural::from_words(q).mul(&Natural::from_words(&self.of_b));
        let sum = Natural::from_words(&self.of_a).add(&product);
        self.of_a = sum.to_words(sum.bits().div_ceil(64) as usize);
    }

    fn apply(&mut self, m: &Matrix) {
        let len = self.of_a.len().max(self.of_b.len()) + 1;
        self.of_a.resize(len, 0);
        self.of_b.resize(len, 0);
        let (mut ua, mut va, mut ub, mut vb) = (0, 0, 0, 0);
        let (mut ca, mut cb) = (false, false);
        for (a, b) in self.of_a.iter_mut().zip(&mut self.of_b) {
            let (x, y) = (*a, *b);
            let (p, q);
            (p, ua) = m.u0.mul_carry(x, ua);
            (q, va) = m.v0.mul_carry(y, va);
            (*a, ca) = p.add_carry(q, ca);
            let (p, q);
            (p, ub) = m.u1.mul_carry(x, ub);
            (q, vb) = m.v1.mul_carry(y, vb);
            (*b, cb) = p.add_carry(q, cb);
        }
        // Two products of one word more than before: their sum may have another bit.
        for (words, carry) in [(&mut self.of_a, ca), (&mut self.of_b, cb)] {
            if carry {
                words.push(1);
            }
            trim(words);
        }
    }
}

/// The two numbers, without leading zero words.
struct Pair {
    a: Vec<u64>,
    b: Vec<u64>,
}

fn trim(words: &mut Vec<u64>) {
    while words.last() == Some(&0) {
        words.pop();
    }
}

fn trimmed(value: &Natural) -> Vec<u64> {
    value.to_words(value.bits().div_ceil(64) as usize)
}

/// The two words below word `top`, `shift` bits further down: 128 bits of a number.
fn leading(words: &[u64], top: usize, shift: u32) -> u128 {
    let word = |below: usize| {
        top.checked_sub(below).and_then(|k| words.get(k)).copied().map_or(0, u128::from)
    };
    let high = word(1) << 64 | word(2);
    if shift == 0 { high } else { high << shift | word(3) >> (64 - shift) }
}

impl Pair {
    fn new(a: &Natural, b: &Natural) -> Self {
        Self { a: trimmed(a), b: trimmed(b) }
    }

    /// Euclid's algorithm: ends with the greatest common divisor in `a` and zero in `b`.
    fn run(&mut self, companion: &mut impl Companion) {
        loop {
            if self.is_below() {
                core::mem::swap(&mut self.a, &mut self.b);
                companion.swap();
            }
            if self.b.is_empty() {
                return;
            }
            if self.a.len() == 1 {
                return self.finish(companion);
            }
            let top = self.a.len();
            let shift = self.a.last().map_or(0, |w| w.leading_zeros());
            let (x, y) = (leading(&self.a, top, shift), leading(&self.b, top, shift));
            let matrix = lehmer::double(x, y, companion.symbol());
            if matrix.is_one() {
                self.divide(companion);
            } else {
                self.apply(&matrix);
                companion.apply(&matrix);
            }
        }
    }

    fn is_below(&self) -> bool {
        let lengths = self.a.len().cmp(&self.b.len());
        lengths.then_with(|| self.a.iter().rev().cmp(self.b.iter().rev())) == Ordering::Less
    }

    /// The end, on single words.
    fn finish(&mut self, companion: &mut impl Companion) {
        let word = |words: &[u64]| words.first().copied().unwrap_or(0);
        let (matrix, divisor, in_b) =
            lehmer::single(word(&self.a), word(&self.b), companion.symbol());
        companion.apply(&matrix);
        if in_b {
            companion.swap();
        }
        self.a = vec![divisor];
        self.b.clear();
    }

    /// One division of the whole numbers, where the leading words are too far apart.
    fn divide(&mut self, companion: &mut impl Companion) {
        let (a, b) = (Natural::from_words(&self.a), Natural::from_words(&self.b));
        if let Some((q, rest)) = a.div_rem(&b) {
            companion.subtract(&trimmed(&q));
            self.a = trimmed(&rest);
        }
    }

    fn apply(&mut self, m: &Matrix) {
        self.b.resize(self.a.len(), 0);
        let (mut ua, mut va, mut ub, mut vb) = (0, 0, 0, 0);
        let (mut ca, mut cb) = (false, false);
        for (a, b) in self.a.iter_mut().zip(&mut self.b) {
            let (x, y) = (*a, *b);
            let (p, q);
            (p, ua) = m.u0.mul_carry(x, ua);
            (q, va) = m.v0.mul_carry(y, va);
            (*a, ca) = p.sub_borrow(q, ca);
            let (p, q);
            (p, ub) = m.u1.mul_carry(x, ub);
            (q, vb) = m.v1.mul_carry(y, vb);
            (*b, cb) = q.sub_borrow(p, cb);
        }
        trim(&mut self.a);
        trim(&mut self.b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of two products at their largest have a bit more than their words.
    #[test]
    fn factors_grow_by_a_bit() {
        let full = vec![u64::MAX; 3];
        let mut factors = Factors { of_a: full.clone(), of_b: full.clone(), a_negative: true };
        let (u0, v0, u1, v1) = (u64::MAX, u64::MAX, u64::MAX, 1);
        factors.apply(&Matrix { u0, v0, u1, v1 });
        let full = Natural::from_words(&full);
        let times = |word: u64| full.mul(&Natural::from(word));
        assert_eq!(Natural::from_words(&factors.of_a), times(u0).add(&times(v0)));
        assert_eq!(Natural::from_words(&factors.of_b), times(u1).add(&times(v1)));
    }
}
