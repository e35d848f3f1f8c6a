//! Counters and gauges.

use core::fmt::{Display, Write as _};
use std::collections::BTreeMap;

use custody_core::{Accusation, KeyId, NodeStatus};
use quorate::PartyId;

/// A node, as the gateway sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeView {
    /// The name in the directory.
    pub name: String,
    /// `true` if it has answered lately, and says that it signs.
    pub is_up: bool,
    /// The last status that it gave.
    pub status: Option<NodeStatus>,
    /// The failed verification of a share of this node, if there was one.
    pub cheated: Option<String>,
    /// The accusations of the node against others.
    pub accuses: Vec<Accusation>,
    /// The version of the wire format in which it is given orders.
    pub version: u8,
}

/// Counters since the gateway was started, and gauges.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Metrics {
    /// Requests that were accepted.
    pub accepted: u64,
    /// Requests that have ended, by the name of their state.
    pub ended: BTreeMap<&'static str, u64>,
    /// Signatures, by the name of their scheme.
    pub signatures: BTreeMap<&'static str, u64>,
    /// Milliseconds from the acceptance of a request to its signature, added up.
    pub signing_milliseconds: u64,
    /// Orders that were sent, repeated ones included.
    pub orders: u64,
    /// Orders that were repeated.
    pub repeated: u64,
    /// Attempts to sign that gave no signature.
    pub failed_attempts: u64,
    /// Requests without a result.
    pub open: usize,
    /// Orders without an answer.
    pub pending_orders: usize,
    /// The number of signatures for which each key has presignatures or nonces.
    pub stock: BTreeMap<KeyId, usize>,
    /// The number of times that the shares of each key have changed.
    pub epochs: BTreeMap<KeyId, u32>,
    /// The nodes.
    pub nodes: BTreeMap<PartyId, NodeView>,
}

impl Metrics {
    /// The metrics in the text format of OpenMetrics, without its end (`# EOF`). Alerts and dashboards are made for these names.
    #[must_use]
    pub fn to_openmetrics(&self) -> String {
        let mut text = Text::default();
        text.counter("requests_accepted", "Requests that were accepted", [("", "", self.accepted)]);
        let ended = self.ended.iter().map(|(state, count)| ("state", state, *count));
        text.counter("requests_ended", "Requests that have ended, by state", ended);
        let made = self.signatures.iter().map(|(scheme, count)| ("scheme", scheme, *count));
        text.counter("signatures", "Signatures, by scheme", made);
        let milliseconds = [("", "", self.signing_milliseconds)];
        text.counter("signing_milliseconds", "Milliseconds to a signature, added up", milliseconds);
        text.counter(
            "orders_sent",
            "Orders to nodes, repeated ones included",
            [("", "", self.orders)],
        );
        text.counter("orders_repeated", "Orders that were repeated", [("", "", self.repeated)]);
        let failed = [("", "", self.failed_attempts)];
        text.counter("attempts_failed", "Attempts to sign without a signature", failed);
        text.gauge("requests_open", "Requests without a result", [("", "", self.open)]);
        text.gauge("orders_pending", "Orders without an answer", [("", "", self.pending_orders)]);
        let stock = self.stock.iter().map(|(key, count)| ("key", key, count));
        text.gauge("stock", "Signatures for which there are presignatures or nonces", stock);
        let epochs = self.epochs.iter().map(|(key, epoch)| ("key", key, epoch));
        text.gauge("key_epoch", "The number of times that the shares have changed", epochs);
        self.write_nodes(&mut text);
        text.0
    }

    fn write_nodes(&self, text: &mut Text) {
        let nodes = || self.nodes.values().map(|node| (node.name.as_str(), node));
        let up = nodes().map(|(name, node)| ("node", name, u8::from(node.is_up)));
        text.gauge("node_up", "1 if the node answers and signs", up);
        let cheated = nodes().map(|(name, node)| ("node", name, u8::from(node.cheated.is_some())));
        text.gauge("node_cheated", "1 if a share of the node failed verification", cheated);
        let versions = nodes().map(|(name, node)| ("node", name, node.version));
        text.gauge("node_wire_version", "The version of the wire format of orders", versions);
        let accuses = nodes().flat_map(|(by, node)| node.accuses.iter().map(move |one| (by, one)));
        let accuses: Vec<(String, u32)> = accuses
            .filter_map(|(by, one)| {
                Some((format!("{}\",by=\"{by}", self.nodes.get(&one.party)?.name), one.count))
            })
            .collect();
        let accused = accuses.iter().map(|(labels, count)| ("node", labels, *count));
        text.gauge("node_accused", "Runs in which one node found another at fault", accused);
        let status = |(name, node): (_, &'_ NodeView)| Some((name, node.status.clone()?));
        let refuses = nodes().filter_map(status);
        let refuses = refuses.filter_map(|(name, status)| Some((name, status.refuses?.reason)));
        let refuses = refuses.map(|(name, reason)| (format!("{name}\",reason=\"{reason}"), 1));
        let refuses: Vec<(String, u8)> = refuses.collect();
        let refuses = refuses.iter().map(|(labels, one)| ("node", labels, *one));
        text.gauge("node_refuses", "1 if the node says that it signs nothing, by reason", refuses);
        let runs = nodes().filter_map(status).map(|(name, status)| ("node", name, status.runs));
        text.gauge("node_runs", "Runs of protocols that have not ended", runs);
    }
}

/// Metrics in the text format.
#[derive(Default)]
struct Text(String);

/// A label, its value, and the value of the metric.
type Sample<L, V> = (&'static str, L, V);

impl Text {
    fn counter<L: Display, V: Display>(
        &mut self,
        name: &str,
        help: &str,
        samples: impl IntoIterator<Item = Sample<L, V>>,
    ) {
        self.family((name, "counter", "_total"), help, samples);
    }

    fn gauge<L: Display, V: Display>(
        &mut self,
        name: &str,
        help: &str,
        samples: impl IntoIterator<Item = Sample<L, V>>,
    ) {
        self.family((name, "gauge", ""), help, samples);
    }

    fn family<L: Display, V: Display>(
        &mut self,
        (name, kind, suffix): (&str, &str, &str),
        help: &str,
        samples: impl IntoIterator<Item = Sample<L, V>>,
    ) {
        let name = format!("custody_gateway_{name}");
        // A string takes everything.
        writeln!(self.0, "# HELP {name} {help}.\n# TYPE {name} {kind}").ok();
        for (label, of, value) in samples {
            let labels =
                if label.is_empty() { String::new() } else { format!("{{{label}=\"{of}\"}}") };
            writeln!(self.0, "{name}{suffix}{labels} {value}").ok();
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn metrics_are_written_in_the_text_format() {
        let stock = [(KeyId::new([1; 32]), 5)].into();
        let one = PartyId::new(1).unwrap();
        let fault = "a proof does not verify".into();
        let accused = Accusation { party: one, count: 2, last: 0, run: [0; 32], fault };
        let accuses = vec![accused];
        let node = NodeView {
            name: "n1".into(),
            is_up: true,
            status: None,
            cheated: None,
            accuses,
            version: 1,
        };
        let nodes = [(one, node)].into();
        let text = Metrics { accepted: 3, stock, nodes, ..Metrics::default() }.to_openmetrics();
        let key = "01".repeat(32);
        for line in [
            "# TYPE custody_gateway_requests_accepted counter",
            "custody_gateway_requests_accepted_total 3",
            &format!("custody_gateway_stock{{key=\"{key}\"}} 5"),
            "custody_gateway_node_up{node=\"n1\"} 1",
            "custody_gateway_node_cheated{node=\"n1\"} 0",
            "custody_gateway_node_accused{node=\"n1\",by=\"n1\"} 2",
        ] {
            assert!(text.lines().any(|one| one == line), "{line} in\n{text}");
        }
    }
}
