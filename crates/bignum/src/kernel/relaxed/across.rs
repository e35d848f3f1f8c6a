//! One number, two limbs in each vector, in radix 2^51: Montgomery multiplication in floating point.
//!
//! A number is L limbs, L even, and the odd modulus N is below 2^(51 L - 8). All else is as for two numbers, but for the
//! columns: the lanes of vector `k` are parts of columns `k` and `k + 1`. So a product of two neighbouring limbs by one is
//! added in place, whether its place is even or odd.

use core::arch::wasm32::{
    f64x2_add, i64x2_add, i64x2_shuffle, i64x2_splat, u64x2, u64x2_extract_lane, u64x2_splat, v128,
};

use super::super::float::{RADIX, starts};
use super::rows::{four_across, two_across};
use super::split::{Split, carry, float, floats, quotient};

/// The constants of a modulus: its limbs as `f64`, and the columns at which a product and a square start.
pub(super) const fn constants_len(limbs: usize) -> usize {
    (limbs >> 1) + 4 * limbs
}

/// The scratch space: columns, with one to spare, a factor as `f64`, and one limb by limb.
pub(super) const fn scratch_len(limbs: usize) -> usize {
    2 * limbs + 1 + (limbs >> 1) + limbs
}

/// Writes the constants of the modulus `n` of `limbs` limbs.
pub(super) fn constants(out: &mut [v128], n: &[v128], limbs: usize) {
    let (floated, columns) = out.split_at_mut(limbs >> 1);
    floats(floated, n);
    // A square takes its rows in fours, and four rows begin eight columns above the last ones.
    let in_fours = |column: usize| 4 * (column >> 3) + ((column & 7) + 1).min(4);
    let words = starts(limbs, 1, |column| column + 1).chain(starts(limbs, 1, in_fours));
    for (column, word) in columns.iter_mut().zip(words) {
        *column = u64x2(word, 0);
    }
}

/// A factor as limbs that are in both lanes.
fn splat(out: &mut [v128], from: &[v128]) {
    for (out, &from) in out.chunks_exact_mut(2).zip(from) {
        let pair = float(from);
        out[0] = i64x2_shuffle::<0, 0>(pair, pair);
        out[1] = i64x2_shuffle::<1, 1>(pair, pair);
    }
}

/// Columns `t` += `a` `b`, where `b` has two or four limbs.
fn add_rows(t: &mut [v128], a: &[v128], b: &[v128]) {
    if let Ok(b) = b.try_into() {
        four_across(t, a, b);
    } else if let Ok(b) = b.try_into() {
        two_across(t, a, b);
    }
}

/// Montgomery product: `out` = `a` `b` / 2^(51 L) modulo N. The limbs of `out` are words.
pub(super) fn mul(
    out: &mut [u64],
    a: &[v128],
    b: &[v128],
    constants: &[v128],
    k0: u64,
    scratch: &mut [v128],
) {
    let limbs = out.len();
    let (n, starts) = constants.split_at(limbs >> 1);
    let (t, scratch) = scratch.split_at_mut(2 * limbs + 1);
    let (floated, rows) = scratch.split_at_mut(limbs >> 1);
    floats(floated, a);
    splat(&mut rows[..limbs], b);
    start(t, &starts[..2 * limbs]);
    for (row, b) in (0..).step_by(4).zip(rows[..limbs].chunks(4)) {
        add_rows(&mut t[row..], floated, b);
    }
    reduce(out, t, n, k0);
}

/// Montgomery square: `out` = `a`^2 / 2^(51 L) modulo N; all else as in [`mul`].
pub(super) fn sqr(out: &mut [u64], a: &[v128], constants: &[v128], k0: u64, scratch: &mut [v128]) {
    let limbs = out.len();
    let (n, starts) = constants.split_at(limbs >> 1);
    let (t, scratch) = scratch.split_at_mut(2 * limbs + 1);
    let (floated, rows) = scratch.split_at_mut(limbs >> 1);
    floats(floated, a);
    splat(&mut rows[..limbs], a);
    start(t, &starts[2 * limbs..4 * limbs]);
    for (row, b) in (0..).step_by(4).zip(rows[..limbs].chunks_mut(4)) {
        let (near, far) = floated[row >> 1..].split_at(b.len() >> 1);
        add_rows(&mut t[2 * row..], near, b);
        for b in b.iter_mut() {
            *b = f64x2_add(*b, *b);
        }
        add_rows(&mut t[2 * row + b.len()..], far, b);
    }
    reduce(out, t, n, k0);
}

/// The columns before the first product.
fn start(t: &mut [v128], starts: &[v128]) {
    let (columns, spare) = t.split_at_mut(starts.len());
    columns.copy_from_slice(starts);
    spare.fill(u64x2_splat(0));
}

/// Montgomery reduction: `out` is the number in the columns `t`, plus a multiple of N, by 2^(51 L).
fn reduce(out: &mut [u64], t: &mut [v128], n: &[v128], k0: u64) {
    let limbs = out.len();
    let k0 = u64x2_splat(k0);
    let mut row = 0;
    while row + 4 <= limbs {
        row += clear::<4>(&mut t[row..], n, k0);
    }
    if row < limbs {
        clear::<2>(&mut t[row..], n, k0);
    }
    let (mut above, mut part) = (0, 0);
    for (out, &column) in out.iter_mut().zip(&t[limbs..]) {
        let sum = u64x2_extract_lane::<0>(column).wrapping_add(part).wrapping_add(above);
        *out = sum & ((1 << RADIX) - 1);
        above = sum >> RADIX;
        part = u64x2_extract_lane::<1>(column);
    }
}

/// Clears the lowest `ROWS` columns by adding a multiple of N. The cleared columns themselves hold nothing of use afterwards.
fn clear<const ROWS: usize>(t: &mut [v128], n: &[v128], k0: v128) -> usize {
    let split = Split::new();
    let (near, far) = n.split_at(ROWS >> 1);
    let zero = i64x2_splat(0);
    let mut q = [zero; ROWS];
    // The columns that the products of near limbs reach, of which there are at most four.
    let mut c = [zero; 8];
    c[..2 * ROWS].copy_from_slice(&t[..2 * ROWS]);
    for (i, q) in q.iter_mut().enumerate() {
        let limb = quotient(c[i], k0);
        *q = i64x2_shuffle::<0, 0>(limb, limb);
        for (j, &x) in near.iter().enumerate() {
            let (low, high) = split.product(x, *q);
            c[i + 2 * j] = i64x2_add(c[i + 2 * j], low);
            c[i + 2 * j + 1] = i64x2_add(c[i + 2 * j + 1], high);
        }
        // The part of the next column in the other lane, and the carry.
        let next =
            i64x2_add(carry(i64x2_shuffle::<0, 2>(c[i], zero)), i64x2_shuffle::<1, 2>(c[i], zero));
        c[i + 1] = i64x2_add(c[i + 1], next);
    }
    t[ROWS..2 * ROWS].copy_from_slice(&c[ROWS..2 * ROWS]);
    add_rows(&mut t[ROWS..], far, &q);
    ROWS
}
