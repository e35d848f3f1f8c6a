//! Distinguished names.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::der;
use crate::error::Malformed;
use crate::wire::{Reader, text};

/// A distinguished name: its DER, and the text of RFC 4514.
#[derive(Debug)]
pub(super) struct Name<'a> {
    pub(super) der: &'a [u8],
    pub(super) text: String,
    /// The common names, the first one first.
    pub(super) common: Vec<&'a str>,
}

impl Name<'_> {
    pub(super) const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

pub(super) fn read<'a>(reader: &mut Reader<'a>) -> Result<Name<'a>, Malformed> {
    let der = der::raw(reader, der::SEQUENCE)?;
    let mut parts = Reader::new(der::whole(der, der::SEQUENCE)?);
    let (mut texts, mut common) = (Vec::new(), Vec::new());
    while !parts.is_empty() {
        let mut set = der::inside(&mut parts, der::SET)?;
        let mut part = String::new();
        loop {
            part += &attribute(&mut set, &mut common)?;
            if set.is_empty() {
                break;
            }
            part.push('+');
        }
        texts.push(part);
    }
    texts.reverse();
    Ok(Name { der, text: texts.join(","), common })
}

/// `CN=text`; an attribute without a short name in RFC 4514 has that of its identifier.
fn attribute<'a>(set: &mut Reader<'a>, common: &mut Vec<&'a str>) -> Result<String, Malformed> {
    let mut inside = der::inside(set, der::SEQUENCE)?;
    let identifier = der::value(&mut inside, der::OID)?;
    let (tag, value) = der::any(&mut inside)?;
    inside.end()?;
    if !matches!(tag, der::UTF8 | der::PRINTABLE | der::IA5) || value.is_empty() {
        return Err(Malformed("a part of a name is no text of RFC 5280"));
    }
    let value = text(value)?;
    let name = match identifier {
        [0x55, 4, 3] => {
            common.push(value);
            "CN".to_owned()
        }
        [0x55, 4, 6] => "C".to_owned(),
        [0x55, 4, 7] => "L".to_owned(),
        [0x55, 4, 8] => "ST".to_owned(),
        [0x55, 4, 9] => "STREET".to_owned(),
        [0x55, 4, 10] => "O".to_owned(),
        [0x55, 4, 11] => "OU".to_owned(),
        [0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 1, 1] => "UID".to_owned(),
        [0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 1, 25] => "DC".to_owned(),
        other => der::dotted(other)?,
    };
    Ok(format!("{name}={}", escaped(value)))
}

/// RFC 4514, 2.4.
fn escaped(value: &str) -> String {
    let mut text = String::new();
    let last = value.chars().count().saturating_sub(1);
    for (place, letter) in value.chars().enumerate() {
        let is_special = match letter {
            '"' | '+' | ',' | ';' | '<' | '>' | '\\' | '=' => true,
            '#' => place == 0,
            ' ' => place == 0 || place == last,
            _ => false,
        };
        match letter {
            '\0' => text += "\\00",
            _ if is_special => text.extend(['\\', letter]),
            _ => text.push(letter),
        }
    }
    text
}
