//! Errors outside of a run.

mod inventory;
mod signing;

pub use inventory::{InsertError, IntersectError, ListFault, ListMismatch};
pub use signing::{AggregateError, ClaimError, ShareFault, ShareMismatch, ShareRejected};

use core::fmt;

use quorate_keys::Mismatch;
use quorate_session::PartyId;
use quorate_session::container::ContainerError;
use quorate_session::stock::RangesError;
use quorate_session::wire::ReadError;

/// `no share yet from party 2, party 5`
fn list(f: &mut fmt::Formatter<'_>, text: &str, parties: &[PartyId]) -> fmt::Result {
    f.write_str(text)?;
    let mut separator = " ";
    for party in parties {
        write!(f, "{separator}party {party}")?;
        separator = ", ";
    }
    Ok(())
}

/// The reason why bytes are refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DecodeError {
    /// The body ends before the object does.
    Truncated,
    /// Bytes follow the object.
    TrailingBytes,
    /// A list with more entries than such an object can have.
    TooLong,
    /// Another container than the one that was asked for: damaged, or of another kind, version, curve, or level of
    /// moduli, which stands for the family.
    Container(ContainerError),
    /// Auxiliary information that was proved with another set of proofs: the parties make it anew.
    OtherProofs {
        /// The set of proofs of this release.
        expected: u8,
        /// The set found.
        found: u8,
    },
    /// Zero as a party, or a party that is not one of the key's; its number.
    BadIdentifier(u16),
    /// Parties not in ascending order, or one twice.
    BadOrder,
    /// An index that no presignature of a run has: [`MAX_PRESIGNATURES`](crate::MAX_PRESIGNATURES) or above.
    BadIndex(u32),
    /// The bytes are no set of indices.
    Ranges(RangesError),
    /// Fewer parties than two, or more than [`MAX_PARTIES`](crate::MAX_PARTIES).
    BadParties {
        /// The number found.
        got: usize,
    },
    /// The bytes are no stored key or share of a key; the error says what is wrong.
    Key(quorate_keys::DecodeError),
    /// A share of another key, epoch or package.
    Mismatch(Mismatch),
    /// Not the compressed form of a point, or the identity.
    BadPoint,
    /// A scalar that is not below the order, or zero where it must not be.
    BadScalar,
    /// A byte for yes or no that is neither 1 nor 0.
    BadFlag(u8),
    /// `s` is above half the order, where only the smaller of `s` and `-s` is taken.
    HighS,
    /// A recovery id above 3.
    BadRecoveryId(u8),
    /// Not the DER of a signature, or of a public key over this curve; says what was expected.
    BadDer(&'static str),
    /// Not the PEM of a public key; says what was expected.
    BadPem(&'static str),
    /// A key, a setup or a prime that the floor below refuses.
    Numbers(quorate_paillier::Error),
    /// Every part is valid, but they do not belong together; says which.
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
    /// Returns whether it is another kind of object altogether, of another curve or version. Then a message
    /// went astray, or a peer has another release, which proves nothing.
    pub(crate) const fn is_another_format(self) -> bool {
        matches!(self, Self::Container(why) if why.is_another_format())
    }
}

impl DecodeError {
    /// The text of the variants without further values.
    const fn text(self) -> &'static str {
        match self {
            Self::Truncated => {
                "the bytes end before the object does: read all of them, from where they are whole"
            }
            Self::TrailingBytes => {
                "bytes follow the object, expected its encoding and nothing else"
            }
            Self::TooLong => "a list of more entries than such an object can have",
            Self::BadOrder => "expected entries in ascending order and none twice",
            Self::BadPoint => "expected the encoding of a point of the curve, not the identity",
            Self::BadScalar => "expected a number below the order of the curve, not zero",
            _ => {
                "s is above half the order, expected the smaller of s and -s; the functions named \
                 `_either_s` take both"
            }
        }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Container(why) => why.fmt(f),
            Self::OtherProofs { expected, found } => write!(
                f,
                "proved with the set of proofs {found}, this release takes {expected}: the parties make it anew"
            ),
            Self::BadIdentifier(0) => f.write_str("got party 0, parties are numbered from 1"),
            Self::BadIdentifier(party) => {
                write!(f, "party {party} is not one of the key's parties")
            }
            Self::BadParties { got } => {
                write!(f, "got {got} parties, expected 2 to {}", crate::MAX_PARTIES)
            }
            Self::BadIndex(index) => {
                write!(f, "got index {index}, expected one below {}", crate::MAX_PRESIGNATURES)
            }
            Self::Ranges(error) => error.fmt(f),
            Self::Key(error) => error.fmt(f),
            Self::Mismatch(why) => write!(f, "the share is not of this key: {why}"),
            Self::BadRecoveryId(found) => write!(f, "got recovery id {found}, expected 0 to 3"),
            Self::BadFlag(found) => write!(f, "got {found} for a flag, expected 0 or 1"),
            Self::BadDer(expected) => write!(f, "not in DER: {expected}"),
            Self::BadPem(expected) => write!(f, "not in PEM: {expected}"),
            Self::Numbers(error) => write!(f, "the numbers are refused: {error}"),
            Self::Inconsistent(how) => write!(f, "the parts do not belong together: {how}"),
            Self::NotTheSenders { sender, named } => {
                write!(f, "sent by party {sender} in the name of party {named}")
            }
            plain => f.write_str(plain.text()),
        }
    }
}

impl core::error::Error for DecodeError {}

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

impl From<quorate_keys::DecodeError> for DecodeError {
    fn from(error: quorate_keys::DecodeError) -> Self {
        Self::Key(error)
    }
}

impl From<RangesError> for DecodeError {
    fn from(error: RangesError) -> Self {
        Self::Ranges(error)
    }
}

impl From<Mismatch> for DecodeError {
    fn from(why: Mismatch) -> Self {
        Self::Mismatch(why)
    }
}

/// The reason why a set of parties cannot sign together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SignersError {
    /// Fewer than the key's threshold.
    TooFew {
        /// The number found.
        got: usize,
        /// The number needed.
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
            Self::TooFew { got, need } => write!(f, "{got} of the {need} signers needed"),
            Self::Unknown(party) => {
                write!(f, "party {party} holds no share of this key: leave it out")
            }
            Self::NotASigner => f.write_str(
                "the party whose share this is, is not among the signers: add it, or let it rest",
            ),
            Self::Inconsistent => f.write_str(
                "the public shares do not add up to the key: what is stored of it is defective",
            ),
        }
    }
}

impl core::error::Error for SignersError {}

/// The signature is not one of this message under this key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidSignature;

impl fmt::Display for InvalidSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the signature does not verify for this message under this key")
    }
}

impl core::error::Error for InvalidSignature {}
