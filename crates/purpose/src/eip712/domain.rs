//! The domain, whose fields EIP-712 fixes.

use super::data::Data;
use super::kinds::{Base, FieldType};
use super::schema::Struct;
use crate::error::Malformed;
use crate::facts::Facts;
use crate::integer::Integer;

/// The fields of the domain in their order. Some may be absent, but not all.
const FIELDS: [(&str, Base); 5] = [
    ("name", Base::Text),
    ("version", Base::Text),
    ("chainId", Base::Uint(256)),
    ("verifyingContract", Base::Address),
    ("salt", Base::FixedBytes(32)),
];

/// The values of the domain, by field.
fn each<'a>(of: &'a Struct, data: &'a Data) -> impl Iterator<Item = (&'a str, &'a Data)> {
    let values = if let Data::Struct(values) = data { &values[..] } else { &[] };
    of.fields.iter().map(|field| field.name.as_str()).zip(values)
}

/// Refuses a domain with other fields than the standard's, and one for chain zero.
pub(crate) fn check(of: &Struct, data: &Data) -> Result<(), Malformed> {
    let mut known = FIELDS.iter();
    for field in &of.fields {
        let FieldType { base, lengths } = &field.of;
        if !lengths.is_empty() || !known.any(|(name, of)| *name == field.name && of == base) {
            return Err(Malformed("the domain has other fields than those of EIP-712"));
        }
    }
    if each(of, data).any(|(name, value)| name == "chainId" && *value == Data::Atom([0; 32])) {
        return Err(Malformed("the id of the chain is zero"));
    }
    Ok(())
}

pub(crate) fn add_facts(facts: &mut Facts, of: &Struct, data: &Data) {
    for (name, value) in each(of, data) {
        match (name, value) {
            ("name", Data::Bytes(text)) => facts.add("domain_name", lossy(text)),
            ("version", Data::Bytes(text)) => facts.add("domain_version", lossy(text)),
            ("chainId", Data::Atom(word)) => {
                facts.add("chain", Integer::from_be_bytes(word).unwrap_or(Integer::ZERO));
            }
            ("verifyingContract", Data::Atom(word)) => {
                facts.add("verifying_contract", word.get(12..).unwrap_or_default());
            }
            ("salt", Data::Atom(word)) => facts.add("salt", &word[..]),
            _ => {}
        }
    }
}

fn lossy(text: &[u8]) -> alloc::string::String {
    alloc::string::String::from_utf8_lossy(text).into_owned()
}
