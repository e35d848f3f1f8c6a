//! A run of minutes or hours: whether the rate falls, and whether the heap grows.

use core::time::Duration;
use std::time::Instant;

use super::committee::{Committee, quorum};
use super::machine::Watch;
use crate::ecdsa::Ledger;
use crate::{HeapMeter, Meter as _, Stopwatch};

/// The nodes of the committee, as in the published runs.
const NODES: u16 = 4;

/// An interval of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Signatures of the committee a second of CPU.
    pub rate: f64,
    /// Bytes on the heap at its end, of the committee and all that it left.
    pub heap: isize,
}

/// The result of a soak.
#[derive(Clone, Debug, PartialEq)]
pub struct Soak {
    /// Every interval.
    pub intervals: Vec<Interval>,
    /// Signatures in all.
    pub signatures: u64,
    /// Bytes on the heap before the first.
    pub start: isize,
}

/// Signs for this long, and calls `tell` after each of `intervals` intervals. Needs the counting allocator.
pub fn soak(length: Duration, intervals: u32, mut tell: impl FnMut(u32, &Interval)) -> Soak {
    let mut meter = HeapMeter::default();
    meter.start();
    let mut committee = Committee::new(quorum(NODES), NODES);
    // What is made once.
    let first = committee.sign(&mut Ledger::timing());
    assert!(committee.verify(&first), "an honest committee");
    let mut soak = Soak {
        intervals: Vec::with_capacity(intervals as usize),
        signatures: 0,
        start: HeapMeter::live(),
    };
    let started = Instant::now();
    for at in 1..=intervals {
        let until = length * at / intervals;
        let (mut stopwatch, mut count) = (Stopwatch::default(), 0u32);
        while started.elapsed() < until || count == 0 {
            stopwatch.start();
            core::hint::black_box(committee.sign(&mut Ledger::timing()));
            stopwatch.stop();
            count += 1;
        }
        let rate = f64::from(count) / stopwatch.total().as_secs_f64();
        let interval = Interval { rate, heap: HeapMeter::live() };
        soak.signatures += u64::from(count);
        soak.intervals.push(interval);
        tell(at, &interval);
    }
    meter.stop();
    soak
}

impl Soak {
    /// The part of the rate that is gone: the last tenth of the run beside the first.
    #[must_use]
    pub fn lost(&self) -> f64 {
        let tenth = self.intervals.len().div_ceil(10);
        let mean = |part: &[Interval]| {
            part.iter().map(|one| one.rate).sum::<f64>() / part.iter().map(|_| 1.0).sum::<f64>()
        };
        let last = self.intervals.len().saturating_sub(tenth);
        1.0 - mean(&self.intervals[last..]) / mean(&self.intervals[..tenth])
    }

    /// The last lines of a run.
    #[must_use]
    pub fn summary(&self) -> String {
        let end = self.intervals.last().map_or(self.start, |one| one.heap);
        format!(
            "{} signatures of {} of {NODES} nodes; {:+.1} % of the rate lost from the first tenth to the last; heap {} \
             bytes at the start, {end} at the end\n\
             published (i5-6500, 12 hours): Ed25519 less than 2.5 % lost; Dilithium 7.5 % more memory, then a restart\n",
            self.signatures,
            quorum(NODES),
            self.lost() * 100.0,
            self.start,
        )
    }
}

/// The command: tells of sixty intervals.
pub(super) fn command(minutes: f64) -> String {
    let watch = Watch::start();
    let length = Duration::from_secs_f64(minutes * 60.0);
    let soak = soak(length, 60, |at, interval| {
        eprintln!(
            "[{at:>2}/60] {:>8.0} signatures a second of CPU, {:>8} bytes on the heap",
            interval.rate, interval.heap
        );
    });
    format!("{}{}\n", soak.summary(), watch.seen().sentence())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_is_of_the_first_and_last_tenth() {
        let rates =
            (0..20).map(|at| Interval { rate: if at < 18 { 100.0 } else { 80.0 }, heap: 5 });
        let soak = Soak { intervals: rates.collect(), signatures: 1, start: 5 };
        assert!((soak.lost() - 0.2).abs() < 1e-9);
        assert!(soak.summary().contains("+20.0 % of the rate lost"));
    }

    #[test]
    fn a_short_run_has_all_its_intervals() {
        let mut told = 0;
        let soak = soak(Duration::from_millis(20), 4, |at, _| told = at);
        assert_eq!((told, soak.intervals.len()), (4, 4));
        assert!(soak.signatures >= 4 && soak.intervals.iter().all(|one| one.rate > 0.0));
    }
}
