//! Columns of products of numbers that lie across the lanes.
//!
//! Factors are given as `f64`, four limbs a vector. Limb `r` of a vector of one factor times a whole vector of the other lies
//! `r` lanes too low: such products gather in accumulator `r` (their high parts in `r + 1`), and the accumulators are shifted
//! into place only once per vector of columns. Patterns are summed as they are; what is too much is taken off after the
//! shifts ([`starts`](super::setup::starts)).

use core::arch::x86_64::{_mm256_alignr_epi8, _mm256_permute2x128_si256};

use super::super::fma::split::{V, add, float, splat, twice};
use super::code::{Double, Single, double, double_step, single, single_step, tops};

/// Two numbers of one length as `f64`, limbs of `x` below 2^52 and of `y` below 2^51, or the other way round. For a square `x`
/// is twice `y`.
#[derive(Clone, Copy)]
pub(super) struct Factors<'a> {
    x: &'a [V],
    y: &'a [V],
}

impl<'a> Factors<'a> {
    /// These two.
    ///
    /// # Panics
    /// Unless they have the same number of vectors, two or more.
    #[inline]
    pub(super) fn new(x: &'a [V], y: &'a [V]) -> Self {
        assert!(x.len() == y.len() && x.len() > 1, "numbers of one length");
        Self { x, y }
    }

    /// Adds all products that lie in vector `at` of the columns of the lower half.
    ///
    /// # Panics
    /// If it is above.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn add_single(self, sums: Single, at: usize) -> Single {
        let Self { x, y } = self;
        assert!(at < y.len(), "columns of the lower half");
        // SAFETY: both have more than `at` vectors.
        unsafe { single(sums, x.as_ptr(), y.as_ptr().add(at), at + 1) }
    }

    /// Adds all products that lie in vectors `at` and `at + 1` of the columns of the lower half; `at` is even. With `SQUARE`
    /// each product of different vectors is made once.
    ///
    /// # Panics
    /// If they are above.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn add_lower<const SQUARE: bool>(self, mut sums: Double, at: usize) -> Double {
        let (x, y, middle) = (self.x.as_ptr(), self.y.as_ptr(), at >> 1);
        assert!(at + 1 < self.y.len(), "columns of the lower half");
        // SAFETY: both have more than `at + 1` vectors. The product reads those up to `at` of `x`, and up to `at + 1` of `y`
        // and of `x`; the square those below `middle` and the one above it of `x`, and those up to `at + 1` of `y`.
        unsafe {
            if SQUARE {
                if middle > 0 {
                    sums = double(sums, x, y.add(at), middle);
                }
                return double_step(sums, &*y.add(middle), &*y.add(middle), &*x.add(middle + 1));
            }
            let [s0, s1, s2, s3, high @ ..] = double(sums, x, y.add(at), at + 1);
            let [s4, s5, s6, s7, s8] = single_step(high, &*x.add(at + 1), &*y);
            [s0, s1, s2, s3, s4, s5, s6, s7, s8]
        }
    }

    /// Adds all products that lie in vectors `at` and `at + 1` of the columns above the lower half, or of the highest one of
    /// it and the one above; `at` is even.
    ///
    /// # Panics
    /// If they are below, or above all products.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn add_upper<const SQUARE: bool>(self, sums: Double, at: usize) -> Double {
        let (x, y, size, middle) = (self.x.as_ptr(), self.y.as_ptr(), self.y.len(), at >> 1);
        assert!(at + 1 >= size && at + 1 < 2 * size, "columns of the upper half");
        let (least, top) = (at + 1 - size, size - 1);
        let last = least == top;
        let [s0, s1, s2, s3, high @ ..] = sums;
        let [s4, s5, s6, s7, s8] = high;
        // SAFETY: `least` is at most `top`, which both have. If it is less, then so is `middle`, since `least` + `top` is `at`.
        // The product reads those above `least` of `x`, and all from `least` on of `y`; the square those between `least` and
        // `middle` and the one above that of `x`, and those from `middle` on of `y`.
        unsafe {
            let lowest = if SQUARE && last { y } else { x };
            let low = single_step([s0, s1, s2, s3, s4], &*lowest.add(least), &*y.add(top));
            let [s0, s1, s2, s3, s4] = low;
            let mut sums = [s0, s1, s2, s3, s4, s5, s6, s7, s8];
            if last {
                return sums;
            }
            if SQUARE {
                if middle > least + 1 {
                    sums = double(sums, x.add(least + 1), y.add(top - 1), middle - least - 1);
                }
                return double_step(sums, &*y.add(middle), &*y.add(middle), &*x.add(middle + 1));
            }
            double(sums, x.add(least + 1), y.add(top - 1), top - least)
        }
    }

    /// The high parts that the highest columns of the lower half take from the vector below.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn overlap(self) -> V {
        let Self { x, y } = self;
        let count = y.len() - 1;
        // SAFETY: both have more than `count` vectors, and that is not zero.
        unsafe { tops(splat(0), x.as_ptr(), y.as_ptr().add(count - 1), count) }
    }
}

/// The factors of a square: twice a number, and the number, as `f64`.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) fn doubles(twice_out: &mut [V], out: &mut [V], from: &[V]) {
    let mut at = 0;
    while at < out.len() {
        let once = float(from[at]);
        out[at] = once;
        twice_out[at] = twice(once);
        at += 1;
    }
}

/// The way of accumulators to columns, vector by vector from the lowest.
#[derive(Clone, Copy)]
pub(super) struct Stream {
    /// The accumulators of the next vector: more than a carry, if its products came with the ones below.
    pub(super) next: Single,
    /// The accumulators of the vector before, at each step of the shifting.
    before: [V; 3],
}

impl Stream {
    /// A stream with this carry from below. Unless it starts at the lowest vector, the lanes that the shifted accumulators of
    /// the vector below would reach are wrong in the first vector.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn starting(carry: V) -> Self {
        let zero = splat(0);
        Self { next: [carry, zero, zero, zero, zero], before: [zero; 3] }
    }

    /// The accumulators of the next two vectors, whose columns start at these words.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn sums(&self, [low, high]: [V; 2]) -> Double {
        let ([s0, ..], zero) = (self.next, splat(0));
        [add(s0, low), zero, zero, zero, high, zero, zero, zero, zero]
    }

    /// The accumulators of the next vector, whose columns start at these words.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn sum(&self, start: V) -> Single {
        let [s0, rest @ ..] = self.next;
        let [s1, s2, s3, s4] = rest;
        [add(s0, start), s1, s2, s3, s4]
    }

    /// The columns of these accumulators.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn single(&mut self, [a0, a1, a2, a3, carry]: Single) -> V {
        self.hand_on(carry);
        self.shift([a0, a1, a2, a3])
    }

    /// The columns of these accumulators.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn double(&mut self, sums: Double) -> [V; 2] {
        let [a0, a1, a2, a3, b0, b1, b2, b3, carry] = sums;
        self.hand_on(carry);
        [self.shift([a0, a1, a2, a3]), self.shift([b0, b1, b2, b3])]
    }

    /// The columns of the lower accumulators. The upper ones are kept for the next vector.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn half(&mut self, [a0, a1, a2, a3, next @ ..]: Double) -> V {
        self.next = next;
        self.shift([a0, a1, a2, a3])
    }

    /// Leaves this carry alone for the next vector.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn hand_on(&mut self, carry: V) {
        let zero = splat(0);
        self.next = [carry, zero, zero, zero, zero];
    }

    /// Shifts the accumulators by their lanes, by twos and ones, and adds them.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn shift(&mut self, [a0, a1, a2, a3]: [V; 4]) -> V {
        let [b2, b3, c1] = self.before;
        let d0 = add(a0, up_by_two(a2, b2));
        let d1 = add(a1, up_by_two(a3, b3));
        self.before = [a2, a3, d1];
        add(d0, up_by_one(d1, c1))
    }

    /// The stream of the sums of two at the same place.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn join(self, other: Self) -> Self {
        let ([a, b, c, d, e], [f, g, h]) = (self.next, self.before);
        let ([i, j, k, l, m], [n, o, p]) = (other.next, other.before);
        Self {
            next: [add(a, i), add(b, j), add(c, k), add(d, l), add(e, m)],
            before: [add(f, n), add(g, o), add(h, p)],
        }
    }
}

/// The vector two lanes up, after the vector below it.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn up_by_two(vector: V, below: V) -> V {
    _mm256_permute2x128_si256::<0x21>(below, vector)
}

/// The vector one lane up, after the vector below it.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) fn up_by_one(vector: V, below: V) -> V {
    _mm256_alignr_epi8::<8>(vector, up_by_two(vector, below))
}
