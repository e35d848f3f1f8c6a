//! The output of `serialize()`: postcard's encoding of the fields, in their order.

use alloc::vec::Vec;

use quorate_session::wire::Reader;

use super::super::{MigrateError, encoded::Encoded};
use super::package::{FrostCore, Own, Public};
use crate::wire::{point_len, scalar_len};

/// Reads header ‖ number of parties ‖ (identifier ‖ verifying share) of each ‖ verifying key ‖ threshold, if it
/// has one.
pub(super) fn public<F: FrostCore>(stored: &[u8]) -> Result<Public<'_>, MigrateError> {
    let mut reader = header::<F>(stored)?;
    let count = usize::from(varint(&mut reader, "verifying_shares")?);
    let each = scalar_len::<F::Curve>().saturating_add(point_len::<F::Curve>());
    if reader.remaining() < count.saturating_mul(each) {
        return Err(MigrateError::Truncated);
    }
    let mut shares = Vec::with_capacity(count);
    for _ in 0..count {
        shares.push((scalar::<F>(&mut reader)?, point::<F>(&mut reader)?));
    }
    let verifying_key = point::<F>(&mut reader)?;
    // An `Option`, which frost-core omits if it is `None`.
    let min_signers = match reader.u8() {
        Ok(1) => Some(varint(&mut reader, "min_signers")?),
        Ok(0) | Err(_) => None,
        Ok(_) => return Err(MigrateError::BadNumber("min_signers")),
    };
    reader.finish().map_err(|_| MigrateError::TrailingBytes)?;
    Ok(Public { shares, verifying_key, min_signers })
}

/// header ‖ identifier ‖ signing share ‖ verifying share ‖ verifying key ‖ threshold.
pub(super) fn own<F: FrostCore>(stored: &[u8]) -> Result<Own<'_>, MigrateError> {
    let mut reader = header::<F>(stored)?;
    let package = Own {
        identifier: scalar::<F>(&mut reader)?,
        signing_share: scalar::<F>(&mut reader)?,
        verifying_share: point::<F>(&mut reader)?,
        verifying_key: point::<F>(&mut reader)?,
        min_signers: varint(&mut reader, "min_signers")?,
    };
    reader.finish().map_err(|_| MigrateError::TrailingBytes)?;
    Ok(package)
}

/// version (1) ‖ CRC-32 of the ciphersuite's name (4).
fn header<F: FrostCore>(stored: &[u8]) -> Result<Reader<'_>, MigrateError> {
    let mut reader = Reader::new(stored);
    match reader.u8().map_err(truncated)? {
        0 => {}
        found => return Err(MigrateError::UnknownVersion(found.into())),
    }
    if reader.u32().map_err(truncated)? != crc32(F::CIPHERSUITE.as_bytes()) {
        return Err(MigrateError::WrongSuite { expected: F::CIPHERSUITE });
    }
    Ok(reader)
}

fn scalar<'a, F: FrostCore>(reader: &mut Reader<'a>) -> Result<Encoded<'a>, MigrateError> {
    reader.bytes(scalar_len::<F::Curve>()).map(Encoded::Bytes).map_err(truncated)
}

fn point<'a, F: FrostCore>(reader: &mut Reader<'a>) -> Result<Encoded<'a>, MigrateError> {
    reader.bytes(point_len::<F::Curve>()).map(Encoded::Bytes).map_err(truncated)
}

/// Reads seven bits from each byte, the lowest first. The high bit means that more follow. Only the shortest form
/// is accepted.
fn varint(reader: &mut Reader<'_>, field: &'static str) -> Result<u16, MigrateError> {
    let mut value = 0_u32;
    for shift in [0_u32, 7, 14] {
        let byte = u32::from(reader.u8().map_err(truncated)?);
        value |= (byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            let shortest = byte != 0 || shift == 0;
            let value = u16::try_from(value).ok().filter(|_| shortest);
            return value.ok_or(MigrateError::BadNumber(field));
        }
    }
    Err(MigrateError::BadNumber(field))
}

/// CRC-32 of ISO-HDLC, as in zip: polynomial 0x04c11db7, reflected, with all ones before and after.
fn crc32(bytes: &[u8]) -> u32 {
    let one = |crc: u32, _| (crc >> 1) ^ (0xedb8_8320 & 0_u32.wrapping_sub(crc & 1));
    !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), one))
}

fn truncated<E>(_: E) -> MigrateError {
    MigrateError::Truncated
}
