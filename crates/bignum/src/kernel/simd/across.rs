//! One number in radix 2^28: Montgomery multiplication with four products an instruction pair.
//!
//! A number is L limbs, L a multiple of four, and the odd modulus N is below 2^(28 L - 8). Values stay below 2 N ("almost
//! Montgomery"), so that no product needs a final subtraction. The instructions and the addresses depend on L alone.
//!
//! A product is a list of 2 L columns, 64-bit sums of 56-bit products without carries; only the reduction carries. The lanes
//! of vector `k` are parts of columns `k` and `k + 1`. So the products of two neighbouring limbs by one are added in place,
//! whether their place is even or odd.

use core::arch::wasm32::{
    i64x2_add, u32x4_shuffle, u64x2, u64x2_extend_high_u32x4, u64x2_extend_low_u32x4,
    u64x2_extract_lane, u64x2_splat, v128,
};

use super::rows::four;

/// Bits of a limb.
const RADIX: u32 = 28;

/// All bits of a limb.
const MASK: u64 = (1 << RADIX) - 1;

/// Up to this many limbs a column can hold the product and the reduction, 2 L products below 2^56 and a carry, in 64 bits.
const LIMBS_WITHOUT_CARRY: usize = 124;

/// The scratch space: columns, with two to spare, and a factor.
pub(super) const fn scratch_len(limbs: usize) -> usize {
    2 * limbs + 2 + (limbs >> 2)
}

/// Limbs that are words, four a vector.
pub(super) fn pack(out: &mut [v128], from: &[v128]) {
    for (out, pairs) in out.iter_mut().zip(from.chunks_exact(2)) {
        *out = u32x4_shuffle::<0, 2, 4, 6>(pairs[0], pairs[1]);
    }
}

/// A limb as the factor of a row.
#[allow(clippy::cast_possible_truncation, reason = "limbs are of 28 bits, and twice a limb of 29")]
const fn factor(limb: u64) -> u32 {
    limb as u32
}

/// Montgomery product: `out` = `a` `b` / 2^(28 L) modulo N.
pub(super) fn mul(
    out: &mut [u64],
    a: &[v128],
    b: &[u64],
    n: &[v128],
    k0: u64,
    scratch: &mut [v128],
) {
    let limbs = out.len();
    let (t, scratch) = scratch.split_at_mut(2 * limbs + 2);
    let packed = &mut scratch[..limbs >> 2];
    pack(packed, a);
    t.fill(u64x2_splat(0));
    for (row, b) in (0..).step_by(4).zip(b.chunks_exact(4)) {
        four(&mut t[row..], packed, [b[0], b[1], b[2], b[3]].map(factor));
    }
    reduce(out, t, n, k0);
}

/// Montgomery square: `out` = `a`^2 / 2^(28 L) modulo N, with the limbs of `a` also as words.
pub(super) fn sqr(
    out: &mut [u64],
    rows: &[u64],
    a: &[v128],
    n: &[v128],
    k0: u64,
    scratch: &mut [v128],
) {
    let limbs = out.len();
    let (t, scratch) = scratch.split_at_mut(2 * limbs + 2);
    let packed = &mut scratch[..limbs >> 2];
    pack(packed, a);
    t.fill(u64x2_splat(0));
    for (at, row) in rows.chunks_exact(4).enumerate() {
        let row = [row[0], row[1], row[2], row[3]];
        four(&mut t[8 * at..], &packed[at..=at], row.map(factor));
        four(&mut t[8 * at + 4..], &packed[at + 1..], row.map(|limb| factor(limb << 1)));
    }
    reduce(out, t, n, k0);
}

/// Montgomery reduction: `out` is the number in the columns `t`, plus a multiple of N, by 2^(28 L).
fn reduce(out: &mut [u64], t: &mut [v128], n: &[v128], k0: u64) {
    let limbs = out.len();
    if limbs > LIMBS_WITHOUT_CARRY {
        carry(t);
    }
    for row in (0..limbs).step_by(4) {
        clear(&mut t[row..], n, k0);
    }
    let (mut above, mut part) = (0, 0);
    for (out, &column) in out.iter_mut().zip(&t[limbs..]) {
        let sum = u64x2_extract_lane::<0>(column) + part + above;
        *out = sum & MASK;
        above = sum >> RADIX;
        part = u64x2_extract_lane::<1>(column);
    }
}

/// Moves the part of every column above a limb to the next column, once.
fn carry(t: &mut [v128]) {
    let (mut above, mut part) = (0, 0);
    for column in t {
        let sum = u64x2_extract_lane::<0>(*column) + part;
        part = u64x2_extract_lane::<1>(*column);
        *column = u64x2((sum & MASK) + above, 0);
        above = sum >> RADIX;
    }
}

/// Clears the lowest four columns by adding a multiple of N. The cleared columns themselves hold nothing of use afterwards.
fn clear(t: &mut [v128], n: &[v128], k0: u64) {
    let low = |vector: v128| u64x2_extract_lane::<0>(vector);
    let high = |vector: v128| u64x2_extract_lane::<1>(vector);
    let pairs = [u64x2_extend_low_u32x4(n[0]), u64x2_extend_high_u32x4(n[0])];
    let [n0, n1, n2, n3] = [low(pairs[0]), high(pairs[0]), low(pairs[1]), high(pairs[1])];
    let quotient = |column: u64| column.wrapping_mul(k0) & MASK;
    let column = low(t[0]);
    let q0 = quotient(column);
    let above = (column + q0 * n0) >> RADIX;
    let column = low(t[1]) + high(t[0]) + q0 * n1 + above;
    let q1 = quotient(column);
    let above = (column + q1 * n0) >> RADIX;
    let column = low(t[2]) + high(t[1]) + q0 * n2 + q1 * n1 + above;
    let q2 = quotient(column);
    let above = (column + q2 * n0) >> RADIX;
    let column = low(t[3]) + high(t[2]) + q0 * n3 + q1 * n2 + q2 * n1 + above;
    let q3 = quotient(column);
    let above = (column + q3 * n0) >> RADIX;
    four(t, n, [q0, q1, q2, q3].map(factor));
    t[4] = i64x2_add(t[4], u64x2(high(t[3]) + above, 0));
}
