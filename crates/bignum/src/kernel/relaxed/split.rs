//! Products of limbs with relaxed SIMD.

use core::arch::wasm32::{
    f64x2_relaxed_madd, f64x2_sub, i64x2_all_true, i64x2_eq, i64x2_mul, u64x2_shr, u64x2_splat,
    v128, v128_and, v128_or,
};
use core::hint::black_box;

use super::super::float::{HIGH, HIGH_AND_LOW, INTEGER, MASK, RADIX};

/// The constants of a product.
#[derive(Clone, Copy)]
pub(super) struct Split {
    high: v128,
    low: v128,
}

/// Whether this machine's multiply-add rounds once. A machine has one answer at all times.
pub(super) fn fuses() -> bool {
    // The square of 1 + 2^-30 is 1 + 2^-29 + 2^-60, whose last bit is lost in a rounding.
    let factor = u64x2_splat(black_box((1023 << 52) + (1 << 22)));
    let rounded = u64x2_splat(black_box((1 << 63) + (1023 << 52) + (1 << 23)));
    let rest = f64x2_relaxed_madd(factor, factor, rounded);
    i64x2_all_true(i64x2_eq(rest, u64x2_splat(963 << 52)))
}

impl Split {
    /// The constants, hidden from the compiler, which would write them anew before each use.
    #[inline(always)]
    pub(super) fn new() -> Self {
        let [high, low] = black_box([HIGH, HIGH_AND_LOW]);
        Self { high: u64x2_splat(high), low: u64x2_splat(low) }
    }

    /// The patterns of the low and of the high part of `a` `b`, lane by lane; one of them is below 2^51, the other below 2^52.
    #[inline(always)]
    pub(super) fn product(self, a: v128, b: v128) -> (v128, v128) {
        let high = f64x2_relaxed_madd(a, b, self.high);
        (f64x2_relaxed_madd(a, b, f64x2_sub(self.low, high)), high)
    }
}

/// An integer below 2^52 in each lane as a `f64`.
#[inline(always)]
pub(super) fn float(integer: v128) -> v128 {
    let pattern = u64x2_splat(INTEGER);
    f64x2_sub(v128_or(integer, pattern), pattern)
}

/// The integers of `from` as `f64`.
pub(super) fn floats(out: &mut [v128], from: &[v128]) {
    for (out, &from) in out.iter_mut().zip(from) {
        *out = float(from);
    }
}

/// The low limb of a column in each lane.
#[inline(always)]
pub(super) fn limb(column: v128) -> v128 {
    v128_and(column, u64x2_splat(MASK))
}

/// What the next column gets of a column.
#[inline(always)]
pub(super) fn carry(column: v128) -> v128 {
    u64x2_shr(column, RADIX)
}

/// The limb that clears a column, where `k0` is -1/n modulo 2^51.
#[inline(always)]
pub(super) fn quotient(column: v128, k0: v128) -> v128 {
    float(limb(i64x2_mul(column, k0)))
}

#[cfg(test)]
mod tests {
    use core::arch::wasm32::{u64x2, u64x2_extract_lane};

    use super::super::super::float::LOW;
    use super::*;

    /// The parts of the product of two numbers.
    fn parts(a: u64, b: u64) -> [i128; 2] {
        let (low, high) = Split::new().product(float(u64x2(a, 1)), float(u64x2(b, 1)));
        let part = |pattern: u64, bias: u64| i128::from(pattern.wrapping_sub(bias).cast_signed());
        let low = part(u64x2_extract_lane::<0>(low), LOW);
        [low, part(u64x2_extract_lane::<0>(high), HIGH)]
    }

    /// A machine that rounds twice has no kernel, and one that rounds once has it: its own products tell.
    #[test]
    fn kernels_exist_where_products_are_exact() {
        let exact = (0..1000_u64).all(|seed| {
            let [a, b] =
                [seed * 2 + 1, seed + 77].map(|x| x.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 13);
            let [low, high] = parts(a, b);
            (high << RADIX) + low == i128::from(a) * i128::from(b)
        });
        assert_eq!(fuses(), exact);
        assert_eq!(crate::Engine::wasm_relaxed().is_some(), exact);
    }

    /// The method's bounds are those of the module's text: the parts of a product are exact for all limbs below them.
    #[test]
    fn products_are_exact() {
        if !fuses() {
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
                let [low, high] = parts(a, b);
                assert!(low.abs() <= 1 << 50 && (0..1 << 52).contains(&high), "{a} {b}");
                assert_eq!((high << RADIX) + low, i128::from(a) * i128::from(b));
            }
        }
    }
}
