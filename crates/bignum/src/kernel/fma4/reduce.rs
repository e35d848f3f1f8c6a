//! Montgomery reduction of columns.
//!
//! The quotient limbs of the next rows depend on one another. They are found as soon as their columns are ready, each before a
//! part of the present rows, which then runs in parallel.

use super::super::fma::split::{Split, V, add, carry, float, limb, quotient, splat};
use super::moduli::{Under, add_at, first_rows};
use super::rows::add_rows;

/// `out` is the number in the columns `t`, plus a multiple of N, by 2^(51 L). The limbs of what N is multiplied by are written
/// to `digits`, if it has room for them.
#[target_feature(enable = "avx2,fma")]
pub(super) fn reduce(out: &mut [V], t: &mut [V], under: Under<'_>, digits: &mut [V]) {
    let limbs = under.n.len();
    let mut row = first_rows(limbs);
    let mut q = match row {
        4 => first::<4>(t, under, digits),
        3 => first::<3>(t, under, digits),
        2 => first::<2>(t, under, digits),
        _ => first::<1>(t, under, digits),
    };
    while row + 4 < limbs {
        let (t, digits) = (&mut t[row..], digits.get_mut(row + 4..).unwrap_or_default());
        q = next::<4>(t, under, &q, digits);
        row += 4;
    }
    spread::<4>(&mut t[row..], under.n, &q);
    add_rows(&mut t[row + 8..], &under.n[8..], &q);
    let mut above = splat(0);
    for (out, &column) in out.iter_mut().zip(&t[limbs..]) {
        let sum = add(column, above);
        *out = limb(sum);
        above = carry(sum);
    }
}

/// The columns that become zero, and the one above them.
type Window = [V; 5];

/// The quotient limb of column `I` of `ROWS`, whose part of the next columns is added. The cleared column itself holds nothing
/// of use afterwards.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn clear<const ROWS: usize, const I: usize>(
    c: &mut Window,
    n: &[V; 4],
    k0: V,
    digits: &mut [V],
) -> V {
    let split = Split::new();
    let digit = quotient(c[I], k0);
    if let Some(place) = digits.get_mut(I) {
        *place = digit;
    }
    let q = float(digit);
    for (j, &x) in n.iter().enumerate().take(ROWS.saturating_sub(I)) {
        add_at(c, I + j, split.product(x, q));
    }
    c[I + 1] = add(c[I + 1], carry(c[I]));
    q
}

/// The quotient limbs of the first rows, and then those of the four that follow.
#[target_feature(enable = "avx2,fma")]
fn first<const ROWS: usize>(t: &mut [V], under: Under<'_>, digits: &mut [V]) -> [V; 4] {
    let mut c = [splat(0); 5];
    c[..=ROWS].copy_from_slice(&t[..=ROWS]);
    let (Some(n), k0) = (under.n.first_chunk(), under.k0) else { return [splat(0); 4] };
    let mut q = [splat(0); 4];
    q[0] = clear::<ROWS, 0>(&mut c, n, k0, digits);
    if ROWS > 1 {
        q[1] = clear::<ROWS, 1>(&mut c, n, k0, digits);
    }
    if ROWS > 2 {
        q[2] = clear::<ROWS, 2>(&mut c, n, k0, digits);
    }
    if ROWS > 3 {
        q[3] = clear::<ROWS, 3>(&mut c, n, k0, digits);
    }
    t[ROWS] = c[ROWS];
    let Some(q) = q.first_chunk::<ROWS>() else { return q };
    next::<ROWS>(t, under, q, digits.get_mut(ROWS..).unwrap_or_default())
}

/// Adds the rest of these rows, whose quotient limbs are `q`, and returns those of the next four.
#[target_feature(enable = "avx2,fma")]
fn next<const ROWS: usize>(
    t: &mut [V],
    under: Under<'_>,
    q: &[V; ROWS],
    digits: &mut [V],
) -> [V; 4] {
    spread::<ROWS>(t, under.n, q);
    let t = &mut t[ROWS..];
    let mut c = [t[0], t[1], t[2], t[3], splat(0)];
    let (Some(n), k0) = (under.n.first_chunk(), under.k0) else { return [splat(0); 4] };
    let far = &under.n[ROWS + 4..];
    let half = far.len() >> 1;
    let q0 = clear::<4, 0>(&mut c, n, k0, digits);
    let q1 = clear::<4, 1>(&mut c, n, k0, digits);
    add_rows(&mut t[4..], &far[..half], q);
    let q2 = clear::<4, 2>(&mut c, n, k0, digits);
    let q3 = clear::<4, 3>(&mut c, n, k0, digits);
    add_rows(&mut t[half + 4..], &far[half..], q);
    t[4] = add(t[4], c[4]);
    [q0, q1, q2, q3]
}

/// Adds what the next four quotient limbs need: the products of these and of the limbs of N up to the fourth beyond their
/// number.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn spread<const ROWS: usize>(t: &mut [V], n: &[V], q: &[V; ROWS]) {
    let split = Split::new();
    let mut c = [splat(0); 8];
    c[ROWS..2 * ROWS].copy_from_slice(&t[ROWS..2 * ROWS]);
    let Some(near) = n.first_chunk::<ROWS>() else { return };
    for (i, &q) in q.iter().enumerate() {
        for (j, &x) in near.iter().enumerate().skip(ROWS.saturating_sub(i)) {
            add_at(&mut c, i + j, split.product(x, q));
        }
    }
    t[ROWS..2 * ROWS].copy_from_slice(&c[ROWS..2 * ROWS]);
    add_rows(&mut t[ROWS..], &n[ROWS..ROWS + 4], q);
}
