//! Eight independent numbers at a time, one per lane, in limbs of 52 bits.
//!
//! An element of `L` limbs, where `L` is a multiple of ten, is `L` blocks. Block `j` holds limb `j` of all eight
//! lanes, each below 2^52. Let R = 2^(52 L), with odd moduli N < 2^(52 L - 8), one per lane. Then [`Eight::mul`]
//! and [`Eight::sqr`] are almost Montgomery multiplications. There is no final subtraction, and the result is
//! below 2N whenever a b <= R N, which holds for a, b < 16 N. Except for the functions named `vartime`, nothing
//! here branches on the value of a limb, or indexes by it.
//!
//! The product is made first, in 2 L columns of 64 bits that gather low and high halves without
//! carries: at most 4 L halves of 52 bits meet in a column, 6 L for pairs, so it holds for L < 682.
//! The unit of work is a row of ten limbs that slides along the other factor with eleven columns
//! in registers; the reduction makes ten quotient digits at a time.

use alloc::vec::Vec;

use super::super::ifma::{Block, Ifma};
use super::row::{self, Ten};
use super::{pair, product, reduce, select, shift};

/// The operations on lists of eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Eight(Ifma);

impl Eight {
    /// Takes the proof that the processor can.
    pub(crate) fn new(ifma: Ifma) -> Self {
        Self(ifma)
    }

    /// Blocks of scratch that `mul` and `sqr` need for elements of `limbs` limbs.
    pub(crate) const fn scratch(limbs: usize) -> usize {
        2 * limbs
    }

    /// `out` = `a` `b` / R mod N in each lane: below N + a b / R, so below 2N for a, b < 16 N.
    ///
    /// `k0` is -1 / N mod 2^52. All elements have the same length, a multiple of ten; `scratch`
    /// has at least [`Eight::scratch`] blocks and is left with intermediate values: the caller has seen
    /// to both (`Batch::admits`), and none is needed to be memory-safe.
    pub(crate) fn mul(
        &self,
        out: &mut [Block],
        a: &[Block],
        b: &[Block],
        n: &[Block],
        k0: &Block,
        scratch: &mut [Block],
    ) {
        let columns = scratch.as_chunks_mut().0;
        // SAFETY: `self.0` is only made where the processor has the features.
        unsafe {
            mul(
                out.as_chunks_mut().0,
                a.as_chunks().0,
                b.as_chunks().0,
                n.as_chunks().0,
                k0,
                columns,
            );
        }
    }

    /// `out` = `a`^2 / R mod N in each lane; everything as in [`Eight::mul`].
    pub(crate) fn sqr(
        &self,
        out: &mut [Block],
        a: &[Block],
        n: &[Block],
        k0: &Block,
        scratch: &mut [Block],
    ) {
        let columns = scratch.as_chunks_mut().0;
        // SAFETY: `self.0` is only made where the processor has the features.
        unsafe {
            sqr(out.as_chunks_mut().0, a.as_chunks().0, n.as_chunks().0, k0, columns);
        }
    }

    /// `out` = `a` `b` / R mod N^2 in each lane, of numbers that are [pairs](pair). Its halves are below 2N + 2 if all
    /// halves are below 8 N, or those of `a` below R and zero, and those of `b` below N.
    ///
    /// `complement` is 1 - R mod N. `scratch` has at least [`Eight::pair_scratch`] blocks for halves of this
    /// length.
    pub(crate) fn mul_pairs(
        &self,
        out: &mut [Block],
        [a, b]: [&[Block]; 2],
        n: &[Block],
        k0: &Block,
        complement: &[Block],
        scratch: &mut [Block],
    ) {
        let under = pair::Under { n: n.as_chunks().0, k0, complement: complement.as_chunks().0 };
        let scratch = scratch.as_chunks_mut().0;
        // SAFETY: `self.0` is only made where the processor has the features.
        unsafe {
            pair::mul(out.as_chunks_mut().0, a.as_chunks().0, b.as_chunks().0, under, scratch)
        }
    }

    /// `out` = `a`^2 / R mod N^2 in each lane; everything as in [`Eight::mul_pairs`].
    pub(crate) fn sqr_pairs(
        &self,
        out: &mut [Block],
        a: &[Block],
        n: &[Block],
        k0: &Block,
        complement: &[Block],
        scratch: &mut [Block],
    ) {
        let under = pair::Under { n: n.as_chunks().0, k0, complement: complement.as_chunks().0 };
        let scratch = scratch.as_chunks_mut().0;
        // SAFETY: `self.0` is only made where the processor has the features.
        unsafe { pair::sqr(out.as_chunks_mut().0, a.as_chunks().0, under, scratch) }
    }

    /// Blocks of scratch that the operations on pairs need for halves of `limbs` limbs.
    pub(crate) const fn pair_scratch(limbs: usize) -> usize {
        3 * limbs
    }

    /// Lane `i` of `value` times two to the power `shifts[i]`, at most 11, in constant time. The product must fit into
    /// the limbs.
    pub(crate) fn shift(&self, value: &mut [Block], shifts: &Block) {
        // SAFETY: `self.0` is only made where the processor has the features.
        unsafe { shift::shift(value, shifts) }
    }

    /// Lane `i` of `out` = lane `i` of entry `index[i]` of `table`, whose entries follow each
    /// other with the length of `out`; an entry that isn't there gives zero. The time and the
    /// addresses read depend on the index.
    pub(crate) fn select_vartime(&self, out: &mut [Block], table: &[Block], index: &Block) {
        // SAFETY: `self.0` is only made where the processor has the features.
        unsafe { select::private_vartime(out, table, index) }
    }

    /// [`Eight::select_vartime`] in constant time: every entry is read whole.
    pub(crate) fn select(&self, out: &mut [Block], table: &[Block], index: &Block) {
        // SAFETY: `self.0` is only made where the processor has the features.
        unsafe { select::private(out, table, index) }
    }

    /// A table for all lanes, whose entries have `limbs` words each, consecutively, as it is read.
    pub(crate) fn arranged(table: &[u64], limbs: usize) -> Vec<u64> {
        select::arranged(table, limbs)
    }

    /// Lane `i` of `out` = entry `index[i]` of one [arranged](Self::arranged) table for all lanes, whose entries have one
    /// word for each block of `out`. An entry that does not exist gives zero. The time and the addresses read depend on
    /// the index.
    pub(crate) fn select_shared_vartime(&self, out: &mut [Block], table: &[u64], index: &Block) {
        // SAFETY: `self.0` is only made where the processor has the features.
        unsafe { select::shared_vartime(out, table, index) }
    }

    /// [`Eight::select_shared_vartime`] in constant time: every entry is read whole.
    pub(crate) fn select_shared(&self, out: &mut [Block], table: &[u64], index: &Block) {
        // SAFETY: `self.0` is only made where the processor has the features.
        unsafe { select::shared(out, table, index) }
    }
}

/// [`Eight::mul`] inside the processor's features.
#[target_feature(enable = "avx512f,avx512ifma")]
fn mul(out: &mut [Ten], a: &[Ten], b: &[Ten], n: &[Ten], k0: &Block, columns: &mut [Ten]) {
    let Some(n0) = n.first() else { return };
    let mut q = [Block([0; 8]); 10];
    let carry = product::mul(columns, a, b, row::Low { n: n0, k0 }, &mut q);
    reduce::reduce(out, columns, n, k0, &mut q, carry, &mut []);
}

/// [`Eight::sqr`] inside the processor's features.
#[target_feature(enable = "avx512f,avx512ifma")]
fn sqr(out: &mut [Ten], a: &[Ten], n: &[Ten], k0: &Block, columns: &mut [Ten]) {
    let Some(n0) = n.first() else { return };
    let mut q = [Block([0; 8]); 10];
    let carry = product::sqr(columns, a, row::Low { n: n0, k0 }, &mut q);
    reduce::reduce(out, columns, n, k0, &mut q, carry, &mut []);
}

#[cfg(all(test, feature = "gmp"))]
mod tests;
