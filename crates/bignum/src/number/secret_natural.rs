//! Secret natural numbers: of a public length, wiped when dropped, constant time.

use alloc::vec::Vec;
use core::fmt;

use crypto_bigint::{BoxedUint, ConcatenatingMul, NonZero, Resize};
use quorate_declassify::{declassify, declassify_slice};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::{Zeroize, Zeroizing};

use super::limbs;
use super::natural::Natural;
use crate::error::Error;

/// A secret natural number below `2^bits`, where `bits` is public.
///
/// Every operation takes time that depends on the public lengths alone. It can't be cloned, printed or compared;
/// [`Self::declassify`] makes it public.
pub struct SecretNatural {
    value: BoxedUint,
    bits: u32,
}

impl Drop for SecretNatural {
    fn drop(&mut self) {
        self.value.zeroize();
    }
}

impl fmt::Debug for SecretNatural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretNatural")
    }
}

impl SecretNatural {
    /// A number that is known to be below `2^bits`.
    pub(crate) fn new(mut value: BoxedUint, bits: u32) -> Self {
        let sized = (&value).resize_unchecked(bits.max(1));
        value.zeroize();
        Self { value: sized, bits }
    }

    pub(crate) fn from_words(value: &[u64], bits: u32) -> Self {
        Self::new(limbs::from_words(value, bits), bits)
    }

    pub(crate) fn to_words(&self, len: usize) -> Zeroizing<Vec<u64>> {
        Zeroizing::new(limbs::to_words(&self.value, len))
    }

    pub(crate) fn as_uint(&self) -> &BoxedUint {
        &self.value
    }

    /// A copy with room for `bits` bits.
    pub(super) fn wide(&self, bits: u32) -> Zeroizing<BoxedUint> {
        Zeroizing::new((&self.value).resize_unchecked(bits.max(1)))
    }

    /// A public number handled as a secret below `2^bits`.
    ///
    /// # Errors
    /// [`Error::ExponentTooLong`] if it is longer than that.
    pub fn classify(value: &Natural, bits: u32) -> Result<Self, Error> {
        if value.bits() > bits {
            return Err(Error::ExponentTooLong);
        }
        Ok(Self::new(value.as_uint().clone(), bits))
    }

    /// The number that big-endian bytes stand for; its bound is their length.
    ///
    /// # Panics
    /// For 2^29 bytes or more, whose number of bits has more than 32 bits: they would be cut.
    #[must_use]
    pub fn from_be_bytes(bytes: &[u8]) -> Self {
        let bits = u32::try_from(bytes.len()).ok().and_then(|length| length.checked_mul(8));
        let Some(bits) = bits else { unreachable!("a number of 2^32 bits or more") };
        Self::new(BoxedUint::from_be_slice_truncated(bytes, bits.max(8)), bits)
    }

    /// The number by a smaller bound, modulo `2^bits`.
    pub(super) fn bounded(&self, bits: u32) -> Self {
        Self::new(self.value.clone(), bits)
    }

    /// Big-endian bytes, in exactly the number that the bound needs.
    #[must_use]
    pub fn to_be_bytes(&self) -> Zeroizing<Vec<u8>> {
        let all = Zeroizing::new(self.value.to_be_bytes().into_vec());
        let len = self.bits.div_ceil(8) as usize;
        Zeroizing::new(all.get(all.len().saturating_sub(len)..).unwrap_or(&all).to_vec())
    }

    /// Makes the number public. Use it only for values that the protocol publishes.
    #[must_use]
    pub fn declassify(&self) -> Natural {
        let mut value = self.value.clone();
        // The caller publishes the number.
        declassify_slice(value.as_mut_words());
        Natural::new(value)
    }

    /// A second secret of this value.
    pub(super) fn duplicate(&self) -> Self {
        Self { value: self.value.clone(), bits: self.bits }
    }

    /// The public bound: the number is below `2^bits`.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns whether the number is zero.
    #[must_use]
    pub fn is_zero(&self) -> Choice {
        Choice::from(self.value.is_zero())
    }

    /// The sum, of a bound longer by one bit than the longer of the two.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        let bits = self.bits.max(other.bits) + 1;
        let mut sum = (&self.value).resize_unchecked(bits);
        sum.wrapping_add_assign(&*other.wide(bits));
        Self { value: sum, bits }
    }

    /// `self - other` and whether that is below zero, in which case the value is `2^k - (other - self)` for some `k`.
    fn overflowing_sub(&self, other: &Self) -> (Zeroizing<BoxedUint>, Choice) {
        let bits = self.bits.max(other.bits).max(1);
        let (difference, borrow) = self.wide(bits).underflowing_sub(&*other.wide(bits));
        (Zeroizing::new(difference), Choice::from(borrow))
    }

    /// `|self - other|` and whether `self < other`.
    #[must_use]
    pub(crate) fn abs_diff(&self, other: &Self) -> (Self, Choice) {
        let (difference, below) = self.overflowing_sub(other);
        let negated = Zeroizing::new(difference.wrapping_neg());
        let chosen = select(&difference, &negated, below);
        (Self::new(chosen, self.bits.max(other.bits)), below)
    }

    /// The product; its bound is the sum of the two.
    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        Self::new(self.value.concatenating_mul(&other.value), self.bits + other.bits)
    }

    /// The product with a public number.
    #[must_use]
    pub fn mul_public(&self, other: &Natural) -> Self {
        Self::new(self.value.concatenating_mul(other.as_uint()), self.bits + other.bits())
    }

    /// Quotient and remainder by a number that is known not to be zero; nothing if it is.
    #[must_use]
    pub(crate) fn div_rem(&self, divisor: &Self) -> Option<(Self, Self)> {
        // Nothing is divided by zero: the caller knows that it is not.
        let divisor_nz = declassify(NonZero::new(divisor.value.clone())).into_option()?;
        let (quotient, remainder) = self.value.div_rem(&divisor_nz);
        let mut divisor_nz = divisor_nz.get();
        divisor_nz.zeroize();
        Some((Self::new(quotient, self.bits), Self::new(remainder, divisor.bits)))
    }
}

/// `b` where `choice`, otherwise `a`; both of one length.
pub(crate) fn select(a: &BoxedUint, b: &BoxedUint, choice: Choice) -> BoxedUint {
    let mut out = a.clone();
    for (x, y) in out.as_mut_words().iter_mut().zip(b.as_words()) {
        x.conditional_assign(y, choice);
    }
    out
}

impl ConstantTimeEq for SecretNatural {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.abs_diff(other).0.is_zero()
    }
}
