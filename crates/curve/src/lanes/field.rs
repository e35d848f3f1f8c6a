//! Sixteen numbers modulo p = 2^255 - 19, in two times eight lanes.
//!
//! A number is five limbs of 51 bits and a little more: below 2^51 + 2^15, so that a limb fits the 52 bits that the
//! instructions multiply. The high half of a product of limbs i and j has the weight 2^52 · 2^(51 (i + j)), which is
//! twice that of limb i + j + 1. A column gathers at most five low halves and twice five high halves, less than 2^56;
//! the columns above the fifth come back nineteen times, as 2^255 = 19, and the sum is below 2^61.

#![allow(clippy::indexing_slicing, reason = "loop counters below the arrays' lengths")]

use core::arch::x86_64::{
    __m512i, _mm256_extract_epi64, _mm512_add_epi64, _mm512_and_si512, _mm512_cmpeq_epi64_mask,
    _mm512_extracti64x4_epi64, _mm512_madd52hi_epu64, _mm512_madd52lo_epu64,
    _mm512_mask_blend_epi64, _mm512_or_si512, _mm512_set_epi64, _mm512_set1_epi64,
    _mm512_setzero_si512, _mm512_slli_epi64, _mm512_srli_epi64, _mm512_sub_epi64,
    _mm512_test_epi64_mask,
};

use crrl::field::GF25519;

/// One limb of eight numbers.
type V = __m512i;
/// Eight numbers.
type Eight = [V; 5];

/// The low 51 bits.
const LIMB: u64 = (1 << 51) - 1;

/// Which of sixteen numbers, the first at the lowest bit.
pub(super) type Mask = u16;

/// Sixteen numbers.
#[derive(Clone, Copy)]
pub(super) struct Sixteen([Eight; 2]);

/// A constant, all of whose limbs are the same in every lane.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn splat(value: u64) -> V {
    _mm512_set1_epi64(value.cast_signed())
}

/// Nineteen times each lane.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn nineteen(a: V) -> V {
    let twice = _mm512_add_epi64(a, a);
    _mm512_add_epi64(_mm512_add_epi64(a, twice), _mm512_slli_epi64::<4>(a))
}

/// Limbs below 2^51 + 2^15 from limbs below 2^61, in one step.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn carried(limbs: Eight) -> Eight {
    let low = splat(LIMB);
    let mut out = limbs;
    for k in 0..5 {
        out[k] = _mm512_and_si512(limbs[k], low);
    }
    for k in 0..4 {
        out[k + 1] = _mm512_add_epi64(out[k + 1], _mm512_srli_epi64::<51>(limbs[k]));
    }
    out[0] = _mm512_add_epi64(out[0], nineteen(_mm512_srli_epi64::<51>(limbs[4])));
    out
}

/// The number whose columns are `low` plus twice `high`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn folded(low: [V; 10], high: [V; 10]) -> Eight {
    let mut columns = low;
    for k in 0..10 {
        columns[k] = _mm512_add_epi64(low[k], _mm512_add_epi64(high[k], high[k]));
    }
    let mut limbs = [columns[0]; 5];
    for k in 0..5 {
        limbs[k] = _mm512_add_epi64(columns[k], nineteen(columns[k + 5]));
    }
    carried(limbs)
}

#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn mul(a: &Eight, b: &Eight) -> Eight {
    let (mut low, mut high) = ([_mm512_setzero_si512(); 10], [_mm512_setzero_si512(); 10]);
    for i in 0..5 {
        for j in 0..5 {
            low[i + j] = _mm512_madd52lo_epu64(low[i + j], a[i], b[j]);
            high[i + j + 1] = _mm512_madd52hi_epu64(high[i + j + 1], a[i], b[j]);
        }
    }
    folded(low, high)
}

#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn square(a: &Eight) -> Eight {
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

/// Carries through all limbs in turn, and the limb above them.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn rippled(limbs: Eight) -> (Eight, V) {
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
fn frozen(limbs: &Eight) -> Eight {
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
    for k in 0..5 {
        limbs[k] = _mm512_mask_blend_epi64(is_below, difference[k], limbs[k]);
    }
    limbs
}

/// The eight lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn lanes(v: V) -> [u64; 8] {
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

impl Sixteen {
    /// These numbers, each of 32 bytes, of which the highest bit is left out.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn new(bytes: &[[u8; 32]; 16]) -> Self {
        let all = bytes.map(|one| limbs(&one).map(u64::cast_signed));
        let limb = |at: usize, k: usize| {
            _mm512_set_epi64(
                all[at + 7][k],
                all[at + 6][k],
                all[at + 5][k],
                all[at + 4][k],
                all[at + 3][k],
                all[at + 2][k],
                all[at + 1][k],
                all[at][k],
            )
        };
        let eight = |at| [limb(at, 0), limb(at, 1), limb(at, 2), limb(at, 3), limb(at, 4)];
        Self([eight(0), eight(8)])
    }

    /// Sixteen times this number.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn constant(value: &GF25519) -> Self {
        let [a, b, c, d, e] = limbs(&value.encode());
        let eight = [splat(a), splat(b), splat(c), splat(d), splat(e)];
        Self([eight, eight])
    }

    /// The numbers, as the field's.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn numbers(&self) -> [GF25519; 16] {
        let mut out = [GF25519::ZERO; 16];
        for (out, eight) in out.as_chunks_mut::<8>().0.iter_mut().zip(&self.0) {
            let [a, b, c, d, e] = frozen(eight);
            let (a, b, c, d, e) = (lanes(a), lanes(b), lanes(c), lanes(d), lanes(e));
            for k in 0..8 {
                out[k] = GF25519::w64le(
                    a[k] | (b[k] << 51),
                    (b[k] >> 13) | (c[k] << 38),
                    (c[k] >> 26) | (d[k] << 25),
                    (d[k] >> 39) | (e[k] << 12),
                );
            }
        }
        out
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn times(&self, other: &Self) -> Self {
        Self([mul(&self.0[0], &other.0[0]), mul(&self.0[1], &other.0[1])])
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn squared(&self) -> Self {
        Self([square(&self.0[0]), square(&self.0[1])])
    }

    /// The value squared `times` times.
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn squarings(&self, times: u32) -> Self {
        let mut out = *self;
        for _ in 0..times {
            out = out.squared();
        }
        out
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn plus(&self, other: &Self) -> Self {
        let mut out = *self;
        for (out, other) in out.0.iter_mut().zip(&other.0) {
            for k in 0..5 {
                out[k] = _mm512_add_epi64(out[k], other[k]);
            }
            *out = carried(*out);
        }
        out
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn minus(&self, other: &Self) -> Self {
        let mut out = *self;
        for (out, other) in out.0.iter_mut().zip(&other.0) {
            for k in 0..5 {
                // Of 2p, so that no limb is negative.
                let limb = splat(if k == 0 { 2 * (LIMB - 18) } else { 2 * LIMB });
                out[k] = _mm512_sub_epi64(_mm512_add_epi64(out[k], limb), other[k]);
            }
            *out = carried(*out);
        }
        out
    }

    /// The opposite numbers of those that the mask names.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn negated(&self, which: Mask) -> Self {
        let zero = Self([[_mm512_setzero_si512(); 5]; 2]);
        self.or(&zero.minus(self), which)
    }

    /// The others where the mask names them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn or(&self, others: &Self, which: Mask) -> Self {
        let mut out = *self;
        for ((out, other), which) in out.0.iter_mut().zip(&others.0).zip(which.to_le_bytes()) {
            for k in 0..5 {
                out[k] = _mm512_mask_blend_epi64(which, out[k], other[k]);
            }
        }
        out
    }

    /// Which are zero.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn zeros(&self) -> Mask {
        let of = |eight: &Eight| {
            let [a, b, c, d, e] = frozen(eight);
            let any = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
            _mm512_cmpeq_epi64_mask(_mm512_or_si512(any, e), _mm512_setzero_si512())
        };
        Mask::from_le_bytes([of(&self.0[0]), of(&self.0[1])])
    }

    /// Which are odd as remainders modulo p.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn odd(&self) -> Mask {
        let of = |eight: &Eight| _mm512_test_epi64_mask(frozen(eight)[0], splat(1));
        Mask::from_le_bytes([of(&self.0[0]), of(&self.0[1])])
    }
}
