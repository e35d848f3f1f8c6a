//! Two independent numbers, one in each lane, in radix 2^51: Montgomery multiplication in floating point.
//!
//! A number is L limbs; a list of two of them is L vectors. Every lane has its own odd modulus N < 2^(51 L - 8). Values stay
//! below 2 N ("almost Montgomery"), so that no product needs a final subtraction. The instructions and the addresses depend
//! on L alone.
//!
//! A product is a list of 2 L columns, 64-bit sums of the parts of products without carries; only the reduction carries.

use core::arch::wasm32::{f64x2_add, i64x2_add, i64x2_splat, u64x2_splat, v128};

use super::super::float::starts;
use super::rows::{four, one, two};
use super::split::{Split, carry, floats, limb, quotient};

/// The constants of a modulus: its limbs as `f64`, and the columns at which a product and a square start.
pub(super) const fn constants_len(limbs: usize) -> usize {
    5 * limbs
}

/// The scratch space: columns, with one to spare, and the two factors as `f64`.
pub(super) const fn scratch_len(limbs: usize) -> usize {
    4 * limbs + 1
}

/// Writes the constants of the modulus `n`.
pub(super) fn constants(out: &mut [v128], n: &[v128]) {
    let limbs = n.len();
    let (floated, columns) = out.split_at_mut(limbs);
    floats(floated, n);
    let words =
        starts(limbs, 1, |column| column + 1).chain(starts(limbs, 1, |column| (column >> 1) + 1));
    for (column, word) in columns.iter_mut().zip(words) {
        *column = u64x2_splat(word);
    }
}

/// Columns that the products of four limbs by four reach.
const REACH: usize = 8;

/// Rows to take next.
const fn next_rows(left: usize) -> usize {
    match left {
        0..=1 => 1,
        2..=3 => 2,
        _ => 4,
    }
}

/// Columns `t` += `a` `b`, where `b` has one, two or four limbs.
fn add_rows(t: &mut [v128], a: &[v128], b: &[v128]) {
    if let Ok(b) = b.try_into() {
        four(t, a, b);
    } else if let Ok(b) = b.try_into() {
        two(t, a, b);
    } else if let Ok(b) = b.try_into() {
        one(t, a, b);
    }
}

/// Montgomery product: `out` = `a` `b` / 2^(51 L) modulo N.
pub(super) fn mul(
    out: &mut [v128],
    a: &[v128],
    b: &[v128],
    constants: &[v128],
    k0: v128,
    scratch: &mut [v128],
) {
    let limbs = out.len();
    let (n, starts) = constants.split_at(limbs);
    let (t, scratch) = scratch.split_at_mut(2 * limbs + 1);
    let (a_floats, b_floats) = scratch.split_at_mut(limbs);
    floats(a_floats, a);
    floats(b_floats, &b[..limbs]);
    start(t, &starts[..2 * limbs]);
    let mut row = 0;
    while row < limbs {
        let rows = next_rows(limbs - row);
        add_rows(&mut t[row..], a_floats, &b_floats[row..row + rows]);
        row += rows;
    }
    reduce(out, t, n, k0);
}

/// Montgomery square: `out` = `a`^2 / 2^(51 L) modulo N.
pub(super) fn sqr(
    out: &mut [v128],
    a: &[v128],
    constants: &[v128],
    k0: v128,
    scratch: &mut [v128],
) {
    let limbs = out.len();
    let (n, starts) = constants.split_at(limbs);
    let (t, scratch) = scratch.split_at_mut(2 * limbs + 1);
    let (floated, twice) = scratch.split_at_mut(limbs);
    floats(floated, a);
    for (twice, &x) in twice.iter_mut().zip(floated.iter()) {
        *twice = f64x2_add(x, x);
    }
    start(t, &starts[2 * limbs..4 * limbs]);
    let mut row = 0;
    while row < limbs {
        let rows = next_rows(limbs - row);
        let next = row + rows;
        let below = &mut t[2 * row..];
        match rows {
            4 => triangle::<4>(below, &floated[row..], &twice[row..]),
            2 => triangle::<2>(below, &floated[row..], &twice[row..]),
            _ => triangle::<1>(below, &floated[row..], &twice[row..]),
        }
        add_rows(&mut t[row + next..], &floated[next..], &twice[row..next]);
        row = next;
    }
    reduce(out, t, n, k0);
}

/// The columns before the first product.
fn start(t: &mut [v128], starts: &[v128]) {
    let (columns, spare) = t.split_at_mut(starts.len());
    columns.copy_from_slice(starts);
    spare.fill(u64x2_splat(0));
}

/// Columns `t` += the square of the lowest `ROWS` limbs.
fn triangle<const ROWS: usize>(t: &mut [v128], a: &[v128], twice: &[v128]) {
    let (Some(a), Some(twice)) = (a.first_chunk::<ROWS>(), twice.first_chunk::<ROWS>()) else {
        return;
    };
    let split = Split::new();
    let mut c = [i64x2_splat(0); REACH];
    c[..2 * ROWS].copy_from_slice(&t[..2 * ROWS]);
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in twice.iter().enumerate().take(i) {
            add_at(&mut c, i + j, split.product(x, y));
        }
        add_at(&mut c, 2 * i, split.product(x, x));
    }
    t[..2 * ROWS].copy_from_slice(&c[..2 * ROWS]);
}

/// Adds the parts of a product at a column.
#[inline(always)]
fn add_at(t: &mut [v128], column: usize, (low, high): (v128, v128)) {
    t[column] = i64x2_add(t[column], low);
    t[column + 1] = i64x2_add(t[column + 1], high);
}

/// Montgomery reduction: `out` is the number in the columns `t`, plus a multiple of N, by 2^(51 L).
fn reduce(out: &mut [v128], t: &mut [v128], n: &[v128], k0: v128) {
    let limbs = n.len();
    let mut row = 0;
    while row < limbs {
        let t = &mut t[row..];
        row += match next_rows(limbs - row) {
            4 => clear::<4>(t, n, k0),
            2 => clear::<2>(t, n, k0),
            _ => clear::<1>(t, n, k0),
        };
    }
    let mut above = i64x2_splat(0);
    for (out, &column) in out.iter_mut().zip(&t[limbs..]) {
        let sum = i64x2_add(column, above);
        *out = limb(sum);
        above = carry(sum);
    }
}

/// Clears the lowest `ROWS` columns by adding a multiple of N. The cleared columns themselves hold nothing of use afterwards.
fn clear<const ROWS: usize>(t: &mut [v128], n: &[v128], k0: v128) -> usize {
    let Some((near, far)) = n.split_first_chunk::<ROWS>() else { return ROWS };
    let split = Split::new();
    let mut q = [i64x2_splat(0); ROWS];
    let mut c = [i64x2_splat(0); REACH];
    c[..2 * ROWS].copy_from_slice(&t[..2 * ROWS]);
    for (i, q) in q.iter_mut().enumerate() {
        *q = quotient(c[i], k0);
        for (j, &x) in near.iter().enumerate() {
            add_at(&mut c, i + j, split.product(x, *q));
        }
        c[i + 1] = i64x2_add(c[i + 1], carry(c[i]));
    }
    t[ROWS..2 * ROWS].copy_from_slice(&c[ROWS..2 * ROWS]);
    add_rows(&mut t[ROWS..], far, &q);
    ROWS
}
