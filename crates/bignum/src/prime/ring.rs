//! Residues of one modulus in Montgomery form, always below the modulus, in constant time.

use subtle::{Choice, ConstantTimeEq};

use crate::kernel::portable::Portable;
use crate::kernel::{Batch, Blocks, Kernel, pack, words, words_mut, zeros};
use crate::modulus::Parameters;
use crate::words::{add_assign, select, sub_assign};

/// A modulus and room to work.
pub(super) struct Ring {
    batch: Batch,
    scratch: Blocks,
    blocks: usize,
}

impl Ring {
    pub(super) fn new(modulus: &Parameters) -> Self {
        let batch = Batch::new(Portable, &[modulus]);
        let blocks = Portable::blocks(batch.limbs);
        let scratch = zeros(Portable::scratch(batch.limbs));
        Self { batch, scratch, blocks }
    }

    pub(super) fn zero(&self) -> Blocks {
        zeros(self.blocks)
    }

    pub(super) fn one(&self) -> Blocks {
        self.batch.one.clone()
    }

    /// A number below the modulus, as a residue.
    pub(super) fn enter(&mut self, value: &[u64]) -> Blocks {
        let mut out = self.zero();
        pack::<Portable>(&mut out, 0, value, self.batch.limbs);
        let mut residue = self.zero();
        Portable.mul(&mut residue, &out, &self.batch.square, &self.batch, &mut self.scratch);
        residue
    }

    pub(super) fn mul(&mut self, a: &Blocks, b: &Blocks) -> Blocks {
        let mut out = self.zero();
        Portable.mul(&mut out, a, b, &self.batch, &mut self.scratch);
        out
    }

    pub(super) fn square(&mut self, a: &Blocks) -> Blocks {
        let mut out = self.zero();
        Portable.sqr(&mut out, a, &self.batch, &mut self.scratch);
        out
    }

    pub(super) fn add(&mut self, a: &Blocks, b: &Blocks) -> Blocks {
        let mut out = a.clone();
        let carry = add_assign(words_mut(&mut out), words(b));
        let mut less = out.clone();
        let borrow = sub_assign(words_mut(&mut less), words(&self.batch.n));
        select(words_mut(&mut out), words(&less), carry | !borrow);
        out
    }

    pub(super) fn sub(&mut self, a: &Blocks, b: &Blocks) -> Blocks {
        let mut out = a.clone();
        let borrow = sub_assign(words_mut(&mut out), words(b));
        let mut more = out.clone();
        // Carries exactly where the difference borrowed.
        let _carry = add_assign(words_mut(&mut more), words(&self.batch.n));
        select(words_mut(&mut out), words(&more), borrow);
        out
    }

    /// `a / 2`.
    pub(super) fn halve(&mut self, a: &Blocks) -> Blocks {
        let mut out = a.clone();
        let odd = words(a).first().map_or(0, |w| w & 1);
        let mut more = out.clone();
        let carry = add_assign(words_mut(&mut more), words(&self.batch.n));
        let odd = Choice::from(u8::from(core::hint::black_box(odd) == 1));
        select(words_mut(&mut out), words(&more), odd);
        let mut top = u64::from((carry & odd).unwrap_u8());
        for word in words_mut(&mut out).iter_mut().rev() {
            let low = *word & 1;
            *word = *word >> 1 | top << 63;
            top = low;
        }
        out
    }

    /// `a` times a small public number.
    pub(super) fn mul_small(&mut self, a: &Blocks, factor: u64) -> Blocks {
        let mut out = self.zero();
        for bit in (0..64 - factor.leading_zeros()).rev() {
            out = self.add(&out, &out);
            if factor >> bit & 1 == 1 {
                out = self.add(&out, a);
            }
        }
        out
    }

    /// `b` where `choice`, otherwise `a`.
    pub(super) fn choose(a: &Blocks, b: &Blocks, choice: Choice) -> Blocks {
        let mut out = a.clone();
        select(words_mut(&mut out), words(b), choice);
        out
    }

    pub(super) fn equal(a: &Blocks, b: &Blocks) -> Choice {
        words(a).ct_eq(words(b))
    }

    pub(super) fn is_zero(a: &Blocks) -> Choice {
        words(a).iter().fold(0, |all, w| all | w).ct_eq(&0)
    }
}
