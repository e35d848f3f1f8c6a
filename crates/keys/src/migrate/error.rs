//! The reasons why a key of another library cannot be migrated.

use core::fmt;

use quorate_session::PartyId;

use crate::error::CommitteeError;

/// The reason why a key of another library cannot be migrated. Nothing has been made, and the file is unchanged.
///
/// A text in a variant is the name of the field in that library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MigrateError {
    /// Bytes are missing.
    Truncated,
    /// Bytes are left over.
    TrailingBytes,
    /// The byte at this place does not fit the form. In JSON, no string of these forms has escapes.
    Syntax {
        /// The place, from 0.
        at: usize,
    },
    /// A field that the form does not have.
    UnknownField {
        /// The place after its name.
        at: usize,
    },
    /// A field occurs twice.
    RepeatedField(&'static str),
    /// A field is missing.
    MissingField(&'static str),
    /// An unknown version of the form, with the number found. Only version 0 is known.
    UnknownVersion(u64),
    /// A key of another ciphersuite or curve.
    WrongSuite {
        /// The expected name.
        expected: &'static str,
    },
    /// Not a number from 0 to 65535 in its shortest form.
    BadNumber(&'static str),
    /// Not the canonical encoding of a scalar.
    BadScalar(&'static str),
    /// Not the canonical encoding of a point other than the neutral element.
    BadPoint(&'static str),
    /// A chain code that is not 32 bytes.
    BadChainCode,
    /// A party whose identifier is a scalar, but not a number from 1 to 65535. Such a key first needs other
    /// shares in the old library, under identifiers in that range.
    BadIdentifier,
    /// Two shares of one party.
    RepeatedParty(PartyId),
    /// The number of places is not the number of verifying shares.
    Count {
        /// The number of verifying shares.
        shares: usize,
        /// The number of places.
        places: usize,
    },
    /// The file names a party at this index, from 0, that does not exist.
    NoSuchIndex(u16),
    /// A public key package of frost-core 2 does not contain the threshold, and the caller has not given it.
    NoThreshold,
    /// The threshold is stated twice, differently.
    Threshold {
        /// In the public key package.
        public: u16,
        /// In the key package, or by the caller.
        other: u16,
    },
    /// A committee that no key can have.
    Committee(CommitteeError),
    /// The verifying shares are not those of this group key and threshold.
    WrongShares,
    /// The party has no verifying share in the public key package.
    NotAHolder(PartyId),
    /// The key package is of another group key than the public key package.
    OtherKey,
    /// The secret is that of the key package's own verifying share, but the public key package has another one
    /// for the party. One of the two packages is from before a refresh.
    OtherShare,
    /// The secret is not that of the party's verifying share.
    WrongSecret,
}

impl fmt::Display for MigrateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => f.write_str("bytes are missing at the end"),
            Self::TrailingBytes => f.write_str("bytes are left over at the end"),
            Self::Syntax { at } => write!(f, "byte {at} is none that the form has there"),
            Self::UnknownField { at } => write!(f, "the form has no field of the name before byte {at}"),
            Self::RepeatedField(field) => write!(f, "the field {field} occurs twice"),
            Self::MissingField(field) => write!(f, "the field {field} is missing"),
            Self::UnknownVersion(found) => write!(f, "got version {found} of the form, expected 0"),
            Self::WrongSuite { expected } => write!(f, "expected a key of {expected}"),
            Self::BadNumber(field) => write!(f, "{field}: expected a number from 0 to 65535"),
            Self::BadScalar(field) => write!(f, "{field}: expected the canonical encoding of a scalar"),
            Self::BadPoint(field) => {
                write!(f, "{field}: expected the canonical encoding of a point, not the neutral one")
            }
            Self::BadChainCode => f.write_str("chain_code: expected 32 bytes in hexadecimal digits"),
            Self::BadIdentifier => f.write_str("expected identifiers that are numbers from 1 to 65535"),
            Self::RepeatedParty(party) => write!(f, "party {party} occurs twice"),
            Self::Count { shares, places } => {
                write!(f, "got {places} places for {shares} verifying shares")
            }
            Self::NoSuchIndex(index) => write!(f, "there is no party at index {index}"),
            Self::NoThreshold => {
                f.write_str("the package does not have the threshold: it has to be said beside it")
            }
            Self::Threshold { public, other } => {
                write!(f, "the public key package has threshold {public}, the other side says {other}")
            }
            Self::Committee(why) => why.fmt(f),
            Self::WrongShares => {
                f.write_str("the verifying shares are not those of this group key and threshold")
            }
            Self::NotAHolder(party) => {
                write!(f, "party {party} has no verifying share in the public key package")
            }
            Self::OtherKey => {
                f.write_str("the key package and the public key package are of different group keys")
            }
            Self::OtherShare => f.write_str(
                "the key package has another verifying share than the public key package: is one of before a refresh?",
            ),
            Self::WrongSecret => f.write_str("the secret is not that of the party's verifying share"),
        }
    }
}

impl core::error::Error for MigrateError {}

impl From<CommitteeError> for MigrateError {
    fn from(error: CommitteeError) -> Self {
        Self::Committee(error)
    }
}
