//! Sliding windows for one public product: odd digits only, wherever they fall.

use alloc::vec::Vec;

use super::sliding_width;
use crate::Error;
use crate::job::{Job, Power, Words};
use crate::kernel::{Batch, Block, Blocks, Kernel, leave, pack, zeros};
use crate::words;

/// One power: its odd digits with the bit that each ends at, highest first, and the odd powers of its base.
struct Slot {
    digits: Vec<(u32, u64)>,
    table: Blocks,
}

/// Cuts an exponent into odd digits of at most `width` bits, in variable time.
fn digits_vartime(exponent: &[u64], bits: u32, width: u32) -> Vec<(u32, u64)> {
    let mut out = Vec::new();
    let mut top = bits;
    while top > 0 {
        if words::bit(exponent, top - 1) == 0 {
            top -= 1;
            continue;
        }
        let mut low = top.saturating_sub(width);
        while words::bit(exponent, low) == 0 {
            low += 1;
        }
        out.push((low, words::window(exponent, low, top - low)));
        top = low;
    }
    out
}

/// The product of one job, in a time that shows its exponents.
///
/// # Errors
/// [`Error::NoValue`] for a defect of the kernel.
pub(crate) fn run_vartime(kernel: &dyn Kernel, job: &Job) -> Result<Words, Error> {
    let batch = Batch::new(kernel, &[&job.modulus]);
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
    leave(kernel, &acc, &batch, &[&job.modulus])?.pop().ok_or(Error::NoValue)
}

fn slot(kernel: &dyn Kernel, batch: &Batch, power: &Power, scratch: &mut [Block]) -> Slot {
    let blocks = kernel.blocks(batch.limbs);
    let bits = words::bits_vartime(&power.exponent);
    let width = sliding_width(bits);
    let (mut raw, mut base, mut square) = (zeros(blocks), zeros(blocks), zeros(blocks));
    pack(kernel, &mut raw, 0, &power.base, batch.limbs);
    kernel.mul(&mut base, &raw, &batch.square, batch, scratch);
    kernel.sqr(&mut square, &base, batch, scratch);
    let mut table = zeros(blocks << (width - 1));
    let mut entry = base;
    let mut next = raw;
    for (k, to) in table.chunks_exact_mut(blocks).enumerate() {
        if k > 0 {
            kernel.mul(&mut next, &entry, &square, batch, scratch);
            core::mem::swap(&mut entry, &mut next);
        }
        to.copy_from_slice(&entry);
    }
    Slot { digits: digits_vartime(&power.exponent, bits, width), table }
}
