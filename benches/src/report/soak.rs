//! A run of minutes or hours: whether the rate falls, and whether the heap grows; then more requests than can be served.

mod stress;

use core::time::Duration;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};

use stress::NODES;
pub use stress::{QUEUE, Stress, stress};

use super::committee::{Committee, quorum};
use super::figure::Unit;
use super::machine::{Machine, Watch};
use super::published;
use super::section::{Grid, Kind, Row};
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
        let last = self.intervals.len().saturating_sub(tenth);
        1.0 - mean(&self.intervals[last..]) / mean(&self.intervals[..tenth])
    }

    /// Signatures a second of CPU.
    #[must_use]
    pub fn rate(&self) -> f64 {
        mean(&self.intervals)
    }
}

fn mean(part: &[Interval]) -> f64 {
    part.iter().map(|one| one.rate).sum::<f64>() / part.iter().map(|_| 1.0).sum::<f64>()
}

/// The figures of a soak and of the stress after it, as a page shows them.
#[derive(Clone, Debug, PartialEq)]
pub struct Soaked {
    /// Its length.
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
    pub fn run(length: Duration, intervals: u32, tell: impl FnMut(u32, &Interval)) -> Self {
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

    fn json(&self) -> Value {
        json!({
            "minutes": self.minutes, "signatures": self.signatures, "rate": self.rate, "lost": self.lost,
            "heap": self.heap, "stress": self.stress.json(), "machine": self.machine,
        })
    }

    /// Reads what `report soak` wrote.
    ///
    /// # Errors
    /// A sentence on what is missing.
    pub fn read(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|why| why.to_string())?;
        let number = |field: &str| value[field].as_f64().ok_or_else(|| format!("no {field}"));
        let bytes = |at: usize| {
            let bytes = value["heap"][at].as_i64().ok_or("no heap")?;
            isize::try_from(bytes).map_err(|why| why.to_string())
        };
        Ok(Self {
            minutes: number("minutes")?,
            signatures: value["signatures"].as_u64().ok_or("no signatures")?,
            rate: number("rate")?,
            lost: number("lost")?,
            heap: [bytes(0)?, bytes(1)?],
            stress: Stress::read(&value["stress"]).ok_or("no stress")?,
            machine: value["machine"].as_str().ok_or("no machine")?.to_owned(),
        })
    }

    fn cells(&self) -> Vec<String> {
        #[allow(clippy::cast_precision_loss, reason = "sizes in memory")]
        let [start, end] = self.heap.map(|bytes| Unit::Bytes.show(bytes as f64));
        let length = if self.minutes < 1.0 {
            format!("{:.1} s", self.minutes * 60.0)
        } else {
            format!("{:.0} min", self.minutes)
        };
        vec![
            format!("{:+.1} % lost in {length}, {:.0} /s", self.lost * 100.0, self.rate),
            format!("{start}, then {end}"),
            self.stress.sentence(),
        ]
    }

    /// The last lines of the command.
    #[must_use]
    pub fn summary(&self) -> String {
        let [lost, heap, stress] = <[String; 3]>::try_from(self.cells()).unwrap_or_default();
        format!(
            "{} signatures of {} of {NODES} nodes: {lost}; heap {heap}; {stress}\n\
             published (i5-6500, 12 hours): Ed25519 less than 2.5 % lost; Dilithium 7.5 % more memory, then a restart\n\
             {}\n",
            self.signatures,
            quorum(NODES),
            self.machine,
        )
    }

    /// The table of the page.
    pub(super) fn table(&self) -> Grid {
        let label = format!("threshold Ed25519, {} of {NODES} nodes, one thread", quorum(NODES));
        let mut rows = vec![Row::new(Kind::Ours, label, self.cells())];
        rows.extend(published::TENDERMINT_SOAK.into_iter().map(|(name, cells)| {
            let label = format!("published, {name} ({})", published::TENDERMINT.hardware);
            Row::new(Kind::Published, label, cells.map(str::to_owned).into())
        }));
        Grid {
            id: "table-tendermint-soak".to_owned(),
            caption: format!("Soak and stress. Ours on: {}", self.machine),
            head: ["key", "rate", "heap", "stress"].map(str::to_owned).into(),
            rows,
        }
    }
}

/// Reads the file of a soak.
///
/// # Errors
/// A sentence on what is wrong, with the path.
pub(super) fn soaked(path: &Path) -> io::Result<Soaked> {
    let named = |why: String| io::Error::other(format!("{}: {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|why| named(why.to_string()))?;
    Soaked::read(&text).map_err(named)
}

/// The command: tells of sixty intervals, and writes `soak.json`.
///
/// # Errors
/// If that cannot be written.
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
    fs::write(&path, format!("{:#}\n", soaked.json()))?;
    Ok(format!("{}{}\n", soaked.summary(), path.display()))
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
    }

    #[test]
    fn a_short_run_is_whole_and_is_read_back() {
        let mut told = 0;
        let one = Soaked::run(Duration::from_millis(40), 4, |at, _| told = at);
        assert!(told == 4 && one.signatures >= 4 && one.rate > 0.0, "{one:?}");
        assert_eq!(Soaked::read(&one.json().to_string()), Ok(one.clone()));
        assert!(one.summary().contains("of 4 nodes") && one.summary().contains("174 %"));
        assert_eq!(one.table().rows.len(), 3);
        assert!(Soaked::read("{}").is_err());
    }
}
