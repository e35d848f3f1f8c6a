//! The common ground of the two kernels with AVX2 and FMA: the proof that the processor has the instructions, products of
//! limbs, blocks as vectors, and entries of tables.

use super::block::Block;
use split::V;

pub(crate) mod select;
pub(crate) mod split;

/// Proof that the processor has the instructions of these kernels. Only [`Fma::detect`] makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fma(());

impl Fma {
    /// Asks the processor.
    pub(crate) fn detect() -> Option<Self> {
        #[cfg(feature = "std")]
        if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")
        {
            return Some(Self(()));
        }
        None
    }

    /// Whether this thread rounds to nearest. Only then are products exact.
    pub(crate) fn rounds_to_nearest(self) -> bool {
        // SAFETY: the token proves the features.
        unsafe { split::rounds_to_nearest() }
    }
}

/// Vectors in a block.
const VECTORS: usize = 2;

/// The blocks that hold so many vectors.
pub(crate) const fn blocks(vectors: usize) -> usize {
    vectors.div_ceil(VECTORS)
}

/// The vectors of some blocks, one after the other.
pub(crate) fn vectors(blocks: &[Block]) -> &[V] {
    // SAFETY: a block is eight words, aligned to more than a vector, so it is two vectors of four words each; any bits
    // are valid in either.
    unsafe { core::slice::from_raw_parts(blocks.as_ptr().cast(), VECTORS * blocks.len()) }
}

/// The vectors of some blocks, to be written.
pub(crate) fn vectors_mut(blocks: &mut [Block]) -> &mut [V] {
    // SAFETY: as in `vectors`; the borrow is exclusive.
    unsafe { core::slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), VECTORS * blocks.len()) }
}
