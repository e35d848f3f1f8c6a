//! The reasons why there is no child, or a text is not an extended key.

use core::fmt;

use super::Network;
use crate::CommitteeError;

/// The reason why there is no such child key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DeriveError {
    /// A hardened index needs the whole secret key, which nobody has.
    Hardened,
    /// Not a path: `m`, then `/` and a number below 2^31 for each level.
    BadPath,
    /// More than 255 levels, including those above the key that is derived from, if they are known.
    TooDeep,
    /// There is no valid child key at this index (BIP-32: chance below 2^-127; take the next).
    NoSuchChild(u32),
    /// Adding the shift would give a key, or a public share, that is the identity.
    Identity,
    /// The extended key is that of another key.
    OtherKey,
    /// Keys of the family commit to no scripts: only Taproot's outputs do.
    NoScripts,
    /// The family of the new key has no such committee.
    Committee(CommitteeError),
}

impl fmt::Display for DeriveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hardened => f.write_str(
                "a hardened child needs the whole secret key, which nobody has: use indices below 2^31",
            ),
            Self::BadPath => f.write_str(
                "not a derivation path: expected `m`, then `/` and a number below 2^31 for each level",
            ),
            Self::TooDeep => f.write_str("a path of more than 255 levels, expected at most that"),
            Self::NoSuchChild(index) => write!(f, "there is no child key at index {index}: take the next index"),
            Self::Identity => f.write_str("the derived key would be the identity: take another path"),
            Self::OtherKey => f.write_str("the extended key is that of another key"),
            Self::NoScripts => f.write_str(
                "only outputs of Taproot commit to scripts: expected no Merkle root for a key of this family",
            ),
            Self::Committee(why) => why.fmt(f),
        }
    }
}

impl core::error::Error for DeriveError {}

/// The reason why a text is not the extended public key of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum XpubError {
    /// An extended *private* key. It was not decoded. Wipe the text, and do not bring it here again.
    Private,
    /// Not as many characters as an extended key has.
    Length {
        /// The number expected.
        expected: usize,
        /// The number found.
        got: usize,
    },
    /// A character that is not in base58, or more than 82 bytes.
    NotBase58,
    /// The checksum does not match, so a character is wrong.
    Checksum,
    /// Version bytes that are not those of an extended public key of BIP-32; ypub and zpub are not.
    Version([u8; 4]),
    /// A key of another network.
    WrongNetwork {
        /// The network asked for.
        expected: Network,
        /// The network found.
        found: Network,
    },
    /// Not the compressed form of a point.
    BadPoint,
    /// A master key, of depth 0, with a parent's fingerprint or a child number.
    MasterWithParent,
}

impl fmt::Display for XpubError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Private => f.write_str(
                "an extended private key: expected a public one, and the private one was not read",
            ),
            Self::Length { expected, got } => {
                write!(f, "got {got} characters, expected an extended key's {expected}")
            }
            Self::NotBase58 => f.write_str("not the base58 form of 82 bytes"),
            Self::Checksum => f.write_str("the checksum is wrong: a character was altered"),
            Self::Version([a, b, c, d]) => write!(
                f,
                "version {a:02x}{b:02x}{c:02x}{d:02x} is not that of an extended public key of BIP-32"
            ),
            Self::WrongNetwork { expected, found } => {
                write!(f, "an extended key of {found}, expected one of {expected}")
            }
            Self::BadPoint => f.write_str("expected the compressed form of a point on secp256k1"),
            Self::MasterWithParent => f.write_str(
                "a key of depth 0 has no parent: expected fingerprint and child number to be zero",
            ),
        }
    }
}

impl core::error::Error for XpubError {}
