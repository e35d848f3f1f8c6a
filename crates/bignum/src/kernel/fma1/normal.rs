//! From columns to limbs: the halves of a product, with what each hands on, and carries across the lanes.

use core::arch::x86_64::{
    _mm256_castsi256_pd, _mm256_cmpeq_epi64, _mm256_cmpgt_epi64, _mm256_movemask_pd,
    _mm256_set_epi64x, _mm256_srli_epi64, _mm256_srlv_epi64,
};

use super::super::float::MASK;
use super::super::fma::split::{V, add, and, carry, float, integer, limb, splat};
use super::code::Double;
use super::columns::{Factors, Stream, up_by_one};
use super::setup::Under;

/// Vectors whose carries fit one word of 64 bits.
const GROUP: usize = 16;

/// `out` = T / R mod N, where `terms` make T, whose columns start at `starts`. `low` and `q` are left with the lower half of T
/// and the digits of the quotient; with `EXACT` these are limbs, and the quotient is below R.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) fn product<const SQUARE: bool, const EXACT: bool, const N: usize>(
    out: &mut [V],
    terms: [Factors<'_>; N],
    [lowest, highest]: [&[V]; 2],
    under: Under<'_>,
    [low, q]: [&mut [V]; 2],
) {
    let left = lower::<SQUARE, false, N>(low, terms, lowest);
    let _ = lower::<false, true, 1>(q, [Factors::new(low, under.k)], under.product[0]);
    if EXACT {
        settle_floats(q);
    }
    let quotient = Factors::new(q, under.n);
    let left = left.join(edge(low, quotient, under.edge));
    upper::<SQUARE, N>(out, terms, quotient, highest, left);
    settle(out);
}

/// What the columns below hand on.
#[derive(Clone, Copy)]
struct Left {
    stream: Stream,
    /// In the highest lane, what the column below hands on.
    above: V,
}

impl Left {
    /// The low bits of each of these columns, with what the column below hands on.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn pass(&mut self, columns: V) -> V {
        let below = core::mem::replace(&mut self.above, carry(columns));
        add(limb(columns), up_by_one(self.above, below))
    }

    /// The same of the columns of these accumulators.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn double(&mut self, sums: Double) -> [V; 2] {
        let [low, high] = self.stream.double(sums);
        [self.pass(low), self.pass(high)]
    }

    /// What two streams of columns at the same place hand on together.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn join(self, other: Self) -> Self {
        Self { stream: self.stream.join(other.stream), above: add(self.above, other.above) }
    }
}

/// The lower half of a sum of products, as numbers below 2^51 + 2^12 that are `f64`. Returns what is left for the upper half,
/// unless it is cut off with `CUT`.
#[target_feature(enable = "avx2,fma")]
fn lower<const SQUARE: bool, const CUT: bool, const N: usize>(
    out: &mut [V],
    terms: [Factors<'_>; N],
    starts: &[V],
) -> Left {
    let mut left = Left { stream: Stream::starting(splat(0)), above: splat(0) };
    // Counters, since the parts of an iterator over two slices may not be inlined here.
    let mut at = 0;
    while at + 1 < out.len() {
        let mut sums = left.stream.sums([starts[at], starts[at + 1]]);
        for term in terms {
            sums = term.add_lower::<SQUARE>(sums, at);
        }
        let numbers = left.double(sums);
        out[at] = float(numbers[0]);
        out[at + 1] = float(numbers[1]);
        at += 2;
    }
    if at < out.len() {
        let column = if CUT {
            let mut sums = left.stream.sum(starts[at]);
            for term in terms {
                sums = term.add_single(sums, at);
            }
            left.stream.single(sums)
        } else {
            let mut sums = left.stream.sums([starts[at], splat(0)]);
            for term in terms {
                sums = term.add_upper::<SQUARE>(sums, at);
            }
            left.stream.half(sums)
        };
        out[at] = float(left.pass(column));
    }
    left
}

/// What is left below the upper half of a reduction, of the columns of Q N and of the lower half `low` of T, whose sum is
/// zero modulo R.
#[target_feature(enable = "avx2,fma")]
fn edge(low: &[V], quotient: Factors<'_>, start: V) -> Left {
    let at = low.len() - 1;
    let mut stream = Stream::starting(quotient.overlap());
    let start = add(start, integer(low[at]));
    // The column under the cut, in the highest lane.
    let column = if at & 1 == 0 {
        let sums = quotient.add_upper::<false>(stream.sums([start, splat(0)]), at);
        stream.half(sums)
    } else {
        stream.single(quotient.add_single(stream.sum(start), at))
    };
    Left { stream, above: carry(column) }
}

/// `out` = (T + Q N) / R, where `terms` make T, and `left` is what both hand on from their lower halves. Limbs are below
/// 2^51 + 2^13.
#[target_feature(enable = "avx2,fma")]
fn upper<const SQUARE: bool, const N: usize>(
    out: &mut [V],
    terms: [Factors<'_>; N],
    quotient: Factors<'_>,
    starts: &[V],
    mut left: Left,
) {
    let size = out.len();
    let mut at = 0;
    if size & 1 == 1 {
        // The lowest vector got its products with the one below.
        let column = left.stream.single(left.stream.sum(starts[0]));
        out[0] = left.pass(column);
        at = 1;
    }
    while at + 1 < size {
        let mut sums = left.stream.sums([starts[at], starts[at + 1]]);
        for term in terms {
            sums = term.add_upper::<SQUARE>(sums, size + at);
        }
        let numbers = left.double(quotient.add_upper::<false>(sums, size + at));
        out[at] = numbers[0];
        out[at + 1] = numbers[1];
        at += 2;
    }
}

/// Makes proper limbs of numbers that are at most 2^13 too large, and drops what the highest hands on.
///
/// A limb hands on one, if it exceeds 2^51 - 1, or equals it and is handed one. That chain runs through the bits of an
/// ordinary sum.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn settle(numbers: &mut [V]) {
    let most = splat(MASK);
    let mut into = 0;
    for group in numbers.chunks_mut(GROUP) {
        let (mut more, mut full, mut place) = (0_u64, 0_u64, 0_u32);
        for &number in group.iter() {
            more |= bits(_mm256_cmpgt_epi64(number, most)) << place;
            full |= bits(_mm256_cmpeq_epi64(number, most)) << place;
            place += 4;
        }
        let (sum, over) = full.overflowing_add(more << 1);
        let (sum, again) = sum.overflowing_add(into);
        into = more >> 63 | u64::from(over) | u64::from(again);
        let mut handed = _mm256_srlv_epi64(splat(sum ^ full), _mm256_set_epi64x(3, 2, 1, 0));
        for number in group {
            *number = limb(add(*number, and(handed, splat(1))));
            handed = _mm256_srli_epi64::<4>(handed);
        }
    }
}

/// The same for numbers that are `f64`.
#[target_feature(enable = "avx2,fma")]
fn settle_floats(numbers: &mut [V]) {
    for number in numbers.iter_mut() {
        *number = integer(*number);
    }
    settle(numbers);
    for number in numbers {
        *number = float(*number);
    }
}

/// A bit for each lane of a comparison.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn bits(lanes: V) -> u64 {
    u64::from(_mm256_movemask_pd(_mm256_castsi256_pd(lanes)).cast_unsigned())
}
