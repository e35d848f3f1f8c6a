//! As much of protobuf as canonical messages use. Fields of value zero are absent.

use alloc::vec::Vec;

use crate::error::Malformed;
use crate::time::Time;
use crate::wire::{Reader, wide};

/// The first and the last second that a time stamp of protobuf has: the years 1 to 9999.
const SECONDS: core::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// Wire types, in the low bits of a tag.
pub(crate) const VARINT: u8 = 0;
pub(crate) const FIXED: u8 = 1;
pub(crate) const BYTES: u8 = 2;

pub(crate) const fn tag(field: u8, wire: u8) -> u8 {
    (field << 3) | wire
}

pub(crate) fn put_varint(to: &mut Vec<u8>, mut value: u64) {
    loop {
        let [low, ..] = value.to_le_bytes();
        value >>= 7;
        if value == 0 {
            to.push(low & 0x7f);
            return;
        }
        to.push(low | 0x80);
    }
}

/// A field of type `int64`, `uint32` or `enum`.
pub(crate) fn put_integer(to: &mut Vec<u8>, field: u8, value: i64) {
    if value != 0 {
        to.push(tag(field, VARINT));
        put_varint(to, value.cast_unsigned());
    }
}

/// A field of type `sfixed64`.
pub(crate) fn put_fixed(to: &mut Vec<u8>, field: u8, value: u64) {
    if value != 0 {
        to.push(tag(field, FIXED));
        to.extend_from_slice(&value.to_le_bytes());
    }
}

/// A message, which is present even if it is empty.
pub(crate) fn put_message(to: &mut Vec<u8>, field: u8, message: &[u8]) {
    to.push(tag(field, BYTES));
    put_delimited(to, message);
}

/// A field of type `bytes` or `string`.
pub(crate) fn put_bytes(to: &mut Vec<u8>, field: u8, bytes: &[u8]) {
    if !bytes.is_empty() {
        put_message(to, field, bytes);
    }
}

/// A message behind its length.
pub(crate) fn put_delimited(to: &mut Vec<u8>, message: &[u8]) {
    put_varint(to, wide(message.len()));
    to.extend_from_slice(message);
}

pub(crate) fn put_time(to: &mut Vec<u8>, field: u8, time: Time) {
    let mut message = Vec::new();
    put_integer(&mut message, 1, time.seconds);
    put_integer(&mut message, 2, time.nanoseconds.into());
    put_message(to, field, &message);
}

/// A varint. Longer encodings than the shortest are found by whoever writes it again.
fn varint(reader: &mut Reader<'_>) -> Result<u64, Malformed> {
    let mut value = 0_u64;
    for shift in (0..64).step_by(7) {
        let byte = reader.byte()?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(Malformed("a varint is too long"))
}

pub(crate) fn integer(reader: &mut Reader<'_>, field: u8) -> Result<i64, Malformed> {
    let is_there = reader.next_is(tag(field, VARINT));
    if is_there { Ok(varint(reader)?.cast_signed()) } else { Ok(0) }
}

pub(crate) fn fixed(reader: &mut Reader<'_>, field: u8) -> Result<u64, Malformed> {
    let is_there = reader.next_is(tag(field, FIXED));
    if is_there { Ok(u64::from_le_bytes(reader.array()?)) } else { Ok(0) }
}

pub(crate) fn bytes<'a>(reader: &mut Reader<'a>, field: u8) -> Result<Option<&'a [u8]>, Malformed> {
    let is_there = reader.next_is(tag(field, BYTES));
    if is_there { delimited(reader).map(Some) } else { Ok(None) }
}

pub(crate) fn delimited<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Malformed> {
    let length = usize::try_from(varint(reader)?);
    reader.take(length.map_err(|_| Malformed("a length is too long"))?)
}

pub(crate) fn time(reader: &mut Reader<'_>, field: u8) -> Result<Time, Malformed> {
    let message = bytes(reader, field)?.ok_or(Malformed("it has no time stamp"))?;
    let mut reader = Reader::new(message);
    let (seconds, nanoseconds) = (integer(&mut reader, 1)?, integer(&mut reader, 2)?);
    reader.end()?;
    let nanoseconds = u32::try_from(nanoseconds).map_err(|_| TIME)?;
    check_time(Time { seconds, nanoseconds })
}

const TIME: Malformed = Malformed("the time stamp is out of range");

pub(crate) fn check_time(time: Time) -> Result<Time, Malformed> {
    if SECONDS.contains(&time.seconds) && time.nanoseconds < 1_000_000_000 {
        Ok(time)
    } else {
        Err(TIME)
    }
}

/// Refuses bytes that are not what is written again.
pub(crate) fn check_canonical(read: &[u8], written: &[u8]) -> Result<(), Malformed> {
    if read == written { Ok(()) } else { Err(Malformed("it is not in the canonical encoding")) }
}
