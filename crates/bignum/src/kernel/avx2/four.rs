//! Four independent numbers, one in each 64-bit lane, in radix 2^28: Montgomery multiplication with `vpmuludq`.
//!
//! A number is L limbs, L even; a list of four of them is L / 2 blocks: block j holds limb 2j of the four lanes,
//! then limb 2j + 1. Every lane has its own odd modulus N < 2^(28 L - 8). Values stay below 2 N ("almost
//! Montgomery"), so that no product needs a final subtraction. Which instructions run and which addresses are
//! read depend on L alone, except where a name says `vartime`.
//!
//! A product is a list of 2 L columns, 64-bit sums of 56-bit products without carries; only the reduction carries.

use core::arch::x86_64::_mm256_setr_epi64x;

use super::super::block::Block;
use super::arith;
use super::vector::{LANES, MAX_LIMBS, V};

/// The right to run these kernels: made only where the processor has AVX2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Four(());

impl Four {
    /// Looks whether this processor has AVX2.
    pub(crate) fn detect() -> Option<Self> {
        #[cfg(feature = "std")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return Some(Self(()));
        }
        None
    }

    /// Blocks of scratch space that [`Self::mul`] and [`Self::sqr`] need for numbers of `blocks` blocks.
    pub(crate) const fn scratch_len(blocks: usize) -> usize {
        arith::scratch_len(2 * blocks).div_ceil(2)
    }

    /// Montgomery product lane by lane: `out` = `a` `b` / 2^(28 L) modulo `n`.
    ///
    /// `k0` is -1/n modulo 2^28. Limbs are below 2^28. If a < 2^i N and b < 2^j N, i + j <= 8, then the result is below
    /// (1 + 2^(i + j - 8)) N; so below 2 N, and below 1.02 N where both factors are below 2 N. Constant time.
    ///
    /// # Panics
    /// If the slices differ in length, are empty or longer than [`MAX_LIMBS`] limbs, or if `scratch` is shorter than
    /// [`Self::scratch_len`].
    pub(crate) fn mul(
        self,
        out: &mut [Block],
        a: &[Block],
        b: &[Block],
        n: &[Block],
        k0: &[u64; LANES],
        scratch: &mut [Block],
    ) {
        check(out, a, n, scratch);
        assert!(b.len() == a.len(), "numbers of one length");
        // SAFETY: the token proves AVX2.
        unsafe {
            arith::mul(
                vectors_mut(out),
                vectors(a),
                vectors(b),
                vectors(n),
                broadcast(k0),
                vectors_mut(scratch),
            )
        }
    }

    /// Montgomery square lane by lane: `out` = `a`^2 / 2^(28 L) modulo `n`; all else as in [`Self::mul`].
    ///
    /// # Panics
    /// As [`Self::mul`].
    pub(crate) fn sqr(
        self,
        out: &mut [Block],
        a: &[Block],
        n: &[Block],
        k0: &[u64; LANES],
        scratch: &mut [Block],
    ) {
        check(out, a, n, scratch);
        // SAFETY: the token proves AVX2.
        unsafe {
            arith::sqr(
                vectors_mut(out),
                vectors(a),
                vectors(n),
                broadcast(k0),
                vectors_mut(scratch),
            )
        }
    }
}

/// The word of each lane as a vector.
#[target_feature(enable = "avx2")]
pub(super) fn broadcast(words: &[u64; LANES]) -> V {
    let [a, b, c, d] = words.map(u64::cast_signed);
    V(_mm256_setr_epi64x(a, b, c, d))
}

/// Checks the lengths that the kernels rely on.
fn check(out: &[Block], a: &[Block], n: &[Block], scratch: &[Block]) {
    assert!(!a.is_empty() && a.len() <= MAX_LIMBS >> 1, "a number of limbs in reach");
    assert!(out.len() == a.len() && n.len() == a.len(), "numbers of one length");
    assert!(scratch.len() >= Four::scratch_len(a.len()), "enough scratch space");
}

/// The limbs of a list of numbers, two to a block.
pub(super) fn vectors(blocks: &[Block]) -> &[V] {
    // SAFETY: a block is eight words, aligned to more than a vector, so it is two vectors of four words each; any bits
    // are valid in either.
    unsafe { core::slice::from_raw_parts(blocks.as_ptr().cast(), 2 * blocks.len()) }
}

/// The limbs of a list of numbers, two to a block.
pub(super) fn vectors_mut(blocks: &mut [Block]) -> &mut [V] {
    // SAFETY: as in `vectors`, and the blocks stay borrowed for as long as the vectors.
    unsafe { core::slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), 2 * blocks.len()) }
}

#[cfg(test)]
mod tests;
