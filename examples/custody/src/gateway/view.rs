//! What operators see.

use quorate::runner::Time;
use quorate_examples::failure::Failure;

use super::ask::{KeyView, NodeView, Snapshot, State};
use super::{Gateway, KeyId};
use crate::orders::Kind;
use crate::request::{Scheme, SignedRequest};

impl Gateway {
    pub(super) fn snapshot(&self, now: Time) -> Snapshot {
        let keys: Vec<KeyView> = self.keys.values().map(|key| self.key_view(key.id)).collect();
        let wanted = !self.config.keys.is_empty();
        let ready = self.draining.is_none()
            && keys.len() >= self.config.keys.len()
            && (!wanted || keys.iter().all(|key| key.stock > 0));
        Snapshot {
            open: self.requests.len(),
            taken: self.counts.taken,
            signed: self.counts.signed,
            refused: self.counts.refused,
            rejected: self.counts.rejected,
            repeated: self.counts.repeated,
            latencies: self.counts.latencies.iter().copied().collect(),
            nodes: self.node_views(now),
            notices: self.noticed.iter().cloned().collect(),
            keys,
            ready,
        }
    }

    fn key_view(&self, id: KeyId) -> KeyView {
        let key = self.keys.get(&id);
        let scheme = key.map_or(Scheme::Ecdsa, super::key::Key::scheme);
        let marks = match scheme {
            Scheme::Ecdsa => self.config.presignatures,
            Scheme::Ed25519 => self.config.nonces,
        };
        KeyView {
            id,
            scheme,
            epoch: key.map_or(0, super::key::Key::epoch),
            public_key: key.and_then(|key| key.public_key(&Default::default())).unwrap_or_default(),
            public: key.map(super::key::Key::bytes).unwrap_or_default(),
            stated: self.stated(id),
            parties: key.map(|key| key.parties().iter().collect()).unwrap_or_default(),
            threshold: key.map_or(0, super::key::Key::threshold),
            stock: key.map_or(0, super::key::Key::stock),
            low: marks.low,
            high: marks.high,
        }
    }

    fn node_views(&self, now: Time) -> Vec<NodeView> {
        let owes = |node| self.given.values().filter(|given| given.owing.contains(&node)).count();
        self.nodes
            .iter()
            .map(|(node, seen)| NodeView {
                node: *node,
                heard: seen.heard.map(|heard| now.saturating_sub(heard)),
                epoch: seen.epoch.into(),
                head: seen.head,
                refuses: seen.refuses.clone(),
                cheated: seen.cheated,
                owes: owes(*node),
            })
            .collect()
    }

    /// The keys that are there.
    #[must_use]
    pub fn keys(&self) -> Vec<KeyView> {
        self.keys.keys().map(|key| self.key_view(*key)).collect()
    }

    /// Whether nothing is left to do: no request is open, and every stock is filled.
    #[must_use]
    pub fn rests(&self) -> bool {
        let low = |key: &super::key::Key| key.stock() < self.key_view(key.id).low;
        self.requests.is_empty()
            && self.jobs.is_empty()
            && self.keys.len() >= self.config.keys.len()
            && !self.keys.values().any(low)
    }

    /// The number of requests that have ended in this life of the process.
    #[must_use]
    pub fn ends(&self) -> u64 {
        let [ecdsa, ed25519] = self.counts.signed;
        ecdsa.saturating_add(ed25519).saturating_add(self.counts.refused)
    }

    /// All requests, by their keys, with what has become of them.
    ///
    /// # Errors
    /// A [`Failure`] of the database.
    pub fn requests(&mut self) -> Result<Vec<(SignedRequest, State)>, Failure> {
        self.rows.requests()
    }

    /// Whether jobs of a kind are under way.
    #[must_use]
    pub fn works_on(&self, kind: Kind) -> bool {
        self.job_open(kind, |_| true)
    }
}
