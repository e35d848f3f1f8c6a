//! The moduli of one call of a kernel, with their constants as the kernel reads them.

use core::cell::Cell;

use zeroize::Zeroize;

use super::block::{Block, Blocks, zeros};
use super::layout::Layout;
use crate::error::Error;
use crate::modular::parameters::Parameters;

/// Moduli, one a lane, and their constants.
pub(crate) struct Batch {
    /// Limbs of each number.
    pub(crate) limbs: usize,
    /// The moduli.
    pub(crate) n: Blocks,
    /// `-n^-1` modulo the radix; lane `i` in word `i`.
    pub(crate) k0: Block,
    /// Constants that this kernel alone needs.
    pub(crate) extra: Blocks,
    /// `R^2 mod n`.
    pub(crate) square: Blocks,
    /// `R mod n`, the Montgomery form of one.
    pub(crate) one: Blocks,
    /// `true` if a kernel was given numbers of a wrong length. Then nothing was computed, and no value leaves.
    pub(crate) refused: Cell<bool>,
}

impl Drop for Batch {
    fn drop(&mut self) {
        self.k0.zeroize();
    }
}

impl Batch {
    /// A batch of moduli without any constant, for numbers of `limbs` limbs.
    pub(crate) fn blank(layout: Layout, limbs: usize) -> Self {
        let blocks = layout.blocks(limbs);
        Self {
            limbs,
            n: zeros(blocks),
            k0: Block::ZERO,
            extra: zeros(0),
            square: zeros(blocks),
            one: zeros(blocks),
            refused: Cell::new(false),
        }
    }

    /// The batch of these moduli, without [`Self::extra`] and [`Self::one`], which need the kernel. All moduli
    /// must have numbers of the same count of limbs, and there are as many as lanes.
    pub(crate) fn of_moduli(layout: Layout, moduli: &[&Parameters]) -> Self {
        let form = layout.form;
        let limbs = moduli.first().map_or(0, |m| form.limbs(m.bits()) as usize);
        let mut batch = Self::blank(layout, limbs);
        for (lane, modulus) in moduli.iter().enumerate() {
            batch.set(layout, lane, modulus.words(), modulus.k0());
            layout.pack(&mut batch.square, lane, modulus.square(form), limbs);
        }
        batch
    }

    /// Sets the modulus of a lane; `k0` is `-n^-1 mod 2^64`.
    pub(crate) fn set(&mut self, layout: Layout, lane: usize, modulus: &[u64], k0: u64) {
        layout.pack(&mut self.n, lane, modulus, self.limbs);
        if let Some(word) = self.k0.0.get_mut(lane) {
            *word = k0 & (u64::MAX >> (64 - layout.form.radix()));
        }
    }

    /// The batch, if everything computed in it is right.
    ///
    /// # Errors
    /// [`Error::NoValue`] if a kernel was given numbers of a wrong length.
    pub(crate) fn sound(&self) -> Result<&Self, Error> {
        if self.refused.get() { Err(Error::NoValue) } else { Ok(self) }
    }
}
