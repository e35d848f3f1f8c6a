//! Eight numbers modulo p = 2^255 - 19 in eight lanes, by AVX-512 IFMA.
//!
//! A number is five limbs of 51 bits and a little more: below 2^51 + 2^18, so that a limb fits the 52 bits that the
//! instructions multiply. The high half of a product of limbs i and j has the weight 2^52 · 2^(51 (i + j)), which is
//! twice that of limb i + j + 1.

#![allow(clippy::indexing_slicing, reason = "loop counters below the arrays' lengths")]

use core::arch::x86_64::{
    __m512i, _mm256_extract_epi64, _mm512_add_epi64, _mm512_and_si512, _mm512_cmpeq_epi64_mask,
    _mm512_extracti64x4_epi64, _mm512_madd52hi_epu64, _mm512_madd52lo_epu64,
    _mm512_mask_blend_epi64, _mm512_mask_sub_epi64, _mm512_set_epi64, _mm512_set1_epi64,
    _mm512_setzero_si512, _mm512_shuffle_i64x2, _mm512_slli_epi64, _mm512_srli_epi64,
    _mm512_sub_epi64, _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
};

use crrl::field::GF25519;

/// Numbers in the lanes of a vector.
pub(super) const LANES: usize = 8;
/// One limb of eight numbers.
pub(super) type V = __m512i;
/// Eight numbers, with limbs that can be multiplied.
pub(super) type Number = [V; 5];
/// Eight numbers, with limbs of any size.
pub(super) type Wide = [V; 5];
/// Which of eight numbers, the first at the lowest bit.
pub(super) type Which = u8;

/// The low 51 bits.
pub(super) const LIMB: u64 = (1 << 51) - 1;

/// A constant, all of whose limbs are the same in every lane.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn splat(value: u64) -> V {
    _mm512_set1_epi64(value.cast_signed())
}

/// Nineteen times each lane.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn nineteen(a: V) -> V {
    let twice = _mm512_add_epi64(a, a);
    _mm512_add_epi64(_mm512_add_epi64(a, twice), _mm512_slli_epi64::<4>(a))
}

/// Limbs below 2^51 + 2^18 from limbs of any size, in one step: what is above 51 bits is below 2^13, and nineteen
/// times that is below 2^18.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn carried(limbs: &Wide) -> Number {
    let low = splat(LIMB);
    let mut out = *limbs;
    for k in 0..5 {
        out[k] = _mm512_and_si512(limbs[k], low);
    }
    for k in 0..4 {
        out[k + 1] = _mm512_add_epi64(out[k + 1], _mm512_srli_epi64::<51>(limbs[k]));
    }
    out[0] = _mm512_add_epi64(out[0], nineteen(_mm512_srli_epi64::<51>(limbs[4])));
    out
}

/// The numbers whose columns are `low` plus twice `high`.
///
/// Both halves of a product are below 2^52. So limb k, with the columns above the fifth coming back nineteen times, as
/// 2^255 = 19, is below 2^52 times 1 + 19 · 14 for k = 0, and times less for the others: below 2^60.1.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn folded(low: [V; 10], high: [V; 10]) -> Wide {
    let mut columns = low;
    for k in 0..10 {
        columns[k] = _mm512_add_epi64(low[k], _mm512_add_epi64(high[k], high[k]));
    }
    let mut limbs = [columns[0]; 5];
    for k in 0..5 {
        limbs[k] = _mm512_add_epi64(columns[k], nineteen(columns[k + 5]));
    }
    limbs
}

/// The products of numbers whose limbs are below 2^52, with limbs below 2^60.1.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn product(a: &Number, b: &Number) -> Wide {
    let (mut low, mut high) = ([_mm512_setzero_si512(); 10], [_mm512_setzero_si512(); 10]);
    for i in 0..5 {
        for j in 0..5 {
            low[i + j] = _mm512_madd52lo_epu64(low[i + j], a[i], b[j]);
            high[i + j + 1] = _mm512_madd52hi_epu64(high[i + j + 1], a[i], b[j]);
        }
    }
    folded(low, high)
}

/// The squares, as [`product`] makes them.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn square(a: &Number) -> Wide {
    let (mut low, mut high) = ([_mm512_setzero_si512(); 10], [_mm512_setzero_si512(); 10]);
    for i in 0..5 {
        for j in i + 1..5 {
            low[i + j] = _mm512_madd52lo_epu64(low[i + j], a[i], a[j]);
            high[i + j + 1] = _mm512_madd52hi_epu64(high[i + j + 1], a[i], a[j]);
        }
    }
    for k in 0..10 {
        low[k] = _mm512_add_epi64(low[k], low[k]);
        high[k] = _mm512_add_epi64(high[k], high[k]);
    }
    for i in 0..5 {
        low[2 * i] = _mm512_madd52lo_epu64(low[2 * i], a[i], a[i]);
        high[2 * i + 1] = _mm512_madd52hi_epu64(high[2 * i + 1], a[i], a[i]);
    }
    folded(low, high)
}

/// The sums, limb by limb.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn total(a: &Wide, b: &Wide) -> Wide {
    let mut out = *a;
    for k in 0..5 {
        out[k] = _mm512_add_epi64(a[k], b[k]);
    }
    out
}

/// `of` in the lowest limb and `others` in the others, such that these are a multiple of p.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn multiple_of_p(factor: u64) -> Wide {
    let limb = splat(factor * LIMB);
    [splat(factor * (LIMB - 18)), limb, limb, limb, limb]
}

/// The differences, where the limbs of `a` are below 2^63 and those of `b` below 2^62.9. Limbs of 2^12 p are added,
/// just below 2^63, so that none is negative.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn difference(a: &Wide, b: &Wide) -> Wide {
    let mut out = total(a, &multiple_of_p(1 << 12));
    for k in 0..5 {
        out[k] = _mm512_sub_epi64(out[k], b[k]);
    }
    out
}

/// The opposite numbers of those that are named, as 2p less them: limbs below 2^52, which can be multiplied.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn opposite(a: &Number, which: Which) -> Number {
    let twice = multiple_of_p(2);
    let mut out = *a;
    for k in 0..5 {
        out[k] = _mm512_mask_sub_epi64(a[k], which, twice[k], a[k]);
    }
    out
}

/// The others where they are named.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn or(a: &Number, others: &Number, which: Which) -> Number {
    let mut out = *a;
    for k in 0..5 {
        out[k] = _mm512_mask_blend_epi64(which, a[k], others[k]);
    }
    out
}

/// Carries through all limbs in turn, and the limb above them.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn rippled(limbs: Number) -> (Number, V) {
    let low = splat(LIMB);
    let mut out = limbs;
    let mut carry = _mm512_setzero_si512();
    for limb in &mut out {
        let sum = _mm512_add_epi64(*limb, carry);
        carry = _mm512_srli_epi64::<51>(sum);
        *limb = _mm512_and_si512(sum, low);
    }
    (out, carry)
}

/// The remainders modulo p.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn frozen(limbs: &Number) -> Number {
    let mut limbs = *limbs;
    // The value is below 2^256, so the part above 2^255 is 0 or 1. Once it has come back as 19,
    // nothing is above.
    for _ in 0..2 {
        let (mut rest, above) = rippled(limbs);
        rest[0] = _mm512_add_epi64(rest[0], nineteen(above));
        limbs = rest;
    }
    // Not below p if 19 more are not below 2^255, and those without the bit above are the difference.
    let mut more = limbs;
    more[0] = _mm512_add_epi64(more[0], splat(19));
    let (difference, above) = rippled(more);
    let is_below = _mm512_cmpeq_epi64_mask(above, _mm512_setzero_si512());
    or(&difference, &limbs, is_below)
}

/// The eight lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn lanes(v: V) -> [u64; 8] {
    let (a, b) = (_mm512_extracti64x4_epi64::<0>(v), _mm512_extracti64x4_epi64::<1>(v));
    [
        _mm256_extract_epi64::<0>(a).cast_unsigned(),
        _mm256_extract_epi64::<1>(a).cast_unsigned(),
        _mm256_extract_epi64::<2>(a).cast_unsigned(),
        _mm256_extract_epi64::<3>(a).cast_unsigned(),
        _mm256_extract_epi64::<0>(b).cast_unsigned(),
        _mm256_extract_epi64::<1>(b).cast_unsigned(),
        _mm256_extract_epi64::<2>(b).cast_unsigned(),
        _mm256_extract_epi64::<3>(b).cast_unsigned(),
    ]
}

/// The limbs of a number below 2^255 of 32 bytes, the lowest first.
fn limbs(bytes: &[u8; 32]) -> [u64; 5] {
    let (words, _) = bytes.as_chunks::<8>();
    let [a, b, c, d] = core::array::from_fn(|k| words.get(k).map_or(0, |w| u64::from_le_bytes(*w)));
    [
        a & LIMB,
        ((a >> 51) | (b << 13)) & LIMB,
        ((b >> 38) | (c << 26)) & LIMB,
        ((c >> 25) | (d << 39)) & LIMB,
        (d >> 12) & LIMB,
    ]
}

/// A limb in each lane.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn eight_lanes([a, b, c, d, e, f, g, h]: [u64; 8]) -> V {
    _mm512_set_epi64(
        h.cast_signed(),
        g.cast_signed(),
        f.cast_signed(),
        e.cast_signed(),
        d.cast_signed(),
        c.cast_signed(),
        b.cast_signed(),
        a.cast_signed(),
    )
}

/// These numbers, each of 32 bytes, of which the highest bit is left out.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn from_bytes(bytes: &[[u8; 32]; 8]) -> Number {
    let mut all = [[0; 5]; 8];
    for (all, one) in all.iter_mut().zip(bytes) {
        *all = limbs(one);
    }
    let [a, b, c, d, e, f, g, h] = all;
    let limb = |k: usize| eight_lanes([a[k], b[k], c[k], d[k], e[k], f[k], g[k], h[k]]);
    [limb(0), limb(1), limb(2), limb(3), limb(4)]
}

/// Eight times this number.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn constant(value: &GF25519) -> Number {
    let [a, b, c, d, e] = limbs(&value.encode());
    [splat(a), splat(b), splat(c), splat(d), splat(e)]
}

/// The numbers, as the field's.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn numbers(eight: &Number) -> [GF25519; 8] {
    let [a, b, c, d, e] = frozen(eight);
    let (a, b, c, d, e) = (lanes(a), lanes(b), lanes(c), lanes(d), lanes(e));
    core::array::from_fn(|k| {
        GF25519::w64le(
            a[k] | (b[k] << 51),
            (b[k] >> 13) | (c[k] << 38),
            (c[k] >> 26) | (d[k] << 25),
            (d[k] >> 39) | (e[k] << 12),
        )
    })
}

/// The limbs of four numbers, in one place of memory: those of the first three, of the fourth but the last, and so on.
pub(super) type Row = [V; 3];

/// Rows to columns, of eight times eight.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn transposed(rows: [V; 8]) -> [V; 8] {
    let [a, b, c, d, e, f, g, h] = rows;
    // Pairs of lanes: column 0, 2, 4, 6 of two rows, and column 1, 3, 5, 7.
    let (ab, cd) = (_mm512_unpacklo_epi64(a, b), _mm512_unpacklo_epi64(c, d));
    let (ef, gh) = (_mm512_unpacklo_epi64(e, f), _mm512_unpacklo_epi64(g, h));
    let [k0, k2, k4, k6] = transposed_pairs([ab, cd, ef, gh]);
    let (ab, cd) = (_mm512_unpackhi_epi64(a, b), _mm512_unpackhi_epi64(c, d));
    let (ef, gh) = (_mm512_unpackhi_epi64(e, f), _mm512_unpackhi_epi64(g, h));
    let [k1, k3, k5, k7] = transposed_pairs([ab, cd, ef, gh]);
    [k0, k1, k2, k3, k4, k5, k6, k7]
}

/// Rows to columns, of four times four pairs of lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn transposed_pairs([a, b, c, d]: [V; 4]) -> [V; 4] {
    // The first and third pair of two rows, and the second and fourth.
    let (even, odd) = (_mm512_shuffle_i64x2::<0x88>(a, b), _mm512_shuffle_i64x2::<0xdd>(a, b));
    let (even2, odd2) = (_mm512_shuffle_i64x2::<0x88>(c, d), _mm512_shuffle_i64x2::<0xdd>(c, d));
    [
        _mm512_shuffle_i64x2::<0x88>(even, even2),
        _mm512_shuffle_i64x2::<0x88>(odd, odd2),
        _mm512_shuffle_i64x2::<0xdd>(even, even2),
        _mm512_shuffle_i64x2::<0xdd>(odd, odd2),
    ]
}

/// Each lane's limbs in a row.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn to_rows([p, q, r, s]: &[Number; 4]) -> [Row; 8] {
    let zero = _mm512_setzero_si512();
    let a = transposed([p[0], p[1], p[2], p[3], p[4], q[0], q[1], q[2]]);
    let b = transposed([q[3], q[4], r[0], r[1], r[2], r[3], r[4], s[0]]);
    let c = transposed([s[1], s[2], s[3], s[4], zero, zero, zero, zero]);
    let mut rows = [[zero; 3]; 8];
    for (lane, row) in rows.iter_mut().enumerate() {
        *row = [a[lane], b[lane], c[lane]];
    }
    rows
}

/// The vectors at one place of the rows. A loop, since `map` lacks the target features and would call its closure for each.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn column<const N: usize>(rows: &[&[V; N]; 8], place: usize) -> [V; 8] {
    let mut parts = [rows[0][place]; 8];
    for (part, row) in parts.iter_mut().zip(rows) {
        *part = row[place];
    }
    parts
}

/// The numbers whose limbs are in these rows, a row for each lane: four in their order, but for the negative ones the
/// second, the first, the third and the opposite of the fourth.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn from_rows(rows: &[&Row; 8], negative: &[bool; 8]) -> [Number; 4] {
    let [p0, p1, p2, p3, p4, q0, q1, q2] = transposed(column(rows, 0));
    let [q3, q4, r0, r1, r2, r3, r4, s0] = transposed(column(rows, 1));
    let [s1, s2, s3, s4, ..] = transposed(column(rows, 2));
    let (p, q, s) = ([p0, p1, p2, p3, p4], [q0, q1, q2, q3, q4], [s0, s1, s2, s3, s4]);
    let negative = negative.iter().rev().fold(0, |all, set| (all << 1) | Which::from(*set));
    let (first, second) = (or(&p, &q, negative), or(&q, &p, negative));
    [first, second, [r0, r1, r2, r3, r4], opposite(&s, negative)]
}
