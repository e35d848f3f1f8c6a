//! Errors, one small enum for each thing that a caller does.

use alloc::vec::Vec;
use core::fmt;

use quorate_keys::Mismatch;
use quorate_session::PartyId;

/// The reason why a query was not made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum QueryError {
    /// No elements, or more than [`MOST_ELEMENTS`](crate::oprf::MOST_ELEMENTS).
    Elements {
        /// The number of elements.
        got: usize,
    },
    /// A purpose of more than 65 535 bytes.
    PurposeTooLong {
        /// The length, in bytes.
        got: usize,
    },
    /// The input hashes to no point. Nobody finds such an input.
    NoPoint,
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Elements { got } => write!(f, "got {got} elements, expected 1 to 65535"),
            Self::PurposeTooLong { got } => {
                write!(f, "got a purpose of {got} bytes, expected at most 65535")
            }
            Self::NoPoint => f.write_str("the input hashes to no point"),
        }
    }
}

/// The reason why a party does not evaluate a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EvaluateError {
    /// Not all parties have confirmed this key share, and neither has its owner.
    Unconfirmed,
    /// The query was made for another key or epoch. Nobody is to blame.
    Mismatch(Mismatch),
}

impl fmt::Display for EvaluateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unconfirmed => f.write_str(UNCONFIRMED),
            Self::Mismatch(why) => write!(f, "the query is not for this key share: {why}"),
        }
    }
}

const UNCONFIRMED: &str = "not all parties have confirmed this key share: ask them for their package ids, then `confirm` it";

/// The reason why shares give no result.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AggregateError {
    /// These parties sent wrong shares, and no others did. Never empty.
    Cheaters(Vec<PartyId>),
    /// The public key package, or the share of a party, is for another key or epoch than the query. Nobody is to blame.
    Mismatch {
        /// The party; `None` for the public key package.
        party: Option<PartyId>,
        /// The difference.
        why: Mismatch,
    },
    /// The share of this party answers another query.
    OtherQuery(PartyId),
    /// The share of this party belongs to another package of contributions.
    OtherPackage(PartyId),
    /// A party that holds no share of the key, or one that did not contribute.
    UnknownParty(PartyId),
    /// Two shares of one party.
    DuplicateParty(PartyId),
    /// These parties contributed, and their shares are missing.
    MissingShares(Vec<PartyId>),
    /// Fewer shares than the threshold.
    TooFewShares {
        /// The number of shares.
        got: usize,
        /// The threshold.
        need: usize,
    },
    /// A sum of commitments is the identity: they were chosen to cancel each other.
    IdentityCommitment,
}

impl AggregateError {
    /// The parties that are to blame.
    #[must_use]
    pub fn culprits(&self) -> &[PartyId] {
        match self {
            Self::Cheaters(parties) => parties,
            // Named one by one, so that a new variant has to decide.
            Self::Mismatch { .. }
            | Self::OtherQuery(_)
            | Self::OtherPackage(_)
            | Self::UnknownParty(_)
            | Self::DuplicateParty(_)
            | Self::MissingShares(_)
            | Self::TooFewShares { .. }
            | Self::IdentityCommitment => &[],
        }
    }
}

impl fmt::Display for AggregateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cheaters(parties) => list(f, "wrong shares from", parties),
            Self::Mismatch { party: None, why } => {
                write!(f, "the public key package is not that of the query: {why}")
            }
            Self::Mismatch { party: Some(party), why } => {
                write!(f, "the share of party {party}: {why}")
            }
            Self::OtherQuery(party) => {
                write!(f, "the share of party {party} answers another query: ask for one of this")
            }
            Self::OtherPackage(party) => write!(
                f,
                "the share of party {party} is for another package of contributions: send it this one"
            ),
            Self::UnknownParty(party) => {
                write!(f, "party {party} holds no share of the key, or did not contribute")
            }
            Self::DuplicateParty(party) => {
                write!(f, "got two shares of party {party}, expected one of each")
            }
            Self::MissingShares(parties) => list(f, "no share yet from", parties),
            Self::TooFewShares { got, need } => {
                write!(f, "got {got} shares, expected at least {need}")
            }
            Self::IdentityCommitment => {
                f.write_str("a sum of commitments is the identity: start again, with other parties")
            }
        }
    }
}

/// The reason why a party does not sign a package of contributions. The nonces are spent all the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ProveError {
    /// Not all parties have confirmed this key share, and neither has its owner.
    Unconfirmed,
    /// The package was made for another key or epoch. Nobody is to blame.
    Mismatch(Mismatch),
    /// The package has no contribution of this party.
    NotAContributor,
    /// The package has another contribution of this party than the one with these nonces.
    OtherContribution,
}

impl fmt::Display for ProveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unconfirmed => f.write_str(UNCONFIRMED),
            Self::Mismatch(why) => write!(f, "the package is not for this key share: {why}"),
            Self::NotAContributor => f.write_str(
                "this party is not among the contributors of the package: it has nothing to sign",
            ),
            Self::OtherContribution => f.write_str(
                "the package has another contribution of this party than that of these nonces",
            ),
        }
    }
}

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

impl core::error::Error for QueryError {}
impl core::error::Error for EvaluateError {}
impl core::error::Error for AggregateError {}
impl core::error::Error for ProveError {}
