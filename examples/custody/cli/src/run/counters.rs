//! The latest counters of the node or the gateway behind the probes.

use core::fmt::Write as _;
use core::time::Duration;
use std::sync::{Arc, Mutex, PoisonError};

use custody_core::{Accusation, Answer, NodeStatus, Order};
use custody_gateway::Gateway;
use custody_node::Node;
use quorate_store::Engine;

/// The pause between two looks.
const EVERY: Duration = Duration::from_secs(2);
/// The pause before the next look at something that does not answer.
const SOON: Duration = Duration::from_millis(100);

/// The text of OpenMetrics, without its end. There is none while nobody answers.
pub(super) type Counters = Arc<Mutex<Option<String>>>;

/// Keeps the counters of a gateway. There are none while the database is away.
pub(super) async fn of_gateway(gateway: Gateway, counters: Counters) {
    loop {
        let metrics = gateway.metrics().await.ok();
        let pause = if metrics.is_some() { EVERY } else { SOON };
        put(&counters, metrics.map(|metrics| metrics.to_openmetrics()));
        tokio::time::sleep(pause).await;
    }
}

/// Keeps the counters of a node.
pub(super) async fn of_node<E: Engine>(node: Node<E>, counters: Counters) {
    loop {
        let status = match node.order(Order::Status).await {
            Answer::Status(status) => Some(status),
            _ => None,
        };
        let accusations = match node.order(Order::Accusations).await {
            Answer::Accusations(all) => all,
            _ => Vec::new(),
        };
        put(&counters, status.map(|status| text(&node, &status, &accusations)));
        tokio::time::sleep(EVERY).await;
    }
}

fn put(counters: &Counters, text: Option<String>) {
    *counters.lock().unwrap_or_else(PoisonError::into_inner) = text;
}

fn text<E: Engine>(node: &Node<E>, status: &NodeStatus, accusations: &[Accusation]) -> String {
    let gauges = [
        ("keys", "Keys of which the node has a share", u64::from(status.keys)),
        ("runs", "Runs that have not ended", status.runs.into()),
        ("audit_entries", "The number of the last entry of the log of decisions", status.audit),
        ("refuses", "1 if the node signs nothing now", status.refuses.is_some().into()),
    ];
    let mut text = String::new();
    for (name, help, value) in gauges {
        let name = format!("custody_node_{name}");
        write!(text, "# HELP {name} {help}.\n# TYPE {name} gauge\n{name} {value}\n").ok();
    }
    let name = "custody_node_accused";
    let help = "Runs in which this node found another at fault";
    writeln!(text, "# HELP {name} {help}.\n# TYPE {name} gauge").ok();
    let directory = node.settings().directory.directory();
    for Accusation { party, count, .. } in accusations {
        if let Some(member) = directory.member_of(*party) {
            writeln!(text, "{name}{{node=\"{}\"}} {count}", member.name).ok();
        }
    }
    text
}
