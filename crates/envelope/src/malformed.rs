//! The error for bytes and texts that are not what was asked for.

use core::fmt;

/// Bytes or a text that are not what was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Malformed(
    /// The expected thing.
    pub &'static str,
);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.0)
    }
}

impl core::error::Error for Malformed {}
