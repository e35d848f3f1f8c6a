//! Fields of messages.

use quorate::session::wire::Reader;
use quorate::{Parties, PartyId};

use super::{MOST_SIGNERS, Unreadable};

/// Writes bytes with their length before them.
pub(super) fn put_long(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes());
    out.extend_from_slice(bytes);
}

/// Reads bytes with their length before them.
pub(super) fn long<'b>(reader: &mut Reader<'b>, most: usize) -> Result<&'b [u8], Unreadable> {
    let length = usize::try_from(reader.u32()?).map_err(|_| Unreadable)?;
    if length > most { Err(Unreadable) } else { Ok(reader.bytes(length)?) }
}

/// Writes a text, or as much of it as may be sent.
pub(super) fn put_text(out: &mut Vec<u8>, text: &str, most: usize) {
    let end = (0..=text.len().min(most)).rev().find(|end| text.is_char_boundary(*end));
    put_long(out, text.get(..end.unwrap_or(0)).unwrap_or_default().as_bytes());
}

pub(super) fn text(reader: &mut Reader<'_>, most: usize) -> Result<String, Unreadable> {
    String::from_utf8(long(reader, most)?.to_vec()).map_err(|_| Unreadable)
}

pub(super) fn put_parties(out: &mut Vec<u8>, parties: &Parties) {
    out.extend_from_slice(&u16::try_from(parties.len()).unwrap_or(0).to_be_bytes());
    parties.iter().for_each(|party| out.extend_from_slice(&party.get().to_be_bytes()));
}

pub(super) fn parties(reader: &mut Reader<'_>) -> Result<Parties, Unreadable> {
    let count = reader.u16()?;
    if usize::from(count) > MOST_SIGNERS {
        return Err(Unreadable);
    }
    let parties = (0..count).map(|_| party(reader)).collect::<Result<Vec<_>, _>>()?;
    // In one order only.
    if !parties.is_sorted() {
        return Err(Unreadable);
    }
    Parties::new(parties).map_err(|_| Unreadable)
}

fn party(reader: &mut Reader<'_>) -> Result<PartyId, Unreadable> {
    PartyId::new(reader.u16()?).ok_or(Unreadable)
}

/// Reads a list of parties with 64 bytes each.
pub(super) fn array_list(
    reader: &mut Reader<'_>,
    most: usize,
) -> Result<Vec<(PartyId, [u8; 64])>, Unreadable> {
    let count = usize::from(reader.u16()?);
    if count > most {
        return Err(Unreadable);
    }
    (0..count).map(|_| Ok((party(reader)?, reader.array()?))).collect()
}
