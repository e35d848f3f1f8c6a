//! Purposes of which nothing is known.

use alloc::vec::Vec;

use crate::body::Body;
use crate::error::Malformed;
use crate::facts::Facts;
use crate::kind::Kind;
use crate::message::{Hash, KeyKind, Message};
use crate::wire::check_length;

const UNKNOWN_HASH: Malformed = Malformed("the hash is unknown");

/// Bytes without a structure that this crate knows, and the hash that stands before ECDSA.
///
/// They can be the signed form of another purpose: see [`Kind::is_opaque`].
///
/// The body is the code of the hash (0 for none) and the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpaqueMessage {
    hash: Option<Hash>,
    bytes: Vec<u8>,
}

impl OpaqueMessage {
    /// Bytes for a key of ECDSA, which signs their hash.
    ///
    /// # Errors
    /// If they do not fit into [`MAX_LENGTH`](crate::MAX_LENGTH).
    pub fn hashed(hash: Hash, bytes: impl Into<Vec<u8>>) -> Result<Self, Malformed> {
        Self { hash: Some(hash), bytes: bytes.into() }.check()
    }

    /// Bytes for a key of another scheme.
    ///
    /// # Errors
    /// If they do not fit into [`MAX_LENGTH`](crate::MAX_LENGTH).
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Result<Self, Malformed> {
        Self { hash: None, bytes: bytes.into() }.check()
    }

    fn check(self) -> Result<Self, Malformed> {
        check_length(self.bytes.len() + 1)?;
        Ok(self)
    }
}

impl Body for OpaqueMessage {
    const KIND: Kind = Kind::OpaqueMessage;

    fn read(body: &[u8]) -> Result<Self, Malformed> {
        match body.split_first().ok_or(UNKNOWN_HASH)? {
            (0, bytes) => Self::raw(bytes),
            (code, bytes) => Self::hashed(Hash::from_code(*code).ok_or(UNKNOWN_HASH)?, bytes),
        }
    }

    fn write(&self, to: &mut Vec<u8>) {
        to.push(self.hash.map_or(0, Hash::code));
        to.extend_from_slice(&self.bytes);
    }

    fn signed(&self, key: KeyKind) -> Option<Message> {
        let bytes = self.bytes.clone();
        match self.hash {
            Some(hash) if key.is_ecdsa() => Some(Message::Hashed { hash, bytes }),
            None if !key.is_ecdsa() => Some(Message::Raw(bytes)),
            _ => None,
        }
    }

    fn add_facts(&self, facts: &mut Facts) {
        facts.add("bytes", &self.bytes[..]);
        facts.add("hash", self.hash.map_or("none", Hash::name));
    }
}

/// A digest of something that nobody shows, for a key of ECDSA. Every signer trusts whoever asks.
///
/// The body is the code of the hash and the digest. The name of the hash is what the requester says; nobody can check it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpaqueDigest {
    hash: Hash,
    digest: Vec<u8>,
}

impl OpaqueDigest {
    /// A digest, as long as this hash makes it.
    ///
    /// # Errors
    /// If it is shorter or longer.
    pub fn new(hash: Hash, digest: impl Into<Vec<u8>>) -> Result<Self, Malformed> {
        let digest = digest.into();
        if digest.len() == hash.length() {
            Ok(Self { hash, digest })
        } else {
            Err(Malformed("the digest has not the length of its hash"))
        }
    }
}

impl Body for OpaqueDigest {
    const KIND: Kind = Kind::OpaqueDigest;

    fn read(body: &[u8]) -> Result<Self, Malformed> {
        let (code, digest) = body.split_first().ok_or(UNKNOWN_HASH)?;
        Self::new(Hash::from_code(*code).ok_or(UNKNOWN_HASH)?, digest)
    }

    fn write(&self, to: &mut Vec<u8>) {
        to.push(self.hash.code());
        to.extend_from_slice(&self.digest);
    }

    fn signed(&self, key: KeyKind) -> Option<Message> {
        key.is_ecdsa().then(|| Message::Digest(self.digest.clone()))
    }

    fn add_facts(&self, facts: &mut Facts) {
        facts.add("digest", &self.digest[..]);
        facts.add("hash", self.hash.name());
    }
}
