//! Rows in and out.

use quorate::PartyId;
use quorate::runner::Time;
use quorate::runner::store::{ArrivalKind, Due, InboxRow, Letter, Place};
use quorate::session::{Sealed, Slot};
use rusqlite::types::Type;
use rusqlite::{Connection, Error, Params, Row, params};

/// A time as SQLite has it: its integers have a sign.
pub(super) fn time(time: Time) -> i64 {
    i64::try_from(time).unwrap_or(i64::MAX)
}

pub(super) fn since(time: i64) -> Time {
    Time::try_from(time).unwrap_or(0)
}

/// A number of rows or bytes as SQLite has it.
pub(super) fn stored(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn size(row: &Row<'_>, at: usize) -> rusqlite::Result<usize> {
    let number: i64 = row.get(at)?;
    usize::try_from(number).map_err(|_| Error::IntegralValueOutOfRange(at, number))
}

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
    let is = |slot: Slot| (slot.session(), slot.party().get(), slot.length());
    if slot.is_ok_and(|slot| is(slot) != (context, party, length)) { Vec::new() } else { sealed }
}

/// A column of names of 32 bytes.
pub(super) fn array(
    db: &Connection,
    sql: &str,
    params: impl Params,
) -> rusqlite::Result<Vec<[u8; 32]>> {
    let mut rows = db.prepare_cached(sql)?;
    rows.query_map(params, |row| row.get(0))?.collect()
}

fn party(row: &Row<'_>, at: usize) -> rusqlite::Result<PartyId> {
    let number: u16 = row.get(at)?;
    PartyId::new(number).ok_or(Error::IntegralValueOutOfRange(at, number.into()))
}

pub(super) fn inbox_row(row: &Row<'_>) -> rusqlite::Result<InboxRow> {
    let kind = match row.get(2)? {
        0_u8 => ArrivalKind::Broadcast,
        1 => ArrivalKind::Direct,
        2 => ArrivalKind::Stopped,
        3 => ArrivalKind::Other,
        _ => return Err(Error::InvalidColumnType(2, "kind".to_owned(), Type::Integer)),
    };
    let place = Place { from: party(row, 0)?, round: row.get(1)?, kind };
    Ok(InboxRow { place, id: row.get(3)?, sealed: row.get(4)? })
}

/// A message, and how often it was sent.
pub(super) fn letter(row: &Row<'_>) -> rusqlite::Result<(Due, u32)> {
    let letter = Due { to: party(row, 0)?, id: row.get(1)?, sealed: row.get(2)? };
    Ok((letter, row.get(3)?))
}

pub(super) fn post(db: &Connection, letters: &[Letter]) -> rusqlite::Result<()> {
    let sql = "INSERT INTO packets (id, sealed, until) VALUES (?, ?, ?) ON CONFLICT DO NOTHING";
    let mut pack = db.prepare_cached(sql)?;
    let sql = "INSERT INTO outbox (id, recipient, due) VALUES (?, ?, ?) ON CONFLICT DO NOTHING";
    let mut post = db.prepare_cached(sql)?;
    for Letter { to, id, sealed, due, until } in letters.iter().filter(|one| !one.to.is_empty()) {
        pack.execute(params![id, sealed, time(*until)])?;
        for to in to {
            post.execute(params![id, to.get(), time(*due)])?;
        }
    }
    Ok(())
}
