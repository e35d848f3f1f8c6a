//! What a process counts, and how it shows it: text for Prometheus, and a state for whoever restarts it.
//!
//! The core counts as it works; [`http`](crate::http) and [`page`](crate::page) read. Nothing here waits.

mod health;
mod history;

use core::sync::atomic::AtomicU64;
use core::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use crate::request::Scheme;

pub use self::health::{Health, Readiness};
pub use self::history::{History, SECONDS, Sample};

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct ByScheme {
    scheme: &'static str,
}

impl ByScheme {
    const fn of(scheme: Scheme) -> Self {
        Self { scheme: scheme.name() }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct ByReason {
    reason: &'static str,
}

/// The upper bounds of the buckets of times, in seconds. What takes longer falls into one more.
pub const BOUNDS: [f64; 16] =
    [0.001, 0.002, 0.005, 0.01, 0.02, 0.035, 0.05, 0.1, 0.2, 0.35, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0];

type Seconds = Gauge<f64, AtomicU64>;

/// The counters of a process. It is shared: whoever counts needs no lock.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    signatures: Family<ByScheme, Counter>,
    depth: Family<ByScheme, Gauge>,
    refusals: Family<ByReason, Counter>,
    lost_swaps: Counter,
    met: Counter,
    opens: Counter,
    redeliveries: Counter,
    repeats: Counter,
    open_requests: Gauge,
    outbox: Gauge,
    open_runs: Gauge,
    oldest_run: Seconds,
    rate: Seconds,
    cpu: Seconds,
    memory: Gauge,
    latency: Histogram,
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl Metrics {
    /// Counters that are all zero.
    #[must_use]
    pub fn new() -> Self {
        let mut all = Registry::with_prefix("custody");
        let latency = Histogram::new(BOUNDS);
        let signatures = register(&mut all, "signatures", "Signatures made");
        let refusals = register(&mut all, "refusals", "Requests refused, by reason");
        let depth = register(&mut all, "pool_depth", "Presignatures or nonces that are left");
        let lost_swaps = register(&mut all, "lost_swaps", "Slots that another worker had changed");
        let met = register(&mut all, "transactions_anew", "Transactions that met another worker");
        let opens = register(&mut all, "opens", "Sessions opened from the database");
        let redeliveries = register(&mut all, "redeliveries", "Deliveries that came again");
        let repeats = register(&mut all, "orders_repeated", "Orders that were given again");
        let open_requests = register(&mut all, "open_requests", "Requests that have not ended");
        let outbox = register(&mut all, "outbox_messages", "Messages to peers not acknowledged");
        let open_runs = register(&mut all, "open_runs", "Runs that have not ended");
        let oldest_run = register(&mut all, "oldest_run_seconds", "Age of the oldest open run");
        let rate = register(&mut all, "signatures_per_second", "Mean of the last ten seconds");
        all.register("request_seconds", "Time from a request to its result", latency.clone());
        let cpu = register(&mut all, "process_cpu_seconds", "User and system time of the process");
        let memory = register(&mut all, "process_resident_bytes", "Resident memory of the process");
        Self {
            registry: all,
            signatures,
            depth,
            refusals,
            lost_swaps,
            met,
            opens,
            redeliveries,
            repeats,
            open_requests,
            outbox,
            open_runs,
            oldest_run,
            rate,
            cpu,
            memory,
            latency,
        }
    }

    /// A request ended with a signature so long after it came.
    pub fn took(&self, time: Duration) {
        self.latency.observe(time.as_secs_f64());
    }

    /// Signatures were made.
    pub fn made(&self, scheme: Scheme, number: u64) {
        self.signatures.get_or_create(&ByScheme::of(scheme)).inc_by(number);
    }

    /// Requests were refused. The reason is one of few: each is a series of its own.
    pub fn refused(&self, reason: &'static str, number: u64) {
        self.refusals.get_or_create(&ByReason { reason }).inc_by(number);
    }

    /// So much is left in the pools of a scheme.
    pub fn depth(&self, scheme: Scheme, left: u64) {
        self.depth.get_or_create(&ByScheme::of(scheme)).set(signed(left));
    }

    /// Another worker had changed slots first.
    pub fn lost_swaps(&self, number: u64) {
        self.lost_swaps.inc_by(number);
    }

    /// Transactions met another worker at the same rows, and were made anew.
    pub fn met(&self, number: u64) {
        self.met.inc_by(number);
    }

    /// Sessions were opened from the database.
    pub fn opened(&self, number: u64) {
        self.opens.inc_by(number);
    }

    /// Deliveries came again.
    pub fn redelivered(&self, number: u64) {
        self.redeliveries.inc_by(number);
    }

    /// Orders were given again.
    pub fn repeated(&self, number: u64) {
        self.repeats.inc_by(number);
    }

    /// So many requests are open.
    pub fn open_requests(&self, number: u64) {
        self.open_requests.set(signed(number));
    }

    /// So many messages to peers wait for their acknowledgement.
    pub fn outbox(&self, messages: u64) {
        self.outbox.set(signed(messages));
    }

    /// So many runs are open, the oldest for so long.
    pub fn runs(&self, open: u64, oldest: Duration) {
        self.open_runs.set(signed(open));
        self.oldest_run.set(oldest.as_secs_f64());
    }

    /// The mean number of signatures a second, as [`History`] has it.
    pub fn rate(&self, signatures: f64) {
        self.rate.set(signatures);
    }

    /// All of it in the text format of OpenMetrics, which Prometheus reads.
    #[must_use]
    pub fn text(&self) -> String {
        let usage = crate::usage::of_process(std::process::id()).unwrap_or_default();
        self.cpu.set(usage.cpu.as_secs_f64());
        self.memory.set(signed(usage.resident));
        let mut text = String::new();
        // Writing to a string does not fail.
        encode(&mut text, &self.registry).ok();
        text
    }
}

/// The media type of [`Metrics::text`].
pub const MEDIA: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

fn register<M>(all: &mut Registry, name: &str, help: &str) -> M
where
    M: Clone + Default + prometheus_client::registry::Metric,
{
    let metric = M::default();
    all.register(name, help, metric.clone());
    metric
}

fn signed(number: u64) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_what_was_counted() {
        let metrics = Metrics::new();
        metrics.made(Scheme::Ed25519, 1);
        metrics.took(Duration::from_millis(3));
        metrics.repeated(6);
        metrics.open_requests(8);
        metrics.made(Scheme::Ecdsa, 2);
        metrics.refused("policy", 2);
        metrics.depth(Scheme::Ed25519, 77);
        metrics.lost_swaps(1);
        metrics.opened(5);
        metrics.redelivered(4);
        metrics.outbox(9);
        metrics.runs(2, Duration::from_millis(1500));
        metrics.rate(12.5);
        let text = metrics.text();
        for line in [
            "custody_signatures_total{scheme=\"ed25519\"} 1",
            "custody_signatures_total{scheme=\"ecdsa\"} 2",
            "custody_refusals_total{reason=\"policy\"} 2",
            "custody_pool_depth{scheme=\"ed25519\"} 77",
            "custody_lost_swaps_total 1",
            "custody_opens_total 5",
            "custody_redeliveries_total 4",
            "custody_orders_repeated_total 6",
            "custody_open_requests 8",
            "custody_outbox_messages 9",
            "custody_open_runs 2",
            "custody_oldest_run_seconds 1.5",
            "custody_signatures_per_second 12.5",
            "custody_request_seconds_count 1",
            "custody_request_seconds_bucket{le=\"0.002\"} 0",
            "custody_request_seconds_bucket{le=\"0.005\"} 1",
        ] {
            assert!(text.lines().any(|of| of == line), "{line} is missing in\n{text}");
        }
        assert!(text.ends_with("# EOF\n"));
        let resident =
            text.lines().find_map(|line| line.strip_prefix("custody_process_resident_bytes "));
        assert!(resident.unwrap().parse::<u64>().unwrap() > 1 << 20);
    }
}
