//! One number at a time, its limbs of 52 bits across the lanes: for lists too short for eight.
//!
//! An element of `B` blocks has 8 B limbs, least significant first, each below 2^52; R = 2^(416 B).
//! The modulus N is odd and below R / 2^8. As in the lists of eight, products are almost Montgomery
//! products: below 2N for factors below 16 N, without a final subtraction, and nothing branches on
//! or indexes by a limb.
//!
//! A chain of quotient digits would cost more than the products themselves, so all digits are made at once. With
//! K = -1 / N mod R, the quotient of T is Q = T K mod R, and the result is (T + Q N) / R. Only the lower half of
//! Q is computed, and only the upper half of Q N. Since T + Q N is a multiple of R, one column below the cut
//! determines the carry out of all of them.

use super::super::ifma::{Block, Ifma, store, zero};

use super::super::operations::UnderRoot;
use super::columns::Stream;
use super::normal::{normalise, upper_half};
use super::{pair, setup};

/// The operations on one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct One(Ifma);

impl One {
    /// Takes the proof that the processor can.
    pub(crate) fn new(ifma: Ifma) -> Self {
        Self(ifma)
    }

    /// Blocks of scratch that `mul` and `sqr` need for elements of `blocks` blocks.
    pub(crate) const fn scratch(blocks: usize) -> usize {
        3 * blocks
    }

    /// `out` = K = -1 / N mod R, from N and `k0` = -1 / N mod 2^52. Quadratic and scalar: once per
    /// modulus.
    pub(crate) fn inverse(&self, out: &mut [Block], n: &[Block], k0: u64) {
        setup::inverse(out, n, k0);
    }

    /// `out` = `a` `b` / R mod N: below N + a b / R, so below 2N for a, b < 16 N.
    ///
    /// `k` is the result of [`One::inverse`]. All elements have the same length. `scratch` has at least
    /// [`One::scratch`] blocks, and is left with intermediate values. The caller has checked both
    /// (`Batch::admits`). Memory safety depends on neither.
    pub(crate) fn mul(
        &self,
        out: &mut [Block],
        a: &[Block],
        b: &[Block],
        n: &[Block],
        k: &[Block],
        scratch: &mut [Block],
    ) {
        // SAFETY: `self.0` is only made where the processor has the features.
        unsafe { multiply::<false>(out, a, b, n, k, scratch) }
    }

    /// `out` = `a`^2 / R mod N; everything as in [`One::mul`].
    pub(crate) fn sqr(
        &self,
        out: &mut [Block],
        a: &[Block],
        n: &[Block],
        k: &[Block],
        scratch: &mut [Block],
    ) {
        // SAFETY: `self.0` is only made where the processor has the features.
        unsafe { multiply::<true>(out, a, a, n, k, scratch) }
    }

    /// `out` = `x` `y` / R mod N^2, of numbers that are pairs ([`Pairs`](super::super::operations::Pairs)). `scratch` has at
    /// least [`One::scratch`] blocks for a half.
    pub(crate) fn mul_pairs(
        &self,
        out: &mut [Block],
        x: &[Block],
        y: &[Block],
        under: UnderRoot<'_>,
        scratch: &mut [Block],
    ) {
        // SAFETY: `self.0` is only made where the processor has the features.
        unsafe { pair::multiply::<false>(out, x, y, under, scratch) }
    }

    /// `out` = `x`^2 / R mod N^2; everything as in [`One::mul_pairs`].
    pub(crate) fn sqr_pairs(
        &self,
        out: &mut [Block],
        x: &[Block],
        under: UnderRoot<'_>,
        scratch: &mut [Block],
    ) {
        // SAFETY: `self.0` is only made where the processor has the features.
        unsafe { pair::multiply::<true>(out, x, x, under, scratch) }
    }

    /// `out` = entry `index` of `table`, in constant time: every entry is read whole. An entry
    /// that isn't there gives zero.
    pub(crate) fn select(&self, out: &mut [Block], table: &[Block], index: u64) {
        // SAFETY: `self.0` is only made where the processor has the features.
        unsafe { setup::select(out, table, index) }
    }
}

/// The product, or with `SQUARE` the square of `a`; `b` is `a` then.
#[target_feature(enable = "avx512f,avx512ifma")]
fn multiply<const SQUARE: bool>(
    out: &mut [Block],
    a: &[Block],
    b: &[Block],
    n: &[Block],
    k: &[Block],
    scratch: &mut [Block],
) {
    let size = n.len();
    let Some((low, rest)) = scratch.split_at_mut_checked(size) else { return };
    let Some((high, q)) = rest.split_at_mut_checked(size) else { return };
    let q = q.get_mut(..size).unwrap_or_default();

    // The lower half of T. The upper half comes in two parts, at places where it fills the wait for carries.
    let mut t = Stream::new();
    for (at, column) in low.iter_mut().enumerate() {
        store(column, t.next::<SQUARE>(a, b, at));
    }
    let carry = normalise(low, zero());
    let (first, second) = high.split_at_mut_checked(size >> 1).unwrap_or_default();
    for (at, column) in (size..).zip(first.iter_mut()) {
        store(column, t.next::<SQUARE>(a, b, at));
    }
    let mut stream = Stream::new();
    for (at, column) in q.iter_mut().enumerate() {
        store(column, stream.next::<false>(low, k, at));
    }
    let _ = normalise(q, zero());
    for (at, column) in (size + (size >> 1)..).zip(second.iter_mut()) {
        store(column, t.next::<SQUARE>(a, b, at));
    }
    upper_half(out, low.last(), high, q, n, carry);
}

#[cfg(all(test, feature = "gmp"))]
mod tests;
