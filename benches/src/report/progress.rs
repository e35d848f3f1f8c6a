//! Progress while a report runs, on standard error.

use core::time::Duration;
use std::time::Instant;

use quorate_bignum::Engine;

use crate::bignum::{Contender, Op, measure};

/// Microseconds that a power of 2048 bits took on the machine that the costs in the plans are of.
const NOMINAL_US: f64 = 800.0;

/// A piece of a plan.
#[derive(Clone, Debug)]
pub struct Job {
    /// What is measured.
    pub label: String,
    /// Seconds that it takes, roughly, on a machine with AVX-512 IFMA.
    pub cost: f64,
}

/// How far a run has come.
pub struct Progress {
    started: Instant,
    total: f64,
    done: f64,
    count: usize,
    at: usize,
    /// This machine's seconds for one of the plan's, before anything was measured.
    scale: f64,
    quiet: bool,
}

impl Progress {
    /// Starts, with all that is to be done.
    #[must_use]
    pub fn new(jobs: &[Job], quiet: bool) -> Self {
        let scale = if quiet { 1.0 } else { scale() };
        let total = jobs.iter().map(|job| job.cost).sum();
        Self { started: Instant::now(), total, done: 0.0, count: jobs.len(), at: 0, scale, quiet }
    }

    /// A sentence on the whole, before it starts.
    #[must_use]
    pub fn announcement(&self) -> String {
        format!(
            "{} measurements, about {} on this machine",
            self.count,
            readable(self.total * self.scale)
        )
    }

    /// Seconds left: what has been done corrects the estimate, the more of it there is.
    fn left(&self, gone: f64) -> f64 {
        let seen = if self.done > 0.0 { gone / self.done } else { self.scale };
        let trust = (self.done / self.total.max(1e-9)).clamp(0.0, 1.0).sqrt();
        (self.total - self.done).max(0.0) * (trust * seen + (1.0 - trust) * self.scale)
    }

    /// A job begins.
    pub fn begin(&mut self, job: &Job) {
        self.at += 1;
        if !self.quiet {
            let gone = self.started.elapsed().as_secs_f64();
            let (at, count) = (self.at, self.count);
            let (gone, left) = (readable(gone), readable(self.left(gone)));
            eprintln!("[{at:>3}/{count}] {gone:>7} gone, {left:>7} left  {}", job.label);
        }
    }

    /// A job has ended.
    pub fn end(&mut self, job: &Job) {
        self.done += job.cost;
    }

    /// The time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// This machine beside the one that the costs are of.
fn scale() -> f64 {
    let ours = [Contender::Engine(Engine::detect())];
    let lines = measure(Op::Modexp, 2048, &ours, 3);
    lines.first().map_or(1.0, |line| (line.us / NOMINAL_US).max(0.2))
}

/// A length of time as one says it.
#[must_use]
pub(super) fn readable(seconds: f64) -> String {
    match seconds {
        _ if seconds < 100.0 => format!("{seconds:.0} s"),
        _ if seconds < 6000.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_corrects_the_estimate() {
        let job = |cost| Job { label: String::new(), cost };
        let jobs = [job(50.0), job(50.0)];
        let mut progress = Progress::new(&jobs, true);
        assert!((progress.left(0.0) - 100.0).abs() < 1e-9);
        progress.begin(&jobs[0]);
        progress.end(&jobs[0]);
        // It took twice as long as planned: more than 50 s are left, at most 100.
        let left = progress.left(100.0);
        assert!(left > 50.0 && left <= 100.0, "{left}");
        assert_eq!(
            progress.announcement(),
            "2 measurements, about 100 s on this machine".replace("100 s", "2 min")
        );
    }

    #[test]
    fn lengths_of_time() {
        assert_eq!([readable(3.2), readable(600.0), readable(9000.0)], ["3 s", "10 min", "2.5 h"]);
    }
}
