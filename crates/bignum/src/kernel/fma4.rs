//! The kernel of processors with AVX2 and FMA, for four numbers, in floating point.

use super::batch::Batch;
use super::block::{Block, Blocks, words, words_mut};
use super::fma::select;
use super::layout::Layout;
use super::operations::{Kernel, Pairs, Shared, UnderRoot};
use crate::modular::form::Form;

mod arith;
mod four;
mod moduli;
mod pair;
mod reduce;
mod rows;

use four::{Four, Moduli};

/// Numbers side by side.
const LANES: usize = 4;

/// Four numbers, in 51-bit limbs, with AVX2 and FMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fma4(Four);

impl Fma4 {
    /// Asks the processor; `None` if it lacks the instructions.
    pub(crate) fn detect() -> Option<Self> {
        Four::detect().map(Self)
    }
}

/// The moduli of a batch.
fn moduli(batch: &Batch) -> Moduli<'_> {
    Moduli { prepared: &batch.extra, k0: &batch.k0, limbs: batch.limbs }
}

impl Kernel for Fma4 {
    fn layout(&self) -> Layout {
        Layout { lanes: LANES, form: Form::Fma }
    }

    fn scratch(&self, limbs: usize) -> usize {
        Four::scratch(limbs)
    }

    fn is_ready(&self) -> bool {
        self.0.rounds_to_nearest()
    }

    fn prepare(&self, n: &[Block], _k0: &Block, limbs: usize) -> Blocks {
        self.0.prepare(n, limbs)
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
            self.0.mul(out, [a, b], moduli(batch), scratch);
        }
    }

    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]) {
        if self.admits(batch, [&*out, a, a], scratch) {
            self.0.sqr(out, a, moduli(batch), scratch);
        }
    }

    fn select_vartime(&self, out: &mut [Block], table: &[Block], index: &Block) {
        select::private_vartime(words_mut(out), words(table), &index.0[..LANES]);
    }

    fn select(&self, out: &mut [Block], table: &[Block], index: &Block) {
        self.0.select(out, table, index);
    }
}

impl Pairs for Fma4 {
    fn pair_scratch(&self, limbs: usize) -> usize {
        Four::pair_scratch(limbs)
    }

    fn mul_pairs(
        &self,
        out: &mut [Block],
        x: &[Block],
        y: &[Block],
        under: UnderRoot<'_>,
        scratch: &mut [Block],
    ) {
        self.0.mul_pairs(out, [x, y], under.complement, roots(under), scratch);
    }

    fn sqr_pairs(
        &self,
        out: &mut [Block],
        x: &[Block],
        under: UnderRoot<'_>,
        scratch: &mut [Block],
    ) {
        self.0.sqr_pairs(out, x, under.complement, roots(under), scratch);
    }
}

/// The roots of a batch of squares.
fn roots(under: UnderRoot<'_>) -> Moduli<'_> {
    Moduli { prepared: under.prepared, k0: under.k0, limbs: under.limbs }
}

impl Shared for Fma4 {
    fn select_shared_vartime(&self, out: &mut [Block], table: &[u64], limbs: usize, index: &Block) {
        select::shared_vartime(words_mut(out), table, limbs, &index.0[..LANES]);
    }

    fn select_shared(&self, out: &mut [Block], table: &[u64], limbs: usize, index: &Block) {
        self.0.select_shared(out, table, limbs, index);
    }
}
