//! The log of a session: its events in order and what it sent, which together with the seed are all there is to save.

use alloc::{collections::BTreeMap, vec::Vec};

use core::ops::RangeInclusive;

use zeroize::Zeroizing;

use crate::{PartyId, Round, sent::Sent};

/// One event. Frames to one party are confidential, so all are wiped when dropped.
pub(crate) enum Event {
    Frame { from: PartyId, bytes: Zeroizing<Vec<u8>> },
    Advance,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Broadcast,
    Direct,
}

type Key = (Round, PartyId, Kind);

/// The fate of a frame offered to the log.
pub(crate) enum Stored {
    New,
    Duplicate,
    Conflict,
}

#[derive(Default)]
pub(crate) struct Log {
    events: Vec<Event>,
    /// The place of the first frame of each kind, which is the one that counts.
    held: BTreeMap<Key, usize>,
    /// The place of the first frame that contradicts it, if there is one.
    conflicting: BTreeMap<Key, usize>,
    /// The own messages of each round, the first at index 0.
    sent: Vec<Sent>,
}

impl Log {
    /// Keeps the first frame of its kind and the first that contradicts it, and no more.
    pub(crate) fn store(
        &mut self,
        round: Round,
        from: PartyId,
        kind: Kind,
        frame: &[u8],
    ) -> Stored {
        let key = (round, from, kind);
        let (stored, places) = match self.first(round, from, kind) {
            None => (Stored::New, &mut self.held),
            Some(first) if first == frame => return Stored::Duplicate,
            Some(_) if self.conflicting.contains_key(&key) => return Stored::Conflict,
            Some(_) => (Stored::Conflict, &mut self.conflicting),
        };
        places.insert(key, self.events.len());
        self.events.push(Event::Frame { from, bytes: Zeroizing::new(frame.to_vec()) });
        stored
    }

    /// Keeps the own messages of the round just begun.
    pub(crate) fn send(&mut self, messages: Sent) {
        self.sent.push(messages);
    }

    pub(crate) fn sent(&self) -> &[Sent] {
        &self.sent
    }

    /// The own broadcast of the current round.
    pub(crate) fn own_broadcast(&self) -> &[u8] {
        self.sent.last().and_then(|sent| sent.broadcast.as_deref()).unwrap_or_default()
    }

    pub(crate) fn advance(&mut self) {
        self.events.push(Event::Advance);
    }

    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }

    pub(crate) fn first(&self, round: Round, from: PartyId, kind: Kind) -> Option<&[u8]> {
        self.frame(*self.held.get(&(round, from, kind))?)
    }

    /// The first frames of a round, by ascending sender.
    pub(crate) fn firsts(&self, round: Round) -> impl Iterator<Item = (PartyId, Kind, &[u8])> {
        self.held
            .range(whole(round))
            .filter_map(|((_, from, kind), place)| Some((*from, *kind, self.frame(*place)?)))
    }

    /// The senders that contradicted themselves in a round up to this one, each with the round and
    /// the two frames, once.
    pub(crate) fn conflicts(&self, until: Round) -> Vec<(PartyId, Round, [Vec<u8>; 2])> {
        let mut found: Vec<(PartyId, Round, [Vec<u8>; 2])> = Vec::new();
        for ((round, from, kind), place) in &self.conflicting {
            if let (Some(first), Some(second)) =
                (self.first(*round, *from, *kind), self.frame(*place))
                && *round <= until
                && found.iter().all(|(known, ..)| known != from)
            {
                found.push((*from, *round, [first.to_vec(), second.to_vec()]));
            }
        }
        found.sort_unstable_by_key(|(from, ..)| *from);
        found
    }

    /// All frames of a sender up to and including a round, for evidence.
    pub(crate) fn frames_of(&self, party: PartyId, until: Round) -> Vec<(PartyId, Vec<u8>)> {
        (Round::FIRST.get()..=until.get())
            .flat_map(|round| [Kind::Broadcast, Kind::Direct].map(|kind| (Round(round), kind)))
            .filter_map(|(round, kind)| Some((party, self.first(round, party, kind)?.to_vec())))
            .collect()
    }

    fn frame(&self, place: usize) -> Option<&[u8]> {
        match self.events.get(place)? {
            Event::Frame { bytes, .. } => Some(bytes),
            Event::Advance => None,
        }
    }
}

/// The keys of a round.
fn whole(round: Round) -> RangeInclusive<Key> {
    (round, PartyId::MIN, Kind::Broadcast)..=(round, PartyId::MAX, Kind::Direct)
}
