//! Lanes times small powers of two.

use core::arch::x86_64::_mm512_sllv_epi64;

use super::super::ifma::{Block, above, add, and, load, mask, store, zero};

/// Each lane times two to its shift, below `2^12`. A carry out of the highest limb is lost.
#[target_feature(enable = "avx512f")]
pub(super) fn shift(value: &mut [Block], shifts: &Block) {
    let shifts = load(shifts);
    let mut carry = zero();
    for limb in value {
        let sum = add(_mm512_sllv_epi64(load(limb), shifts), carry);
        store(limb, and(sum, mask()));
        carry = above(sum);
    }
}
