//! The kernels of WebAssembly with relaxed SIMD, for one number and for two, in floating point.
//!
//! The instruction `relaxed_madd` may round once or twice: the machine decides. The kernels need it to round once, and exist
//! only where it does.

use core::arch::wasm32::{u64x2, v128};

use super::batch::Batch;
use super::block::{Block, Blocks, words, words_mut, zeros};
use super::layout::Layout;
use super::operations::{Kernel, Shared};
use super::pick::{pick, pick_vartime};
use super::vectors::{blocks, vectors, vectors_mut};
use crate::modular::form::Form;

mod across;
mod rows;
mod select;
mod split;
mod two;

/// One number, in 51-bit limbs, with relaxed SIMD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Relaxed1(());

/// Two numbers, in 51-bit limbs, with relaxed SIMD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Relaxed2(());

impl Relaxed1 {
    /// Tries the instruction; `None` if it rounds twice.
    pub(crate) fn detect() -> Option<Self> {
        split::fuses().then_some(Self(()))
    }
}

impl Relaxed2 {
    /// Tries the instruction; `None` if it rounds twice.
    pub(crate) fn detect() -> Option<Self> {
        split::fuses().then_some(Self(()))
    }
}

impl Kernel for Relaxed1 {
    fn layout(&self) -> Layout {
        Layout { lanes: 1, form: Form::RelaxedOne }
    }

    fn scratch(&self, limbs: usize) -> usize {
        blocks(across::scratch_len(limbs))
    }

    fn prepare(&self, n: &[Block], _k0: &Block, limbs: usize) -> Blocks {
        let mut out = zeros(blocks(across::constants_len(limbs)));
        across::constants(vectors_mut(&mut out), &vectors(n)[..limbs >> 1], limbs);
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
            let (limbs, k0) = (batch.limbs, batch.k0.0[0]);
            let out = &mut words_mut(out)[..limbs];
            let (a, b) = (&vectors(a)[..limbs >> 1], &vectors(b)[..limbs >> 1]);
            across::mul(out, a, b, vectors(&batch.extra), k0, vectors_mut(scratch));
        }
    }

    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]) {
        if self.admits(batch, [&*out, a, a], scratch) {
            let (limbs, k0) = (batch.limbs, batch.k0.0[0]);
            let out = &mut words_mut(out)[..limbs];
            let a = &vectors(a)[..limbs >> 1];
            across::sqr(out, a, vectors(&batch.extra), k0, vectors_mut(scratch));
        }
    }

    fn select_vartime(&self, out: &mut [Block], table: &[Block], index: &Block) {
        pick_vartime(out, table, index.0[0]);
    }

    fn select(&self, out: &mut [Block], table: &[Block], index: &Block) {
        pick(words_mut(out), words(table), index.0[0]);
    }
}

impl Shared for Relaxed1 {
    fn select_shared_vartime(&self, out: &mut [Block], table: &[u64], limbs: usize, index: &Block) {
        pick_vartime(&mut words_mut(out)[..limbs], table, index.0[0]);
    }

    fn select_shared(&self, out: &mut [Block], table: &[u64], limbs: usize, index: &Block) {
        pick(&mut words_mut(out)[..limbs], table, index.0[0]);
    }
}

impl Kernel for Relaxed2 {
    fn layout(&self) -> Layout {
        Layout { lanes: 2, form: Form::Relaxed }
    }

    fn scratch(&self, limbs: usize) -> usize {
        blocks(two::scratch_len(limbs))
    }

    fn prepare(&self, n: &[Block], _k0: &Block, limbs: usize) -> Blocks {
        let mut out = zeros(blocks(two::constants_len(limbs)));
        two::constants(vectors_mut(&mut out), &vectors(n)[..limbs]);
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
            let out = &mut vectors_mut(out)[..limbs];
            let (a, b, k0) = (&vectors(a)[..limbs], &vectors(b)[..limbs], lanes(&batch.k0));
            two::mul(out, a, b, vectors(&batch.extra), k0, vectors_mut(scratch));
        }
    }

    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]) {
        if self.admits(batch, [&*out, a, a], scratch) {
            let limbs = batch.limbs;
            let out = &mut vectors_mut(out)[..limbs];
            let (a, k0) = (&vectors(a)[..limbs], lanes(&batch.k0));
            two::sqr(out, a, vectors(&batch.extra), k0, vectors_mut(scratch));
        }
    }

    fn select_vartime(&self, out: &mut [Block], table: &[Block], index: &Block) {
        select::select_vartime(words_mut(out), words(table), index);
    }

    fn select(&self, out: &mut [Block], table: &[Block], index: &Block) {
        select::select(vectors_mut(out), vectors(table), lanes(index));
    }
}

impl Shared for Relaxed2 {
    fn select_shared_vartime(&self, out: &mut [Block], table: &[u64], limbs: usize, index: &Block) {
        select::select_shared_vartime(words_mut(out), table, limbs, index);
    }

    fn select_shared(&self, out: &mut [Block], table: &[u64], limbs: usize, index: &Block) {
        select::select_shared(vectors_mut(out), table, limbs, lanes(index));
    }
}

/// The first two words, one in each lane.
fn lanes(block: &Block) -> v128 {
    u64x2(block.0[0], block.0[1])
}
