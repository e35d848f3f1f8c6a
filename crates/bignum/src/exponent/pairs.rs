//! Eight numbers modulo squares, as pairs of numbers modulo the roots.
//!
//! Under `n^2` a number is `a + b n`, and products of pairs are
//!
//! ```text
//! (a + b n) (c + d n) = a c + (a d + b c) n  mod n^2:
//! ```
//!
//! three products of half the length and two reductions under `n`, for a square two products and two reductions, where
//! the number as a whole takes one product and one reduction of twice the length, four times the work each
//! (`kernel/ifma8/pair.rs` has the reduction). Invariant: `a` and `b` stay below `2 n + 2`.

use alloc::vec;
use alloc::vec::Vec;

use crate::error::Error;
use crate::kernel::batch::Batch;
use crate::kernel::block::{Block, Blocks, words_mut, zeros};
use crate::kernel::ifma8::{Eight, Ifma8};
use crate::kernel::layout::Layout;
use crate::kernel::operations::Kernel;
use crate::modular::form::Form;
use crate::modular::parameters::{Parameters, Root};
use crate::number::secret_natural::SecretNatural;
use crate::number::words::{Words, words_for};

/// [`Ifma8`] on pairs `(a, b)` that stand for `a + b n` modulo the square of `n`: an element is `a`, then `b`. It
/// is for moduli that know their [root](Parameters::root), and `limbs` are those of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ifma8Square(Ifma8);

impl From<Ifma8> for Ifma8Square {
    fn from(eight: Ifma8) -> Self {
        Self(eight)
    }
}

/// The contents of [`Batch::extra`]: `R^3`, and the complement.
fn extra(batch: &Batch) -> (&[Block], &[Block]) {
    batch.extra.split_at_checked(2 * batch.limbs).unwrap_or_default()
}

/// The two halves of a pair.
fn halves(pair: &mut [Block]) -> [&mut [Block]; 2] {
    let (a, b) = pair.split_at_mut(pair.len() >> 1);
    [a, b]
}

/// `a` += `b` in all lanes, limbs below the radix.
fn add_lanes(a: &mut [Block], b: &[Block]) {
    let radix = Form::Ifma.radix();
    let mut carry = [0; 8];
    for (a, b) in a.iter_mut().zip(b) {
        for ((a, b), carry) in a.0.iter_mut().zip(b.0).zip(&mut carry) {
            let sum = *a + b + *carry;
            *a = sum & ((1 << radix) - 1);
            *carry = sum >> radix;
        }
    }
}

impl Kernel for Ifma8Square {
    fn layout(&self) -> Layout {
        self.0.layout()
    }

    fn blocks(&self, limbs: usize) -> usize {
        2 * limbs
    }

    fn scratch(&self, limbs: usize) -> usize {
        Eight::pair_scratch(limbs)
    }

    /// The batch of these squares.
    ///
    /// # Errors
    /// [`Error::NoValue`] for a modulus that knows no root.
    fn batch(&self, moduli: &[&Parameters]) -> Result<Batch, Error> {
        let roots: Option<Vec<&Root>> = moduli.iter().map(|m| m.root()).collect();
        let roots = roots.ok_or(Error::NoValue)?;
        let parameters: Vec<&Parameters> = roots.iter().map(|root| &*root.parameters).collect();
        let mut batch = self.0.batch(&parameters)?;
        let layout = self.layout();
        let limbs = batch.limbs;
        let (mut square, mut cube, mut complement) =
            (zeros(2 * limbs), zeros(2 * limbs), zeros(limbs));
        for (lane, root) in roots.iter().enumerate() {
            for (out, [a, b]) in [&mut square, &mut cube].into_iter().zip(&root.powers) {
                let [low, high] = halves(out);
                layout.pack(low, lane, a, limbs);
                layout.pack(high, lane, b, limbs);
            }
            layout.pack(&mut complement, lane, &root.complement, limbs);
        }
        batch.extra = zeros(3 * limbs);
        let parts = cube.iter().chain(complement.iter());
        batch.extra.iter_mut().zip(parts).for_each(|(to, from)| *to = *from);
        let mut one = zeros(2 * limbs);
        self.mul(&mut one, &square, &unit(limbs), &batch, &mut zeros(self.scratch(limbs)));
        (batch.square, batch.one) = (square, one);
        Ok(batch)
    }

    /// `x = h R + l` is `l R^2 + h R^3`, over `R`: no division.
    fn enter(&self, values: &[&[u64]], batch: &Batch, scratch: &mut [Block]) -> Blocks {
        let limbs = batch.limbs;
        let mut whole = zeros(2 * limbs);
        for (lane, value) in values.iter().enumerate().take(self.lanes()) {
            self.layout().pack(&mut whole, lane, value, 2 * limbs);
        }
        let (mut low, mut high) = (zeros(2 * limbs), zeros(2 * limbs));
        let [l, h] = halves(&mut whole);
        halves(&mut low)[0].copy_from_slice(l);
        halves(&mut high)[0].copy_from_slice(h);
        let (mut out, mut more) = (zeros(2 * limbs), zeros(2 * limbs));
        self.mul(&mut out, &low, &batch.square, batch, scratch);
        self.mul(&mut more, &high, extra(batch).0, batch, scratch);
        halves(&mut out).into_iter().zip(halves(&mut more)).for_each(|(a, b)| add_lanes(a, b));
        out
    }

    /// Each lane's `a + b n`, below its modulus.
    ///
    /// # Errors
    /// [`Error::NoValue`] if the kernel refused one of the operations that led there.
    fn leave(
        &self,
        value: &[Block],
        batch: &Batch,
        moduli: &[&Parameters],
    ) -> Result<Vec<Words>, Error> {
        let limbs = batch.limbs;
        let mut out = zeros(2 * limbs);
        self.mul(&mut out, value, &unit(limbs), batch, &mut zeros(self.scratch(limbs)));
        batch.sound()?;
        let [a, b] = halves(&mut out);
        let lanes = moduli.iter().enumerate();
        lanes
            .map(|(lane, modulus)| {
                let n = &modulus.root().ok_or(Error::NoValue)?.parameters;
                // Both may be a little larger than the root.
                let bits = n.bits() + 2;
                let half = |from: &[Block]| {
                    let mut words = Words::new(vec![0; words_for(bits)]);
                    self.layout().unpack(from, lane, &mut words, limbs);
                    SecretNatural::from_words(&words, bits)
                };
                let n = SecretNatural::from_words(n.words(), n.bits());
                let words = half(b).mul(&n).add(&half(a)).to_words(modulus.words().len() + 1);
                Ok(modulus.below(words))
            })
            .collect()
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
            self.0.eight().mul_pairs(out, [a, b], &batch.n, &batch.k0, extra(batch).1, scratch);
        }
    }

    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]) {
        if self.admits(batch, [&*out, a, a], scratch) {
            self.0.eight().sqr_pairs(out, a, &batch.n, &batch.k0, extra(batch).1, scratch);
        }
    }

    fn select_vartime(&self, out: &mut [Block], table: &[Block], index: &Block) {
        self.0.select_vartime(out, table, index);
    }

    fn select(&self, out: &mut [Block], table: &[Block], index: &Block) {
        self.0.select(out, table, index);
    }
}

/// The pair `(1, 0)` in all lanes.
fn unit(limbs: usize) -> Blocks {
    let mut unit = zeros(2 * limbs);
    words_mut(&mut unit).iter_mut().take(8).for_each(|word| *word = 1);
    unit
}
