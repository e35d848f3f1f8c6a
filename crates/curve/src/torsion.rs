//! The check that many points lie in the subgroup of prime order. It costs less than a test of each
//! point.
//!
//! The points of a curve with cofactor h form a group that is the product of the subgroup of prime order and of
//! the h points of low order; let `τ_i` be the second component of `P_i`. A sum `Σ c_i·P_i` shows a `τ_i` of order
//! two only where `c_i` is odd, so that one sum misses it with a chance of a half, however long the weights are.
//! Hence 128 sums `S_j = Σ b_ij·P_i` of independent random bits. If some `τ_i` is not neutral, then with all other
//! bits given `S_j` has two values, for `b_ij` = 0 and 1, that differ by it: at most one is in the subgroup. All
//! 128 are in it with a chance of 2^-128 or less.

use alloc::vec;
use alloc::vec::Vec;

use rand_core::Rng;

/// Fewer points are tested one by one: 128 tests of sums and the sums themselves are not less work than theirs.
pub(crate) const TOGETHER_FROM: usize = 256;

/// The sums of 128 random subsets of `points`.
///
/// The method is that of Pippenger's sums. For every eight of the 128 subsets, a point goes into
/// the one of 256 buckets whose number is its eight bits, which is one addition. The subsets are
/// sums of buckets.
pub(crate) fn subset_sums<P, S: Copy>(
    points: &[P],
    rng: &mut impl Rng,
    zero: S,
    add: impl Fn(&S, &P) -> S,
    join: impl Fn(&S, &S) -> S,
) -> Vec<S> {
    let mut sums = Vec::with_capacity(128);
    let mut bits = vec![0; points.len()];
    for _ in 0..16 {
        rng.fill_bytes(&mut bits);
        let mut buckets = vec![zero; 256];
        for (point, bits) in points.iter().zip(&bits) {
            if let Some(bucket) = buckets.get_mut(usize::from(*bits)) {
                *bucket = add(bucket, point);
            }
        }
        // The upper half are the buckets of the highest bit; folded on the lower, one bit is left less.
        for bit in (0..8).rev() {
            let upper = buckets.split_off(1 << bit);
            sums.push(upper.iter().fold(zero, |sum, bucket| join(&sum, bucket)));
            for (lower, upper) in buckets.iter_mut().zip(&upper) {
                *lower = join(lower, upper);
            }
        }
    }
    sums
}
