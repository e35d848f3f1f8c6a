//! Nodes, as the gateway sees them.

use custody_core::{NodeStatus, Order};
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
    next_status: u64,
    next_listing: u64,
}

impl Node {
    pub(crate) const fn new(name: String, cheated: Option<String>) -> Self {
        let (heard, status) = (None, None);
        Self { name, heard, status, cheated, failures: 0, next_status: 0, next_listing: 0 }
    }

    /// Returns whether the node has answered lately, signs, and has not cheated.
    pub(crate) fn is_up(&self, times: Times, now: Now) -> bool {
        let patience = millis(times.status).saturating_mul(3).saturating_add(millis(times.repeat));
        let lately = self.heard.is_some_and(|heard| now.tick.saturating_sub(heard) <= patience);
        let refuses = self.status.as_ref().is_some_and(|status| status.refuses.is_some());
        lately && !refuses && self.cheated.is_none()
    }

    pub(crate) fn view(&self, times: Times, now: Now) -> NodeView {
        let (name, status, cheated) =
            (self.name.clone(), self.status.clone(), self.cheated.clone());
        NodeView { name, is_up: self.is_up(times, now), status, cheated }
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
    pub(crate) fn failed_with(&mut self, nodes: impl IntoIterator<Item = PartyId>) {
        for party in nodes {
            if let Some(node) = self.nodes.get_mut(&party) {
                node.failures = node.failures.saturating_add(1);
            }
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
