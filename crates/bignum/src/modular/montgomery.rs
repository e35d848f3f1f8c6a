//! Montgomery's multiplication in 64-bit limbs, in safe Rust: the arithmetic under the portable kernel.
//!
//! With `R = 2^(64 L)` and `k0 = -n^-1 mod 2^64`, limb `i` of a product `t` is cleared by adding `q n 2^(64 i)` for
//! `q = t_i k0 mod 2^64`, since `t_i + q n_0 = 0 mod 2^64`. After `L` limbs the lower half is zero, and the upper half is
//! `t / R mod n`, below `2 n` if `t < n R`; one subtraction ends it. Constant time: lengths alone show.

#![allow(
    clippy::indexing_slicing,
    reason = "loops over slices whose lengths are taken first; a panic here is a bug of ours, no input's"
)]

use subtle::{ConditionallySelectable, ConstantTimeEq};

use crate::number::word::Carry;

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
pub(crate) fn multiply(out: &mut [u64], a: &[u64], b: &[u64]) {
    let len = a.len();
    out[..len].fill(0);
    for (i, &word) in b.iter().enumerate() {
        out[i + len] = mul_add(&mut out[i..i + len], a, word);
    }
}

/// `out = a^2`: each product of two different limbs once, doubled, then the squares of the limbs.
pub(crate) fn square(out: &mut [u64], a: &[u64]) {
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
pub(crate) fn reduce(out: &mut [u64], product: &mut [u64], n: &[u64], k0: u64, spare: &mut [u64]) {
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
fn subtract_if_large(out: &mut [u64], n: &[u64], carry: bool, spare: &mut [u64]) {
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
