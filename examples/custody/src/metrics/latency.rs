//! Latencies of requests: a histogram for Prometheus, and the same one for the status page.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use core::time::Duration;

use prometheus_client::metrics::histogram::Histogram;

/// The upper bounds of the buckets, in seconds. What takes longer falls into one more.
pub const BOUNDS: [f64; 16] =
    [0.001, 0.002, 0.005, 0.01, 0.02, 0.035, 0.05, 0.1, 0.2, 0.35, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0];

/// How long requests took. Prometheus's own histogram shows its buckets to nobody else.
#[derive(Debug)]
pub struct Latencies {
    histogram: Histogram,
    buckets: [AtomicU64; BOUNDS.len() + 1],
}

impl Latencies {
    pub(super) fn new() -> Self {
        Self { histogram: Histogram::new(BOUNDS), buckets: [const { AtomicU64::new(0) }; 17] }
    }

    pub(super) fn histogram(&self) -> Histogram {
        self.histogram.clone()
    }

    pub(super) fn observe(&self, time: Duration) {
        let seconds = time.as_secs_f64();
        self.histogram.observe(seconds);
        let at = BOUNDS.iter().position(|bound| seconds <= *bound).unwrap_or(BOUNDS.len());
        if let Some(bucket) = self.buckets.get(at) {
            bucket.fetch_add(1, Relaxed);
        }
    }

    /// The number of requests in each bucket; the last has those beyond all bounds.
    #[must_use]
    pub fn buckets(&self) -> Vec<u64> {
        self.buckets.iter().map(|bucket| bucket.load(Relaxed)).collect()
    }

    /// The bound below which a share of all requests lie, in seconds; `None` before the first request, infinite if they
    /// lie beyond all bounds.
    #[must_use]
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let buckets = self.buckets();
        let all: u64 = buckets.iter().sum();
        let mut so_far = 0;
        let enough = |so_far: u64| as_float(so_far) >= share * as_float(all);
        let at = buckets.iter().position(|count| {
            so_far += count;
            all > 0 && enough(so_far)
        })?;
        Some(BOUNDS.get(at).copied().unwrap_or(f64::INFINITY))
    }
}

/// A count for a plot. One beyond 2^53 is rounded.
const fn as_float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_and_quantiles() {
        let all = Latencies::new();
        assert_eq!(all.quantile(0.5), None);
        (0..90).for_each(|_| all.observe(Duration::from_millis(2)));
        (0..9).for_each(|_| all.observe(Duration::from_millis(90)));
        all.observe(Duration::from_secs(40));
        let buckets = all.buckets();
        assert_eq!((buckets[1], buckets[7], buckets[16]), (90, 9, 1));
        assert_eq!(buckets.iter().sum::<u64>(), 100);
        assert_eq!(all.quantile(0.5), Some(0.002));
        assert_eq!(all.quantile(0.99), Some(0.1));
        assert_eq!(all.quantile(1.0), Some(f64::INFINITY));
    }
}
