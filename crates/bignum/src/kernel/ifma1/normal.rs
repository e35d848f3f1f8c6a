//! Carries across the lanes, and the upper half of a reduction.

use core::arch::x86_64::{
    _mm512_alignr_epi64, _mm512_cmpeq_epi64_mask, _mm512_cmpgt_epu64_mask, _mm512_mask_sub_epi64,
    _mm512_set1_epi64,
};

use super::super::ifma::{Block, V, above, add, and, load, mask, store};
use super::columns::{Stream, overlap};

/// Blocks whose carries fit one word of 64 bits, with room for the one that leaves.
const GROUP: usize = 7;

/// Turns columns into limbs. `carry` comes in, and the part above the last limb goes out, both in the highest
/// lane. The other lanes of it are ignored.
///
/// Each limb takes the part of the one below that is above 52 bits. Then a limb carries at most one more, if it
/// exceeds 2^52 - 1, or equals it and is carried into. That chain runs through the bits of an ordinary sum.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn normalise(columns: &mut [Block], carry: V) -> V {
    let ones = _mm512_set1_epi64(-1);
    let mut below = carry;
    let mut into = 0u64;
    for group in columns.chunks_mut(GROUP) {
        let (mut more, mut full) = (0u64, 0u64);
        let mut shift = 0u32;
        for block in group.iter_mut() {
            let column = load(block);
            let high = above(column);
            let limbs = add(and(column, mask()), _mm512_alignr_epi64::<7>(high, below));
            below = high;
            more |= u64::from(_mm512_cmpgt_epu64_mask(limbs, mask())) << shift;
            full |= u64::from(_mm512_cmpeq_epi64_mask(limbs, mask())) << shift;
            shift += 8;
            store(block, limbs);
        }
        let mut carried = (full + (more << 1) + into) ^ full;
        into = carried >> shift;
        for block in group {
            let [lanes, ..] = carried.to_le_bytes();
            carried >>= 8;
            let limbs = load(block);
            store(block, and(_mm512_mask_sub_epi64(limbs, lanes, limbs, ones), mask()));
        }
    }
    add(below, _mm512_set1_epi64(into.cast_signed()))
}

/// `out` = (T + Q N) / R from the upper half of T, its highest limb below, and the carry of T.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn upper_half(
    out: &mut [Block],
    below: Option<&Block>,
    high: &[Block],
    q: &[Block],
    n: &[Block],
    carry: V,
) {
    let size = n.len();
    let Some(below) = below else { return };
    let mut u = Stream::starting(overlap(q, n));
    // The column under the cut, in the highest lane: with the rest below it adds up to a multiple
    // of 2^52, and that rest is less than 2^10 units of this column.
    let edge = add(u.next::<false>(q, n, size - 1), load(below));
    let carry = add(carry, above(add(edge, mask())));
    for ((at, out), high) in (size..).zip(out.iter_mut()).zip(high) {
        store(out, add(u.next::<false>(q, n, at), load(high)));
    }
    let _ = normalise(out, carry);
}
