//! Public natural numbers.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

use crypto_bigint::{BoxedUint, ConcatenatingMul, NonZero, Resize};

use super::limbs;
use crate::error::Error;

/// A public natural number of any size.
///
/// The arithmetic takes variable time. For a secret use [`SecretNatural`](crate::SecretNatural).
#[derive(Clone)]
pub struct Natural(BoxedUint);

impl Natural {
    /// Zero.
    #[must_use]
    pub fn zero() -> Self {
        Self(BoxedUint::zero())
    }

    /// One.
    #[must_use]
    pub fn one() -> Self {
        Self(BoxedUint::one())
    }

    /// `2^exponent`.
    #[must_use]
    pub fn power_of_two(exponent: u32) -> Self {
        Self::one().shl(exponent)
    }

    pub(crate) fn new(value: BoxedUint) -> Self {
        let bits = value.bits_vartime().max(1);
        Self(value.resize_unchecked(bits))
    }

    pub(crate) fn from_words(value: &[u64]) -> Self {
        Self::new(limbs::from_words(value, limbs::bits_vartime(value)))
    }

    pub(crate) fn to_words(&self, len: usize) -> Vec<u64> {
        limbs::to_words(&self.0, len)
    }

    pub(crate) fn as_uint(&self) -> &BoxedUint {
        &self.0
    }

    /// The number with at least `bits` bits of room.
    fn wide(&self, bits: u32) -> BoxedUint {
        self.0.clone().resize_unchecked(bits.max(self.0.bits_precision()))
    }

    /// The number that big-endian bytes stand for; leading zeros are allowed.
    #[must_use]
    pub fn from_be_bytes(bytes: &[u8]) -> Self {
        Self::new(BoxedUint::from_be_slice_vartime(bytes))
    }

    /// Exactly `len` big-endian bytes.
    ///
    /// # Errors
    /// [`Error::Encoding`] if the number does not fit.
    pub fn to_be_bytes(&self, len: usize) -> Result<Vec<u8>, Error> {
        let trimmed = self.0.to_be_bytes_trimmed_vartime();
        let digits = trimmed.strip_prefix(&[0]).unwrap_or(&trimmed);
        let zeros = len.checked_sub(digits.len()).ok_or(Error::Encoding)?;
        let mut out = vec![0; zeros];
        out.extend_from_slice(digits);
        Ok(out)
    }

    /// The length in bits; 0 for zero.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.0.bits_vartime()
    }

    /// The bit at `index`, the lowest being 0.
    #[must_use]
    pub fn bit(&self, index: u32) -> bool {
        index < self.0.bits_precision() && self.0.bit_vartime(index)
    }

    /// Returns whether the number is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.bits() == 0
    }

    /// Returns whether the number is odd.
    #[must_use]
    pub fn is_odd(&self) -> bool {
        self.bit(0)
    }

    /// The sum.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        Self::new(self.0.concatenating_add(&other.0))
    }

    /// The difference, or nothing if it is negative.
    #[must_use]
    pub fn checked_sub(&self, other: &Self) -> Option<Self> {
        if *self < *other {
            return None;
        }
        let bits = self.0.bits_precision().max(other.0.bits_precision());
        Some(Self::new(self.wide(bits).wrapping_sub(other.wide(bits))))
    }

    /// The product.
    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        Self::new(self.0.concatenating_mul(&other.0))
    }

    /// Quotient and remainder, or nothing if the divisor is zero.
    #[must_use]
    pub fn div_rem(&self, divisor: &Self) -> Option<(Self, Self)> {
        let divisor = NonZero::new(divisor.0.clone()).into_option()?;
        let (quotient, remainder) = self.0.div_rem_vartime(&divisor);
        Some((Self::new(quotient), Self::new(remainder)))
    }

    /// The number times `2^shift`.
    #[must_use]
    pub fn shl(&self, shift: u32) -> Self {
        Self::new(self.wide(self.bits().saturating_add(shift)).unbounded_shl_vartime(shift))
    }

    /// The number divided by `2^shift`, rounded down.
    #[must_use]
    pub fn shr(&self, shift: u32) -> Self {
        Self::new(self.0.unbounded_shr_vartime(shift))
    }
}

impl From<u64> for Natural {
    fn from(value: u64) -> Self {
        Self::from_words(&[value])
    }
}

impl PartialEq for Natural {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Natural {}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp_vartime(&other.0)
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Natural(0x{})", self.0.to_string_radix_vartime(16))
    }
}
