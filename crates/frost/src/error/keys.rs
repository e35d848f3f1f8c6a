//! Errors of keys.

use core::fmt;

use quorate_curve::RandomnessError;
use quorate_keys::derive::DeriveError;
use quorate_keys::{Committee, CommitteeError, Mismatch};

use super::decode::threshold_text;

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
    /// The threshold times the number of parties is above [`Committee::MOST_STEPS`](crate::Committee::MOST_STEPS).
    TooLarge {
        /// The largest product.
        most: u64,
        /// The product.
        got: u64,
    },
    /// The signing key given is not the canonical encoding of a non-zero scalar.
    BadKey,
    /// The generator of random numbers is broken: it gives zeros only.
    Randomness,
    /// A party's share came out as zero: deal again. The chance is one in the order of the group.
    ZeroShare,
}

impl From<RandomnessError> for DealError {
    fn from(_: RandomnessError) -> Self {
        Self::Randomness
    }
}

impl From<CommitteeError> for DealError {
    fn from(error: CommitteeError) -> Self {
        match error {
            CommitteeError::Threshold { threshold, parties } => {
                Self::BadThreshold { threshold, parties }
            }
            CommitteeError::TooLarge { most, got } => Self::TooLarge { most, got },
            // FROST takes as many parties as there are numbers; a committee is not asked about more.
            _ => Self::TooLarge { most: Committee::MOST_STEPS, got: u64::MAX },
        }
    }
}

impl fmt::Display for DealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadThreshold { threshold, parties } => threshold_text(f, *threshold, *parties),
            Self::TooLarge { most, got } => {
                CommitteeError::TooLarge { most: *most, got: *got }.fmt(f)
            }
            Self::BadKey => f.write_str(
                "expected the canonical encoding of a signing key, a number from 1 to the order \
                 less 1",
            ),
            Self::Randomness => {
                f.write_str("the generator of random numbers gives zeros only: take another")
            }
            Self::ZeroShare => f.write_str("a share came out as zero: deal again"),
        }
    }
}

/// The reason why a dealt share is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AcceptError {
    /// The dealer dealt for another threshold than was agreed on.
    WrongThreshold {
        /// The threshold that was agreed on.
        expected: u16,
        /// The dealer's.
        got: u16,
    },
    /// The share is not the one that the public key package determines. The dealer gave this party other data
    /// than the others.
    OtherPackage,
    /// The share does not lie on the polynomial to which the dealer committed.
    InvalidShare,
}

impl fmt::Display for AcceptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongThreshold { expected, got } => {
                write!(f, "the dealer dealt for a threshold of {got}, expected {expected}")
            }
            Self::OtherPackage => f.write_str(
                "the share is not the one that the public key package says it is: the dealer told \
                 this party something else than the others",
            ),
            Self::InvalidShare => f.write_str(
                "the share does not lie on the polynomial that the dealer committed to: ask for it \
                 again",
            ),
        }
    }
}

/// The reason why there is no tweaked key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TweakError {
    /// The tweaked key, or a party's share of it, would be the identity, or the tweak is not below the order. For
    /// a hash this never happens. Also a randomiser's seed of another length than the suite's.
    Degenerate,
    /// The share is not part of the public key package.
    Mismatch(Mismatch),
    /// The key has no such descendant.
    Derive(DeriveError),
}

impl From<DeriveError> for TweakError {
    fn from(error: DeriveError) -> Self {
        Self::Derive(error)
    }
}

impl fmt::Display for TweakError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Degenerate => f.write_str("the tweak gives no key: take another"),
            Self::Mismatch(why) => write!(f, "the package is not the share's: {why}"),
            Self::Derive(why) => why.fmt(f),
        }
    }
}

impl core::error::Error for DealError {}
impl core::error::Error for AcceptError {}
impl core::error::Error for TweakError {}
