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
    /// The name of the measurement.
    pub label: String,
    /// Seconds that it takes, roughly, on a machine with AVX-512 IFMA.
    pub cost: f64,
}

/// How far a run has come.
pub struct Progress {
    started: Instant,
    total: f64,
    done: f64,
    /// Of each job, in their order.
    costs: Vec<f64>,
    count: usize,
    at: usize,
    /// This machine's seconds for one of the plan's, before anything was measured.
    scale: f64,
    quiet: bool,
    /// Seconds after which nothing large is begun.
    limit: Option<f64>,
}

/// A job that costs less is never left out.
const SMALL: f64 = 3.0;

impl Progress {
    /// Starts, with all that is to be done.
    #[must_use]
    pub fn new(jobs: &[Job], quiet: bool, limit: Option<f64>) -> Self {
        let scale = if quiet { 1.0 } else { scale() };
        let total = jobs.iter().map(|job| job.cost).sum();
        let costs = jobs.iter().map(|job| job.cost).collect();
        Self {
            started: Instant::now(),
            total,
            done: 0.0,
            costs,
            count: jobs.len(),
            at: 0,
            scale,
            quiet,
            limit,
        }
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

    /// Whether a job is left out, because with it the run would not end in time. The reader sees a dash.
    pub fn leaves_out(&mut self, job: &Job) -> bool {
        let gone = self.started.elapsed().as_secs_f64();
        let out = self.limit.is_some_and(|limit| job.cost >= self.too_large(gone, limit));
        if out {
            self.costs.remove(self.at);
            self.count -= 1;
            self.total -= job.cost;
            if !self.quiet {
                eprintln!("left out, or the run would take too long: {}", job.label);
            }
        }
        out
    }

    /// The cost from which on jobs must go, the largest first, so that the rest ends in time.
    fn too_large(&self, gone: f64, limit: f64) -> f64 {
        let left = self.left(gone);
        let mut over = (gone + left - limit) / left.max(1e-9) * (self.total - self.done);
        let mut costs: Vec<f64> = self.costs.iter().skip(self.at).copied().collect();
        costs.sort_by(f64::total_cmp);
        let mut from = f64::INFINITY;
        while let Some(cost) = costs.pop().filter(|cost| over > 0.0 && *cost > SMALL) {
            over -= cost;
            from = cost;
        }
        from
    }

    /// A job was done before.
    pub fn had(&mut self, job: &Job) {
        self.costs.remove(self.at);
        self.count -= 1;
        self.total -= job.cost;
        if !self.quiet {
            eprintln!("measured before: {}", job.label);
        }
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
        let mut progress = Progress::new(&jobs, true, None);
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
    fn what_would_take_too_long_is_left_out() {
        let job = |cost| Job { label: String::new(), cost };
        let jobs = [job(2.0), job(50.0), job(100.0), job(4.0)];
        let mut progress = Progress::new(&jobs, true, Some(60.0));
        let mut left_out = Vec::new();
        for one in &jobs {
            left_out.push(progress.leaves_out(one));
            if left_out.last() == Some(&false) {
                progress.begin(one);
            }
        }
        // The largest goes, and then the rest is in time.
        assert_eq!(left_out, [false, false, true, false]);
        assert!(!Progress::new(&jobs, true, None).leaves_out(&jobs[1]));
    }

    #[test]
    fn lengths_of_time() {
        assert_eq!([readable(3.2), readable(600.0), readable(9000.0)], ["3 s", "10 min", "2.5 h"]);
    }
}
