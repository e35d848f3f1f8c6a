//! Montgomery's multiplication in 64-bit limbs, in safe Rust: the arithmetic under the portable kernel.
//!
//! With `R = 2^(64 L)` and `k0 = -n^-1 mod 2^64`, limb `i` of a product `t` is cleared by adding `q n 2^(64 i)` for
//! `q = t_i k0 mod 2^64`, since `t_i + q n_0 = 0 mod 2^64`. After `L` limbs the lower half is zero, and the upper half is
//! `t / R mod n`, below `2 n` if `t < n R`; one subtraction ends it. Constant time: lengths alone show.

#![allow(
    clippy::indexing_slicing,
    reason = "loops over slices whose lengths are taken first; a panic here is a bug of ours, no input's"
)]

use core::hint::black_box;

use crate::number::word::Carry;

/// Rows that are added at once. Each limb of the sum is then loaded and stored once for all of them. Four gain on 64-bit and
/// on 32-bit processors; more need more registers than most have.
const ROWS: usize = 4;

/// `acc += a * b`; returns the carry out.
#[inline(always)]
fn mul_add(acc: &mut [u64], a: &[u64], b: u64) -> u64 {
    let mut carry = 0;
    for (x, &y) in acc.iter_mut().zip(a) {
        (*x, carry) = y.mul_add_carry(b, *x, carry);
    }
    carry
}

/// Adds `a * b` and `above`, which begins at the lowest word of `acc`, to `acc`. Returns the words above `acc`.
#[inline(always)]
fn mul_add_rows(acc: &mut [u64], a: &[u64], b: [u64; ROWS], above: [u64; ROWS]) -> [u64; ROWS] {
    let [mut s0, mut s1, mut s2, mut s3] = above;
    let [b0, b1, b2, b3] = b;
    let mut carry;
    for (x, &y) in acc.iter_mut().zip(a) {
        (*x, carry) = y.mul_add_carry(b0, *x, s0);
        (s0, carry) = y.mul_add_carry(b1, s1, carry);
        (s1, carry) = y.mul_add_carry(b2, s2, carry);
        (s2, s3) = y.mul_add_carry(b3, s3, carry);
    }
    [s0, s1, s2, s3]
}

/// `out = a * b`; `out` is twice as long as each.
pub(crate) fn multiply(out: &mut [u64], a: &[u64], b: &[u64]) {
    let len = a.len();
    out[..len].fill(0);
    let (rows, last) = b.as_chunks::<ROWS>();
    let mut i = 0;
    for &row in rows {
        let above = mul_add_rows(&mut out[i..i + len], a, row, [0; ROWS]);
        out[i + len..i + len + ROWS].copy_from_slice(&above);
        i += ROWS;
    }
    for &word in last {
        out[i + len] = mul_add(&mut out[i..i + len], a, word);
        i += 1;
    }
}

/// `out = a^2`: each product of two different limbs once, doubled, then the squares of the limbs.
pub(crate) fn square(out: &mut [u64], a: &[u64]) {
    let len = a.len();
    out[..2 * len].fill(0);
    let (rows, last) = a.as_chunks::<ROWS>();
    let mut i = 0;
    for &row in rows {
        let (low, sum) = out[2 * i..i + len].split_at_mut(ROWS);
        let above = triangle(low, row);
        let above = mul_add_rows(sum, &a[i + ROWS..], row, above);
        out[i + len..i + len + ROWS].copy_from_slice(&above);
        i += ROWS;
    }
    for &word in last {
        out[i + len] = mul_add(&mut out[2 * i + 1..i + len], &a[i + 1..], word);
        i += 1;
    }
    double_add_squares(out, a);
}

/// Adds the products of two different limbs of `b` to `low`. Returns the words above it.
#[inline(always)]
fn triangle(low: &mut [u64], b: [u64; ROWS]) -> [u64; ROWS] {
    let [b0, b1, b2, b3] = b;
    let (mut s0, mut s1, s2);
    let mut carry;
    (low[1], carry) = b0.mul_add_carry(b1, low[1], 0);
    (low[2], carry) = b0.mul_add_carry(b2, low[2], carry);
    (low[3], s0) = b0.mul_add_carry(b3, low[3], carry);
    (low[3], carry) = b1.mul_add_carry(b2, low[3], 0);
    (s0, s1) = b1.mul_add_carry(b3, s0, carry);
    (s1, s2) = b2.mul_add_carry(b3, s1, 0);
    [s0, s1, s2, 0]
}

/// `out = 2 out`, and the squares of the limbs of `a`.
fn double_add_squares(out: &mut [u64], a: &[u64]) {
    let (mut top, mut carry) = (0, false);
    for (pair, &word) in out.chunks_exact_mut(2).zip(a) {
        let (low, high) = word.mul_add_carry(word, 0, 0);
        let doubled = [(pair[0] << 1) | top, (pair[1] << 1) | (pair[0] >> 63)];
        top = pair[1] >> 63;
        (pair[0], carry) = doubled[0].add_carry(low, carry);
        (pair[1], carry) = doubled[1].add_carry(high, carry);
    }
}

/// `out = product / R mod n`, below `n` if the product is below `n R`. The product is spent.
pub(crate) fn reduce(out: &mut [u64], product: &mut [u64], n: &[u64], k0: u64) {
    let len = n.len();
    let mut carry = false;
    let mut i = 0;
    while i + ROWS <= len {
        let q = quotients(&product[i..i + ROWS], n, k0);
        let above = mul_add_rows(&mut product[i..i + len], n, q, [0; ROWS]);
        for (x, y) in product[i + len..].iter_mut().zip(above) {
            (*x, carry) = x.add_carry(y, carry);
        }
        i += ROWS;
    }
    while i < len {
        let q = product[i].wrapping_mul(k0);
        let high = mul_add(&mut product[i..i + len], n, q);
        (product[i + len], carry) = product[i + len].add_carry(high, carry);
        i += 1;
    }
    subtract_if_large(out, &product[len..], n, carry);
}

/// The quotients that clear the words of `low`.
#[inline(always)]
fn quotients(low: &[u64], n: &[u64], k0: u64) -> [u64; ROWS] {
    let (mut low, mut q): ([u64; ROWS], _) = (core::array::from_fn(|i| low[i]), [0; ROWS]);
    for i in 0..ROWS {
        q[i] = low[i].wrapping_mul(k0);
        mul_add(&mut low[i..], n, q[i]);
    }
    q
}

/// `out = value`, less `n` if `carry`, which is the word above the value, or if the value is at least `n`.
pub(crate) fn subtract_if_large(out: &mut [u64], value: &[u64], n: &[u64], carry: bool) {
    let mut borrow = false;
    for ((z, x), &y) in out.iter_mut().zip(value).zip(n) {
        (*z, borrow) = x.sub_borrow(y, borrow);
    }
    // With a carry the value is at least `R > n`, and the subtraction borrows from the carry.
    let keep = black_box(u64::from(borrow & !carry)).wrapping_neg();
    for (z, x) in out.iter_mut().zip(value) {
        *z ^= keep & (*z ^ x);
    }
}

#[cfg(test)]
pub(crate) mod tests;
