//! Numbers modulo squares, as pairs of numbers modulo the roots.
//!
//! Under `n^2` a number is `a + b n`, and products of pairs are
//!
//! ```text
//! (a + b n) (c + d n) = a c + (a d + b c) n  mod n^2:
//! ```
//!
//! This takes three products of half the length and two reductions under `n`, or for a square two products and two
//! reductions. The number as a whole takes one product and one reduction of twice the length, four times the work
//! each. (`kernel/ifma8/pair.rs` has the reduction, `kernel/ifma1/pair.rs` that of one number.) Invariant: `a`
//! and `b` stay below `2 n + 2`.

use alloc::vec;
use alloc::vec::Vec;

use crate::error::Error;
use crate::kernel::batch::Batch;
use crate::kernel::block::{Block, Blocks, words_mut, zeros};
use crate::kernel::layout::Layout;
use crate::kernel::operations::{Kernel, Pairs, UnderRoot};
use crate::modular::parameters::{Parameters, RootConstants};
use crate::number::limbs::{Words, words_for};
use crate::number::secret_natural::SecretNatural;

/// A kernel on pairs `(a, b)` that stand for `a + b n` modulo the square of `n`: an element is `a`, then `b`. It
/// is for moduli that know their [root](Parameters::root), and `limbs` are those of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Squares<K>(pub(crate) K);

/// Constants in [`Batch::extra`]: `R^3`, the complement, and the kernel's own.
struct Extra<'a> {
    cube: &'a [Block],
    complement: &'a [Block],
    prepared: &'a [Block],
}

/// The two halves of a pair.
fn halves(pair: &mut [Block]) -> [&mut [Block]; 2] {
    let (a, b) = pair.split_at_mut(pair.len() >> 1);
    [a, b]
}

impl<K: Pairs> Squares<K> {
    /// Blocks of a half.
    fn half(&self, limbs: usize) -> usize {
        self.0.blocks(limbs)
    }

    fn extra<'b>(&self, batch: &'b Batch) -> Extra<'b> {
        let half = self.half(batch.limbs);
        let (cube, rest) = batch.extra.split_at_checked(2 * half).unwrap_or_default();
        let (complement, prepared) = rest.split_at_checked(half).unwrap_or_default();
        Extra { cube, complement, prepared }
    }

    fn under<'b>(&self, batch: &'b Batch) -> UnderRoot<'b> {
        let Extra { complement, prepared, .. } = self.extra(batch);
        let (n, k0, limbs) = (&batch.n, &batch.k0, batch.limbs);
        UnderRoot { n, k0, prepared, limbs, complement }
    }

    /// The pair `(1, 0)` in all lanes.
    fn unit(&self, limbs: usize) -> Blocks {
        let mut unit = zeros(self.blocks(limbs));
        words_mut(&mut unit).iter_mut().take(self.lanes()).for_each(|word| *word = 1);
        unit
    }

    /// `a` += `b` in all lanes, limbs below the radix.
    fn add(&self, a: &mut [Block], b: &mut [Block]) {
        let (radix, lanes) = (self.form().radix(), self.lanes());
        let mut carry = [0; 8];
        let limbs = words_mut(a).chunks_exact_mut(lanes).zip(words_mut(b).chunks_exact(lanes));
        for (a, b) in limbs {
            for ((a, b), carry) in a.iter_mut().zip(b).zip(&mut carry) {
                let sum = *a + b + *carry;
                *a = sum & ((1 << radix) - 1);
                *carry = sum >> radix;
            }
        }
    }
}

impl<K: Pairs> Kernel for Squares<K> {
    fn layout(&self) -> Layout {
        self.0.layout()
    }

    fn blocks(&self, limbs: usize) -> usize {
        2 * self.half(limbs)
    }

    fn scratch(&self, limbs: usize) -> usize {
        self.0.pair_scratch(limbs)
    }

    /// The batch of these squares.
    ///
    /// # Errors
    /// [`Error::NoValue`] for a modulus that knows no root.
    fn batch(&self, moduli: &[&Parameters]) -> Result<Batch, Error> {
        let mut roots = Vec::with_capacity(moduli.len());
        for modulus in moduli {
            let root = modulus.root().ok_or(Error::NoValue)?;
            let constants = modulus.root_constants(self.form()).ok_or(Error::NoValue)?;
            roots.push((&*root.parameters, constants));
        }
        let (parameters, constants): (Vec<&Parameters>, Vec<&RootConstants>) =
            roots.into_iter().unzip();
        let mut batch = self.0.batch(&parameters)?;
        let layout = self.layout();
        let (limbs, half) = (batch.limbs, self.half(batch.limbs));
        let (mut square, mut cube, mut complement) =
            (zeros(2 * half), zeros(2 * half), zeros(half));
        for (lane, constants) in constants.into_iter().enumerate() {
            for (out, [a, b]) in [&mut square, &mut cube].into_iter().zip(&constants.powers) {
                let [low, high] = halves(out);
                layout.pack(low, lane, a, limbs);
                layout.pack(high, lane, b, limbs);
            }
            layout.pack(&mut complement, lane, &constants.complement, limbs);
        }
        let extra = [cube.as_slice(), &complement, &batch.extra].concat();
        batch.extra = Blocks::new(extra);
        let mut one = zeros(2 * half);
        self.mul(&mut one, &square, &self.unit(limbs), &batch, &mut zeros(self.scratch(limbs)));
        (batch.square, batch.one) = (square, one);
        Ok(batch)
    }

    /// `x = h R + l` is `l R^2 + h R^3`, over `R`: no division.
    fn enter(&self, values: &[&[u64]], batch: &Batch, scratch: &mut [Block]) -> Blocks {
        let (limbs, blocks) = (batch.limbs, self.blocks(batch.limbs));
        let (mut low, mut high) = (zeros(blocks), zeros(blocks));
        let ([l, _], [h, _]) = (halves(&mut low), halves(&mut high));
        for (lane, value) in values.iter().enumerate().take(self.lanes()) {
            self.layout().pack(l, lane, value, limbs);
            self.layout().pack_from(limbs, h, lane, value, limbs);
        }
        let (mut out, mut more) = (zeros(blocks), zeros(blocks));
        self.mul(&mut out, &low, &batch.square, batch, scratch);
        self.mul(&mut more, &high, self.extra(batch).cube, batch, scratch);
        halves(&mut out).into_iter().zip(halves(&mut more)).for_each(|(a, b)| self.add(a, b));
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
        let mut out = zeros(self.blocks(limbs));
        self.mul(&mut out, value, &self.unit(limbs), batch, &mut zeros(self.scratch(limbs)));
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
            self.0.mul_pairs(out, a, b, self.under(batch), scratch);
        }
    }

    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]) {
        if self.admits(batch, [&*out, a, a], scratch) {
            self.0.sqr_pairs(out, a, self.under(batch), scratch);
        }
    }

    fn select_vartime(&self, out: &mut [Block], table: &[Block], index: &Block) {
        self.0.select_vartime(out, table, index);
    }

    fn select(&self, out: &mut [Block], table: &[Block], index: &Block) {
        self.0.select(out, table, index);
    }
}
