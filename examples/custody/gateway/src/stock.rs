//! Presignatures and nonces are ordered ahead.

use std::collections::BTreeSet;

use custody_core::{Answer, KeyCondition, KeyId, Order};
use quorate::PartyId;

use crate::config::{Now, millis};
use crate::engine::Engine;
use crate::keys::{Known, Run};
use crate::orders::Task;

impl Engine {
    /// Orders what is missing, for keys with priority first.
    pub(crate) fn fill(&mut self, now: Now) {
        let (label, value) = self.config.priority.clone();
        let mut keys: Vec<(bool, KeyId)> = self
            .keys
            .iter()
            .filter(|(_, known)| known.condition().0 == KeyCondition::Enabled)
            .filter(|(_, known)| now.tick >= known.rests_until && !known.awaits_certificate())
            .map(|(key, known)| (known.certificate().spec.labels.get(&label) != Some(&value), *key))
            .collect();
        keys.sort_unstable();
        for (_, key) in keys {
            let is_presigned =
                self.keys.get(&key).is_some_and(|one| one.certificate().spec.scheme.is_presigned());
            if is_presigned {
                self.give_up_runs(key, now);
                self.fill_presignatures(key, now);
            } else if self.keys.get(&key).is_some_and(Known::has_stock) {
                self.fill_nonces(key, now);
            }
        }
        self.look_at_stock(now);
    }

    fn fill_presignatures(&mut self, key: KeyId, now: Now) {
        let mut sets = self.sets(key, now);
        sets.extend(self.wanted_sets(key, now));
        for signers in sets {
            let Some(known) = self.keys.get_mut(&key) else { return };
            let is_busy = known.runs.values().any(|run| run.signers == signers)
                || signers.iter().any(|party| self.orders.has(Task::Stock(key), *party));
            let left = known.pool.count(&signers);
            let missing = self.config.presignatures.to_make(left);
            let missing = missing.max(known.wanted.saturating_sub(left));
            let mut run = [0; 32];
            if is_busy || missing == 0 || getrandom::fill(&mut run).is_err() {
                continue;
            }
            let count = u16::try_from(missing).unwrap_or(u16::MAX).min(Order::MAX_PRESIGNATURES);
            known.runs.insert(run, Run { signers: signers.clone(), since: now.tick });
            let pause = self.soon(now);
            for party in &signers {
                let order = Order::Presign { key, run, signers: signers.clone(), count };
                self.orders.give(*party, Task::Presign(key, run), order, pause);
            }
        }
    }

    /// The sets of signers for which presignatures are kept: members that are up and have not failed of late, each set shifted by
    /// one against the last. If those are too few, it is one set of those with the fewest failures.
    fn sets(&self, key: KeyId, now: Now) -> Vec<Vec<PartyId>> {
        let Some(known) = self.keys.get(&key) else { return Vec::new() };
        let times = self.config.times;
        let mut up = self.usable(known.members(), |_| false, now);
        let slow = |party: PartyId| known.slow_runs(party, millis(times.slow), now);
        let failures = |party: &PartyId| self.nodes.get(party).map_or(0, |node| node.failures);
        up.sort_by_key(|party| (slow(*party).saturating_add(failures(party)), *party));
        let is_fit = |party: &PartyId| {
            slow(*party) == 0 && self.nodes.get(party).is_some_and(|node| !node.rests(times, now))
        };
        let fit = up.iter().filter(|party| is_fit(party)).count();
        if fit >= known.threshold() {
            up.retain(is_fit);
        } else {
            up.truncate(known.threshold());
        }
        up.sort_unstable();
        if up.len() < known.threshold() {
            return Vec::new();
        }
        let different = if up.len() == known.threshold() { 1 } else { up.len() };
        let set = |start| {
            let around = up.iter().cycle().skip(start).take(known.threshold());
            let mut set: Vec<PartyId> = around.copied().collect();
            set.sort_unstable();
            set
        };
        (0..different.min(self.config.sets.max(1))).map(set).collect()
    }

    /// The sets that waiting requests need, because nodes refuse them or are left out, and for which nothing is ready.
    fn wanted_sets(&self, key: KeyId, now: Now) -> BTreeSet<Vec<PartyId>> {
        let Some(known) = self.keys.get(&key) else { return BTreeSet::new() };
        let wanted = self.waiting.iter().filter_map(|(_, _, id)| {
            let signing = self.requests.get(id)?.signing()?;
            if signing.key != key || !signing.is_choosy() {
                return None;
            }
            let mut set = self.usable(known.members(), |party| signing.excludes(party), now);
            set.truncate(known.threshold());
            set.sort_unstable();
            (set.len() == known.threshold()).then_some(set)
        });
        wanted.collect()
    }

    fn fill_nonces(&mut self, key: KeyId, now: Now) {
        let Some(known) = self.keys.get(&key) else { return };
        for party in self.usable(known.members(), |_| false, now) {
            let left = known.pool.count(&[party]);
            let is_low = self.config.nonces.to_make(left) > 0 || known.wanted > left;
            if !is_low || self.orders.has(Task::Stock(key), party) {
                continue;
            }
            let wanted = self.config.nonces.high.max(known.wanted);
            let count = u16::try_from(wanted).unwrap_or(u16::MAX).min(Order::MAX_NONCES);
            let pause = self.soon(now);
            self.orders.give(party, Task::Nonces(key), Order::Nonces { key, count }, pause);
        }
    }

    /// Takes in a node's answer to an order for nonces.
    pub(crate) fn made_nonces(&mut self, from: PartyId, key: KeyId, answer: &Answer, now: Now) {
        match answer {
            // A node lists what it has then, too. The list may go on.
            Answer::Done | Answer::Stock(_) => self.list_stock(key, from, now),
            _ => self.rest(key, [from], now),
        }
    }

    /// Makes nothing ahead for a key for some time, because something has failed with these nodes.
    fn rest(&mut self, key: KeyId, nodes: impl IntoIterator<Item = PartyId>, now: Now) {
        self.failed_with(nodes, now);
        let pause = millis(self.config.times.patience);
        if let Some(known) = self.keys.get_mut(&key) {
            known.rests_until = now.tick.saturating_add(pause);
        }
    }

    /// Takes in a node's answer to an order for presignatures.
    pub(crate) fn presigned(
        &mut self,
        from: PartyId,
        (key, run): (KeyId, [u8; 32]),
        answer: &Answer,
        now: Now,
    ) {
        if !matches!(answer, Answer::Done) {
            tracing::warn!(%key, party = %from, ?answer, "a run of presigning has failed");
            // The one that says so first may be the one that has found the fault of another.
            let signers = self.end_run(key, run, now);
            return self.rest(key, signers, now);
        }
        if self.orders.nodes(Task::Presign(key, run)).is_empty() {
            let signers = self.end_run(key, run, now);
            self.succeeded_with(signers);
        }
    }

    /// Ends a run, and gives its signers.
    fn end_run(&mut self, key: KeyId, run: [u8; 32], now: Now) -> Vec<PartyId> {
        self.orders.withdraw_all(Task::Presign(key, run));
        let ended = self.keys.get_mut(&key).and_then(|known| known.runs.remove(&run));
        let signers = ended.map(|run| run.signers).unwrap_or_default();
        signers.iter().for_each(|party| self.list_stock(key, *party, now));
        signers
    }

    /// Gives up the runs of a node that was down which have ended at others: if it has forgotten them, it begins them alone, and a set
    /// of signers has one run at a time. If no signer has ended, all begin again when the order is repeated.
    pub(crate) fn give_up_runs_with(&mut self, party: PartyId, now: Now) {
        let of = |(key, known): (&KeyId, &Known)| -> Vec<(KeyId, [u8; 32])> {
            let runs = known.runs.iter().filter(|(_, run)| run.signers.contains(&party));
            runs.map(|(name, _)| (*key, *name)).collect()
        };
        for (key, run) in self.keys.iter().flat_map(of).collect::<Vec<_>>() {
            let signers = self.keys.get(&key).and_then(|known| known.runs.get(&run));
            let left = self.orders.nodes(Task::Presign(key, run)).len();
            if signers.is_some_and(|run| left < run.signers.len()) {
                self.end_run(key, run, now);
            }
        }
    }

    /// Gives up the runs that take too long.
    fn give_up_runs(&mut self, key: KeyId, now: Now) {
        let longest = millis(self.config.times.presigning);
        let Some(known) = self.keys.get(&key) else { return };
        let late = |run: &&[u8; 32]| {
            known.runs.get(*run).is_some_and(|run| now.tick.saturating_sub(run.since) >= longest)
        };
        for run in known.runs.keys().filter(late).copied().collect::<Vec<_>>() {
            self.failed_with(self.orders.nodes(Task::Presign(key, run)), now);
            self.end_run(key, run, now);
        }
    }
}
