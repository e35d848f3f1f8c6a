//! Typed data as a purpose.

use alloc::vec::Vec;

use super::bounds::Count;
use super::data::Data;
use super::schema::{DOMAIN, Schema};
use super::{domain, from_json};
use crate::body::Body;
use crate::error::Malformed;
use crate::facts::Facts;
use crate::kind::Kind;
use crate::message::{Hash, KeyKind, Message};
use crate::wire::{Reader, check_length, check_names};

/// The prefix of the names of the message's fields.
const MESSAGE: &str = "message";

/// Typed data: a message of a contract's own types, and the domain that it is for.
///
/// The body has the types that are used, by name, then the values of domain and message in the order of their types. It has
/// no hashes: each signer makes the types' hashes, the domain separator and the digest itself.
///
/// Facts: `primary_type`; of the domain `chain`, `verifying_contract`, `domain_name`, `domain_version`, `salt`, as far as it
/// has them; of the message one for each field, `message.` and its path, such as `message.from.wallet`. An array of structs
/// has the fact `message.orders.length` alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedData {
    schema: Schema,
    domain: Data,
    message: Data,
}

impl TypedData {
    /// Reads the JSON of `eth_signTypedData_v4`. Types that nothing refers to are dropped: no hash depends on them.
    ///
    /// # Errors
    /// If it is not JSON, a field is missing, superfluous or of another type, the domain has a field of its own or the chain
    /// zero, or something is longer or deeper than this crate takes.
    pub fn from_json(json: &str) -> Result<Self, Malformed> {
        // What is written of it has lengths of 32 bits, and is far shorter.
        u32::try_from(json.len()).map_err(|_| Malformed("it is too long"))?;
        let (schema, domain, message) = from_json::read(json)?;
        Self { schema, domain, message }.check()
    }

    /// `hashStruct` of the domain.
    #[must_use]
    pub fn domain_separator(&self) -> [u8; 32] {
        self.hash(DOMAIN, &self.domain)
    }

    /// `hashStruct` of the message.
    #[must_use]
    pub fn message_hash(&self) -> [u8; 32] {
        self.hash(&self.schema.primary, &self.message)
    }

    /// The bytes whose Keccak-256 is signed: 0x1901, the domain separator and the message's hash.
    #[must_use]
    pub fn signed_bytes(&self) -> Vec<u8> {
        [&[0x19, 1][..], &self.domain_separator(), &self.message_hash()].concat()
    }

    /// The type of the message.
    #[must_use]
    pub fn primary_type(&self) -> &str {
        &self.schema.primary
    }

    /// Data that was checked against its schema has every type that it names: the hash exists.
    fn hash(&self, name: &str, data: &Data) -> [u8; 32] {
        let hash = self.schema.get(name).and_then(|of| data.hash_struct(&self.schema, of));
        hash.unwrap_or_default()
    }

    fn check(self) -> Result<Self, Malformed> {
        domain::check(self.schema.get(DOMAIN)?, &self.domain)?;
        let of = self.schema.get(&self.schema.primary)?;
        let names = self.message.names(&self.schema, of, MESSAGE.len());
        let mut body = Vec::new();
        self.write(&mut body);
        check_length(body.len())?;
        check_names(names, body.len())?;
        Ok(self)
    }
}

impl Body for TypedData {
    const KIND: Kind = Kind::Eip712;

    fn read(body: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(body);
        let (schema, count) = (Schema::read(&mut reader)?, Count::new());
        let bounds = count.bounds();
        let domain = Data::read_struct(&mut reader, &schema, schema.get(DOMAIN)?, bounds)?;
        let of = schema.get(&schema.primary)?;
        let message = Data::read_struct(&mut reader, &schema, of, bounds)?;
        reader.end()?;
        Self { schema, domain, message }.check()
    }

    fn write(&self, to: &mut Vec<u8>) {
        self.schema.write(to);
        for (name, data) in [(DOMAIN, &self.domain), (self.schema.primary.as_str(), &self.message)]
        {
            data.write(&[], &self.schema, &super::kinds::Base::Struct(name.into()), to);
        }
    }

    fn signed(&self, key: KeyKind) -> Option<Message> {
        (key == KeyKind::EcdsaSecp256k1)
            .then(|| Message::Hashed { hash: Hash::Keccak256, bytes: self.signed_bytes() })
    }

    fn add_facts(&self, facts: &mut Facts) {
        facts.add("primary_type", self.primary_type());
        if let (Ok(domain), Ok(message)) =
            (self.schema.get(DOMAIN), self.schema.get(&self.schema.primary))
        {
            domain::add_facts(facts, domain, &self.domain);
            self.message.add_facts(facts, &self.schema, message, MESSAGE);
        }
    }
}
