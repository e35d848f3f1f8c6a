//! Refusals. Each text gives what was expected, what was found, and what to do.

use core::fmt;

use quorate_session::{PartyId, wire::ReadError};

use crate::PackageId;
use crate::error::{DecodeError, Mismatch};

/// A statement or a certificate that proves nothing. Drop it; the state is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StatementError {
    /// The bytes are not in canonical form.
    Malformed(DecodeError),
    /// Another stage: a `Prepared` (1) where a `Committed` (2) is expected, or the reverse.
    WrongStage {
        /// The stage asked for.
        expected: u8,
        /// The stage found.
        got: u8,
    },
    /// A signature that is longer than the longest that is accepted.
    TooLong {
        /// The longest.
        most: usize,
        /// The length.
        got: usize,
    },
    /// A statement about another key, epoch or attempt.
    OtherAttempt(Mismatch),
    /// An author who is not a member of the attempt's committee.
    NotAMember(PartyId),
    /// The signature is not this member's.
    BadSignature(PartyId),
}

impl fmt::Display for StatementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(why) => write!(f, "expected a statement in canonical form: {why}"),
            Self::WrongStage { expected, got } => {
                write!(f, "expected a statement of stage {expected}, got stage {got}")
            }
            Self::TooLong { most, got } => {
                write!(f, "expected a signature of at most {most} bytes, got {got}")
            }
            Self::OtherAttempt(why) => write!(f, "the statement is about something else: {why}"),
            Self::NotAMember(party) => {
                write!(f, "expected a member of the committee, got party {party}")
            }
            Self::BadSignature(party) => write!(
                f,
                "expected a signature of party {party}, got another: ask that party for its statement"
            ),
        }
    }
}

impl core::error::Error for StatementError {}

impl From<ReadError> for StatementError {
    fn from(error: ReadError) -> Self {
        Self::from(DecodeError::from(error))
    }
}

impl From<DecodeError> for StatementError {
    fn from(error: DecodeError) -> Self {
        Self::Malformed(error)
    }
}

/// A step that a party does not take. Its state is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Refused {
    /// The step before was started, but not reported as stored.
    NotStored,
    /// Something of another key.
    WrongKey,
    /// The share is another party's.
    OtherParty {
        /// This party.
        expected: PartyId,
        /// The party whose share it is.
        got: PartyId,
    },
    /// The party does not hold this share. It was never stored, or a restore lost it.
    NotHeld(PackageId),
    /// The certificate names another committee than the share's public side.
    OtherCommittee(PackageId),
    /// The party has voted for another attempt of this epoch.
    Voted {
        /// The epoch.
        epoch: u32,
        /// The attempt that has the vote.
        vote: PackageId,
    },
    /// The epoch is over, because an attempt of it or of a later one is committed here.
    Over {
        /// The epoch of the attempt.
        epoch: u32,
        /// The latest epoch that is committed here.
        latest: u32,
    },
    /// Votes may have been lost with the database and the ledger, so the party does not vote in this epoch.
    Barred {
        /// The last epoch without a vote; `None` until the party rejoins.
        floor: Option<u32>,
    },
    /// The party already keeps the largest permitted number of attempts of one epoch.
    TooManyAttempts {
        /// The number that it keeps.
        most: usize,
        /// The epoch.
        epoch: u32,
    },
    /// The epoch is too far above the highest that the party knows.
    TooFarAhead {
        /// The highest epoch that it accepts.
        most: u32,
        /// The epoch of the attempt.
        got: u32,
    },
    /// The party does not know this committee, and trusts nobody who does.
    UnknownCommittee(PackageId),
    /// The share may not be discarded: others may count on it.
    InUse(PackageId),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStored => f.write_str(
                "the last step was begun and not reported as stored: open the agreement again from database and ledger",
            ),
            Self::WrongKey => f.write_str("expected an attempt of this key, got one of another: route it by its key"),
            Self::OtherParty { expected, got } => write!(
                f,
                "expected a share of party {expected}, got one of party {got}: open the store of that party"
            ),
            Self::NotHeld(attempt) => write!(
                f,
                "expected a stored share of {attempt:?}, got none: repair it, or go to the next epoch without this party"
            ),
            Self::OtherCommittee(attempt) => write!(
                f,
                "the certificate names another committee for {attempt:?} than its public side: drop it"
            ),
            Self::Voted { epoch, vote } => write!(
                f,
                "the vote for epoch {epoch} is given, to {vote:?}: commit that attempt, or reshare to a later epoch"
            ),
            Self::Over { epoch, latest } => write!(
                f,
                "expected an epoch above {latest}, which is committed here, got {epoch}: reshare to a later epoch"
            ),
            Self::Barred { floor: None } => f.write_str(
                "database and ledger were restored, so votes may be lost: ask the other parties for their highest epoch, then rejoin",
            ),
            Self::Barred { floor: Some(floor) } => write!(
                f,
                "votes up to epoch {floor} may be lost: expected a later epoch; reshare again, or without this party"
            ),
            Self::TooManyAttempts { most, epoch } => write!(
                f,
                "{most} attempts of epoch {epoch} are held already: discard one that has no vote, or reshare to the next epoch"
            ),
            Self::TooFarAhead { most, got } => {
                write!(f, "expected an epoch up to {most}, got {got}: no honest dealer is so far ahead")
            }
            Self::UnknownCommittee(attempt) => write!(
                f,
                "too few members of the committee of {attempt:?} are known here: supply its public side from a trusted source"
            ),
            Self::InUse(attempt) => write!(
                f,
                "the share of {attempt:?} has, or may have had, this party's vote: keep it until a later attempt supersedes it"
            ),
        }
    }
}

impl core::error::Error for Refused {}

/// Stored data that an agreement cannot be opened from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// The stores were said to be new, and are not empty.
    NotEmpty,
    /// A record, an entry or a share is of another key.
    WrongKey,
    /// The record or a share is another party's.
    OtherParty {
        /// This party.
        expected: PartyId,
        /// The party found.
        got: PartyId,
    },
    /// Database and ledger together have two votes in one epoch.
    TwoVotes {
        /// The epoch.
        epoch: u32,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotEmpty => f.write_str(
                "expected new stores, got some with content: say how it is known that they are the latest",
            ),
            Self::WrongKey => f.write_str(
                "expected the record, ledger and shares of one key, got some of another: select them by key",
            ),
            Self::OtherParty { expected, got } => {
                write!(f, "expected the stores of party {expected}, got those of party {got}")
            }
            Self::TwoVotes { epoch } => write!(
                f,
                "expected one vote for epoch {epoch}, got two: a store was altered or restored, open with `Continuity::Unknown`"
            ),
        }
    }
}

impl core::error::Error for OpenError {}
