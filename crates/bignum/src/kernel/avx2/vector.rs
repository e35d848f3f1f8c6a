//! The unit of the AVX2 arithmetic, and its bounds.

use core::arch::x86_64::__m256i;

/// One limb of the four numbers of a list; half a block.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct V(pub(super) __m256i);

/// Bits of a limb.
pub(super) const RADIX: u32 = 28;

/// Independent numbers in a list.
pub(super) const LANES: usize = 4;

/// Up to this many limbs a column can hold the product and the reduction, 2 L products below 2^56 and a carry, in 64
/// bits.
pub(super) const LIMBS_WITHOUT_CARRY: usize = 124;

/// At most this many limbs: a column must hold L products below 2^56 and a carry.
pub(super) const MAX_LIMBS: usize = 248;
