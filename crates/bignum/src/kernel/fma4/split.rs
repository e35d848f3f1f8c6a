//! Exact products of limbs in floating point.
//!
//! For integers a < 2^51 and b < 2^52, `high = a b + 2^103` lies from 2^103 up to 2^104, where a `f64` has a multiple of
//! 2^51. So the rounded sum has the high part of the product in the low bits of its pattern. The exact difference
//! `low = a b - (high - 2^103)` is at most 2^50 in magnitude, and a second multiply-add without a rounding between finds it.
//! It adds 3 2^51, so that the integer `low` is in the low bits of the pattern, too. The method is that of Emmart, Zheng and
//! Weems, "Faster modular exponentiation using double precision floating point arithmetic" (2018), here with the rounding
//! to nearest, which every thread has that has not asked for another.
//!
//! Patterns are summed as integers, and each column starts at minus the sum of the patterns of 2^103 and of 3 2^51 that it
//! will get ([`starts`]).
//!
//! All numbers here are zero or integers of at most 2^104, so none is subnormal, infinite or not a number, and the processor
//! takes the same time for all of them.

use core::arch::x86_64::{
    __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_castpd_si256, _mm256_castsi256_pd,
    _mm256_cmpeq_epi64, _mm256_fmadd_pd, _mm256_movemask_epi8, _mm256_mul_epu32, _mm256_or_si256,
    _mm256_set1_epi64x, _mm256_slli_epi64, _mm256_srli_epi64, _mm256_sub_pd, _mm256_xor_si256,
};
use core::hint::black_box;

/// One limb of each of four numbers, or one of their columns.
pub(super) type V = __m256i;

/// Bits of a limb.
pub(super) const RADIX: u32 = 51;

/// All bits of a limb.
const MASK: u64 = (1 << RADIX) - 1;

/// The pattern of 2^52: with an integer below 2^52 in its low bits it is that of the sum.
const INTEGER: u64 = 1075 << 52;

/// The pattern of 2^103.
const HIGH: u64 = 1126 << 52;

/// The pattern of 2^103 + 3 2^51.
const HIGH_AND_LOW: u64 = HIGH + 3;

/// The pattern of 3 2^51.
const LOW: u64 = INTEGER + (1 << 51);

/// Every column is this much too large, so that it is positive: it is then shifted as a number without a sign.
const POSITIVE: u64 = 1 << 62;

/// This word in every lane.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) fn splat(word: u64) -> V {
    _mm256_set1_epi64x(word.cast_signed())
}

/// The sums of integers.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) fn add(a: V, b: V) -> V {
    _mm256_add_epi64(a, b)
}

/// The constants of a product.
#[derive(Clone, Copy)]
pub(super) struct Split {
    high: V,
    low: V,
}

impl Split {
    /// The constants, hidden from the compiler, which would load them anew before each use.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn new() -> Self {
        Self { high: black_box(splat(HIGH)), low: black_box(splat(HIGH_AND_LOW)) }
    }

    /// The patterns of the low and of the high part of `a` `b`, lane by lane; one of them is below 2^51, the other below 2^52.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn product(self, a: V, b: V) -> (V, V) {
        let (a, b) = (_mm256_castsi256_pd(a), _mm256_castsi256_pd(b));
        let high = _mm256_fmadd_pd(a, b, _mm256_castsi256_pd(self.high));
        let rest = _mm256_sub_pd(_mm256_castsi256_pd(self.low), high);
        let low = _mm256_fmadd_pd(a, b, rest);
        (_mm256_castpd_si256(low), _mm256_castpd_si256(high))
    }
}

/// Whether this thread rounds to nearest, as the method needs. A program in another language may have changed it.
#[target_feature(enable = "avx2,fma")]
pub(super) fn rounds_to_nearest() -> bool {
    // 2^52 and a half, and 2^52 and three halves: to nearest, one is rounded down and the other up.
    let sums = |odd: u64| {
        let half = _mm256_castsi256_pd(splat(black_box(1022 << 52)));
        let one = _mm256_castsi256_pd(splat(black_box(1023 << 52)));
        let sum = _mm256_fmadd_pd(half, one, _mm256_castsi256_pd(splat(black_box(INTEGER + odd))));
        _mm256_castpd_si256(sum)
    };
    let down = _mm256_cmpeq_epi64(sums(0), splat(INTEGER));
    let up = _mm256_cmpeq_epi64(sums(1), splat(INTEGER + 2));
    _mm256_movemask_epi8(_mm256_and_si256(down, up)) == -1
}

/// An integer below 2^52 in each lane as a `f64`.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) fn float(integer: V) -> V {
    let pattern = splat(INTEGER);
    let sum = _mm256_castsi256_pd(_mm256_or_si256(integer, pattern));
    _mm256_castpd_si256(_mm256_sub_pd(sum, _mm256_castsi256_pd(pattern)))
}

/// Twice a `f64` in each lane.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) fn twice(float: V) -> V {
    let float = _mm256_castsi256_pd(float);
    _mm256_castpd_si256(core::arch::x86_64::_mm256_add_pd(float, float))
}

/// The integers of `from` as `f64`.
#[target_feature(enable = "avx2,fma")]
pub(super) fn floats(out: &mut [V], from: &[V]) {
    for (out, &from) in out.iter_mut().zip(from) {
        *out = float(from);
    }
}

/// The low limb of a column in each lane.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) fn limb(column: V) -> V {
    _mm256_and_si256(column, splat(MASK))
}

/// `2^51 - 1` minus a limb.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) fn negated_digit(limb: V) -> V {
    _mm256_xor_si256(limb, splat(MASK))
}

/// What the next column gets of a column.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) fn carry(column: V) -> V {
    _mm256_srli_epi64::<51>(column)
}

/// The limb that clears a column, where `k0` is -1/n modulo 2^51.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) fn quotient(column: V, k0: V) -> V {
    let crossed = _mm256_add_epi64(
        _mm256_mul_epu32(_mm256_srli_epi64::<32>(column), k0),
        _mm256_mul_epu32(column, _mm256_srli_epi64::<32>(k0)),
    );
    limb(_mm256_add_epi64(_mm256_mul_epu32(column, k0), _mm256_slli_epi64::<32>(crossed)))
}

/// The words at which columns start. `begun` says how many rows of the product begin at a column or below, or a greater
/// number if it is all of them; `factors` says how many products there are. All rows end where those of the reduction do: row
/// `i` at column `i + limbs`. There are `2 limbs` columns.
pub(super) fn starts(
    limbs: usize,
    factors: usize,
    begun: impl Fn(usize) -> usize,
) -> impl Iterator<Item = u64> {
    let mut before = 0_u64;
    (0..2 * limbs).map(move |column| {
        let ended = (column + 1).saturating_sub(limbs);
        let products =
            factors * (begun(column).min(limbs) - ended) + (column + 1).min(limbs) - ended;
        let here = products as u64;
        let patterns = here.wrapping_mul(LOW).wrapping_add(before.wrapping_mul(HIGH));
        before = here;
        // A column gets what is too much in the one below.
        let carried = if column == 0 { 0 } else { POSITIVE >> RADIX };
        POSITIVE.wrapping_sub(carried).wrapping_sub(patterns)
    })
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use core::arch::asm;
    use core::arch::x86_64::_mm256_extract_epi64;

    use super::*;

    /// Whether the processor has the instructions.
    fn has_them() -> bool {
        std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")
    }

    /// The parts of the product of two numbers.
    #[target_feature(enable = "avx2,fma")]
    fn parts(a: u64, b: u64) -> [i128; 2] {
        let (low, high) = Split::new().product(float(splat(a)), float(splat(b)));
        let part = |pattern: i64, bias: u64| {
            i128::from(pattern.cast_unsigned().wrapping_sub(bias).cast_signed())
        };
        [part(_mm256_extract_epi64::<0>(low), LOW), part(_mm256_extract_epi64::<3>(high), HIGH)]
    }

    /// The method's bounds are those of the module's text: the parts of a product are exact for all limbs below them.
    #[test]
    fn products_are_exact() {
        if !has_them() {
            return;
        }
        let edges = |bits: u32| {
            let single = (0..bits).map(|bit| 1_u64 << bit);
            let all = (0..=bits).map(|bit| (1 << bit) - 1);
            let high = (0..bits).map(move |bit| (1 << bits) - 1 - (1 << bit));
            single.chain(all).chain(high).chain([0x4_cccc_cccc_cccd, 0x2_aaaa_aaaa_aaab])
        };
        for a in edges(RADIX) {
            for b in edges(RADIX + 1) {
                // SAFETY: the features were asked for.
                let [low, high] = unsafe { parts(a, b) };
                assert!(low.abs() <= 1 << 50 && (0..1 << 52).contains(&high), "{a} {b}");
                assert_eq!((high << RADIX) + low, i128::from(a) * i128::from(b));
            }
        }
    }

    /// Columns that got their products, all zero, have nothing but what keeps them positive.
    #[test]
    fn columns_start_at_minus_their_patterns() {
        for limbs in 8..140 {
            for (factors, twice) in [(1, 1), (1, 2), (2, 1)] {
                let mut columns = vec![0_u64; 2 * limbs];
                // Products of rows that begin once or twice as far up as they are, and of those of the reduction.
                let product = (0..limbs).map(|row| (row, twice * row));
                let products = core::iter::repeat_n(product, factors).flatten();
                for (row, from) in products.chain((0..limbs).map(|row| (row, row))) {
                    for column in from..row + limbs {
                        columns[column] = columns[column].wrapping_add(LOW);
                        columns[column + 1] = columns[column + 1].wrapping_add(HIGH);
                    }
                }
                let mut carried = 0;
                let begun = |column: usize| column.checked_div(twice).unwrap_or(0) + 1;
                for (start, column) in starts(limbs, factors, begun).zip(columns) {
                    assert_eq!(start.wrapping_add(column).wrapping_add(carried), POSITIVE);
                    carried = POSITIVE >> RADIX;
                }
            }
        }
    }

    /// Runs with this rounding mode of the processor: 0 is to nearest, 1 down, 2 up, 3 to zero.
    fn with_rounding<T>(mode: u32, work: impl FnOnce() -> T) -> T {
        let mut before = 0_u32;
        // SAFETY: the register is written and restored; in between nothing is computed that relies on it but what is tried.
        unsafe {
            asm!("stmxcsr [{}]", in(reg) &raw mut before);
            let changed = before & !(3 << 13) | (mode << 13);
            asm!("ldmxcsr [{}]", in(reg) &raw const changed);
            let out = work();
            asm!("ldmxcsr [{}]", in(reg) &raw const before);
            out
        }
    }

    /// A thread that rounds otherwise gets an error, and no wrong number.
    #[test]
    fn other_roundings_are_refused() {
        let Some(engine) = crate::Engine::x86_64() else { return };
        let modulus = crate::Modulus::new(&crate::Natural::from(0xffff_ffff_ffff_ffc5)).unwrap();
        let [two, more] = [2, 99].map(crate::Natural::from);
        let more = crate::Integer::from(more);
        let products = [(); 4].map(|()| crate::PublicProduct::new(&modulus).power(&two, &more));
        for mode in 0..4 {
            // SAFETY: the engine proves the features.
            let fits = with_rounding(mode, || unsafe { rounds_to_nearest() });
            let results = with_rounding(mode, || engine.evaluate_vartime(&products));
            assert_eq!(fits, mode == 0);
            assert!(results.iter().all(|result| result.is_ok() == (mode == 0)), "{mode}");
        }
    }
}
