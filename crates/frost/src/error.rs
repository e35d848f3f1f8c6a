//! What can go wrong, one small enum for each thing that a caller does.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::RandomnessError;
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
    /// The parts are valid each, but do not belong together.
    Inconsistent,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
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
            Self::Inconsistent => "the parts do not belong together",
        })
    }
}

/// A threshold and a set of parties that no key can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DealError {
    /// The threshold must be at least 2 and at most the number of parties.
    BadThreshold {
        /// The threshold asked for.
        threshold: u16,
        /// The number of parties.
        parties: usize,
    },
    /// The signing key given is not the canonical encoding of a non-zero scalar.
    BadKey,
    /// The generator of random numbers is broken: it gives zeros only.
    Randomness,
}

impl From<RandomnessError> for DealError {
    fn from(_: RandomnessError) -> Self {
        Self::Randomness
    }
}

impl fmt::Display for DealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadThreshold { threshold, parties } => {
                write!(f, "a threshold of {threshold} among {parties} parties")
            }
            Self::BadKey => f.write_str("not the encoding of a signing key"),
            Self::Randomness => f.write_str("the generator of random numbers is broken"),
        }
    }
}

/// A dealt share that does not lie on the dealer's published polynomial, or whose polynomial has
/// the wrong degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidShare;

impl fmt::Display for InvalidShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the share does not fit the dealer's commitment")
    }
}

/// A list of commitments from which no signing package can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PackageError {
    /// No commitments at all.
    Empty,
    /// Two commitments of one party.
    DuplicateParty(PartyId),
    /// A party that holds no share of the key.
    UnknownParty(PartyId),
    /// Fewer signers than the key's threshold.
    TooFewSigners {
        /// How many there are.
        got: usize,
        /// How many it takes.
        need: usize,
    },
    /// A message longer than 2^32 − 1 bytes.
    MessageTooLong,
    /// The group commitment is the identity: commitments were chosen to cancel each other.
    IdentityCommitment,
}

impl fmt::Display for PackageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("no commitments"),
            Self::DuplicateParty(party) => write!(f, "two commitments of party {party}"),
            Self::UnknownParty(party) => write!(f, "party {party} holds no share of this key"),
            Self::TooFewSigners { got, need } => {
                write!(f, "got {got} signers, need at least {need}")
            }
            Self::MessageTooLong => f.write_str("the message is too long"),
            Self::IdentityCommitment => f.write_str("the group commitment is the identity"),
        }
    }
}

/// Why a signer refuses to sign. The nonces are spent all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignError {
    /// The package does not name this party.
    NotASigner,
    /// The commitments that the package has for this party are not those of the nonces.
    CommitmentMismatch,
    /// The nonces were made with another key share.
    WrongKey,
    /// Fewer signers than the key's threshold.
    TooFewSigners {
        /// How many there are.
        got: usize,
        /// How many it takes.
        need: usize,
    },
    /// A signer that holds no share of the key.
    UnknownParty(PartyId),
    /// The group commitment is the identity: the package was made to fail.
    IdentityCommitment,
    /// The randomiser gives no key; for a hash this never happens.
    Tweak,
}

impl fmt::Display for SignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASigner => f.write_str("this party is not among the signers"),
            Self::CommitmentMismatch => {
                f.write_str("the package has other commitments than these nonces'")
            }
            Self::WrongKey => f.write_str("the nonces belong to another key share"),
            Self::TooFewSigners { got, need } => {
                write!(f, "got {got} signers, need at least {need}")
            }
            Self::UnknownParty(party) => write!(f, "party {party} holds no share of this key"),
            Self::IdentityCommitment => f.write_str("the group commitment is the identity"),
            Self::Tweak => f.write_str("the randomiser gives no key"),
        }
    }
}

/// Why the shares make no signature.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AggregateError {
    /// A signer that holds no share of the key.
    UnknownParty(PartyId),
    /// Fewer signers than the key's threshold.
    TooFewSigners {
        /// How many there are.
        got: usize,
        /// How many it takes.
        need: usize,
    },
    /// Shares of these signers have not come.
    MissingShares(Vec<PartyId>),
    /// A share of a party that the package does not name.
    UnexpectedShare(PartyId),
    /// Two shares of one party.
    DuplicateShare(PartyId),
    /// The group commitment is the identity.
    IdentityCommitment,
    /// The shares of exactly these parties are wrong, for the package that this coordinator made.
    /// In ascending order, never empty.
    Cheaters(Vec<PartyId>),
}

impl AggregateError {
    /// The parties that are to blame: those of [`AggregateError::Cheaters`], else none.
    #[must_use]
    pub fn culprits(&self) -> &[PartyId] {
        match self {
            Self::Cheaters(parties) => parties,
            // Named one by one, so that a new variant has to decide.
            Self::UnknownParty(_)
            | Self::TooFewSigners { .. }
            | Self::MissingShares(_)
            | Self::UnexpectedShare(_)
            | Self::DuplicateShare(_)
            | Self::IdentityCommitment => &[],
        }
    }
}

impl fmt::Display for AggregateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownParty(party) => write!(f, "party {party} holds no share of this key"),
            Self::TooFewSigners { got, need } => {
                write!(f, "got {got} signers, need at least {need}")
            }
            Self::MissingShares(parties) => list(f, "no share yet from", parties),
            Self::UnexpectedShare(party) => write!(f, "party {party} is not among the signers"),
            Self::DuplicateShare(party) => write!(f, "two shares of party {party}"),
            Self::IdentityCommitment => f.write_str("the group commitment is the identity"),
            Self::Cheaters(parties) => list(f, "wrong signature shares from", parties),
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, text: &str, parties: &[PartyId]) -> fmt::Result {
    f.write_str(text)?;
    let mut separator = " ";
    for party in parties {
        write!(f, "{separator}{party}")?;
        separator = ", ";
    }
    Ok(())
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

/// A tweak that gives no key (it would be the identity, or the tweak is not below the order);
/// for a hash this never happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TweakError;

impl fmt::Display for TweakError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the tweak gives no key")
    }
}

impl core::error::Error for DecodeError {}
impl core::error::Error for DealError {}
impl core::error::Error for InvalidShare {}
impl core::error::Error for PackageError {}
impl core::error::Error for SignError {}
impl core::error::Error for AggregateError {}
impl core::error::Error for InvalidSignature {}
impl core::error::Error for BatchError {}
impl core::error::Error for TweakError {}
