//! The reasons why a backup was not made, is not good, or does not open.

use core::fmt;

use quorate_session::PartyId;

use crate::error::Mismatch;

/// The reason why a backup was not made, is not good, or does not open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BackupError {
    /// A backup of another key, epoch or package.
    Mismatch(Mismatch),
    /// The party holds no share of the key, according to the public value.
    NotAHolder(PartyId),
    /// A backup that is sealed to another key.
    WrongRecipient,
    /// The share is unconfirmed. [`SecretShare::confirm`](crate::SecretShare::confirm) describes what to do
    /// first.
    Unconfirmed,
    /// The label is too long.
    LabelTooLong {
        /// The longest label, in bytes.
        most: usize,
        /// The length of the label.
        got: usize,
    },
    /// The proof does not verify, so the sealed value need not be the share.
    Invalid,
    /// No part of it holds the share. It does not verify either.
    Empty,
    /// The generator of random numbers gives zeros only.
    Randomness,
}

impl fmt::Display for BackupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mismatch(why) => write!(f, "not of this public value: {why}"),
            Self::NotAHolder(party) => write!(f, "party {party} holds no share of the key"),
            Self::WrongRecipient => f.write_str("the backup is sealed to another key"),
            Self::Unconfirmed => {
                f.write_str("the share is not confirmed: ask the others, then confirm it")
            }
            Self::LabelTooLong { most, got } => {
                write!(f, "got a label of {got} bytes, expected at most {most}")
            }
            Self::Invalid => f.write_str("the proof does not verify: ask for another backup"),
            Self::Empty => f.write_str("the share is nowhere in the backup: it was never verified"),
            Self::Randomness => f.write_str("the generator of random numbers is broken"),
        }
    }
}

impl core::error::Error for BackupError {}

impl From<Mismatch> for BackupError {
    fn from(error: Mismatch) -> Self {
        Self::Mismatch(error)
    }
}
