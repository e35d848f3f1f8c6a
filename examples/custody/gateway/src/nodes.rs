//! Nodes, as the gateway sees them.

use custody_core::{Accusation, NodeStatus, OLDEST, Order, Versions};
use quorate::PartyId;

use crate::config::{Now, Times, millis};
use crate::engine::Engine;
use crate::metrics::NodeView;
use crate::orders::Task;

/// A node of the directory.
pub(crate) struct Node {
    pub(crate) name: String,
    /// The last answer.
    heard: Option<u64>,
    pub(crate) status: Option<NodeStatus>,
    /// The finding of a failed verification of one of its shares.
    pub(crate) cheated: Option<String>,
    /// Runs and attempts that have come to nothing with this node, since its last success.
    pub(crate) failures: u32,
    /// The tick of the last of them.
    failed_at: u64,
    /// The versions that it has announced.
    pub(crate) versions: Option<Versions>,
    /// The accusations of the node against others, which prove nothing to the gateway.
    pub(crate) accuses: Vec<Accusation>,
    next_status: u64,
    next_listing: u64,
}

impl Node {
    pub(crate) const fn new(name: String, cheated: Option<String>) -> Self {
        Self {
            name,
            heard: None,
            status: None,
            cheated,
            failures: 0,
            failed_at: 0,
            versions: None,
            accuses: Vec::new(),
            next_status: 0,
            next_listing: 0,
        }
    }

    /// Returns whether the node has answered lately, signs, and has not cheated.
    pub(crate) fn is_up(&self, times: Times, now: Now) -> bool {
        let refuses = self.status.as_ref().is_some_and(|status| status.refuses.is_some());
        self.has_answered_lately(times, now) && !refuses && self.cheated.is_none()
    }

    fn has_answered_lately(&self, times: Times, now: Now) -> bool {
        let patience = millis(times.status).saturating_mul(3).saturating_add(millis(times.repeat));
        self.heard.is_some_and(|heard| now.tick.saturating_sub(heard) <= patience)
    }

    /// The version of orders to the node: the highest that both have. One that does not answer may have been replaced by an
    /// earlier release, and is given the oldest.
    pub(crate) fn version(&self, own: Versions, times: Times, now: Now) -> u8 {
        let announced = self.versions.filter(|_| self.has_answered_lately(times, now));
        announced.and_then(|versions| own.common(versions)).unwrap_or(OLDEST)
    }

    /// Returns whether nothing is made ahead with the node, because it has failed: each time twice as long.
    pub(crate) fn rests(&self, times: Times, now: Now) -> bool {
        let pause = millis(times.patience).saturating_mul(1_u64 << self.failures.min(12));
        self.failures > 0 && now.tick < self.failed_at.saturating_add(pause)
    }

    pub(crate) fn view(&self, own: Versions, times: Times, now: Now) -> NodeView {
        let (name, status, cheated) =
            (self.name.clone(), self.status.clone(), self.cheated.clone());
        let accuses = self.accuses.clone();
        let (is_up, version) = (self.is_up(times, now), self.version(own, times, now));
        NodeView { name, is_up, status, cheated, accuses, version }
    }
}

impl Engine {
    /// The times of an order that is given now: it is repeated soon.
    pub(crate) const fn soon(&self, now: Now) -> (u64, u64) {
        (now.tick, millis(self.config.times.repeat))
    }

    /// The times of an order that a node could not carry out now.
    pub(crate) const fn later(&self, now: Now) -> (u64, u64) {
        (now.tick, millis(self.config.times.patience))
    }

    pub(crate) fn is_up(&self, node: PartyId, now: Now) -> bool {
        self.nodes.get(&node).is_some_and(|node| node.is_up(self.config.times, now))
    }

    /// Takes note of an answer of a node.
    pub(crate) fn heard(&mut self, from: PartyId, now: Now) {
        let times = self.config.times;
        let Some(node) = self.nodes.get_mut(&from) else { return };
        let was_up = node.is_up(times, now);
        node.heard = Some(now.tick);
        if !was_up && node.is_up(times, now) {
            self.orders.hurry(from, now.tick, millis(times.repeat));
            self.give_up_runs_with(from, now);
        }
    }

    /// Asks nodes for their status, and for their keys and stock, at intervals.
    pub(crate) fn ask_nodes(&mut self, now: Now) {
        let times = self.config.times;
        let pause = self.soon(now);
        for (party, node) in &mut self.nodes {
            if now.tick >= node.next_status {
                node.next_status = now.tick.saturating_add(millis(times.status));
                self.orders.give(*party, Task::Status, Order::Status, pause);
                if node.version(self.config.versions, times, now) >= Order::Accusations.since() {
                    self.orders.give(*party, Task::Accusations, Order::Accusations, pause);
                }
            }
            if now.tick >= node.next_listing {
                node.next_listing = now.tick.saturating_add(millis(times.listing));
                self.orders.give(*party, Task::Keys, Order::Keys { after: None }, pause);
                for (key, known) in self.keys.iter_mut().filter(|(_, one)| one.has_member(*party)) {
                    if !self.orders.has(Task::Stock(*key), *party) {
                        known.pool.restart_list(*party);
                        let order = Order::Stock { key: *key, after: None };
                        self.orders.give(*party, Task::Stock(*key), order, pause);
                    }
                }
            }
        }
    }

    /// Takes note that something has come to nothing with these nodes.
    pub(crate) fn failed_with(&mut self, nodes: impl IntoIterator<Item = PartyId>, now: Now) {
        for party in nodes {
            if let Some(node) = self.nodes.get_mut(&party) {
                node.failures = node.failures.saturating_add(1);
                node.failed_at = now.tick;
            }
        }
    }

    /// Takes note that something has succeeded with these nodes.
    pub(crate) fn succeeded_with(&mut self, nodes: impl IntoIterator<Item = PartyId>) {
        for party in nodes {
            self.nodes.entry(party).and_modify(|node| node.failures = 0);
        }
    }

    /// The members of a list that are up and not excluded: those with the fewest failures first.
    pub(crate) fn usable(
        &self,
        members: &[PartyId],
        is_excluded: impl Fn(PartyId) -> bool,
        now: Now,
    ) -> Vec<PartyId> {
        let usable = |party: &&PartyId| self.is_up(**party, now) && !is_excluded(**party);
        let mut usable: Vec<PartyId> = members.iter().filter(usable).copied().collect();
        usable.sort_by_key(|party| (self.nodes.get(party).map_or(0, |node| node.failures), *party));
        usable
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_is_spoken_to_in_the_highest_common_version_while_it_answers() {
        let (times, at) = (Times::default(), |tick| Now { tick, wall: 0 });
        let mut node = Node::new("n1".into(), None);
        let own = Versions { oldest: 1, newest: 2 };
        node.versions = Some(Versions { oldest: 2, newest: 3 });
        assert_eq!(node.version(own, times, at(0)), OLDEST, "it has not answered");
        node.heard = Some(0);
        assert_eq!(node.version(own, times, at(1000)), 2);
        assert_eq!(node.version(own, times, at(60_000)), OLDEST, "it is silent");
        node.versions = None;
        assert_eq!(node.version(own, times, at(0)), OLDEST);
    }

    #[test]
    fn node_that_fails_rests_twice_as_long_each_time() {
        let (times, at) = (Times::default(), |tick| Now { tick, wall: 0 });
        let mut node = Node::new("n1".into(), None);
        assert!(!node.rests(times, at(0)));
        (node.failures, node.failed_at) = (1, 1000);
        assert!(node.rests(times, at(4999)) && !node.rests(times, at(5000)));
        node.failures = u32::MAX;
        assert!(node.rests(times, at(8_192_000)) && !node.rests(times, at(8_193_000)));
    }
}
