//! Small primes, and a number's residues modulo small numbers.

use alloc::vec;
use alloc::vec::Vec;

use subtle::{ConditionallySelectable, ConstantTimeEq};

use crate::number::limbs::words_for;
use crate::number::natural::Natural;
use crate::number::word::{Carry, inverse_word};

/// Odd numbers in a piece of the sieve, so that it stays in the nearest cache.
const PIECE: usize = 1 << 15;

/// The odd primes below `limit`, by Eratosthenes' sieve over odd numbers, piece by piece.
pub(super) fn odd_primes(limit: u32) -> Vec<u32> {
    let mut root = 1;
    while root * root < limit {
        root += 1;
    }
    let mut base: Vec<(usize, usize)> = simple(root).into_iter().map(first_multiple).collect();
    let mut out = Vec::new();
    let mut piece = vec![0u8; PIECE];
    let mut found = vec![0u32; PIECE];
    let mut low = 1u32;
    while low < limit {
        piece.fill(0);
        for (prime, next) in &mut base {
            let mut at = *next;
            while let Some(mark) = piece.get_mut(at) {
                *mark = 1;
                at += *prime;
            }
            *next = at - PIECE;
        }
        // Without a branch: each number is written, and the next one over it unless it was a prime.
        let mut count = 0;
        for (n, &mark) in (low..limit).step_by(2).zip(&piece) {
            if let Some(place) = found.get_mut(count) {
                *place = n;
            }
            count += usize::from(mark == 0);
        }
        out.extend(found.iter().take(count).filter(|&&n| n > 1));
        low = low.saturating_add(1 << 16);
    }
    out
}

/// Returns whether a number other than zero has a prime factor below `limit`, at most `2^16`. The number is public.
///
/// An odd number has one if and only if it has a factor in common with the product of these primes, whose residue is made a
/// word at a time, over a power of two.
#[must_use]
pub fn has_factor_below(value: &Natural, limit: u32) -> bool {
    if !value.is_odd() {
        return true;
    }
    let len = words_for(value.bits());
    // A word more: residues stay below 2^11 times the number, since a product of four primes is below 2^64 - 2^54.
    let n = value.to_words(len + 1);
    let k0 = n.first().map_or(0, |&low| inverse_word(low).wrapping_neg());
    let mut product = vec![0; len + 1];
    product.iter_mut().take(1).for_each(|low| *low = 1);
    for primes in odd_primes(limit.min(1 << 16)).chunks(4) {
        let factor = primes.iter().fold(1u64, |factor, &p| factor.wrapping_mul(u64::from(p)));
        times_word(&mut product, factor, (&n, k0));
    }
    Natural::from_words(&product).gcd(value) != Natural::one()
}

/// `value = value factor / 2^64` modulo `n`, below `value factor / 2^64 + n`: a step of Montgomery's multiplication. `k0` is
/// `-1 / n` modulo `2^64`.
fn times_word(value: &mut [u64], factor: u64, (n, k0): (&[u64], u64)) {
    let quotient = value.first().map_or(0, |low| low.wrapping_mul(factor).wrapping_mul(k0));
    let (mut above, mut carry) = (0, 0);
    let mut below = None;
    for (word, &n) in value.iter_mut().zip(n) {
        let (low, sum);
        (low, above) = word.mul_carry(factor, above);
        (sum, carry) = n.mul_add_carry(quotient, low, carry);
        // The lowest word of the sum is zero and goes, and all others move one place down.
        if let Some(to) = below.replace(word) {
            *to = sum;
        }
    }
    if let Some(top) = below {
        *top = above.wrapping_add(carry);
    }
}

/// The place of `p^2` among the odd numbers, from which on `p` marks.
fn first_multiple(p: u32) -> (usize, usize) {
    (p as usize, ((p * p) >> 1) as usize)
}

/// The odd primes up to `limit`, by trial division.
fn simple(limit: u32) -> Vec<u32> {
    let mut out: Vec<u32> = Vec::new();
    for n in (3..=limit).step_by(2) {
        if out.iter().take_while(|&&p| p * p <= n).all(|&p| !n.is_multiple_of(p)) {
            out.push(n);
        }
    }
    out
}

/// A secret number modulo a small public one that is not zero, in time that depends only on the length. It uses
/// no division, since compilers branch on the size of the dividend.
#[allow(clippy::integer_division_remainder_used, reason = "the callers' moduli are not zero")]
pub(super) fn residue(words: &[u64], modulus: u32) -> u64 {
    let modulus = u64::from(modulus.max(1));
    let reciprocal = u64::MAX / modulus;
    let halves = words.iter().rev().flat_map(|w| [w >> 32, w & 0xffff_ffff]);
    halves.fold(0, |rest, half| {
        // Barrett: the reciprocal is at most 1 below 2^64 / modulus, so the quotient is at most 2 below the true one.
        let value = rest << 32 | half;
        let (_, quotient) = value.mul_carry(reciprocal, 0);
        let rest = value.wrapping_sub(quotient.wrapping_mul(modulus));
        reduced_once(reduced_once(rest, modulus), modulus)
    })
}

/// `value - modulus`, or `value` if that is below zero.
fn reduced_once(value: u64, modulus: u64) -> u64 {
    let (less, borrow) = value.overflowing_sub(modulus);
    less.wrapping_add(modulus & core::hint::black_box(u64::from(borrow)).wrapping_neg())
}

/// The Jacobi symbol of a secret residue of a public odd `n`. It reads the symbols of all residues.
pub(super) fn secret_jacobi(residue: u64, n: u32) -> i8 {
    let n = u64::from(n);
    // 1 is added to each symbol, so that it is a number to select.
    let symbol = (0..n).fold(0u8, |mut found, a| {
        found.conditional_assign(&jacobi(a, n).wrapping_add(1).cast_unsigned(), a.ct_eq(&residue));
        found
    });
    symbol.cast_signed().wrapping_sub(1)
}

/// The Jacobi symbol of small public numbers, for an odd `n`.
#[allow(clippy::integer_division_remainder_used, reason = "n is odd, hence not zero")]
pub(super) fn jacobi(a: u64, n: u64) -> i8 {
    let (mut a, mut n, mut sign) = (a % n, n, 1);
    while a != 0 {
        let twos = a.trailing_zeros();
        a >>= twos;
        if twos & 1 == 1 && matches!(n & 7, 3 | 5) {
            sign = -sign;
        }
        if a & n & 2 != 0 {
            sign = -sign;
        }
        (a, n) = (n % a, a);
    }
    if n == 1 { sign } else { 0 }
}
