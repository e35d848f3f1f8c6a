//! Errors of keys and signatures.

use core::fmt;

use quorate_session::container::ContainerError;
use quorate_session::wire::ReadError;

use crate::level::Level;
use crate::profile::Profile;

/// Bytes that are not a key or a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DecodeError {
    /// The length is not that of the level.
    WrongLength {
        /// The length of the level, in bytes.
        expected: usize,
        /// The length, in bytes.
        got: usize,
    },
    /// A hint that is not in its only valid form: positions ascend, there are at most ω of them, and the rest is
    /// zero.
    BadHint,
    /// A stored form that does not open; the [`ContainerError`] says why.
    Container(ContainerError),
    /// A body that ends too early, or continues past its end.
    Body(ReadError),
    /// A state that no share has.
    BadState(u8),
    /// An unknown profile.
    BadProfile(u8),
    /// The parties do not ascend, or the party is not one of them.
    BadParties,
    /// A coefficient that is not below q.
    BadCoefficient,
    /// A threshold and parties for which no parameters are offered.
    Key(KeyError),
    /// A secret that does not match the public value of its subset.
    WrongSecret,
}

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

impl From<KeyError> for DecodeError {
    fn from(error: KeyError) -> Self {
        Self::Key(error)
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongLength { expected, got } => {
                write!(f, "expected {expected} bytes, got {got}")
            }
            Self::BadHint => f.write_str("the hint is not in its canonical form"),
            Self::Container(why) => why.fmt(f),
            Self::Body(why) => why.fmt(f),
            Self::BadState(found) => write!(f, "got state {found}, a share has 0 or 1"),
            Self::BadProfile(found) => write!(f, "got profile {found}, a key has 0 or 1"),
            Self::BadParties => {
                f.write_str("the parties do not ascend, or this one is not among them")
            }
            Self::BadCoefficient => f.write_str("a coefficient is not below q"),
            Self::Key(why) => why.fmt(f),
            Self::WrongSecret => {
                f.write_str("a secret does not give the public value of its subset")
            }
        }
    }
}

impl core::error::Error for DecodeError {}

/// A key that cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum KeyError {
    /// No parameters are offered for this level, profile, threshold and number of parties.
    NotOffered {
        /// The level.
        level: Level,
        /// The profile.
        profile: Profile,
        /// The threshold.
        threshold: u16,
        /// The number of parties.
        parties: usize,
    },
    /// The generator of random numbers gives zeros only.
    Randomness,
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOffered { level, profile, threshold, parties } => {
                write!(
                    f,
                    "no {profile} parameters of {level} are offered for {threshold} of {parties} parties"
                )
            }
            Self::Randomness => {
                f.write_str("the generator of random numbers gives zeros only: take another")
            }
        }
    }
}

impl core::error::Error for KeyError {}

/// A message that cannot be signed or verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MessageError {
    /// A context string of more than 255 bytes.
    ContextTooLong {
        /// The length of the context string, in bytes.
        got: usize,
    },
    /// A digest whose length is not that of its hash function.
    WrongDigestLength {
        /// The length of the function's digests, in bytes.
        expected: usize,
        /// The length, in bytes.
        got: usize,
    },
}

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ContextTooLong { got } => {
                write!(f, "a context has at most 255 bytes, got {got}")
            }
            Self::WrongDigestLength { expected, got } => {
                write!(f, "expected a digest of {expected} bytes, got {got}")
            }
        }
    }
}

impl core::error::Error for MessageError {}

/// A signature that is not one of this message by this key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidSignature;

impl fmt::Display for InvalidSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the signature is not one of this message by this key")
    }
}

impl core::error::Error for InvalidSignature {}
