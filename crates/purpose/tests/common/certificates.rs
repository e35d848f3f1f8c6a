//! Certificates: those that `tests/vectors/x509.md` describes, and small ones whose parts can be others.

use quorate_purpose::x509::{X509Certificate, X509Crl};

use super::hex;

pub const CA: &str = include_str!("../vectors/x509-ca.hex");
pub const LEAF: &str = include_str!("../vectors/x509-leaf.hex");
pub const EC: &str = include_str!("../vectors/x509-ec.hex");
pub const CRL: &str = include_str!("../vectors/x509-crl.hex");

/// A value of DER.
pub fn der(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let bytes = u32::try_from(length).unwrap().to_be_bytes();
    let bytes = &bytes[bytes.iter().position(|byte| *byte != 0).unwrap_or(3)..];
    let head = if length < 128 { vec![] } else { vec![0x80 | bytes.len() as u8] };
    [&[tag], &head[..], bytes, content].concat()
}

/// The first element of a certificate or list, and the signature at its end.
pub fn signed(text: &str) -> (Vec<u8>, [u8; 64]) {
    let bytes = hex(text);
    let at = if bytes[1] == 0x82 { 4 } else { 3 };
    let (head, length) = match bytes[at + 1] {
        0x82 => (4, usize::from(bytes[at + 2]) << 8 | usize::from(bytes[at + 3])),
        0x81 => (3, usize::from(bytes[at + 2])),
        short => (2, usize::from(short)),
    };
    (bytes[at..at + head + length].to_vec(), *bytes.last_chunk().unwrap())
}

pub fn certificate(text: &str) -> X509Certificate {
    X509Certificate::from_tbs_bytes(&signed(text).0).unwrap()
}

pub fn crl() -> X509Crl {
    X509Crl::from_tbs_bytes(&signed(CRL).0).unwrap()
}

pub fn sequence_of(parts: &[Vec<u8>]) -> Vec<u8> {
    der(0x30, &parts.concat())
}

/// A name with one common name.
pub fn name(common: &str) -> Vec<u8> {
    name_of(&[(&[0x55, 4, 3], 0x0c, common.as_bytes())])
}

pub fn name_of(parts: &[(&[u8], u8, &[u8])]) -> Vec<u8> {
    let part = |(oid, tag, value): &(&[u8], u8, &[u8])| {
        der(0x31, &sequence_of(&[der(6, oid), der(*tag, value)]))
    };
    sequence_of(&parts.iter().map(part).collect::<Vec<_>>())
}

pub fn extension(oid: &[u8], critical: Option<u8>, value: &[u8]) -> Vec<u8> {
    let critical = critical.map(|byte| der(1, &[byte])).unwrap_or_default();
    sequence_of(&[der(6, oid), critical, der(4, value)])
}

/// The parts of a `TBSCertificate`, each in DER.
#[derive(Clone)]
pub struct Tbs {
    pub version: Vec<u8>,
    pub serial: Vec<u8>,
    pub algorithm: Vec<u8>,
    pub issuer: Vec<u8>,
    pub validity: Vec<u8>,
    pub subject: Vec<u8>,
    pub key: Vec<u8>,
    pub extensions: Vec<Vec<u8>>,
}

pub const ML_DSA_65: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 18];
pub const ED25519: &[u8] = &[0x2b, 0x65, 0x70];

pub fn validity(from: &str, to: &str) -> Vec<u8> {
    let time = |text: &str| der(if text.len() == 13 { 0x17 } else { 0x18 }, text.as_bytes());
    sequence_of(&[time(from), time(to)])
}

pub fn key(algorithm: &[u8], parameters: Vec<u8>, bytes: &[u8]) -> Vec<u8> {
    let identifier = sequence_of(&[der(6, algorithm), parameters]);
    sequence_of(&[identifier, der(3, &[&[0], bytes].concat())])
}

/// A certificate for an Ed25519 key, to be signed with ML-DSA-65 (RFC 9881).
pub fn small() -> Tbs {
    Tbs {
        version: der(0xa0, &der(2, &[2])),
        serial: der(2, &[5]),
        algorithm: sequence_of(&[der(6, ML_DSA_65)]),
        issuer: name("a"),
        validity: validity("260101000000Z", "20500101000000Z"),
        subject: name("b"),
        key: key(ED25519, vec![], &[7; 32]),
        extensions: vec![extension(&[0x55, 0x1d, 15], Some(0xff), &der(3, &[7, 0x80]))],
    }
}

impl Tbs {
    pub fn bytes(&self) -> Vec<u8> {
        let extensions = match &self.extensions[..] {
            [] => vec![],
            list => der(0xa3, &sequence_of(list)),
        };
        sequence_of(&[
            self.version.clone(),
            self.serial.clone(),
            self.algorithm.clone(),
            self.issuer.clone(),
            self.validity.clone(),
            self.subject.clone(),
            self.key.clone(),
            extensions,
        ])
    }
}
