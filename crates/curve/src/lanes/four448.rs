//! Four numbers modulo p = 2^448 - 2^224 - 1 in four lanes, by AVX2.
//!
//! A number is sixteen limbs of 28 bits and a little more: below 2^28 + 2^10. With r = 2^224, the lower eight and the
//! upper eight are the halves of a + b r, where r^2 = r + 1.

#![allow(clippy::indexing_slicing, reason = "loop counters below the arrays' lengths")]

use core::arch::x86_64::{
    _mm256_add_epi64, _mm256_and_si256, _mm256_blendv_epi8, _mm256_mul_epu32, _mm256_setzero_si256,
    _mm256_srli_epi64, _mm256_sub_epi32, _mm256_sub_epi64,
};
use core::hint::black_box;
use core::sync::atomic::{Ordering, compiler_fence};

use crrl::field::GF448;

use super::four::{V, column, four_lanes, mask, pack, transposed, unpack};
pub(super) use super::four::{lanes, splat};

/// Numbers in the lanes of a vector.
pub(super) const LANES: usize = 4;
/// Four numbers, with limbs that can be multiplied.
pub(super) type Number = [V; 16];
/// Four numbers, with limbs below 2^64 - 2^37.
pub(super) type Wide = [V; 16];

/// The low 28 bits.
const LIMB: u64 = (1 << 28) - 1;

/// Moves what is above 28 bits of a limb to the next; of the last to the first and to the ninth, as 2^448 = 2^224 + 1.
#[inline]
#[target_feature(enable = "avx2")]
fn carry(limbs: &mut Wide, k: usize) {
    let above = _mm256_srli_epi64::<28>(limbs[k]);
    limbs[k] = _mm256_and_si256(limbs[k], splat(LIMB));
    let next = (k + 1) & 15;
    limbs[next] = _mm256_add_epi64(limbs[next], above);
    if k == 15 {
        limbs[8] = _mm256_add_epi64(limbs[8], above);
    }
}

/// Limbs below 2^28 + 2^10 from limbs below 2^64 - 2^37.
///
/// There are four chains of four steps, side by side, and each takes one step more. A chain ends with a carry below
/// 2^36 + 1 to the first limb of another that is cut already, or with two such to limb 8. So what the last steps move is
/// below 2^10, and they move it to a limb that is cut.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn carried(limbs: &Wide) -> Number {
    let mut out = *limbs;
    for step in [0, 1, 2, 3, 0] {
        carry(&mut out, step);
        carry(&mut out, step + 4);
        carry(&mut out, step + 8);
        carry(&mut out, step + 12);
    }
    out
}

/// Half of the limbs of a number.
type Half = [V; 8];

/// Adds limb `I` of `a` times all limbs of `b` to the columns of a product.
#[inline]
#[target_feature(enable = "avx2")]
fn add_row<const I: usize>(columns: &mut [V; 16], a: &Half, b: &Half) {
    // See `product` of the other field in four lanes.
    compiler_fence(Ordering::SeqCst);
    for j in 0..8 {
        columns[I + j] = _mm256_add_epi64(columns[I + j], _mm256_mul_epu32(a[I], b[j]));
    }
}

/// The columns of the product of two halves.
#[inline(never)]
#[target_feature(enable = "avx2")]
fn half(a: &Half, b: &Half) -> [V; 16] {
    let b = black_box(b);
    let mut columns = [_mm256_setzero_si256(); 16];
    add_row::<0>(&mut columns, a, b);
    add_row::<1>(&mut columns, a, b);
    add_row::<2>(&mut columns, a, b);
    add_row::<3>(&mut columns, a, b);
    add_row::<4>(&mut columns, a, b);
    add_row::<5>(&mut columns, a, b);
    add_row::<6>(&mut columns, a, b);
    add_row::<7>(&mut columns, a, b);
    columns
}

/// The lower and the upper half.
#[inline]
#[target_feature(enable = "avx2")]
fn halves([a, b, c, d, e, f, g, h, rest @ ..]: &Number) -> (Half, Half) {
    ([*a, *b, *c, *d, *e, *f, *g, *h], *rest)
}

/// The sum of the halves.
#[inline]
#[target_feature(enable = "avx2")]
fn folded(low: &Half, high: &Half) -> Half {
    let mut sum = *low;
    for (sum, limb) in sum.iter_mut().zip(high) {
        *sum = _mm256_add_epi64(*sum, *limb);
    }
    sum
}

/// The products of numbers, of which the first is carried, and the limbs of the second are below
/// 3 · 2^28 + 2^10. The limbs of the product are below 2^63 - 2^59. They are below a third of 2^63 if the second is carried, too, and below two thirds
/// if its limbs are below 2^29.
///
/// With x, y and z the products of the low halves, of the high halves and of the halves' sums, the product is
/// x + y + (z - x) r, and the columns from the ninth on have the weight r. No column of x is more than that of z. A limb
/// gathers at most eight products of the halves' sums and seven of halves: below 8 · 2^29 · 3 · 2^29 + 7 · 2^28 · 3 · 2^28
/// and a 2^17th of it.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn product(a: &Number, b: &Number) -> Wide {
    let ((a0, a1), (b0, b1)) = (halves(a), halves(b));
    let (x, y) = (half(&a0, &b0), half(&a1, &b1));
    let z = half(&folded(&a0, &a1), &folded(&b0, &b1));
    let mut out = x;
    for k in 0..8 {
        let low = _mm256_sub_epi64(z[k + 8], x[k + 8]);
        out[k] = _mm256_add_epi64(low, _mm256_add_epi64(x[k], y[k]));
        let high = _mm256_add_epi64(z[k], z[k + 8]);
        out[k + 8] = _mm256_add_epi64(y[k + 8], _mm256_sub_epi64(high, x[k]));
    }
    out
}

/// The squares. They are too few for a function of their own.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn square(a: &Number) -> Wide {
    product(a, a)
}

/// The sums, limb by limb.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn total(a: &Wide, b: &Wide) -> Wide {
    let mut sum = *a;
    for (sum, limb) in sum.iter_mut().zip(b) {
        *sum = _mm256_add_epi64(*sum, *limb);
    }
    sum
}

/// The sums as first factors of products.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn factor(a: &Number, b: &Number) -> Number {
    carried(&total(a, b))
}

/// The differences, where the limbs of `a` are below 2^62.9, and those of `b` below 2^63 - 2^37. Limbs of 2^35 p are
/// added, just below 2^63, so that none is negative.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn difference(a: &Wide, b: &Wide) -> Wide {
    let mut difference = *a;
    for (k, limb) in difference.iter_mut().enumerate() {
        let more = if k == 8 { LIMB - 1 } else { LIMB };
        *limb = _mm256_sub_epi64(_mm256_add_epi64(*limb, splat(more << 35)), b[k]);
    }
    difference
}

/// The limbs of a number of 56 bytes, the lowest first.
fn limbs(bytes: &[u8; 56]) -> [u64; 16] {
    let mut limbs = [0; 16];
    let (pairs, _) = bytes.as_chunks::<7>();
    for (two, bytes) in limbs.as_chunks_mut::<2>().0.iter_mut().zip(pairs) {
        let pair = bytes.iter().rev().fold(0, |pair, byte| (pair << 8) | u64::from(*byte));
        *two = [pair & LIMB, pair >> 28];
    }
    limbs
}

/// These numbers, each of 56 bytes.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn from_bytes(bytes: &[[u8; 56]; 4]) -> Number {
    let [a, b, c, d] = bytes;
    let (a, b, c, d) = (limbs(a), limbs(b), limbs(c), limbs(d));
    let mut number = [splat(0); 16];
    for (k, limb) in number.iter_mut().enumerate() {
        *limb = four_lanes([a[k], b[k], c[k], d[k]]);
    }
    number
}

/// Four times this number.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn constant(value: &GF448) -> Number {
    limbs(&value.encode()).map(|limb| splat(limb))
}

/// The number of these limbs.
fn number(limbs: &[u64; 16]) -> GF448 {
    let half = |limbs: &[u64]| {
        let mut cut = [0; 8];
        let mut carry = 0;
        for (cut, limb) in cut.iter_mut().zip(limbs) {
            let sum = limb + carry;
            carry = sum >> 28;
            *cut = sum & LIMB;
        }
        let [a, b, c, d, e, f, g, h] = cut;
        GF448::w64le([
            a | (b << 28) | (c << 56),
            (c >> 8) | (d << 20) | (e << 48),
            (e >> 16) | (f << 12) | (g << 40),
            (g >> 24) | (h << 4) | (carry << 32),
            0,
            0,
            0,
        ])
    };
    half(&limbs[..8]) + half(&limbs[8..]) * GF448::w64le([0, 0, 0, 1 << 32, 0, 0, 0])
}

/// The numbers, as the field's.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn numbers(four: &Number) -> [GF448; 4] {
    let limbs = four.map(|limb| lanes(limb));
    core::array::from_fn(|lane| number(&limbs.map(|limb| limb[lane])))
}

/// The limbs of four numbers in one place of memory, two in 64 bits.
pub(super) type Row = [V; 8];

/// Each lane's limbs in a row.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn to_rows(numbers: &[Number; 4]) -> [Row; 4] {
    let mut rows = [[_mm256_setzero_si256(); 8]; 4];
    for (which, number) in numbers.iter().enumerate() {
        for part in 0..2 {
            let pair = |k: usize| pack(number[8 * part + 2 * k], number[8 * part + 2 * k + 1]);
            let lanes = transposed([pair(0), pair(1), pair(2), pair(3)]);
            for (row, lane) in rows.iter_mut().zip(lanes) {
                row[2 * which + part] = lane;
            }
        }
    }
    rows
}

/// The numbers whose limbs are in these rows, a row for each lane. Of the negative ones, the first and the fourth are the
/// opposite, as 2p less it: limbs below 2^29.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn from_rows(rows: &[&Row; 4], negative: &[bool; 4]) -> [Number; 4] {
    let mask = mask(negative);
    let mut numbers = [[_mm256_setzero_si256(); 16]; 4];
    for (which, number) in numbers.iter_mut().enumerate() {
        for part in 0..2 {
            let pairs = transposed(column(rows, 2 * which + part));
            for (k, pair) in pairs.into_iter().enumerate() {
                let lowest = if part == 1 && k == 0 { 2 * LIMB - 2 } else { 2 * LIMB };
                let twice = splat(lowest | ((2 * LIMB) << 32));
                let opposite = _mm256_sub_epi32(twice, pair);
                let signed = if which == 0 || which == 3 {
                    _mm256_blendv_epi8(pair, opposite, mask)
                } else {
                    pair
                };
                [number[8 * part + 2 * k], number[8 * part + 2 * k + 1]] = unpack(signed);
            }
        }
    }
    numbers
}
