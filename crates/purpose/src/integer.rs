//! Integers as wide as any that is signed: 256 bits and a sign.

use core::cmp::Ordering;
use core::fmt;
use core::str::FromStr;

/// An integer of up to 256 bits and a sign, such as an amount in wei.
///
/// Integers compare with one another, parse and print in decimal, and convert to Rust's integers where they fit.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Integer {
    /// Never of zero.
    negative: bool,
    magnitude: [u8; 32],
}

impl Integer {
    /// Zero.
    pub const ZERO: Self = Self { negative: false, magnitude: [0; 32] };

    /// A number that is not negative, of at most 32 bytes, the highest first.
    #[must_use]
    pub fn from_be_bytes(bytes: &[u8]) -> Option<Self> {
        let mut magnitude = [0; 32];
        let start = magnitude.len().checked_sub(bytes.len())?;
        magnitude.get_mut(start..)?.copy_from_slice(bytes);
        Some(Self { negative: false, magnitude })
    }

    /// The number of 32 bytes in two's complement, the highest first.
    #[must_use]
    pub fn from_twos_complement(bytes: [u8; 32]) -> Self {
        let negative = bytes.first().is_some_and(|first| first & 0x80 != 0);
        Self { negative, magnitude: if negative { negated(bytes) } else { bytes } }
    }

    /// The 32 bytes of two's complement; a number below −2²⁵⁵, or one of 256 bits, has none of the right sign.
    #[must_use]
    pub fn to_twos_complement(&self) -> [u8; 32] {
        if self.negative { negated(self.magnitude) } else { self.magnitude }
    }

    /// The absolute value, the highest byte first.
    #[must_use]
    pub const fn magnitude(&self) -> &[u8; 32] {
        &self.magnitude
    }

    /// Returns whether the integer is below zero.
    #[must_use]
    pub const fn is_negative(&self) -> bool {
        self.negative
    }

    /// How many bits the absolute value has.
    #[must_use]
    pub fn bits(&self) -> u32 {
        let mut bits = 256_u32;
        for byte in self.magnitude {
            if byte != 0 {
                return bits.saturating_sub(byte.leading_zeros());
            }
            bits = bits.saturating_sub(8);
        }
        0
    }

    /// The value, if it is neither negative nor beyond 128 bits.
    #[must_use]
    pub fn to_u128(&self) -> Option<u128> {
        let (high, low) = self.magnitude.split_at_checked(16)?;
        let fits = !self.negative && high.iter().all(|byte| *byte == 0);
        fits.then_some(u128::from_be_bytes(low.try_into().ok()?))
    }

    /// The value, if it has 63 bits and a sign.
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        let (high, low) = self.magnitude.split_last_chunk::<8>()?;
        let value = i128::from(u64::from_be_bytes(*low));
        let value = if self.negative { value.checked_neg()? } else { value };
        if high.iter().all(|byte| *byte == 0) { i64::try_from(value).ok() } else { None }
    }

    fn negative(self) -> Self {
        Self { negative: self != Self::ZERO, ..self }
    }

    /// `self` · 10 + `digit`, if that fits.
    fn push(&mut self, digit: u8) -> Option<()> {
        let mut carry = u16::from(digit);
        for byte in self.magnitude.iter_mut().rev() {
            carry = carry.checked_add(u16::from(*byte).checked_mul(10)?)?;
            let [high, low] = carry.to_be_bytes();
            (*byte, carry) = (low, high.into());
        }
        (carry == 0).then_some(())
    }

    /// Divides a magnitude by ten, and gives the remainder.
    #[expect(clippy::integer_division_remainder_used, reason = "a public value, by a constant")]
    fn pop(magnitude: &mut [u8; 32]) -> u8 {
        let mut rest = 0_u16;
        for byte in magnitude {
            let value = (rest << 8) | u16::from(*byte);
            [*byte, _] = (value / 10).to_le_bytes(); // rest < 10, so it is below 256
            rest = value % 10;
        }
        let [digit, _] = rest.to_le_bytes();
        digit
    }
}

fn negated(bytes: [u8; 32]) -> [u8; 32] {
    let (mut negated, mut carry) = (bytes, true);
    for byte in negated.iter_mut().rev() {
        (*byte, carry) = (!*byte).overflowing_add(u8::from(carry));
    }
    negated
}

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.magnitude.cmp(&other.magnitude),
            (true, true) => other.magnitude.cmp(&self.magnitude),
        }
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut magnitude, mut digits) = (self.magnitude, [b'0'; 78]);
        for digit in digits.iter_mut().rev() {
            *digit = b'0'.saturating_add(Self::pop(&mut magnitude));
        }
        let digits = core::str::from_utf8(&digits).unwrap_or_default().trim_start_matches('0');
        f.pad_integral(!self.negative, "", if digits.is_empty() { "0" } else { digits })
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text is no decimal integer of 256 bits without leading zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseIntegerError;

impl fmt::Display for ParseIntegerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no decimal integer of at most 256 bits without leading zeros")
    }
}

impl core::error::Error for ParseIntegerError {}

impl FromStr for Integer {
    type Err = ParseIntegerError;

    fn from_str(text: &str) -> Result<Self, ParseIntegerError> {
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let is_plain = digits == "0" || !digits.starts_with('0');
        if digits.is_empty() || !is_plain || digits.len() > 78 || (negative && digits == "0") {
            return Err(ParseIntegerError);
        }
        let mut value = Self::ZERO;
        if digits.len() < 20 && digits.bytes().all(|digit| digit.is_ascii_digit()) {
            value = digits.parse::<u64>().map_err(|_| ParseIntegerError)?.into();
            return Ok(if negative { value.negative() } else { value });
        }
        for digit in digits.bytes() {
            let digit = digit.checked_sub(b'0').filter(|digit| *digit < 10);
            value.push(digit.ok_or(ParseIntegerError)?).ok_or(ParseIntegerError)?;
        }
        Ok(if negative { value.negative() } else { value })
    }
}

impl From<u128> for Integer {
    fn from(value: u128) -> Self {
        Self::from_be_bytes(&value.to_be_bytes()).unwrap_or(Self::ZERO)
    }
}

impl From<u64> for Integer {
    fn from(value: u64) -> Self {
        u128::from(value).into()
    }
}

impl From<i64> for Integer {
    fn from(value: i64) -> Self {
        let magnitude = Self::from(value.unsigned_abs());
        if value < 0 { magnitude.negative() } else { magnitude }
    }
}
