//! What came of chaos: a table, or JSON.

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};

use quorate::PartyId;
use quorate_examples::out::Out;
use quorate_examples::table::Table;
use serde_json::{Value, json};

use super::Tally;
use super::events::Kind;
use super::misbehave::How;
use crate::audit::Audit;

/// An event that happened.
#[derive(Clone, Debug)]
pub(super) struct Struck {
    pub(super) kind: Kind,
    /// What it has struck.
    pub(super) target: String,
    /// After how long that answered again.
    pub(super) back: Duration,
}

pub(super) struct Report {
    pub(super) seed: u64,
    pub(super) struck: Vec<Struck>,
    pub(super) tally: Tally,
    pub(super) audit: Audit,
    /// Orders that the gateway gave again since it was started last.
    pub(super) repeated: u64,
    /// What a node did on purpose.
    pub(super) misbehave: Option<(How, PartyId)>,
    /// All who are blamed by anybody.
    pub(super) named: BTreeSet<PartyId>,
    pub(super) elapsed: Duration,
}

impl Report {
    pub(super) fn holds(&self) -> bool {
        let proven = self.misbehave.filter(|(how, _)| how.is_proven());
        let named = proven.is_none_or(|(_, node)| self.named.contains(&node));
        self.audit.holds() && self.tally.lost == 0 && named
    }

    /// The times until each kind of event was over, in order.
    fn kinds(&self) -> BTreeMap<Kind, Vec<u128>> {
        let mut kinds: BTreeMap<Kind, Vec<u128>> = BTreeMap::new();
        for one in &self.struck {
            kinds.entry(one.kind).or_default().push(one.back.as_millis());
        }
        kinds.values_mut().for_each(|times| times.sort_unstable());
        kinds
    }

    pub(super) fn print(&self, out: &mut Out) {
        let mut table = Table::new(&["event", "times", "back ms, half", "back ms, all"]);
        for (kind, times) in self.kinds() {
            let half = times.get(times.len().div_euclid(2)).copied().unwrap_or(0);
            let all = times.last().copied().unwrap_or(0);
            let row = [times.len().to_string(), half.to_string(), all.to_string()];
            table.row([kind.name().to_owned()].into_iter().chain(row).collect());
        }
        table.print(out);
        out.line("");
        let Tally { refused, rejected, lost, again, .. } = &self.tally;
        let sum = |of: &BTreeMap<String, u64>| of.values().sum::<u64>().to_string();
        let mut table = Table::new(&[
            "signed",
            "refused",
            "not accepted",
            "lost",
            "asked again",
            "p50 ms",
            "p99 ms",
            "max ms",
        ]);
        let mut row = vec![self.tally.times.len().to_string(), sum(refused), sum(rejected)];
        row.extend([lost.to_string(), again.to_string()]);
        row.extend([50, 99, 100].map(|percent| self.tally.percentile(percent).to_string()));
        table.row(row);
        table.print(out);
        for (why, count) in refused.iter().chain(rejected) {
            out.line(format!("  {count} × {why}"));
        }
        let seconds = self.elapsed.as_secs_f64();
        out.line(format!("\nseed {}, {} events, {seconds:.0} s", self.seed, self.struck.len()));
        if let Some((how, node)) = self.misbehave {
            let named: Vec<String> = self.named.iter().map(PartyId::to_string).collect();
            let named = if named.is_empty() { "nobody".to_owned() } else { named.join(", ") };
            out.line(format!("node {node} on purpose: {}; blamed: {named}", how.name()));
        }
        out.line("");
        self.audit.print(out);
    }

    pub(super) fn json(&self) -> Value {
        let kinds = self.kinds().into_iter().map(|(kind, times)| {
            let times: Vec<u64> =
                times.into_iter().map(|time| time.try_into().unwrap_or(u64::MAX)).collect();
            (kind.name().to_owned(), json!(times))
        });
        let Tally { refused, rejected, lost, again, .. } = &self.tally;
        json!({
            "seed": self.seed,
            "seconds": self.elapsed.as_secs_f64(),
            "back_ms": kinds.collect::<serde_json::Map<_, _>>(),
            "events": self.struck.iter()
                .map(|one| json!({ "what": one.kind.name(), "target": one.target })).collect::<Vec<_>>(),
            "signed": self.tally.times.len(), "refused": refused, "not_accepted": rejected,
            "misbehave": self.misbehave.map(|(how, node)| json!({ "how": how.name(), "node": node.get() })),
            "named": self.named.iter().map(|node| node.get()).collect::<Vec<_>>(),
            "lost": lost, "asked_again": again, "orders_again": self.repeated,
            "p50_ms": self.tally.percentile(50), "p99_ms": self.tally.percentile(99),
            "max_ms": self.tally.percentile(100),
            "audit": self.audit.json(),
        })
    }
}
