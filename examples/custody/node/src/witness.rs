//! Nodes witness each other: each remembers how far the others have come.
//!
//! A copy of an older database looks like the database itself. A node that restarts asks its peers for the last head of its ledger
//! that they have heard. If one has heard of a head that the node does not know, the databases were restored, or that peer lies:
//! the refusal names it. If as many peers vouch as the threshold of the keys, one of them is honest, and the node continues with
//! what it had made ahead. Otherwise it drops that. This is so if all were restarted, since nobody knows whether the machines were
//! restored together, and if too many peers are down.
//!
//! A peer's answer counts only if it answers a challenge of this life: a network that keeps old messages cannot answer.

mod find;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use custody_core::{Heartbeat, LedgerHead, Reason, Refusal, Witness};
use getrandom::SysRng;
use quorate::PartyId;
use quorate::envelope::{Challenge, ChallengeBounds, Challenges, Name, Opened};
use quorate::session::rand_core::UnwrapErr;
use quorate_store::Head;

use crate::life::{self, Life};
use crate::rows::internal;
use crate::settings::Settings;

/// The time for which a challenge may be answered, in milliseconds.
const LIFETIME: u64 = 10_000;
/// The open challenges of one peer.
const EACH: usize = 16;

/// The answers of peers to the heartbeats of a node. Clones share them.
#[derive(Clone)]
pub struct Witnesses(Arc<Mutex<State>>);

struct State {
    peers: BTreeMap<PartyId, Name>,
    /// The peers whose answers do not count.
    excluded: BTreeSet<PartyId>,
    /// The number of peers that have to vouch, if the operator has set one.
    needed: Option<usize>,
    /// The reason why the node is not open, and the peers that alone know of a later head.
    waits: Option<(Refusal, Vec<Name>)>,
    /// The time for which the node waits for more peers to vouch, in milliseconds.
    patience: u64,
    head: Option<LedgerHead>,
    relies: bool,
    heard: BTreeMap<PartyId, Heard>,
    answers: BTreeMap<PartyId, Witness>,
    /// The node's life, once it is open.
    life: Option<Life>,
    /// The lives of the peers, as they last said.
    lives: BTreeMap<PartyId, Life>,
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

pub use self::find::Finding;

impl Witnesses {
    /// Peers that have said nothing yet. `needed` of them have to vouch, or all if there are fewer. By default it is the greatest
    /// threshold of the node's keys: fewer nodes than that are corrupt, so one that vouches is honest.
    #[must_use]
    pub fn new(settings: &Settings, needed: Option<usize>) -> Self {
        let members = settings.directory.directory().members();
        let peers = members.filter_map(|member| Some((member.party?, member.name.clone())));
        let peers: BTreeMap<PartyId, Name> =
            peers.filter(|(party, _)| *party != settings.me).collect();
        let total = peers.len() * EACH;
        Self(Arc::new(Mutex::new(State {
            needed,
            peers,
            excluded: BTreeSet::new(),
            waits: None,
            patience: settings.limits.witness_time,
            head: None,
            relies: false,
            heard: BTreeMap::new(),
            answers: BTreeMap::new(),
            life: None,
            lives: BTreeMap::new(),
            challenges: Challenges::new(ChallengeBounds { lifetime: LIFETIME, total, each: EACH }),
        })))
    }

    /// Makes a heartbeat for each peer, to be sent as [`Heartbeat::KIND`]. Call it at the start, and each second. `now` is in
    /// milliseconds.
    #[must_use]
    pub fn heartbeats(&self, now: u64) -> Vec<(PartyId, Vec<u8>)> {
        let state = &mut *self.state();
        let heartbeat = |(party, name): (&PartyId, &Name)| {
            let challenge =
                state.challenges.issue(name, Witness::KIND, now, &mut UnwrapErr(SysRng));
            let heartbeat = Heartbeat { challenge: challenge.ok()? };
            Some((*party, heartbeat.to_bytes().ok()?))
        };
        state.peers.iter().filter_map(heartbeat).collect()
    }

    /// Takes the heartbeat of a peer, and gives the messages of the answer to its challenge, to be sent as [`Witness::KIND`].
    ///
    /// # Errors
    /// A [`Refusal`] if the bytes are no heartbeat, or the sender is no node.
    pub fn heartbeat(
        &self,
        (from, name): (PartyId, &Name),
        bytes: &[u8],
    ) -> Result<(Challenge, Vec<Vec<u8>>), Refusal> {
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
        let witness = witness.to_bytes().map_err(internal)?;
        let life = state.life.map(|life| life.to_vec());
        Ok((challenge, [witness].into_iter().chain(life).collect()))
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
        let life = messages.get(1).map(|life| life.as_slice().try_into());
        let life = life.transpose().map_err(|_| malformed(&"a life of another length"))?;
        if witness.relies {
            state.lives.insert(from, life.unwrap_or(life::FIRST));
        }
        state.answers.insert(from, witness);
        state.hear(from, &witness);
        Ok(())
    }

    /// Lets the answers of a peer count for nothing: an operator does so if the peer lies.
    ///
    /// # Errors
    /// A [`Refusal`] if there is no such peer, or no other one is left.
    pub fn exclude(&self, name: &Name) -> Result<(), Refusal> {
        let state = &mut *self.state();
        let party = state.peers.iter().find(|(_, peer)| *peer == name).map(|(party, _)| *party);
        let unknown = || Refusal::new(Reason::Limit, format_args!("{name} is no other node"));
        state.excluded.insert(party.ok_or_else(unknown)?);
        if state.excluded.len() < state.peers.len() {
            return Ok(());
        }
        Err(Refusal::new(Reason::Limit, "no node is left that could vouch for this one"))
    }

    /// The reason why the node is not open yet, if it has begun to wait.
    #[must_use]
    pub fn waits(&self) -> Option<Refusal> {
        self.state().waits.as_ref().map(|(why, _)| why.clone())
    }

    /// The peers that have heard of a head that the node does not know.
    #[must_use]
    pub fn ahead(&self) -> Vec<Name> {
        self.state().waits.iter().flat_map(|(_, ahead)| ahead.clone()).collect()
    }

    /// From now on the node relies on its databases, and its heartbeats say so, and in which life it is.
    pub(crate) fn rely(&self, life: Life) {
        let state = &mut *self.state();
        (state.relies, state.life, state.waits) = (true, Some(life), None);
    }

    /// The life of a peer, as it last said.
    pub(crate) fn life_of(&self, party: PartyId) -> Result<Life, Refusal> {
        let life = self.state().lives.get(&party).copied();
        let unknown = format_args!("no answer from the node of party {party} yet: order again");
        life.ok_or_else(|| Refusal::new(Reason::Busy, unknown))
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
