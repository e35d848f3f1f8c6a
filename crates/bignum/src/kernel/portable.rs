//! One number at a time in 64-bit limbs, in safe Rust for any target.

use super::batch::Batch;
use super::block::{Block, words, words_mut};
use super::layout::Layout;
use super::operations::{Kernel, Shared};
use super::pick::{pick, pick_vartime};
use crate::modular::form::Form;
use crate::modular::montgomery::{multiply, reduce, square};

/// The kernel of every target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Portable;

impl Kernel for Portable {
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
        let len = batch.limbs;
        let (product, _) = words_mut(scratch).split_at_mut(2 * len);
        multiply(product, &words(a)[..len], &words(b)[..len]);
        reduce(words_mut(out), product, &words(&batch.n)[..len], batch.k0.0[0]);
    }

    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]) {
        if !self.admits(batch, [&*out, a, a], scratch) {
            return;
        }
        let len = batch.limbs;
        let (product, _) = words_mut(scratch).split_at_mut(2 * len);
        square(product, &words(a)[..len]);
        reduce(words_mut(out), product, &words(&batch.n)[..len], batch.k0.0[0]);
    }

    fn select_vartime(&self, out: &mut [Block], table: &[Block], index: &Block) {
        pick_vartime(out, table, index.0[0]);
    }

    fn select(&self, out: &mut [Block], table: &[Block], index: &Block) {
        pick(words_mut(out), words(table), index.0[0]);
    }
}

impl Shared for Portable {
    fn select_shared_vartime(&self, out: &mut [Block], table: &[u64], limbs: usize, index: &Block) {
        pick_vartime(&mut words_mut(out)[..limbs], table, index.0[0]);
    }

    fn select_shared(&self, out: &mut [Block], table: &[u64], limbs: usize, index: &Block) {
        pick(&mut words_mut(out)[..limbs], table, index.0[0]);
    }
}
