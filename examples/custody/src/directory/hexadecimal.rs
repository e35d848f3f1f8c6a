//! Hexadecimal digits, of small letters alone: each string of bytes is written in one way.

/// Bytes of a fixed length.
pub(crate) fn array<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits: Vec<u8> = text.chars().map(digit).collect::<Option<_>>()?;
    let pairs = digits.chunks_exact(2);
    if digits.len() != N.checked_mul(2)? {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(pairs) {
        *byte = pair.iter().fold(0, |sum, digit| sum << 4 | digit);
    }
    Some(bytes)
}

fn digit(c: char) -> Option<u8> {
    let value = c.to_digit(16).filter(|_| !c.is_ascii_uppercase())?;
    u8::try_from(value).ok()
}
