//! The list of messages inside an envelope.

use alloc::vec::Vec;

use quorate_session::wire::{Reader, bounded, index};
use zeroize::Zeroizing;

/// The messages of an envelope, each wiped when it is dropped.
pub type Messages = Vec<Zeroizing<Vec<u8>>>;

/// The most messages in an envelope.
pub const MAX_MESSAGES: usize = 4096;
/// The bytes that the messages of an envelope may take together, where each takes its length and 4 more.
pub const MAX_CONTENT: usize = 8 << 20;
/// Of the count, and of each message's length.
const LENGTH: usize = 4;

/// The length of the list of these messages; `None` if there are none, too many or too long ones.
pub(crate) fn length(messages: &[&[u8]]) -> Option<usize> {
    let each = messages.iter().map(|message| message.len() + LENGTH);
    let content = each.fold(0_usize, usize::saturating_add);
    let fits = (1..=MAX_MESSAGES).contains(&messages.len()) && content <= MAX_CONTENT;
    fits.then(|| content.saturating_add(LENGTH))
}

/// Appends the number of messages, and each behind its length. [`length`] has checked that the numbers fit.
pub(crate) fn write(messages: &[&[u8]], out: &mut Vec<u8>) {
    let four = |number: usize| bounded::<u32>(number).to_be_bytes();
    out.extend_from_slice(&four(messages.len()));
    for message in messages {
        out.extend_from_slice(&four(message.len()));
        out.extend_from_slice(message);
    }
}

/// Reads a list. Nothing is left over.
pub(crate) fn read(list: &[u8]) -> Option<Messages> {
    let mut reader = Reader::new(list);
    let count = index(reader.u32().ok()?);
    if !(1..=MAX_MESSAGES).contains(&count) || reader.remaining() > MAX_CONTENT {
        return None;
    }
    let mut messages = Vec::new();
    for _ in 0..count {
        let length = index(reader.u32().ok()?);
        messages.push(Zeroizing::new(reader.bytes(length).ok()?.to_vec()));
    }
    reader.finish().ok()?;
    Some(messages)
}
