//! The log of a session: its events in order and the messages that it sent. Log and seed are all that has to be saved.

use alloc::{collections::BTreeMap, vec::Vec};

use core::ops::{Deref, RangeInclusive};

use zeroize::Zeroizing;

use crate::{BodyDigest, FrameBytes, PartyId, PerParty, Round, round_messages::RoundMessages};

/// One event.
pub(crate) enum Event {
    Frame { from: PartyId, bytes: Received },
    Advance,
}

/// The bytes of a frame that was received.
pub(crate) enum Received {
    /// A broadcast, which all evidence of the run shares.
    Public(FrameBytes),
    /// A frame to this party alone, wiped when dropped.
    Confidential(Zeroizing<Vec<u8>>),
}

impl Received {
    fn new(kind: Kind, frame: &[u8]) -> Self {
        match kind {
            Kind::Broadcast => Self::Public(frame.into()),
            Kind::Direct => Self::Confidential(Zeroizing::new(frame.to_vec())),
        }
    }

    /// The frame for evidence: a broadcast is shared, another frame is copied.
    fn shared(&self) -> FrameBytes {
        match self {
            Self::Public(bytes) => bytes.clone(),
            Self::Confidential(bytes) => bytes.as_slice().into(),
        }
    }
}

impl Deref for Received {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Public(bytes) => bytes,
            Self::Confidential(bytes) => bytes,
        }
    }
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

pub(crate) struct Log {
    events: Vec<Event>,
    /// The bytes that are left for checkpoints, and for frames that contradict others.
    room: usize,
    /// The place of the first frame of each kind, which is the one that counts.
    held: BTreeMap<Key, usize>,
    /// The place of the first frame that contradicts it, if there is one.
    conflicting: BTreeMap<Key, usize>,
    /// The own messages of each round, the first at index 0.
    sent: Vec<RoundMessages>,
    /// The digests of the broadcasts received in the current round, once it is complete.
    digests: PerParty<BodyDigest>,
}

impl Log {
    /// An empty log. It takes one message of each kind, round and party, and `room` bytes besides.
    pub(crate) fn new(room: usize) -> Self {
        let (held, conflicting) = (BTreeMap::new(), BTreeMap::new());
        let (sent, digests) = (Vec::new(), PerParty::new());
        Self { events: Vec::new(), room, held, conflicting, sent, digests }
    }

    /// Keeps the first frame of its kind and, while there is room, the first that contradicts it. Drops all others.
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
            Some(_) => match self.room.checked_sub(frame.len()) {
                Some(left) => {
                    self.room = left;
                    (Stored::Conflict, &mut self.conflicting)
                }
                None => return Stored::Conflict,
            },
        };
        places.insert(key, self.events.len());
        self.events.push(Event::Frame { from, bytes: Received::new(kind, frame) });
        stored
    }

    /// Keeps the own messages of the round just begun. `None` if there is no room for their checkpoint.
    pub(crate) fn send(&mut self, messages: RoundMessages) -> Option<()> {
        self.room = self.room.checked_sub(messages.checkpoint().len())?;
        self.sent.push(messages);
        Some(())
    }

    pub(crate) fn sent(&self) -> &[RoundMessages] {
        &self.sent
    }

    /// The own broadcast of the current round.
    pub(crate) fn own_broadcast(&self) -> &[u8] {
        self.sent.last().and_then(|sent| sent.broadcast.as_deref()).unwrap_or_default()
    }

    /// The digest of the own broadcast of the current round.
    pub(crate) fn own_digest(&self) -> BodyDigest {
        let known = self.sent.last().and_then(|sent| sent.digest);
        known.unwrap_or_else(|| BodyDigest::of(self.own_broadcast()))
    }

    /// Hashes the broadcasts of the current round, each once. Their bodies begin at `header`.
    pub(crate) fn hash_broadcasts(&mut self, round: Round, header: usize) {
        let broadcasts = self.firsts(round).filter(|(_, kind, _)| *kind == Kind::Broadcast);
        let digest = |(from, _, frame): (_, _, &[u8])| {
            (from, BodyDigest::of(frame.get(header..).unwrap_or_default()))
        };
        self.digests = broadcasts.map(digest).collect();
    }

    /// The digest of a broadcast of the current round, if [`Self::hash_broadcasts`] has made it.
    pub(crate) fn digest(&self, from: PartyId) -> Option<BodyDigest> {
        self.digests.get(from).copied()
    }

    pub(crate) fn advance(&mut self) {
        self.digests = PerParty::new();
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

    /// The first frame of its kind, for evidence.
    pub(crate) fn shared(&self, round: Round, from: PartyId, kind: Kind) -> Option<FrameBytes> {
        Some(self.received(*self.held.get(&(round, from, kind))?)?.shared())
    }

    /// The senders that contradicted themselves in a round up to this one, each with the round and
    /// the two frames, once.
    pub(crate) fn conflicts(&self, until: Round) -> Vec<(PartyId, Round, [FrameBytes; 2])> {
        let mut found: Vec<(PartyId, Round, [FrameBytes; 2])> = Vec::new();
        for ((round, from, kind), place) in &self.conflicting {
            if let (Some(first), Some(second)) =
                (self.shared(*round, *from, *kind), self.received(*place))
                && *round <= until
                && found.iter().all(|(known, ..)| known != from)
            {
                found.push((*from, *round, [first, second.shared()]));
            }
        }
        found.sort_unstable_by_key(|(from, ..)| *from);
        found
    }

    /// The frames of a sender up to and including a round, for evidence.
    pub(crate) fn frames_of(&self, party: PartyId, until: Round) -> Vec<(PartyId, FrameBytes)> {
        (Round::FIRST.get()..=until.get())
            .flat_map(|round| [Kind::Broadcast, Kind::Direct].map(|kind| (Round(round), kind)))
            .filter_map(|(round, kind)| Some((party, self.shared(round, party, kind)?)))
            .collect()
    }

    fn frame(&self, place: usize) -> Option<&[u8]> {
        self.received(place).map(Deref::deref)
    }

    fn received(&self, place: usize) -> Option<&Received> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contradiction_is_kept_while_there_is_room() {
        let mut log = Log::new(5);
        let mut offer = |kind, frame: &[u8]| {
            let stored = log.store(Round::FIRST, PartyId::MIN, kind, frame);
            (matches!(stored, Stored::Conflict), log.events().len())
        };
        assert_eq!(offer(Kind::Direct, b"long and first"), (false, 1));
        assert_eq!(offer(Kind::Broadcast, b"first"), (false, 2));
        assert_eq!(offer(Kind::Direct, b"longer"), (true, 2));
        assert_eq!(offer(Kind::Broadcast, b"other"), (true, 3));
    }

    #[test]
    fn a_checkpoint_without_room_is_refused() {
        let checkpoint = |length| {
            let checkpoint = Zeroizing::new(alloc::vec![1; length]);
            Log::new(5).send(crate::Outbox { checkpoint, ..Default::default() }.into())
        };
        assert_eq!((checkpoint(5), checkpoint(6)), (Some(()), None));
    }
}
