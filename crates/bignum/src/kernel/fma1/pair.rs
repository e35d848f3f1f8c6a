//! One number modulo a square, as a pair: the work of `kernel/fma4/pair.rs`, with all quotient digits of a reduction at
//! once. Three products of half the length and two reductions modulo the root replace one of each of the whole length.

use super::super::block::Block;
use super::super::fma::split::{V, add, floats, integer, negated_digit};
use super::super::fma::{vectors, vectors_mut};
use super::super::operations::UnderRoot;
use super::columns::{Factors, doubles};
use super::normal::product;
use super::setup::Under;

/// Vectors of scratch space for halves of `size` vectors: four factors, the lower half, the quotient and what columns start at.
pub(super) const fn scratch_len(size: usize) -> usize {
    7 * size
}

/// `out` = `x` `y` / R mod N^2, or with `SQUARE` the square of `x`; `y` is `x` then.
#[target_feature(enable = "avx2,fma")]
pub(super) fn multiply<const SQUARE: bool>(
    out: &mut [Block],
    x: &[Block],
    y: &[Block],
    root: UnderRoot<'_>,
    scratch: &mut [Block],
) {
    let size = root.limbs.div_ceil(4);
    let Some(under) = Under::new(vectors(root.prepared), size) else { return };
    let (r, s) = out.split_at_mut(out.len() >> 1);
    let (Some(r), Some(s)) = (vectors_mut(r).get_mut(..size), vectors_mut(s).get_mut(..size))
    else {
        return;
    };
    let mut parts = vectors_mut(scratch).chunks_exact_mut(size);
    let mut next = || parts.next().unwrap_or_default();
    let [a, b, c, d, low, q, starts] = [next(), next(), next(), next(), next(), next(), next()];
    let (first, second) = x.split_at(x.len() >> 1);
    floats(b, vectors(second));
    if SQUARE {
        doubles(c, a, vectors(first));
        product::<true, true, 1>(r, [Factors::new(c, a)], under.square, under, [low, q]);
        subtract(starts, under.product[0], q, root.complement);
        let starts = [&*starts, under.product[1]];
        product::<false, true, 1>(s, [Factors::new(c, b)], starts, under, [low, q]);
    } else {
        floats(a, vectors(first));
        let (first, second) = y.split_at(y.len() >> 1);
        floats(c, vectors(first));
        floats(d, vectors(second));
        product::<false, true, 1>(r, [Factors::new(a, c)], under.product, under, [low, q]);
        subtract(starts, under.both[0], q, root.complement);
        let starts = [&*starts, under.both[1]];
        let terms = [Factors::new(a, d), Factors::new(b, c)];
        product::<false, true, 2>(s, terms, starts, under, [low, q]);
    }
}

/// Columns `to` = `from` - `q` modulo N: R - 1 - `q` is easier to have than -`q`, and the complement makes up for it.
#[target_feature(enable = "avx2,fma")]
fn subtract(to: &mut [V], from: &[V], q: &[V], complement: &[Block]) {
    let complement = vectors(complement);
    let mut at = 0;
    while at < to.len() {
        let negated = add(complement[at], negated_digit(integer(q[at])));
        to[at] = add(from[at], negated);
        at += 1;
    }
}
