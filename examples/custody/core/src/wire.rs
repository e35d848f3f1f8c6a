//! The one encoding of orders and answers: a version, then postcard.

use core::fmt;

use serde::{Serialize, de::DeserializeOwned};

/// The version that is written.
pub const VERSION: u8 = 1;
/// The oldest version that is read.
pub const OLDEST: u8 = 1;

/// The reason why bytes are not a message of this service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WireError {
    /// There are no bytes, or more than the kind of message may have.
    Length {
        /// The number of bytes.
        got: usize,
        /// The most that are read.
        most: usize,
    },
    /// The version is not one that this release reads.
    Version(u8),
    /// The bytes are not the encoding of such a message.
    Malformed,
    /// Bytes follow the message.
    Trailing(usize),
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { got, most } => write!(f, "expected 1 to {most} bytes, got {got}"),
            Self::Version(got) => write!(
                f,
                "expected a message of version {OLDEST} to {VERSION}, got version {got}: upgrade the older of the two"
            ),
            Self::Malformed => f.write_str("the bytes are not the encoding of such a message"),
            Self::Trailing(count) => write!(f, "{count} bytes follow the message"),
        }
    }
}

impl core::error::Error for WireError {}

/// Encodes a message in the current version.
///
/// # Errors
/// [`WireError::Length`] if it is longer than `most` bytes.
pub(crate) fn encode<T: Serialize>(message: &T, most: usize) -> Result<Vec<u8>, WireError> {
    let bytes = postcard::to_extend(message, vec![VERSION]).map_err(|_| WireError::Malformed)?;
    if bytes.len() > most { Err(WireError::Length { got: bytes.len(), most }) } else { Ok(bytes) }
}

/// Decodes a message of at most `most` bytes, and all of them.
///
/// # Errors
/// [`WireError`].
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8], most: usize) -> Result<T, WireError> {
    let got = bytes.len();
    let (version, body) =
        bytes.split_first().filter(|_| got <= most).ok_or(WireError::Length { got, most })?;
    if !(OLDEST..=VERSION).contains(version) {
        return Err(WireError::Version(*version));
    }
    match postcard::take_from_bytes(body) {
        Ok((message, [])) => Ok(message),
        Ok((_, rest)) => Err(WireError::Trailing(rest.len())),
        Err(_) => Err(WireError::Malformed),
    }
}
