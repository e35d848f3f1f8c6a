//! Residues of one modulus in Montgomery form, always below the modulus, in constant time.

use subtle::{Choice, ConstantTimeEq};

use crate::error::Error;
use crate::kernel::batch::Batch;
use crate::kernel::block::{Blocks, words, words_mut, zeros};
#[cfg(feature = "counting")]
use crate::kernel::counting::alone;
use crate::kernel::operations::Kernel;
use crate::kernel::portable::Portable;
use crate::modular::parameters::Parameters;
use crate::number::limbs::double_mod;
use crate::number::word::Carry;

/// A modulus and room to work.
pub(super) struct Ring {
    batch: Batch,
    scratch: Blocks,
    spare: Blocks,
}

/// A mask of all ones for 1, or zero for 0.
fn mask(bit: bool) -> u64 {
    core::hint::black_box(u64::from(bit)).wrapping_neg()
}

impl Ring {
    /// # Errors
    /// None is known; errors of the kernel are passed on.
    pub(super) fn new(modulus: &Parameters) -> Result<Self, Error> {
        let batch = Portable.batch(&[modulus])?;
        let scratch = zeros(Portable.scratch(batch.limbs));
        let spare = zeros(Portable.blocks(batch.limbs));
        Ok(Self { batch, scratch, spare })
    }

    pub(super) fn zero(&self) -> Blocks {
        zeros(self.spare.len())
    }

    pub(super) fn one(&self) -> Blocks {
        self.batch.one.clone()
    }

    /// A number below the modulus, as a residue.
    pub(super) fn enter(&mut self, value: &[u64]) -> Blocks {
        Portable.enter(&[value], &self.batch, &mut self.scratch)
    }

    /// `a = a b`.
    pub(super) fn mul(&mut self, a: &mut Blocks, b: &Blocks) {
        #[cfg(feature = "counting")]
        alone(&Portable, &self.batch, false);
        Portable.mul(&mut self.spare, a, b, &self.batch, &mut self.scratch);
        core::mem::swap(a, &mut self.spare);
    }

    /// `a = a^2`.
    pub(super) fn square(&mut self, a: &mut Blocks) {
        #[cfg(feature = "counting")]
        alone(&Portable, &self.batch, true);
        Portable.sqr(&mut self.spare, a, &self.batch, &mut self.scratch);
        core::mem::swap(a, &mut self.spare);
    }

    /// `a = a + b`.
    pub(super) fn add(&mut self, a: &mut Blocks, b: &Blocks) {
        let (mut carry, mut borrow) = (false, false);
        let less = words_mut(&mut self.spare).iter_mut().zip(words(&self.batch.n));
        for ((x, y), (less, n)) in words_mut(a).iter_mut().zip(words(b)).zip(less) {
            (*x, carry) = x.add_carry(*y, carry);
            (*less, borrow) = x.sub_borrow(*n, borrow);
        }
        let keep = mask(borrow & !carry);
        for (x, less) in words_mut(a).iter_mut().zip(words(&self.spare)) {
            *x = *x & keep | less & !keep;
        }
    }

    /// `a = 2 a`.
    pub(super) fn double(&mut self, a: &mut Blocks) {
        double_mod(words_mut(a), words(&self.batch.n), words_mut(&mut self.spare));
    }

    /// `a = a - b`.
    pub(super) fn sub(&mut self, a: &mut Blocks, b: &Blocks) {
        let mut borrow = false;
        for (x, y) in words_mut(a).iter_mut().zip(words(b)) {
            (*x, borrow) = x.sub_borrow(*y, borrow);
        }
        let (add, mut carry) = (mask(borrow), false);
        for (x, n) in words_mut(a).iter_mut().zip(words(&self.batch.n)) {
            (*x, carry) = x.add_carry(n & add, carry);
        }
    }

    /// `a = a / 2`.
    pub(super) fn halve(&mut self, a: &mut Blocks) {
        let odd = mask(words(a).first().is_some_and(|w| w & 1 == 1));
        let mut carry = false;
        for (x, n) in words_mut(a).iter_mut().zip(words(&self.batch.n)) {
            (*x, carry) = x.add_carry(n & odd, carry);
        }
        let mut top = u64::from(carry);
        for word in words_mut(a).iter_mut().rev() {
            let low = *word & 1;
            *word = *word >> 1 | top << 63;
            top = low;
        }
    }

    /// `out = a f` for a small public number, not zero.
    pub(super) fn mul_small(&mut self, out: &mut Blocks, a: &Blocks, f: u64) {
        out.copy_from_slice(a);
        for bit in (0..f.ilog2()).rev() {
            self.double(out);
            if f >> bit & 1 == 1 {
                self.add(out, a);
            }
        }
    }

    /// `a = b` where `choice`.
    pub(super) fn choose(a: &mut Blocks, b: &Blocks, choice: Choice) {
        let take = mask(choice.unwrap_u8() == 1);
        for (x, y) in words_mut(a).iter_mut().zip(words(b)) {
            *x = *x & !take | y & take;
        }
    }

    pub(super) fn equal(a: &Blocks, b: &Blocks) -> Choice {
        words(a).iter().zip(words(b)).fold(0, |all, (x, y)| all | (x ^ y)).ct_eq(&0)
    }

    pub(super) fn is_zero(a: &Blocks) -> Choice {
        words(a).iter().fold(0, |all, w| all | w).ct_eq(&0)
    }
}
