//! Progress while a report runs, on standard error.

use std::collections::VecDeque;
use std::time::Instant;

use quorate_bignum::Engine;

use crate::bignum::{Contender, Op, measure};

/// Microseconds that a power of 2048 bits took on the machine that the costs in the plans are of.
const NOMINAL_US: f64 = 800.0;

/// A piece of a plan.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub label: String,
    /// Seconds that it takes, roughly, on a machine with AVX-512 IFMA.
    pub cost: f64,
}

/// How far a run has come.
pub(super) struct RunProgress {
    started: Instant,
    /// Costs of the jobs that are not begun, in their order, and of those that have ended.
    costs: VecDeque<f64>,
    done: f64,
    begun: usize,
    /// This machine's seconds for one of the plan's, before anything was measured.
    scale: f64,
    quiet: bool,
    /// Seconds after which nothing large is begun.
    limit: Option<f64>,
}

/// A job that costs less is never left out.
const SMALL: f64 = 3.0;

impl RunProgress {
    /// Starts, with all that is to be done.
    pub(super) fn new(jobs: &[Job], quiet: bool, limit: Option<f64>) -> Self {
        let scale = if quiet { 1.0 } else { scale() };
        let costs = jobs.iter().map(|job| job.cost).collect();
        Self { started: Instant::now(), costs, done: 0.0, begun: 0, scale, quiet, limit }
    }

    /// A sentence on the whole, before it starts.
    pub(super) fn announcement(&self) -> String {
        let time = readable(self.open() * self.scale);
        format!("{} measurements, about {time} on this machine", self.costs.len())
    }

    /// Tells the reader, unless the run is quiet.
    pub(super) fn say(&self, text: &str) {
        if !self.quiet {
            eprintln!("{text}");
        }
    }

    /// The cost of all that is not begun, as it was planned.
    fn open(&self) -> f64 {
        self.costs.iter().sum()
    }

    /// Seconds left: what has been done corrects the estimate, the more of it there is.
    fn left(&self, gone: f64) -> f64 {
        let seen = if self.done > 0.0 { gone / self.done } else { self.scale };
        let trust = (self.done / (self.done + self.open()).max(1e-9)).clamp(0.0, 1.0).sqrt();
        self.open() * (trust * seen + (1.0 - trust) * self.scale)
    }

    /// Returns whether a job is left out, because the run would not end in time with it. The reader sees a dash.
    pub(super) fn leaves_out(&mut self, job: &Job) -> bool {
        let gone = self.started.elapsed().as_secs_f64();
        let out = self.limit.is_some_and(|limit| job.cost >= self.too_large(gone, limit));
        if out {
            self.costs.pop_front();
            self.say(&format!("left out, or the run would take too long: {}", job.label));
        }
        out
    }

    /// The smallest cost of the jobs that have to be left out, the largest first, for the rest to end in time.
    fn too_large(&self, gone: f64, limit: f64) -> f64 {
        let left = self.left(gone);
        let mut over = (gone + left - limit) / left.max(1e-9) * self.open();
        let mut costs: Vec<f64> = self.costs.iter().copied().collect();
        costs.sort_by(f64::total_cmp);
        let mut from = f64::INFINITY;
        while let Some(cost) = costs.pop().filter(|cost| over > 0.0 && *cost > SMALL) {
            over -= cost;
            from = cost;
        }
        from
    }

    /// A job was done before.
    pub(super) fn had(&mut self, job: &Job) {
        self.costs.pop_front();
        self.say(&format!("measured before: {}", job.label));
    }

    /// A job begins.
    pub(super) fn begin(&mut self, job: &Job) {
        let gone = self.started.elapsed().as_secs_f64();
        let (at, count) = (self.begun + 1, self.begun + self.costs.len());
        let (gone, left) = (readable(gone), readable(self.left(gone)));
        self.say(&format!("[{at:>3}/{count}] {gone:>7} gone, {left:>7} left  {}", job.label));
        self.costs.pop_front();
        self.begun += 1;
    }

    /// A job has ended.
    pub(super) fn end(&mut self, job: &Job) {
        self.done += job.cost;
    }
}

/// This machine beside the one that the costs are of.
fn scale() -> f64 {
    let ours = [Contender::Engine(Engine::detect())];
    let lines = measure(Op::Modexp, 2048, &ours, 3);
    lines.first().map_or(1.0, |line| (line.us / NOMINAL_US).max(0.2))
}

/// A length of time as one says it.
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
        let mut progress = RunProgress::new(&jobs, true, None);
        assert_eq!(progress.announcement(), "2 measurements, about 2 min on this machine");
        assert!((progress.left(0.0) - 100.0).abs() < 1e-9);
        progress.begin(&jobs[0]);
        progress.end(&jobs[0]);
        // It took twice as long as planned: more than 50 s are left, at most 100.
        let left = progress.left(100.0);
        assert!(left > 50.0 && left <= 100.0, "{left}");
    }

    #[test]
    fn what_would_take_too_long_is_left_out() {
        let job = |cost| Job { label: String::new(), cost };
        let jobs = [job(2.0), job(50.0), job(100.0), job(4.0)];
        let mut progress = RunProgress::new(&jobs, true, Some(60.0));
        let mut left_out = Vec::new();
        for one in &jobs {
            left_out.push(progress.leaves_out(one));
            if left_out.last() == Some(&false) {
                progress.begin(one);
            }
        }
        // The largest goes, and then the rest is in time.
        assert_eq!(left_out, [false, false, true, false]);
        assert!(!RunProgress::new(&jobs, true, None).leaves_out(&jobs[1]));
    }

    #[test]
    fn lengths_of_time() {
        assert_eq!([readable(3.2), readable(600.0), readable(9000.0)], ["3 s", "10 min", "2.5 h"]);
    }
}
