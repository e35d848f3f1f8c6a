//! Inverses of secrets modulo odd numbers, in constant time, in memory that is wiped: Euclid's algorithm by division
//! steps (Bernstein and Yang, TCHES 2019), [`STEPS`] of them at a time on the lowest words alone.
//!
//! With `f = n` and `g = a` for an odd `n`, a division step is
//!
//! ```text
//! δ, f, g  ->  1 - δ, g, (g - f)/2             where δ > 0 and g is odd
//!              1 + δ, f, (g + (g mod 2) f)/2   otherwise
//! ```
//!
//! and after enough of them (theorem 11.2 there) `g` is zero and `f` the greatest common divisor or its negative. Beside
//! them `d` and `e` are kept, with `f = d a` and `g = e a` modulo `n`.

use alloc::vec;
use alloc::vec::Vec;

use quorate_declassify::declassify;
use zeroize::{Zeroize, Zeroizing};

use super::limbs::{Words, words_for};
use super::word::inverse_word;

/// The number of division steps in one matrix of words, and the number of bits in a limb.
const STEPS: u32 = 62;
const MASK: i64 = i64::MAX >> 1;

/// Limbs of [`STEPS`] bits, the lowest first; the highest carries the sign.
type Limbs = Zeroizing<Vec<i64>>;

/// The inverse of `a` modulo an odd `n > 1`, where `a < n`; nothing if they have a common factor. The
/// time shows `bits`, and whether there is an inverse. Both are below `2^bits`; the result has the words of that many bits.
pub(crate) fn inverse(a: &[u64], n: &[u64], bits: u32) -> Option<Words> {
    // Two bits more than the numbers have: d and e reach from -2 n to n.
    let len = (bits + 2).div_ceil(STEPS) as usize;
    let modulus = Modulus::new(n, len);
    let (mut f, mut g) = (modulus.limbs.clone(), split(a, len));
    let (mut d, mut e) = (Limbs::new(vec![0; len]), split(&[1], len));
    let mut minus_delta = -1;
    for _ in 0..steps(bits).div_ceil(STEPS) {
        let matrix = Matrix::of_steps(&mut minus_delta, low(&f), low(&g));
        matrix.apply(&mut f, &mut g);
        matrix.apply_modulo(&mut d, &mut e, &modulus);
    }
    minus_delta.zeroize();
    // f = ±1 if there is an inverse. Whether there is one is the result.
    let negative = sign(&f);
    negate_if(&mut f, negative);
    let rest = f.iter().skip(1).fold(low(&f) ^ 1, |rest, limb| rest | limb);
    if declassify(rest != 0) {
        return None;
    }
    modulus.add_if_negative(&mut d);
    negate_if(&mut d, negative);
    modulus.add_if_negative(&mut d);
    Some(join(&d, words_for(bits)))
}

/// The number of steps that suffice for numbers of `bits` bits.
const fn steps(bits: u32) -> u32 {
    (49 * bits + if bits < 46 { 80 } else { 57 }).div_ceil(17)
}

fn low(limbs: &[i64]) -> i64 {
    limbs.first().copied().unwrap_or(0)
}

/// A mask of all ones if the number is below zero, else zero.
fn sign(limbs: &[i64]) -> i64 {
    limbs.last().map_or(0, |top| top >> 63)
}

/// A number as limbs.
fn split(value: &[u64], len: usize) -> Limbs {
    let limb = |k: u32| {
        let (word, shift) = (((k * STEPS) >> 6) as usize, (k * STEPS) & 63);
        let low = value.get(word).map_or(0, |w| w >> shift);
        let high =
            if shift == 0 { 0 } else { value.get(word + 1).map_or(0, |w| w << (64 - shift)) };
        (low | high).cast_signed() & MASK
    };
    let mut out = Limbs::new(vec![0; len]);
    out.iter_mut().zip(0..).for_each(|(to, k)| *to = limb(k));
    out
}

/// A number that is not negative, as words.
fn join(limbs: &[i64], len: usize) -> Words {
    let mut out = Words::new(vec![0; len]);
    for (limb, k) in limbs.iter().zip(0u32..) {
        let (word, shift) = (((k * STEPS) >> 6) as usize, (k * STEPS) & 63);
        if let Some(to) = out.get_mut(word) {
            *to |= limb.cast_unsigned() << shift;
        }
        if shift + STEPS > 64
            && let Some(to) = out.get_mut(word + 1)
        {
            *to |= limb.cast_unsigned() >> (64 - shift);
        }
    }
    out
}

/// Reduces the limbs to their length. The highest takes the rest.
fn carry(limbs: &mut [i64]) {
    let Some((top, rest)) = limbs.split_last_mut() else { return };
    let mut carry = 0;
    for limb in rest {
        let sum = limb.wrapping_add(carry);
        *limb = sum & MASK;
        carry = sum >> STEPS;
    }
    *top = top.wrapping_add(carry);
}

/// The negative where `mask` is all ones.
fn negate_if(limbs: &mut [i64], mask: i64) {
    limbs.iter_mut().for_each(|limb| *limb = (*limb ^ mask).wrapping_sub(mask));
    carry(limbs);
}

/// A modulus with the inverse of its lowest limb.
struct Modulus {
    limbs: Limbs,
    /// `n^-1 mod 2^STEPS`
    inverse: Zeroizing<i64>,
}

impl Modulus {
    fn new(n: &[u64], len: usize) -> Self {
        let inverse = n.first().map_or(0, |&word| inverse_word(word));
        Self { limbs: split(n, len), inverse: Zeroizing::new(inverse.cast_signed() & MASK) }
    }

    fn add_if_negative(&self, limbs: &mut [i64]) {
        let mask = sign(limbs);
        for (limb, n) in limbs.iter_mut().zip(self.limbs.iter()) {
            *limb = limb.wrapping_add(n & mask);
        }
        carry(limbs);
    }
}

/// The matrix of [`STEPS`] division steps: `2^STEPS (f', g') = (u f + v g, q f + r g)`, where `|u| + |v|` and `|q| + |r|` are at
/// most `2^STEPS`.
struct Matrix {
    u: i64,
    v: i64,
    q: i64,
    r: i64,
}

impl Drop for Matrix {
    fn drop(&mut self) {
        [&mut self.u, &mut self.v, &mut self.q, &mut self.r].into_iter().for_each(Zeroize::zeroize);
    }
}

impl Matrix {
    /// The steps on numbers with these lowest limbs.
    fn of_steps(minus_delta: &mut i64, f: i64, g: i64) -> Self {
        let (mut f, mut g) = (f, g);
        let (mut u, mut v, mut q, mut r) = (1i64, 0i64, 0i64, 1i64);
        for _ in 0..STEPS {
            // All ones where δ > 0, and where g is odd.
            let positive = *minus_delta >> 63;
            let odd = (g & 1).wrapping_neg();
            // Where g is odd, g - f or g + f.
            let signed = |x: i64| (x ^ positive).wrapping_sub(positive) & odd;
            g = g.wrapping_add(signed(f));
            q = q.wrapping_add(signed(u));
            r = r.wrapping_add(signed(v));
            // Where both hold, f + (g - f), which is g; and 1 - δ.
            let swap = positive & odd;
            *minus_delta = (*minus_delta ^ swap).wrapping_sub(1).wrapping_sub(swap);
            f = f.wrapping_add(g & swap);
            u = u.wrapping_add(q & swap);
            v = v.wrapping_add(r & swap);
            // Instead of halving the second row, the first is doubled.
            g >>= 1;
            u = u.wrapping_shl(1);
            v = v.wrapping_shl(1);
        }
        Self { u, v, q, r }
    }

    /// `f` and `g`, exactly.
    fn apply(&self, f: &mut [i64], g: &mut [i64]) {
        let (mut cf, mut cg) = (0i128, 0i128);
        let len = f.len();
        for k in 0..=len {
            let (x, y) = (at(f, k), at(g, k));
            cf += wide(self.u, x) + wide(self.v, y);
            cg += wide(self.q, x) + wide(self.r, y);
            put(f, k, len, &mut cf);
            put(g, k, len, &mut cg);
        }
    }

    /// `d` and `e`, both from -2 n to n, modulo `n`: a multiple of `n` makes the sums divisible.
    fn apply_modulo(&self, d: &mut [i64], e: &mut [i64], n: &Modulus) {
        let (sd, se) = (sign(d), sign(e));
        let multiple = |x: i64, y: i64| {
            // n once for each factor whose number is below zero, which keeps the range.
            let start = (x & sd).wrapping_add(y & se);
            let sum = x.wrapping_mul(low(d)).wrapping_add(y.wrapping_mul(low(e)));
            let rest = sum.wrapping_mul(*n.inverse).wrapping_add(start) & MASK;
            start.wrapping_sub(rest)
        };
        let (md, me) = (multiple(self.u, self.v), multiple(self.q, self.r));
        let (mut cd, mut ce) = (0i128, 0i128);
        let len = d.len();
        for k in 0..=len {
            let (x, y, m) = (at(d, k), at(e, k), at(&n.limbs, k));
            cd += wide(self.u, x) + wide(self.v, y) + wide(m, md);
            ce += wide(self.q, x) + wide(self.r, y) + wide(m, me);
            put(d, k, len, &mut cd);
            put(e, k, len, &mut ce);
        }
    }
}

fn at(limbs: &[i64], k: usize) -> i64 {
    limbs.get(k).copied().unwrap_or(0)
}

fn wide(a: i64, b: i64) -> i128 {
    i128::from(a) * i128::from(b)
}

/// Puts the lowest bits of a sum into the limb below `k`, the lowest being zero; the highest limb takes all of it.
#[allow(
    clippy::cast_possible_truncation,
    reason = "the low bits are what is wanted; the highest limb is short"
)]
fn put(limbs: &mut [i64], k: usize, len: usize, sum: &mut i128) {
    if let Some(below) = k.checked_sub(1)
        && let Some(limb) = limbs.get_mut(below)
    {
        *limb = if k == len { *sum as i64 } else { *sum as i64 & MASK };
    }
    *sum >>= STEPS;
}
