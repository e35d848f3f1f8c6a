//! A certificate as a purpose.

use alloc::format;
use alloc::vec::Vec;

use super::algorithm::Algorithm;
use super::extension::{self, Extensions};
use super::key::{self, Key};
use super::name::{self, Name};
use super::{der, time};
use crate::body::Body;
use crate::error::Malformed;
use crate::facts::{Facts, Value};
use crate::kind::Kind;
use crate::message::{KeyKind, Message};
use crate::time::Time;
use crate::wire::Reader;

/// Longer than a certificate with hundreds of names.
const MAX_BYTES: usize = 1 << 16;

/// A certificate that an authority is to sign (RFC 5280): version 3.
///
/// The body is the DER of the `TBSCertificate`, and so is the signed message. DER is read strictly: each certificate has one
/// form. The algorithm of the signature is in it, and only a key of that algorithm gets a message: ECDSA with SHA-256 or
/// SHA-384, Ed25519, Ed448, or ML-DSA. The parameter set of ML-DSA is a fact, which must be that of the key.
///
/// Facts: `signature_algorithm` (`ecdsa-sha256`, `ecdsa-sha384`, `ed25519`, `ed448`, `ml-dsa-44`, `ml-dsa-65`,
/// `ml-dsa-87`), `serial`, `issuer` and `subject` (texts of RFC 4514), `issuer_der` and `subject_der`, `self_issued`,
/// `common_names` (of the subject), `not_before`, `not_after`, `lifetime` (seconds), `public_key` and `key_algorithm` (such
/// as `ecdsa-p256`, `rsa`, or an identifier), `rsa_bits`, `spki`, `ca`, `path_length`, `key_usage` and
/// `extended_key_usage` (lists with the names of RFC 5280), `dns_names`, `emails`, `uris`, `ip_addresses`, `extensions` and
/// `critical_extensions` (lists of identifiers), and `extension/` and the identifier: the DER of each.
///
/// Refused are unique identifiers, alternative names of other forms, an extension that stands twice, and a critical
/// extension that this crate does not know. Nobody can see whether the subject has the key, or the names: that is what an
/// authority checks before it asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct X509Certificate {
    tbs: Vec<u8>,
    /// The algorithm that the bytes name.
    algorithm: Algorithm,
}

/// The parts of a certificate.
struct Parts<'a> {
    serial: &'a [u8],
    algorithm: Algorithm,
    issuer: Name<'a>,
    not_before: Time,
    not_after: Time,
    subject: Name<'a>,
    key: Key<'a>,
    extensions: Extensions<'a>,
}

impl X509Certificate {
    /// Reads the DER of a `TBSCertificate`, which an authority's software hands to its signer.
    ///
    /// # Errors
    /// If it is not the one encoding of a certificate of version 3, is longer than 64 KiB, or has something that this crate does
    /// not know.
    pub fn from_tbs_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        if bytes.len() > MAX_BYTES {
            return Err(Malformed("it is too long"));
        }
        let algorithm = parts(bytes)?.algorithm;
        Ok(Self { tbs: bytes.into(), algorithm })
    }

    /// The DER of the `TBSCertificate`.
    #[must_use]
    pub fn tbs_bytes(&self) -> &[u8] {
        &self.tbs
    }
}

/// A serial number: positive, and at most 20 bytes (RFC 5280, 4.1.2.2).
pub(super) fn serial<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Malformed> {
    let before = reader.remaining();
    let serial = der::positive(reader)?;
    let length = der::any(&mut Reader::new(before))?.1.len();
    if length > 20 { Err(Malformed("a serial number is too long")) } else { Ok(serial) }
}

fn parts(tbs: &[u8]) -> Result<Parts<'_>, Malformed> {
    der::check(tbs)?;
    let mut inside = Reader::new(der::whole(tbs, der::SEQUENCE)?);
    if der::optional(&mut inside, 0xa0)? != Some(&[der::INTEGER, 1, 2]) {
        return Err(Malformed("the certificate is not of version 3"));
    }
    let serial = serial(&mut inside)?;
    let algorithm = Algorithm::read(&mut inside)?;
    let issuer = name::read(&mut inside)?;
    let mut validity = der::inside(&mut inside, der::SEQUENCE)?;
    let (not_before, not_after) = (time::read(&mut validity)?, time::read(&mut validity)?);
    validity.end()?;
    let (subject, key) = (name::read(&mut inside)?, key::read(&mut inside)?);
    let extensions = match der::optional(&mut inside, 0xa3)? {
        None => Extensions::default(),
        Some(content) => match der::whole(content, der::SEQUENCE)? {
            [] => return Err(Malformed("the list of extensions is empty")),
            list => extension::read(&mut Reader::new(list))?,
        },
    };
    inside.end()?;
    let parts =
        Parts { serial, algorithm, issuer, not_before, not_after, subject, key, extensions };
    parts.check()?;
    Ok(parts)
}

impl Parts<'_> {
    fn check(&self) -> Result<(), Malformed> {
        if self.issuer.is_empty() {
            return Err(Malformed("the issuer has no name"));
        }
        if self.not_after < self.not_before {
            return Err(Malformed("the certificate ends before it begins"));
        }
        let names = self.extensions.all.get(extension::SUBJECT_ALTERNATIVE_NAMES);
        if self.subject.is_empty() && (self.extensions.is_ca || !names.is_some_and(|it| it.0)) {
            return Err(Malformed("the subject has no name"));
        }
        Ok(())
    }

    fn add_facts(&self, facts: &mut Facts) {
        facts.add("signature_algorithm", self.algorithm.name());
        facts.add("serial", self.serial);
        facts.add("issuer", self.issuer.text.clone());
        facts.add("issuer_der", self.issuer.der);
        facts.add("subject", self.subject.text.clone());
        facts.add("subject_der", self.subject.der);
        facts.add("self_issued", self.issuer.der == self.subject.der);
        add_list(facts, "common_names", &self.subject.common);
        facts.add("not_before", self.not_before);
        facts.add("not_after", self.not_after);
        let lifetime = self.not_after.seconds.saturating_sub(self.not_before.seconds);
        facts.add("lifetime", lifetime);
        facts.add("key_algorithm", &self.key.algorithm[..]);
        facts.add("public_key", self.key.bytes);
        facts.add("spki", self.key.der);
        if let Some(bits) = self.key.rsa_bits {
            facts.add("rsa_bits", bits);
        }
        self.add_extensions(facts);
    }

    fn add_extensions(&self, facts: &mut Facts) {
        let Extensions { all, is_ca, path_length, key_usage, extended_key_usage, names } =
            &self.extensions;
        facts.add("ca", *is_ca);
        if let Some(length) = path_length {
            facts.add("path_length", *length);
        }
        if let Some(bits) = key_usage {
            add_list(facts, "key_usage", &extension::usages(*bits).collect::<Vec<_>>());
        }
        let usages: Vec<&str> = extended_key_usage.iter().map(AsRef::as_ref).collect();
        add_list(facts, "extended_key_usage", &usages);
        add_list(facts, "dns_names", &names.dns);
        add_list(facts, "emails", &names.emails);
        add_list(facts, "uris", &names.uris);
        add_list(facts, "ip_addresses", &names.addresses);
        add_list(facts, "extensions", &all.keys().map(|name| &name[..]).collect::<Vec<_>>());
        let critical = all.iter().filter(|(_, (is_critical, _))| *is_critical);
        let critical: Vec<&str> = critical.map(|(name, _)| &name[..]).collect();
        add_list(facts, "critical_extensions", &critical);
        for (name, (_, value)) in all {
            facts.add(format!("extension/{name}"), *value);
        }
    }
}

/// A list that is absent if it is empty.
pub(super) fn add_list<'a, T: ?Sized>(facts: &mut Facts, name: &'static str, items: &[&'a T])
where
    &'a T: Into<Value>,
{
    if !items.is_empty() {
        facts.add(name, items.iter().map(|item| (*item).into()).collect::<Vec<Value>>());
    }
}

impl Body for X509Certificate {
    const KIND: Kind = Kind::X509Certificate;

    fn read(body: &[u8]) -> Result<Self, Malformed> {
        Self::from_tbs_bytes(body)
    }

    fn write(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.tbs);
    }

    fn signed(&self, key: KeyKind) -> Option<Message> {
        self.algorithm.message(key, &self.tbs)
    }

    fn add_facts(&self, facts: &mut Facts) {
        // The bytes were read when the certificate was made.
        if let Ok(parts) = parts(&self.tbs) {
            parts.add_facts(facts);
        }
    }
}
