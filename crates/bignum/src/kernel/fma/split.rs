//! Products of limbs with AVX2 and FMA.

use core::arch::x86_64::{
    __m256i, _mm256_add_epi64, _mm256_add_pd, _mm256_and_si256, _mm256_castpd_si256,
    _mm256_castsi256_pd, _mm256_cmpeq_epi64, _mm256_fmadd_pd, _mm256_movemask_epi8,
    _mm256_mul_epu32, _mm256_or_si256, _mm256_set1_epi64x, _mm256_slli_epi64, _mm256_srli_epi64,
    _mm256_sub_pd, _mm256_xor_si256,
};
use core::hint::black_box;

use super::super::float::{HIGH, HIGH_AND_LOW, INTEGER, MASK};

/// One limb of each of four numbers, or one of their columns.
pub(crate) type V = __m256i;

/// This word in every lane.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(crate) fn splat(word: u64) -> V {
    _mm256_set1_epi64x(word.cast_signed())
}

/// The sums of integers.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(crate) fn add(a: V, b: V) -> V {
    _mm256_add_epi64(a, b)
}

/// The bits in both.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(crate) fn and(a: V, b: V) -> V {
    _mm256_and_si256(a, b)
}

/// The constants of a product.
#[derive(Clone, Copy)]
pub(crate) struct Split {
    high: V,
    low: V,
}

impl Split {
    /// The constants, hidden from the compiler, which would load them anew before each use.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(crate) fn new() -> Self {
        Self { high: black_box(splat(HIGH)), low: black_box(splat(HIGH_AND_LOW)) }
    }

    /// The patterns of the low and of the high part of `a` `b`, lane by lane; one of them is below 2^51, the other below 2^52.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(crate) fn product(self, a: V, b: V) -> (V, V) {
        let (a, b) = (_mm256_castsi256_pd(a), _mm256_castsi256_pd(b));
        let high = _mm256_fmadd_pd(a, b, _mm256_castsi256_pd(self.high));
        let rest = _mm256_sub_pd(_mm256_castsi256_pd(self.low), high);
        let low = _mm256_fmadd_pd(a, b, rest);
        (_mm256_castpd_si256(low), _mm256_castpd_si256(high))
    }
}

/// Whether this thread rounds to nearest, as the method needs. A program in another language may have changed it.
#[target_feature(enable = "avx2,fma")]
pub(crate) fn rounds_to_nearest() -> bool {
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
pub(crate) fn float(integer: V) -> V {
    let pattern = splat(INTEGER);
    let sum = _mm256_castsi256_pd(_mm256_or_si256(integer, pattern));
    _mm256_castpd_si256(_mm256_sub_pd(sum, _mm256_castsi256_pd(pattern)))
}

/// A `f64` that is an integer below 2^52, as an integer, in each lane.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(crate) fn integer(float: V) -> V {
    let pattern = splat(INTEGER);
    let sum = _mm256_add_pd(_mm256_castsi256_pd(float), _mm256_castsi256_pd(pattern));
    _mm256_xor_si256(_mm256_castpd_si256(sum), pattern)
}

/// Twice a `f64` in each lane.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(crate) fn twice(float: V) -> V {
    let float = _mm256_castsi256_pd(float);
    _mm256_castpd_si256(_mm256_add_pd(float, float))
}

/// The integers of `from` as `f64`.
#[target_feature(enable = "avx2,fma")]
pub(crate) fn floats(out: &mut [V], from: &[V]) {
    let (len, mut at) = (out.len().min(from.len()), 0);
    while at < len {
        out[at] = float(from[at]);
        at += 1;
    }
}

/// The low limb of a column in each lane.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(crate) fn limb(column: V) -> V {
    _mm256_and_si256(column, splat(MASK))
}

/// `2^51 - 1` minus a limb.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(crate) fn negated_digit(limb: V) -> V {
    _mm256_xor_si256(limb, splat(MASK))
}

/// What the next column gets of a column.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(crate) fn carry(column: V) -> V {
    _mm256_srli_epi64::<51>(column)
}

/// The limb that clears a column, where `k0` is -1/n modulo 2^51.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(crate) fn quotient(column: V, k0: V) -> V {
    let crossed = _mm256_add_epi64(
        _mm256_mul_epu32(_mm256_srli_epi64::<32>(column), k0),
        _mm256_mul_epu32(column, _mm256_srli_epi64::<32>(k0)),
    );
    limb(_mm256_add_epi64(_mm256_mul_epu32(column, k0), _mm256_slli_epi64::<32>(crossed)))
}

#[cfg(test)]
mod tests {
    use core::arch::asm;
    use core::arch::x86_64::_mm256_extract_epi64;

    use zeroize::Zeroizing;

    use super::super::super::float::{LOW, RADIX};
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

    /// So does one for a long number alone, as a whole and as a pair.
    #[test]
    fn other_roundings_are_refused_for_numbers_alone() {
        let Some(engine) = crate::Engine::x86_64() else { return };
        let long = crate::Natural::power_of_two(2047).add(&crate::Natural::one());
        let root = crate::Natural::power_of_two(1535).add(&crate::Natural::one());
        let square = crate::Modulus::square_of(&crate::Modulus::new(&root).unwrap()).unwrap();
        let [two, more] = [2, 99].map(crate::Natural::from);
        let more = crate::Integer::from(more);
        for modulus in [crate::Modulus::new(&long).unwrap(), square] {
            for mode in 0..4 {
                let public = crate::PublicProduct::new(&modulus).power(&two, &more);
                let secret = crate::SecretProduct::new(&modulus).power(&two, &more);
                let [public, secret] = with_rounding(mode, || {
                    [
                        engine.evaluate_vartime(&[public]).remove(0).is_ok(),
                        engine.evaluate(&[secret]).remove(0).is_ok(),
                    ]
                });
                assert_eq!([public, secret], [mode == 0; 2], "{mode}");
            }
        }
    }

    /// A search in such a thread gives the error too, and leaves out no candidate.
    #[test]
    fn searches_wait_for_the_right_rounding() {
        let Some(engine) = crate::Engine::x86_64() else { return };
        let start =
            || crate::BlumPrimeSearch::from_seed(512, &engine, Zeroizing::new([7; 32])).unwrap();
        let found = |search: &mut crate::BlumPrimeSearch| loop {
            if let Some(prime) = search.step(50).unwrap() {
                break prime.declassify();
            }
        };
        let (mut one, mut other) = (start(), start());
        let error = with_rounding(1, || one.step(1000)).err();
        assert_eq!(error, Some(crate::Error::NoValue));
        assert_eq!(found(&mut one), found(&mut other));
    }
}
