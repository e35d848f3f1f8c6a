//! The structs that typed data is made of.

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use super::kinds::{Base, FieldType, check_name};
use crate::error::Malformed;
use crate::message::keccak256;
use crate::wire::{Reader, bounded, short_block, text};

pub(crate) const DOMAIN: &str = "EIP712Domain";
/// The highest number of structs, and of fields in one.
const COUNT: usize = 64;
/// The longest description of all structs. The hash of a type is over those that it refers to.
const LENGTH: usize = 16_384;

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// The type as it is written, which is hashed.
    written: String,
    pub(crate) of: FieldType,
}

/// A struct: its fields, and the hash of its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Struct {
    pub(crate) fields: Vec<Field>,
    pub(crate) hash: [u8; 32],
}

/// The structs that the domain and the primary type refer to, with these two, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Schema {
    pub(crate) primary: String,
    structs: BTreeMap<String, Struct>,
}

/// Fields by struct, each a name and a type.
pub(crate) type Written = BTreeMap<String, Vec<(String, String)>>;

impl Schema {
    /// Checks that each struct is used, and used structs exist.
    pub(crate) fn new(primary: &str, written: &Written) -> Result<Self, Malformed> {
        if primary == DOMAIN {
            return Err(Malformed("the primary type is the domain"));
        }
        if written.len() > COUNT {
            return Err(Malformed("there are too many types"));
        }
        let mut structs = BTreeMap::new();
        for (name, fields) in written {
            check_name(name)?;
            if !matches!(Base::parse(name)?, Base::Struct(_)) {
                return Err(Malformed("a struct has the name of another type"));
            }
            structs.insert(name.clone(), Struct { fields: fields_of(fields)?, hash: [0; 32] });
        }
        let mut schema = Self { primary: primary.to_owned(), structs };
        schema.hash_types()?;
        Ok(schema)
    }

    pub(crate) fn get(&self, name: &str) -> Result<&Struct, Malformed> {
        self.structs.get(name).ok_or(Malformed("a type is not defined"))
    }

    /// The struct of this name and all that it refers to.
    fn referred(&self, name: &str) -> Result<BTreeSet<&str>, Malformed> {
        let (mut found, mut waiting) = (BTreeSet::new(), Vec::new());
        let (name, _) =
            self.structs.get_key_value(name).ok_or(Malformed("a type is not defined"))?;
        waiting.push(name.as_str());
        while let Some(next) = waiting.pop() {
            if found.insert(next) {
                let named =
                    self.get(next)?.fields.iter().filter_map(|field| match &field.of.base {
                        Base::Struct(name) => Some(name.as_str()),
                        _ => None,
                    });
                waiting.extend(named);
            }
        }
        Ok(found)
    }

    /// `encodeType`: the struct itself, and the others that it refers to by name.
    fn encode_type(&self, name: &str) -> Result<String, Malformed> {
        let mut referred = self.referred(name)?;
        referred.remove(name);
        let mut text = String::new();
        for name in core::iter::once(name).chain(referred) {
            text.push_str(name);
            text.push('(');
            for (place, field) in self.get(name)?.fields.iter().enumerate() {
                text.push_str(if place == 0 { "" } else { "," });
                text.push_str(&field.written);
                text.push(' ');
                text.push_str(&field.name);
            }
            text.push(')');
        }
        Ok(text)
    }

    fn hash_types(&mut self) -> Result<(), Malformed> {
        let mut used = self.referred(&self.primary)?;
        used.extend(self.referred(DOMAIN)?);
        if used.len() != self.structs.len() {
            return Err(Malformed("a type is not used"));
        }
        let hashes: Vec<[u8; 32]> = self
            .structs
            .keys()
            .map(|name| Ok(keccak256(self.encode_type(name)?.as_bytes())))
            .collect::<Result<_, Malformed>>()?;
        for (of, hash) in self.structs.values_mut().zip(hashes) {
            of.hash = hash;
        }
        Ok(())
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let primary = text(reader.short_block()?)?;
        let mut written = Written::new();
        let mut last: Option<&str> = None;
        for _ in 0..reader.byte()? {
            let name = text(reader.short_block()?)?;
            if last.is_some_and(|last| last >= name) {
                return Err(Malformed("types are not in the order of their names"));
            }
            last = Some(name);
            let mut fields = Vec::new();
            for _ in 0..reader.byte()? {
                let name = text(reader.short_block()?)?;
                fields.push((name.to_owned(), text(reader.short_block()?)?.to_owned()));
            }
            written.insert(name.to_owned(), fields);
        }
        check_length(&written)?;
        Self::new(primary, &written)
    }

    pub(crate) fn write(&self, to: &mut Vec<u8>) {
        short_block(to, self.primary.as_bytes());
        // `COUNT` bounds this number and the next.
        to.push(bounded(self.structs.len()));
        for (name, of) in &self.structs {
            short_block(to, name.as_bytes());
            to.push(bounded(of.fields.len()));
            for field in &of.fields {
                short_block(to, field.name.as_bytes());
                short_block(to, field.written.as_bytes());
            }
        }
    }
}

/// Bounds the description, and with it the hashing of types.
pub(crate) fn check_length(written: &Written) -> Result<(), Malformed> {
    let fields = written.values().flatten();
    let names = written.keys().map(String::len);
    let total: usize = names.chain(fields.map(|(name, of)| name.len() + of.len())).sum();
    if total > LENGTH { Err(Malformed("the types are too long")) } else { Ok(()) }
}

/// A struct without fields would make values of no length.
fn fields_of(written: &[(String, String)]) -> Result<Vec<Field>, Malformed> {
    if !(1..=COUNT).contains(&written.len()) {
        return Err(Malformed("a type has no fields, or too many"));
    }
    let (mut names, mut fields) = (BTreeSet::new(), Vec::new());
    for (name, of) in written {
        check_name(name)?;
        if !names.insert(name) {
            return Err(Malformed("a type has a field twice"));
        }
        fields.push(Field { name: name.clone(), written: of.clone(), of: FieldType::parse(of)? });
    }
    Ok(fields)
}
