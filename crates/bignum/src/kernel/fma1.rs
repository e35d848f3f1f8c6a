//! The kernel of processors with AVX2 and FMA, for one number, in floating point.

use super::batch::Batch;
use super::block::{Block, Blocks};
use super::fma::Fma;
use super::layout::Layout;
use super::operations::{Kernel, Pairs, UnderRoot};
use super::pick::pick_vartime;
use crate::modular::form::Form;

mod code;
mod columns;
mod normal;
mod one;
mod pair;
mod setup;

use one::One;

/// One number across the lanes, in 51-bit limbs, with AVX2 and FMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fma1(One);

impl Fma1 {
    /// Asks the processor; `None` if it lacks the instructions.
    pub(crate) fn detect() -> Option<Self> {
        Fma::detect().map(|fma| Self(One::new(fma)))
    }
}

impl Kernel for Fma1 {
    fn layout(&self) -> Layout {
        Layout { lanes: 1, form: Form::FmaOne }
    }

    fn scratch(&self, limbs: usize) -> usize {
        One::scratch(limbs)
    }

    fn is_ready(&self) -> bool {
        self.0.rounds_to_nearest()
    }

    fn prepare(&self, n: &[Block], k0: &Block, limbs: usize) -> Blocks {
        self.0.prepare(n, k0.0[0], limbs)
    }

    fn mul(
        &self,
        out: &mut [Block],
        a: &[Block],
        b: &[Block],
        batch: &Batch,
        scratch: &mut [Block],
    ) {
        // Every way to a value makes a product in its batch, in the same thread.
        if !self.is_ready() {
            batch.refused.set(true);
        } else if self.admits(batch, [&*out, a, b], scratch) {
            self.0.mul(out, [a, b], &batch.extra, batch.limbs, scratch);
        }
    }

    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]) {
        if self.admits(batch, [&*out, a, a], scratch) {
            self.0.sqr(out, a, &batch.extra, batch.limbs, scratch);
        }
    }

    fn select_vartime(&self, out: &mut [Block], table: &[Block], index: &Block) {
        pick_vartime(out, table, index.0[0]);
    }

    fn select(&self, out: &mut [Block], table: &[Block], index: &Block) {
        self.0.select(out, table, index.0[0]);
    }
}

impl Pairs for Fma1 {
    fn pair_scratch(&self, limbs: usize) -> usize {
        One::pair_scratch(limbs)
    }

    fn mul_pairs(
        &self,
        out: &mut [Block],
        x: &[Block],
        y: &[Block],
        under: UnderRoot<'_>,
        scratch: &mut [Block],
    ) {
        self.0.mul_pairs(out, [x, y], under, scratch);
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

#[cfg(test)]
mod tests;
