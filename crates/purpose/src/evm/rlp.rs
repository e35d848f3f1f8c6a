//! RLP, read strictly: each value has one encoding.

use alloc::vec::Vec;

use crate::error::Malformed;
use crate::integer::Integer;
use crate::wire::{Reader, bounded};

const LONG: Malformed = Malformed("a length of RLP is not in its shortest form");

/// An item: its content, and whether that is a list.
fn item<'a>(reader: &mut Reader<'a>) -> Result<(&'a [u8], bool), Malformed> {
    let first = reader.byte()?;
    let is_list = first >= 0xc0;
    if first < 0x80 {
        return Err(Malformed("RLP has a byte where a list belongs")); // `string` has taken single bytes
    }
    let short = first.saturating_sub(if is_list { 0xc0 } else { 0x80 });
    let length = match short {
        0..=55 => usize::from(short),
        _ => {
            let bytes = reader.take(short.saturating_sub(55).into())?;
            let length = Integer::from_be_bytes(bytes).and_then(|length| length.to_u128());
            let length = length.and_then(|length| usize::try_from(length).ok()).ok_or(LONG)?;
            if length <= 55 || bytes.first() == Some(&0) {
                return Err(LONG);
            }
            length
        }
    };
    Ok((reader.take(length)?, is_list))
}

/// A list.
pub(crate) fn list<'a>(reader: &mut Reader<'a>) -> Result<Reader<'a>, Malformed> {
    match item(reader)? {
        (content, true) => Ok(Reader::new(content)),
        _ => Err(Malformed("RLP has a string where a list belongs")),
    }
}

/// A string.
pub(crate) fn string<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Malformed> {
    if let Some(single) = reader.next_below(0x80) {
        return Ok(single);
    }
    match item(reader)? {
        ([single], false) if *single < 0x80 => Err(LONG),
        (content, false) => Ok(content),
        _ => Err(Malformed("RLP has a list where a string belongs")),
    }
}

/// An integer of at most 256 bits, without leading zeros.
pub(crate) fn integer(reader: &mut Reader<'_>) -> Result<Integer, Malformed> {
    let bytes = string(reader)?;
    if bytes.first() == Some(&0) {
        return Err(Malformed("a number of RLP begins with zeros"));
    }
    Integer::from_be_bytes(bytes).ok_or(Malformed("a number has more than 256 bits"))
}

/// An integer of at most 128 bits.
pub(crate) fn wide(reader: &mut Reader<'_>) -> Result<u128, Malformed> {
    integer(reader)?.to_u128().ok_or(Malformed("a price has more than 128 bits"))
}

/// An integer of at most 64 bits.
pub(crate) fn number(reader: &mut Reader<'_>) -> Result<u64, Malformed> {
    let value = u64::try_from(wide(reader)?);
    value.map_err(|_| Malformed("a number has more than 64 bits"))
}

/// Writes a header of a string (`0x80`) or list (`0xc0`).
fn put_header(to: &mut Vec<u8>, offset: u8, length: usize) {
    match u8::try_from(length) {
        Ok(short @ 0..=55) => to.push(offset.saturating_add(short)),
        _ => {
            let bytes = length.to_be_bytes();
            let bytes = trimmed(&bytes);
            // At most the bytes of a length.
            to.push(offset.saturating_add(55).saturating_add(bounded(bytes.len())));
            to.extend_from_slice(bytes);
        }
    }
}

pub(crate) fn put_string(to: &mut Vec<u8>, bytes: &[u8]) {
    match bytes {
        [single @ 0..0x80] => to.push(*single),
        _ => {
            put_header(to, 0x80, bytes.len());
            to.extend_from_slice(bytes);
        }
    }
}

pub(crate) fn put_list(to: &mut Vec<u8>, content: &[u8]) {
    put_header(to, 0xc0, content.len());
    to.extend_from_slice(content);
}

pub(crate) fn put_integer(to: &mut Vec<u8>, value: impl Into<Integer>) {
    put_string(to, trimmed(value.into().magnitude()));
}

/// Without leading zeros.
pub(crate) fn trimmed(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len());
    bytes.get(start..).unwrap_or_default()
}
