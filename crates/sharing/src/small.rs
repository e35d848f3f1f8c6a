//! Numbers modulo the group order times one-word numbers: the kernel under polynomials and Lagrange
//! coefficients.
//!
//! A number is `L` limbs of 64 bits and a few bits above them. One step is `acc ← (acc·y + Σ
//! aⱼ·xʲ)/2⁶⁴`, the division being Montgomery's: add the multiple of the order q that clears the
//! lowest limb, then drop the limb. Its cost is that of L word products for each aⱼ, for `acc` and
//! for q, whereas one product of two scalars costs 2L² of them.
//!
//! # Bounds
//! Let y = xᵏ ≤ 2⁶³ with k ≤ 63 and aⱼ < q, j = 0..k. Then Σ xʲ ≤ y for x ≥ 2 and Σ xʲ ≤ 63 for x =
//! 1: at most 2⁶³. A step takes acc < 3q to less than (3q·2⁶³ + q·2⁶³ + 2⁶⁴·q)/2⁶⁴ = 3q. So `acc`
//! stays below 3q for ever, and what stands above its L limbs is at most 2. A column, the sum of
//! the word products for one limb, is at most (2⁶⁴ − 1)·(y + Σ xʲ) ≤ (2⁶⁴ − 1)·2⁶⁴, and with the
//! carry from the column below still less than 2¹²⁸: no carry is lost within a column.

use quorate_curve::Curve;
use zeroize::Zeroize;

/// The largest multiplier of a step.
const MAX_MULTIPLIER: u64 = 1 << 63;

/// The number of factors up to `largest` whose product always fits a multiplier of a step: at least
/// 3, and at most 63.
pub(crate) fn in_one_word(largest: u16) -> usize {
    let mut product = 1u64;
    let fits = |_: &u8| {
        product = product.saturating_mul(u64::from(largest));
        product <= MAX_MULTIPLIER
    };
    (0..63).take_while(fits).count()
}

/// 2⁶⁴.
pub(crate) fn two_to_64<C: Curve>() -> C::Scalar {
    let half = C::Scalar::from(1 << 32);
    half * half
}

/// The low word.
#[allow(clippy::cast_possible_truncation, reason = "the low word is what is asked for")]
pub(crate) const fn low(value: u128) -> u64 {
    value as u64
}

/// The word above the low one.
const fn high(value: u128) -> u128 {
    value >> 64
}

const fn mul(a: u64, b: u64) -> u128 {
    a as u128 * b as u128
}

/// A number below 3q.
#[derive(Clone, Copy)]
pub(crate) struct Number<const L: usize> {
    low: [u64; L],
    top: u64,
}

impl<const L: usize> Number<L> {
    pub(crate) const ZERO: Self = Self { low: [0; L], top: 0 };

    /// A number of L limbs below q, as `Curve::scalar_limbs` gives it.
    pub(crate) fn new(limbs: &[u64; 8]) -> Self {
        Self { low: first(limbs), top: 0 }
    }
}

impl<const L: usize> Zeroize for Number<L> {
    fn zeroize(&mut self) {
        self.low.zeroize();
        self.top.zeroize();
    }
}

/// The first L limbs (L is at most 8).
pub(crate) fn first<const L: usize>(limbs: &[u64; 8]) -> [u64; L] {
    let mut first = [0; L];
    first.copy_from_slice(limbs.split_at(L).0);
    first
}

/// The order q of a group, prepared for steps.
#[derive(Clone, Copy)]
pub(crate) struct Modulus<const L: usize> {
    order: [u64; L],
    /// −1/q modulo 2⁶⁴.
    negative_inverse: u64,
}

impl<const L: usize> Modulus<L> {
    /// `None` if the order does not have L limbs, or is even.
    pub(crate) fn new(order: &[u64]) -> Option<Self> {
        let order = <[u64; L]>::try_from(order).ok()?;
        let lowest = order.first().copied().filter(|limb| limb & 1 == 1)?;
        // Newton: an odd number is its own inverse modulo 8, and each round doubles the bits: 3, 6,
        // …, 96.
        let inverse = (0..5).fold(lowest, |inverse, _| {
            inverse.wrapping_mul(2u64.wrapping_sub(lowest.wrapping_mul(inverse)))
        });
        Some(Self { order, negative_inverse: inverse.wrapping_neg() })
    }

    /// `acc·y/2⁶⁴`, for y ≤ 2⁶³.
    #[inline(always)]
    pub(crate) fn scale(&self, acc: &Number<L>, y: u64) -> Number<L> {
        self.reduce(acc.low.map(|limb| mul(limb, y)), mul(acc.top, y))
    }

    /// `(acc·y + Σ aⱼ·powersⱼ)/2⁶⁴` over the shorter of the two lists, under the bounds above.
    #[inline(always)]
    pub(crate) fn step(
        &self,
        acc: &Number<L>,
        y: u64,
        numbers: &[[u64; L]],
        powers: &[u64],
    ) -> Number<L> {
        let mut columns = acc.low.map(|limb| mul(limb, y));
        for (number, power) in numbers.iter().zip(powers) {
            for (column, limb) in columns.iter_mut().zip(number) {
                *column += mul(*limb, *power);
            }
        }
        self.reduce(columns, mul(acc.top, y))
    }

    /// Carries the columns into limbs, then Montgomery's division by 2⁶⁴.
    #[inline(always)]
    fn reduce(&self, columns: [u128; L], top: u128) -> Number<L> {
        let mut carry = 0u128;
        let limbs = columns.map(|column| {
            let sum = column + carry;
            carry = high(sum);
            low(sum)
        });
        let top = top + carry;
        let lowest = limbs.first().copied().unwrap_or_default();
        let factor = lowest.wrapping_mul(self.negative_inverse);
        let mut carry = 0u128;
        let mut out = [0u64; L];
        // The lowest limb becomes zero by the choice of the factor, so each sum moves down by one
        // place. A turn never overwrites what it wrote at place i, and the first sum is dropped.
        let mut sums = limbs.iter().zip(&self.order).map(|(limb, order)| {
            let sum = mul(factor, *order) + u128::from(*limb) + carry;
            carry = high(sum);
            low(sum)
        });
        let _zero = sums.next();
        out.iter_mut().zip(&mut sums).for_each(|(to, sum)| *to = sum);
        let sum = top + carry;
        if let Some(last) = out.last_mut() {
            *last = low(sum);
        }
        Number { low: out, top: low(high(sum)) }
    }

    /// The remainder of a number below 3q, in the form that `Curve::scalar_from_limbs` takes.
    /// Constant time.
    pub(crate) fn canonical(&self, number: &Number<L>) -> [u64; 8] {
        let mut reduced = *number;
        for _ in 0..2 {
            reduced = self.subtract_once(&reduced);
        }
        let mut limbs = [0; 8];
        limbs.split_at_mut(L).0.copy_from_slice(&reduced.low);
        reduced.zeroize();
        limbs
    }

    /// `number − q` if that is not negative.
    fn subtract_once(&self, number: &Number<L>) -> Number<L> {
        let mut borrow = false;
        let mut difference = [0u64; L];
        for ((to, limb), order) in difference.iter_mut().zip(&number.low).zip(&self.order) {
            let (partial, first) = limb.overflowing_sub(*order);
            let (result, second) = partial.overflowing_sub(u64::from(borrow));
            *to = result;
            borrow = first | second;
        }
        let (top, negative) = number.top.overflowing_sub(u64::from(borrow));
        // Kept opaque, so that the choice below stays arithmetic.
        let keep = core::hint::black_box(u64::from(negative).wrapping_neg());
        let mut low = [0u64; L];
        for ((to, old), new) in low.iter_mut().zip(&number.low).zip(&difference) {
            *to = (old & keep) | (new & !keep);
        }
        Number { low, top: (number.top & keep) | (top & !keep) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest inputs that the bounds allow, on the largest orders: additions of columns are
    /// checked in tests.
    #[test]
    fn steps_stay_below_three_orders() {
        fn check<const L: usize>(order: [u64; L]) {
            let modulus = Modulus::<L>::new(&order).unwrap();
            let mut largest = order;
            largest[0] -= 1;
            let mut acc = Number::ZERO;
            for _ in 0..200 {
                // x = 2: powers 1, 2, …, 2⁶² with y = 2⁶³.
                let powers: Vec<u64> = (0..63).map(|shift| 1 << shift).collect();
                acc = modulus.step(&acc, MAX_MULTIPLIER, &[largest; 63], &powers);
                assert!(acc.top <= 2);
                let twice = modulus.subtract_once(&modulus.subtract_once(&acc));
                let thrice = modulus.subtract_once(&twice);
                assert!(
                    twice.low == thrice.low && twice.top == 0,
                    "not reduced by two subtractions"
                );
            }
        }
        check([u64::MAX; 4]);
        check([u64::MAX; 7]);
        check([1, 0, 0, 1 << 60]);
    }

    #[test]
    fn even_and_wrong_lengths_are_refused() {
        assert!(Modulus::<4>::new(&[2, 0, 0, 1]).is_none());
        assert!(Modulus::<4>::new(&[1, 0, 1]).is_none());
    }

    use alloc::vec::Vec;
}
