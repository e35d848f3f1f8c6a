//! Bitcoin's numbers and lengths, read strictly: each value has one encoding.

use alloc::vec::Vec;

use crate::error::Malformed;
use crate::wire::{Reader, bounded};

const LONG: Malformed = Malformed("a length of Bitcoin is not in its shortest form");

pub(super) fn u32(reader: &mut Reader<'_>) -> Result<u32, Malformed> {
    reader.array().map(u32::from_le_bytes)
}

pub(super) fn u64(reader: &mut Reader<'_>) -> Result<u64, Malformed> {
    reader.array().map(u64::from_le_bytes)
}

/// A `CompactSize`.
pub(super) fn size(reader: &mut Reader<'_>) -> Result<usize, Malformed> {
    let (value, least) = match reader.byte()? {
        0xfd => (u16::from_le_bytes(reader.array()?).into(), 0xfd),
        0xfe => (u32(reader)?.into(), 0x1_0000),
        0xff => (u64(reader)?, 0x1_0000_0000),
        short => return Ok(short.into()),
    };
    if value < least {
        return Err(LONG);
    }
    usize::try_from(value).map_err(|_| LONG)
}

/// Bytes behind their `CompactSize`.
pub(super) fn bytes<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Malformed> {
    let length = size(reader)?;
    reader.take(length)
}

pub(super) fn put_size(to: &mut Vec<u8>, size: usize) {
    if let Ok(short @ 0..=0xfc) = u8::try_from(size) {
        to.push(short);
    } else if let Ok(size) = u16::try_from(size) {
        to.push(0xfd);
        to.extend_from_slice(&size.to_le_bytes());
    } else {
        // Everything in a purpose is shorter than 2³² bytes.
        to.push(0xfe);
        to.extend_from_slice(&bounded::<u32>(size).to_le_bytes());
    }
}

pub(super) fn put_bytes(to: &mut Vec<u8>, bytes: &[u8]) {
    put_size(to, bytes.len());
    to.extend_from_slice(bytes);
}
