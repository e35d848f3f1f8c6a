//! What a worker counts, read from its core and its bus every second.

use core::time::Duration;
use std::collections::BTreeMap;
use std::time::Instant;

use crate::bus::Counts;
use crate::metrics::{Health, Metrics};
use crate::node::{Node, Tally};

/// How often it is read.
const PAUSE: Duration = Duration::from_secs(1);

/// What was read last.
#[derive(Default)]
pub(super) struct Watch {
    at: Option<Instant>,
    tally: Tally,
    again: u64,
    /// When each open order was seen first.
    seen: BTreeMap<[u8; 32], Instant>,
}

impl Watch {
    /// The core is another one, which counts from nothing.
    pub(super) fn begin(&mut self) {
        self.tally = Tally::default();
    }

    /// Says whether the worker is ready; reads the rest unless it has done so just now.
    pub(super) fn read(
        &mut self,
        node: &Node,
        counts: impl FnOnce() -> Counts,
        (metrics, health): (&Metrics, &Health),
    ) {
        health.beat();
        // Whoever waits for it waits no longer than it has to.
        match node.refuses() {
            Some(why) => health.not_ready(why),
            None => health.ready(),
        }
        if self.at.is_some_and(|at| at.elapsed() < PAUSE) {
            return;
        }
        let now = Instant::now();
        self.at = Some(now);
        let tally = node.tally();
        metrics.opened(tally.opened.saturating_sub(self.tally.opened));
        metrics.lost_swaps(tally.lost_swaps.saturating_sub(self.tally.lost_swaps));
        metrics.met(tally.met.saturating_sub(self.tally.met));
        self.tally = tally;
        let again = counts().again;
        metrics.redelivered(again.saturating_sub(self.again));
        self.again = again;
        let open: Vec<[u8; 32]> = node.open().collect();
        self.seen.retain(|order, _| open.contains(order));
        for order in open {
            self.seen.entry(order).or_insert(now);
        }
        let oldest = self.seen.values().min().map_or(Duration::ZERO, |since| since.elapsed());
        metrics.runs(self.seen.len().try_into().unwrap_or(u64::MAX), oldest);
        // A database that does not answer is for the next turn to see.
        if let Ok(letters) = node.outbox() {
            metrics.outbox(letters);
        }
    }
}
