//! Exact products of limbs in floating point, for kernels with a multiply-add that rounds once.
//!
//! For integers a < 2^51 and b < 2^52, `high = a b + 2^103` lies from 2^103 up to 2^104, where a `f64` has a multiple of
//! 2^51. So the rounded sum has the high part of the product in the low bits of its pattern. The exact difference
//! `low = a b - (high - 2^103)` is at most 2^50 in magnitude, and a second multiply-add without a rounding between finds it.
//! It adds 3 2^51, so that the integer `low` is in the low bits of the pattern, too. The method is that of Emmart, Zheng and
//! Weems, "Faster modular exponentiation using double precision floating point arithmetic" (2018), here with the rounding
//! to nearest: the only one of WebAssembly, and that of every thread that has not asked for another.
//!
//! Patterns are summed as integers, and each column starts at minus the sum of the patterns of 2^103 and of 3 2^51 that it
//! will get ([`starts`]).
//!
//! All numbers here are zero or integers of at most 2^104, so none is subnormal, infinite or not a number, and the processor
//! takes the same time for all of them.

pub(super) mod rows;

/// Bits of a limb.
pub(super) const RADIX: u32 = 51;

/// All bits of a limb.
pub(super) const MASK: u64 = (1 << RADIX) - 1;

/// The pattern of 2^52: with an integer below 2^52 in its low bits it is that of the sum.
pub(super) const INTEGER: u64 = 1075 << 52;

/// The pattern of 2^103.
pub(super) const HIGH: u64 = 1126 << 52;

/// The pattern of 2^103 + 3 2^51.
pub(super) const HIGH_AND_LOW: u64 = HIGH + 3;

/// The pattern of 3 2^51.
pub(super) const LOW: u64 = INTEGER + (1 << 51);

/// Every column is this much too large, so that it is positive: it is then shifted as a number without a sign.
pub(super) const POSITIVE: u64 = 1 << 62;

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

    use super::*;

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
}
