//! Messages that wait for acknowledgement.
//!
//! | table | key | content |
//! |---|---|---|
//! | `L` | name of the packet | [`Waiting`] |
//! | `M` | name of the packet | the packet, sealed |
//! | `W` | time ‖ recipient ‖ name | nothing |
//! | `U` | end of its use ‖ name | nothing |
//! | `E` | context ‖ name | nothing |
//! | `N` | recipient | bytes that wait for it |

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use quorate::PartyId;
use quorate::runner::store::{Due, NewStep, OutgoingMessage, PacketId, RunContext};
use quorate::runner::{Bounds, Time};
use quorate::session::wire::{Reader, wide};

use super::runs::{number, totals};
use super::transaction::{PRUNED, Result, Transaction, after, read};
use crate::rows::RowsError;

/// A message that some recipients have not acknowledged.
struct Waiting {
    /// The run whose message it is.
    context: RunContext,
    length: u64,
    until: Time,
    /// The next time and the attempts so far, for each who has not.
    left: BTreeMap<u16, (Time, u32)>,
}

impl Waiting {
    fn encode(&self) -> Vec<u8> {
        let mut bytes = self.context.to_vec();
        bytes.extend_from_slice(&self.length.to_be_bytes());
        bytes.extend_from_slice(&self.until.to_be_bytes());
        for (to, (due, attempts)) in &self.left {
            bytes.extend_from_slice(&to.to_be_bytes());
            bytes.extend_from_slice(&due.to_be_bytes());
            bytes.extend_from_slice(&attempts.to_be_bytes());
        }
        bytes
    }

    fn decode(reader: &mut Reader<'_>) -> Option<Self> {
        let context = reader.array().ok()?;
        let (length, until) = (reader.u64().ok()?, reader.u64().ok()?);
        let mut left = BTreeMap::new();
        while reader.remaining() > 0 {
            let (to, due, attempts) = (reader.u16().ok()?, reader.u64().ok()?, reader.u32().ok()?);
            left.insert(to, (due, attempts));
        }
        Some(Self { context, length, until, left })
    }
}

fn find(tx: &Transaction<'_>, id: &[u8]) -> Result<Option<Waiting>> {
    let bytes = tx.get(&tx.key(b'L', &[id]))?;
    bytes.map(|bytes| read(&bytes, Waiting::decode)).transpose()
}

fn moment(tx: &Transaction<'_>, due: Time, to: u16, id: &[u8]) -> Vec<u8> {
    tx.key(b'W', &[&due.to_be_bytes(), &to.to_be_bytes(), id])
}

fn waits_for(tx: &Transaction<'_>, to: u16) -> Result<u64> {
    let bytes = tx.get(&tx.key(b'N', &[&to.to_be_bytes()]))?;
    Ok(bytes.map(|bytes| read(&bytes, |reader| reader.u64().ok())).transpose()?.unwrap_or(0))
}

fn put_waits_for(tx: &mut Transaction<'_>, to: u16, bytes: u64) {
    let key = tx.key(b'N', &[&to.to_be_bytes()]);
    if bytes == 0 {
        tx.delete(key);
    } else {
        tx.put(key, bytes.to_be_bytes().to_vec());
    }
}

/// Returns whether more bytes than this wait for one of the recipients of these.
pub(super) fn is_full(
    tx: &Transaction<'_>,
    messages: &[OutgoingMessage],
    bound: usize,
) -> Result<bool> {
    let recipients: BTreeSet<_> =
        messages.iter().flat_map(|message| &message.to).map(|to| to.get()).collect();
    for to in recipients {
        if number(waits_for(tx, to)?) > bound {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Stores the messages of a run, none for longer than until `end`. One that is there gets further recipients.
pub(super) fn add(
    tx: &mut Transaction<'_>,
    context: &RunContext,
    messages: &[OutgoingMessage],
    end: Option<Time>,
) -> Result<()> {
    let (mut bytes, mut copies) = (0_u64, 0_u64);
    for OutgoingMessage { to, id, sealed, due, until } in
        messages.iter().filter(|one| !one.to.is_empty())
    {
        let mut waiting = match find(tx, id)? {
            Some(waiting) => waiting,
            None => {
                let length = wide(sealed.len());
                bytes = bytes.saturating_add(length);
                tx.put(tx.key(b'M', &[id]), sealed.clone());
                let until = end.map_or(*until, |end| end.min(*until));
                tx.put(tx.key(b'U', &[&until.to_be_bytes(), id]), Vec::new());
                tx.put(tx.key(b'E', &[context, id]), Vec::new());
                Waiting { context: *context, length, until, left: BTreeMap::new() }
            }
        };
        for to in to.iter().map(|to| to.get()) {
            if let Entry::Vacant(vacant) = waiting.left.entry(to) {
                vacant.insert((*due, 0));
                tx.put(moment(tx, *due, to, id), Vec::new());
                copies = copies.saturating_add(1);
                let waits = waits_for(tx, to)?.saturating_add(waiting.length);
                put_waits_for(tx, to, waits);
            }
        }
        tx.put(tx.key(b'L', &[id]), waiting.encode());
    }
    if copies == 0 {
        return Ok(());
    }
    totals(tx, |totals| {
        totals.outbox = totals.outbox.saturating_add(bytes);
        totals.messages = totals.messages.saturating_add(copies);
    })
}

/// Stores the last messages of a run that ends, and keeps none of its messages for longer than the step says.
pub(super) fn end(
    tx: &mut Transaction<'_>,
    context: &RunContext,
    step: &NewStep<'_>,
) -> Result<()> {
    for (id, _) in tx.under(&tx.key(b'E', &[context]))? {
        let Some(mut waiting) = find(tx, &id)?.filter(|one| step.until < one.until) else {
            continue;
        };
        tx.delete(tx.key(b'U', &[&waiting.until.to_be_bytes(), &id]));
        tx.put(tx.key(b'U', &[&step.until.to_be_bytes(), &id]), Vec::new());
        waiting.until = step.until;
        tx.put(tx.key(b'L', &[&id]), waiting.encode());
    }
    add(tx, context, step.messages, Some(step.until))
}

/// Counts bytes as waiting for a recipient no longer.
fn release(tx: &mut Transaction<'_>, to: u16, bytes: u64) -> Result<()> {
    let waits = waits_for(tx, to)?.saturating_sub(bytes);
    put_waits_for(tx, to, waits);
    Ok(())
}

/// Forgets a message to one of its recipients; returns whether it was there.
pub(super) fn forget(tx: &mut Transaction<'_>, to: PartyId, id: &PacketId) -> Result<bool> {
    let Some(mut waiting) = find(tx, id)? else { return Ok(false) };
    let Some((due, _)) = waiting.left.remove(&to.get()) else { return Ok(false) };
    tx.delete(moment(tx, due, to.get(), id));
    release(tx, to.get(), waiting.length)?;
    let last = waiting.left.is_empty();
    if last {
        remove(tx, &waiting, id);
    } else {
        tx.put(tx.key(b'L', &[id]), waiting.encode());
    }
    totals(tx, |totals| {
        totals.messages = totals.messages.saturating_sub(1);
        if last {
            totals.outbox = totals.outbox.saturating_sub(waiting.length);
        }
    })?;
    Ok(true)
}

fn remove(tx: &mut Transaction<'_>, waiting: &Waiting, id: &[u8]) {
    tx.delete(tx.key(b'L', &[id]));
    tx.delete(tx.key(b'M', &[id]));
    tx.delete(tx.key(b'U', &[&waiting.until.to_be_bytes(), id]));
    tx.delete(tx.key(b'E', &[&waiting.context, id]));
}

/// The messages whose time has come. Each comes again at a later one.
pub(super) fn due(
    tx: &mut Transaction<'_>,
    now: Time,
    bounds: &Bounds,
    most: usize,
) -> Result<Vec<Due>> {
    let (all, mut moments) = (tx.key(b'W', &[]), Vec::new());
    if most > 0 {
        tx.each(all.clone(), &after(&tx.key(b'W', &[&now.to_be_bytes()])), |row| {
            let rest = row.key.get(all.len()..).unwrap_or_default();
            let (to, id) = read(rest, |reader| {
                reader.u64().ok()?;
                Some((PartyId::new(reader.u16().ok()?)?, reader.array::<32>().ok()?))
            })?;
            moments.push((row.key, to, id));
            Ok(moments.len() < most)
        })?;
    }
    let mut messages = Vec::with_capacity(moments.len());
    for (key, to, id) in moments {
        tx.delete(key);
        let Some(mut waiting) = find(tx, &id)? else { continue };
        let Some((next, attempts)) = waiting.left.get_mut(&to.get()) else { continue };
        *next = now.saturating_add(bounds.backoff(*attempts));
        *attempts = attempts.saturating_add(1);
        let next = *next;
        tx.put(moment(tx, next, to.get(), &id), Vec::new());
        tx.put(tx.key(b'L', &[&id]), waiting.encode());
        let sealed = tx.get(&tx.key(b'M', &[&id]))?;
        let sealed = sealed.ok_or_else(|| RowsError::new("a message has no content"))?;
        messages.push(Due { to, id, context: waiting.context, sealed });
    }
    Ok(messages)
}

/// Forgets messages whose time is over.
pub(super) fn prune(tx: &mut Transaction<'_>, now: Time) -> Result<()> {
    let (all, mut over) = (tx.key(b'U', &[]), Vec::new());
    tx.each(all.clone(), &after(&tx.key(b'U', &[&now.to_be_bytes()])), |row| {
        over.push(row.key.get((all.len() + 8)..).unwrap_or_default().to_vec());
        Ok(over.len() < PRUNED)
    })?;
    let (mut bytes, mut copies) = (0_u64, 0_u64);
    for id in &over {
        let Some(waiting) = find(tx, id)? else { continue };
        for (to, (due, _)) in &waiting.left {
            tx.delete(moment(tx, *due, *to, id));
            release(tx, *to, waiting.length)?;
            copies = copies.saturating_add(1);
        }
        bytes = bytes.saturating_add(waiting.length);
        remove(tx, &waiting, id);
    }
    if over.is_empty() {
        return Ok(());
    }
    totals(tx, |totals| {
        totals.outbox = totals.outbox.saturating_sub(bytes);
        totals.messages = totals.messages.saturating_sub(copies);
    })
}
