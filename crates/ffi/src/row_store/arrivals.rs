//! Packets of peers, of open runs and parked.
//!
//! | table | key | content |
//! |---|---|---|
//! | `I` | context ‖ place ‖ name of the packet | [`Head`] |
//! | `B` | context ‖ place ‖ name of the packet | the frame, sealed, until it is taken in |
//! | `P` | moment at which it is forgotten ‖ context | nothing, of what is parked |
//! | `X` | tag ‖ sender ‖ context ‖ place ‖ name | end of its parking ‖ opening, of what is parked |
//! | `K` | sender | bytes that it has parked |

use std::collections::BTreeSet;

use quorate::PartyId;
use quorate::runner::store::{
    Arrival, ArrivalKind, InboxRow, PacketId, Place, PutOutcome, RunContext, Taken,
};
use quorate::runner::{Bounds, PARKED_OVERHEAD, Time};
use quorate::session::frame::{self, PREFIX, Prefix, Tag};
use quorate::session::wire::{Reader, wide};

use super::runs::{context_of, find_run, number};
use super::transaction::{PRUNED, Result, Transaction, after, read};
use crate::rows::RowsError;

/// The data of a packet besides its frame.
struct Head {
    /// Packets of a run are taken in by ascending numbers.
    number: u64,
    until: Time,
    length: u64,
    taken: bool,
    opening: Option<Prefix>,
}

impl Head {
    fn encode(&self) -> Vec<u8> {
        let mut bytes = [self.number, self.until, self.length].map(u64::to_be_bytes).concat();
        bytes.push(u8::from(self.taken));
        bytes.extend_from_slice(self.opening.as_ref().map_or(&[], Prefix::as_slice));
        bytes
    }

    fn decode(reader: &mut Reader<'_>) -> Option<Self> {
        let (number, until) = (reader.u64().ok()?, reader.u64().ok()?);
        let (length, taken) = (reader.u64().ok()?, reader.u8().ok()? == 1);
        let opening =
            if reader.remaining() > 0 { Some(reader.array::<PREFIX>().ok()?) } else { None };
        Some(Self { number, until, length, taken, opening })
    }

    fn cost(&self) -> usize {
        number(self.length).saturating_add(PARKED_OVERHEAD)
    }
}

/// Sender ‖ round ‖ kind.
fn place_bytes(place: &Place) -> [u8; 4] {
    let [high, low] = place.from.get().to_be_bytes();
    let kind = match place.kind {
        ArrivalKind::Broadcast => 0,
        ArrivalKind::Direct => 1,
        ArrivalKind::Stopped => 2,
        ArrivalKind::Other => 3,
    };
    [high, low, place.round, kind]
}

/// Place and name, as they stand in keys.
fn read_name(bytes: &[u8]) -> Result<(Place, PacketId)> {
    read(bytes, |reader| {
        let (from, round) = (PartyId::new(reader.u16().ok()?)?, reader.u8().ok()?);
        let kind = match reader.u8().ok()? {
            0 => ArrivalKind::Broadcast,
            1 => ArrivalKind::Direct,
            2 => ArrivalKind::Stopped,
            3 => ArrivalKind::Other,
            _ => return None,
        };
        Some((Place { from, round, kind }, reader.array().ok()?))
    })
}

/// The packets of a run: place and name in bytes, and the rest.
fn heads(tx: &Transaction<'_>, context: &RunContext) -> Result<Vec<(Vec<u8>, Head)>> {
    let rows = tx.under(&tx.key(b'I', &[context]))?;
    rows.into_iter().map(|(name, bytes)| Ok((name, read(&bytes, Head::decode)?))).collect()
}

fn store(tx: &mut Transaction<'_>, key: &[&[u8]], head: &Head, body: &[u8]) {
    tx.put(tx.key(b'I', key), head.encode());
    tx.put(tx.key(b'B', key), body.to_vec());
}

fn forget_one(tx: &mut Transaction<'_>, context: &RunContext, name: &[u8]) {
    tx.delete(tx.key(b'I', &[context, name]));
    tx.delete(tx.key(b'B', &[context, name]));
}

/// Stores what has come.
pub(super) fn put(
    tx: &mut Transaction<'_>,
    arrival: &Arrival<'_>,
    bounds: &Bounds,
) -> Result<PutOutcome> {
    let Arrival { context, place, id, sealed, opening, until } = *arrival;
    let run = find_run(tx, &context)?;
    if run.as_ref().is_some_and(|run| run.ended) {
        return Ok(PutOutcome::Ended);
    }
    if let (None, Some(opening)) = (&run, &opening)
        && let Some(other) = tagged(tx, opening)?
    {
        let place = Place { kind: ArrivalKind::Other, ..place };
        let waiting = put_opening(tx, &other, (place, id), opening, until)?;
        return Ok(PutOutcome::Other { run: other, waiting });
    }
    let rows = heads(tx, &context)?;
    let at = place_bytes(&place);
    let there: Vec<_> = rows.iter().filter_map(|(name, _)| name.strip_prefix(&at)).collect();
    if there.iter().any(|other| *other == id) {
        return Ok(if run.is_some() { PutOutcome::Duplicate } else { PutOutcome::Parked });
    }
    if there.len() >= 2 {
        return Ok(PutOutcome::Contradiction);
    }
    if run.as_ref().is_some_and(|run| sealed.len() > run.longest) {
        return Ok(PutOutcome::TooLong);
    }
    let length = wide(sealed.len());
    let head = Head { number: tx.number(), until, length, taken: false, opening };
    if run.is_none() && !park(tx, (&context, &place, &id), &head, bounds)? {
        return Ok(PutOutcome::Full);
    }
    store(tx, &[&context, &at, &id], &head, sealed);
    let waiting = rows.iter().filter(|(_, head)| !head.taken).count().saturating_add(1);
    Ok(if run.is_some() { PutOutcome::Stored(waiting) } else { PutOutcome::Parked })
}

/// The open run with the tag of an opening, if there is one.
fn tagged(tx: &Transaction<'_>, opening: &Prefix) -> Result<Option<RunContext>> {
    let start = tx.key(b'T', &[&frame::tag(opening)]);
    let mut found = None;
    tx.each(start.clone(), &after(&start), |row| {
        found = Some(context_of(&row.key)?);
        Ok(false)
    })?;
    Ok(found)
}

/// Stores an opening for a run, the first of its sender; the number of packets that are not taken in then.
fn put_opening(
    tx: &mut Transaction<'_>,
    context: &RunContext,
    (place, id): (Place, PacketId),
    opening: &Prefix,
    until: Time,
) -> Result<Option<usize>> {
    let (rows, at) = (heads(tx, context)?, place_bytes(&place));
    if rows.iter().any(|(name, _)| name.starts_with(&at)) {
        return Ok(None);
    }
    let head = Head { number: tx.number(), until, length: 0, taken: false, opening: None };
    store(tx, &[context, &at, &id], &head, opening);
    Ok(Some(rows.iter().filter(|(_, head)| !head.taken).count().saturating_add(1)))
}

fn find_parked(tx: &Transaction<'_>, from: PartyId) -> Result<usize> {
    let bytes = tx.get(&tx.key(b'K', &[&from.get().to_be_bytes()]))?;
    let bytes = bytes.map(|bytes| read(&bytes, |reader| reader.u64().ok())).transpose()?;
    Ok(bytes.map_or(0, number))
}

fn put_parked(tx: &mut Transaction<'_>, from: PartyId, bytes: usize) {
    let key = tx.key(b'K', &[&from.get().to_be_bytes()]);
    if bytes == 0 {
        tx.delete(key);
    } else {
        tx.put(key, wide(bytes).to_be_bytes().to_vec());
    }
}

/// Counts a packet as parked, unless its sender has parked too much.
fn park(
    tx: &mut Transaction<'_>,
    (context, place, id): (&RunContext, &Place, &PacketId),
    head: &Head,
    bounds: &Bounds,
) -> Result<bool> {
    let parked = find_parked(tx, place.from)?.saturating_add(head.cost());
    if parked > bounds.parked {
        return Ok(false);
    }
    put_parked(tx, place.from, parked);
    tx.put(tx.key(b'P', &[&head.until.to_be_bytes(), context]), Vec::new());
    if let Some(opening) = &head.opening {
        let content = [&head.until.to_be_bytes()[..], opening].concat();
        tx.put(opening_key(tx, opening, (context, place, id)), content);
    }
    Ok(true)
}

fn opening_key(
    tx: &Transaction<'_>,
    opening: &Prefix,
    (context, place, id): (&RunContext, &Place, &PacketId),
) -> Vec<u8> {
    let from = place.from.get().to_be_bytes();
    tx.key(b'X', &[&frame::tag(opening), &from, context, &place_bytes(place), id])
}

/// Counts a packet as parked no longer.
fn release(
    tx: &mut Transaction<'_>,
    context: &RunContext,
    (name, head): (&[u8], &Head),
) -> Result<()> {
    let (place, id) = read_name(name)?;
    let parked = find_parked(tx, place.from)?.saturating_sub(head.cost());
    put_parked(tx, place.from, parked);
    tx.delete(tx.key(b'P', &[&head.until.to_be_bytes(), context]));
    if let Some(opening) = &head.opening {
        tx.delete(opening_key(tx, opening, (context, &place, &id)));
    }
    Ok(())
}

/// Counts the packets of a run that begins as parked no longer. Returns whether there are any.
pub(super) fn unpark(tx: &mut Transaction<'_>, context: &RunContext) -> Result<bool> {
    let parked = heads(tx, context)?;
    for (name, head) in &parked {
        release(tx, context, (name, head))?;
    }
    Ok(!parked.is_empty())
}

/// Copies for a run the first opening of each peer that has parked some with its tag and another context. Returns whether there
/// are any.
pub(super) fn copy_openings(
    tx: &mut Transaction<'_>,
    tag: Tag,
    context: &RunContext,
) -> Result<bool> {
    let mut copied = BTreeSet::new();
    for (key, content) in tx.under(&tx.key(b'X', &[&tag]))? {
        let other = key.get(2..).and_then(<[u8]>::split_first_chunk::<32>);
        let (other, name) = other.ok_or_else(|| RowsError::new("a key is not what was written"))?;
        let (place, id) = read_name(name)?;
        if other == context || !copied.insert(place.from) {
            continue;
        }
        let (until, opening) =
            read(&content, |reader| Some((reader.u64().ok()?, reader.array::<PREFIX>().ok()?)))?;
        let place = place_bytes(&Place { kind: ArrivalKind::Other, ..place });
        let head = Head { number: tx.number(), until, length: 0, taken: false, opening: None };
        store(tx, &[context, &place, &id], &head, &opening);
    }
    Ok(!copied.is_empty())
}

/// Marks packets of a run as taken in.
pub(super) fn take(tx: &mut Transaction<'_>, context: &RunContext, taken: &[Taken]) -> Result<()> {
    for (name, mut head) in heads(tx, context)? {
        let (place, id) = read_name(&name)?;
        if !head.taken && taken.contains(&Taken { from: place.from, id }) {
            head.taken = true;
            tx.put(tx.key(b'I', &[context, &name]), head.encode());
            tx.delete(tx.key(b'B', &[context, &name]));
        }
    }
    Ok(())
}

/// Forgets all packets of a run.
pub(super) fn forget(tx: &mut Transaction<'_>, context: &RunContext) -> Result<()> {
    heads(tx, context)?.iter().for_each(|(name, _)| forget_one(tx, context, name));
    Ok(())
}

/// The packets of a run that are not taken in, in the order in which they came.
pub(super) fn waiting(tx: &Transaction<'_>, context: &RunContext) -> Result<Vec<InboxRow>> {
    let mut rows = heads(tx, context)?;
    rows.retain(|(_, head)| !head.taken);
    rows.sort_by_key(|(_, head)| head.number);
    let row = |(name, _): (Vec<u8>, Head)| {
        let (place, id) = read_name(&name)?;
        let sealed = tx.get(&tx.key(b'B', &[context, &name]))?.unwrap_or_default();
        Ok(InboxRow { place, id, sealed })
    };
    rows.into_iter().map(row).collect()
}

/// Forgets some of what was parked and whose time is over.
pub(super) fn prune(tx: &mut Transaction<'_>, now: Time) -> Result<()> {
    let mut over = BTreeSet::new();
    tx.each(tx.key(b'P', &[]), &after(&tx.key(b'P', &[&now.to_be_bytes()])), |row| {
        over.insert(context_of(&row.key)?);
        Ok(over.len() < PRUNED)
    })?;
    for context in over {
        for (name, head) in heads(tx, &context)? {
            if head.until <= now {
                release(tx, &context, (&name, &head))?;
                forget_one(tx, &context, &name);
            }
        }
    }
    Ok(())
}

/// The bytes that all peers have parked.
pub(super) fn parked(tx: &Transaction<'_>) -> Result<usize> {
    let rows = tx.under(&tx.key(b'K', &[]))?;
    rows.into_iter().try_fold(0_usize, |sum, (_, bytes)| {
        Ok(sum.saturating_add(number(read(&bytes, |reader| reader.u64().ok())?)))
    })
}
