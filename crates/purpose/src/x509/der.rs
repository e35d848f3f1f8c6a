//! DER (X.690), read strictly: each value has one encoding.

use alloc::format;
use alloc::string::String;

use crate::error::Malformed;
use crate::wire::Reader;

pub(super) const BOOLEAN: u8 = 0x01;
pub(super) const INTEGER: u8 = 0x02;
pub(super) const BIT_STRING: u8 = 0x03;
pub(super) const OCTET_STRING: u8 = 0x04;
pub(super) const NULL: u8 = 0x05;
pub(super) const OID: u8 = 0x06;
pub(super) const UTF8: u8 = 0x0c;
pub(super) const PRINTABLE: u8 = 0x13;
pub(super) const IA5: u8 = 0x16;
pub(super) const UTC_TIME: u8 = 0x17;
pub(super) const GENERALIZED_TIME: u8 = 0x18;
pub(super) const SEQUENCE: u8 = 0x30;
pub(super) const SET: u8 = 0x31;
const CONSTRUCTED: u8 = 0x20;
/// How deep values are nested in any certificate that is made.
const DEPTH: u8 = 16;

const LONG: Malformed = Malformed("a length of DER is not in its shortest form");
const OTHER: Malformed = Malformed("DER has a value of another type than the standard's");

/// A tag and its content.
pub(super) fn any<'a>(reader: &mut Reader<'a>) -> Result<(u8, &'a [u8]), Malformed> {
    let tag = reader.byte()?;
    if tag & 0x1f == 0x1f {
        return Err(Malformed("a tag of DER is unknown"));
    }
    let length = match reader.byte()? {
        short @ 0..=0x7f => short.into(),
        0x81 => match reader.byte()? {
            0..=0x7f => return Err(LONG),
            length => length.into(),
        },
        0x82 => {
            let [high, low] = reader.array()?;
            if high == 0 {
                return Err(LONG);
            }
            u16::from_be_bytes([high, low]).into()
        }
        0x83 => {
            let [high, middle, low] = reader.array()?;
            if high == 0 {
                return Err(LONG);
            }
            let length = u32::from_be_bytes([0, high, middle, low]);
            usize::try_from(length).map_err(|_| LONG)?
        }
        // Indefinite lengths, and lengths beyond 16 MiB.
        _ => return Err(LONG),
    };
    Ok((tag, reader.take(length)?))
}

/// The tag that comes next.
pub(super) fn next(reader: &Reader<'_>) -> Option<u8> {
    reader.remaining().first().copied()
}

/// The content of a value with this tag.
pub(super) fn value<'a>(reader: &mut Reader<'a>, tag: u8) -> Result<&'a [u8], Malformed> {
    match any(reader)? {
        (found, content) if found == tag => Ok(content),
        _ => Err(OTHER),
    }
}

/// The content of a constructed value with this tag.
pub(super) fn inside<'a>(reader: &mut Reader<'a>, tag: u8) -> Result<Reader<'a>, Malformed> {
    value(reader, tag).map(Reader::new)
}

/// The content of the next value if it has this tag.
pub(super) fn optional<'a>(
    reader: &mut Reader<'a>,
    tag: u8,
) -> Result<Option<&'a [u8]>, Malformed> {
    if next(reader) == Some(tag) { value(reader, tag).map(Some) } else { Ok(None) }
}

/// The one value that bytes are.
pub(super) fn whole(bytes: &[u8], tag: u8) -> Result<&[u8], Malformed> {
    let mut reader = Reader::new(bytes);
    let content = value(&mut reader, tag)?;
    reader.end()?;
    Ok(content)
}

/// The next value with its tag and length.
pub(super) fn raw<'a>(reader: &mut Reader<'a>, tag: u8) -> Result<&'a [u8], Malformed> {
    let before = reader.remaining();
    value(reader, tag)?;
    let length = before.len().saturating_sub(reader.remaining().len());
    Ok(before.get(..length).unwrap_or_default())
}

/// Checks that bytes are values of DER, each in its one encoding, to any depth.
pub(super) fn check(bytes: &[u8]) -> Result<(), Malformed> {
    check_at(bytes, DEPTH)
}

fn check_at(bytes: &[u8], depth: u8) -> Result<(), Malformed> {
    let depth = depth.checked_sub(1).ok_or(Malformed("DER is nested too deeply"))?;
    let mut reader = Reader::new(bytes);
    while !reader.is_empty() {
        let (tag, content) = any(&mut reader)?;
        if tag & CONSTRUCTED == 0 {
            primitive(tag, content)?;
            continue;
        }
        if tag < 0x40 && !matches!(tag, SEQUENCE | SET) {
            return Err(Malformed("a plain value of DER is in parts"));
        }
        check_at(content, depth)?;
        if tag == SET {
            check_order(content)?;
        }
    }
    Ok(())
}

/// The elements of a set ascend, and none stands twice.
fn check_order(content: &[u8]) -> Result<(), Malformed> {
    let (mut reader, mut last) = (Reader::new(content), None);
    while let Some(tag) = next(&reader) {
        let element = raw(&mut reader, tag)?;
        if last.is_some_and(|last| last >= element) {
            return Err(Malformed("a set of DER is not in order"));
        }
        last = Some(element);
    }
    Ok(())
}

fn primitive(tag: u8, content: &[u8]) -> Result<(), Malformed> {
    let good = match tag {
        BOOLEAN => matches!(content, [0 | 0xff]),
        INTEGER | 0x0a => is_shortest(content),
        BIT_STRING => bits(content).is_some(),
        NULL => content.is_empty(),
        OID => arcs(content).is_some(),
        UTF8 => core::str::from_utf8(content).is_ok(),
        PRINTABLE => content.iter().all(|byte| is_printable(*byte)),
        IA5 => content.is_ascii(),
        // A sequence or a set that is not marked as made of parts.
        0x10 | 0x11 => false,
        _ => true,
    };
    if good { Ok(()) } else { Err(Malformed("a value of DER is not in its one encoding")) }
}

const fn is_printable(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b' ' | b'\'' | b'(' | b')' | b'+' | b',' | b'-' | b'.' | b'/' | b':' | b'=' | b'?'
        )
}

const fn is_shortest(content: &[u8]) -> bool {
    !matches!(content, [] | [0, 0..=0x7f, ..] | [0xff, 0x80..=0xff, ..])
}

/// The bits that are left over in the last byte, and the bytes; those bits are zero.
pub(super) fn bits(content: &[u8]) -> Option<(u8, &[u8])> {
    let (unused, bytes) = content.split_first()?;
    let last = bytes.last().copied().unwrap_or_default();
    let mask = 0xff_u8.checked_shr(8_u32.checked_sub(u32::from(*unused))?).unwrap_or(0);
    let fits = *unused == 0 || (*unused < 8 && !bytes.is_empty() && last & mask == 0);
    fits.then_some((*unused, bytes))
}

/// A bit string of whole bytes.
pub(super) fn bytes<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Malformed> {
    match bits(value(reader, BIT_STRING)?) {
        Some((0, bytes)) => Ok(bytes),
        _ => Err(Malformed("a key has bits beyond whole bytes")),
    }
}

/// A list of names for bits: without zeros at the end, as DER has it.
pub(super) fn named_bits(content: &[u8]) -> Result<u16, Malformed> {
    const BITS: Malformed = Malformed("named bits are not in their one encoding");
    let (unused, bytes) = bits(content).ok_or(BITS)?;
    let (high, low) = match bytes {
        [] => return Ok(0),
        [high] => (*high, 0),
        [high, low] => (*high, *low),
        _ => return Err(BITS),
    };
    let last = bytes.last().copied().unwrap_or_default();
    if last.trailing_zeros() != u32::from(unused) {
        return Err(BITS);
    }
    Ok(u16::from_be_bytes([high, low]))
}

/// A positive integer, without the zero in front of a high bit.
pub(super) fn positive<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Malformed> {
    match value(reader, INTEGER)? {
        [0, rest @ ..] if !rest.is_empty() => Ok(rest),
        content @ [1..=0x7f, ..] => Ok(content),
        _ => Err(Malformed("an integer is not positive")),
    }
}

/// The arcs of an object identifier.
fn arcs(content: &[u8]) -> Option<String> {
    let (mut text, mut arc, mut start) = (String::new(), 0_u64, true);
    for byte in content {
        if start && *byte == 0x80 {
            return None;
        }
        arc = arc.checked_mul(0x80)?.checked_add(u64::from(byte & 0x7f))?;
        start = byte & 0x80 == 0;
        if start {
            text += &if text.is_empty() {
                let first = arc.min(80).checked_div(40)?;
                format!("{first}.{}", arc.checked_sub(first.checked_mul(40)?)?)
            } else {
                format!(".{arc}")
            };
            arc = 0;
        }
    }
    (start && !text.is_empty()).then_some(text)
}

/// An object identifier in digits and dots.
pub(super) fn dotted(content: &[u8]) -> Result<String, Malformed> {
    arcs(content).ok_or(Malformed("an object identifier is not in its form"))
}
