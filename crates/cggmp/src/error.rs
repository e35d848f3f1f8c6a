//! Errors outside of a run.

mod inventory;
mod signing;

pub use inventory::{InsertError, IntersectError, ListFault, ListMismatch};
pub use signing::{ClaimError, CombineError, PartialError, PartialFault, PartialMismatch};

use core::fmt;

use quorate_session::PartyId;

/// Why bytes are refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DecodeError {
    /// Bytes are missing.
    Truncated,
    /// Bytes are left over.
    TrailingBytes,
    /// A list with more entries than such an object can have.
    TooLong,
    /// The first byte is not a version that this release reads.
    UnknownVersion,
    /// Another kind of object.
    WrongKind,
    /// An object of another curve.
    WrongCurve,
    /// Zero as a party, or a party that is not one of the key's.
    BadIdentifier,
    /// Parties not in ascending order, or one twice.
    BadOrder,
    /// Too few parties, or too many.
    BadParties,
    /// The threshold is below 2 or above the number of parties.
    BadThreshold,
    /// Not the compressed form of a point, or the identity.
    BadPoint,
    /// A scalar that is not below the order, or zero where it must not be.
    BadScalar,
    /// `s` is above half the order, where only the smaller of `s` and `-s` is taken.
    HighS,
    /// A recovery id above 3.
    BadRecoveryId(u8),
    /// Not the DER of a signature, or of a public key over this curve; says what was expected.
    BadDer(&'static str),
    /// Not the PEM of a public key; says what was expected.
    BadPem(&'static str),
    /// The parts do not belong together.
    Inconsistent,
    /// The digest at the end is not that of the bytes before it: they were damaged.
    Damaged,
}

impl DecodeError {
    /// Whether it is another kind of object altogether, of another curve or version: a message that
    /// went astray or a peer of another release, which proves nothing.
    pub(crate) const fn is_another_format(self) -> bool {
        matches!(self, Self::UnknownVersion | Self::WrongKind | Self::WrongCurve)
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BadRecoveryId(found) => {
                return write!(f, "recovery id {found}, expected 0 to 3");
            }
            Self::BadDer(expected) => return write!(f, "not in DER: {expected}"),
            Self::BadPem(expected) => return write!(f, "not in PEM: {expected}"),
            Self::Truncated => "bytes are missing",
            Self::TrailingBytes => "bytes are left over",
            Self::TooLong => "more entries than such an object can have",
            Self::UnknownVersion => "unknown version",
            Self::WrongKind => "another kind of object",
            Self::WrongCurve => "an object of another curve",
            Self::BadIdentifier => "not one of the parties",
            Self::BadOrder => "parties out of order",
            Self::BadParties => "too few or too many parties",
            Self::BadThreshold => "the threshold does not fit the number of parties",
            Self::BadPoint => "not a point of the curve",
            Self::BadScalar => "not a scalar of the curve",
            Self::HighS => {
                "s is above half the order, expected the smaller of s and -s; the functions named \
                 `_either_s` take both"
            }
            Self::Inconsistent => "the parts do not belong together",
            Self::Damaged => "the bytes were damaged",
        })
    }
}

impl core::error::Error for DecodeError {}

/// Why a set of parties cannot sign together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SignersError {
    /// Fewer than the key's threshold.
    TooFew {
        /// How many there are.
        got: usize,
        /// How many it takes.
        need: u16,
    },
    /// This party holds no share of the key.
    Unknown(PartyId),
    /// The party whose share this is, is not one of the signers.
    NotASigner,
    /// The key's public shares do not add up to the key; the stored key is defective.
    Inconsistent,
}

impl fmt::Display for SignersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew { got, need } => write!(f, "got {got} signers, need at least {need}"),
            Self::Unknown(party) => write!(f, "party {party} holds no share of this key"),
            Self::NotASigner => f.write_str("this party is not one of the signers"),
            Self::Inconsistent => f.write_str("the public shares do not add up to the key"),
        }
    }
}

impl core::error::Error for SignersError {}

/// Why there is no such child key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DeriveError {
    /// A hardened index needs the whole secret key, which nobody has.
    Hardened,
    /// Not a path: `m`, then `/` and a number below 2^31 for each level.
    BadPath,
    /// More than 255 levels.
    TooDeep,
    /// There is no valid child key at this index (BIP-32: chance below 2^-127; take the next).
    NoSuchChild(u32),
    /// Adding the shift would give a key, or a public share, that is the identity.
    Identity,
}

impl fmt::Display for DeriveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hardened => f.write_str("a hardened child cannot be derived from shares"),
            Self::BadPath => f.write_str("not a derivation path"),
            Self::TooDeep => f.write_str("a path of more than 255 levels"),
            Self::NoSuchChild(index) => write!(f, "no valid child key at index {index}"),
            Self::Identity => f.write_str("the shifted key is the identity"),
        }
    }
}

impl core::error::Error for DeriveError {}

/// The signature is not one of this message under this key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidSignature;

impl fmt::Display for InvalidSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the signature does not verify")
    }
}

impl core::error::Error for InvalidSignature {}

/// Why shares of a whole key cannot be dealt, or put together again.
#[cfg(feature = "whole-key")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WholeKeyError {
    /// The threshold is below 2 or above the number of parties.
    BadThreshold,
    /// More parties than a key may have.
    TooManyParties,
    /// Zero is no secret key.
    ZeroKey,
    /// The generator of random numbers is broken: it gives zeros only.
    Randomness,
    /// Fewer shares than the threshold.
    TooFew {
        /// How many there are.
        got: usize,
        /// How many it takes.
        need: u16,
    },
    /// Two shares of this party.
    DuplicateParty(PartyId),
    /// Shares of different keys, or of different epochs of one.
    Mixed,
    /// The result is not the secret of the public key.
    Inconsistent,
}

#[cfg(feature = "whole-key")]
impl fmt::Display for WholeKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadThreshold => f.write_str("the threshold does not fit the number of parties"),
            Self::TooManyParties => f.write_str("more parties than a key may have"),
            Self::ZeroKey => f.write_str("zero is no secret key"),
            Self::Randomness => f.write_str("the generator of random numbers is broken"),
            Self::TooFew { got, need } => write!(f, "got {got} shares, need at least {need}"),
            Self::DuplicateParty(party) => write!(f, "two shares of party {party}"),
            Self::Mixed => f.write_str("shares of different keys or epochs"),
            Self::Inconsistent => f.write_str("the shares do not make the secret of the key"),
        }
    }
}

#[cfg(feature = "whole-key")]
impl core::error::Error for WholeKeyError {}
