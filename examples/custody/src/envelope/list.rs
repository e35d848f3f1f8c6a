//! The list of messages inside an envelope.

use quorate::session::wire::Reader;
use quorate::session::zeroize::Zeroizing;

use super::Unsealable;

/// The most messages of an envelope.
pub const MOST: usize = 4096;
/// The bytes that the messages of one envelope may [take](room) together. The rest of an envelope is less than 256.
pub const ROOM: usize = (8 << 20) - 256;
/// Of the count, and of each message's length.
const LENGTH: usize = 4;

/// The bytes that a message takes in an envelope.
#[must_use]
pub const fn room(message: &[u8]) -> usize {
    message.len().saturating_add(LENGTH)
}

/// `count (4)`, then each message behind its `length (4)`.
pub(super) fn encode(messages: &[Vec<u8>]) -> Result<Zeroizing<Vec<u8>>, Unsealable> {
    let size = messages.iter().fold(0_usize, |size, message| size.saturating_add(room(message)));
    let count = u32::try_from(messages.len()).unwrap_or(u32::MAX);
    if messages.is_empty() || messages.len() > MOST || size > ROOM {
        return Err(Unsealable::Size { messages: messages.len(), bytes: size });
    }
    // Room for all of it at once: a buffer that grew would leave secrets behind.
    let mut list = Zeroizing::new(Vec::with_capacity(size.saturating_add(LENGTH)));
    list.extend_from_slice(&count.to_be_bytes());
    for message in messages {
        let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
        list.extend_from_slice(&length.to_be_bytes());
        list.extend_from_slice(message);
    }
    Ok(list)
}

/// Reads a list. Nothing is left over.
pub(super) fn decode(list: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut reader = Reader::new(list);
    let count = usize::try_from(reader.u32().ok()?).ok()?;
    if count == 0 || count > MOST {
        return None;
    }
    let mut messages = Vec::new();
    for _ in 0..count {
        let length = usize::try_from(reader.u32().ok()?).ok()?;
        messages.push(reader.bytes(length).ok()?.to_vec());
    }
    reader.finish().ok()?;
    Some(messages)
}
