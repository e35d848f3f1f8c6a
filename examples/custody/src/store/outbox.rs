//! What waits for acknowledgement.

use std::collections::BTreeMap;

use quorate::PartyId;
use quorate::runner::store::{Due, OutgoingMessage, PacketId, RunContext};
use quorate::runner::{Bounds, Stored, Time};

use super::reseal::given;
use super::rows::message;
use super::work::Work;
use crate::sql::{Result, Row, Set, Sql, Type};
use crate::values;

static PACK: Set = Set {
    columns: &[
        ("id", Type::Bytes),
        ("context", Type::Bytes),
        ("sealed", Type::Bytes),
        ("until", Type::Int),
    ],
    sql:
        "INSERT INTO packets (id, context, sealed, until)
        SELECT id, context, sealed, until FROM given WHERE true ON CONFLICT DO NOTHING RETURNING id",
};
static POST: Set = Set {
    columns: &[("id", Type::Bytes), ("recipient", Type::Int), ("due", Type::Int)],
    sql: "INSERT INTO outbox (id, recipient, due) SELECT id, recipient, due FROM given WHERE true
        ON CONFLICT DO NOTHING",
};
/// One that another worker is sending just now is sent, and acknowledged, once more.
static FORGET: Set = Set {
    columns: &[("id", Type::Bytes), ("recipient", Type::Int)],
    sql:
        "DELETE FROM outbox WHERE (id, recipient) IN (SELECT outbox.id, outbox.recipient FROM given
        JOIN outbox ON outbox.id = given.id AND outbox.recipient = given.recipient
        /*pg FOR UPDATE OF outbox SKIP LOCKED*/) RETURNING id",
};
/// Two workers that forget the last two recipients of a packet at the same time leave it, until its time is over.
static UNPACK: Set = Set {
    columns: &[("id", Type::Bytes)],
    sql: "DELETE FROM packets WHERE id IN (SELECT id FROM given)
        AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.id = packets.id)
        RETURNING CAST(length(sealed) AS BIGINT)",
};
static LATER: Set = Set {
    columns: &[("id", Type::Bytes), ("recipient", Type::Int), ("due", Type::Int)],
    sql: "UPDATE outbox SET due = given.due, attempts = attempts + 1 FROM given
        WHERE outbox.id = given.id AND outbox.recipient = given.recipient",
};

pub(super) fn post(
    work: &mut Work<'_>,
    context: &RunContext,
    messages: &[OutgoingMessage],
) -> Result<()> {
    let messages: Vec<&OutgoingMessage> =
        messages.iter().filter(|message| !message.to.is_empty()).collect();
    let sealed: Vec<Vec<u8>> = messages.iter().map(|one| work.stamp(&one.sealed)).collect();
    let all = || messages.iter().zip(&sealed);
    let packets = all().map(|(one, sealed)| values![&one.id, context, sealed, one.until].to_vec());
    let new = work.query_set(&PACK, &packets.collect::<Vec<_>>())?;
    let lengths: BTreeMap<_, _> = all().map(|(one, sealed)| (one.id, sealed.len())).collect();
    let mut bytes = 0_usize;
    for row in &new {
        bytes = bytes.saturating_add(lengths.get(&row.array(0)?).copied().unwrap_or(0));
    }
    let posted = messages
        .iter()
        .flat_map(|one| one.to.iter().map(|to| values![&one.id, to.get(), one.due].to_vec()));
    let posted = work.execute_set(&POST, &posted.collect::<Vec<_>>())?;
    work.change.posted(usize::try_from(posted).unwrap_or(usize::MAX), bytes);
    messages.iter().for_each(|one| work.release(&one.id));
    Ok(())
}

pub(super) fn acknowledge(work: &mut Work<'_>, by: PartyId, ids: &[PacketId]) -> Result<usize> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    let rows: Vec<_> = ids.iter().map(|id| values![id, by.get()].to_vec()).collect();
    let known = work.query_set(&FORGET, &rows)?;
    forgotten(work, &known)?;
    Ok(known.len())
}

/// Forgets the packets that wait for nobody any more, after these of their recipients are forgotten.
fn forgotten(work: &mut Work<'_>, rows: &[Row]) -> Result<()> {
    let mut ids: Vec<PacketId> = super::rows::names(rows)?;
    ids.sort_unstable();
    ids.dedup();
    let gone: Vec<_> = ids.iter().map(|id| values![id].to_vec()).collect();
    let gone = work.query_set(&UNPACK, &gone)?;
    work.change.forgotten(rows.len(), sum(&gone)?);
    Ok(())
}

fn sum(rows: &[Row]) -> Result<i64> {
    rows.iter().try_fold(0_i64, |sum, row| Ok(sum.saturating_add(row.int(0)?)))
}

pub(super) fn due(
    work: &mut Work<'_>,
    now: Time,
    bounds: &Bounds,
    most: usize,
) -> Result<Vec<Due>> {
    // What another worker is at, it sends.
    let sql = "SELECT recipient, outbox.id, sealed, attempts, context
        FROM outbox JOIN packets ON packets.id = outbox.id
        WHERE due <= $1 ORDER BY due LIMIT $2 /*pg FOR UPDATE OF outbox SKIP LOCKED*/";
    let found = work.query(sql, &values![now, most])?.into_iter().map(message);
    let found: Vec<(Due, u32)> = found.collect::<Result<_>>()?;
    let later = found.iter().map(|(message, attempts)| {
        let due = now.saturating_add(bounds.backoff(*attempts));
        values![&message.id, message.to.get(), due].to_vec()
    });
    work.execute_set(&LATER, &later.collect::<Vec<_>>())?;
    work.change.gave |= !found.is_empty();
    let open = |(message, _): (Due, u32)| {
        Ok(Due { sealed: given(work.seals, Stored::OutgoingMessage, message.sealed)?, ..message })
    };
    found.into_iter().map(open).collect()
}

/// Keeps no message of a run longer than until then.
pub(super) fn end(work: &mut Work<'_>, context: &RunContext, until: Time) -> Result<()> {
    let sql = "UPDATE packets SET until = $2 WHERE context = $1 AND until > $2";
    work.execute(sql, &values![context, until]).map(drop)
}

/// Whether more bytes than this wait for one of the recipients of these messages.
pub(super) fn is_full(
    work: &mut Work<'_>,
    messages: &[OutgoingMessage],
    bound: usize,
) -> Result<bool> {
    let sql = "SELECT CAST(coalesce(sum(length(sealed)), 0) AS BIGINT)
        FROM outbox JOIN packets ON packets.id = outbox.id WHERE recipient = $1";
    for to in messages.iter().flat_map(|message| &message.to) {
        if work.one(sql, &values![to.get()])?.number::<usize>(0)? > bound {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Forgets messages whose time is over.
pub(super) fn prune(work: &mut Work<'_>, now: Time) -> Result<()> {
    let sql = "DELETE FROM outbox WHERE (id, recipient) IN (SELECT outbox.id, outbox.recipient
        FROM packets JOIN outbox ON outbox.id = packets.id
        WHERE packets.until <= $1 /*pg FOR UPDATE OF outbox SKIP LOCKED*/) RETURNING id";
    let messages = work.query(sql, &values![now])?;
    // What another worker is at goes with the next look.
    let sql = "DELETE FROM packets WHERE id IN (SELECT id FROM packets WHERE until <= $1
        AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.id = packets.id) /*pg FOR UPDATE SKIP LOCKED*/)
        RETURNING CAST(length(sealed) AS BIGINT)";
    let packets = work.query(sql, &values![now])?;
    work.change.forgotten(messages.len(), sum(&packets)?);
    Ok(())
}
