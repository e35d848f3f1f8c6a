//! A run of minutes or hours: whether the rate falls, and whether the heap grows; then more requests than can be served.

mod stress;

use core::time::Duration;
use std::path::Path;
use std::time::Instant;
use std::{fs, io};

use serde::{Deserialize, Serialize};

use stress::NODES;
pub use stress::{QUEUE, Stress, stress};

use super::committee::{Committee, quorum};
use super::figure::{Unit, mean, real};
use super::machine::{Machine, Watch};
use super::section::{Grid, Kind};
use crate::ecdsa::Ledger;
use crate::{HeapMeter, Meter as _, Stopwatch};

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
            core::hint::black_box(stopwatch.measure(|| committee.sign(&mut Ledger::timing())));
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
    fn rates(&self) -> Vec<f64> {
        self.intervals.iter().map(|one| one.rate).collect()
    }

    /// The part of the rate that is gone: the last tenth of the run beside the first.
    #[must_use]
    pub fn lost(&self) -> f64 {
        let (rates, tenth) = (self.rates(), self.intervals.len().div_ceil(10));
        1.0 - mean(&rates[rates.len().saturating_sub(tenth)..]) / mean(&rates[..tenth])
    }

    /// Signatures a second of CPU.
    #[must_use]
    pub fn rate(&self) -> f64 {
        mean(&self.rates())
    }
}

/// The figures of a soak and of the stress after it, as a page shows them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Soaked {
    pub minutes: f64,
    /// Signatures in all.
    pub signatures: u64,
    /// Signatures a second of CPU.
    pub rate: f64,
    /// The part of the rate that is gone.
    pub lost: f64,
    /// Bytes on the heap at the start and at the end.
    pub heap: [isize; 2],
    /// More requests than can be served.
    pub stress: Stress,
    /// The machine, and whether it had other work.
    pub machine: String,
}

impl Soaked {
    /// Soaks for so long, then stresses for a tenth of that.
    pub(super) fn run(length: Duration, intervals: u32, tell: impl FnMut(u32, &Interval)) -> Self {
        let watch = Watch::start();
        let soak = soak(length, intervals, tell);
        let stress = stress(soak.rate(), length / 10);
        let machine = format!("{}. {}", Machine::here().line(), watch.seen().sentence());
        Self {
            minutes: length.as_secs_f64() / 60.0,
            signatures: soak.signatures,
            rate: soak.rate(),
            lost: soak.lost(),
            heap: [soak.start, soak.intervals.last().map_or(soak.start, |one| one.heap)],
            stress,
            machine,
        }
    }

    fn cells(&self) -> [String; 3] {
        let [start, end] = self.heap.map(|bytes| Unit::Bytes.show(real(bytes)));
        let length = if self.minutes < 1.0 {
            format!("{:.1} s", self.minutes * 60.0)
        } else {
            format!("{:.0} min", self.minutes)
        };
        [
            format!("{:+.1} % lost in {length}, {:.0} /s", self.lost * 100.0, self.rate),
            format!("{start}, then {end}"),
            self.stress.sentence(),
        ]
    }

    /// The last lines of the command.
    pub(super) fn summary(&self) -> String {
        let [lost, heap, stress] = self.cells();
        let (signatures, signers, machine) = (self.signatures, quorum(NODES), &self.machine);
        format!(
            "{signatures} signatures of {signers} of {NODES} nodes: {lost}; heap {heap}; {stress}\n\
             published (i5-6500, 12 hours): Ed25519 less than 2.5 % lost; Dilithium 7.5 % more memory, then a restart\n\
             {machine}\n"
        )
    }

    /// The table of the page.
    pub(super) fn table(&self) -> Grid {
        let caption = format!("Soak and stress. Ours on: {}", self.machine);
        let head = ["rate", "heap", "stress"];
        let mut grid = Grid::new(["table-tendermint-soak", &caption, "key"], head);
        let label = format!("threshold Ed25519, {} of {NODES} nodes, one thread", quorum(NODES));
        grid.row(Kind::Ours, label, self.cells());
        grid.cite("");
        grid
    }
}

/// The command: tells of sixty intervals, and writes `soak.json`.
pub(super) fn command(minutes: f64, folder: &Path) -> io::Result<String> {
    let length = Duration::from_secs_f64(minutes * 60.0);
    let soaked = Soaked::run(length, 60, |at, interval| {
        eprintln!(
            "[{at:>2}/60] {:>8.0} signatures a second of CPU, {:>8} bytes on the heap",
            interval.rate, interval.heap
        );
    });
    fs::create_dir_all(folder)?;
    let path = folder.join("soak.json");
    fs::write(&path, serde_json::to_string_pretty(&soaked)? + "\n")?;
    Ok(format!("{}{}\n", soaked.summary(), path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::files::from_json;

    #[test]
    fn what_is_lost_is_of_the_first_and_last_tenth() {
        let rates =
            (0..20).map(|at| Interval { rate: if at < 18 { 100.0 } else { 80.0 }, heap: 5 });
        let soak = Soak { intervals: rates.collect(), signatures: 1, start: 5 };
        assert!((soak.lost() - 0.2).abs() < 1e-9);
    }

    #[test]
    fn a_short_run_is_whole_and_is_read_back() {
        let mut told = 0;
        let one = Soaked::run(Duration::from_millis(40), 4, |at, _| told = at);
        assert!(told == 4 && one.signatures >= 4 && one.rate > 0.0, "{one:?}");
        let text = serde_json::to_string(&one).unwrap();
        assert_eq!(from_json(&text), Ok(one.clone()));
        assert!(one.summary().contains("of 4 nodes") && one.summary().contains("174 %"));
        assert_eq!(one.table().rows.len(), 3);
        assert!(from_json::<Soaked>("{}").is_err());
    }
}
