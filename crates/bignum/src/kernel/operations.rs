//! The operations of a kernel.

use alloc::vec;
use alloc::vec::Vec;

use super::batch::Batch;
use super::block::{Block, Blocks, words_mut, zeros};
use super::layout::Layout;
use crate::error::Error;
use crate::modular::form::Form;
use crate::modular::parameters::Parameters;
use crate::number::limbs::Words;

/// A way to multiply [`Self::lanes`] pairs of numbers at once, each pair under its own modulus of the batch.
///
/// A number is a slice of [`Self::blocks`] blocks in the kernel's [`Layout`]. Values stay below twice the modulus
/// from one operation to the next, and inputs may be that large. Except for functions with `vartime` in their
/// names, the time is independent of the values and shows only lengths.
///
/// Windows, combs and the tests of candidates take a kernel as `&dyn Kernel` and are compiled once: beside a
/// multiplication of big numbers the call costs nothing.
pub(crate) trait Kernel {
    /// The layout in which elements are written.
    fn layout(&self) -> Layout;

    /// Numbers worked on at once.
    fn lanes(&self) -> usize {
        self.layout().lanes
    }

    /// The form in which numbers are written.
    fn form(&self) -> Form {
        self.layout().form
    }

    /// The number of blocks of an element of `limbs` limbs.
    fn blocks(&self, limbs: usize) -> usize {
        self.layout().blocks(limbs)
    }

    /// Blocks of scratch space that a multiplication needs.
    fn scratch(&self, limbs: usize) -> usize;

    /// Returns whether this thread computes as the kernel needs. If not, no value leaves a batch.
    fn is_ready(&self) -> bool {
        true
    }

    /// Constants of the moduli that this kernel alone needs, for [`Batch::extra`].
    fn prepare(&self, _n: &[Block], _k0: &Block, _limbs: usize) -> Blocks {
        zeros(0)
    }

    /// `out = a b / R` under each lane's modulus.
    fn mul(
        &self,
        out: &mut [Block],
        a: &[Block],
        b: &[Block],
        batch: &Batch,
        scratch: &mut [Block],
    );

    /// `out = a^2 / R` under each lane's modulus.
    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]);

    /// Lane `i` of `out` is lane `i` of entry `index[i]` of a table of elements, or all zeros if there is no such
    /// entry. It reads only these entries, so the addresses show the index.
    fn select_vartime(&self, out: &mut [Block], table: &[Block], index: &Block);

    /// Selects as [`Self::select_vartime`], reading the whole table whatever the index.
    fn select(&self, out: &mut [Block], table: &[Block], index: &Block);

    /// Returns whether these elements, in the order out and factors, have the length of those of the batch, and
    /// there is enough room. If not, nothing may be computed, and no value leaves the batch.
    fn admits(&self, batch: &Batch, elements: [&[Block]; 3], scratch: &[Block]) -> bool {
        let blocks = self.blocks(batch.limbs);
        let fits = blocks > 0
            && elements.iter().all(|element| element.len() == blocks)
            && scratch.len() >= self.scratch(batch.limbs);
        if !fits {
            batch.refused.set(true);
        }
        fits
    }

    /// The batch of these moduli, whose number is that of the kernel's lanes.
    ///
    /// # Errors
    /// [`Error::NoValue`] for a modulus that the kernel is not for.
    fn batch(&self, moduli: &[&Parameters]) -> Result<Batch, Error> {
        let mut batch = Batch::of_moduli(self.layout(), moduli);
        batch.extra = self.prepare(&batch.n, &batch.k0, batch.limbs);
        let mut one = zeros(self.blocks(batch.limbs));
        let unit = self.layout().unit(batch.limbs);
        self.mul(&mut one, &batch.square, &unit, &batch, &mut zeros(self.scratch(batch.limbs)));
        batch.one = one;
        Ok(batch)
    }

    /// Numbers below their moduli, one a lane, in Montgomery form.
    fn enter(&self, values: &[&[u64]], batch: &Batch, scratch: &mut [Block]) -> Blocks {
        let raw = self.layout().packed(values.iter().copied(), batch.limbs);
        let mut out = zeros(self.blocks(batch.limbs));
        self.mul(&mut out, &raw, &batch.square, batch, scratch);
        out
    }

    /// Takes the numbers of the first lanes, one for each modulus, out of Montgomery form, each below its
    /// modulus.
    ///
    /// # Errors
    /// [`Error::NoValue`] if the kernel refused one of the operations that led there.
    fn leave(
        &self,
        value: &[Block],
        batch: &Batch,
        moduli: &[&Parameters],
    ) -> Result<Vec<Words>, Error> {
        let (layout, limbs) = (self.layout(), batch.limbs);
        let mut out = zeros(self.blocks(limbs));
        self.mul(&mut out, value, &layout.unit(limbs), batch, &mut zeros(self.scratch(limbs)));
        batch.sound()?;
        let lane = |(lane, modulus): (usize, &&Parameters)| {
            // A limb more than the modulus has, in case a value reaches it exactly.
            let mut words = Words::new(vec![0; modulus.words().len() + 1]);
            layout.unpack(&out, lane, &mut words, limbs);
            modulus.below(words)
        };
        Ok(moduli.iter().enumerate().map(lane).collect())
    }

    /// Lane `i` of `value` times two to the power `shifts[i]`, at most 3: for limbs of less than 64 bits, whose numbers
    /// have room for that. The products may go into one multiplication.
    fn shift(&self, value: &mut [Block], shifts: &Block) {
        let radix = self.form().radix() & 63;
        let mut carry = [0; 8];
        for limb in words_mut(value).chunks_exact_mut(self.lanes()) {
            for ((x, shift), carry) in limb.iter_mut().zip(shifts.0).zip(&mut carry) {
                let shifted = (*x << (shift & 3)) | *carry;
                *x = shifted & ((1 << radix) - 1);
                *carry = shifted >> radix;
            }
        }
    }
}

/// A root of moduli that are squares, with its constants as a kernel reads them.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct UnderRoot<'a> {
    /// The roots, `N`.
    pub(crate) n: &'a [Block],
    /// `-1 / N` modulo the radix.
    pub(crate) k0: &'a Block,
    /// The values that [`Kernel::prepare`] computed from the roots.
    pub(crate) prepared: &'a [Block],
    /// Limbs of each root.
    pub(crate) limbs: usize,
    /// `1 - R mod N`, or `N` more.
    pub(crate) complement: &'a [Block],
}

/// Kernels that multiply numbers modulo squares as pairs: `(a, b)`, one after the other, stands for `a + b N`.
#[cfg(target_arch = "x86_64")]
pub(crate) trait Pairs: Kernel {
    /// The number of blocks of scratch space that it needs for halves of `limbs` limbs.
    fn pair_scratch(&self, limbs: usize) -> usize;

    /// `out` = `x` `y` / R mod `N^2`. Its halves are below `2 N + 2` if all halves are below `8 N`, or those of `x` below R
    /// and zero, and those of `y` below `N`.
    fn mul_pairs(
        &self,
        out: &mut [Block],
        x: &[Block],
        y: &[Block],
        under: UnderRoot<'_>,
        scratch: &mut [Block],
    );

    /// `out` = `x`^2 / R mod `N^2`; everything as in [`Self::mul_pairs`].
    fn sqr_pairs(
        &self,
        out: &mut [Block],
        x: &[Block],
        under: UnderRoot<'_>,
        scratch: &mut [Block],
    );
}

/// Kernels that read tables which all lanes share.
pub(crate) trait Shared: Kernel {
    /// A table of numbers of `limbs` consecutive words, in the order in which this kernel reads it.
    fn arranged(&self, table: Vec<u64>, _limbs: usize) -> Vec<u64> {
        table
    }

    /// Lane `i` of `out` is entry `index[i]` of an [arranged](Self::arranged) table of numbers of `limbs` words that all
    /// lanes share.
    fn select_shared_vartime(&self, out: &mut [Block], table: &[u64], limbs: usize, index: &Block);

    /// Selects as [`Self::select_shared_vartime`], reading the whole table whatever the index.
    fn select_shared(&self, out: &mut [Block], table: &[u64], limbs: usize, index: &Block);
}
