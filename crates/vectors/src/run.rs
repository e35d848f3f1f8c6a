//! A run of any protocol: what it is played from, and what the parties send and get.

use std::collections::{BTreeMap, BTreeSet};

use quorate::session::Protocol;
use quorate::session::frame::{HEADER, PREFIX};
use quorate::{Abort, PartyId};

use crate::json::Json;
use crate::seeds::{FRESH, Seeds};
use crate::terms::Terms;

/// A frame's place in a run: the round, the sender, the recipient or none.
pub(crate) type Place = (u8, PartyId, Option<PartyId>);
/// The frames of a run. Of a party that contradicts itself there are two in one place.
pub(crate) type Frames = BTreeMap<Place, Vec<Vec<u8>>>;

/// A run before it is played.
pub(crate) struct Script<P: Protocol> {
    /// The terms.
    pub(crate) terms: Terms,
    /// The parties.
    pub(crate) players: Vec<Player<P>>,
}

/// A party of a run.
pub(crate) struct Player<P: Protocol> {
    /// The party.
    pub(crate) party: PartyId,
    /// The bytes that its session draws.
    pub(crate) fresh: [u8; 32],
    /// The parameters of its session.
    pub(crate) params: P::Params,
    /// Further members of the player.
    pub(crate) inputs: Json,
}

impl<P: Protocol> Script<P> {
    /// A run on these terms. `bring` gives a party's parameters, and further members of the player.
    pub(crate) fn new(
        terms: Terms,
        seeds: &Seeds<'_>,
        bring: impl Fn(PartyId) -> (P::Params, Json),
    ) -> Self {
        let player = |party| {
            let (params, inputs) = bring(party);
            Player { party, fresh: seeds.of(&terms.ceremony, party, FRESH), params, inputs }
        };
        let players = terms.parties.iter().map(player).collect();
        Self { terms, players }
    }
}

/// A party's own values at the start of a run.
pub(crate) struct Started {
    /// The bytes that its session draws.
    pub(crate) fresh: [u8; 32],
    /// The seed that follows.
    pub(crate) seed: [u8; 32],
    /// Further members of the player.
    pub(crate) inputs: Json,
}

/// The course of a run.
pub(crate) struct Course {
    /// The terms of the run.
    pub(crate) terms: Terms,
    /// The protocol's name and code.
    pub(crate) protocol: (&'static str, u8),
    /// The digest of what the parties agreed on.
    pub(crate) context: [u8; 32],
    /// The parties.
    pub(crate) players: BTreeMap<PartyId, Started>,
    /// The frames that honest parties sent and received.
    pub(crate) frames: Frames,
    /// Frames that single parties received at a place where the first honest one received another.
    pub(crate) asides: BTreeMap<(Place, PartyId), Vec<u8>>,
}

impl Course {
    /// The length of what stands before a body of a round. An echo stands there if the round before has broadcasts.
    pub(crate) fn head(&self, round: u8) -> usize {
        let echo = self.frames.keys().any(|(of, _, to)| *of + 1 == round && to.is_none());
        if round == 1 || echo { HEADER + PREFIX } else { HEADER }
    }

    /// The body of a frame.
    pub(crate) fn body(&self, round: u8, from: PartyId, to: Option<PartyId>) -> &[u8] {
        &self.frames[&(round, from, to)][0][self.head(round)..]
    }

    /// The rounds of which there are frames.
    pub(crate) fn rounds(&self) -> BTreeSet<u8> {
        self.frames.keys().map(|(round, _, _)| *round).collect()
    }
}

/// The end of a run for one party: a result, or a reason why there is none or why it is not confirmed.
pub(crate) struct End<O> {
    /// The result.
    pub(crate) output: Option<O>,
    /// The reason.
    pub(crate) abort: Option<Abort>,
    /// The tombstone.
    pub(crate) tombstone: Vec<u8>,
}

/// A run as it went, and how it ended for the honest parties.
pub(crate) struct Trace<O> {
    /// The course.
    pub(crate) course: Course,
    /// The ends.
    pub(crate) ends: BTreeMap<PartyId, End<O>>,
}

impl<O> Trace<O> {
    /// The results.
    pub(crate) fn into_results(self) -> impl DoubleEndedIterator<Item = (PartyId, O)> {
        self.ends.into_iter().filter_map(|(party, end)| Some((party, end.output?)))
    }
}
