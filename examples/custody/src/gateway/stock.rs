//! What is made ahead, and who signs with it.

use std::collections::{BTreeMap, BTreeSet};

use quorate::frost::ed25519::{self, Ed25519Sha512};
use quorate::runner::Time;
use quorate::session::stock::WaterMarks;
use quorate::{Parties, PartyId};
use quorate_cggmp::PresignatureInfo;
use quorate_examples::failure::Failure;

use super::Gateway;
use super::given::Work;
use super::key::{Key, Public};
use crate::bus::Peer;
use crate::orders::{Body, Kind};
use crate::post::SIGNING;
use crate::request::{KeyId, Request};
use crate::vault::MOST_NONCES;
use crate::wire::{Material, Message, Nonces, Replenish};

/// The presignatures that are made in a run, at most. Its packets stay far below what the broker takes, and a run that fails
/// costs little.
pub(super) const RUN: usize = 128;

/// The pairs of nonces that are made at a time, at most: so many that neither a node nor the gateway is held up by them.
const BATCH: usize = MOST_NONCES as usize;

/// The number of items to make where so many are left, at most `most` of them at once. Below the low mark they are made piece by
/// piece, until one has been ordered that reaches the high mark: what is taken while that one is made is no reason for a small
/// one after it.
pub(super) fn missing(marks: WaterMarks, most: usize, filling: &mut bool, left: usize) -> usize {
    let begun = left < marks.low || *filling;
    let missing = if begun { marks.high.saturating_sub(left) } else { 0 };
    *filling = missing > most;
    missing.min(most)
}

/// What was taken out of a pool for a request.
pub(super) struct Taken {
    pub(super) material: Material,
    pub(super) signers: Vec<PartyId>,
    pub(super) numbers: Vec<(PartyId, u64)>,
    pub(super) work: Work,
    /// A name of what is spent, which no other order has.
    pub(super) spends: Vec<u8>,
}

impl Gateway {
    pub(super) fn load_stock(&mut self) -> Result<(), Failure> {
        for (key, info) in self.rows.presignatures()? {
            let info = PresignatureInfo::from_bytes(&info)?;
            if let Some(key) = self.keys.get_mut(&key) {
                key.add(info);
            }
        }
        for (key, node, number, published, used) in self.rows.nonces()? {
            let Some(key) = self.keys.get_mut(&key) else { continue };
            if !published.is_empty() {
                key.add_nonces(node, (number, used), &published);
            }
            let nonces = key.pool.nonces.entry(node).or_default();
            nonces.next = number.saturating_add(1).max(nonces.next);
        }
        Ok(())
    }

    /// Takes in nonces that a node has made.
    pub(super) fn nonces(&mut self, node: PartyId, came: &Nonces) -> Result<(), Failure> {
        let Some(key) = self.keys.get_mut(&came.key) else { return Ok(()) };
        if !key.parties().contains(node) {
            return Ok(());
        }
        let nonces = key.pool.nonces.entry(node).or_default();
        // Those of another order were taken in before, or were never ordered.
        if nonces.next != came.number || nonces.ordered.is_none() {
            return Ok(());
        }
        if came.published.is_empty() {
            // It has no such key yet, or has lost them. It is asked again.
            return Ok(());
        }
        if key.add_nonces(node, (came.number, 0), &came.published).is_none() {
            self.notice(format!("node {node}: its nonces are of another key, or none"));
            return Ok(());
        }
        let nonces = key.pool.nonces.entry(node).or_default();
        nonces.ordered = None;
        nonces.next = nonces.next.saturating_add(1);
        self.writes.nonces.push((came.key, node, came.number, came.published.clone()));
        Ok(())
    }

    /// Drops what a node had made ahead, alone or with others, and what it was ordered to make: it does not hold it any more.
    pub(super) fn empty(&mut self, node: PartyId) {
        for (id, key) in &mut self.keys {
            for (_, left) in key.pool.sets.iter_mut().filter(|(signers, _)| signers.contains(&node))
            {
                let names = left.drain(..).map(|info| info.id().name());
                self.writes.presignatures_given.extend(names);
            }
            if let Some(nonces) = key.pool.nonces.get_mut(&node) {
                for pair in nonces.pairs.drain(..) {
                    self.writes.used.insert((*id, node, pair.number), None);
                }
                // An answer from before means nothing.
                if nonces.ordered.take().is_some() {
                    nonces.next = nonces.next.saturating_add(1);
                }
            }
        }
    }

    /// Orders what is missing: keys, presignatures, nonces.
    pub(super) fn fill(&mut self, now: Time) -> Result<(), Failure> {
        self.fill_keys(now);
        let keys: Vec<KeyId> = self.keys.keys().copied().collect();
        for key in keys {
            match self.keys.get(&key).map(|key| &key.public) {
                Some(Public::Ecdsa(_)) => self.fill_presignatures(key, now),
                Some(Public::Ed25519(_)) => self.fill_nonces(key, now),
                None => {}
            }
        }
        self.give_jobs(now);
        Ok(())
    }

    fn fill_presignatures(&mut self, id: KeyId, now: Time) {
        if !self.has_aux || self.pauses(Kind::Presign, now) {
            return;
        }
        for (set, marks) in self.stocked_sets(id, now) {
            let Some(key) = self.keys.get(&id) else { return };
            let signers: Vec<PartyId> = set.iter().collect();
            let left = key.pool.sets.get(&signers).map_or(0, |left| left.len());
            let epoch = key.epoch();
            let under_way = self.job_open(Kind::Presign, |order| {
                order.job.parties == set
                    && Body::from_bytes(&order.job.body).is_some_and(|body| body.key == id)
            });
            if under_way || !self.knows(&set) {
                continue;
            }
            let Some(key) = self.keys.get_mut(&id) else { return };
            let mut filling = key.pool.filling.remove(&signers);
            let count = missing(marks, RUN, &mut filling, left);
            if filling {
                key.pool.filling.insert(signers);
            }
            if count > 0 {
                let count = u16::try_from(count).unwrap_or(u16::MAX);
                let body = Body { count, ..Body::of_key(id, epoch) };
                self.order(Kind::Presign, &set, &body, now);
            }
        }
    }

    /// The sets of signers that presignatures are made for: the first ones of whom all seem to live, and of these those with
    /// whom least has failed; and, as many as are
    /// needed, those of requests that others have refused.
    fn stocked_sets(&self, id: KeyId, now: Time) -> Vec<(Parties, WaterMarks)> {
        let Self { config, .. } = self;
        let all = self.sets_of(id);
        let live = |set: &&Parties| set.iter().all(|signer| self.lives(signer, now));
        // A list of one is all that is wanted.
        let other = |never| self.set_besides(id, never, now).filter(|_| all.len() > 1);
        let none = BTreeMap::new();
        let besides = other(&none);
        let mut living: Vec<&Parties> = all.iter().filter(live).chain(&besides).collect();
        living.sort_by_key(|set| set.iter().map(|node| self.failures(node)).sum::<u64>());
        let living = living.into_iter().chain(all.iter());
        let mut sets: Vec<(Parties, WaterMarks)> = Vec::new();
        for set in living {
            if sets.len() < config.stocked && !sets.iter().any(|(other, _)| other == set) {
                sets.push((set.clone(), config.presignatures));
            }
        }
        let waiting = self.waiting.get(&id).into_iter().flatten();
        let refused = waiting.filter_map(|key| self.requests.get(key)).map(|open| &open.never);
        for never in refused.filter(|never| !never.is_empty()) {
            let good = |set: &&Parties| !set.iter().any(|signer| never.contains_key(&signer));
            let listed = all.iter().filter(good).find(live).cloned();
            let Some(set) = listed.or_else(|| other(never)) else { continue };
            match sets.iter_mut().find(|(other, _)| *other == set) {
                // A stocked set has its marks, and of another one each request needs one.
                Some((_, marks)) if *marks != config.presignatures => {
                    marks.low = marks.low.saturating_add(1);
                    marks.high = marks.low;
                }
                Some(_) => {}
                None => sets.push((set, WaterMarks { low: 1, high: 1 })),
            }
        }
        sets
    }

    fn failures(&self, node: PartyId) -> u64 {
        self.nodes.get(&node).map_or(0, |seen| seen.failures.into())
    }

    /// The signers of a key that live, have not refused, and with whom least has failed, in a list or not.
    fn set_besides(
        &self,
        id: KeyId,
        never: &BTreeMap<PartyId, String>,
        now: Time,
    ) -> Option<Parties> {
        let key = self.keys.get(&id)?;
        let may = |node: &PartyId| self.lives(*node, now) && !never.contains_key(node);
        let mut nodes: Vec<PartyId> = key.parties().iter().filter(may).collect();
        nodes.sort_by_key(|node| self.failures(*node));
        let set = nodes.get(..key.threshold().into())?;
        Parties::new(set.iter().copied()).ok()
    }

    /// The sets of signers of a key: those of the settings that fit it; if there are none, because it went to another
    /// committee or threshold, so many of its parties that follow each other.
    fn sets_of(&self, key: KeyId) -> Vec<Parties> {
        let Some(key) = self.keys.get(&key) else { return Vec::new() };
        let (parties, need) = (key.parties(), usize::from(key.threshold()));
        let fits =
            |set: &&Parties| set.len() == need && set.iter().all(|signer| parties.contains(signer));
        let known: Vec<Parties> = self.config.sets.iter().filter(fits).cloned().collect();
        if !known.is_empty() {
            return known;
        }
        let around = |start| parties.iter().cycle().skip(start).take(need);
        (0..parties.len()).filter_map(|start| Parties::new(around(start)).ok()).collect()
    }

    fn fill_nonces(&mut self, id: KeyId, now: Time) {
        let Some(key) = self.keys.get_mut(&id) else { return };
        let (epoch, nodes) = (key.epoch(), key.parties().iter().collect::<Vec<PartyId>>());
        for node in nodes {
            let nonces = key.pool.nonces.entry(node).or_default();
            let count = match nonces.ordered {
                Some((count, again)) if now >= again => count,
                Some(_) => continue,
                None => {
                    let left = nonces.pairs.len();
                    let count = missing(self.config.nonces, BATCH, &mut nonces.filling, left);
                    u16::try_from(count).unwrap_or(u16::MAX)
                }
            };
            if count == 0 {
                continue;
            }
            let number = nonces.next;
            let again = now.saturating_add(self.config.times.again.saturating_mul(2));
            nonces.ordered = Some((count, again));
            let pooled = nonces.pairs.front().map_or(number, |pair| pair.number);
            let used = self.given.values().flat_map(|given| given.numbers.iter());
            let used = used.filter(|(of, _)| *of == node).map(|(_, number)| *number).min();
            let done = pooled.min(used.unwrap_or(number));
            let order = Message::Replenish(Replenish { key: id, number, count, done, epoch });
            self.post.put(Peer::Node(node), SIGNING, &order);
        }
    }

    /// Takes out of a pool what a request is signed with, by signers that are none of these.
    pub(super) fn take_stock(
        &mut self,
        request: &Request,
        without: &BTreeSet<PartyId>,
        now: Time,
    ) -> Option<Taken> {
        match self.keys.get(&request.key_id)?.public {
            Public::Ecdsa(_) => self.take_presignature(request, without, now),
            Public::Ed25519(_) => self.take_nonces(request, without, now),
        }
    }

    fn take_presignature(
        &mut self,
        request: &Request,
        without: &BTreeSet<PartyId>,
        now: Time,
    ) -> Option<Taken> {
        let key = self.keys.get(&request.key_id)?;
        let good = |signers: &&Vec<PartyId>| !signers.iter().any(|id| without.contains(id));
        let there = key.pool.sets.iter().filter(|(_, left)| !left.is_empty());
        let sets: Vec<&Vec<PartyId>> = there.map(|(signers, _)| signers).filter(good).collect();
        let live = |signers: &&&Vec<PartyId>| signers.iter().all(|id| self.lives(*id, now));
        let signers = sets.iter().find(live).or_else(|| sets.first()).map(|set| (*set).clone())?;
        let key = self.keys.get_mut(&request.key_id)?;
        let info = key.pool.sets.get_mut(&signers)?.pop_front()?;
        let name = info.id().name();
        self.writes.presignatures_given.push(name);
        let work = Work::ecdsa(key, request, info)?;
        let material = Material::Presignature(name);
        Some(Taken { material, signers, numbers: Vec::new(), work, spends: name.to_vec() })
    }

    fn take_nonces(
        &mut self,
        request: &Request,
        without: &BTreeSet<PartyId>,
        now: Time,
    ) -> Option<Taken> {
        let key = self.keys.get(&request.key_id)?;
        let mut nodes: Vec<(bool, usize, PartyId)> = key
            .pool
            .nonces
            .iter()
            .filter(|(node, nonces)| !without.contains(node) && !nonces.pairs.is_empty())
            .map(|(node, nonces)| (!self.lives(*node, now), nonces.pairs.len(), *node))
            .collect();
        // Those who live first, and of these those with the most.
        nodes.sort_unstable_by_key(|(dead, left, node)| (*dead, core::cmp::Reverse(*left), *node));
        nodes.truncate(usize::from(key.threshold()));
        if nodes.len() < usize::from(key.threshold()) {
            return None;
        }
        let mut signers: Vec<PartyId> = nodes.into_iter().map(|(_, _, node)| node).collect();
        signers.sort_unstable();
        let (mut all, mut numbers) = (Vec::new(), Vec::new());
        let key = self.keys.get_mut(&request.key_id)?;
        for node in &signers {
            let pair = key.pool.nonces.get_mut(node)?.pairs.pop_front()?;
            let used = (!pair.last).then(|| pair.at.saturating_add(1));
            self.writes.used.insert((request.key_id, *node, pair.number), used);
            numbers.push((*node, pair.number));
            all.push(pair.commitments);
        }
        let list = all.iter().map(|one| (one.id(), raw(one))).collect();
        let spends = all.first().map(|one| one.nonce_id().0.to_vec())?;
        let work = Work::ed25519(key, request, &all)?;
        Some(Taken { material: Material::Commitments(list), signers, numbers, work, spends })
    }
}

/// D ‖ E
fn raw(one: &quorate::frost::generic::Commitments<Ed25519Sha512>) -> [u8; 64] {
    let mut bytes = [0; 64];
    let both = one.hiding().iter().chain(one.binding());
    bytes.iter_mut().zip(both).for_each(|(to, from)| *to = *from);
    bytes
}

impl Key {
    /// The coordinator, of a key for Ed25519.
    pub(super) const fn coordinator(&self) -> Option<&ed25519::Coordinator> {
        match &self.public {
            Public::Ed25519(coordinator) => Some(coordinator),
            Public::Ecdsa(_) => None,
        }
    }
}
