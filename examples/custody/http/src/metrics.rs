//! Metrics of the interface.

use core::time::Duration;

use axum::http::{Method, StatusCode};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// The upper bounds of the buckets of times, in seconds.
const BOUNDS: [f64; 12] = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0, 20.0, 60.0];

/// Metrics of the interface. Copies count together.
#[derive(Clone, Debug)]
pub struct Metrics {
    requests: Family<Request, Counter>,
    seconds: Histogram,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct Request {
    method: &'static str,
    status: u16,
}

impl Metrics {
    /// Metrics that are in the registry.
    pub fn new(registry: &mut Registry) -> Self {
        let metrics = Self { requests: Family::default(), seconds: Histogram::new(BOUNDS) };
        let registry = registry.sub_registry_with_prefix("custody_http");
        registry.register(
            "requests",
            "Requests, by method and status of the response",
            metrics.requests.clone(),
        );
        registry.register(
            "seconds",
            "Seconds from the head of a request to its response",
            metrics.seconds.clone(),
        );
        metrics
    }

    pub(crate) fn served(&self, method: &Method, status: StatusCode, elapsed: Duration) {
        // A stranger may invent methods, and each would be a series.
        let method = match *method {
            Method::GET => "GET",
            Method::POST => "POST",
            _ => "other",
        };
        self.requests.get_or_create(&Request { method, status: status.as_u16() }).inc();
        self.seconds.observe(elapsed.as_secs_f64());
    }
}
