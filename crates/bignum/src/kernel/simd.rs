//! The kernel of WebAssembly with SIMD, for one number, in integers.

use super::batch::Batch;
use super::block::{Block, Blocks, words, words_mut, zeros};
use super::layout::Layout;
use super::operations::{Kernel, Shared};
use super::pick::{pick, pick_vartime};
use super::vectors::{blocks, vectors, vectors_mut};
use crate::modular::form::Form;

mod across;
mod rows;

/// One number, in 28-bit limbs, with SIMD. A build with these instructions runs on no machine without them, so that there is
/// nothing to detect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Simd1;

impl Kernel for Simd1 {
    fn layout(&self) -> Layout {
        Layout { lanes: 1, form: Form::Simd }
    }

    fn scratch(&self, limbs: usize) -> usize {
        blocks(across::scratch_len(limbs))
    }

    fn prepare(&self, n: &[Block], _k0: &Block, limbs: usize) -> Blocks {
        let mut out = zeros(blocks(limbs >> 2));
        across::pack(&mut vectors_mut(&mut out)[..limbs >> 2], vectors(n));
        out
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
            let limbs = batch.limbs;
            let (out, n) = (&mut words_mut(out)[..limbs], &vectors(&batch.extra)[..limbs >> 2]);
            let (a, b, k0) = (vectors(a), &words(b)[..limbs], batch.k0.0[0]);
            across::mul(out, a, b, n, k0, vectors_mut(scratch));
        }
    }

    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]) {
        if self.admits(batch, [&*out, a, a], scratch) {
            let limbs = batch.limbs;
            let (out, n) = (&mut words_mut(out)[..limbs], &vectors(&batch.extra)[..limbs >> 2]);
            across::sqr(
                out,
                &words(a)[..limbs],
                vectors(a),
                n,
                batch.k0.0[0],
                vectors_mut(scratch),
            );
        }
    }

    fn select_vartime(&self, out: &mut [Block], table: &[Block], index: &Block) {
        pick_vartime(out, table, index.0[0]);
    }

    fn select(&self, out: &mut [Block], table: &[Block], index: &Block) {
        pick(words_mut(out), words(table), index.0[0]);
    }
}

impl Shared for Simd1 {
    fn select_shared_vartime(&self, out: &mut [Block], table: &[u64], limbs: usize, index: &Block) {
        pick_vartime(&mut words_mut(out)[..limbs], table, index.0[0]);
    }

    fn select_shared(&self, out: &mut [Block], table: &[u64], limbs: usize, index: &Block) {
        pick(&mut words_mut(out)[..limbs], table, index.0[0]);
    }
}
