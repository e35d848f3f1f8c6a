//! DER (X.690), as much of it as keys and signatures need.

use crate::failure::Failure;

const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
pub(super) const OBJECT_IDENTIFIER: u8 = 0x06;
const SEQUENCE: u8 = 0x30;

/// A signature of ECDSA as a SEQUENCE of two INTEGERs (RFC 3279), from r ‖ s.
///
/// # Errors
/// [`Failure::Broken`] unless r and s have the same length, of 1 to 66 bytes each.
pub fn ecdsa_signature(fixed: &[u8]) -> Result<Vec<u8>, Failure> {
    let (r, s) = super::ec::halves(fixed)?;
    Ok(sequence(&[integer(r), integer(s)]))
}

/// A positive INTEGER, from big-endian bytes.
#[must_use]
pub fn integer(bytes: &[u8]) -> Vec<u8> {
    value(INTEGER, &positive(bytes))
}

/// A SEQUENCE of what is encoded already.
#[must_use]
pub fn sequence(parts: &[Vec<u8>]) -> Vec<u8> {
    value(SEQUENCE, &parts.concat())
}

/// A BIT STRING of whole bytes.
#[must_use]
pub fn bit_string(bytes: &[u8]) -> Vec<u8> {
    value(BIT_STRING, &[&[0], bytes].concat())
}

/// The shortest two's complement of a positive number, which SSH and DER share.
pub(super) fn positive(bytes: &[u8]) -> Vec<u8> {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let digits = bytes.get(zeros..).unwrap_or_default();
    let sign: &[u8] = if digits.first().is_none_or(|first| *first >= 0x80) { &[0] } else { &[] };
    [sign, digits].concat()
}

pub(super) fn value(tag: u8, content: &[u8]) -> Vec<u8> {
    let big_endian = content.len().to_be_bytes();
    let zeros = big_endian.iter().take_while(|byte| **byte == 0).count();
    let digits = big_endian.get(zeros..).unwrap_or_default();
    let length = match digits {
        [] => vec![0],
        [one @ 0..0x80] => vec![*one],
        // A usize has at most eight digits of a byte.
        many => [&[0x80 | u8::try_from(many.len()).unwrap_or_default()], many].concat(),
    };
    [&[tag], length.as_slice(), content].concat()
}
