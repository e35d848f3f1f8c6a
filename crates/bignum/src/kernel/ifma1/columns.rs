//! Columns of products of numbers that lie across the lanes.

use core::arch::x86_64::{_mm512_alignr_epi64, _mm512_set1_epi64};

use super::super::ifma::{Block, V, add, hi, lo, load, zero};

/// The columns of one product, block by block from the lowest.
///
/// Limb `r` of a block of one factor times a whole block of the other lies `r` lanes too low: such
/// products gather in accumulator `r` (their high halves in `r + 1`), and the eight accumulators
/// are shifted into place only once per block of columns.
pub(super) struct Stream {
    /// The sums that belong to the next block as a whole.
    carry: V,
    /// The accumulators of the block before, at each step of the shifting.
    before: [V; 7],
}

impl Stream {
    /// A stream with nothing below.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn new() -> Self {
        Self::starting(zero())
    }

    /// A stream that starts above the lowest block, with the carry from that block. In the first block, the lanes
    /// that the shifted columns of the block below would reach are wrong.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn starting(carry: V) -> Self {
        Self { carry, before: [zero(); 7] }
    }

    /// Block `at` of the columns of `a` `b`, which has to follow the one asked for before. With
    /// `SQUARE` the factors are the same and the products of different blocks are made once.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn next<const SQUARE: bool>(&mut self, a: &[Block], b: &[Block], at: usize) -> V {
        let least = (at + 1).saturating_sub(b.len());
        let mut acc = [zero(); 9];
        if SQUARE {
            let middle = (at + 1) >> 1;
            let (x, y) = (a.get(least..middle), b.get(at + 1 - middle..=at - least));
            acc = pairs(acc, x.unwrap_or_default(), y.unwrap_or_default());
            for column in &mut acc {
                *column = add(*column, *column);
            }
            if at & 1 == 0 {
                let x = a.get(middle..=middle).unwrap_or_default();
                acc = pairs(acc, x, x);
            }
        } else {
            let most = at.min(a.len() - 1);
            if least <= most {
                let (x, y) = (a.get(least..=most), b.get(at - most..=at - least));
                acc = pairs(acc, x.unwrap_or_default(), y.unwrap_or_default());
            }
        }
        acc[0] = add(acc[0], self.carry);
        self.carry = acc[8];
        self.shift(acc)
    }

    /// Shifts the accumulators by their lanes, by fours, twos and ones, and adds them.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn shift(&mut self, acc: [V; 9]) -> V {
        let [a0, a1, a2, a3, a4, a5, a6, a7, _] = acc;
        let [b4, b5, b6, b7, c2, c3, d1] = self.before;
        let e0 = add(a0, _mm512_alignr_epi64::<4>(a4, b4));
        let e1 = add(a1, _mm512_alignr_epi64::<4>(a5, b5));
        let e2 = add(a2, _mm512_alignr_epi64::<4>(a6, b6));
        let e3 = add(a3, _mm512_alignr_epi64::<4>(a7, b7));
        let f0 = add(e0, _mm512_alignr_epi64::<6>(e2, c2));
        let f1 = add(e1, _mm512_alignr_epi64::<6>(e3, c3));
        self.before = [a4, a5, a6, a7, e2, e3, f1];
        add(f0, _mm512_alignr_epi64::<7>(f1, d1))
    }
}

/// A word in all lanes.
///
/// No closure makes it: one that was not inlined would cost a call for each word.
#[inline]
#[target_feature(enable = "avx512f")]
fn all(word: u64) -> V {
    _mm512_set1_epi64(word.cast_signed())
}

/// Adds the products of the blocks of `a` with those of `b` backwards: all the pairs of one block
/// of columns.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn pairs(acc: [V; 9], a: &[Block], b: &[Block]) -> [V; 9] {
    let [mut s0, mut s1, mut s2, mut s3, mut s4, mut s5, mut s6, mut s7, mut s8] = acc;
    for (x, y) in a.iter().zip(b.iter().rev()) {
        let y = load(y);
        let [x0, x1, x2, x3, x4, x5, x6, x7] = x.0;
        let (x0, x1, x2, x3) = (all(x0), all(x1), all(x2), all(x3));
        let (x4, x5, x6, x7) = (all(x4), all(x5), all(x6), all(x7));
        s0 = lo(s0, y, x0);
        s1 = lo(s1, y, x1);
        s2 = lo(s2, y, x2);
        s3 = lo(s3, y, x3);
        s4 = lo(s4, y, x4);
        s5 = lo(s5, y, x5);
        s6 = lo(s6, y, x6);
        s7 = lo(s7, y, x7);
        s1 = hi(s1, y, x0);
        s2 = hi(s2, y, x1);
        s3 = hi(s3, y, x2);
        s4 = hi(s4, y, x3);
        s5 = hi(s5, y, x4);
        s6 = hi(s6, y, x5);
        s7 = hi(s7, y, x6);
        s8 = hi(s8, y, x7);
    }
    [s0, s1, s2, s3, s4, s5, s6, s7, s8]
}

/// The sums that the highest block of columns of the lower half takes from the block below it.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn overlap(a: &[Block], b: &[Block]) -> V {
    let mut carry = zero();
    let Some((_, a)) = a.split_last() else { return carry };
    let Some((_, b)) = b.split_last() else { return carry };
    for (x, y) in a.iter().zip(b.iter().rev()) {
        let [.., top] = x.0;
        carry = hi(carry, load(y), all(top));
    }
    carry
}
