//! Why bytes are no purpose.

use core::fmt;

use crate::kind::Kind;

/// Content that this crate does not take, and the first reason for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed(pub(crate) &'static str);

impl Malformed {
    /// The reason, in English: for a log, not for a program.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl core::error::Error for Malformed {}

/// Why bytes are not the canonical form of a purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// The bytes are fewer than two, or more than [`MAX_LENGTH`](crate::MAX_LENGTH).
    Length,
    /// This version of the canonical form is unknown.
    Version(u8),
    /// This code belongs to no kind.
    Kind(u8),
    /// The body is not that of its kind, or not its one encoding.
    Malformed(Kind, Malformed),
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length => f.write_str("the purpose is too short or too long"),
            Self::Version(version) => write!(f, "version {version} of purposes is unknown"),
            Self::Kind(code) => write!(f, "no kind of purpose has the code {code}"),
            Self::Malformed(kind, malformed) => write!(f, "{kind}: {malformed}"),
        }
    }
}

impl core::error::Error for DecodeError {}
