//! Tables, made with a kernel.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::super::job::{Job, Power};
use super::shape::shape;
use super::{Comb, Inner, Row};
use crate::error::Error;
use crate::kernel::batch::Batch;
use crate::kernel::block::{Block, Blocks, words, zeros};
use crate::kernel::operations::{Kernel, Shared};
use crate::modular::modulus::Modulus;
use crate::modular::parameters::Parameters;
use crate::number::euclid;
use crate::number::limbs::{Words, words_for};
use crate::number::natural::Natural;

impl Comb {
    /// Builds the tables with a kernel, and with what computes a public product alone.
    pub(crate) fn build(
        kernel: &dyn Shared,
        alone: &dyn Fn(&Job) -> Result<Words, Error>,
        modulus: &Modulus,
        bases: &[(Natural, u32)],
        max_bytes: usize,
    ) -> Result<Self, Error> {
        let parameters = modulus.parameters();
        let limbs = kernel.form().limbs(parameters.bits());
        let per_entry = 8 * limbs as usize;
        let bits: Vec<u32> = bases.iter().map(|&(_, bits)| bits).collect();
        let shape = shape(&bits, max_bytes.checked_div(per_entry).unwrap_or(0))
            .ok_or(Error::Unsupported)?;
        let mut builder = Builder::new(kernel, alone, parameters)?;
        let mut rows = Vec::with_capacity(bases.len());
        let mut shift = builder.batch.one.clone();
        for ((base, bits), &(teeth, blocks)) in bases.iter().zip(&shape.rows) {
            let (powers, top) = builder.powers(base, *bits, teeth * blocks, shape.columns)?;
            let table = builder.table(&powers, blocks);
            shift = builder.mul(&shift, &top);
            rows.push(Row { base: base.clone(), bits: *bits, teeth, blocks, table });
        }
        let correction = builder.inverse(&shift)?;
        let inner = Inner {
            modulus: modulus.clone(),
            bases: rows,
            columns: shape.columns,
            form: Some(kernel.form()),
            correction: words_of(kernel, &correction, builder.batch.limbs),
        };
        Ok(Self { inner: Arc::new(inner) })
    }
}

/// Lane 0 of an element, as `limbs` words.
fn words_of(kernel: &dyn Kernel, element: &[Block], limbs: usize) -> Vec<u64> {
    words(element).iter().step_by(kernel.lanes()).take(limbs).copied().collect()
}

/// A kernel making tables, and one that works on a single number.
struct Builder<'a> {
    kernel: &'a dyn Shared,
    alone: &'a dyn Fn(&Job) -> Result<Words, Error>,
    parameters: Arc<Parameters>,
    batch: Batch,
    scratch: Blocks,
    blocks: usize,
}

impl<'a> Builder<'a> {
    fn new(
        kernel: &'a dyn Shared,
        alone: &'a dyn Fn(&Job) -> Result<Words, Error>,
        parameters: &Arc<Parameters>,
    ) -> Result<Self, Error> {
        let batch = kernel.batch(&vec![&**parameters; kernel.lanes()])?;
        let (scratch, blocks) = (zeros(kernel.scratch(batch.limbs)), kernel.blocks(batch.limbs));
        Ok(Self { kernel, alone, parameters: Arc::clone(parameters), batch, scratch, blocks })
    }

    fn mul(&mut self, a: &[Block], b: &[Block]) -> Blocks {
        let mut out = zeros(self.blocks);
        self.kernel.mul(&mut out, a, b, &self.batch, &mut self.scratch);
        out
    }

    fn montgomery(&mut self, value: &Natural) -> Blocks {
        let value = value.to_words(words_for(value.bits()));
        let lanes = vec![value.as_slice(); self.kernel.lanes()];
        self.kernel.enter(&lanes, &self.batch, &mut self.scratch)
    }

    /// The table of one base.
    fn table(&mut self, powers: &[Blocks], blocks: u32) -> Vec<u64> {
        let limbs = self.batch.limbs;
        let mut table = Vec::new();
        for block in 0..blocks as usize {
            let mut entries: Vec<Blocks> = vec![self.batch.one.clone()];
            for power in powers.iter().skip(block).step_by(blocks as usize) {
                let with_tooth: Vec<Blocks> =
                    entries.iter().map(|entry| self.mul(entry, power)).collect();
                entries.extend(with_tooth);
            }
            let entries = entries.iter().flat_map(|entry| words_of(self.kernel, entry, limbs));
            table.extend(self.kernel.arranged(entries.collect(), limbs));
        }
        table
    }

    /// `base^(2^(k columns))` for `k < count`, and `base^(2^bits)`.
    fn powers(
        &mut self,
        base: &Natural,
        bits: u32,
        count: u32,
        columns: u32,
    ) -> Result<(Vec<Blocks>, Blocks), Error> {
        let (mut value, mut top) = (base.clone(), base.clone());
        let mut powers = Vec::new();
        for start in (0..count).map(|k| k * columns) {
            if start > 0 {
                value = self.squared(&value, columns)?;
            }
            powers.push(self.montgomery(&value));
            if (start..start + columns).contains(&bits) {
                top = self.squared(&value, bits - start)?;
            }
        }
        Ok((powers, self.montgomery(&top)))
    }

    /// `value^(2^times)`: one long chain of squarings, which is the better part of the work.
    fn squared(&self, value: &Natural, times: u32) -> Result<Natural, Error> {
        let mut exponent = Zeroizing::new(vec![0; words_for(times + 1)]);
        if let Some(word) = exponent.get_mut((times >> 6) as usize) {
            *word = 1 << (times & 63);
        }
        let base = Zeroizing::new(value.to_words(words_for(self.parameters.bits())));
        let power = Power { base, exponent, bits: times + 1, public: true };
        let value = (self.alone)(&Job::new(&self.parameters, [power].into()))?;
        Ok(Natural::from_words(&value))
    }

    /// The Montgomery form of the inverse of an element of lane 0.
    fn inverse(&mut self, value: &[Block]) -> Result<Blocks, Error> {
        let modulus = Natural::from_words(self.parameters.words());
        let residues = self.kernel.leave(value, &self.batch, &[&self.parameters])?;
        let residue = Natural::from_words(residues.first().ok_or(Error::NoValue)?);
        let inverse = euclid::inverse_vartime(&residue, &modulus).ok_or(Error::NotInvertible)?;
        Ok(self.montgomery(&inverse))
    }
}
