//! One number at a time in 64-bit limbs, in safe Rust for any target.

use subtle::{ConditionallySelectable, ConstantTimeEq};

use super::{Batch, Block, Form, Kernel, Shared, Shift, words, words_mut};
use crate::word::Carry;

/// The kernel of every target.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Shift for Portable {}

impl Kernel for Portable {
    fn lanes(&self) -> usize {
        1
    }

    fn form(&self) -> Form {
        Form::Words
    }

    fn scratch(&self, limbs: usize) -> usize {
        // The double-length product, and as much again for its reduction.
        (3 * limbs).div_ceil(8) + 1
    }

    fn mul(
        &self,
        out: &mut [Block],
        a: &[Block],
        b: &[Block],
        batch: &Batch,
        scratch: &mut [Block],
    ) {
        if !batch.admits(self, [&*out, a, b], scratch) {
            return;
        }
        let len = batch.limbs;
        let (product, rest) = words_mut(scratch).split_at_mut(2 * len);
        multiply(product, &words(a)[..len], &words(b)[..len]);
        reduce(words_mut(out), product, &words(&batch.n)[..len], batch.k0.0[0], rest);
    }

    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]) {
        if !batch.admits(self, [&*out, a, a], scratch) {
            return;
        }
        let len = batch.limbs;
        let (product, rest) = words_mut(scratch).split_at_mut(2 * len);
        square(product, &words(a)[..len]);
        reduce(words_mut(out), product, &words(&batch.n)[..len], batch.k0.0[0], rest);
    }

    fn select_vartime(&self, out: &mut [Block], table: &[Block], index: &Block) {
        pick_vartime(out, table, index.0[0]);
    }

    fn select(&self, out: &mut [Block], table: &[Block], index: &Block) {
        pick(words_mut(out), words(table), index.0[0]);
    }
}

impl Shared for Portable {
    fn select_shared_vartime(&self, out: &mut [Block], table: &[u64], limbs: usize, index: &Block) {
        pick_vartime(&mut words_mut(out)[..limbs], table, index.0[0]);
    }

    fn select_shared(&self, out: &mut [Block], table: &[u64], limbs: usize, index: &Block) {
        pick(&mut words_mut(out)[..limbs], table, index.0[0]);
    }
}

/// Copies the entry at `index` of a table of elements; zeros if there is none.
pub(super) fn pick_vartime<T: Copy + Default>(out: &mut [T], table: &[T], index: u64) {
    let entry = table.chunks_exact(out.len().max(1)).zip(0u64..).find(|&(_, k)| k == index);
    match entry {
        Some((entry, _)) => out.copy_from_slice(entry),
        None => out.fill(T::default()),
    }
}

/// Copies the entry at `index`, reading all of them.
pub(super) fn pick(out: &mut [u64], table: &[u64], index: u64) {
    out.fill(0);
    for (entry, k) in table.chunks_exact(out.len()).zip(0u64..) {
        let here = k.ct_eq(&index);
        for (word, from) in out.iter_mut().zip(entry) {
            word.conditional_assign(from, here);
        }
    }
}

/// `acc += a * b`; returns the carry out.
#[inline(always)]
fn mul_add(acc: &mut [u64], a: &[u64], b: u64) -> u64 {
    let mut carry = 0;
    for (x, &y) in acc.iter_mut().zip(a) {
        (*x, carry) = y.mul_add_carry(b, *x, carry);
    }
    carry
}

/// `out = a * b`; `out` is twice as long as each.
fn multiply(out: &mut [u64], a: &[u64], b: &[u64]) {
    let len = a.len();
    out[..len].fill(0);
    for (i, &word) in b.iter().enumerate() {
        out[i + len] = mul_add(&mut out[i..i + len], a, word);
    }
}

/// `out = a^2`: each product of two different limbs once, doubled, then the squares of the limbs.
fn square(out: &mut [u64], a: &[u64]) {
    let len = a.len();
    out[..len].fill(0);
    for (i, &word) in a.iter().enumerate() {
        out[i + len] = mul_add(&mut out[2 * i + 1..i + len], &a[i + 1..], word);
    }
    let (mut top, mut carry) = (0, false);
    for (pair, &word) in out.chunks_exact_mut(2).zip(a) {
        let (low, high) = word.mul_add_carry(word, 0, 0);
        let doubled = [(pair[0] << 1) | top, (pair[1] << 1) | (pair[0] >> 63)];
        top = pair[1] >> 63;
        (pair[0], carry) = doubled[0].add_carry(low, carry);
        (pair[1], carry) = doubled[1].add_carry(high, carry);
    }
}

/// `out = product / R mod n`, below `n` if the product is below `n R`.
fn reduce(out: &mut [u64], product: &mut [u64], n: &[u64], k0: u64, spare: &mut [u64]) {
    let len = n.len();
    let mut carry = false;
    for i in 0..len {
        let q = product[i].wrapping_mul(k0);
        let high = mul_add(&mut product[i..i + len], n, q);
        (product[i + len], carry) = product[i + len].add_carry(high, carry);
    }
    let out = &mut out[..len];
    out.copy_from_slice(&product[len..]);
    subtract_if_large(out, n, carry, &mut spare[..len]);
}

/// Subtracts `n` once if `carry`, or if the value is at least `n`.
pub(super) fn subtract_if_large(out: &mut [u64], n: &[u64], carry: bool, spare: &mut [u64]) {
    let mut copy = u64::from(carry);
    // With a carry the value is at least `R > n`, and the subtraction borrows from the carry.
    spare.copy_from_slice(out);
    let mut borrow = false;
    for (x, &y) in spare.iter_mut().zip(n) {
        (*x, borrow) = x.sub_borrow(y, borrow);
    }
    copy = copy.wrapping_sub(u64::from(borrow));
    let keep = copy.ct_eq(&u64::MAX);
    for (x, y) in out.iter_mut().zip(spare.iter()) {
        x.conditional_assign(y, !keep);
    }
}
