//! Four independent numbers, one in each lane, in radix 2^51: Montgomery multiplication in floating point.
//!
//! A number is L limbs, at least eight; a list of four of them is L vectors. Every lane has its own odd modulus
//! N < 2^(51 L - 8). Values stay below 2 N ("almost Montgomery"), so that no product needs a final subtraction. The
//! instructions and the addresses depend on L alone.
//!
//! A product is a list of 2 L columns, 64-bit sums of the parts of products without carries; only the reduction carries.
//! The rows of a product and of a reduction are taken four at a time, and what is left of L first.

use super::super::fma::split::{Split, V, floats, splat, twice};
use super::moduli::{Under, add_at, first_rows};
use super::reduce::reduce;
use super::rows::add_rows;

/// The scratch space: columns, with one to spare, and two factors as `f64`.
pub(super) const fn scratch_len(limbs: usize) -> usize {
    4 * limbs + 1
}

/// The ranges of rows that are taken together.
fn chunks(limbs: usize) -> impl Iterator<Item = core::ops::Range<usize>> {
    let first = first_rows(limbs);
    core::iter::once(0..first).chain((first..limbs).step_by(4).map(|row| row..row + 4))
}

/// Montgomery product: `out` = `a` `b` / 2^(51 L) modulo N.
#[target_feature(enable = "avx2,fma")]
pub(super) fn mul(out: &mut [V], a: &[V], b: &[V], under: Under<'_>, scratch: &mut [V]) {
    let limbs = out.len();
    let (t, factors) = scratch.split_at_mut(2 * limbs + 1);
    start(t, under.starts[0]);
    add_product(t, a, b, factors);
    reduce(out, t, under, &mut []);
}

/// Columns `t` += `a` `b`, which are left as `f64` in `factors`.
#[target_feature(enable = "avx2,fma")]
pub(super) fn add_product(t: &mut [V], a: &[V], b: &[V], factors: &mut [V]) {
    let (a_floats, b_floats) = factors[..2 * a.len()].split_at_mut(a.len());
    floats(a_floats, a);
    floats(b_floats, b);
    add_floats(t, a_floats, b_floats);
}

/// Columns `t` += `a` `b`, both of them `f64`.
#[target_feature(enable = "avx2,fma")]
pub(super) fn add_floats(t: &mut [V], a: &[V], b: &[V]) {
    for rows in chunks(b.len()) {
        add_rows(&mut t[rows.start..], a, &b[rows]);
    }
}

/// Montgomery square: `out` = `a`^2 / 2^(51 L) modulo N.
#[target_feature(enable = "avx2,fma")]
pub(super) fn sqr(out: &mut [V], a: &[V], under: Under<'_>, scratch: &mut [V]) {
    let limbs = out.len();
    let (t, factors) = scratch.split_at_mut(2 * limbs + 1);
    start(t, under.starts[1]);
    add_square(t, a, factors);
    reduce(out, t, under, &mut []);
}

/// Columns `t` += `a`^2; `a` and twice `a` are left as `f64` in `factors`.
#[target_feature(enable = "avx2,fma")]
pub(super) fn add_square(t: &mut [V], a: &[V], factors: &mut [V]) {
    let (floated, doubled) = factors.split_at_mut(a.len());
    floats(floated, a);
    for (doubled, &x) in doubled.iter_mut().zip(floated.iter()) {
        *doubled = twice(x);
    }
    for rows in chunks(a.len()) {
        let below = &mut t[2 * rows.start..];
        match rows.len() {
            4 => triangle::<4>(below, &floated[rows.start..], &doubled[rows.start..]),
            3 => triangle::<3>(below, &floated[rows.start..], &doubled[rows.start..]),
            2 => triangle::<2>(below, &floated[rows.start..], &doubled[rows.start..]),
            _ => triangle::<1>(below, &floated[rows.start..], &doubled[rows.start..]),
        }
        add_rows(&mut t[rows.start + rows.end..], &floated[rows.end..], &doubled[rows]);
    }
}

/// The columns before the first product.
#[target_feature(enable = "avx2,fma")]
pub(super) fn start(t: &mut [V], starts: &[V]) {
    let (columns, spare) = t.split_at_mut(starts.len());
    columns.copy_from_slice(starts);
    spare.fill(splat(0));
}

/// Columns that the products of four limbs by four reach.
const REACH: usize = 8;

/// Columns `t` += the square of the lowest `ROWS` limbs.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn triangle<const ROWS: usize>(t: &mut [V], a: &[V], doubled: &[V]) {
    let (Some(a), Some(doubled)) = (a.first_chunk::<ROWS>(), doubled.first_chunk::<ROWS>()) else {
        return;
    };
    let split = Split::new();
    let mut c = [splat(0); REACH];
    c[..2 * ROWS].copy_from_slice(&t[..2 * ROWS]);
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in doubled.iter().enumerate().take(i) {
            add_at(&mut c, i + j, split.product(x, y));
        }
        add_at(&mut c, 2 * i, split.product(x, x));
    }
    t[..2 * ROWS].copy_from_slice(&c[..2 * ROWS]);
}
