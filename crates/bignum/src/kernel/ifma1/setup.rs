//! The inverse of a modulus, made once for each, and entries of tables.

use core::arch::x86_64::{_mm512_cmpeq_epi64_mask, _mm512_mask_mov_epi64, _mm512_set1_epi64};

use super::super::ifma::{Block, LIMB_BITS, load, store};

/// The words of an element.
fn words(blocks: &[Block]) -> impl Iterator<Item = u64> + Clone + '_ {
    blocks.iter().flat_map(|block| block.0)
}

/// `out` = -1 / N mod R, limb by limb from the lowest: each makes one more limb of 1 + K N vanish.
pub(super) fn inverse(out: &mut [Block], n: &[Block], k0: u64) {
    const MASK: u64 = (1 << LIMB_BITS) - 1;
    for block in out.iter_mut() {
        *block = Block([0; 8]);
    }
    // The digits made so far are in place; the limbs of 1 + K N still to vanish are above them.
    if let Some(block) = out.first_mut() {
        block.0[0] = 1;
    }
    for at in 0..out.len() * 8 {
        let mut limbs = out.iter_mut().flat_map(|block| &mut block.0).skip(at);
        let mut low = words(n);
        let (Some(here), Some(n0)) = (limbs.next(), low.next()) else { return };
        let digit = here.wrapping_mul(k0) & MASK;
        let mut carry = (u128::from(*here) + u128::from(digit) * u128::from(n0)) >> LIMB_BITS;
        *here = digit;
        for (limb, n) in limbs.zip(low) {
            let sum = u128::from(*limb) + u128::from(digit) * u128::from(n) + carry;
            *limb = u64::try_from(sum & u128::from(MASK)).unwrap_or(0);
            carry = sum >> LIMB_BITS;
        }
    }
}

/// Entry `index` of `table`, all of it read.
#[target_feature(enable = "avx512f")]
pub(super) fn select(out: &mut [Block], table: &[Block], index: u64) {
    let size = out.len();
    out.fill(Block([0; 8]));
    let wanted = _mm512_set1_epi64(index.cast_signed());
    for (at, entry) in (0i64..).zip(table.chunks_exact(size.max(1))) {
        let lanes = _mm512_cmpeq_epi64_mask(wanted, _mm512_set1_epi64(at));
        for (out, block) in out.iter_mut().zip(entry) {
            let word = _mm512_mask_mov_epi64(load(out), lanes, load(block));
            store(out, word);
        }
    }
}
