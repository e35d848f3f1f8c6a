//! Rows in and out.

use quorate::runner::store::{ArrivalKind, Due, InboxRow, Place};
use quorate::session::{Sealed, Slot};

use crate::sql::{Error, Result, Row};

pub(super) const fn kind(kind: ArrivalKind) -> u8 {
    match kind {
        ArrivalKind::Broadcast => 0,
        ArrivalKind::Direct => 1,
        ArrivalKind::Stopped => 2,
        ArrivalKind::Other => 3,
    }
}

/// A sealed session, or nothing if it is not the one of the row's slot: that of another run, or of another time, which was
/// put in its place. The run is damaged then.
pub(super) fn in_its_slot(
    sealed: Vec<u8>,
    (context, party, length): ([u8; 32], u16, u32),
) -> Vec<u8> {
    let slot = Sealed::from_bytes(&sealed).map(|sealed| sealed.slot());
    let is = |slot: Slot| (slot.session(), slot.party_id().get(), slot.length());
    if slot.is_ok_and(|slot| is(slot) != (context, party, length)) { Vec::new() } else { sealed }
}

/// The first column, of names of 32 bytes.
pub(super) fn names(rows: &[Row]) -> Result<Vec<[u8; 32]>> {
    rows.iter().map(|row| row.array(0)).collect()
}

pub(super) fn inbox_row(mut row: Row) -> Result<InboxRow> {
    let kind = match row.int(2)? {
        0 => ArrivalKind::Broadcast,
        1 => ArrivalKind::Direct,
        2 => ArrivalKind::Stopped,
        3 => ArrivalKind::Other,
        _ => return Err(Error::other("a frame of an unknown kind")),
    };
    let place = Place { from: row.party(0)?, round: row.number(1)?, kind };
    Ok(InboxRow { place, id: row.array(3)?, sealed: row.bytes(4)? })
}

/// A message, and how often it was sent.
pub(super) fn message(mut row: Row) -> Result<(Due, u32)> {
    let (to, id, context) = (row.party(0)?, row.array(1)?, row.array(4)?);
    Ok((Due { to, id, context, sealed: row.bytes(2)? }, row.number(3)?))
}
