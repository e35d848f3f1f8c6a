//! A list of revoked certificates as a purpose.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::algorithm::Algorithm;
use super::certificate::{add_list, serial};
use super::name::{self, Name};
use super::{der, extension, time};
use crate::body::Body;
use crate::error::Malformed;
use crate::facts::Facts;
use crate::integer::Integer;
use crate::kind::Kind;
use crate::message::{KeyKind, Message, sha256};
use crate::time::Time;
use crate::watermark::{Mark, Order, Watermark};
use crate::wire::{Reader, check_length, wide};

const CRL_NUMBER: &str = "2.5.29.20";

/// A list of revoked certificates that an authority is to sign (RFC 5280, 5): version 2, whole, with a number.
///
/// The body is the DER of the `TBSCertList`, and so is the signed message, as for an
/// [`X509Certificate`](crate::x509::X509Certificate).
///
/// Facts: `signature_algorithm`, `issuer`, `issuer_der`, `this_update`, `next_update`, `lifetime` (seconds), `crl_number`,
/// `revoked` (how many), `revoked_serials`, `extensions`.
///
/// The watermark is the number of the list, in a slot of the issuer: it rises, and a number has one list.
///
/// Refused are lists without a number or a next update, lists of changes or of a part of the certificates, entries of other
/// issuers, and other critical extensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct X509Crl {
    tbs: Vec<u8>,
    /// The algorithm that the bytes name.
    algorithm: Algorithm,
}

/// The parts of a list.
struct Parts<'a> {
    algorithm: Algorithm,
    issuer: Name<'a>,
    this_update: Time,
    next_update: Time,
    revoked: Vec<&'a [u8]>,
    number: Integer,
    extensions: Vec<String>,
}

impl X509Crl {
    /// Reads the DER of a `TBSCertList`, which an authority's software hands to its signer.
    ///
    /// # Errors
    /// If it is not the one encoding of a list of version 2, or has something that this crate does not know.
    pub fn from_tbs_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        check_length(bytes.len())?;
        let algorithm = parts(bytes)?.algorithm;
        Ok(Self { tbs: bytes.into(), algorithm })
    }

    /// The DER of the `TBSCertList`.
    #[must_use]
    pub fn tbs_bytes(&self) -> &[u8] {
        &self.tbs
    }
}

fn parts(tbs: &[u8]) -> Result<Parts<'_>, Malformed> {
    der::check(tbs)?;
    let mut inside = Reader::new(der::whole(tbs, der::SEQUENCE)?);
    if der::value(&mut inside, der::INTEGER)? != [1] {
        return Err(Malformed("the list is not of version 2"));
    }
    let algorithm = Algorithm::read(&mut inside)?;
    let issuer = name::read(&mut inside)?;
    let (this_update, next_update) = (time::read(&mut inside)?, time::read(&mut inside)?);
    let revoked = match der::optional(&mut inside, der::SEQUENCE)? {
        None => Vec::new(),
        Some([]) => return Err(Malformed("the list of revoked certificates is empty")),
        Some(list) => revoked(list)?,
    };
    let (number, extensions) = extensions(&mut der::inside(&mut inside, 0xa0)?)?;
    inside.end()?;
    if issuer.is_empty() {
        return Err(Malformed("the issuer has no name"));
    }
    if next_update <= this_update {
        return Err(Malformed("the list ends before it begins"));
    }
    Ok(Parts { algorithm, issuer, this_update, next_update, revoked, number, extensions })
}

fn revoked(list: &[u8]) -> Result<Vec<&[u8]>, Malformed> {
    let (mut list, mut serials) = (Reader::new(list), Vec::new());
    while !list.is_empty() {
        let mut entry = der::inside(&mut list, der::SEQUENCE)?;
        serials.push(serial(&mut entry)?);
        time::read(&mut entry)?;
        if !entry.is_empty() {
            let mut extensions = der::inside(&mut entry, der::SEQUENCE)?;
            each(&mut extensions, |_, _| Ok(()))?;
            entry.end()?;
        }
    }
    if serials.iter().collect::<BTreeSet<_>>().len() < serials.len() {
        return Err(Malformed("a certificate is revoked twice"));
    }
    Ok(serials)
}

/// Reads extensions, none of which is critical or stands twice, and gives their identifiers.
fn each<'a>(
    list: &mut Reader<'a>,
    mut take: impl FnMut(&str, &'a [u8]) -> Result<(), Malformed>,
) -> Result<BTreeSet<String>, Malformed> {
    let mut seen = BTreeSet::new();
    if list.is_empty() {
        return Err(Malformed("the list of extensions is empty"));
    }
    while !list.is_empty() {
        let (identifier, is_critical, value) = extension::next(list)?;
        if is_critical {
            return Err(Malformed("a critical extension is unknown"));
        }
        take(&identifier, value)?;
        if !seen.insert(identifier) {
            return Err(Malformed("an extension stands twice"));
        }
    }
    Ok(seen)
}

fn extensions(explicit: &mut Reader<'_>) -> Result<(Integer, Vec<String>), Malformed> {
    let mut list = der::inside(explicit, der::SEQUENCE)?;
    if !explicit.is_empty() {
        return Err(Malformed("bytes follow the end"));
    }
    let mut number = None;
    let seen = each(&mut list, |identifier, value| {
        if identifier == CRL_NUMBER {
            number = match der::whole(value, der::INTEGER)? {
                bytes @ [0..=0x7f, ..] if bytes.len() <= 20 => Integer::from_be_bytes(bytes),
                _ => return Err(Malformed("the number of the list is out of range")),
            };
        }
        Ok(())
    })?;
    let number = number.ok_or(Malformed("the list has no number"))?;
    Ok((number, seen.into_iter().collect()))
}

impl Parts<'_> {
    /// The number has at most 20 bytes: the last 24 of its 32 are the three numbers of the order.
    fn watermark(&self, tbs: &[u8]) -> Option<Watermark> {
        let mut slot = String::from("x509-crl/");
        for byte in sha256(self.issuer.der).iter().take(24) {
            slot += &format!("{byte:02x}");
        }
        let (_, low) = self.number.magnitude().split_first_chunk::<8>()?;
        let (words, []) = low.as_chunks::<8>() else { return None };
        let order = Order(<[[u8; 8]; 3]>::try_from(words).ok()?.map(u64::from_be_bytes));
        Some(Watermark::new(slot, Mark { order, value: sha256(tbs) }))
    }
}

impl Body for X509Crl {
    const KIND: Kind = Kind::X509Crl;

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
        // The bytes were read when the list was made.
        let Ok(parts) = parts(&self.tbs) else { return };
        facts.add("signature_algorithm", parts.algorithm.name());
        facts.add("issuer_der", parts.issuer.der);
        facts.add("issuer", parts.issuer.text);
        facts.add("this_update", parts.this_update);
        facts.add("next_update", parts.next_update);
        let lifetime = parts.next_update.seconds.saturating_sub(parts.this_update.seconds);
        facts.add("lifetime", lifetime);
        facts.add("crl_number", parts.number);
        facts.add("revoked", wide(parts.revoked.len()));
        add_list(facts, "revoked_serials", &parts.revoked);
        let extensions: Vec<&str> = parts.extensions.iter().map(AsRef::as_ref).collect();
        add_list(facts, "extensions", &extensions);
    }

    fn watermark(&self) -> Option<Watermark> {
        parts(&self.tbs).ok()?.watermark(&self.tbs)
    }
}
