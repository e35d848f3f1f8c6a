//! The latest counters of the node or the gateway behind the probes.

use core::fmt::Write as _;
use core::time::Duration;
use std::sync::{Arc, Mutex, PoisonError};

use custody_core::{Answer, NodeStatus, Order};
use custody_gateway::Gateway;
use custody_node::Node;
use quorate_store::Engine;

/// The pause between two looks.
const EVERY: Duration = Duration::from_secs(2);

/// The text of OpenMetrics, without its end. There is none while nobody answers.
pub(super) type Counters = Arc<Mutex<Option<String>>>;

/// Keeps the counters of a gateway. There are none while the database is away.
pub(super) async fn of_gateway(gateway: Gateway, counters: Counters) {
    loop {
        put(&counters, gateway.metrics().await.ok().map(|metrics| metrics.to_openmetrics()));
        tokio::time::sleep(EVERY).await;
    }
}

/// Keeps the counters of a node.
pub(super) async fn of_node<E: Engine>(node: Node<E>, counters: Counters) {
    loop {
        let status = match node.order(Order::Status).await {
            Answer::Status(status) => Some(status),
            _ => None,
        };
        put(&counters, status.map(|status| text(&status)));
        tokio::time::sleep(EVERY).await;
    }
}

fn put(counters: &Counters, text: Option<String>) {
    *counters.lock().unwrap_or_else(PoisonError::into_inner) = text;
}

fn text(status: &NodeStatus) -> String {
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
    text
}
