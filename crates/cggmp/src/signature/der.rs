//! `ECDSA-Sig-Value ::= SEQUENCE { r INTEGER, s INTEGER }` (RFC 3279, section 2.2.3) in DER (X.690):
//! the form of X.509, TLS and OpenSSL. There is one encoding for each signature, and no other is read.

use alloc::vec::Vec;

use super::{S, Signature};
use crate::wire::SCALAR;
use crate::{DecodeError, EcdsaCurve};

const SEQUENCE: u8 = 0x30;
const INTEGER: u8 = 0x02;
/// The longest body: two numbers of 256 bits, each with a tag, a length and a zero before it.
const LONGEST: usize = 2 * (2 + 1 + SCALAR);

impl<C: EcdsaCurve> Signature<C> {
    /// The DER encoding, 8 to 71 bytes, mostly 70 or 71.
    #[must_use]
    pub fn to_der(&self) -> Vec<u8> {
        let mut body = Vec::with_capacity(LONGEST);
        put(&mut body, &C::encode_scalar(&self.r));
        put(&mut body, &C::encode_scalar(&self.s));
        let mut der = Vec::with_capacity(body.len() + 2);
        der.extend_from_slice(&[SEQUENCE, short(body.len())]);
        der.append(&mut body);
        der
    }

    /// Reads the DER encoding, strictly. The recovery id is not known afterwards.
    ///
    /// # Errors
    /// [`DecodeError::BadDer`] for anything but the one encoding of two numbers,
    /// [`DecodeError::BadScalar`] for a number that is zero or not below the order,
    /// [`DecodeError::HighS`] for an s above half the order.
    pub fn from_der(der: &[u8]) -> Result<Self, DecodeError> {
        let [r, s] = read(der)?;
        Self::of_numbers(&r, &s, S::Low)
    }

    /// Reads the DER encoding as verifiers without a rule about s do, OpenSSL among them: an s
    /// above half the order is replaced by −s, which is valid for the same message and key.
    ///
    /// # Errors
    /// [`DecodeError::BadDer`] for anything but the one encoding of two numbers,
    /// [`DecodeError::BadScalar`] for a number that is zero or not below the order.
    pub fn from_der_either_s(der: &[u8]) -> Result<Self, DecodeError> {
        let [r, s] = read(der)?;
        Self::of_numbers(&r, &s, S::Either)
    }
}

/// A length below 128, in the one byte that DER gives it. All elements here are of a few numbers of 32 bytes.
pub(super) fn short(length: usize) -> u8 {
    quorate_session::wire::bounded(length)
}

/// Appends a positive number in its shortest form: a zero comes first if the top bit is set.
fn put(body: &mut Vec<u8>, number: &[u8; SCALAR]) {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    let digits = number.iter().skip(zeros);
    let pad = digits.clone().next().is_none_or(|top| top & 0x80 != 0);
    body.extend([INTEGER, short(digits.len() + usize::from(pad))]);
    body.extend(pad.then_some(0));
    body.extend(digits);
}

/// The two numbers, big-endian, filled up with zeros.
fn read(der: &[u8]) -> Result<[[u8; SCALAR]; 2], DecodeError> {
    let body = contents(der, SEQUENCE, "expected a SEQUENCE of two INTEGERs")?;
    let (r, rest) = integer(body)?;
    let (s, rest) = integer(rest)?;
    if !rest.is_empty() {
        return Err(DecodeError::BadDer("expected two INTEGERs, got more"));
    }
    Ok([r, s])
}

/// The content of an element with this tag, which is all that there is.
pub(super) fn contents<'d>(
    der: &'d [u8],
    tag: u8,
    expected: &'static str,
) -> Result<&'d [u8], DecodeError> {
    match der {
        [found, length, body @ ..] if *found == tag => {
            if *length < 0x80 && usize::from(*length) == body.len() {
                Ok(body)
            } else {
                Err(DecodeError::BadDer("expected the length of what follows, in one byte"))
            }
        }
        _ => Err(DecodeError::BadDer(expected)),
    }
}

fn integer(bytes: &[u8]) -> Result<([u8; SCALAR], &[u8]), DecodeError> {
    let [INTEGER, length, rest @ ..] = bytes else {
        return Err(DecodeError::BadDer("expected an INTEGER"));
    };
    // A length of 128 or more says how many bytes of length follow: more than any number here has.
    let (digits, rest) = rest
        .split_at_checked((*length).into())
        .ok_or(DecodeError::BadDer("expected an INTEGER that fits into what holds it"))?;
    let digits = match digits {
        [] => return Err(DecodeError::BadDer("expected a number, got an empty INTEGER")),
        [0x80..=0xff, ..] => return Err(DecodeError::BadDer("expected a positive number")),
        [0, 0..0x80, ..] => {
            return Err(DecodeError::BadDer("expected the shortest form of a number"));
        }
        [0, digits @ ..] | digits => digits,
    };
    let mut number = [0; SCALAR];
    let place = SCALAR.checked_sub(digits.len()).and_then(|pad| number.get_mut(pad..));
    place.ok_or(DecodeError::BadScalar)?.copy_from_slice(digits);
    Ok((number, rest))
}
