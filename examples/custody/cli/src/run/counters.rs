//! The latest state of the node or the gateway behind the probes.

use core::fmt::Write as _;
use core::time::Duration;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use custody_core::{Accusation, Answer, NodeStatus, Order, Refusal};
use custody_gateway::Gateway;
use custody_node::{Node, Witnesses};
use quorate_envelope::Name;

/// The pause between two looks.
const EVERY: Duration = Duration::from_secs(2);
/// The pause before the next look at something that does not answer.
const SOON: Duration = Duration::from_millis(100);

/// The latest state. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Counters(Arc<Mutex<State>>);

/// The state that probes show.
#[derive(Default)]
pub(super) struct State {
    /// The text of OpenMetrics, without its end.
    pub(super) text: String,
    /// Further gauges, which change slowly.
    pub(super) slow: String,
    /// `true` while the node or the gateway does its work.
    pub(super) is_ready: bool,
    /// The reason why it does not, if that is known.
    pub(super) why: Option<String>,
}

impl Counters {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows what is done before the databases are open.
    pub(super) fn begin(&self, what: &str) {
        self.state().why = Some(what.to_owned());
    }

    fn put(&self, text: Option<String>) {
        let state = &mut *self.state();
        (state.is_ready, state.why) = (text.is_some(), None);
        state.text = text.unwrap_or_default();
    }

    /// Shows that the node is not open, and why.
    pub(super) fn refuse(&self, why: &Refusal, ahead: &[Name]) {
        let mut text = refuses(Some(why));
        gauge(
            &mut text,
            "custody_node_witness_ahead",
            "1 for a node that says this one was restored",
            ahead.iter().map(|name| (format!("{{peer=\"{name}\"}}"), 1)),
        );
        let state = &mut *self.state();
        (state.text, state.is_ready, state.why) = (text, false, Some(why.to_string()));
    }
}

/// Keeps the counters of a gateway. There are none while the database is away.
pub(super) async fn of_gateway(gateway: Gateway, counters: Counters) {
    loop {
        let metrics = gateway.metrics().await.ok();
        let pause = if metrics.is_some() { EVERY } else { SOON };
        counters.put(metrics.map(|metrics| metrics.to_openmetrics()));
        tokio::time::sleep(pause).await;
    }
}

/// Shows what a node waits for that is not open.
pub(super) async fn of_witnesses(witnesses: Witnesses, counters: Counters) {
    loop {
        if let Some(why) = witnesses.waits() {
            counters.refuse(&why, &witnesses.ahead());
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Keeps the counters of a node.
pub(super) async fn of_node(node: Node, counters: Counters) {
    loop {
        let status = match node.order(Order::Status).await {
            Answer::Status(status) => Some(status),
            _ => None,
        };
        let accusations = match node.order(Order::Accusations).await {
            Answer::Accusations(all) => all,
            _ => Vec::new(),
        };
        counters.put(status.map(|status| text(&node, &status, &accusations)));
        tokio::time::sleep(EVERY).await;
    }
}

fn text(node: &Node, status: &NodeStatus, accusations: &[Accusation]) -> String {
    let gauges = [
        ("keys", "Keys of which the node has a share", u64::from(status.keys)),
        ("runs", "Runs that have not ended", status.runs.into()),
        ("audit_entries", "The number of the last entry of the log of decisions", status.audit),
    ];
    let mut text = refuses(status.refuses.as_ref());
    for (name, help, value) in gauges {
        gauge(&mut text, &format!("custody_node_{name}"), help, [(String::new(), value)]);
    }
    let directory = node.settings().directory.directory();
    let accused = accusations.iter().filter_map(|Accusation { party, count, .. }| {
        let member = directory.member_of(*party)?;
        Some((format!("{{node=\"{}\"}}", member.name), u64::from(*count)))
    });
    let help = "Runs in which this node found another at fault";
    gauge(&mut text, "custody_node_accused", help, accused);
    text
}

fn refuses(why: Option<&Refusal>) -> String {
    let mut text = String::new();
    let sample = why.map(|why| (format!("{{reason=\"{}\"}}", why.reason), 1));
    gauge(&mut text, "custody_node_refuses", "1 if the node signs nothing now, by reason", sample);
    text
}

/// Writes a gauge with its samples: the labels, and the value.
pub(super) fn gauge(
    text: &mut String,
    name: &str,
    help: &str,
    samples: impl IntoIterator<Item = (String, u64)>,
) {
    write!(text, "# HELP {name} {help}.\n# TYPE {name} gauge\n").ok();
    for (labels, value) in samples {
        writeln!(text, "{name}{labels} {value}").ok();
    }
}
