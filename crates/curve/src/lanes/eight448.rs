//! Eight numbers modulo p = 2^448 - 2^224 - 1 in eight lanes, by AVX-512 IFMA.
//!
//! A number is a + b r with r = 2^224, so that r^2 = r + 1. Both halves are five limbs of 45 bits, the last of 44, and a
//! little more: below 2^45 + 2^22 and 2^44 + 2^20.

#![allow(clippy::indexing_slicing, reason = "loop counters below the arrays' lengths")]

use core::arch::x86_64::{
    _mm512_add_epi64, _mm512_and_si512, _mm512_madd52hi_epu64, _mm512_madd52lo_epu64,
    _mm512_mask_sub_epi64, _mm512_setzero_si512, _mm512_slli_epi64, _mm512_srli_epi64,
    _mm512_sub_epi64,
};

use crrl::field::GF448;

use super::eight::{V, Which, column, eight_lanes, transposed};
pub(super) use super::eight::{lanes, splat};

/// Numbers in the lanes of a vector.
pub(super) const LANES: usize = 8;
/// Eight numbers, with limbs that can be multiplied.
pub(super) type Number = [V; 10];
/// Eight numbers, with limbs of any size.
pub(super) type Wide = [V; 10];

/// The bits of the limbs of a half.
const LIMBS: [u64; 5] = [(1 << 45) - 1, (1 << 45) - 1, (1 << 45) - 1, (1 << 45) - 1, (1 << 44) - 1];

/// Limbs below 2^45 + 2^22 and 2^44 + 2^20 from limbs of any size, in one step: what is above 45 bits is below 2^19, and
/// limb 5 gets twice what is above 44 bits, below 2^20.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn carried(limbs: &Wide) -> Number {
    let mut out = *limbs;
    for k in 0..5 {
        out[k] = _mm512_and_si512(limbs[k], splat(LIMBS[k]));
        out[k + 5] = _mm512_and_si512(limbs[k + 5], splat(LIMBS[k]));
    }
    for k in 0..4 {
        out[k + 1] = _mm512_add_epi64(out[k + 1], _mm512_srli_epi64::<45>(limbs[k]));
        out[k + 6] = _mm512_add_epi64(out[k + 6], _mm512_srli_epi64::<45>(limbs[k + 5]));
    }
    let (r, rr) = (_mm512_srli_epi64::<44>(limbs[4]), _mm512_srli_epi64::<44>(limbs[9]));
    out[0] = _mm512_add_epi64(out[0], rr);
    out[5] = _mm512_add_epi64(out[5], _mm512_add_epi64(r, rr));
    out
}

/// The product of two halves with limbs below 2^48: ten columns below 2^55. The high half of a product of limbs i and j
/// has the weight 2^52 · 2^(45 (i + j)), which is 2^7 times that of column i + j + 1, and is below 2^44.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn half(a: &[V; 5], b: &[V; 5]) -> [V; 10] {
    let (mut low, mut high) = ([_mm512_setzero_si512(); 10], [_mm512_setzero_si512(); 10]);
    for i in 0..5 {
        for j in 0..5 {
            low[i + j] = _mm512_madd52lo_epu64(low[i + j], a[i], b[j]);
            high[i + j + 1] = _mm512_madd52hi_epu64(high[i + j + 1], a[i], b[j]);
        }
    }
    for k in 1..10 {
        low[k] = _mm512_add_epi64(low[k], _mm512_slli_epi64::<7>(high[k]));
    }
    low
}

/// The sum of the halves.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn folded([a, b, c, d, e, f, g, h, i, j]: &Number) -> [V; 5] {
    let sum = |a: &V, b: &V| _mm512_add_epi64(*a, *b);
    [sum(a, f), sum(b, g), sum(c, h), sum(d, i), sum(e, j)]
}

/// The products of numbers whose limbs are below 2^47, with limbs below 2^60, and 2^59 in the fifth and tenth.
///
/// With x, y and z the products of the low halves, of the high halves and of the halves' sums, the product is
/// x + y + (z - x) r. The columns from the fifth on have the weight 2^225 = 2 r, and 2 r^2 = 2 r + 2. Not more than
/// three columns are subtracted from a limb, below 2^57, so the limbs of 2^14 p are added, which are at least 2^58 - 2^14.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn product(a: &Number, b: &Number) -> Wide {
    let [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9] = *a;
    let [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9] = *b;
    let x = half(&[a0, a1, a2, a3, a4], &[b0, b1, b2, b3, b4]);
    let y = half(&[a5, a6, a7, a8, a9], &[b5, b6, b7, b8, b9]);
    let z = half(&folded(a), &folded(b));
    let (mut first, mut second) = (x, x);
    for k in 0..10 {
        first[k] = _mm512_add_epi64(x[k], y[k]);
        second[k] = _mm512_sub_epi64(z[k], x[k]);
    }
    let mut out = multiple_of_p(1 << 14);
    for k in 0..5 {
        let twice = _mm512_add_epi64(second[k + 5], second[k + 5]);
        out[k] = _mm512_add_epi64(out[k], _mm512_add_epi64(first[k], twice));
        let more = _mm512_add_epi64(first[k + 5], first[k + 5]);
        let sum = _mm512_add_epi64(second[k], _mm512_add_epi64(twice, more));
        out[k + 5] = _mm512_add_epi64(out[k + 5], sum);
    }
    out
}

/// The squares. They are too few for a function of their own.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn square(a: &Number) -> Wide {
    product(a, a)
}

/// The sums, limb by limb.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn total(a: &Wide, b: &Wide) -> Wide {
    let mut out = *a;
    for k in 0..10 {
        out[k] = _mm512_add_epi64(a[k], b[k]);
    }
    out
}

/// The sums as first factors of products.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn factor(a: &Number, b: &Number) -> Number {
    total(a, b)
}

/// p = (2^224 - 2) r + 2^224 - 1, so many times: limbs of all ones, but for one limb.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn multiple_of_p(factor: u64) -> Wide {
    let [a, b, c, d, e] = LIMBS.map(|limb| splat(factor * limb));
    [a, b, c, d, e, splat(factor * (LIMBS[0] - 1)), b, c, d, e]
}

/// The differences, where the limbs of `a` are below 2^63, and those of `b` below 2^61 and 2^60. Limbs of 2^17 p are
/// added, just below 2^62 and 2^61, so that none is negative.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn difference(a: &Wide, b: &Wide) -> Wide {
    let mut out = total(a, &multiple_of_p(1 << 17));
    for k in 0..10 {
        out[k] = _mm512_sub_epi64(out[k], b[k]);
    }
    out
}

/// The limbs of a number of 56 bytes, the lowest first.
fn limbs(bytes: &[u8; 56]) -> [u64; 10] {
    let half = |bytes: &[u8]| {
        let (words, rest) = bytes.as_chunks::<8>();
        let [a, b, c] =
            core::array::from_fn(|k| words.get(k).map_or(0, |w| u64::from_le_bytes(*w)));
        let d = rest.iter().rev().fold(0, |d, byte| (d << 8) | u64::from(*byte));
        let low = LIMBS[0];
        [
            a & low,
            ((a >> 45) | (b << 19)) & low,
            ((b >> 26) | (c << 38)) & low,
            (c >> 7) & low,
            (c >> 52) | (d << 12),
        ]
    };
    let ([a, b, c, d, e], [f, g, h, i, j]) = (half(&bytes[..28]), half(&bytes[28..]));
    [a, b, c, d, e, f, g, h, i, j]
}

/// These numbers, each of 56 bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn from_bytes(bytes: &[[u8; 56]; 8]) -> Number {
    let mut all = [[0; 10]; 8];
    for (all, one) in all.iter_mut().zip(bytes) {
        *all = limbs(one);
    }
    let [a, b, c, d, e, f, g, h] = all;
    let mut number = [splat(0); 10];
    for (k, limb) in number.iter_mut().enumerate() {
        *limb = eight_lanes([a[k], b[k], c[k], d[k], e[k], f[k], g[k], h[k]]);
    }
    number
}

/// Eight times this number.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn constant(value: &GF448) -> Number {
    limbs(&value.encode()).map(|limb| splat(limb))
}

/// The number of these limbs.
fn number(limbs: &[u64; 10]) -> GF448 {
    let half = |limbs: &[u64]| {
        let mut cut = [0; 5];
        let mut carry = 0;
        for (cut, limb) in cut.iter_mut().zip(limbs) {
            let sum = limb + carry;
            carry = sum >> 45;
            *cut = sum & LIMBS[0];
        }
        let [a, b, c, d, e] = cut;
        let words = [
            a | (b << 45),
            (b >> 19) | (c << 26),
            (c >> 38) | (d << 7) | (e << 52),
            (e >> 12) | (carry << 33),
        ];
        GF448::w64le([words[0], words[1], words[2], words[3], 0, 0, 0])
    };
    half(&limbs[..5]) + half(&limbs[5..]) * GF448::w64le([0, 0, 0, 1 << 32, 0, 0, 0])
}

/// The numbers, as the field's.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn numbers(eight: &Number) -> [GF448; 8] {
    let limbs = eight.map(|limb| lanes(limb));
    core::array::from_fn(|lane| number(&limbs.map(|limb| limb[lane])))
}

/// The limbs of four numbers in one place of memory.
pub(super) type Row = [V; 5];

/// Each lane's limbs in a row.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn to_rows([p, q, r, s]: &[Number; 4]) -> [Row; 8] {
    let a = transposed([p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]]);
    let b = transposed([p[8], p[9], q[0], q[1], q[2], q[3], q[4], q[5]]);
    let c = transposed([q[6], q[7], q[8], q[9], r[0], r[1], r[2], r[3]]);
    let d = transposed([r[4], r[5], r[6], r[7], r[8], r[9], s[0], s[1]]);
    let e = transposed([s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9]]);
    let mut rows = [[a[0]; 5]; 8];
    for (lane, row) in rows.iter_mut().enumerate() {
        *row = [a[lane], b[lane], c[lane], d[lane], e[lane]];
    }
    rows
}

/// The numbers whose limbs are in these rows, a row for each lane. Of the negative ones, the first and the fourth are the
/// opposite, as 2p less it: limbs below 2^46.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn from_rows(rows: &[&Row; 8], negative: &[bool; 8]) -> [Number; 4] {
    let [p0, p1, p2, p3, p4, p5, p6, p7] = transposed(column(rows, 0));
    let [p8, p9, q0, q1, q2, q3, q4, q5] = transposed(column(rows, 1));
    let [q6, q7, q8, q9, r0, r1, r2, r3] = transposed(column(rows, 2));
    let [r4, r5, r6, r7, r8, r9, s0, s1] = transposed(column(rows, 3));
    let [s2, s3, s4, s5, s6, s7, s8, s9] = transposed(column(rows, 4));
    let mut p = [p0, p1, p2, p3, p4, p5, p6, p7, p8, p9];
    let mut s = [s0, s1, s2, s3, s4, s5, s6, s7, s8, s9];
    let negative = negative.iter().rev().fold(0, |all, set| (all << 1) | Which::from(*set));
    let twice = multiple_of_p(2);
    for k in 0..10 {
        p[k] = _mm512_mask_sub_epi64(p[k], negative, twice[k], p[k]);
        s[k] = _mm512_mask_sub_epi64(s[k], negative, twice[k], s[k]);
    }
    [p, [q0, q1, q2, q3, q4, q5, q6, q7, q8, q9], [r0, r1, r2, r3, r4, r5, r6, r7, r8, r9], s]
}
