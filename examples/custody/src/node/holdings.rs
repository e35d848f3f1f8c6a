//! What nodes tell each other of the shares that they hold: that they keep new ones, which every other one waits for before it
//! gives its [word](crate::vault::Word); and that all of a committee have stored theirs, so that a node that was down meanwhile
//! drops its own of before.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use quorate::runner::Time;
use quorate::{Parties, PartyId};
use quorate_examples::failure::Failure;

use super::Node;
use crate::bus::Peer;
use crate::directory::Identity;
use crate::orders::Shard;
use crate::post::{self, ANSWERS};
use crate::request::{KeyId, Scheme};
use crate::side::Side;
use crate::statement::Statement;
use crate::vault::Held;
use crate::wire::{Holding, Message, Stands, Stated, holding};

/// Nobody is told what a node holds more often than this, in milliseconds.
const OFTEN: Time = 500;

/// What peers hold, as far as it is of interest.
#[derive(Default)]
pub(super) struct Told {
    /// The digest of what each peer has told.
    digests: BTreeMap<PartyId, [u8; 32]>,
    /// Shares that all have stored, as these peers say.
    stored: BTreeMap<(KeyId, Vec<u8>), (Scheme, BTreeSet<PartyId>)>,
    /// The number of changes of this node's own shares when peers told that.
    changes: Option<u64>,
    /// Since when this worker hears peers.
    since: Option<Time>,
    /// When somebody was told something last.
    at: BTreeMap<Peer, Time>,
}

impl Told {
    /// For how long this worker has heard what peers hold, if it does now.
    pub(super) fn hears(&mut self, hears: bool, now: Time) -> Time {
        self.since = hears.then(|| self.since.unwrap_or(now));
        if !hears {
            self.digests.clear();
        }
        self.since.map_or(0, |since| now.saturating_sub(since))
    }

    /// The same for a transaction that is made anew: nobody was told anything.
    pub(super) fn again(self) -> Self {
        Self { at: BTreeMap::new(), ..self }
    }
}

impl Node {
    /// Asks a peer what it holds, if that is something new, or this node has something new to compare it with.
    pub(super) fn ask_what_it_holds(
        &mut self,
        from: PartyId,
        holds: &[u8; 32],
    ) -> Result<(), Failure> {
        let (mine, changes) = (self.vault.borrow().holds(), self.vault.borrow().changes());
        if self.told.changes != changes {
            self.told.changes = changes;
            self.told.digests.clear();
        }
        if self.told.digests.get(&from) == Some(holds) {
            return Ok(());
        }
        if *holds == mine {
            let list = self.vault.borrow().holdings().to_vec();
            return self.takes_note(from, &list);
        }
        self.post.put(Peer::Node(from), post::packets(Shard::Keygen), &Message::Tell);
        Ok(())
    }

    /// Tells these at once what it holds, which has just changed.
    pub(super) fn tell_news(&mut self, to: &Parties, now: Time) -> Result<(), Failure> {
        let me = self.config.me;
        for peer in to.iter().filter(|peer| *peer != me) {
            self.told.at.remove(&Peer::Node(peer));
            self.tell(Peer::Node(peer), now)?;
        }
        Ok(())
    }

    /// Tells what it holds.
    pub(super) fn tell(&mut self, to: Peer, now: Time) -> Result<(), Failure> {
        let last = self.told.at.get(&to);
        if last.is_some_and(|last| now.saturating_sub(*last) < OFTEN) {
            return Ok(());
        }
        self.told.at.insert(to, now);
        self.vault.borrow_mut().look_again()?;
        let route = match to {
            Peer::Gateway(_) => ANSWERS,
            Peer::Node(_) => post::packets(Shard::Keygen),
        };
        let list = self.vault.borrow().holdings().to_vec();
        let stated = matches!(to, Peer::Gateway(_)).then(|| self.state(&list));
        self.post.put(to, route, &Message::Holds(list));
        if let Some(stated) = stated {
            self.post.put(to, route, &Message::Stated(stated));
        }
        Ok(())
    }

    /// Signs statements of the keys whose shares all nodes have stored, whether it has a share or not.
    fn state(&self, list: &[Holding]) -> Stated {
        let vault = self.vault.borrow();
        let state = |one: &Holding, identity: &Arc<Identity>| {
            let held = vault.shares(one.key).iter().find(|held| held.public() == one.public);
            let statement = match (one.stands, held) {
                (Stands::Stored, Some(held)) => Statement::of(held),
                (Stands::Left, _) => Statement::read(one.scheme, &one.public)?,
                _ => return None,
            };
            (statement.key == one.key).then(|| statement.sign(identity))
        };
        let identity = self.config.identity.iter();
        let list = identity.flat_map(|identity| list.iter().filter_map(|one| state(one, identity)));
        Stated { holds: vault.holds(), list: list.collect() }
    }

    /// Takes in what a peer holds.
    pub(super) fn takes_note(&mut self, from: PartyId, list: &[Holding]) -> Result<(), Failure> {
        self.told.digests.insert(from, holding::digest(list));
        self.told.stored.retain(|_, (_, who)| {
            who.remove(&from);
            !who.is_empty()
        });
        let keeps = list.iter().filter(|one| one.stands.keeps());
        let keeps = keeps.map(|one| (one.key, one.public.as_slice()));
        self.vault.borrow_mut().note_keeper(from, keeps)?;
        for Holding { key, scheme, stands, public } in list {
            let other = |held: &Arc<Held>| held.public() != *public;
            let mine = self.vault.borrow().shares(*key).iter().any(other);
            if mine && matches!(stands, Stands::Stored | Stands::Left) {
                let claim = self.told.stored.entry((*key, public.clone()));
                claim.or_insert_with(|| (*scheme, BTreeSet::new())).1.insert(from);
            }
        }
        let proof = |((key, public), (scheme, who)): (&(KeyId, _), &(Scheme, _))| {
            let epoch = self.proves((*key, *scheme, public), who)?;
            Some((*key, *scheme, epoch, Vec::clone(public)))
        };
        let proven: Vec<_> = self.told.stored.iter().filter_map(proof).collect();
        for (key, scheme, epoch, public) in proven {
            self.vault.borrow_mut().conclude((key, scheme), epoch, &public)?;
            let what = format!(
                "it has dropped shares from before epoch {epoch} of a key, which all others have replaced"
            );
            self.tell_gateways(&Message::Notice(what));
        }
        Ok(())
    }

    /// The epoch of shares, if so many say that all have stored theirs that this node may drop older ones: more than can lie,
    /// and so many of those who hold the new ones that enough of them do if all others lie; or all of them.
    fn proves(
        &self,
        (key, scheme, public): (KeyId, Scheme, &Vec<u8>),
        who: &BTreeSet<PartyId>,
    ) -> Option<u32> {
        let vault = self.vault.borrow();
        // Counted first: what fewer say than may lie is not even read.
        let fewest = vault.shares(key).iter().map(|held| held.committee().1).min()?;
        if who.len() < usize::from(fewest) {
            return None;
        }
        let new = Side::read(scheme, public)?;
        if vault.settled(key).is_some_and(|(epoch, _)| epoch >= new.epoch) {
            return None;
        }
        let goes = |old: &&Arc<Held>| {
            let (before, same) = (old.epoch() < new.epoch, old.epoch() == new.epoch);
            old.key() == new.key && (before || same && old.public() != *public)
        };
        let old = vault.shares(key).iter().filter(goes);
        let liars = old.map(|old| old.committee().1).max()?;
        let others = new.parties.iter().filter(|party| *party != self.config.me);
        let (all, say) =
            (others.clone().count(), others.filter(|party| who.contains(party)).count());
        let enough = usize::from(new.threshold).saturating_mul(2).saturating_sub(1).min(all);
        (say >= enough.max(liars.into())).then_some(new.epoch)
    }
}
