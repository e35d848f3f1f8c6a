//! The kernel of processors with BMI2 and ADX.

use super::batch::Batch;
use super::block::{Block, words, words_mut};
use super::layout::Layout;
use super::operations::Kernel;
use super::pick::{pick, pick_vartime};
use crate::modular::form::Form;

mod code;
mod tiles;

use tiles::Tiles;

/// One number, in 64-bit limbs, with `mulx`, `adcx` and `adox`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mulx(Tiles);

impl Mulx {
    /// Asks the processor; `None` if it lacks the instructions.
    pub(crate) fn detect() -> Option<Self> {
        Tiles::detect().map(Self)
    }
}

impl Kernel for Mulx {
    fn layout(&self) -> Layout {
        Layout { lanes: 1, form: Form::Words }
    }

    fn scratch(&self, limbs: usize) -> usize {
        Tiles::scratch_len(limbs).div_ceil(8)
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
            let [k0, ..] = batch.k0.0;
            self.0.mul(words_mut(out), words(a), words(b), words(&batch.n), k0, words_mut(scratch));
        }
    }

    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]) {
        if self.admits(batch, [&*out, a, a], scratch) {
            let [k0, ..] = batch.k0.0;
            self.0.sqr(words_mut(out), words(a), words(&batch.n), k0, words_mut(scratch));
        }
    }

    fn select_vartime(&self, out: &mut [Block], table: &[Block], index: &Block) {
        pick_vartime(out, table, index.0[0]);
    }

    fn select(&self, out: &mut [Block], table: &[Block], index: &Block) {
        pick(words_mut(out), words(table), index.0[0]);
    }
}
