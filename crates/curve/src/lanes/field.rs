//! Sixteen numbers modulo p = 2^255 - 19, in two times eight lanes.

use core::arch::x86_64::{
    _mm512_cmpeq_epi64_mask, _mm512_or_si512, _mm512_setzero_si512, _mm512_test_epi64_mask,
};

use crrl::field::GF25519;

use super::eight::{self, Number, carried, difference, frozen, product, splat, square, total};

/// Which of sixteen numbers, the first at the lowest bit.
pub(super) type Mask = u16;

/// Sixteen numbers.
#[derive(Clone, Copy)]
pub(super) struct Sixteen([Number; 2]);

impl Sixteen {
    /// These numbers, each of 32 bytes, of which the highest bit is left out.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn new(bytes: &[[u8; 32]; 16]) -> Self {
        let [a, b, c, d, e, f, g, h, rest @ ..] = *bytes;
        Self([eight::from_bytes(&[a, b, c, d, e, f, g, h]), eight::from_bytes(&rest)])
    }

    /// Sixteen times this number.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn constant(value: &GF25519) -> Self {
        Self([eight::constant(value); 2])
    }

    /// The numbers, as the field's.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn numbers(&self) -> [GF25519; 16] {
        let [[a, b, c, d, e, f, g, h], [i, j, k, l, m, n, o, p]] =
            [eight::numbers(&self.0[0]), eight::numbers(&self.0[1])];
        [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn times(&self, other: &Self) -> Self {
        let ([a, b], [c, d]) = (&self.0, &other.0);
        Self([carried(&product(a, c)), carried(&product(b, d))])
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn squared(&self) -> Self {
        let [a, b] = &self.0;
        Self([carried(&square(a)), carried(&square(b))])
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
        let ([a, b], [c, d]) = (&self.0, &other.0);
        Self([carried(&total(a, c)), carried(&total(b, d))])
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn minus(&self, other: &Self) -> Self {
        let ([a, b], [c, d]) = (&self.0, &other.0);
        Self([carried(&difference(a, c)), carried(&difference(b, d))])
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
        let ([a, b], [c, d], [first, second]) = (&self.0, &others.0, which.to_le_bytes());
        Self([eight::or(a, c, first), eight::or(b, d, second)])
    }

    /// Which are zero.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn zeros(&self) -> Mask {
        let of = |eight: &Number| {
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
        let of = |eight: &Number| _mm512_test_epi64_mask(frozen(eight)[0], splat(1));
        Mask::from_le_bytes([of(&self.0[0]), of(&self.0[1])])
    }
}
