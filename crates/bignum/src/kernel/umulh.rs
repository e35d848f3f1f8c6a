//! The kernel of 64-bit Arm processors.

use super::batch::Batch;
use super::block::{Block, words, words_mut};
use super::layout::Layout;
use super::operations::{Kernel, Shared};
use super::pick::{pick, pick_vartime};
use crate::modular::form::Form;

mod code;
mod tiles;

use tiles::{multiply, reduce, square};

/// One number, in 64-bit limbs, with `umulh`. Every processor of this architecture has the instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Umulh(());

impl Umulh {
    /// `None` where pointers have 32 bits: the code takes whole registers for addresses.
    pub(crate) const fn detect() -> Option<Self> {
        if cfg!(target_pointer_width = "64") { Some(Self(())) } else { None }
    }
}

impl Kernel for Umulh {
    fn layout(&self) -> Layout {
        Layout { lanes: 1, form: Form::Words }
    }

    fn scratch(&self, limbs: usize) -> usize {
        // The double-length product.
        (2 * limbs).div_ceil(8)
    }

    fn mul(
        &self,
        out: &mut [Block],
        a: &[Block],
        b: &[Block],
        batch: &Batch,
        scratch: &mut [Block],
    ) {
        if !self.admits(batch, [&*out, a, b], scratch) {
            return;
        }
        let (len, [k0, ..]) = (batch.limbs, batch.k0.0);
        let product = &mut words_mut(scratch)[..2 * len];
        multiply(product, &words(a)[..len], &words(b)[..len]);
        reduce(&mut words_mut(out)[..len], product, &words(&batch.n)[..len], k0);
    }

    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]) {
        if !self.admits(batch, [&*out, a, a], scratch) {
            return;
        }
        let (len, [k0, ..]) = (batch.limbs, batch.k0.0);
        let product = &mut words_mut(scratch)[..2 * len];
        square(product, &words(a)[..len]);
        reduce(&mut words_mut(out)[..len], product, &words(&batch.n)[..len], k0);
    }

    fn select_vartime(&self, out: &mut [Block], table: &[Block], index: &Block) {
        pick_vartime(out, table, index.0[0]);
    }

    fn select(&self, out: &mut [Block], table: &[Block], index: &Block) {
        pick(words_mut(out), words(table), index.0[0]);
    }
}

impl Shared for Umulh {
    fn select_shared_vartime(&self, out: &mut [Block], table: &[u64], limbs: usize, index: &Block) {
        pick_vartime(&mut words_mut(out)[..limbs], table, index.0[0]);
    }

    fn select_shared(&self, out: &mut [Block], table: &[u64], limbs: usize, index: &Block) {
        pick(&mut words_mut(out)[..limbs], table, index.0[0]);
    }
}
