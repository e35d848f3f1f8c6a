//! Errors for which no party is at fault.

use core::fmt;

use quorate_session::PartyId;
use quorate_session::container::ContainerError;
use quorate_session::wire::ReadError;

/// A committee that no key can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CommitteeError {
    /// The threshold is below 2 or above the number of parties.
    Threshold {
        /// The threshold asked for.
        threshold: u16,
        /// The number of parties.
        parties: usize,
    },
    /// More parties than the family allows.
    TooMany {
        /// The largest number that it allows.
        most: usize,
        /// The number of parties.
        got: usize,
    },
    /// The work that the committee takes is above a bound. The bound is
    /// [`Committee::MOST_STEPS`](crate::Committee::MOST_STEPS) for t·n. For a key that is imported, it is also
    /// [`Committee::MOST_CHECKS`](crate::Committee::MOST_CHECKS) for n·(n − t) and
    /// [`Committee::MOST_TERMS`](crate::Committee::MOST_TERMS) for t².
    TooLarge {
        /// The bound.
        most: u64,
        /// The steps that it takes.
        got: u64,
    },
}

impl fmt::Display for CommitteeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Threshold { threshold, parties } => {
                write!(
                    f,
                    "got a threshold of {threshold} among {parties} parties, expected 2 to {parties}"
                )
            }
            Self::TooMany { most, got } => write!(f, "got {got} parties, expected at most {most}"),
            Self::TooLarge { most, got } => {
                write!(f, "the committee takes {got} steps, expected at most {most}")
            }
        }
    }
}

impl core::error::Error for CommitteeError {}

/// Two things that belong to different keys, epochs or packages. No party is at fault: find out which one is
/// meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Mismatch {
    /// Of another key, or of another family.
    WrongKey,
    /// Of another epoch of the same key.
    WrongEpoch {
        /// The epoch asked for.
        expected: u32,
        /// The epoch found.
        got: u32,
    },
    /// Of the same key and epoch, but of another run: two resharings started in one epoch.
    WrongPackage {
        /// The epoch of both.
        epoch: u32,
    },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongKey => f.write_str("it belongs to another key"),
            Self::WrongEpoch { expected, got } => {
                write!(f, "it belongs to epoch {got} of the key, expected epoch {expected}")
            }
            Self::WrongPackage { epoch } => write!(
                f,
                "it belongs to another package of epoch {epoch}: two resharings began in the epoch before"
            ),
        }
    }
}

impl core::error::Error for Mismatch {}

/// The reason why a plan cannot be carried out, or a share cannot be used for it. Nothing has been sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PlanError {
    /// Fewer dealers or helpers than the threshold of the key.
    TooFew {
        /// The threshold.
        need: u16,
        /// The number of parties named.
        got: usize,
    },
    /// This party holds no share of the key, according to the public value.
    NotAHolder(PartyId),
    /// This party has no part in the plan, or another part than the one it was given.
    OtherPart(PartyId),
    /// No key of this family can have the new committee.
    Committee(CommitteeError),
    /// The share does not belong to the key, epoch or package of the plan.
    Mismatch(Mismatch),
    /// The share is unconfirmed. [`SecretShare::confirm`](crate::SecretShare::confirm) describes what to do
    /// before using it.
    Unconfirmed,
    /// The key has had 2^32 − 1 epochs.
    LastEpoch,
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew { need, got } => {
                write!(f, "got {got} parties that give their shares, need at least {need}")
            }
            Self::NotAHolder(party) => write!(f, "party {party} holds no share of the key"),
            Self::OtherPart(party) => {
                write!(f, "party {party} has another part in the plan, or none")
            }
            Self::Committee(why) => why.fmt(f),
            Self::Mismatch(why) => write!(f, "the share does not fit the plan: {why}"),
            Self::Unconfirmed => {
                f.write_str("the share is not confirmed: ask the others, then confirm it")
            }
            Self::LastEpoch => f.write_str("the key is in its last epoch, 4294967295"),
        }
    }
}

impl core::error::Error for PlanError {}

impl From<CommitteeError> for PlanError {
    fn from(error: CommitteeError) -> Self {
        Self::Committee(error)
    }
}

impl From<Mismatch> for PlanError {
    fn from(error: Mismatch) -> Self {
        Self::Mismatch(error)
    }
}

/// The reason why bytes are not a stored form of the expected kind, or values do not make one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DecodeError {
    /// The container is not the expected one: it is damaged, or of another kind, version, curve or family.
    Container(ContainerError),
    /// The body in the container ends early, or bytes follow it. The container is undamaged, so its writer wrote
    /// it so.
    Body(ReadError),
    /// Parties that are not ascending numbers from 1.
    BadOrder,
    /// A committee that no key can have.
    Committee(CommitteeError),
    /// Bytes that are not the canonical encoding of a point other than the neutral element.
    BadPoint,
    /// Bytes that are not the canonical encoding of a scalar other than zero.
    BadScalar,
    /// The byte stands for no [`ShareState`](crate::ShareState), or for one that this epoch cannot have.
    BadState(u8),
    /// The values contradict each other. The text describes how.
    Inconsistent(&'static str),
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Container(why) => why.fmt(f),
            Self::Body(why) => write!(f, "inside the container {why}"),
            Self::BadOrder => f.write_str("expected parties in ascending order, each once, from 1"),
            Self::Committee(why) => why.fmt(f),
            Self::BadPoint => {
                f.write_str("expected the canonical encoding of a point, not the neutral one")
            }
            Self::BadScalar => f.write_str("expected the canonical encoding of a scalar, not zero"),
            Self::BadState(found) => {
                write!(f, "state {found} is none that a share of this epoch can have")
            }
            Self::Inconsistent(how) => write!(f, "the values contradict each other: {how}"),
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
        Self::Body(error)
    }
}

impl From<CommitteeError> for DecodeError {
    fn from(error: CommitteeError) -> Self {
        Self::Committee(error)
    }
}
