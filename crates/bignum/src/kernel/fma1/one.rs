//! One number at a time, its limbs of 51 bits across the lanes: for lists too short for four.
//!
//! A number has L limbs, a multiple of four, least significant first, each below 2^51; R = 2^(51 L). The modulus N is odd
//! and below R / 2^9. Products are almost Montgomery products: below 2N for factors below 16 N, without a final subtraction,
//! and nothing branches on or indexes by a limb.
//!
//! A chain of quotient digits would cost more than the products themselves, so all digits are made at once. With
//! K = -1 / N mod R, the quotient of T is Q = T K mod R, and the result is (T + Q N) / R. Only the lower half of
//! Q is computed, and only the upper half of Q N. Since T + Q N is a multiple of R, one column below the cut
//! determines the carry out of all of them.
//!
//! # Bounds
//! Inside a product, limbs need not be proper. One pass of carries leaves them below 2^51 + 2^12, and a multiply-add takes
//! a factor below 2^52 beside one below 2^51. So the chain of carries that makes them proper runs once, at the end.
//!
//! - Columns. L is at most 136. A column gets at most L products of limbs of T, whose factors are below 2^52 and 2^51, or
//!   2 L of limbs below 2^51, and L of Q N. So the high parts in it are less than 2 L 2^52, and the low parts, at most 2^50
//!   each in magnitude, 3 L 2^50 or less. What else is added to it is less than 2^53. All that is less than 2^61, and more
//!   than -2^59. A column starts 2^62 too large, and so lies between 2^61 and 2^63.
//! - Carries. A column hands less than 2^12 to the next. The lowest one above the cut takes that of T and that of Q N.
//! - The quotient. Its digits are below 2^51 + 2^12, so that Q is below R (1 + 2^-38), and it is T K modulo R. The result is
//!   below N (1 + 2^-38) + a b / R, where a b / R < 2^8 N^2 / R < N / 2.
//! - The cut. The columns below the one under it, of Q N and of the lower half of T, are worth more than -L and less than 2 L
//!   units of that one. Together with it they make a multiple of 2^51, so that they are worth a whole number of units. With
//!   2^10 in their place the column hands on the same.
//!
//! A product of pairs makes its quotients proper too, below R: there a factor may be as large as R.

use super::super::block::{Block, Blocks, zeros};
use super::super::fma::split::{floats, splat};
use super::super::fma::{Fma, blocks, select, vectors, vectors_mut};
use super::super::operations::UnderRoot;
use super::columns::{Factors, doubles};
use super::normal::product;
use super::pair;
use super::setup::{self, Under};

/// Limbs in a vector.
const LIMBS: usize = 4;

/// The operations on one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct One(Fma);

impl One {
    /// Takes the proof that the processor can.
    pub(super) fn new(fma: Fma) -> Self {
        Self(fma)
    }

    /// Whether this thread rounds to nearest. Only then are products exact.
    pub(super) fn rounds_to_nearest(self) -> bool {
        self.0.rounds_to_nearest()
    }

    /// Blocks of scratch that `mul` and `sqr` need for numbers of `limbs` limbs: for two factors, the lower half and the
    /// quotient.
    pub(super) const fn scratch(limbs: usize) -> usize {
        blocks(limbs)
    }

    /// Blocks of scratch that `mul_pairs` and `sqr_pairs` need for halves of `limbs` limbs.
    pub(super) const fn pair_scratch(limbs: usize) -> usize {
        blocks(pair::scratch_len(limbs.div_ceil(LIMBS)))
    }

    /// The constants of a modulus, from `k0` = -1 / N mod 2^51. Quadratic and scalar: once per modulus.
    pub(super) fn prepare(self, n: &[Block], k0: u64, limbs: usize) -> Blocks {
        let mut out = zeros(blocks(setup::constants_len(limbs.div_ceil(LIMBS))));
        // SAFETY: the token proves the features.
        unsafe { setup::constants(&mut out, setup::limbs_of(n, limbs), k0) }
        out
    }

    /// `out` = `a` `b` / R mod N: below 2N for a, b < 16 N.
    ///
    /// `prepared` is the result of [`One::prepare`]. `scratch` has at least [`One::scratch`] blocks, and is left with
    /// intermediate values. The caller has checked all lengths (`Kernel::admits`). Memory safety depends on none.
    pub(super) fn mul(
        self,
        out: &mut [Block],
        [a, b]: [&[Block]; 2],
        prepared: &[Block],
        limbs: usize,
        scratch: &mut [Block],
    ) {
        // SAFETY: the token proves the features.
        unsafe { multiply::<false>(out, a, b, (prepared, limbs), scratch) }
    }

    /// `out` = `a`^2 / R mod N; everything as in [`One::mul`].
    pub(super) fn sqr(
        self,
        out: &mut [Block],
        a: &[Block],
        prepared: &[Block],
        limbs: usize,
        scratch: &mut [Block],
    ) {
        // SAFETY: the token proves the features.
        unsafe { multiply::<true>(out, a, a, (prepared, limbs), scratch) }
    }

    /// `out` = `x` `y` / R mod N^2, of numbers that are pairs ([`Pairs`](super::super::operations::Pairs)). `scratch` has at
    /// least [`One::pair_scratch`] blocks.
    pub(super) fn mul_pairs(
        self,
        out: &mut [Block],
        [x, y]: [&[Block]; 2],
        under: UnderRoot<'_>,
        scratch: &mut [Block],
    ) {
        // SAFETY: the token proves the features.
        unsafe { pair::multiply::<false>(out, x, y, under, scratch) }
    }

    /// `out` = `x`^2 / R mod N^2; everything as in [`One::mul_pairs`].
    pub(super) fn sqr_pairs(
        self,
        out: &mut [Block],
        x: &[Block],
        under: UnderRoot<'_>,
        scratch: &mut [Block],
    ) {
        // SAFETY: the token proves the features.
        unsafe { pair::multiply::<true>(out, x, x, under, scratch) }
    }

    /// `out` = entry `index` of `table`, in constant time: every entry is read whole. An entry that isn't there gives zero.
    pub(super) fn select(self, out: &mut [Block], table: &[Block], index: u64) {
        // SAFETY: the token proves the features.
        unsafe { select::private(vectors_mut(out), vectors(table), splat(index)) }
    }
}

/// The product, or with `SQUARE` the square of `a`; `b` is `a` then.
#[target_feature(enable = "avx2,fma")]
fn multiply<const SQUARE: bool>(
    out: &mut [Block],
    a: &[Block],
    b: &[Block],
    (prepared, limbs): (&[Block], usize),
    scratch: &mut [Block],
) {
    let size = limbs.div_ceil(LIMBS);
    let Some(under) = Under::new(vectors(prepared), size) else { return };
    let Some(out) = vectors_mut(out).get_mut(..size) else { return };
    let (Some(a), Some(b)) = (vectors(a).get(..size), vectors(b).get(..size)) else { return };
    let mut parts = vectors_mut(scratch).chunks_exact_mut(size);
    let (Some(x), Some(y), Some(low), Some(q)) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return;
    };
    if SQUARE {
        doubles(x, y, a);
    } else {
        floats(x, a);
        floats(y, b);
    }
    let starts = if SQUARE { under.square } else { under.product };
    product::<SQUARE, false, 1>(out, [Factors::new(x, y)], starts, under, [low, q]);
}
