//! What a worker knows about its node's own standing.

use std::collections::{BTreeMap, BTreeSet};

use getrandom::SysRng;
use quorate::PartyId;
use quorate::runner::Time;
use quorate::session::rand_core::TryRng;
use quorate_examples::failure::Failure;

use super::wire;
use crate::store::Runs;
use crate::wire::{Challenge, Mark};

/// The answers of witnesses are looked for often for so many milliseconds.
const SOON: Time = 3000;
/// For so many milliseconds a node that begins waits for all of its witnesses. A peer that is down has to be told apart from
/// one that is slow, and nothing else does that: one that lives has answered by then.
const PATIENCE: Time = 10_000;
/// Within so many milliseconds another worker of the node that has stayed up has seen that this one has begun.
const OTHERS: Time = 1500;
/// A node that has said for so many milliseconds that it is behind what a peer has kept of it, and refuses nothing although it
/// was told each time, has said something before that was not so: the peer keeps what it says now.
const STANDS: Time = 60_000;
/// Signs of life with a longer pause between them are no row.
const ROW: Time = 10_000;

/// Why a node may use what it has made ahead without asking its peers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::node) enum Own {
    /// It may not.
    #[default]
    None,
    /// It holds nothing from before this life: it has begun an epoch, or is new.
    Fresh,
    /// Its database is the latest, as this process, another worker that has stayed up, or a counter remembers.
    Remembered,
}

/// What a node knows about its own standing.
#[derive(Default)]
pub(in crate::node) struct State {
    /// What peers have to answer in this life.
    pub(super) challenge: Challenge,
    /// The peers that have answered, and have seen nothing that this node does not know.
    pub(super) answered: BTreeSet<PartyId>,
    /// Those of them that have stayed up, and have seen the latest that they could see.
    pub(super) vouching: BTreeSet<PartyId>,
    /// The peers that this node vouches for: in this life it has kept what they had released when they relied on it.
    pub(super) kept: BTreeSet<PartyId>,
    pub(in crate::node) own: Own,
    /// Those that have told this worker what it does not know. Each is believed once in a life: a lie costs the node one
    /// epoch.
    pub(super) believed: BTreeSet<PartyId>,
    /// What they have seen that this node does not know.
    pub(super) ahead: BTreeMap<PartyId, Mark>,
    pub(super) since: Option<Time>,
    /// Whether it has waited long enough for those who are silent.
    pub(super) waited: bool,
    /// The peers that say that they are behind what is kept of them: since when, and when they have last said so.
    behind: BTreeMap<PartyId, (Time, Time)>,
    /// The epoch in which the node was started.
    pub(super) epoch: u64,
}

impl State {
    /// The beginning of a life.
    pub(in crate::node) fn new(runs: &Runs) -> Result<Self, Failure> {
        let head = runs.head()?;
        let mut challenge = Challenge::default();
        SysRng.try_fill_bytes(&mut challenge)?;
        let own = if head.is_none() { Own::Fresh } else { Own::None };
        Ok(Self { challenge, own, epoch: wire(head).epoch, ..Self::default() })
    }

    /// What peers have to answer in this life.
    pub(in crate::node) const fn challenge(&self) -> Challenge {
        self.challenge
    }

    /// Goes on in this epoch. In a later one than before the node holds nothing from before this life.
    pub(super) fn in_epoch(mut self, epoch: u64) -> Self {
        if epoch > self.epoch {
            // Those who were ahead are not any more.
            self.answered.extend(core::mem::take(&mut self.ahead).into_keys());
            (self.epoch, self.own) = (epoch, Own::Fresh);
        }
        self
    }

    /// Whether answers are missing that may come at any moment, since it has just begun.
    pub(in crate::node) fn listens(&self, witnesses: usize, now: Time) -> bool {
        let soon = |since: Time| now < since.saturating_add(SOON);
        self.refuses(witnesses).is_some() && self.since.is_none_or(soon)
    }

    /// Why the node signs nothing, if that is so.
    pub(in crate::node) fn refuses(&self, witnesses: usize) -> Option<String> {
        if let Some((peer, mark)) = self.ahead.first_key_value() {
            return Some(format!(
                "its database was put back: node {peer} has seen step {} of epoch {}",
                mark.number, mark.epoch
            ));
        }
        if self.own == Own::Remembered {
            return None;
        }
        let (answered, of) = (self.answered.len(), self.answers_of(witnesses));
        if answered < of {
            return Some(format!("it has heard from {answered} of {of} witnesses"));
        }
        let vouching = self.vouching.len();
        (self.own == Own::None && vouching < witnesses)
            .then(|| format!("{vouching} of {witnesses} witnesses vouch for its history"))
    }

    /// The number of answers that it waits for.
    fn answers_of(&self, witnesses: usize) -> usize {
        if self.waited { witnesses.min(1) } else { witnesses }
    }

    /// Whether too few vouch for its history, and nobody is left who could: all of so many peers have answered, or those who
    /// have not are waited for no longer; and so has the node's other worker had its time, if there is one.
    pub(super) fn is_alone(
        &self,
        witnesses: usize,
        (peers, others): (usize, bool),
        now: Time,
    ) -> bool {
        let answered = self.answered.len();
        let lived = self.since.map_or(0, |since| now.saturating_sub(since));
        self.ahead.is_empty()
            && self.own == Own::None
            && self.vouching.len() < witnesses
            && (answered >= peers || self.waited && answered > 0)
            && (!others || lived >= OTHERS)
    }

    /// Counts the time of this life.
    pub(super) fn lives(&mut self, now: Time) {
        let since = *self.since.get_or_insert(now);
        self.waited = now.saturating_sub(since) >= PATIENCE;
    }

    /// Whether a peer has said for long enough, again and again, that it is behind what is kept of it.
    pub(super) fn has_stood(&mut self, peer: PartyId, behind: bool, now: Time) -> bool {
        let before = self.behind.remove(&peer).filter(|_| behind);
        if !behind {
            return false;
        }
        let in_row = before.filter(|(_, last)| now.saturating_sub(*last) <= ROW);
        let since = in_row.map_or(now, |(since, _)| since);
        let stood = now.saturating_sub(since) >= STANDS;
        if !stood {
            self.behind.insert(peer, (since, now));
        }
        stood
    }
}
