//! Scalars, points and party numbers, as bytes or in hexadecimal digits.

use alloc::vec::Vec;

use quorate_curve::{Curve, Secret};
use quorate_declassify::declassify;
use quorate_session::PartyId;
use zeroize::Zeroizing;

use super::MigrateError;
use crate::wire::{point_len, scalar_len};

/// The encoding of a number or a point, where it stands in the file.
#[derive(Clone, Copy)]
pub(super) enum Encoded<'a> {
    Bytes(&'a [u8]),
    /// Two digits for each byte, of either case.
    Hex(&'a [u8]),
}

impl Encoded<'_> {
    /// Passes the bytes to `read`, if there are `length` of them. Bytes that were decoded from digits are wiped.
    fn read<T>(self, length: usize, read: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
        match self {
            Self::Bytes(bytes) if bytes.len() == length => read(bytes),
            Self::Hex(digits) if digits.len() == length * 2 => read(&from_hex(digits)?),
            _ => None,
        }
    }

    pub(super) fn array<const N: usize>(self) -> Option<[u8; N]> {
        self.read(N, |bytes| bytes.try_into().ok())
    }

    pub(super) fn point<C: Curve>(self, field: &'static str) -> Result<C::Point, MigrateError> {
        self.read(point_len::<C>(), C::decode_point).ok_or(MigrateError::BadPoint(field))
    }

    pub(super) fn secret<C: Curve>(
        self,
        field: &'static str,
    ) -> Result<Secret<C::Scalar>, MigrateError> {
        self.read(scalar_len::<C>(), |bytes| Secret::try_make(|| C::decode_scalar(bytes)))
            .ok_or(MigrateError::BadScalar(field))
    }

    /// A scalar that is the number of a party.
    pub(super) fn party<C: Curve>(self, field: &'static str) -> Result<PartyId, MigrateError> {
        let number = |bytes: &[u8]| {
            let scalar = C::decode_scalar(bytes)?;
            // The low end of the encoding, in either byte order.
            let ends = [
                bytes.first_chunk().copied().map(u16::from_le_bytes),
                bytes.last_chunk().copied().map(u16::from_be_bytes),
            ];
            let is_it = |number: &u16| C::Scalar::from(u64::from(*number)) == scalar;
            Some(ends.into_iter().flatten().find(is_it))
        };
        let found = self.read(scalar_len::<C>(), number).ok_or(MigrateError::BadScalar(field))?;
        found.and_then(PartyId::new).ok_or(MigrateError::BadIdentifier)
    }
}

/// The bytes of hexadecimal digits. The time depends only on their number, and on whether all are digits.
fn from_hex(digits: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let (pairs, []) = digits.as_chunks::<2>() else { return None };
    let mut bytes = Zeroizing::new(Vec::with_capacity(pairs.len()));
    let mut valid = -1;
    for [high, low] in pairs {
        let ((high, is_high), (low, is_low)) = (digit(*high), digit(*low));
        valid &= is_high & is_low;
        let [byte, _] = (high << 4 | low).to_le_bytes();
        bytes.push(byte);
    }
    (declassify(valid) == -1).then_some(bytes)
}

/// The value of a digit, or 0 if it is not one, and −1 if it is a digit, else 0.
const fn digit(character: u8) -> (i16, i16) {
    let character = character as i16;
    let [number, upper, lower] = [
        within(character, b'0', b'9'),
        within(character, b'A', b'F'),
        within(character, b'a', b'f'),
    ];
    let value = (number & (character - b'0' as i16))
        | (upper & (character - b'A' as i16 + 10))
        | (lower & (character - b'a' as i16 + 10));
    (value, number | upper | lower)
}

/// −1 if `low <= character <= high`, else 0. Both differences are negative in that case only.
const fn within(character: i16, low: u8, high: u8) -> i16 {
    let (low, high) = (low as i16, high as i16);
    ((low - 1 - character) & (character - high - 1)) >> 15
}
