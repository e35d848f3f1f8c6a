//! Nodes witness each other: each remembers how far the others have come.
//!
//! A copy of an older database looks like the database itself. A node that restarts asks its peers for the last head of its ledger
//! that they have heard. If one has heard of a head that the node does not know, the databases were restored. If enough peers
//! vouch that have stayed up, the node continues with what it had made ahead. If none can, since all were restarted, it drops
//! that: nobody knows whether the machines were restored together.
//!
//! A peer's word counts only as the answer to a challenge of this life: a network that keeps old messages cannot answer.

use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use custody_core::{Heartbeat, LedgerHead, Reason, Refusal, Witness};
use getrandom::SysRng;
use quorate::PartyId;
use quorate::envelope::{Challenge, ChallengeBounds, Challenges, Name, Opened};
use quorate::session::Continuity;
use quorate::session::rand_core::UnwrapErr;
use quorate_store::{Engine, Head, SqlStore, Standing};

use crate::rows::internal;
use crate::settings::Settings;

/// The time for which a challenge may be answered, in milliseconds.
const LIFETIME: u64 = 10_000;
/// The open challenges of one peer.
const EACH: usize = 16;
/// The time between two looks at what peers have answered.
const LOOK: Duration = Duration::from_millis(20);

/// The answers of peers to the heartbeats of a node. Clones share them.
#[derive(Clone)]
pub struct Witnesses(Arc<Mutex<State>>);

struct State {
    peers: BTreeMap<PartyId, Name>,
    /// The number of peers that have to vouch.
    needed: usize,
    head: Option<LedgerHead>,
    relies: bool,
    heard: BTreeMap<PartyId, Heard>,
    answers: BTreeMap<PartyId, Witness>,
    challenges: Challenges,
}

/// The last answer of a peer since this process was started.
#[derive(Clone, Copy)]
struct Heard {
    head: Option<LedgerHead>,
    /// `true` if the peer has relied on its databases in any answer.
    relied: bool,
}

impl State {
    /// Remembers how far a peer has come, by a message that is fresh.
    fn hear(&mut self, from: PartyId, &Witness { head, relies, .. }: &Witness) {
        let before = self.heard.get(&from).copied();
        let step = |head: Option<LedgerHead>| head.map_or(0, |head| head.step);
        // A peer that was restored, and does not know it yet, must not wipe out what it is to hear.
        if relies || before.is_none_or(|before| step(head) > step(before.head)) {
            let relied = relies || before.is_some_and(|before| before.relied);
            self.heard.insert(from, Heard { head, relied });
        }
    }
}

/// The finding of a node about its databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// They are the latest, for this reason.
    Latest(Continuity),
    /// Nobody can say so: all peers were restarted as well.
    Unknown,
    /// They were restored: a peer has heard of a later head.
    RolledBack,
}

impl Witnesses {
    /// Peers that have said nothing yet. `needed` of them have to vouch: the threshold of the keys, so that one of them is honest.
    #[must_use]
    pub fn new(settings: &Settings, needed: usize) -> Self {
        let members = settings.directory.directory().members();
        let peers = members.filter_map(|member| Some((member.party?, member.name.clone())));
        let peers: BTreeMap<PartyId, Name> =
            peers.filter(|(party, _)| *party != settings.me).collect();
        let total = peers.len().saturating_mul(EACH);
        Self(Arc::new(Mutex::new(State {
            needed: needed.min(peers.len()),
            peers,
            head: None,
            relies: false,
            heard: BTreeMap::new(),
            answers: BTreeMap::new(),
            challenges: Challenges::new(ChallengeBounds { lifetime: LIFETIME, total, each: EACH }),
        })))
    }

    /// Makes a heartbeat for each peer, to be sent as [`Heartbeat::KIND`]. Call it at the start, and each second. `now` is in
    /// milliseconds.
    #[must_use]
    pub fn heartbeats(&self, now: u64) -> Vec<(PartyId, Vec<u8>)> {
        let state = &mut *self.state();
        let beat = |(party, name): (&PartyId, &Name)| {
            let challenge =
                state.challenges.issue(name, Witness::KIND, now, &mut UnwrapErr(SysRng));
            let heartbeat = Heartbeat { challenge: challenge.ok()? };
            Some((*party, heartbeat.to_bytes().ok()?))
        };
        state.peers.iter().filter_map(beat).collect()
    }

    /// Takes the heartbeat of a peer, and gives the answer to its challenge, to be sent as [`Witness::KIND`].
    ///
    /// # Errors
    /// A [`Refusal`] if the bytes are no heartbeat, or the sender is no node.
    pub fn heartbeat(
        &self,
        (from, name): (PartyId, &Name),
        bytes: &[u8],
    ) -> Result<(Challenge, Vec<u8>), Refusal> {
        let malformed = |why: &dyn core::fmt::Display| Refusal::new(Reason::Malformed, why);
        let Heartbeat { challenge } =
            Heartbeat::from_bytes(bytes).map_err(|why| malformed(&why))?;
        let challenge = Challenge::from_bytes(name, &challenge).map_err(|why| malformed(&why))?;
        let state = &*self.state();
        if state.peers.get(&from) != Some(name) {
            return Err(Refusal::new(Reason::WrongSender, "expected the heartbeat of a node"));
        }
        let heard = state.heard.get(&from);
        let seen = heard.and_then(|heard| heard.head);
        let vouches = heard.is_some_and(|heard| heard.relied);
        let witness = Witness { seen, vouches, head: state.head, relies: state.relies };
        Ok((challenge, witness.to_bytes().map_err(internal)?))
    }

    /// Takes the answer of a peer, if it is fresh.
    ///
    /// # Errors
    /// A [`Refusal`] if the envelope answers no challenge of this process, or is no answer.
    pub fn witnessed(&self, opened: Opened, now: u64) -> Result<(), Refusal> {
        let malformed = |why: &dyn core::fmt::Display| Refusal::new(Reason::Malformed, why);
        let state = &mut *self.state();
        let from = opened.party.filter(|party| state.peers.contains_key(party));
        let from =
            from.ok_or_else(|| Refusal::new(Reason::WrongSender, "expected the answer of a node"))?;
        let messages = opened.fresh(&mut state.challenges, now).map_err(|why| malformed(&why))?;
        let message = messages.first().ok_or_else(|| malformed(&"an answer without a message"))?;
        let witness = Witness::from_bytes(message).map_err(|why| malformed(&why))?;
        state.answers.insert(from, witness);
        state.hear(from, &witness);
        Ok(())
    }

    /// Waits until peers have answered, on the thread of the runner, and says how the store stands.
    ///
    /// # Errors
    /// A [`Refusal`] if the store fails.
    pub fn wait<E: Engine>(&self, store: &mut SqlStore<E>) -> Result<Finding, Refusal> {
        let head = store.head().map_err(internal)?;
        self.state().head = head.map(to_wire);
        loop {
            if let Some(finding) = self.find(store)? {
                return Ok(finding);
            }
            std::thread::sleep(LOOK);
        }
    }

    /// The finding, once enough peers have answered.
    fn find<E: Engine>(&self, store: &mut SqlStore<E>) -> Result<Option<Finding>, Refusal> {
        let (answers, needed, all) = {
            let state = self.state();
            let answers: Vec<Witness> = state.answers.values().copied().collect();
            (answers, state.needed, state.peers.len())
        };
        if store.rolled_back().is_some() {
            return Ok(Some(Finding::RolledBack));
        }
        let mut vouching = 0_usize;
        for Witness { seen, vouches, .. } in &answers {
            let Some(seen) = seen else { continue };
            match store.standing(&from_wire(*seen)).map_err(internal)? {
                Standing::Known if *vouches => vouching = vouching.saturating_add(1),
                Standing::Known | Standing::Older => {}
                Standing::Unknown => return Ok(Some(Finding::RolledBack)),
            }
        }
        let otherwise = if needed == 0 { Continuity::Operator } else { Continuity::Peers };
        // A store of which a peer knows more is not new: it was lost.
        let continuity = store.continuity(otherwise).map_err(internal)?;
        if continuity == Continuity::NewStore && answers.len() >= needed || vouching >= needed {
            return Ok(Some(Finding::Latest(continuity)));
        }
        Ok((answers.len() >= all).then_some(Finding::Unknown))
    }

    /// From now on the node relies on its databases, and its heartbeats say so.
    pub(crate) fn rely(&self) {
        self.state().relies = true;
    }

    /// Sets the head for the next heartbeats.
    pub(crate) fn set_head(&self, head: Option<Head>) {
        self.state().head = head.map(to_wire);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const fn to_wire(head: Head) -> LedgerHead {
    LedgerHead { step: head.step, mark: head.mark }
}

const fn from_wire(head: LedgerHead) -> Head {
    Head { step: head.step, mark: head.mark }
}

impl core::fmt::Debug for Witnesses {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let state = self.state();
        f.debug_struct("Witnesses")
            .field("needed", &state.needed)
            .field("relies", &state.relies)
            .finish_non_exhaustive()
    }
}
