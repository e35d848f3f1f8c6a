//! The kernels of x86-64 processors behind the trait.

use super::avx2;
use super::ifma::Ifma;
use super::mulx;
use super::portable::{pick, pick_vartime};
use super::{Batch, Block, Blocks, Form, Kernel, Shared, Shift, words, words_mut, zeros};
use super::{ifma1, ifma8};

/// One number, in 64-bit limbs, with `mulx`, `adcx` and `adox`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mulx(mulx::Mulx);

impl Mulx {
    /// Nothing if the processor lacks the instructions.
    pub(crate) fn detect() -> Option<Self> {
        mulx::Mulx::detect().map(Self)
    }
}

impl Kernel for Mulx {
    fn lanes(&self) -> usize {
        1
    }

    fn form(&self) -> Form {
        Form::Words
    }

    fn scratch(&self, limbs: usize) -> usize {
        mulx::Mulx::scratch_len(limbs).div_ceil(8)
    }

    fn mul(
        &self,
        out: &mut [Block],
        a: &[Block],
        b: &[Block],
        batch: &Batch,
        scratch: &mut [Block],
    ) {
        if batch.admits(self, [&*out, a, b], scratch) {
            let [k0, ..] = batch.k0.0;
            self.0.mul(words_mut(out), words(a), words(b), words(&batch.n), k0, words_mut(scratch));
        }
    }

    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]) {
        if batch.admits(self, [&*out, a, a], scratch) {
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

impl Shift for Mulx {}

/// Eight numbers, in 52-bit limbs, with AVX-512 IFMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ifma8(pub(super) ifma8::Eight);

impl Ifma8 {
    /// Nothing if the processor lacks the instructions.
    pub(crate) fn detect() -> Option<Self> {
        Ifma::detect().map(|ifma| Self(ifma8::Eight::new(ifma)))
    }
}

impl Kernel for Ifma8 {
    fn lanes(&self) -> usize {
        8
    }

    fn form(&self) -> Form {
        Form::Ifma
    }

    fn scratch(&self, limbs: usize) -> usize {
        ifma8::Eight::scratch(limbs)
    }

    fn mul(
        &self,
        out: &mut [Block],
        a: &[Block],
        b: &[Block],
        batch: &Batch,
        scratch: &mut [Block],
    ) {
        if batch.admits(self, [&*out, a, b], scratch) {
            self.0.mul(out, a, b, &batch.n, &batch.k0, scratch);
        }
    }

    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]) {
        if batch.admits(self, [&*out, a, a], scratch) {
            self.0.sqr(out, a, &batch.n, &batch.k0, scratch);
        }
    }

    fn select_vartime(&self, out: &mut [Block], table: &[Block], index: &Block) {
        self.0.select_vartime(out, table, index);
    }

    fn select(&self, out: &mut [Block], table: &[Block], index: &Block) {
        self.0.select(out, table, index);
    }
}

impl Shared for Ifma8 {
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

impl Shift for Ifma8 {
    fn shift(&self, value: &mut [Block], shifts: &Block) {
        self.0.shift(value, shifts);
    }
}

/// One number across the lanes, in 52-bit limbs, with AVX-512 IFMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ifma1(ifma1::One);

impl Ifma1 {
    /// Nothing if the processor lacks the instructions.
    pub(crate) fn detect() -> Option<Self> {
        Ifma::detect().map(|ifma| Self(ifma1::One::new(ifma)))
    }
}

impl Kernel for Ifma1 {
    fn lanes(&self) -> usize {
        1
    }

    fn form(&self) -> Form {
        Form::IfmaOne
    }

    fn prepare(&self, n: &[Block], k0: &Block) -> Blocks {
        let mut out = zeros(n.len());
        self.0.inverse(&mut out, n, k0.0[0]);
        out
    }

    fn scratch(&self, limbs: usize) -> usize {
        ifma1::One::scratch(self.blocks(limbs))
    }

    fn mul(
        &self,
        out: &mut [Block],
        a: &[Block],
        b: &[Block],
        batch: &Batch,
        scratch: &mut [Block],
    ) {
        if batch.admits(self, [&*out, a, b], scratch) {
            self.0.mul(out, a, b, &batch.n, &batch.extra, scratch);
        }
    }

    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]) {
        if batch.admits(self, [&*out, a, a], scratch) {
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

/// Four numbers, in 28-bit limbs, with AVX2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avx2x4(avx2::Avx2);

impl Avx2x4 {
    /// Nothing if the processor lacks the instructions.
    pub(crate) fn detect() -> Option<Self> {
        avx2::Avx2::detect().map(Self)
    }
}

impl Kernel for Avx2x4 {
    fn lanes(&self) -> usize {
        avx2::LANES
    }

    fn form(&self) -> Form {
        Form::Avx2
    }

    fn scratch(&self, limbs: usize) -> usize {
        avx2::Avx2::scratch_len(self.blocks(limbs))
    }

    fn mul(
        &self,
        out: &mut [Block],
        a: &[Block],
        b: &[Block],
        batch: &Batch,
        scratch: &mut [Block],
    ) {
        if batch.admits(self, [&*out, a, b], scratch) {
            self.0.mul(out, a, b, &batch.n, lanes(&batch.k0), scratch);
        }
    }

    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]) {
        if batch.admits(self, [&*out, a, a], scratch) {
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

impl Shift for Avx2x4 {}

/// The first four words.
fn lanes(index: &Block) -> &[u64; 4] {
    let (low, _) = index.0.split_first_chunk().unwrap_or((&[0; 4], &[]));
    low
}
