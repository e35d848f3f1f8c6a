//! Numbers modulo a square. With the pair `(a, b)` standing for `a + b N`,
//!
//! `(a + b N) (c + d N) = a c + (a d + b c) N mod N^2`,
//!
//! and where Montgomery's reduction makes `r = (a c + m N) / R`, that is `a c = r R - m N`:
//!
//! `(a + b N) (c + d N) / R = r + ((a d + b c - m) / R) N mod N^2`.
//!
//! Two reductions modulo `N` and three products of its length, two for a square, instead of a product and a reduction
//! of twice the length: five eighths of the work, for squares seven twelfths.

use super::super::ifma::{Block, add, load, mask, store};
use super::row::{Low, Ten};
use super::{product, reduce};
use core::arch::x86_64::_mm512_sub_epi64;

/// The moduli and their constants.
#[derive(Clone, Copy)]
pub(super) struct Under<'a> {
    pub(super) n: &'a [Ten],
    pub(super) k0: &'a Block,
    /// `1 - R mod N`: `R - 1 - m` is easier to have than `-m`, and this makes up for it.
    pub(super) complement: &'a [Ten],
}

/// `out` = `x` `y` / R. `scratch` is as long as three halves.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn mul(out: &mut [Ten], x: &[Ten], y: &[Ten], under: Under<'_>, scratch: &mut [Ten]) {
    let Under { n, k0, .. } = under;
    let (Some(n0), Some((r, s))) = (n.first(), out.split_at_mut_checked(n.len())) else { return };
    let (Some((a, b)), Some((c, d))) = (x.split_at_checked(n.len()), y.split_at_checked(n.len()))
    else {
        return;
    };
    let Some((columns, m)) = scratch.split_at_mut_checked(2 * n.len()) else { return };
    let mut q = [Block([0; 8]); 10];
    let carry = product::mul(columns, a, c, Low { n: n0, k0 }, &mut q);
    reduce::reduce(r, columns, n, k0, &mut q, carry, m);
    product::whole(columns, a, d);
    product::append(columns, b, c);
    subtract::<false>(columns, m, under.complement);
    upper(s, columns, under);
}

/// `out` = `x`^2 / R.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn sqr(out: &mut [Ten], x: &[Ten], under: Under<'_>, scratch: &mut [Ten]) {
    let Under { n, k0, .. } = under;
    let (Some(n0), Some((r, s))) = (n.first(), out.split_at_mut_checked(n.len())) else { return };
    let Some((a, b)) = x.split_at_checked(n.len()) else { return };
    let Some((columns, m)) = scratch.split_at_mut_checked(2 * n.len()) else { return };
    let mut q = [Block([0; 8]); 10];
    let carry = product::sqr(columns, a, Low { n: n0, k0 }, &mut q);
    reduce::reduce(r, columns, n, k0, &mut q, carry, m);
    product::whole(columns, a, b);
    subtract::<true>(columns, m, under.complement);
    upper(s, columns, under);
}

/// Minus `m`, modulo `N`, after doubling where asked.
#[target_feature(enable = "avx512f,avx512ifma")]
fn subtract<const DOUBLE: bool>(columns: &mut [Ten], m: &[Ten], complement: &[Ten]) {
    if DOUBLE {
        for column in columns.as_flattened_mut() {
            let once = load(column);
            store(column, add(once, once));
        }
    }
    let digits = m.as_flattened().iter().zip(complement.as_flattened());
    for (column, (m, complement)) in columns.as_flattened_mut().iter_mut().zip(digits) {
        let sum = add(load(column), load(complement));
        store(column, add(sum, _mm512_sub_epi64(mask(), load(m))));
    }
}

/// The reduction of the upper half, whose columns are all there.
#[target_feature(enable = "avx512f,avx512ifma")]
fn upper(out: &mut [Ten], columns: &mut [Ten], under: Under<'_>) {
    let Under { n, k0, .. } = under;
    let (Some(n0), Some(lowest)) = (n.first(), columns.first()) else { return };
    let mut q = [Block([0; 8]); 10];
    let carry = product::plain_digits(lowest, Low { n: n0, k0 }, &mut q);
    reduce::reduce(out, columns, n, k0, &mut q, carry, &mut []);
}
