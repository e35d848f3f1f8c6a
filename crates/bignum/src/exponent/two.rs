//! Fermat's test to base 2, a candidate in each lane.
//!
//! A factor 2 is a shift, so the power takes only squarings. Two bits of the exponent are two squarings and a
//! shift by at most three places, which the spare bits of the SIMD kernels hold. The test takes constant time,
//! because one of the candidates becomes a secret prime.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::kernel::batch::Batch;
use crate::kernel::block::{Block, Blocks, words, words_mut, zeros};
use crate::kernel::operations::Kernel;
use crate::number::limbs::{Words, double_mod, reduce_once, sub_assign, widened, window};
use crate::number::word::{Carry, inverse_word};

/// For up to [`Kernel::lanes`] odd numbers of `bits` or `bits - 1` bits, whether `2^(n - 1) = 1 mod n`. The time
/// shows `bits` and the number of candidates.
pub(crate) fn base_two(kernel: &dyn Kernel, bits: u32, numbers: &[Words]) -> Vec<bool> {
    let lanes: Vec<&[u64]> = (0..kernel.lanes())
        .filter_map(|lane| numbers.get(lane).or(numbers.last()))
        .map(|n| n.as_slice())
        .collect();
    let batch = batch(kernel, bits, &lanes);
    let mut machine = Machine {
        kernel,
        batch: &batch,
        scratch: zeros(kernel.scratch(batch.limbs)),
        spare: zeros(kernel.blocks(batch.limbs)),
    };
    let mut acc = batch.one.clone();
    let width = if kernel.form().radix() < 64 { 2 } else { 1 };
    for digit in (0..bits.div_ceil(width)).rev() {
        if (digit + 1) * width < bits {
            for _ in 0..width {
                machine.square(&mut acc);
            }
        }
        let mut shifts = Block::ZERO;
        for (shift, n) in shifts.0.iter_mut().zip(&lanes) {
            // The exponent is n - 1: n is odd, so that only its lowest bit differs.
            *shift =
                window(n, digit * width, width) & if digit == 0 { u64::MAX - 1 } else { u64::MAX };
        }
        if width == 2 {
            kernel.shift(&mut acc, &shifts);
        } else if let Some(value) = words_mut(&mut acc).get_mut(..batch.limbs) {
            // Without the words that fill its last block.
            double_if(value, words(&batch.one), shifts.0[0]);
        }
    }
    machine.are_one(&acc, numbers)
}

/// The candidates with Montgomery's constants, but for the square of the radix, which no squaring needs.
fn batch(kernel: &dyn Kernel, bits: u32, lanes: &[&[u64]]) -> Batch {
    let (layout, limbs) = (kernel.layout(), kernel.form().limbs(bits) as usize);
    let mut batch = Batch::blank(layout, limbs);
    for (lane, n) in lanes.iter().enumerate() {
        let low = n.first().copied().unwrap_or(1);
        batch.set(layout, lane, n, inverse_word(low).wrapping_neg());
        let one = radix_residue(n, bits, kernel.form().radix_bits(bits));
        layout.pack(&mut batch.one, lane, &one, limbs);
    }
    batch.extra = kernel.prepare(&batch.n, &batch.k0, limbs);
    batch
}

/// `2^radix_bits mod n`, by doubling `2^(bits - 2) < n`. The time shows the two lengths.
fn radix_residue(n: &[u64], bits: u32, radix_bits: u32) -> Words {
    let mut out = Zeroizing::new(vec![0u64; n.len()]);
    let mut spare = out.clone();
    if let Some(word) = out.get_mut(((bits - 2) >> 6) as usize) {
        *word = 1 << ((bits - 2) & 63);
    }
    for _ in bits - 2..radix_bits {
        double_mod(&mut out, n, &mut spare);
    }
    out
}

/// Doubles a residue that fills its words if `bit` is 1; `one` is the radix modulo n, which a carry stands for.
///
/// Twice at most: after two carries `2 (value - R + one)` is left, below `2 one`, and `2 one <= R` whether the modulus
/// is below half the radix or above.
fn double_if(value: &mut [u64], one: &[u64], bit: u64) {
    let bit = core::hint::black_box(bit);
    let (double, top) = (bit.wrapping_neg(), value.last().map_or(0, |w| w >> 63));
    let first = (top & bit).wrapping_neg();
    let (mut low, mut carry) = (0, false);
    for (x, one) in value.iter_mut().zip(one) {
        let doubled = *x << 1 | low;
        low = *x >> 63;
        (*x, carry) = (doubled & double | *x & !double).add_carry(one & first, carry);
    }
    let second = core::hint::black_box(u64::from(carry)).wrapping_neg();
    carry = false;
    for (x, one) in value.iter_mut().zip(one) {
        (*x, carry) = x.add_carry(one & second, carry);
    }
}

struct Machine<'a> {
    kernel: &'a dyn Kernel,
    batch: &'a Batch,
    scratch: Blocks,
    spare: Blocks,
}

impl Machine<'_> {
    fn square(&mut self, value: &mut Blocks) {
        self.kernel.sqr(&mut self.spare, value, self.batch, &mut self.scratch);
        core::mem::swap(value, &mut self.spare);
    }

    /// For each lane, whether it holds the Montgomery form of one.
    fn are_one(&mut self, value: &Blocks, numbers: &[Words]) -> Vec<bool> {
        let layout = self.kernel.layout();
        let unit = layout.unit(self.batch.limbs);
        self.kernel.mul(&mut self.spare, value, &unit, self.batch, &mut self.scratch);
        let is_one = |(lane, n): (usize, &Words)| {
            let mut residue = Zeroizing::new(vec![0; n.len() + 1]);
            layout.unpack(&self.spare, lane, &mut residue, self.batch.limbs);
            reduce_once(&mut residue, &widened(n), &mut Zeroizing::new(vec![0; n.len() + 1]));
            // Nothing borrows and nothing is left.
            let borrow = sub_assign(&mut residue, &[1]);
            !bool::from(borrow)
                && !self.batch.refused.get()
                && residue.iter().fold(0, |all, w| all | w) == 0
        };
        numbers.iter().enumerate().map(is_one).collect()
    }
}
