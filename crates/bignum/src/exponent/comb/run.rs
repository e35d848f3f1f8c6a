//! Products over a comb.

use alloc::vec;
use alloc::vec::Vec;

use super::{CombJob, Row};
use crate::error::Error;
use crate::kernel::block::{Block, zeros};
use crate::kernel::operations::Shared;
use crate::number::words::{Words, bit};

/// The products of up to [`Kernel::lanes`] jobs over one comb.
///
/// With `VARTIME` the digits show in the time; without it nothing does.
///
/// # Errors
/// [`Error::LengthMismatch`] for a job that has not one exponent for each base, [`Error::NoValue`] for no job at all or a
/// defect of the kernel.
pub(crate) fn run<const VARTIME: bool>(
    kernel: &dyn Shared,
    jobs: &[&CombJob<'_>],
) -> Result<Vec<Words>, Error> {
    let (Some(first), Some(last)) = (jobs.first(), jobs.last()) else { return Err(Error::NoValue) };
    let inner = &*first.comb.inner;
    if jobs.iter().any(|job| job.exponents.len() != inner.bases.len()) {
        return Err(Error::LengthMismatch);
    }
    // Each lane's job; lanes that are left over do the last one once more.
    let lanes: Vec<&CombJob<'_>> =
        (0..kernel.lanes()).map(|lane| *jobs.get(lane).unwrap_or(last)).collect();
    let parameters = inner.modulus.parameters();
    let batch = kernel.batch(&vec![&**parameters; kernel.lanes()])?;
    let blocks = kernel.blocks(batch.limbs);
    let mut scratch = zeros(kernel.scratch(batch.limbs));
    let (mut acc, mut next, mut factor) = (zeros(blocks), zeros(blocks), zeros(blocks));
    kernel.select_shared_vartime(&mut acc, &inner.correction, batch.limbs, &Block::default());
    // The correction is to enter unsquared, so it comes last; until then the sum of squarings starts from one.
    let correction = acc.clone();
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
            for (block, table) in (0u32..).zip(row.table.chunks_exact(size)) {
                let index = row.index(&exponents, block, column, inner.columns);
                if VARTIME {
                    kernel.select_shared_vartime(&mut factor, table, batch.limbs, &index);
                } else {
                    kernel.select_shared(&mut factor, table, batch.limbs, &index);
                }
                kernel.mul(&mut next, &acc, &factor, &batch, &mut scratch);
                core::mem::swap(&mut acc, &mut next);
            }
        }
    }
    kernel.mul(&mut next, &acc, &correction, &batch, &mut scratch);
    kernel.leave(&next, &batch, &vec![&**parameters; jobs.len()])
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
