//! Scalars as signed digits.

use zeroize::Zeroizing;

use crate::msm::window;
use crate::{Curve, mask};

/// `D` digits to base 32 and from -16 to 16, the lowest first, of a scalar or its negative.
pub(crate) struct Digits<const D: usize> {
    digits: Zeroizing<[i8; D]>,
    negative: u32,
}

impl<const D: usize> Digits<D> {
    /// The digits of the scalar or its negative, whichever is below 2^255: the orders of the SEC 1 curves are so close
    /// to 2^256 that the top bit says it. The number must be below 2^(5 D - 1).
    pub(crate) fn from_scalar<C: Curve>(scalar: &C::Scalar) -> Self {
        let mut limbs = Zeroizing::new(C::scalar_limbs(scalar));
        let minus = Zeroizing::new(C::scalar_limbs(&-*scalar));
        let [_, _, _, top, ..] = *limbs;
        let mask = mask::if_odd(top >> 63);
        for (limb, minus) in limbs.iter_mut().zip(minus.iter()) {
            *limb ^= mask & (*limb ^ minus);
        }
        let mut digits = Zeroizing::new([0; D]);
        let mut carry = 0;
        for (digit, position) in digits.iter_mut().zip((0..).step_by(5)) {
            let value = i8::try_from(window(&limbs, position, 5)).unwrap_or(0) + carry;
            carry = (value + 16) >> 5;
            *digit = value - (carry << 5);
        }
        let [low, ..] = mask.to_le_bytes();
        Self { digits, negative: u32::from_le_bytes([low; 4]) }
    }

    /// The digit at a position; nothing beyond the end.
    pub(crate) fn at(&self, position: usize) -> i8 {
        self.digits.get(position).copied().unwrap_or(0)
    }

    /// The array of digits.
    pub(crate) fn all(&self) -> &[i8; D] {
        &self.digits
    }

    /// A mask of all ones if the digits are those of the negative, otherwise zero.
    pub(crate) const fn negative(&self) -> u32 {
        self.negative
    }
}
