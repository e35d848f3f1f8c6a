//! The last ten minutes, second by second, for the plots of the status page.

use std::collections::VecDeque;
use std::sync::Mutex;

use super::Metrics;
use crate::gateway::ask::Snapshot;
use crate::request::Scheme;

/// How far back it goes, in seconds.
pub const SECONDS: usize = 600;

/// The mean of the rate is over so many seconds.
const RATE: usize = 10;

/// One second.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sample {
    /// The signatures so far, in the order of [`Scheme::ALL`].
    pub signed: [u64; 2],
    /// What is left to sign with, in the same order.
    pub left: [u64; 2],
}

impl Sample {
    /// What a gateway says now.
    #[must_use]
    pub fn of(snapshot: &Snapshot) -> Self {
        let left = Scheme::ALL.map(|scheme| {
            let keys = snapshot.keys.iter().filter(|key| key.scheme == scheme);
            keys.map(|key| u64::try_from(key.stock).unwrap_or(u64::MAX)).sum()
        });
        Self { signed: snapshot.signed, left }
    }

    fn all(&self) -> u64 {
        self.signed.iter().sum()
    }
}

/// Samples, the oldest first, never more than [`SECONDS`] and the one before them.
#[derive(Default, Debug)]
pub struct History(Mutex<VecDeque<Sample>>);

impl History {
    /// Adds the sample of a second, and tells the metrics the mean rate of the last ten.
    pub fn add(&self, sample: Sample, metrics: &Metrics) {
        let Ok(mut samples) = self.0.lock() else { return };
        samples.push_back(sample);
        while samples.len() > SECONDS + 1 {
            samples.pop_front();
        }
        let before = samples.len().saturating_sub(RATE + 1);
        let seconds = samples.len().saturating_sub(before + 1);
        let first = samples.get(before).map_or(0, Sample::all);
        let made = u32::try_from(sample.all().saturating_sub(first)).unwrap_or(u32::MAX);
        if let Ok(seconds @ 1..) = u32::try_from(seconds) {
            metrics.rate(f64::from(made) / f64::from(seconds));
        }
    }

    /// All samples, the oldest first.
    #[must_use]
    pub fn samples(&self) -> Vec<Sample> {
        self.0.lock().map(|samples| samples.iter().copied().collect()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_minutes_and_a_mean() {
        let (history, metrics) = (History::default(), Metrics::new());
        for second in 0..1000 {
            let signed = [2 * second, second];
            history.add(Sample { signed, left: [0, 0] }, &metrics);
        }
        let samples = history.samples();
        assert_eq!(samples.len(), SECONDS + 1);
        assert_eq!(samples.last().unwrap().signed, [1998, 999]);
        assert!(
            metrics.text().contains("custody_signatures_per_second 3.0\n"),
            "{}",
            metrics.text()
        );
    }
}
