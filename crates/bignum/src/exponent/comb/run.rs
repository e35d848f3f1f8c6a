//! Products over a comb.

use alloc::vec::Vec;
use core::ops::Range;

use super::{Comb, CombJob, Inner, Row};
use crate::error::Error;
use crate::kernel::block::{Block, Blocks, words, words_mut, zeros};
use crate::kernel::operations::Shared;
use crate::modular::parameters::Parameters;
use crate::number::limbs::{Words, bit};

/// Combs in the lanes of one kernel.
struct Tables<'a> {
    kernel: &'a dyn Shared,
    limbs: usize,
    /// Each comb with its lanes: no bit set in these, all in the others, which makes an index that no table has.
    combs: Vec<(&'a Inner, Block)>,
    spare: Blocks,
}

impl<'a> Tables<'a> {
    fn new(
        kernel: &'a dyn Shared,
        lanes: &[&CombJob<'a>],
        (limbs, blocks): (usize, usize),
    ) -> Self {
        let mut combs: Vec<(&Comb, Block)> = Vec::new();
        for (lane, job) in lanes.iter().enumerate() {
            if !combs.iter().any(|(comb, _)| comb.same(job.comb)) {
                combs.push((job.comb, Block([u64::MAX; 8])));
            }
            let own = combs.iter_mut().find(|(comb, _)| comb.same(job.comb));
            if let Some(not) = own.and_then(|(_, outside)| outside.0.get_mut(lane)) {
                *not = 0;
            }
        }
        let combs = combs.into_iter().map(|(comb, outside)| (&*comb.inner, outside)).collect();
        Self { kernel, limbs, combs, spare: zeros(blocks) }
    }

    /// Each lane's entry of its comb's table. With `VARTIME` the time shows the index. Otherwise it shows only
    /// which lanes belong to which comb.
    fn select<const VARTIME: bool>(
        &mut self,
        out: &mut [Block],
        table: impl Fn(&'a Inner) -> &'a [u64],
        index: &Block,
    ) {
        let Self { kernel, limbs, combs, spare } = self;
        let read = |to: &mut [Block], (inner, outside): &(&'a Inner, Block)| {
            let mut index = *index;
            index.0.iter_mut().zip(outside.0).for_each(|(index, outside)| *index |= outside);
            if VARTIME {
                kernel.select_shared_vartime(to, table(inner), *limbs, &index);
            } else {
                kernel.select_shared(to, table(inner), *limbs, &index);
            }
        };
        let Some((first, others)) = combs.split_first() else { return };
        read(out, first);
        for other in others {
            // What is read for lanes of others is zero.
            read(spare, other);
            let (out, spare) = (words_mut(out), words(spare));
            out.iter_mut().zip(spare).for_each(|(to, from)| *to |= from);
        }
    }
}

/// The products of up to [`Kernel::lanes`] jobs over combs of one shape.
///
/// With `VARTIME` the time shows the digits, otherwise nothing.
///
/// # Errors
/// [`Error::LengthMismatch`] for a job that does not have one exponent for each base, or a comb of another shape.
/// [`Error::NoValue`] if there is no job, or for a defect of the kernel.
pub(crate) fn run<const VARTIME: bool>(
    kernel: &dyn Shared,
    jobs: &[&CombJob<'_>],
) -> Result<Vec<Words>, Error> {
    let (Some(first), Some(last)) = (jobs.first(), jobs.last()) else { return Err(Error::NoValue) };
    let inner = &*first.comb.inner;
    let fits = |job: &&CombJob<'_>| {
        job.exponents.len() == inner.bases.len() && job.comb.is_alike(first.comb)
    };
    if !jobs.iter().all(fits) {
        return Err(Error::LengthMismatch);
    }
    // Each lane's job. Lanes that are left over repeat the last one.
    let lanes: Vec<&CombJob<'_>> =
        (0..kernel.lanes()).map(|lane| *jobs.get(lane).unwrap_or(last)).collect();
    let moduli: Vec<&Parameters> =
        lanes.iter().map(|job| &**job.comb.inner.modulus.parameters()).collect();
    let batch = kernel.batch(&moduli)?;
    let blocks = kernel.blocks(batch.limbs);
    let mut tables = Tables::new(kernel, &lanes, (batch.limbs, blocks));
    let mut scratch = zeros(kernel.scratch(batch.limbs));
    let (mut acc, mut next, mut factor) = (zeros(blocks), zeros(blocks), zeros(blocks));
    acc.copy_from_slice(&batch.one);
    for column in (0..inner.columns).rev() {
        if column + 1 < inner.columns {
            kernel.sqr(&mut next, &acc, &batch, &mut scratch);
            core::mem::swap(&mut acc, &mut next);
        }
        for (slot, row) in inner.bases.iter().enumerate() {
            let exponents: Vec<&[u64]> = lanes
                .iter()
                .filter_map(|job| job.exponents.get(slot))
                .map(|e| e.as_slice())
                .collect();
            let size = batch.limbs << row.teeth;
            for (place, block) in (0u32..row.blocks).enumerate() {
                let index = row.index(&exponents, block, column, inner.columns);
                let at = (slot, place * size..(place + 1) * size);
                tables.select::<VARTIME>(&mut factor, |inner| inner.table(&at), &index);
                kernel.mul(&mut next, &acc, &factor, &batch, &mut scratch);
                core::mem::swap(&mut acc, &mut next);
            }
        }
    }
    // The corrections are to enter unsquared, so they come last.
    tables.select::<true>(&mut factor, |inner| &inner.correction, &Block::ZERO);
    kernel.mul(&mut next, &acc, &factor, &batch, &mut scratch);
    kernel.leave(&next, &batch, moduli.get(..jobs.len()).unwrap_or_default())
}

impl Inner {
    /// A part of the table of a base.
    fn table(&self, (base, part): &(usize, Range<usize>)) -> &[u64] {
        self.bases.get(*base).and_then(|row| row.table.get(part.clone())).unwrap_or_default()
    }
}

impl Row {
    /// Each lane's entry of one block at one column.
    fn index(&self, exponents: &[&[u64]], block: u32, column: u32, columns: u32) -> Block {
        let mut index = Block::default();
        for (digit, exponent) in index.0.iter_mut().zip(exponents) {
            for tooth in 0..self.teeth {
                *digit |= bit(exponent, (tooth * self.blocks + block) * columns + column) << tooth;
            }
        }
        index
    }
}
