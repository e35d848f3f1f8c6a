//! The types of fields.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::error::Malformed;

/// The longest name, and the longest type without its dimensions.
const NAME: usize = 64;
/// The highest number of dimensions of an array.
const DIMENSIONS: usize = 4;

/// A type that is no array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    Uint(u16),
    Int(u16),
    Address,
    Bool,
    FixedBytes(u8),
    Bytes,
    Text,
    Struct(String),
}

/// A type: what an array is of, and its lengths from the innermost; `None` for any length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FieldType {
    pub(crate) base: Base,
    pub(crate) lengths: Vec<Option<usize>>,
}

/// A name of a struct or field. Dots and the like would be ambiguous in the names of facts.
pub(crate) fn check_name(name: &str) -> Result<(), Malformed> {
    let starts =
        name.starts_with(|first: char| first.is_ascii_alphabetic() || "_$".contains(first));
    let goes_on = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_$".contains(&byte));
    if starts && goes_on && name.len() <= NAME {
        Ok(())
    } else {
        Err(Malformed("a name is not an identifier"))
    }
}

/// A decimal number without leading zeros.
fn decimal(text: &str) -> Option<u16> {
    let is_plain = !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain { text.parse().ok() } else { None }
}

impl Base {
    pub(crate) fn parse(text: &str) -> Result<Self, Malformed> {
        let sized = |prefix| text.strip_prefix(prefix).and_then(decimal);
        let bits = |bits: &u16| *bits <= 256 && bits & 7 == 0;
        let found = match text {
            "address" => Self::Address,
            "bool" => Self::Bool,
            "bytes" => Self::Bytes,
            "string" => Self::Text,
            "uint" | "int" => return Err(Malformed("a type of numbers does not say its bits")),
            _ => {
                if let Some(bits) = sized("uint").filter(bits) {
                    Self::Uint(bits)
                } else if let Some(bits) = sized("int").filter(bits) {
                    Self::Int(bits)
                } else if let Some(count @ 1..=32) = sized("bytes") {
                    Self::FixedBytes(u8::try_from(count).unwrap_or(32))
                } else {
                    check_name(text)?;
                    Self::Struct(text.to_owned())
                }
            }
        };
        Ok(found)
    }
}

impl FieldType {
    pub(crate) fn parse(text: &str) -> Result<Self, Malformed> {
        const ARRAY: Malformed = Malformed("a type of arrays is not in its form");
        let (base, mut rest) =
            text.split_at_checked(text.find('[').unwrap_or(text.len())).ok_or(ARRAY)?;
        let mut lengths = Vec::new();
        while let Some(inside) = rest.strip_prefix('[') {
            let (length, after) = inside.split_once(']').ok_or(ARRAY)?;
            let length = match length {
                "" => None,
                length => Some(decimal(length).filter(|length| *length > 0).ok_or(ARRAY)?.into()),
            };
            lengths.push(length);
            rest = after;
        }
        if !rest.is_empty() || lengths.len() > DIMENSIONS {
            return Err(ARRAY);
        }
        Ok(Self { base: Base::parse(base)?, lengths })
    }
}
