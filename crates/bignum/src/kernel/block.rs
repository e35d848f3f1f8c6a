//! The unit of storage: eight words on a cache line.

use alloc::vec;
use alloc::vec::Vec;

/// Eight words on one cache line: the unit in which every kernel keeps its numbers.
#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
pub(crate) struct Block(pub(crate) [u64; 8]);

impl Block {
    /// Eight zero words.
    pub(crate) const ZERO: Self = Self([0; 8]);
}

impl zeroize::DefaultIsZeroes for Block {}

/// Blocks that are wiped when dropped.
pub(crate) type Blocks = zeroize::Zeroizing<Vec<Block>>;

/// `len` blocks of zeros.
pub(crate) fn zeros(len: usize) -> Blocks {
    Blocks::new(vec![Block::default(); len])
}

/// The words of some blocks, one after the other.
pub(crate) fn words(blocks: &[Block]) -> &[u64] {
    // SAFETY: a `Block` is eight `u64` without padding (size 64, alignment 64), any bits are a valid `u64`, and the
    // length in words is that of the same memory.
    unsafe { core::slice::from_raw_parts(blocks.as_ptr().cast(), blocks.len() * 8) }
}

/// The words of some blocks, to be written.
pub(crate) fn words_mut(blocks: &mut [Block]) -> &mut [u64] {
    // SAFETY: as in `words`; the borrow is exclusive.
    unsafe { core::slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), blocks.len() * 8) }
}
