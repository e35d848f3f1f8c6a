//! The packets of peers: for open runs, and parked for runs that have not started.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::ops::Bound;

use quorate_session::PartyId;
use quorate_session::frame::{self, Prefix, Tag};

use crate::store::{ArrivalKind, InboxRow, PacketId, Place, RunContext, Taken};
use crate::{PARKED_OVERHEAD, Time};

#[derive(Default, Debug)]
pub(super) struct Inbox {
    rows: BTreeMap<RunContext, Vec<Row>>,
    /// By the moment at which what was parked is forgotten.
    parked: BTreeSet<(Time, RunContext)>,
    /// The openings that were parked, by tag and sender.
    openings: BTreeSet<(Tag, PartyId, RunContext)>,
    parked_bytes: BTreeMap<PartyId, usize>,
}

#[derive(Debug)]
pub(super) struct Row {
    pub(super) place: Place,
    pub(super) id: PacketId,
    pub(super) sealed: Vec<u8>,
    pub(super) opening: Option<Prefix>,
    pub(super) until: Time,
    taken: bool,
}

impl Row {
    pub(super) const fn new(
        (place, id): (Place, PacketId),
        sealed: Vec<u8>,
        opening: Option<Prefix>,
        until: Time,
    ) -> Self {
        Self { place, id, sealed, opening, until, taken: false }
    }

    /// The opening of a frame that belongs to a run with other parameters.
    pub(super) fn other(place: Place, id: PacketId, opening: &Prefix, until: Time) -> Self {
        let place = Place { kind: ArrivalKind::Other, ..place };
        Self::new((place, id), opening.to_vec(), None, until)
    }

    const fn cost(&self) -> usize {
        self.sealed.len() + PARKED_OVERHEAD
    }

    fn tag(&self) -> Option<Tag> {
        self.opening.as_ref().map(frame::tag)
    }
}

impl Inbox {
    /// The names of the packets at a place of a run.
    pub(super) fn at(&self, context: &RunContext, place: Place) -> Vec<PacketId> {
        let rows = self.rows.get(context).into_iter().flatten();
        rows.filter(|row| row.place == place).map(|row| row.id).collect()
    }

    /// Adds a row of a run; the number of its rows that are not taken in then.
    pub(super) fn add(&mut self, context: RunContext, row: Row) -> usize {
        let rows = self.rows.entry(context).or_default();
        rows.push(row);
        rows.iter().filter(|row| !row.taken).count()
    }

    /// Stores an opening for a run, the first of its sender; the number of rows that are not taken in then.
    pub(super) fn add_opening(&mut self, context: RunContext, row: Row) -> Option<usize> {
        self.at(&context, row.place).is_empty().then(|| self.add(context, row))
    }

    /// Parks a row, unless its sender has parked too much; returns whether it did.
    pub(super) fn park(&mut self, context: RunContext, row: Row, bound: usize) -> bool {
        let parked = self.parked_bytes.get(&row.place.from).copied().unwrap_or(0);
        let parked = parked.saturating_add(row.cost());
        if parked > bound {
            return false;
        }
        self.parked_bytes.insert(row.place.from, parked);
        self.parked.insert((row.until, context));
        if let Some(tag) = row.tag() {
            self.openings.insert((tag, row.place.from, context));
        }
        let rows = self.rows.entry(context).or_default();
        // Most runs have one row for a while, and a vector that grows by itself would begin with four.
        if rows.len() < 4 {
            rows.reserve_exact(1);
        }
        rows.push(row);
        true
    }

    /// Counts a row as parked no longer.
    fn unpark(&mut self, row: &Row, context: &RunContext) {
        let from = row.place.from;
        if let Some(bytes) = self.parked_bytes.get_mut(&from) {
            *bytes = bytes.saturating_sub(row.cost());
            if *bytes == 0 {
                self.parked_bytes.remove(&from);
            }
        }
        if let Some(tag) = row.tag() {
            self.openings.remove(&(tag, from, *context));
        }
    }

    /// A run begins: it takes over what was parked under its context, and a copy of one opening of each peer that has
    /// parked some with its tag and another context. Returns whether there was anything.
    pub(super) fn begin(&mut self, tag: Tag, context: RunContext) -> bool {
        let mut rows = self.rows.remove(&context).unwrap_or_default();
        for row in &rows {
            self.parked.remove(&(row.until, context));
            self.unpark(row, &context);
        }
        let mut from = Bound::Included((tag, PartyId::from(core::num::NonZeroU16::MIN), [0; 32]));
        while let Some(&(of, peer, other)) = self.openings.range((from, Bound::Unbounded)).next()
            && of == tag
        {
            from = Bound::Excluded((tag, peer, [u8::MAX; 32]));
            let parked = self.rows.get(&other).into_iter().flatten();
            let mut parked = parked.filter(|row| row.place.from == peer && row.tag() == Some(tag));
            rows.extend(parked.next().and_then(|row| {
                let opening = row.opening?;
                Some(Row::other(row.place, row.id, &opening, row.until))
            }));
        }
        let parked = !rows.is_empty();
        self.rows.insert(context, rows);
        parked
    }

    /// A run ends.
    pub(super) fn end(&mut self, context: &RunContext) {
        self.rows.remove(context);
    }

    /// Marks rows of a run as taken in.
    pub(super) fn take(&mut self, context: &RunContext, taken: &[Taken]) {
        for row in self.rows.get_mut(context).into_iter().flatten() {
            if taken.contains(&Taken { from: row.place.from, id: row.id }) {
                row.taken = true;
                row.sealed = Vec::new();
            }
        }
    }

    pub(super) fn rows(&self, context: &RunContext) -> Vec<InboxRow> {
        let rows = self.rows.get(context).into_iter().flatten().filter(|row| !row.taken);
        let row = |row: &Row| InboxRow { place: row.place, id: row.id, sealed: row.sealed.clone() };
        rows.map(row).collect()
    }

    /// Forgets what was parked and whose time is over, about `most` rows.
    pub(super) fn prune(&mut self, now: Time, most: usize) {
        let mut left = most;
        while let Some(&(until, context)) = self.parked.first()
            && until <= now
            && left > 0
        {
            self.parked.remove(&(until, context));
            let rows = self.rows.remove(&context).unwrap_or_default();
            left = left.saturating_sub(rows.len().max(1));
            let (over, rest): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.until <= now);
            over.iter().for_each(|row| self.unpark(row, &context));
            // Two rows of one peer may stand behind one opening.
            for row in &rest {
                self.openings.extend(row.tag().map(|tag| (tag, row.place.from, context)));
            }
            if !rest.is_empty() {
                self.rows.insert(context, rest);
            }
        }
    }

    /// The bytes that all peers have parked.
    pub(super) fn parked(&self) -> usize {
        self.parked_bytes.values().sum()
    }
}
