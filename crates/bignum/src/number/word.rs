//! One word with its carry, in constant time. The standard library has these operations since Rust 1.91, later than the
//! kernels' intrinsics; the compiler makes the same instructions of both.

/// Arithmetic of words that are parts of a longer number.
pub(crate) trait Carry: Sized {
    /// `self + other + carry`, and the carry out of it.
    fn add_carry(self, other: Self, carry: bool) -> (Self, bool);
    /// `self - other - borrow`, and whether it borrowed.
    fn sub_borrow(self, other: Self, borrow: bool) -> (Self, bool);
    /// `self * factor + addend`: the low word and the high word.
    fn mul_carry(self, factor: Self, addend: Self) -> (Self, Self);
    /// `self * factor + addend + other`: the low word and the high word.
    fn mul_add_carry(self, factor: Self, addend: Self, other: Self) -> (Self, Self);
}

impl Carry for u64 {
    #[inline(always)]
    fn add_carry(self, other: Self, carry: bool) -> (Self, bool) {
        let (sum, first) = self.overflowing_add(other);
        let (sum, second) = sum.overflowing_add(Self::from(carry));
        (sum, first | second)
    }

    #[inline(always)]
    fn sub_borrow(self, other: Self, borrow: bool) -> (Self, bool) {
        let (difference, first) = self.overflowing_sub(other);
        let (difference, second) = difference.overflowing_sub(Self::from(borrow));
        (difference, first | second)
    }

    #[inline(always)]
    fn mul_carry(self, factor: Self, addend: Self) -> (Self, Self) {
        self.mul_add_carry(factor, addend, 0)
    }

    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "the halves of a double word")]
    fn mul_add_carry(self, factor: Self, addend: Self, other: Self) -> (Self, Self) {
        // (2^64 - 1)^2 + 2 (2^64 - 1) = 2^128 - 1: nothing is lost.
        let wide = u128::from(self) * u128::from(factor) + u128::from(addend) + u128::from(other);
        (wide as Self, (wide >> 64) as Self)
    }
}

/// The inverse of an odd word modulo `2^64`, by Newton's iteration: if `n x = 1 - e`, then `n x (2 - n x) = 1 - e^2`, so
/// each step doubles the bits that are right. Constant time.
pub(crate) fn inverse_word(n: u64) -> u64 {
    let mut x = n.wrapping_mul(3) ^ 2; // right to 5 bits
    for _ in 0..4 {
        x = x.wrapping_mul(2u64.wrapping_sub(n.wrapping_mul(x)));
    }
    x
}

#[cfg(test)]
mod tests {
    use super::Carry;

    const EDGES: [u64; 6] = [0, 1, 2, 1 << 63, u64::MAX - 1, u64::MAX];

    #[test]
    fn as_wider_numbers_have_it() {
        for a in EDGES {
            for b in EDGES {
                for carry in [false, true] {
                    let (low, high) = a.add_carry(b, carry);
                    let wide = u128::from(a) + u128::from(b) + u128::from(carry);
                    assert_eq!(u128::from(high) << 64 | u128::from(low), wide);
                    let (low, borrow) = a.sub_borrow(b, carry);
                    let wide = i128::from(a) - i128::from(b) - i128::from(carry);
                    assert_eq!(i128::from(low) - (i128::from(borrow) << 64), wide);
                }
                for c in EDGES {
                    for d in EDGES {
                        let (low, high) = a.mul_add_carry(b, c, d);
                        let wide = u128::from(low) | u128::from(high) << 64;
                        let rest = wide - u128::from(c) - u128::from(d);
                        assert_eq!(rest, u128::from(a) * u128::from(b));
                    }
                    assert_eq!(a.mul_carry(b, c), a.mul_add_carry(b, c, 0));
                }
            }
        }
    }
}
