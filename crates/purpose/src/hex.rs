//! Hexadecimal texts with `0x`, as JSON for Ethereum has them.

use alloc::vec::Vec;

use crate::error::Malformed;

const HEX: Malformed = Malformed("a text is not hexadecimal");

/// The bytes of a text with an even number of digits.
pub(crate) fn decode(text: &str) -> Result<Vec<u8>, Malformed> {
    let digits = text.strip_prefix("0x").ok_or(HEX)?.as_bytes();
    let (pairs, []) = digits.as_chunks::<2>() else { return Err(HEX) };
    pairs
        .iter()
        .map(|[high, low]| Some((digit(*high)? << 4) | digit(*low)?))
        .collect::<Option<_>>()
        .ok_or(HEX)
}

fn digit(digit: u8) -> Option<u8> {
    let value = char::from(digit).to_digit(16)?;
    u8::try_from(value).ok()
}
