//! Numbers modulo a square. With the pair `(a, b)` standing for `a + b N`, and where Montgomery's reduction makes
//! `r = (a c + m N) / R`,
//!
//! `(a + b N) (c + d N) / R = r + ((a d + b c - m) / R) N mod N^2`.
//!
//! Two reductions modulo `N` and three products of its length, two for a square.

use super::super::fma::split::{V, add, floats, negated_digit};
use super::arith::{add_floats, add_product, add_square, start};
use super::moduli::Under;
use super::reduce::reduce;

/// The scratch space for halves of `limbs` limbs: columns, with one to spare, two factors as `f64`, and the digits of a quotient.
pub(super) const fn scratch_len(limbs: usize) -> usize {
    5 * limbs + 1
}

/// The halves of pairs.
pub(super) type Halves<'a> = [&'a [V]; 2];

/// `(r, s)` = `(a, b)` `(c, d)` / R. `complement` is `1 - R mod N`: `R - 1 - m` is easier to have than `-m`, and this makes up
/// for it.
#[target_feature(enable = "avx2,fma")]
pub(super) fn mul(
    [r, s]: [&mut [V]; 2],
    [[a, b], [c, d]]: [Halves<'_>; 2],
    complement: &[V],
    under: Under<'_>,
    scratch: &mut [V],
) {
    let limbs = under.n.len();
    let (t, scratch) = scratch.split_at_mut(2 * limbs + 1);
    let (factors, m) = scratch.split_at_mut(2 * limbs);
    start(t, under.starts[0]);
    add_product(t, a, c, factors);
    reduce(r, t, under, &mut m[..limbs]);
    start(t, under.starts[2]);
    subtract(t, m, complement);
    // The first factor is there as `f64` from before.
    let (first, second) = factors.split_at_mut(limbs);
    floats(second, d);
    add_floats(t, first, second);
    floats(first, b);
    floats(second, c);
    add_floats(t, first, second);
    reduce(s, t, under, &mut []);
}

/// `(r, s)` = `(a, b)`^2 / R.
#[target_feature(enable = "avx2,fma")]
pub(super) fn sqr(
    [r, s]: [&mut [V]; 2],
    [a, b]: Halves<'_>,
    complement: &[V],
    under: Under<'_>,
    scratch: &mut [V],
) {
    let limbs = under.n.len();
    let (t, scratch) = scratch.split_at_mut(2 * limbs + 1);
    let (factors, m) = scratch.split_at_mut(2 * limbs);
    start(t, under.starts[1]);
    add_square(t, a, factors);
    reduce(r, t, under, &mut m[..limbs]);
    start(t, under.starts[0]);
    subtract(t, m, complement);
    // Twice the first half is there as `f64` from before.
    let (first, doubled) = factors.split_at_mut(limbs);
    floats(first, b);
    add_floats(t, first, doubled);
    reduce(s, t, under, &mut []);
}

/// Columns `t` -= `m` modulo N.
#[target_feature(enable = "avx2,fma")]
fn subtract(t: &mut [V], m: &[V], complement: &[V]) {
    for (t, (&m, &complement)) in t.iter_mut().zip(m.iter().zip(complement)) {
        *t = add(*t, add(complement, negated_digit(m)));
    }
}
