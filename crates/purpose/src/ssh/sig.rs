//! Signatures of files and commits.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::body::Body;
use crate::error::Malformed;
use crate::facts::Facts;
use crate::kind::Kind;
use crate::message::{KeyKind, Message};
use crate::wire::{Reader, block, text};

const MAGIC: &[u8] = b"SSHSIG";
/// The longest namespace that is taken here.
const NAMESPACE: usize = 255;

/// The hash of the signed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SshHash {
    /// SHA-256.
    Sha256([u8; 32]),
    /// SHA-512, which `ssh-keygen` takes.
    Sha512([u8; 64]),
}

impl SshHash {
    const fn parts(&self) -> (&'static str, &[u8]) {
        match self {
            Self::Sha256(digest) => ("sha256", digest),
            Self::Sha512(digest) => ("sha512", digest),
        }
    }
}

/// A signature of a file, commit or release (OpenSSH's `PROTOCOL.sshsig`).
///
/// The body is the signed data: `SSHSIG`, namespace, an empty reserved string, the hash's name and the hash. Facts:
/// `namespace` (`git`, `file`, …), `hash` (`sha256` or `sha512`), `digest`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SshSignature {
    namespace: String,
    hash: SshHash,
}

impl SshSignature {
    /// A signature in a namespace.
    ///
    /// # Errors
    /// If the namespace is empty or longer than 255 bytes.
    pub fn new(namespace: impl Into<String>, hash: SshHash) -> Result<Self, Malformed> {
        let namespace = namespace.into();
        if (1..=NAMESPACE).contains(&namespace.len()) {
            Ok(Self { namespace, hash })
        } else {
            Err(Malformed("the namespace is empty, or too long"))
        }
    }

    /// Reads the signed data, which an agent is given.
    ///
    /// # Errors
    /// If it is not that of a signature of a file.
    pub fn from_signed_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(Malformed("this is no SSHSIG"))?;
        let mut reader = Reader::new(rest);
        let namespace = text(reader.block()?)?;
        if !reader.block()?.is_empty() {
            return Err(Malformed("the reserved string is not empty"));
        }
        let (name, digest) = (reader.block()?, reader.block()?);
        reader.end()?;
        let hash = match name {
            b"sha256" => digest.try_into().map(SshHash::Sha256),
            b"sha512" => digest.try_into().map(SshHash::Sha512),
            _ => return Err(Malformed("the hash is unknown")),
        };
        Self::new(
            namespace,
            hash.map_err(|_| Malformed("the digest has not the length of its hash"))?,
        )
    }

    /// The signed data.
    #[must_use]
    pub fn signed_bytes(&self) -> Vec<u8> {
        let (name, digest) = self.hash.parts();
        let mut bytes = MAGIC.to_vec();
        for field in [self.namespace.as_bytes(), b"", name.as_bytes(), digest] {
            block(&mut bytes, field);
        }
        bytes
    }
}

impl Body for SshSignature {
    const KIND: Kind = Kind::SshSignature;

    fn read(body: &[u8]) -> Result<Self, Malformed> {
        Self::from_signed_bytes(body)
    }

    fn write(&self, to: &mut Vec<u8>) {
        to.extend(self.signed_bytes());
    }

    fn signed(&self, key: KeyKind) -> Option<Message> {
        super::algorithm(key).map(|_| super::signed(self.signed_bytes(), key))
    }

    fn add_facts(&self, facts: &mut Facts) {
        let (name, digest) = self.hash.parts();
        facts.add("namespace", self.namespace.to_owned());
        facts.add("hash", name);
        facts.add("digest", digest);
    }
}
