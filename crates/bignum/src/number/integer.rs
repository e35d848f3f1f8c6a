//! Public integers: a sign and a magnitude.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::natural::Natural;
use crate::error::Error;

/// A public integer.
#[derive(Clone, Debug)]
pub struct Integer {
    negative: bool,
    magnitude: Natural,
}

impl Integer {
    /// Zero.
    #[must_use]
    pub fn zero() -> Self {
        Self::from(Natural::zero())
    }

    /// The integer of this magnitude, negative where asked for; there is one zero.
    #[must_use]
    pub fn new(negative: bool, magnitude: Natural) -> Self {
        Self { negative: negative && !magnitude.is_zero(), magnitude }
    }

    /// Returns whether the integer is below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// The absolute value.
    #[must_use]
    pub fn magnitude(&self) -> &Natural {
        &self.magnitude
    }

    /// The integer with the other sign.
    #[must_use]
    pub fn neg(&self) -> Self {
        Self::new(!self.negative, self.magnitude.clone())
    }

    /// The sum.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        if self.negative == other.negative {
            return Self::new(self.negative, self.magnitude.add(&other.magnitude));
        }
        match self.magnitude.checked_sub(&other.magnitude) {
            Some(rest) => Self::new(self.negative, rest),
            None => Self::new(
                other.negative,
                other.magnitude.checked_sub(&self.magnitude).unwrap_or_else(Natural::zero),
            ),
        }
    }

    /// The difference.
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        self.add(&other.neg())
    }

    /// The product.
    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        Self::new(self.negative != other.negative, self.magnitude.mul(&other.magnitude))
    }

    /// Returns whether `|self| <= 2^(a - 1)`: the centred set of about `2^a` integers that the paper writes
    /// `±2^a`.
    #[must_use]
    pub fn in_half_range(&self, a: u32) -> bool {
        a > 0 && self.magnitude <= Natural::power_of_two(a - 1)
    }

    /// One byte for the sign (0 or 1), then exactly `len` big-endian bytes of magnitude.
    ///
    /// # Errors
    /// [`Error::Encoding`] if the magnitude does not fit.
    pub fn to_be_bytes(&self, len: usize) -> Result<Vec<u8>, Error> {
        let mut out = self.magnitude.to_be_bytes(len)?;
        out.insert(0, u8::from(self.negative));
        Ok(out)
    }

    /// Reads the output of [`Self::to_be_bytes`]. A negative zero and other sign bytes are refused.
    ///
    /// # Errors
    /// [`Error::Encoding`] if the bytes are not canonical.
    pub fn from_be_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (&sign, magnitude) = bytes.split_first().ok_or(Error::Encoding)?;
        let out = Self { negative: sign == 1, magnitude: Natural::from_be_bytes(magnitude) };
        if sign > 1 || (out.negative && out.magnitude.is_zero()) {
            return Err(Error::Encoding);
        }
        Ok(out)
    }
}

impl From<Natural> for Integer {
    fn from(magnitude: Natural) -> Self {
        Self { negative: false, magnitude }
    }
}

impl PartialEq for Integer {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Integer {}

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.magnitude.cmp(&other.magnitude),
            (true, true) => other.magnitude.cmp(&self.magnitude),
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
        }
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
