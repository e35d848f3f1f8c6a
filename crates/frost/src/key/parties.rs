//! The parties and the threshold of a key.

use alloc::vec::Vec;

use quorate_keys::{Committee, DecodeError as KeyDecodeError};
use quorate_session::Parties;
use quorate_session::wire::Reader;

use crate::error::DecodeError;
use crate::wire::{put_id, read_id};

/// Parties on the wire: their number, then each number, ascending.
pub(crate) fn put_parties(bytes: &mut Vec<u8>, parties: &Parties) {
    bytes.extend_from_slice(&parties.count().to_be_bytes());
    parties.iter().for_each(|id| put_id(bytes, id));
}

/// Reads what [`put_parties`] wrote.
pub(crate) fn read_parties(reader: &mut Reader<'_>) -> Result<Parties, DecodeError> {
    let count = usize::from(reader.u16()?);
    reader.expect(count, 2)?;
    let mut ids = Vec::with_capacity(count);
    for _ in 0..count {
        let id = read_id(reader)?;
        if ids.last().is_some_and(|last| *last >= id) {
            return Err(DecodeError::BadOrder);
        }
        ids.push(id);
    }
    Parties::new(ids).map_err(|_| DecodeError::BadParties { got: count })
}

/// These parties with this threshold, if a key can have it.
pub(crate) fn committee(threshold: u16, parties: &Parties) -> Result<Committee, DecodeError> {
    Committee::new(parties.clone(), threshold).map_err(|why| KeyDecodeError::from(why).into())
}
