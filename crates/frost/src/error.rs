//! What can go wrong, one small enum for each thing that a caller does.

mod keys;
mod signing;

pub use keys::{AcceptError, DealError, TweakError};
pub use signing::{AggregateError, PackageError, ReceiptError, ShareRejected, SignError};

use alloc::vec::Vec;
use core::fmt;

use quorate_session::PartyId;

/// Bytes that are no valid encoding. Nothing is ever repaired: an encoding is accepted only if
/// encoding the result gives the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// The bytes end too early.
    Truncated,
    /// Bytes are left over.
    TrailingBytes,
    /// A version that this release does not know.
    UnknownVersion,
    /// Another kind of object.
    WrongKind,
    /// An object of another ciphersuite.
    WrongSuite,
    /// A party's number is zero, or a party is not one of the key's.
    BadIdentifier,
    /// Parties are not in ascending order, or one appears twice.
    BadOrder,
    /// Not the canonical encoding of an element of the prime-order group other than the identity.
    BadPoint,
    /// Not the canonical encoding of a scalar, or a zero where none may be.
    BadScalar,
    /// A threshold below 2 or above the number of parties.
    BadThreshold,
    /// A length that the object cannot have.
    BadLength,
    /// Not a state that a key share can be in.
    BadState,
    /// The parts are valid each, but do not belong together.
    Inconsistent,
    /// The message names another party than the one that sent it.
    NotTheSenders {
        /// The sender, as the transport authenticated it.
        sender: PartyId,
        /// The party that the message names.
        named: PartyId,
    },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotTheSenders { sender, named } => {
                return write!(f, "a message of {sender} in the name of {named}");
            }
            Self::Truncated => "the bytes end too early",
            Self::TrailingBytes => "bytes are left over",
            Self::UnknownVersion => "a version that this release does not know",
            Self::WrongKind => "another kind of object",
            Self::WrongSuite => "an object of another ciphersuite",
            Self::BadIdentifier => "a party that cannot be",
            Self::BadOrder => "parties are out of order or appear twice",
            Self::BadPoint => "not the encoding of a valid group element",
            Self::BadScalar => "not the encoding of a valid scalar",
            Self::BadThreshold => "a threshold outside 2 to the number of parties",
            Self::BadLength => "a length that the object cannot have",
            Self::BadState => "not a state of a key share",
            Self::Inconsistent => "the parts do not belong together",
        })
    }
}

/// Something is of another public key package than expected. Nobody is to blame: a party that
/// missed a refresh, or a coordinator with an old package, is not a cheat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mismatch {
    /// The package of another key.
    WrongKey,
    /// A package of the same key with other shares.
    WrongEpoch {
        /// The epoch of the package expected.
        expected: u32,
        /// The epoch of the one found. Two refreshes of one epoch end in the same number and
        /// different shares.
        got: u32,
    },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongKey => f.write_str("it belongs to another key"),
            Self::WrongEpoch { expected, got } if expected == got => {
                write!(f, "it belongs to another refresh that ended in epoch {got}")
            }
            Self::WrongEpoch { expected, got } => {
                write!(f, "it belongs to epoch {got} of this key, expected epoch {expected}")
            }
        }
    }
}

/// A signature that does not verify.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidSignature;

impl fmt::Display for InvalidSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the signature does not verify")
    }
}

/// The signatures of a batch that do not verify.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchError {
    /// Their places in the batch, ascending, never empty.
    pub invalid: Vec<usize>,
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} signatures of the batch do not verify", self.invalid.len())
    }
}

impl core::error::Error for DecodeError {}
impl core::error::Error for Mismatch {}
impl core::error::Error for InvalidSignature {}
impl core::error::Error for BatchError {}
