//! What nodes hold of keys, as they say: a gateway takes over the keys and the new shares that others have ordered.

use std::collections::{BTreeMap, BTreeSet};

use quorate::{Parties, PartyId};

use super::key::Key;
use super::{ByKey, Gateway, Seen};
use crate::bus::Peer;
use crate::orders::Body;
use crate::post::SIGNING;
use crate::request::{KeyId, Scheme};
use crate::side::Side;
use crate::statement::SignedStatement;
use crate::wire::{Holding, Message, Stands, Stated, holding};

/// The shares that new ones are made of.
pub(super) struct Base {
    pub(super) epoch: u32,
    pub(super) public: Vec<u8>,
    pub(super) parties: Parties,
    pub(super) threshold: u16,
    /// Those who hold them, if that is known from what they say.
    holders: Option<BTreeSet<PartyId>>,
}

impl Base {
    /// Whether a node holds them, as far as is known.
    pub(super) fn holds(&self, node: PartyId) -> bool {
        self.holders.as_ref().is_none_or(|all| all.contains(&node))
    }
}

/// Shares that nodes keep, as they say.
struct Kept {
    /// Whether one of them does, though a threshold less one lie.
    is_kept: bool,
    /// Those who have given their word.
    words: usize,
    base: Base,
}

/// Who says how shares stand.
type Says = BTreeMap<PartyId, Stands>;

impl Gateway {
    /// Asks a node what it holds, if that is something else than it has said.
    pub(super) fn ask_what_it_holds(&mut self, node: PartyId, holds: &[u8; 32]) {
        let Some(seen) = self.nodes.get_mut(&node) else { return };
        let told = seen.holds.as_ref().is_some_and(|(digest, _)| digest == holds);
        if told && seen.stated.as_ref().is_some_and(|(digest, _)| digest == holds) {
            return;
        }
        if *holds == holding::digest(&[]) {
            seen.holds = Some((*holds, BTreeMap::new()));
            seen.stated = Some((*holds, BTreeMap::new()));
            return;
        }
        self.post.put(Peer::Node(node), SIGNING, &Message::Tell);
    }

    /// Takes in what a node holds.
    pub(super) fn takes_note(&mut self, node: PartyId, list: Vec<Holding>) {
        let digest = holding::digest(&list);
        let mut by_key = ByKey::new();
        list.into_iter().for_each(|one| by_key.entry(one.key).or_default().push(one));
        let keys: Vec<KeyId> = by_key.keys().copied().collect();
        if let Some(seen) = self.nodes.get_mut(&node) {
            seen.holds = Some((digest, by_key));
        }
        keys.into_iter().for_each(|key| self.adopt(key));
    }

    /// Keeps a node's statements for requesters, which verify them. The gateway itself relies on none of them.
    pub(super) fn states(&mut self, node: PartyId, Stated { holds, list }: Stated) {
        if let Some(seen) = self.nodes.get_mut(&node) {
            let by_key = list.into_iter().map(|one| (one.statement.key, one)).collect();
            seen.stated = Some((holds, by_key));
        }
    }

    /// The nodes' statements of a key.
    pub(super) fn stated(&self, key: KeyId) -> Vec<(PartyId, SignedStatement)> {
        let of = |(node, seen): (&PartyId, &Seen)| {
            let (_, by_key) = seen.stated.as_ref()?;
            Some((*node, by_key.get(&key)?.clone()))
        };
        self.nodes.iter().filter_map(of).collect()
    }

    /// Whether all nodes have said what they hold.
    pub(super) fn all_have_told(&self) -> bool {
        self.config
            .nodes
            .iter()
            .all(|node| self.nodes.get(&node).is_some_and(|seen| seen.holds.is_some()))
    }

    /// What nodes say of the shares of a key.
    fn said(&self, key: KeyId) -> BTreeMap<(Scheme, &[u8]), Says> {
        let mut said: BTreeMap<(Scheme, &[u8]), Says> = BTreeMap::new();
        for (node, seen) in &self.nodes {
            let list = seen.holds.iter().filter_map(|(_, list)| list.get(&key));
            for Holding { scheme, stands, public, .. } in list.flatten() {
                said.entry((*scheme, public)).or_default().insert(*node, *stands);
            }
        }
        said
    }

    /// Takes over a key, or new shares of one, of which more nodes than can lie say that all have stored theirs, or that they
    /// have given their word for it and one has heard it of all.
    fn adopt(&mut self, id: KeyId) {
        let bytes = self.keys.get(&id).map(Key::bytes);
        let said = self.said(id);
        if said.keys().all(|(_, public)| bytes.as_deref() == Some(public)) {
            return;
        }
        let known = self.keys.get(&id).map(|key| (key.epoch(), key.threshold(), key.side()));
        let (epoch, liars) = match &known {
            Some((epoch, threshold, _)) => (Some(*epoch), *threshold),
            None => (None, self.config.threshold),
        };
        let is_later = |side: &Side| match &known {
            Some((epoch, _, known)) => {
                let same = known.as_ref().is_some_and(|known| known.key == side.key);
                same && side.epoch > *epoch
            }
            // One of those who hold it does not lie, and has looked at its name.
            None => true,
        };
        let mut found: Option<(u32, Scheme, Vec<u8>)> = None;
        for ((scheme, public), says) in said {
            let good = says.iter().filter(|(_, stands)| **stands >= Stands::Promised);
            // Counted first: what one node alone says is not even read.
            if good.clone().count() < usize::from(liars) {
                continue;
            }
            let Some(side) = Side::read(scheme, public).filter(&is_later) else { continue };
            let holds = |node: &PartyId| side.parties.contains(*node);
            let hold =
                good.clone().filter(|(node, stands)| holds(node) && **stands != Stands::Left);
            let enough = hold.count() >= usize::from(side.threshold)
                && says.values().any(|stands| *stands >= Stands::Stored);
            if enough && found.as_ref().is_none_or(|(best, ..)| side.epoch > *best) {
                found = Some((side.epoch, scheme, public.to_vec()));
            }
        }
        let Some((_, scheme, public)) = found else { return };
        let kept = self.keep_key(id, scheme, &public);
        let new = if epoch.is_some() {
            "new shares that nodes hold of "
        } else {
            "a key that nodes hold: "
        };
        let line = kept.map_or_else(|why| why, |()| format!("{new}{}", self.shown(id)));
        self.lines.push(line);
    }

    /// The shares of a key that new ones are made of, at this attempt. If somebody has given its word for others since all have
    /// stored those that it is known with, it makes no more of those, and all honest nodes keep those others: they come first,
    /// the latest before all, if a threshold keep them. So do those whose acknowledging has failed: somebody may have given its
    /// word who does not say so. Next are those that the key is known with, and then what a few keep. What has failed is not
    /// tried next.
    pub(super) fn base(&self, id: KeyId, attempt: u32, unstored: bool) -> Option<Base> {
        let known = self.keys.get(&id)?;
        let (parties, threshold) = (known.parties().clone(), known.threshold());
        let public = known.bytes();
        let first = Base { epoch: known.epoch(), public, parties, threshold, holders: None };
        let (mut bases, few): (Vec<Kept>, Vec<Kept>) = self
            .kept(id, known)
            .into_iter()
            .partition(|kept| kept.is_kept && (kept.words > 0 || unstored));
        bases.push(Kept { is_kept: true, words: 0, base: first });
        bases.extend(few);
        let at = usize::try_from(attempt).ok()?.checked_rem(bases.len())?;
        bases.into_iter().nth(at).map(|kept| kept.base)
    }

    /// The kinds of shares of later epochs that so many keep that others could be made of them, the likeliest first.
    fn kept(&self, id: KeyId, known: &Key) -> Vec<Kept> {
        let Some(side) = known.side() else { return Vec::new() };
        let mut all: Vec<Kept> = Vec::new();
        for ((scheme, public), says) in self.said(id) {
            let later = Side::read(scheme, public)
                .filter(|later| later.key == side.key && later.epoch > side.epoch);
            let Some(Side { epoch, parties, threshold, .. }) = later else { continue };
            let given = |stands: &&Stands| matches!(stands, Stands::Promised | Stands::Stored);
            let words = says.values().filter(given).count();
            let keeps = |(node, stands): (&PartyId, &Stands)| {
                (parties.contains(*node) && stands.keeps()).then_some(*node)
            };
            let holders: BTreeSet<PartyId> = says.iter().filter_map(keeps).collect();
            if holders.len() < usize::from(threshold) {
                continue;
            }
            // One of so many does not lie.
            let is_kept = holders.len() >= usize::from(threshold.max(side.threshold));
            let (holders, public) = (Some(holders), public.to_vec());
            all.push(Kept {
                is_kept,
                words,
                base: Base { epoch, public, parties, threshold, holders },
            });
        }
        let holders = |kept: &Kept| kept.base.holders.as_ref().map_or(0, BTreeSet::len);
        all.sort_by_key(|kept| core::cmp::Reverse((kept.base.epoch, holders(kept), kept.words)));
        all
    }

    /// Whether shares will not be stored by all any more, as the nodes say: others are in their place, or too few hold them.
    pub(super) fn is_past(&self, body: &Body) -> bool {
        let Some(key) = self.keys.get(&body.key) else { return false };
        if key.epoch() > body.epoch || key.epoch() == body.epoch && key.bytes() != body.public {
            return true;
        }
        let Some(side) = Side::read(key.scheme(), &body.public) else { return true };
        let says = self.said(body.key).remove(&(key.scheme(), body.public.as_slice()));
        let hold = says.iter().flatten().filter(|(_, stands)| **stands != Stands::Left).count();
        self.all_have_told() && hold < usize::from(side.threshold)
    }
}

impl Key {
    /// Its public side, as others may say it.
    pub(super) fn side(&self) -> Option<Side> {
        Side::read(self.scheme(), &self.bytes())
    }
}
