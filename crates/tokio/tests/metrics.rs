//! The metrics of a service, by a recorder of the test's own.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod common;

use core::sync::atomic::{AtomicU64, Ordering};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use common::*;
use metrics::{
    Counter, Gauge, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder, SharedString, Unit,
};

/// The values by name and labels.
#[derive(Clone, Default)]
struct Values(Arc<Mutex<Table>>);

type Table = BTreeMap<(String, String), Arc<AtomicU64>>;

impl Values {
    fn register(&self, key: &Key) -> Arc<AtomicU64> {
        let labels = key.labels().map(|label| format!("{}={}", label.key(), label.value()));
        let name = (key.name().to_owned(), labels.collect::<Vec<_>>().join(","));
        Arc::clone(self.0.lock().unwrap().entry(name).or_default())
    }

    fn get(&self, name: &str, labels: &str) -> u64 {
        self.0.lock().unwrap()[&(name.to_owned(), labels.to_owned())].load(Ordering::Relaxed)
    }
}

/// The number of values that a histogram was given.
struct Count(Arc<AtomicU64>);

impl HistogramFn for Count {
    fn record(&self, _: f64) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Recorder for Values {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(self.register(key))
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(self.register(key))
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(Arc::new(Count(self.register(key))))
    }
}

/// The names in the table of the documentation.
fn documented() -> BTreeSet<String> {
    let rows = include_str!("../src/lib.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("//! | `quorate_"));
    rows.map(|row| format!("quorate_{}", row.split('`').next().unwrap())).collect()
}

#[tokio::test]
async fn metrics_count_runs_and_have_the_documented_names() {
    let values = Values::default();
    metrics::set_global_recorder(values.clone()).unwrap_or_else(|_| panic!("one recorder"));
    let nodes = pair().await;
    both(&nodes, &job(1, b"a")).await;
    nodes[0].handle.run::<Toy>(job(1, b"b")).await.unwrap_err();
    let [one, two] = nodes;
    one.shutdown().await;
    two.shutdown().await;
    for (name, expected) in [
        ("quorate_runs_started_total", 1),
        ("quorate_runs_done_total", 1),
        ("quorate_frames_received_total", 1),
        ("quorate_panics_total", 0),
        ("quorate_jobs_waiting", 0),
    ] {
        assert_eq!(values.get(name, "party=1"), expected, "{name}");
    }
    assert_eq!(values.get("quorate_refused_total", "party=1,reason=other_job"), 1);
    assert!(values.get("quorate_step_seconds", "") >= 2);
    let registered: BTreeSet<_> =
        values.0.lock().unwrap().keys().map(|(name, _)| name.clone()).collect();
    assert_eq!(registered, documented());
}
