//! Exact products of limbs in floating point.
//!
//! For integers a < 2^51 and b < 2^52, `high = a b + 2^103` lies from 2^103 up to 2^104, where a `f64` has a multiple of
//! 2^51. So the rounded sum has the high part of the product in the low bits of its pattern. The exact difference
//! `low = a b - (high - 2^103)` is at most 2^50 in magnitude, and a second multiply-add without a rounding between finds it.
//! It adds 3 2^51, so that the integer `low` is in the low bits of the pattern, too. The method is that of Emmart, Zheng and
//! Weems, "Faster modular exponentiation using double precision floating point arithmetic" (2018), here with the rounding
//! to nearest, the only one that WebAssembly has.
//!
//! Patterns are summed as integers, and each column starts at minus the sum of the patterns of 2^103 and of 3 2^51 that it
//! will get ([`starts`]).
//!
//! All numbers here are zero or integers of at most 2^104, so none is subnormal, infinite or not a number, and the processor
//! takes the same time for all of them.

use core::arch::wasm32::{
    f64x2_relaxed_madd, f64x2_sub, i64x2_all_true, i64x2_eq, i64x2_mul, u64x2_shr, u64x2_splat,
    v128, v128_and, v128_or,
};
use core::hint::black_box;

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

/// The words at which columns start. `begun` says how many rows of the product begin at a column or below, or a greater
/// number if it is all of them. All rows end where those of the reduction do: row `i` at column `i + limbs`. There are
/// `2 limbs` columns.
pub(super) fn starts(limbs: usize, begun: impl Fn(usize) -> usize) -> impl Iterator<Item = u64> {
    let mut before = 0_u64;
    (0..2 * limbs).map(move |column| {
        let ended = (column + 1).saturating_sub(limbs);
        let products = begun(column).min(limbs) + (column + 1).min(limbs) - 2 * ended;
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
    use core::arch::wasm32::{u64x2, u64x2_extract_lane};

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

    /// Columns that got their products, all zero, have nothing but what keeps them positive.
    #[test]
    fn columns_start_at_minus_their_patterns() {
        for limbs in 1..140 {
            let mut columns = vec![0_u64; 2 * limbs];
            // Products of rows that begin twice as far up as they are, and of those of the reduction.
            for (row, from) in (0..limbs).flat_map(|row| [(row, 2 * row), (row, row)]) {
                for column in from..row + limbs {
                    columns[column] = columns[column].wrapping_add(LOW);
                    columns[column + 1] = columns[column + 1].wrapping_add(HIGH);
                }
            }
            let mut carried = 0;
            for (start, column) in starts(limbs, |column| (column >> 1) + 1).zip(columns) {
                assert_eq!(start.wrapping_add(column).wrapping_add(carried), POSITIVE);
                carried = POSITIVE >> RADIX;
            }
        }
    }
}
