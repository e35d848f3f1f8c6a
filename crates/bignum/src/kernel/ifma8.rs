//! The kernel of processors with AVX-512 IFMA, for eight numbers.

use alloc::vec::Vec;

use super::batch::Batch;
use super::block::Block;
use super::ifma::Ifma;
use super::layout::Layout;
use super::operations::{Kernel, Pairs, Shared, UnderRoot};
use crate::modular::form::Form;

mod eight;
mod pair;
mod product;
mod reduce;
mod row;
mod select;
mod shift;

use eight::Eight;

/// Eight numbers, in 52-bit limbs, with AVX-512 IFMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ifma8(Eight);

impl Ifma8 {
    /// Asks the processor; `None` if it lacks the instructions.
    pub(crate) fn detect() -> Option<Self> {
        Ifma::detect().map(|ifma| Self(Eight::new(ifma)))
    }
}

impl Kernel for Ifma8 {
    fn layout(&self) -> Layout {
        Layout { lanes: 8, form: Form::Ifma }
    }

    fn scratch(&self, limbs: usize) -> usize {
        Eight::scratch(limbs)
    }

    fn mul(
        &self,
        out: &mut [Block],
        a: &[Block],
        b: &[Block],
        batch: &Batch,
        scratch: &mut [Block],
    ) {
        if self.admits(batch, [&*out, a, b], scratch) {
            self.0.mul(out, a, b, &batch.n, &batch.k0, scratch);
        }
    }

    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]) {
        if self.admits(batch, [&*out, a, a], scratch) {
            self.0.sqr(out, a, &batch.n, &batch.k0, scratch);
        }
    }

    fn select_vartime(&self, out: &mut [Block], table: &[Block], index: &Block) {
        self.0.select_vartime(out, table, index);
    }

    fn select(&self, out: &mut [Block], table: &[Block], index: &Block) {
        self.0.select(out, table, index);
    }

    fn shift(&self, value: &mut [Block], shifts: &Block) {
        self.0.shift(value, shifts);
    }
}

impl Pairs for Ifma8 {
    fn pair_scratch(&self, limbs: usize) -> usize {
        Eight::pair_scratch(limbs)
    }

    fn mul_pairs(
        &self,
        out: &mut [Block],
        x: &[Block],
        y: &[Block],
        UnderRoot { n, k0, complement, .. }: UnderRoot<'_>,
        scratch: &mut [Block],
    ) {
        self.0.mul_pairs(out, [x, y], n, k0, complement, scratch);
    }

    fn sqr_pairs(
        &self,
        out: &mut [Block],
        x: &[Block],
        UnderRoot { n, k0, complement, .. }: UnderRoot<'_>,
        scratch: &mut [Block],
    ) {
        self.0.sqr_pairs(out, x, n, k0, complement, scratch);
    }
}

impl Shared for Ifma8 {
    fn arranged(&self, table: Vec<u64>, limbs: usize) -> Vec<u64> {
        Eight::arranged(&table, limbs)
    }

    fn select_shared_vartime(
        &self,
        out: &mut [Block],
        table: &[u64],
        _limbs: usize,
        index: &Block,
    ) {
        self.0.select_shared_vartime(out, table, index);
    }

    fn select_shared(&self, out: &mut [Block], table: &[u64], _limbs: usize, index: &Block) {
        self.0.select_shared(out, table, index);
    }
}
