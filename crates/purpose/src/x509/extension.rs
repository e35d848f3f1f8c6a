//! The extensions of certificates.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::der;
use crate::error::Malformed;
use crate::wire::{Reader, text};

/// The extensions that a certificate has, and the content of those that policies ask for most.
#[derive(Debug, Default)]
pub(super) struct Extensions<'a> {
    /// By identifier: whether it is critical, and the DER of the value.
    pub(super) all: BTreeMap<String, (bool, &'a [u8])>,
    pub(super) is_ca: bool,
    pub(super) path_length: Option<u64>,
    /// The first bit is the highest one.
    pub(super) key_usage: Option<u16>,
    pub(super) extended_key_usage: Vec<Cow<'static, str>>,
    pub(super) names: Names<'a>,
}

/// The subject's alternative names.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    pub(super) dns: Vec<&'a str>,
    pub(super) emails: Vec<&'a str>,
    pub(super) uris: Vec<&'a str>,
    pub(super) addresses: Vec<&'a [u8]>,
}

const KEY_USAGE: &str = "2.5.29.15";
pub(super) const SUBJECT_ALTERNATIVE_NAMES: &str = "2.5.29.17";
const BASIC_CONSTRAINTS: &str = "2.5.29.19";
const EXTENDED_KEY_USAGE: &str = "2.5.29.37";
/// Name constraints, certificate policies, policy mappings, policy constraints, and no policy for all: restrictions, of which a
/// policy sees the DER.
const OTHERS: [&str; 5] = ["2.5.29.30", "2.5.29.32", "2.5.29.33", "2.5.29.36", "2.5.29.54"];
/// RFC 5280, 4.2.1.3, in the order of the bits.
const USAGES: [&str; 9] = [
    "digitalSignature",
    "nonRepudiation",
    "keyEncipherment",
    "dataEncipherment",
    "keyAgreement",
    "keyCertSign",
    "cRLSign",
    "encipherOnly",
    "decipherOnly",
];
const CERT_SIGN: u16 = 0x0400;

/// The names of the bits that are set.
pub(super) fn usages(bits: u16) -> impl Iterator<Item = &'static str> {
    let is_set = move |(place, _): &(u32, _)| bits.checked_shl(*place).unwrap_or(0) & 0x8000 != 0;
    (0_u32..).zip(USAGES).filter(is_set).map(|(_, name)| name)
}

/// An identifier, whether the extension is critical, and the DER of its value.
pub(super) fn next<'a>(list: &mut Reader<'a>) -> Result<(String, bool, &'a [u8]), Malformed> {
    let mut inside = der::inside(list, der::SEQUENCE)?;
    let identifier = der::dotted(der::value(&mut inside, der::OID)?)?;
    let is_critical = match der::optional(&mut inside, der::BOOLEAN)? {
        None => false,
        Some([0xff]) => true,
        Some(_) => return Err(Malformed("a value of DER is the default one, and is there")),
    };
    let value = der::value(&mut inside, der::OCTET_STRING)?;
    inside.end()?;
    let mut one = Reader::new(value);
    der::any(&mut one)?;
    one.end()?;
    der::check(value)?;
    Ok((identifier, is_critical, value))
}

pub(super) fn read<'a>(list: &mut Reader<'a>) -> Result<Extensions<'a>, Malformed> {
    let mut read = Extensions::default();
    while !list.is_empty() {
        let (identifier, is_critical, value) = next(list)?;
        match &identifier[..] {
            KEY_USAGE => read.key_usage = Some(key_usage(value)?),
            SUBJECT_ALTERNATIVE_NAMES => read.names = names(value)?,
            BASIC_CONSTRAINTS => (read.is_ca, read.path_length) = basic_constraints(value)?,
            EXTENDED_KEY_USAGE => read.extended_key_usage = extended_key_usage(value)?,
            other if is_critical && !OTHERS.contains(&other) => {
                return Err(Malformed("a critical extension is unknown"));
            }
            _ => {}
        }
        if read.all.insert(identifier, (is_critical, value)).is_some() {
            return Err(Malformed("an extension stands twice"));
        }
    }
    let signs = read.key_usage.is_some_and(|bits| bits & CERT_SIGN != 0);
    if signs && !read.is_ca {
        return Err(Malformed("the key signs certificates, and its owner is no authority"));
    }
    if read.path_length.is_some() && !signs {
        return Err(Malformed("a path's length is bounded, and the key signs no certificates"));
    }
    Ok(read)
}

fn key_usage(value: &[u8]) -> Result<u16, Malformed> {
    match der::named_bits(der::whole(value, der::BIT_STRING)?)? {
        bits if bits & 0x7f != 0 => Err(Malformed("a usage of the key is unknown")),
        0 => Err(Malformed("the key has no usage")),
        bits => Ok(bits),
    }
}

fn basic_constraints(value: &[u8]) -> Result<(bool, Option<u64>), Malformed> {
    let mut inside = Reader::new(der::whole(value, der::SEQUENCE)?);
    let is_ca = match der::optional(&mut inside, der::BOOLEAN)? {
        None => false,
        Some([0xff]) => true,
        Some(_) => return Err(Malformed("a value of DER is the default one, and is there")),
    };
    let length = match der::optional(&mut inside, der::INTEGER)? {
        None => None,
        Some([length @ 0..=0x7f]) if is_ca => Some(u64::from(*length)),
        Some(_) => return Err(Malformed("the bound of a path's length is out of range")),
    };
    inside.end()?;
    Ok((is_ca, length))
}

fn extended_key_usage(value: &[u8]) -> Result<Vec<Cow<'static, str>>, Malformed> {
    let mut inside = Reader::new(der::whole(value, der::SEQUENCE)?);
    let mut usages = Vec::new();
    while !inside.is_empty() {
        usages.push(match der::value(&mut inside, der::OID)? {
            [0x2b, 6, 1, 5, 5, 7, 3, 1] => "serverAuth".into(),
            [0x2b, 6, 1, 5, 5, 7, 3, 2] => "clientAuth".into(),
            [0x2b, 6, 1, 5, 5, 7, 3, 3] => "codeSigning".into(),
            [0x2b, 6, 1, 5, 5, 7, 3, 4] => "emailProtection".into(),
            [0x2b, 6, 1, 5, 5, 7, 3, 8] => "timeStamping".into(),
            [0x2b, 6, 1, 5, 5, 7, 3, 9] => "OCSPSigning".into(),
            [0x55, 0x1d, 37, 0] => "anyExtendedKeyUsage".into(),
            other => der::dotted(other)?.into(),
        });
    }
    if usages.is_empty() { Err(Malformed("the key has no usage")) } else { Ok(usages) }
}

fn names(value: &[u8]) -> Result<Names<'_>, Malformed> {
    let mut inside = Reader::new(der::whole(value, der::SEQUENCE)?);
    let mut names = Names::default();
    if inside.is_empty() {
        return Err(Malformed("the list of alternative names is empty"));
    }
    while !inside.is_empty() {
        match der::any(&mut inside)? {
            (0x81, email) => names.emails.push(printed(email)?),
            (0x82, name) => names.dns.push(host(name)?),
            (0x86, uri) => names.uris.push(printed(uri)?),
            (0x87, address) if matches!(address.len(), 4 | 16) => names.addresses.push(address),
            _ => return Err(Malformed("an alternative name has an unknown form")),
        }
    }
    Ok(names)
}

/// Letters without spaces and control characters.
fn printed(bytes: &[u8]) -> Result<&str, Malformed> {
    if bytes.is_empty() || !bytes.iter().all(u8::is_ascii_graphic) {
        return Err(Malformed("an alternative name has other characters"));
    }
    text(bytes)
}

/// A name of a host, which may begin with `*.`.
fn host(bytes: &[u8]) -> Result<&str, Malformed> {
    let labels = bytes.strip_prefix(b"*.").unwrap_or(bytes);
    let is_label = |label: &[u8]| {
        (1..=63).contains(&label.len())
            && label.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    if bytes.len() > 253 || !labels.split(|byte| *byte == b'.').all(is_label) {
        return Err(Malformed("a DNS name is none of a host"));
    }
    text(bytes)
}
