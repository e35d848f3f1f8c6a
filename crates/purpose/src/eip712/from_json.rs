//! The JSON of `eth_signTypedData_v4`.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::bounds::{Bounds, Count};
use super::data::{Data, check_atom, outermost};
use super::kinds::{Base, FieldType};
use super::schema::{DOMAIN, Schema, Struct, Written, check_length};
use crate::error::Malformed;
use crate::hex;
use crate::integer::Integer;
use crate::json::Json;
use crate::wire::MAX_LENGTH;

/// The longest JSON: bytes take twice as many digits.
const LENGTH: usize = 4 * MAX_LENGTH;
const FORM: Malformed = Malformed("typed data has types, primaryType, domain and message");
const VALUE: Malformed = Malformed("a value does not have the form of its type");

/// The schema, and the values of domain and message.
pub(crate) fn read(text: &str) -> Result<(Schema, Data, Data), Malformed> {
    if text.len() > LENGTH {
        return Err(Malformed("it is too long"));
    }
    let json = Json::parse(text)?;
    let object = json.object().ok_or(FORM)?;
    let get = |name| object.get(name).ok_or(FORM);
    if object.len() != 4 {
        return Err(FORM);
    }
    let primary = get("primaryType")?.text().ok_or(FORM)?;
    let mut written = types(get("types")?)?;
    retain_used(&mut written, primary);
    check_length(&written)?;
    let schema = Schema::new(primary, &written)?;
    let count = Count::new();
    let domain = record(get("domain")?, &schema, schema.get(DOMAIN)?, count.bounds())?;
    let message = record(get("message")?, &schema, schema.get(primary)?, count.bounds())?;
    Ok((schema, domain, message))
}

fn types(json: &Json) -> Result<Written, Malformed> {
    let mut written = Written::new();
    for (name, fields) in json.object().ok_or(FORM)?.iter() {
        let mut pairs = Vec::new();
        for field in fields.list().ok_or(FORM)? {
            let field = field.object().filter(|field| field.len() == 2).ok_or(FORM)?;
            let text = |name| field.get(name).and_then(Json::text).ok_or(FORM);
            pairs.push((text("name")?.to_owned(), text("type")?.to_owned()));
        }
        written.insert(name.to_owned(), pairs);
    }
    Ok(written)
}

/// Drops the types that neither the domain nor the primary type refers to.
fn retain_used(written: &mut Written, primary: &str) {
    let mut waiting: Vec<String> = [DOMAIN, primary].map(str::to_owned).into();
    let mut used = BTreeMap::new();
    while let Some(name) = waiting.pop() {
        if let Some(fields) = written.remove(&name) {
            let base = |of: &String| of.split('[').next().unwrap_or_default().to_owned();
            waiting.extend(fields.iter().map(|(_, of)| base(of)));
            used.insert(name, fields);
        }
    }
    *written = used;
}

/// A struct: exactly the fields of its type.
fn record(
    json: &Json,
    schema: &Schema,
    of: &Struct,
    bounds: Bounds<'_>,
) -> Result<Data, Malformed> {
    let bounds = bounds.inside()?;
    let object = json.object().ok_or(VALUE)?;
    if object.len() != of.fields.len() {
        return Err(Malformed("an object has other fields than its type"));
    }
    let mut values = Vec::with_capacity(of.fields.len());
    for field in &of.fields {
        let FieldType { base, lengths } = &field.of;
        let json =
            object.get(&field.name).ok_or(Malformed("an object has other fields than its type"))?;
        values.push(value(json, schema, (base, lengths), bounds)?);
    }
    Ok(Data::Struct(values))
}

fn value(
    json: &Json,
    schema: &Schema,
    (base, lengths): (&Base, &[Option<usize>]),
    bounds: Bounds<'_>,
) -> Result<Data, Malformed> {
    bounds.count()?;
    if let Some((length, inner)) = outermost(lengths) {
        let bounds = bounds.inside()?;
        let list = json.list().ok_or(VALUE)?;
        if length.is_some_and(|length| length != list.len()) {
            return Err(Malformed("an array has another length than its type"));
        }
        let values = list.iter().map(|json| value(json, schema, (base, inner), bounds));
        return values.collect::<Result<_, _>>().map(Data::List);
    }
    match base {
        Base::Struct(name) => record(json, schema, schema.get(name)?, bounds),
        Base::Text => Ok(Data::Bytes(json.text().ok_or(VALUE)?.as_bytes().into())),
        Base::Bytes => hex::decode(json.text().ok_or(VALUE)?).map(Data::Bytes),
        _ => {
            let word = atom(json, base)?;
            check_atom(base, &word)?;
            Ok(Data::Atom(word))
        }
    }
}

fn atom(json: &Json, base: &Base) -> Result<[u8; 32], Malformed> {
    match base {
        Base::Bool => match json {
            Json::Bool(value) => Ok(Integer::from(u64::from(*value)).to_twos_complement()),
            _ => Err(VALUE),
        },
        Base::Uint(_) => match integer(json)? {
            value if value.is_negative() => Err(VALUE),
            value => Ok(value.to_twos_complement()),
        },
        Base::Int(bits) => signed(integer(json)?, *bits),
        Base::Address => {
            let address = hex::decode(json.text().ok_or(VALUE)?)?;
            let address: [u8; 20] = address.try_into().map_err(|_| VALUE)?;
            Ok(Integer::from_be_bytes(&address).unwrap_or(Integer::ZERO).to_twos_complement())
        }
        Base::FixedBytes(count) => {
            let mut bytes = hex::decode(json.text().ok_or(VALUE)?)?;
            if bytes.len() != usize::from(*count) {
                return Err(VALUE);
            }
            bytes.resize(32, 0);
            bytes.try_into().map_err(|_| VALUE)
        }
        Base::Bytes | Base::Text | Base::Struct(_) => Err(VALUE),
    }
}

/// A number of JSON, or a text of a decimal number, or of a hexadecimal one with `0x`.
fn integer(json: &Json) -> Result<Integer, Malformed> {
    match json {
        Json::Integer(value) => Ok(*value),
        Json::Text(text) => match text.strip_prefix("0x") {
            Some(digits) if (1..=64).contains(&digits.len()) => {
                let even = if digits.len() & 1 == 0 { "0x" } else { "0x0" };
                let bytes = hex::decode(&(even.to_owned() + digits))?;
                Integer::from_be_bytes(&bytes).ok_or(VALUE)
            }
            Some(_) => Err(VALUE),
            None => text.parse().map_err(|_| VALUE),
        },
        _ => Err(VALUE),
    }
}

/// Two's complement in 256 bits, which a number of as many bits would not come back from.
fn signed(value: Integer, bits: u16) -> Result<[u8; 32], Malformed> {
    let word = value.to_twos_complement();
    check_atom(&Base::Int(bits), &word)?;
    if Integer::from_twos_complement(word) == value { Ok(word) } else { Err(VALUE) }
}
