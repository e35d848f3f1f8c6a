//! The one encoding of orders and answers: a version, then postcard.
//!
//! A version adds orders and answers, and changes none of an earlier one. Each release reads this version and the one before.

use serde::{Serialize, de::DeserializeOwned};

/// The newest version: 2 added accusations, watermarks for nodes that give no share, attempts of all signers, and votes that were
/// signed before with another time stamp.
pub const VERSION: u8 = 2;
/// The oldest version that is read.
pub const OLDEST: u8 = 1;

/// The reason why bytes are not a message of this service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// There are no bytes, or more than the kind of message may have.
    #[error("expected 1 to {most} bytes, got {got}")]
    Length {
        /// The number of bytes.
        got: usize,
        /// The most that are read.
        most: usize,
    },
    /// The version is not one that this release reads.
    #[error(
        "expected a message of version {OLDEST} to {VERSION}, got version {0}: upgrade the older of the two"
    )]
    Version(u8),
    /// The message does not exist in the version in which it was to be written.
    #[error("expected a message of version {version}, got one that version {since} has first")]
    Newer {
        /// The version that has it first.
        since: u8,
        /// The version in which it was to be written.
        version: u8,
    },
    /// The bytes are not the encoding of such a message.
    #[error("the bytes are not the encoding of such a message")]
    Malformed,
    /// Bytes follow the message.
    #[error("{0} bytes follow the message")]
    Trailing(usize),
}

/// Encodes a message in a version, and its first version is `since`.
///
/// # Errors
/// [`WireError::Length`] if it is longer than `most` bytes, [`WireError::Newer`].
pub(crate) fn encode<T: Serialize>(
    message: &T,
    most: usize,
    (since, version): (u8, u8),
) -> Result<Vec<u8>, WireError> {
    if since > version {
        return Err(WireError::Newer { since, version });
    }
    let bytes = postcard::to_extend(message, vec![version]).map_err(|_| WireError::Malformed)?;
    if bytes.len() > most { Err(WireError::Length { got: bytes.len(), most }) } else { Ok(bytes) }
}

/// The most messages in an envelope.
pub const MAX_BATCH: usize = 64;
/// The most bytes of them together, in bytes: 1 MiB. A longer message has an envelope of its own.
const MAX_BATCH_BYTES: usize = 1 << 20;

/// Divides messages among envelopes, in their order. An envelope costs a signature and an encryption, however many messages it
/// has. Each message stays an order or an answer of its own.
pub fn batches<M: AsRef<[u8]>>(messages: impl IntoIterator<Item = M>) -> Vec<Vec<M>> {
    let mut batches: Vec<Vec<M>> = Vec::new();
    let mut room = 0_usize;
    for message in messages {
        let length = message.as_ref().len();
        match batches.last_mut() {
            Some(last) if last.len() < MAX_BATCH && length <= room => last.push(message),
            _ => {
                room = MAX_BATCH_BYTES;
                batches.push(vec![message]);
            }
        }
        room = room.saturating_sub(length);
    }
    batches
}

/// The version of an encoded message.
#[must_use]
pub fn version_of(bytes: &[u8]) -> Option<u8> {
    bytes.first().copied()
}

/// Decodes a message of at most `most` bytes, and all of them. `since` gives the first version of a message.
///
/// # Errors
/// [`WireError`].
pub(crate) fn decode<T: DeserializeOwned>(
    bytes: &[u8],
    most: usize,
    since: impl Fn(&T) -> u8,
) -> Result<T, WireError> {
    let got = bytes.len();
    let (version, body) =
        bytes.split_first().filter(|_| got <= most).ok_or(WireError::Length { got, most })?;
    if !(OLDEST..=VERSION).contains(version) {
        return Err(WireError::Version(*version));
    }
    match postcard::take_from_bytes(body) {
        Ok((message, [])) if since(&message) > *version => Err(WireError::Malformed),
        Ok((message, [])) => Ok(message),
        Ok((_, rest)) => Err(WireError::Trailing(rest.len())),
        Err(_) => Err(WireError::Malformed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_keep_the_order_and_are_bounded_in_number_and_bytes() {
        let sizes = |batches: Vec<Vec<Vec<u8>>>| batches.iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(sizes(batches(vec![vec![0]; 130])), [64, 64, 2]);
        let long = [MAX_BATCH_BYTES - 2, 1, 1, 1, MAX_BATCH_BYTES + 1, 1];
        assert_eq!(sizes(batches(long.map(|length| vec![0; length]))), [3, 1, 1, 1]);
        let flat: Vec<_> = batches((0..=200_u8).map(|at| vec![at])).concat().concat();
        assert_eq!(flat, (0..=200).collect::<Vec<_>>());
    }
}
