//! The messages that wait for acknowledgement.

use quorate_runner::store::{Due, OutgoingMessage, PacketId, RunContext};
use quorate_runner::{Bounds, Time};
use quorate_session::PartyId;

use crate::engine::Sql;
use crate::error::{Error, Result};
use crate::totals;
use crate::value::{Row, Value, list, moment, party, size, time, values};

/// The rows that one call of `prune` forgets of each table.
pub(crate) const PRUNED: i64 = 4096;
/// The packets that one statement forgets.
const TOGETHER: usize = 16;

pub(crate) fn add(
    db: &mut dyn Sql,
    context: &RunContext,
    messages: &[OutgoingMessage],
) -> Result<()> {
    for message in messages.iter().filter(|message| !message.to.is_empty()) {
        let OutgoingMessage { to, id, sealed, due, until } = message;
        let (bytes, due, until) = (size(sealed.len()), time(*due)?, time(*until)?);
        let sql = "INSERT INTO packets (id, context, sealed, bytes, until)
            VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
        db.execute(sql, values![id, context, sealed.as_slice(), bytes, until])?;
        let sql = "INSERT INTO outbox (id, recipient, due, attempts, bytes)
            VALUES ($1, $2, $3, 0, $4) ON CONFLICT DO NOTHING";
        for to in to {
            db.execute(sql, values![id, party(*to), due, bytes])?;
        }
    }
    Ok(())
}

pub(crate) fn acknowledge(db: &mut dyn Sql, by: PartyId, ids: &[PacketId]) -> Result<usize> {
    let mut known = 0;
    let many = ids.chunks_exact(TOGETHER);
    for some in many.clone().chain(many.remainder().chunks(1)) {
        let by = Value::from(party(by));
        let values: Vec<_> = [by].into_iter().chain(some.iter().map(Value::from)).collect();
        let list = list(2, some.len());
        let sql = format!("DELETE FROM outbox WHERE recipient = $1 AND id IN ({list})");
        let deleted = db.execute(&sql, &values)?;
        known += usize::try_from(deleted).map_err(|_| more_than(some.len()))?;
        if deleted > 0 {
            forget(db, some)?;
        }
    }
    Ok(known)
}

fn more_than(rows: usize) -> Error {
    Error::Damaged(format!("more rows are gone than the {rows} that were named"))
}

/// Forgets those of these packets that all their recipients have.
fn forget(db: &mut dyn Sql, ids: &[PacketId]) -> Result<()> {
    let sql = format!(
        "DELETE FROM packets WHERE id IN ({})
        AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.id = packets.id)",
        list(1, ids.len())
    );
    let ids: Vec<_> = ids.iter().map(Value::from).collect();
    db.execute(&sql, &ids).map(drop)
}

/// Returns whether the time of a message has come.
pub(crate) fn is_due(db: &mut dyn Sql, now: Time) -> Result<bool> {
    db.finds("SELECT 1 FROM outbox WHERE due <= $1 LIMIT 1", values![moment(now)])
}

pub(crate) fn due(db: &mut dyn Sql, now: Time, bounds: &Bounds, most: usize) -> Result<Vec<Due>> {
    let sql = "SELECT recipient, outbox.id, sealed, attempts, context
        FROM outbox JOIN packets ON packets.id = outbox.id
        WHERE due <= $1 ORDER BY due, recipient, outbox.id LIMIT $2";
    let mut found = Vec::new();
    for mut row in db.query(sql, values![moment(now), size(most)])? {
        let attempts = row.number(3)?;
        let message = message(&mut row)?;
        let next = moment(now.saturating_add(bounds.backoff(attempts)));
        let sql = "UPDATE outbox SET due = $3, attempts = attempts + 1
            WHERE id = $1 AND recipient = $2";
        db.execute(sql, values![&message.id, party(message.to), next])?;
        found.push(message);
    }
    Ok(found)
}

fn message(row: &mut Row) -> Result<Due> {
    let (to, id, context) = (row.party(0)?, row.array(1)?, row.array(4)?);
    Ok(Due { to, id, context, sealed: row.bytes(2)? })
}

/// Keeps no message of a run longer than until then.
pub(crate) fn end(db: &mut dyn Sql, context: &RunContext, until: Time) -> Result<()> {
    let sql = "UPDATE packets SET until = $2 WHERE context = $1 AND until > $2";
    db.execute(sql, values![context, moment(until)]).map(drop)
}

/// Returns whether more bytes than this wait for one of the recipients of these messages.
pub(crate) fn is_full(
    db: &mut dyn Sql,
    messages: &[OutgoingMessage],
    bound: usize,
) -> Result<bool> {
    let mut to: Vec<_> = messages.iter().flat_map(|message| &message.to).collect();
    to.sort_unstable();
    to.dedup();
    for to in to {
        if totals::waiting_for(db, *to)? > bound {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether anything can be forgotten.
pub(crate) fn is_over(db: &mut dyn Sql, now: Time) -> Result<bool> {
    db.finds("SELECT 1 FROM packets WHERE until <= $1 LIMIT 1", values![moment(now)])
}

/// Forgets messages whose time is over, with their recipients.
pub(crate) fn prune(db: &mut dyn Sql, now: Time) -> Result<()> {
    let sql = "DELETE FROM packets WHERE id IN
        (SELECT id FROM packets WHERE until <= $1 ORDER BY until LIMIT $2)";
    db.execute(sql, values![moment(now), PRUNED]).map(drop)
}
