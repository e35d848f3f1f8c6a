//! Sliding windows for one public product: odd digits only, wherever they fall.
//!
//! An exponent is cut into odd digits `d_k < 2^w` at bits `l_k`, `e = Σ d_k 2^(l_k)`, from the top bit down: zeros are
//! skipped, and a digit starts at a set bit and ends at the lowest set bit within `w`. Its factor enters the accumulator
//! when that has been squared down to bit `l_k`. Odd digits halve the table, and runs of zeros cost nothing: digits stand
//! `w + 1` bits apart on average. Exponents show in the time, so all of it is `vartime`.

use alloc::vec::Vec;

use super::job::{Job, Power};
use super::width::sliding_width;
use crate::error::Error;
use crate::kernel::batch::Batch;
use crate::kernel::block::{Block, Blocks, zeros};
use crate::kernel::operations::Kernel;
use crate::number::limbs::{self, Words};

/// One power: its odd digits with the bit that each ends at, highest first, and the odd powers of its base.
struct Slot {
    digits: Vec<(u32, u64)>,
    table: Blocks,
}

/// Cuts an exponent into odd digits of at most `width` bits, each with the bit that it ends at, highest first. In variable
/// time.
pub(super) fn digits_vartime(exponent: &[u64], bits: u32, width: u32) -> Vec<(u32, u64)> {
    let mut out = Vec::new();
    let mut top = bits;
    while top > 0 {
        if limbs::bit(exponent, top - 1) == 0 {
            top -= 1;
            continue;
        }
        let mut low = top.saturating_sub(width);
        while limbs::bit(exponent, low) == 0 {
            low += 1;
        }
        out.push((low, limbs::window(exponent, low, top - low)));
        top = low;
    }
    out
}

/// The product of one job, in a time that shows its exponents.
///
/// # Errors
/// [`Error::NoValue`] for a defect of the kernel.
pub(crate) fn run_vartime(kernel: &dyn Kernel, job: &Job) -> Result<Words, Error> {
    let batch = kernel.batch(&[&job.modulus])?;
    let blocks = kernel.blocks(batch.limbs);
    let mut scratch = zeros(kernel.scratch(batch.limbs));
    let slots: Vec<Slot> =
        job.powers.iter().map(|p| slot(kernel, &batch, p, &mut scratch)).collect();

    let (mut acc, mut next) = (zeros(blocks), zeros(blocks));
    acc.copy_from_slice(&batch.one);
    let mut started = false;
    let mut cursors: Vec<_> = slots.iter().map(|s| s.digits.iter().peekable()).collect();
    for position in (0..job.longest()).rev() {
        if started {
            kernel.sqr(&mut next, &acc, &batch, &mut scratch);
            core::mem::swap(&mut acc, &mut next);
        }
        for (cursor, slot) in cursors.iter_mut().zip(&slots) {
            let Some(&(_, digit)) = cursor.next_if(|&&(low, _)| low == position) else { continue };
            let entry = slot.table.chunks_exact(blocks).zip(0u64..).find(|&(_, k)| k == digit >> 1);
            let (factor, _) = entry.ok_or(Error::NoValue)?;
            if started {
                kernel.mul(&mut next, &acc, factor, &batch, &mut scratch);
                core::mem::swap(&mut acc, &mut next);
            } else {
                acc.copy_from_slice(factor);
                started = true;
            }
        }
    }
    kernel.leave(&acc, &batch, &[&job.modulus])?.pop().ok_or(Error::NoValue)
}

fn slot(kernel: &dyn Kernel, batch: &Batch, power: &Power, scratch: &mut [Block]) -> Slot {
    let blocks = kernel.blocks(batch.limbs);
    let bits = limbs::bits_vartime(&power.exponent);
    let width = sliding_width(bits);
    let (mut next, mut square) = (zeros(blocks), zeros(blocks));
    let base = kernel.enter(&[&power.base], batch, scratch);
    kernel.sqr(&mut square, &base, batch, scratch);
    let mut table = zeros(blocks << (width - 1));
    let mut entry = base;
    for (k, to) in table.chunks_exact_mut(blocks).enumerate() {
        if k > 0 {
            kernel.mul(&mut next, &entry, &square, batch, scratch);
            core::mem::swap(&mut entry, &mut next);
        }
        to.copy_from_slice(&entry);
    }
    Slot { digits: digits_vartime(&power.exponent, bits, width), table }
}
