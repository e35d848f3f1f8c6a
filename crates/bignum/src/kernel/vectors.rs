//! Blocks as the vectors of WebAssembly.

use core::arch::wasm32::v128;

use super::block::Block;

/// Vectors in a block.
const VECTORS: usize = 4;

/// The blocks that hold so many vectors.
pub(super) const fn blocks(vectors: usize) -> usize {
    vectors.div_ceil(VECTORS)
}

/// The vectors of some blocks, one after the other.
pub(super) fn vectors(blocks: &[Block]) -> &[v128] {
    // SAFETY: a block is eight words without padding, aligned to more than a vector, so it is four vectors; any bits are
    // valid in either.
    unsafe { core::slice::from_raw_parts(blocks.as_ptr().cast(), VECTORS * blocks.len()) }
}

/// The vectors of some blocks, to be written.
pub(super) fn vectors_mut(blocks: &mut [Block]) -> &mut [v128] {
    // SAFETY: as in `vectors`; the borrow is exclusive.
    unsafe { core::slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), VECTORS * blocks.len()) }
}
