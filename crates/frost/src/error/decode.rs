//! Errors of decoding and verifying, and words that the texts share.

use alloc::vec::Vec;
use core::fmt;

use quorate_keys::{CommitteeError, DecodeError as KeyDecodeError, Mismatch};
use quorate_session::PartyId;
use quorate_session::container::ContainerError;
use quorate_session::stock::RangesError;
use quorate_session::wire::ReadError;

/// Bytes that are not a valid encoding. Nothing is ever repaired: an encoding is accepted only if encoding the
/// result gives the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// The bytes end before the object does. If the container is whole, the bytes are those of its body.
    Truncated,
    /// Bytes follow the object.
    TrailingBytes,
    /// Zero as a party, or a party that is not one of the key's; its number.
    BadIdentifier(u16),
    /// Entries not in ascending order, or one twice.
    BadOrder,
    /// No set of slots.
    Ranges(RangesError),
    /// Not the canonical encoding of an element of the prime-order group other than the identity.
    BadPoint,
    /// Not the canonical encoding of a scalar, or a zero where none may be.
    BadScalar,
    /// Fewer than two parties.
    BadParties {
        /// The number of parties.
        got: usize,
    },
    /// A threshold below 2 or above the number of parties.
    BadThreshold {
        /// The threshold found.
        threshold: u16,
        /// The number of parties.
        parties: usize,
    },
    /// The threshold times the number of parties is above [`Committee::MOST_STEPS`](crate::Committee::MOST_STEPS), or an
    /// import takes too much work ([`Committee::importable`](crate::Committee::importable)).
    TooLarge {
        /// The largest product.
        most: u64,
        /// The product.
        got: u64,
    },
    /// A signing package without signers.
    NoSigners,
    /// An object of a fixed length that has another.
    WrongLength {
        /// The expected length, in bytes.
        expected: usize,
        /// The length of the bytes.
        got: usize,
    },
    /// Another number of verifying shares than there are parties.
    WrongCount {
        /// The number of parties.
        expected: usize,
        /// The number of verifying shares.
        got: usize,
    },
    /// Not a state that a key share of its epoch can be in; the byte found.
    BadState(u8),
    /// Another container than the expected one: damaged, or of another kind, version, curve or suite.
    Container(ContainerError),
    /// A stored share that is not one of the public key package.
    Mismatch(Mismatch),
    /// Every part is valid, but they do not belong together. The text names them.
    Inconsistent(&'static str),
    /// The message names another party than the one that sent it.
    NotTheSenders {
        /// The sender, as the transport authenticated it.
        sender: PartyId,
        /// The party that the message names.
        named: PartyId,
    },
}

impl DecodeError {
    /// Returns whether it is another kind of object altogether, or one of another suite or version. Then the
    /// message went astray or the peer has another release, which proves nothing.
    pub(crate) const fn is_another_format(self) -> bool {
        matches!(self, Self::Container(why) if why.is_another_format())
    }

    /// The text of those that carry no values.
    const fn text(self) -> &'static str {
        match self {
            Self::Truncated => {
                "the bytes end before the object does: read all of them, from where they are whole"
            }
            Self::TrailingBytes => {
                "bytes follow the object, expected its encoding and nothing else"
            }
            Self::BadOrder => "expected entries in ascending order and none twice",
            Self::BadPoint => {
                "expected the canonical encoding of an element of the group, not the identity"
            }
            Self::NoSigners => "got a signing package without signers, expected at least one",
            // Of the others, only this one carries nothing.
            _ => "expected the canonical encoding of a number below the order of the group",
        }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadIdentifier(0) => f.write_str("got party 0, parties are numbered from 1"),
            Self::BadIdentifier(party) => {
                write!(f, "party {party} is not one of the key's parties")
            }
            Self::BadParties { got } => {
                write!(f, "got {got} {}, expected at least 2", plural(*got, "party", "parties"))
            }
            Self::BadThreshold { threshold, parties } => threshold_text(f, *threshold, *parties),
            Self::TooLarge { most, got } => {
                CommitteeError::TooLarge { most: *most, got: *got }.fmt(f)
            }
            Self::WrongLength { expected, got } => {
                write!(f, "got {got} bytes, expected {expected}")
            }
            Self::WrongCount { expected, got } => {
                write!(f, "got {got} verifying shares, expected one for each of {expected} parties")
            }
            Self::BadState(found) => {
                write!(f, "got {found} as a key share's state, expected 0, 2, or 1 after epoch 0")
            }
            Self::Container(why) => why.fmt(f),
            Self::Ranges(why) => why.fmt(f),
            Self::Mismatch(why) => write!(f, "the share is not one of this package: {why}"),
            Self::Inconsistent(how) => write!(f, "the parts do not belong together: {how}"),
            Self::NotTheSenders { sender, named } => {
                write!(f, "sent by party {sender} in the name of party {named}")
            }
            plain => f.write_str(plain.text()),
        }
    }
}

/// `got a threshold of 4 among 3 parties, expected 2 to 3`
pub(super) fn threshold_text(
    f: &mut fmt::Formatter<'_>,
    threshold: u16,
    parties: usize,
) -> fmt::Result {
    write!(f, "got a threshold of {threshold} among {parties} parties, expected 2 to {parties}")
}

/// The form of a word that goes with a number.
pub(super) const fn plural<'a>(count: usize, one: &'a str, many: &'a str) -> &'a str {
    if count == 1 { one } else { many }
}

/// `no share yet from party 2, party 5`
pub(super) fn list(f: &mut fmt::Formatter<'_>, text: &str, parties: &[PartyId]) -> fmt::Result {
    f.write_str(text)?;
    let mut separator = " ";
    for party in parties {
        write!(f, "{separator}party {party}")?;
        separator = ", ";
    }
    Ok(())
}

/// A signature that does not verify.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidSignature;

impl fmt::Display for InvalidSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the signature does not verify for this message under this key")
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
        let count = self.invalid.len();
        let (noun, verb) = (plural(count, "signature", "signatures"), plural(count, "does", "do"));
        write!(f, "{count} {noun} of the batch {verb} not verify, at")?;
        let mut separator = " ";
        for place in &self.invalid {
            write!(f, "{separator}{place}")?;
            separator = ", ";
        }
        Ok(())
    }
}

impl From<RangesError> for DecodeError {
    fn from(error: RangesError) -> Self {
        Self::Ranges(error)
    }
}

impl From<ContainerError> for DecodeError {
    fn from(error: ContainerError) -> Self {
        Self::Container(error)
    }
}

impl From<ReadError> for DecodeError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Truncated => Self::Truncated,
            ReadError::TrailingBytes => Self::TrailingBytes,
        }
    }
}

/// Maps the error of a stored share or package to this crate's.
impl From<KeyDecodeError> for DecodeError {
    fn from(error: KeyDecodeError) -> Self {
        match error {
            KeyDecodeError::Container(why) => Self::Container(why),
            KeyDecodeError::Body(why) => why.into(),
            KeyDecodeError::BadOrder => Self::BadOrder,
            KeyDecodeError::Committee(CommitteeError::Threshold { threshold, parties }) => {
                Self::BadThreshold { threshold, parties }
            }
            KeyDecodeError::Committee(CommitteeError::TooLarge { most, got }) => {
                Self::TooLarge { most, got }
            }
            KeyDecodeError::BadPoint => Self::BadPoint,
            KeyDecodeError::BadScalar => Self::BadScalar,
            KeyDecodeError::BadState(found) => Self::BadState(found),
            KeyDecodeError::Inconsistent(how) => Self::Inconsistent(how),
            // A committee of more parties than there can be.
            _ => Self::BadOrder,
        }
    }
}

impl core::error::Error for DecodeError {}
impl core::error::Error for InvalidSignature {}
impl core::error::Error for BatchError {}
