//! Products in columns and their reduction, with Karatsuba's method for long ones.
//!
//! Karatsuba's sums of limbs need no carry: two or three levels stay far below the 32 bits of a factor, and columns
//! may wrap on the way, since they are only added and subtracted and the result fits.

use super::rows::{MAX_ROWS, add, add_assign, carry_all, carry_once, clear, next_rows, sub_assign};
use super::vector::{LIMBS_WITHOUT_CARRY, V};
use core::arch::x86_64::_mm256_setzero_si256;

/// From this many limbs Karatsuba's method is the faster one (measured), for a product, a square, and the steps of a
/// reduction.
const PRODUCT: usize = 44;
const SQUARE: usize = 76;
const REDUCTION: usize = 112;

/// Vectors of scratch space for a product or square of this many limbs.
const fn product_scratch(limbs: usize) -> usize {
    4 * limbs + 24
}

/// Vectors of scratch space for a Montgomery product: its columns, the quotient, and the inner products.
pub(super) const fn scratch_len(limbs: usize) -> usize {
    3 * limbs + product_scratch(limbs) + MAX_ROWS
}

/// Where to cut numbers of `limbs` limbs, an even number, in two: the low part is even and no shorter.
fn half(limbs: usize) -> usize {
    (limbs + 3) >> 2 << 1
}

/// Columns `t` += `a` `b`. Both lengths are even and differ by two at most.
#[target_feature(enable = "avx2")]
fn add_product(t: &mut [V], a: &[V], b: &[V], scratch: &mut [V]) {
    if b.len() < PRODUCT {
        return add_rows(t, a, b);
    }
    let (columns, scratch) = scratch.split_at_mut(a.len() + b.len());
    product(columns, a, b, scratch);
    add_assign(t, columns);
}

/// Computes [`add_product`], row by row.
#[target_feature(enable = "avx2")]
fn add_rows(mut t: &mut [V], a: &[V], mut b: &[V]) {
    while !b.is_empty() {
        let chunk = next_rows(b.len());
        let (low, high) = b.split_at(chunk.rows);
        chunk.addmul(t, a, low);
        t = t.split_at_mut(chunk.rows).1;
        b = high;
    }
}

/// Columns `t` = `a` `b`, one column for each limb of either. Both lengths are even and differ by two at most.
#[target_feature(enable = "avx2")]
fn product(t: &mut [V], a: &[V], b: &[V], scratch: &mut [V]) {
    if a.len().min(b.len()) < PRODUCT {
        clear(t);
        return add_rows(t, a, b);
    }
    let cut = half(a.len().max(b.len()));
    let ((a0, a1), (b0, b1)) = (a.split_at(cut), b.split_at(cut));
    let (sums, scratch) = scratch.split_at_mut(2 * cut);
    let (middle, scratch) = scratch.split_at_mut(2 * cut);
    let (a_sum, b_sum) = sums.split_at_mut(cut);
    add(a_sum, a0, a1);
    add(b_sum, b0, b1);
    product(middle, a_sum, b_sum, scratch);
    let (low, high) = t.split_at_mut(2 * cut);
    product(low, a0, b0, scratch);
    product(high, a1, b1, scratch);
    put_middle(t, middle, cut);
}

/// Columns `t` = `a`^2, two columns for each limb. The length is even.
#[target_feature(enable = "avx2")]
fn square(t: &mut [V], a: &[V], scratch: &mut [V]) {
    if a.len() < SQUARE {
        clear(t);
        return add_square_rows(t, a);
    }
    let cut = half(a.len());
    let (a0, a1) = a.split_at(cut);
    let (sum, scratch) = scratch.split_at_mut(cut);
    let (middle, scratch) = scratch.split_at_mut(2 * cut);
    add(sum, a0, a1);
    square(middle, sum, scratch);
    let (low, high) = t.split_at_mut(2 * cut);
    square(low, a0, scratch);
    square(high, a1, scratch);
    put_middle(t, middle, cut);
}

/// Columns `t` += `a`^2, row by row.
#[target_feature(enable = "avx2")]
fn add_square_rows(mut t: &mut [V], mut a: &[V]) {
    while !a.is_empty() {
        let chunk = next_rows(a.len());
        chunk.addsqr(t, a);
        t = t.split_at_mut(2 * chunk.rows).1;
        a = a.split_at(chunk.rows).1;
    }
}

/// Adds Karatsuba's middle part, the product of the sums, at its place in `t`, which holds the products of the
/// low parts and of the high parts.
#[target_feature(enable = "avx2")]
fn put_middle(t: &mut [V], middle: &mut [V], cut: usize) {
    let (low, high) = t.split_at(2 * cut);
    sub_assign(middle, low);
    sub_assign(middle, high);
    add_assign(t.split_at_mut(cut).1, middle);
}

/// Montgomery product: `out` = `a` `b` / 2^(28 L) modulo `n`.
#[target_feature(enable = "avx2")]
pub(super) fn mul(out: &mut [V], a: &[V], b: &[V], n: &[V], k0: V, scratch: &mut [V]) {
    let (t, scratch) = scratch.split_at_mut(2 * n.len());
    if b.len() >= PRODUCT {
        product(t, a, b, scratch);
        return reduce(out, t, n, k0, scratch);
    }
    clear(t);
    let chunk = next_rows(b.len());
    let (low, high) = b.split_at(chunk.rows);
    chunk.addmul(t, a, low);
    reduce_beside(out, t, n, k0, scratch, |t| add_rows(t.split_at_mut(chunk.rows).1, a, high));
}

/// Montgomery square: `out` = `a`^2 / 2^(28 L) modulo `n`.
#[target_feature(enable = "avx2")]
pub(super) fn sqr(out: &mut [V], a: &[V], n: &[V], k0: V, scratch: &mut [V]) {
    let (t, scratch) = scratch.split_at_mut(2 * n.len());
    if a.len() >= SQUARE {
        square(t, a, scratch);
        return reduce(out, t, n, k0, scratch);
    }
    clear(t);
    let chunk = next_rows(a.len());
    chunk.addsqr(t, a);
    let high = a.split_at(chunk.rows).1;
    reduce_beside(out, t, n, k0, scratch, |t| {
        add_square_rows(t.split_at_mut(2 * chunk.rows).1, high)
    });
}

/// Montgomery reduction of a short product whose first rows are in `t`: the first quotient limbs are found while
/// `rest` adds the other rows.
#[inline]
#[target_feature(enable = "avx2")]
fn reduce_beside(
    out: &mut [V],
    t: &mut [V],
    n: &[V],
    k0: V,
    q: &mut [V],
    rest: impl FnOnce(&mut [V]),
) {
    let q = q.split_at_mut(n.len()).0;
    let mut carry = V(_mm256_setzero_si256());
    next_rows(n.len()).quotients(q, t, n, &k0, &mut carry);
    rest(t);
    clear_rows(t, n, q, &k0, &mut carry);
    carry_all(out, t.split_at(n.len()).1, carry);
}

/// Montgomery reduction of the columns `t`, two for each limb of `n`.
#[target_feature(enable = "avx2")]
fn reduce(out: &mut [V], t: &mut [V], n: &[V], k0: V, scratch: &mut [V]) {
    let (q, scratch) = scratch.split_at_mut(n.len());
    if n.len() > LIMBS_WITHOUT_CARRY {
        carry_once(t);
    }
    let mut carry = V(_mm256_setzero_si256());
    clear_low(t, n, q, &k0, &mut carry, scratch);
    carry_all(out, t.split_at(n.len()).1, carry);
}

/// Clears the lowest columns of `t`, one for each limb of `n`, by adding q `n`; `carry` goes into the lowest column and
/// comes out of the highest of them. The cleared columns themselves hold nothing of use afterwards.
#[target_feature(enable = "avx2")]
fn clear_low(t: &mut [V], n: &[V], q: &mut [V], k0: &V, carry: &mut V, scratch: &mut [V]) {
    if n.len() < REDUCTION {
        next_rows(q.len()).quotients(q, t, n, k0, carry);
        return clear_rows(t, n, q, k0, carry);
    }
    let cut = half(n.len());
    let (q0, q1) = q.split_at_mut(cut);
    let (n0, n1) = n.split_at(cut);
    clear_low(t, n0, q0, k0, carry, scratch);
    let t = t.split_at_mut(cut).1;
    add_product(t, q0, n1, scratch);
    let (n0, n1) = n.split_at(q1.len());
    clear_low(t, n0, q1, k0, carry, scratch);
    add_product(t.split_at_mut(q1.len()).1, n1, q1, scratch);
}

/// Computes [`clear_low`], row by row, once the first quotient limbs have been found. The next quotient limbs
/// depend on one another. They are found as soon as their columns are ready, so that the rest of the row runs in
/// parallel.
#[target_feature(enable = "avx2")]
fn clear_rows(mut t: &mut [V], n: &[V], mut q: &mut [V], k0: &V, carry: &mut V) {
    let mut chunk = next_rows(q.len());
    loop {
        let (done, rows) = (chunk, chunk.rows);
        let (this, rest) = core::mem::take(&mut q).split_at_mut(rows);
        let (near, far) = n.split_at(n.len().min(2 * rows));
        done.spread(t, near, this);
        q = rest;
        if !q.is_empty() {
            chunk = next_rows(q.len());
            chunk.quotients(q, t.split_at(rows).1, n, k0, carry);
        }
        done.addmul(t.split_at_mut(near.len()).1, far, this);
        if q.is_empty() {
            return;
        }
        t = t.split_at_mut(rows).1;
    }
}
