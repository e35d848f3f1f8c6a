//! The message that is signed.

use alloc::vec::Vec;
use core::fmt;

use sha2::Digest as _;

use crate::kind::Kind;

/// A hash function that stands before ECDSA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Hash {
    /// SHA-256 (FIPS 180-4).
    Sha256,
    /// SHA-384 (FIPS 180-4).
    Sha384,
    /// Keccak-256, as Ethereum and Tron have it: not SHA3-256.
    Keccak256,
}

impl Hash {
    /// Every hash function.
    pub const ALL: [Self; 3] = [Self::Sha256, Self::Sha384, Self::Keccak256];

    /// The name in facts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sha256 => "sha256",
            Self::Sha384 => "sha384",
            Self::Keccak256 => "keccak256",
        }
    }

    /// The hash of bytes.
    #[must_use]
    pub fn digest(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Sha256 => sha2::Sha256::digest(bytes).to_vec(),
            Self::Sha384 => sha2::Sha384::digest(bytes).to_vec(),
            Self::Keccak256 => keccak256(bytes).to_vec(),
        }
    }

    /// How long its values are.
    pub(crate) const fn length(self) -> usize {
        match self {
            Self::Sha256 | Self::Keccak256 => 32,
            Self::Sha384 => 48,
        }
    }

    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Sha256 => 1,
            Self::Sha384 => 2,
            Self::Keccak256 => 3,
        }
    }

    pub(crate) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|hash| hash.code() == code)
    }
}

pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    sha2::Sha256::digest(bytes).into()
}

pub(crate) fn keccak256(bytes: &[u8]) -> [u8; 32] {
    sha3::Keccak256::digest(bytes).into()
}

/// The scheme and curve of the key that is to sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum KeyKind {
    /// ECDSA over secp256k1.
    EcdsaSecp256k1,
    /// ECDSA over P-256.
    EcdsaP256,
    /// Ed25519 (RFC 8032), pure.
    Ed25519,
    /// Ed448 (RFC 8032), pure, with the empty context.
    Ed448,
    /// Schnorr over secp256k1 (BIP-340).
    Bip340,
    /// ML-DSA (FIPS 204), pure, with the empty context.
    MlDsa,
}

impl KeyKind {
    /// Every kind of key.
    pub const ALL: [Self; 6] = [
        Self::EcdsaSecp256k1,
        Self::EcdsaP256,
        Self::Ed25519,
        Self::Ed448,
        Self::Bip340,
        Self::MlDsa,
    ];

    /// Returns whether the scheme signs a hash of the message that the caller computes.
    #[must_use]
    pub const fn is_ecdsa(self) -> bool {
        matches!(self, Self::EcdsaSecp256k1 | Self::EcdsaP256)
    }
}

/// The input of a key's scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Message {
    /// Bytes of which ECDSA signs a hash.
    Hashed {
        /// The hash.
        hash: Hash,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Bytes that the scheme takes whole: EdDSA, BIP-340 and ML-DSA.
    Raw(Vec<u8>),
    /// A digest without the bytes: an [`OpaqueDigest`](crate::OpaqueDigest), for ECDSA.
    Digest(Vec<u8>),
}

impl Message {
    /// The 32 bytes that ECDSA over secp256k1 or P-256 signs; nothing for other schemes.
    ///
    /// A longer hash is cut to its first 32 bytes, as FIPS 186-5 and SEC 1 say for curves of 256 bits.
    #[must_use]
    pub fn ecdsa_digest(&self) -> Option<[u8; 32]> {
        let digest = match self {
            Self::Hashed { hash, bytes } => &hash.digest(bytes),
            Self::Digest(digest) => digest,
            Self::Raw(_) => return None,
        };
        digest.first_chunk().copied()
    }

    /// The bytes that EdDSA, BIP-340 or ML-DSA signs; nothing for ECDSA.
    #[must_use]
    pub fn raw(&self) -> Option<&[u8]> {
        if let Self::Raw(bytes) = self { Some(bytes) } else { None }
    }
}

/// A key of this kind does not sign this purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongKey {
    /// The purpose.
    pub purpose: Kind,
    /// The key.
    pub key: KeyKind,
}

impl fmt::Display for WrongKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no key of the kind {:?} signs this purpose: {}", self.key, self.purpose)
    }
}

impl core::error::Error for WrongKey {}
