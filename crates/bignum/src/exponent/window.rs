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
//!
//! If a term's exponent is public and the same in all lanes, as in the N-th powers of one Paillier key, it is cut
//! into odd digits instead (`sliding.rs`). All lanes then have them at the same bits. This takes half the table,
//! a quarter fewer products, and no search in the table. Bases stay secret.

use alloc::vec;
use alloc::vec::Vec;

use super::job::Job;
use super::sliding::digits_vartime;
use super::width::{fixed_width, secret_width, shared_width};
use crate::error::Error;
use crate::kernel::batch::Batch;
use crate::kernel::block::{Block, Blocks, zeros};
use crate::kernel::operations::Kernel;
use crate::modular::parameters::Parameters;
use crate::number::limbs::{self, Words};

/// The powers in the same place of every lane's product.
struct Slot<'a> {
    digits: Digits<'a>,
    table: Blocks,
}

/// The digits of a slot's exponents.
enum Digits<'a> {
    /// `count` digits of `width` bits for each lane; the table is `base^0 ... base^(2^width - 1)`.
    Fixed {
        width: u32,
        count: u32,
        /// Each lane's exponent; empty if the lane's product is shorter.
        exponents: Vec<&'a [u64]>,
        /// `true` if the time may show all exponents.
        public: bool,
    },
    /// Odd digits with the bit that each ends at, highest first, the same for all lanes; the table is `base^1, base^3 ...`.
    Odd(Vec<(u32, u64)>),
}

impl Digits<'_> {
    /// The squarings that the digits need.
    fn top(&self) -> u32 {
        match self {
            Self::Fixed { width, count, .. } => count * width,
            Self::Odd(digits) => digits.first().map_or(0, |(low, _)| low + 1),
        }
    }
}

/// Each lane's digit at bit `position`.
fn index(exponents: &[&[u64]], position: u32, width: u32) -> Block {
    let mut index = Block::default();
    for (digit, exponent) in index.0.iter_mut().zip(exponents) {
        *digit = limbs::window(exponent, position, width);
    }
    index
}

/// A kernel at work on one batch.
struct Machine<'a> {
    kernel: &'a dyn Kernel,
    batch: &'a Batch,
    scratch: Blocks,
    blocks: usize,
}

impl Machine<'_> {
    /// Replaces `value` by its product with `factor`; `spare` is as long.
    fn times(&mut self, value: &mut Blocks, factor: &[Block], spare: &mut Blocks) {
        self.kernel.mul(spare, value, factor, self.batch, &mut self.scratch);
        core::mem::swap(value, spare);
    }

    /// The bases of a slot.
    fn bases(&mut self, jobs: &[&Job], slot: usize) -> Blocks {
        let power = |lane| jobs.get(lane).or(jobs.last()).and_then(|j| j.powers.get(slot));
        let bases = (0..self.kernel.lanes()).map(|lane| power(lane).map_or(&[1][..], |p| &p.base));
        let bases: Vec<&[u64]> = bases.collect();
        self.kernel.enter(&bases, self.batch, &mut self.scratch)
    }

    /// `base^0 ... base^(2^width - 1)`.
    fn powers(&mut self, base: &Blocks, width: u32) -> Blocks {
        let mut table = zeros(self.blocks << width);
        let mut entries = table.chunks_exact_mut(self.blocks);
        if let Some(one) = entries.next() {
            one.copy_from_slice(&self.batch.one);
        }
        self.progression(entries, base.clone(), base);
        table
    }

    /// `base^1, base^3 ... base^(2^width - 1)`.
    fn odd_powers(&mut self, base: &Blocks, width: u32) -> Blocks {
        let mut table = zeros(self.blocks << (width - 1));
        let mut square = zeros(self.blocks);
        self.kernel.sqr(&mut square, base, self.batch, &mut self.scratch);
        self.progression(table.chunks_exact_mut(self.blocks), base.clone(), &square);
        table
    }

    /// Writes `entry`, and then each entry times `factor`.
    fn progression(
        &mut self,
        table: core::slice::ChunksExactMut<'_, Block>,
        mut entry: Blocks,
        factor: &[Block],
    ) {
        let mut spare = zeros(self.blocks);
        for (k, to) in table.enumerate() {
            if k > 0 {
                self.times(&mut entry, factor, &mut spare);
            }
            to.copy_from_slice(&entry);
        }
    }
}

fn slots<'a, const VARTIME: bool>(machine: &mut Machine<'_>, jobs: &[&'a Job]) -> Vec<Slot<'a>> {
    let count = jobs.iter().map(|j| j.powers.len()).max().unwrap_or(0);
    (0..count).map(|at| slot::<VARTIME>(machine, jobs, at)).collect()
}

fn slot<'a, const VARTIME: bool>(
    machine: &mut Machine<'_>,
    jobs: &[&'a Job],
    at: usize,
) -> Slot<'a> {
    let powers: Vec<_> = (0..machine.kernel.lanes())
        .map(|lane| jobs.get(lane).or(jobs.last()).and_then(|j| j.powers.get(at)))
        .collect();
    let each = || powers.iter().flatten();
    let public = VARTIME || each().all(|p| p.public);
    let base = machine.bases(jobs, at);
    // Compared only if it is public.
    let common = powers.first().copied().flatten().filter(|first| {
        public && powers.iter().all(|p| p.is_some_and(|p| *p.exponent == *first.exponent))
    });
    if let Some(first) = common {
        let bits = limbs::bits_vartime(&first.exponent);
        let width = shared_width(bits);
        let digits = Digits::Odd(digits_vartime(&first.exponent, bits, width));
        return Slot { digits, table: machine.odd_powers(&base, width) };
    }
    let bits = each().map(|p| p.bits).max().unwrap_or(0);
    let limbs = u32::try_from(machine.batch.limbs).unwrap_or(u32::MAX);
    let width = if VARTIME { fixed_width(bits) } else { secret_width(bits, limbs) };
    let exponents = powers.iter().map(|p| p.map_or(&[][..], |p| &p.exponent)).collect();
    let digits = Digits::Fixed { width, count: bits.div_ceil(width), exponents, public };
    Slot { digits, table: machine.powers(&base, width) }
}

/// The products of up to [`Kernel::lanes`] jobs whose moduli have the same count of limbs.
///
/// With `VARTIME` the time shows the digits. Without it, the time shows those of public exponents, and of others
/// only the lengths.
///
/// # Errors
/// [`Error::NoValue`] for moduli that the kernel does not support, or a defect of it.
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
    let acc = accumulate(&mut machine, &slots)?;
    let moduli: Vec<&Parameters> = jobs.iter().map(|j| &*j.modulus).collect();
    kernel.leave(&acc, &batch, &moduli)
}

fn accumulate(machine: &mut Machine<'_>, slots: &[Slot<'_>]) -> Result<Blocks, Error> {
    let blocks = machine.blocks;
    let top = slots.iter().map(|s| s.digits.top()).max().unwrap_or(0);
    let (mut acc, mut next, mut chosen) = (zeros(blocks), zeros(blocks), zeros(blocks));
    acc.copy_from_slice(&machine.batch.one);
    let mut started = false;
    let mut places = vec![0; slots.len()];
    for position in (0..top).rev() {
        if started {
            machine.kernel.sqr(&mut next, &acc, machine.batch, &mut machine.scratch);
            core::mem::swap(&mut acc, &mut next);
        }
        for (slot, place) in slots.iter().zip(&mut places) {
            let Some(factor) = factor(machine.kernel, (slot, place), position, &mut chosen)? else {
                continue;
            };
            if started {
                machine.kernel.mul(&mut next, &acc, factor, machine.batch, &mut machine.scratch);
                core::mem::swap(&mut acc, &mut next);
            } else {
                acc.copy_from_slice(factor);
                started = true;
            }
        }
    }
    Ok(acc)
}

/// The factor of a slot at a bit, if a digit ends there: an entry of its table, or what each lane chose of it. `place`
/// counts the odd digits.
fn factor<'b>(
    kernel: &dyn Kernel,
    (slot, place): (&'b Slot<'_>, &mut usize),
    position: u32,
    chosen: &'b mut Blocks,
) -> Result<Option<&'b [Block]>, Error> {
    let (width, exponents, public) = match &slot.digits {
        Digits::Odd(digits) => {
            let Some((_, digit)) = digits.get(*place).filter(|(low, _)| *low == position) else {
                return Ok(None);
            };
            *place += 1;
            let entry = usize::try_from(digit >> 1).map_err(|_| Error::NoValue)?;
            let entry = slot.table.chunks_exact(chosen.len()).nth(entry);
            return entry.map(Some).ok_or(Error::NoValue);
        }
        Digits::Fixed { width, count, exponents, public } => {
            if !position.is_multiple_of(*width) || position >= count * width {
                return Ok(None);
            }
            (*width, exponents, *public)
        }
    };
    let index = index(exponents, position, width);
    if !public {
        kernel.select(chosen, &slot.table, &index);
    } else if index.0.iter().all(|&digit| digit == 0) {
        return Ok(None);
    } else {
        kernel.select_vartime(chosen, &slot.table, &index);
    }
    Ok(Some(chosen))
}
