//! Secret integers: a secret sign and a secret natural number.

use alloc::vec::Vec;
use core::fmt;

use quorate_declassify::declassify;
use subtle::Choice;
use zeroize::Zeroizing;

use super::integer::Integer;
use super::secret_natural::{SecretNatural, select};
use crate::error::Error;

/// A secret integer: a secret sign and a secret magnitude below a public bound.
///
/// As with [`SecretNatural`], the time of every operation shows only the bounds.
pub struct SecretInteger {
    negative: Choice,
    magnitude: SecretNatural,
}

impl fmt::Debug for SecretInteger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretInteger")
    }
}

impl From<SecretNatural> for SecretInteger {
    fn from(magnitude: SecretNatural) -> Self {
        Self { negative: Choice::from(0), magnitude }
    }
}

impl SecretInteger {
    /// The integer of this magnitude, negative where `negative`.
    #[must_use]
    pub fn new(negative: Choice, magnitude: SecretNatural) -> Self {
        Self { negative, magnitude }
    }

    /// A public integer handled as a secret of magnitude below `2^bits`.
    ///
    /// # Errors
    /// [`Error::ExponentTooLong`] if it is longer than that.
    pub fn classify(value: &Integer, bits: u32) -> Result<Self, Error> {
        let negative = Choice::from(u8::from(value.is_negative()));
        Ok(Self { negative, magnitude: SecretNatural::classify(value.magnitude(), bits)? })
    }

    /// The public bound: the magnitude is below `2^bits`.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.magnitude.bits()
    }

    /// Returns whether the integer is below zero (or a zero that was reached from below).
    #[must_use]
    pub fn is_negative(&self) -> Choice {
        self.negative
    }

    /// The absolute value.
    #[must_use]
    pub fn magnitude(&self) -> &SecretNatural {
        &self.magnitude
    }

    /// Encodes the integer, as secret bytes: sign (1) ‖ bound in bits (4) ‖ big-endian bytes, in the number that
    /// the bound needs.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let magnitude = self.magnitude.to_be_bytes();
        let mut bytes = Zeroizing::new(Vec::with_capacity(magnitude.len() + 5));
        bytes.push(self.negative.unwrap_u8());
        bytes.extend_from_slice(&self.bits().to_be_bytes());
        bytes.extend_from_slice(&magnitude);
        bytes
    }

    /// Reads an integer from the front of `bytes`, in the form of [`Self::to_bytes`], and returns it with the rest.
    /// `None` if `bytes` end before it does; its length is the only thing that is checked, since such bytes come out of
    /// a seal. Constant time in the number.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let ([sign, bits @ ..], rest) = bytes.split_first_chunk::<5>()?;
        let bits = u32::from_be_bytes(*bits);
        let (magnitude, rest) = rest.split_at_checked(bits.div_ceil(8) as usize)?;
        let magnitude = SecretNatural::from_be_bytes(magnitude).bounded(bits);
        Some((Self { negative: Choice::from(sign & 1), magnitude }, rest))
    }

    /// The integer with the other sign.
    #[must_use]
    pub fn neg(&self) -> Self {
        Self { negative: !self.negative, magnitude: self.magnitude.duplicate() }
    }

    /// The sum; its bound is longer by one bit than the longer of the two.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        let sum = self.magnitude.add(&other.magnitude);
        let (difference, below) = self.magnitude.abs_diff(&other.magnitude);
        let differ = self.negative ^ other.negative;
        let wide = difference.wide(sum.bits());
        let magnitude = SecretNatural::new(select(sum.as_uint(), &wide, differ), sum.bits());
        // Of two signs, the difference takes that of the larger magnitude.
        let negative = self.negative ^ (differ & below);
        Self { negative, magnitude }
    }

    /// The product; its bound is the sum of the two.
    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        Self {
            negative: self.negative ^ other.negative,
            magnitude: self.magnitude.mul(&other.magnitude),
        }
    }

    /// The product with a public integer.
    #[must_use]
    pub fn mul_public(&self, other: &Integer) -> Self {
        let negative = self.negative ^ Choice::from(u8::from(other.is_negative()));
        Self { negative, magnitude: self.magnitude.mul_public(other.magnitude()) }
    }

    /// Makes the integer public. Use it only for values that the protocol publishes.
    #[must_use]
    pub fn declassify(&self) -> Integer {
        // The caller publishes the sign as well.
        Integer::new(declassify(bool::from(self.negative)), self.magnitude.declassify())
    }
}
