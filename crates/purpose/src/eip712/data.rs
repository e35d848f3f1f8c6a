//! Values of typed data: their canonical form, and their hashes.

use alloc::string::String;
use alloc::vec::Vec;

use super::bounds::Bounds;
use super::kinds::{Base, FieldType};
use super::schema::{Schema, Struct};
use crate::error::Malformed;
use crate::facts::{Facts, Value};
use crate::integer::Integer;
use crate::message::keccak256;
use crate::wire::{Reader, block, number, text, wide};

const RANGE: Malformed = Malformed("a value is out of the range of its type");

/// A value, whose type the schema knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Data {
    /// A number, address, yes or no, or bytes of a fixed length: as `encodeData` has it.
    Atom([u8; 32]),
    /// Bytes or a text.
    Bytes(Vec<u8>),
    /// The values of an array.
    List(Vec<Self>),
    /// The fields of a struct.
    Struct(Vec<Self>),
}

/// A word of a type is in the type's range.
pub(crate) fn check_atom(base: &Base, word: &[u8; 32]) -> Result<(), Malformed> {
    let unsigned = Integer::from_be_bytes(word).unwrap_or(Integer::ZERO);
    let fits = match base {
        Base::Uint(bits) => unsigned.bits() <= u32::from(*bits),
        Base::Int(bits) => fits_signed(&Integer::from_twos_complement(*word), *bits),
        Base::Address => unsigned.bits() <= 160,
        Base::Bool => unsigned.bits() <= 1,
        Base::FixedBytes(count) => word.iter().skip((*count).into()).all(|byte| *byte == 0),
        Base::Bytes | Base::Text | Base::Struct(_) => false,
    };
    if fits { Ok(()) } else { Err(RANGE) }
}

/// From −2ᵇ⁻¹ to 2ᵇ⁻¹ − 1.
fn fits_signed(value: &Integer, bits: u16) -> bool {
    let own = value.bits();
    let is_power = value.magnitude().iter().map(|byte| byte.count_ones()).sum::<u32>() == 1;
    own < u32::from(bits) || (value.is_negative() && is_power && own == u32::from(bits))
}

/// The lengths without the outermost, and that.
pub(crate) fn outermost(lengths: &[Option<usize>]) -> Option<(Option<usize>, &[Option<usize>])> {
    lengths.split_last().map(|(last, rest)| (*last, rest))
}

impl Data {
    pub(crate) fn read_struct(
        reader: &mut Reader<'_>,
        schema: &Schema,
        of: &Struct,
        bounds: Bounds<'_>,
    ) -> Result<Self, Malformed> {
        let bounds = bounds.inside()?;
        let mut values = Vec::with_capacity(of.fields.len());
        for field in &of.fields {
            let FieldType { base, lengths } = &field.of;
            values.push(Self::read(reader, schema, (base, lengths), bounds)?);
        }
        Ok(Self::Struct(values))
    }

    fn read(
        reader: &mut Reader<'_>,
        schema: &Schema,
        (base, lengths): (&Base, &[Option<usize>]),
        bounds: Bounds<'_>,
    ) -> Result<Self, Malformed> {
        bounds.count()?;
        if let Some((length, inner)) = outermost(lengths) {
            let bounds = bounds.inside()?;
            let count = length.map_or_else(|| reader.number(), Ok)?;
            let mut values = Vec::new(); // grows with what is there, not with what is claimed
            for _ in 0..count {
                values.push(Self::read(reader, schema, (base, inner), bounds)?);
            }
            values.shrink_to_fit();
            return Ok(Self::List(values));
        }
        match base {
            Base::Struct(name) => Self::read_struct(reader, schema, schema.get(name)?, bounds),
            Base::Bytes => Ok(Self::Bytes(reader.block()?.into())),
            Base::Text => Ok(Self::Bytes(text(reader.block()?)?.as_bytes().into())),
            _ => {
                let word = reader.array()?;
                check_atom(base, &word)?;
                Ok(Self::Atom(word))
            }
        }
    }

    pub(crate) fn write(
        &self,
        lengths: &[Option<usize>],
        schema: &Schema,
        base: &Base,
        to: &mut Vec<u8>,
    ) {
        match self {
            Self::Atom(word) => to.extend_from_slice(word),
            Self::Bytes(bytes) => block(to, bytes),
            Self::List(values) => {
                let (length, inner) = outermost(lengths).unwrap_or_default();
                if length.is_none() {
                    number(to, values.len());
                }
                values.iter().for_each(|value| value.write(inner, schema, base, to));
            }
            Self::Struct(values) => {
                let of = if let Base::Struct(name) = base { schema.get(name).ok() } else { None };
                for (value, field) in values.iter().zip(of.iter().flat_map(|of| &of.fields)) {
                    value.write(&field.of.lengths, schema, &field.of.base, to);
                }
            }
        }
    }

    /// The 32 bytes that stand for a value: `encodeData` of atoms, hashes of all else.
    fn encode(&self, schema: &Schema, base: &Base) -> Result<[u8; 32], Malformed> {
        match self {
            Self::Atom(word) => Ok(*word),
            Self::Bytes(bytes) => Ok(keccak256(bytes)),
            Self::List(values) => {
                let mut encoded = Vec::new();
                for value in values {
                    encoded.extend_from_slice(&value.encode(schema, base)?);
                }
                Ok(keccak256(&encoded))
            }
            Self::Struct(_) => match base {
                Base::Struct(name) => self.hash_struct(schema, schema.get(name)?),
                _ => Err(RANGE),
            },
        }
    }

    /// `hashStruct`.
    pub(crate) fn hash_struct(&self, schema: &Schema, of: &Struct) -> Result<[u8; 32], Malformed> {
        let mut encoded = of.hash.to_vec();
        if let Self::Struct(values) = self {
            for (value, field) in values.iter().zip(&of.fields) {
                encoded.extend_from_slice(&value.encode(schema, &field.of.base)?);
            }
        }
        Ok(keccak256(&encoded))
    }

    /// A fact for each field: of a struct its own fields, of an array of structs its length alone.
    pub(crate) fn add_facts(&self, facts: &mut Facts, schema: &Schema, of: &Struct, path: &str) {
        let Self::Struct(values) = self else { return };
        for (value, field) in values.iter().zip(&of.fields) {
            let path = alloc::format!("{path}.{}", field.name);
            match (value, &field.of.base) {
                (Self::Struct(_), Base::Struct(name)) => {
                    if let Ok(of) = schema.get(name) {
                        value.add_facts(facts, schema, of, &path);
                    }
                }
                (Self::List(values), Base::Struct(_)) => {
                    facts.add(path + ".length", wide(values.len()));
                }
                (_, base) => facts.add(path, value.fact(base)),
            }
        }
    }

    /// How long the names of these facts are in all, or more.
    pub(crate) fn names(&self, schema: &Schema, of: &Struct, path: usize) -> usize {
        let Self::Struct(values) = self else { return 0 };
        values.iter().zip(&of.fields).fold(0, |sum, (value, field)| {
            let path = path + field.name.len() + 1;
            let own = match (value, &field.of.base) {
                (Self::Struct(_), Base::Struct(name)) => {
                    schema.get(name).map_or(0, |of| value.names(schema, of, path))
                }
                _ => path + ".length".len(),
            };
            sum.saturating_add(own)
        })
    }

    fn fact(&self, base: &Base) -> Value {
        match (self, base) {
            (Self::List(values), _) => {
                Value::List(values.iter().map(|value| value.fact(base)).collect())
            }
            (Self::Bytes(bytes), Base::Text) => String::from_utf8_lossy(bytes).into_owned().into(),
            (Self::Bytes(bytes), _) => bytes.clone().into(),
            (Self::Atom(word), Base::Uint(_)) => {
                Integer::from_be_bytes(word).unwrap_or(Integer::ZERO).into()
            }
            (Self::Atom(word), Base::Int(_)) => Integer::from_twos_complement(*word).into(),
            (Self::Atom(word), Base::Bool) => word.ends_with(&[1]).into(),
            (Self::Atom(word), Base::Address) => word.get(12..).unwrap_or_default().into(),
            (Self::Atom(word), Base::FixedBytes(count)) => {
                word.get(..usize::from(*count)).unwrap_or_default().into()
            }
            (Self::Atom(_) | Self::Struct(_), _) => Value::List(Vec::new()),
        }
    }
}
