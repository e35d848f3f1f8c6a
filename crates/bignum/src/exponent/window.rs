//! Fixed windows, all terms of a product over one chain of squarings (Straus), one job in each lane.
//!
//! With `e_i = Σ d_(i,j) 2^(w j)` and `0 <= d_(i,j) < 2^w`,
//!
//! ```text
//! Π b_i^(e_i) = (..(Π b_i^(d_(i,t)))^(2^w) Π b_i^(d_(i,t-1))..)^(2^w) Π b_i^(d_(i,0)):
//! ```
//!
//! from the top bit down one squaring a bit, and where a digit of term `i` ends, one entry of the table of the powers
//! `b_i^0 ... b_i^(2^w - 1)`. Each term has a width of its own. Invariant: after bit `p` the accumulator is
//! `Π b_i^(e_i >> p)`, each `e_i >> p` rounded down to whole digits.

use alloc::vec::Vec;

use super::job::Job;
use super::width::{fixed_width, secret_width};
use crate::error::Error;
use crate::kernel::batch::Batch;
use crate::kernel::block::{Block, Blocks, zeros};
use crate::kernel::operations::Kernel;
use crate::modular::parameters::Parameters;
use crate::number::words::{self, Words};

/// The powers in the same place of every lane's product.
struct Slot<'a> {
    width: u32,
    /// Digits of `width` bits.
    digits: u32,
    /// Each lane's exponent; nothing where the lane's product is shorter.
    exponents: Vec<&'a [u64]>,
    /// `base^0 ... base^(2^width - 1)`.
    table: Blocks,
}

impl Slot<'_> {
    /// Each lane's digit at bit `position`.
    fn index(&self, position: u32) -> Block {
        let mut index = Block::default();
        for (digit, exponent) in index.0.iter_mut().zip(&self.exponents) {
            *digit = words::window(exponent, position, self.width);
        }
        index
    }

    /// Whether a digit ends at bit `position`.
    fn has_digit(&self, position: u32) -> bool {
        position.is_multiple_of(self.width) && position < self.digits * self.width
    }
}

/// A kernel at work on one batch.
struct Machine<'a> {
    kernel: &'a dyn Kernel,
    batch: &'a Batch,
    scratch: Blocks,
    blocks: usize,
}

impl Machine<'_> {
    fn mul(&mut self, a: &[Block], b: &[Block]) -> Blocks {
        let mut out = zeros(self.blocks);
        self.kernel.mul(&mut out, a, b, self.batch, &mut self.scratch);
        out
    }

    /// The table of a slot.
    fn table(&mut self, jobs: &[&Job], slot: usize, width: u32) -> Blocks {
        let power = |lane| jobs.get(lane).or(jobs.last()).and_then(|j| j.powers.get(slot));
        let bases = (0..self.kernel.lanes()).map(|lane| power(lane).map_or(&[1][..], |p| &p.base));
        let bases: Vec<&[u64]> = bases.collect();
        let base = self.kernel.enter(&bases, self.batch, &mut self.scratch);
        let mut table = zeros(self.blocks << width);
        let mut entry = zeros(self.blocks);
        entry.copy_from_slice(&self.batch.one);
        for (k, to) in table.chunks_exact_mut(self.blocks).enumerate() {
            if k > 0 {
                entry = if k == 1 { base.clone() } else { self.mul(&entry, &base) };
            }
            to.copy_from_slice(&entry);
        }
        table
    }
}

fn slots<'a, const VARTIME: bool>(machine: &mut Machine<'_>, jobs: &[&'a Job]) -> Vec<Slot<'a>> {
    let count = jobs.iter().map(|j| j.powers.len()).max().unwrap_or(0);
    let lanes = machine.kernel.lanes();
    (0..count)
        .map(|slot| {
            let powers = || {
                (0..lanes)
                    .map(|lane| jobs.get(lane).or(jobs.last()).and_then(|j| j.powers.get(slot)))
            };
            let bits = powers().flatten().map(|p| p.bits).max().unwrap_or(0);
            let limbs = u32::try_from(machine.batch.limbs).unwrap_or(u32::MAX);
            let width = if VARTIME { fixed_width(bits) } else { secret_width(bits, limbs) };
            let exponents = powers().map(|p| p.map_or(&[][..], |p| &p.exponent)).collect();
            Slot {
                width,
                digits: bits.div_ceil(width),
                exponents,
                table: machine.table(jobs, slot, width),
            }
        })
        .collect()
}

/// The products of up to [`Kernel::lanes`] jobs whose moduli have the same count of limbs.
///
/// With `VARTIME` the digits show in the time; without it the lengths of the exponents alone do.
///
/// # Errors
/// [`Error::NoValue`] for moduli that the kernel is not for, or a defect of it.
pub(crate) fn run<const VARTIME: bool>(
    kernel: &dyn Kernel,
    jobs: &[&Job],
) -> Result<Vec<Words>, Error> {
    let lane_moduli: Vec<&Parameters> = (0..kernel.lanes())
        .filter_map(|lane| jobs.get(lane).or(jobs.last()))
        .map(|j| &*j.modulus)
        .collect();
    let batch = kernel.batch(&lane_moduli)?;
    let blocks = kernel.blocks(batch.limbs);
    let mut machine =
        Machine { kernel, batch: &batch, scratch: zeros(kernel.scratch(batch.limbs)), blocks };
    let slots = slots::<VARTIME>(&mut machine, jobs);
    let acc = accumulate::<VARTIME>(&mut machine, &slots);
    let moduli: Vec<&Parameters> = jobs.iter().map(|j| &*j.modulus).collect();
    kernel.leave(&acc, &batch, &moduli)
}

fn accumulate<const VARTIME: bool>(machine: &mut Machine<'_>, slots: &[Slot<'_>]) -> Blocks {
    let top = slots.iter().map(|s| s.digits * s.width).max().unwrap_or(0);
    let (mut acc, mut next, mut factor) =
        (zeros(machine.blocks), zeros(machine.blocks), zeros(machine.blocks));
    acc.copy_from_slice(&machine.batch.one);
    let mut started = false;
    for position in (0..top).rev() {
        if started {
            machine.kernel.sqr(&mut next, &acc, machine.batch, &mut machine.scratch);
            core::mem::swap(&mut acc, &mut next);
        }
        for slot in slots.iter().filter(|s| s.has_digit(position)) {
            let index = slot.index(position);
            if VARTIME {
                if index.0.iter().all(|&digit| digit == 0) {
                    continue;
                }
                machine.kernel.select_vartime(&mut factor, &slot.table, &index);
            } else {
                machine.kernel.select(&mut factor, &slot.table, &index);
            }
            if started {
                machine.kernel.mul(&mut next, &acc, &factor, machine.batch, &mut machine.scratch);
                core::mem::swap(&mut acc, &mut next);
            } else {
                acc.copy_from_slice(&factor);
                started = true;
            }
        }
    }
    acc
}
