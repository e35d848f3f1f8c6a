//! The kernel of processors with AVX-512 IFMA, for one number.

use super::batch::Batch;
use super::block::{Block, Blocks, zeros};
use super::ifma::Ifma;
use super::layout::Layout;
use super::operations::{Kernel, Pairs, UnderRoot};
use super::pick::pick_vartime;
use crate::modular::form::Form;

mod columns;
mod normal;
mod one;
mod pair;
mod setup;

use one::One;

/// One number across the lanes, in 52-bit limbs, with AVX-512 IFMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ifma1(One);

impl Ifma1 {
    /// Asks the processor; `None` if it lacks the instructions.
    pub(crate) fn detect() -> Option<Self> {
        Ifma::detect().map(|ifma| Self(One::new(ifma)))
    }
}

impl Kernel for Ifma1 {
    fn layout(&self) -> Layout {
        Layout { lanes: 1, form: Form::IfmaOne }
    }

    fn prepare(&self, n: &[Block], k0: &Block, _limbs: usize) -> Blocks {
        let mut out = zeros(n.len());
        self.0.inverse(&mut out, n, k0.0[0]);
        out
    }

    fn scratch(&self, limbs: usize) -> usize {
        One::scratch(self.blocks(limbs))
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
            self.0.mul(out, a, b, &batch.n, &batch.extra, scratch);
        }
    }

    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]) {
        if self.admits(batch, [&*out, a, a], scratch) {
            self.0.sqr(out, a, &batch.n, &batch.extra, scratch);
        }
    }

    fn select_vartime(&self, out: &mut [Block], table: &[Block], index: &Block) {
        pick_vartime(out, table, index.0[0]);
    }

    fn select(&self, out: &mut [Block], table: &[Block], index: &Block) {
        self.0.select(out, table, index.0[0]);
    }
}

impl Pairs for Ifma1 {
    fn pair_scratch(&self, limbs: usize) -> usize {
        One::scratch(self.layout().blocks(limbs))
    }

    fn mul_pairs(
        &self,
        out: &mut [Block],
        x: &[Block],
        y: &[Block],
        under: UnderRoot<'_>,
        scratch: &mut [Block],
    ) {
        self.0.mul_pairs(out, x, y, under, scratch);
    }

    fn sqr_pairs(
        &self,
        out: &mut [Block],
        x: &[Block],
        under: UnderRoot<'_>,
        scratch: &mut [Block],
    ) {
        self.0.sqr_pairs(out, x, under, scratch);
    }
}
