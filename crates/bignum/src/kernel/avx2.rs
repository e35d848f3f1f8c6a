//! The kernel of processors with AVX2, for four numbers.

use super::batch::Batch;
use super::block::Block;
use super::layout::Layout;
use super::operations::{Kernel, Shared};
use crate::modular::form::Form;

mod arith;
mod code;
mod four;
mod rows;
mod select;
mod vector;

use four::Four;
use vector::LANES;

/// Four numbers, in 28-bit limbs, with AVX2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avx2x4(Four);

impl Avx2x4 {
    /// Asks the processor; `None` if it lacks the instructions.
    pub(crate) fn detect() -> Option<Self> {
        Four::detect().map(Self)
    }
}

impl Kernel for Avx2x4 {
    fn layout(&self) -> Layout {
        Layout { lanes: LANES, form: Form::Avx2 }
    }

    fn scratch(&self, limbs: usize) -> usize {
        Four::scratch_len(self.blocks(limbs))
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
            self.0.mul(out, a, b, &batch.n, lanes(&batch.k0), scratch);
        }
    }

    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]) {
        if self.admits(batch, [&*out, a, a], scratch) {
            self.0.sqr(out, a, &batch.n, lanes(&batch.k0), scratch);
        }
    }

    fn select_vartime(&self, out: &mut [Block], table: &[Block], index: &Block) {
        self.0.select_vartime(out, table, lanes(index));
    }

    fn select(&self, out: &mut [Block], table: &[Block], index: &Block) {
        self.0.select(out, table, lanes(index));
    }
}

impl Shared for Avx2x4 {
    fn select_shared_vartime(
        &self,
        out: &mut [Block],
        table: &[u64],
        _limbs: usize,
        index: &Block,
    ) {
        self.0.select_shared_vartime(out, table, lanes(index));
    }

    fn select_shared(&self, out: &mut [Block], table: &[u64], _limbs: usize, index: &Block) {
        self.0.select_shared(out, table, lanes(index));
    }
}

/// The first four words.
fn lanes(index: &Block) -> &[u64; 4] {
    let (low, _) = index.0.split_first_chunk().unwrap_or((&[0; 4], &[]));
    low
}
