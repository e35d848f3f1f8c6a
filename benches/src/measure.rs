//! Medians of samples that are long enough for the clock.

use core::time::Duration;

use crate::{Meter, Routine};

/// Samples per step unless the command line says otherwise.
pub const SAMPLES: usize = 11;

/// A sample takes at least this long.
const SAMPLE: Duration = Duration::from_millis(2);

/// The time that this thread has run, where the system tells it, and otherwise the time that has passed. Only
/// differences have a meaning.
#[cfg(target_os = "linux")]
pub(crate) fn now() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::ThreadCPUTime).try_into().expect("a clock that counts up from zero")
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn now() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

/// A meter of time: CPU time of the thread on Linux, elsewhere the time on the clock.
#[derive(Default)]
pub struct Stopwatch {
    total: Duration,
    started: Option<Duration>,
}

impl Stopwatch {
    /// The time between all starts and stops so far.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.total
    }
}

impl Meter for Stopwatch {
    fn start(&mut self) {
        self.started = Some(now());
    }

    fn stop(&mut self) {
        if let Some(started) = self.started.take() {
            self.total += now().saturating_sub(started);
        }
    }
}

/// A routine and how many iterations make one sample of it.
pub struct Plan<'a> {
    routine: Routine<'a>,
    iterations: u64,
}

impl<'a> Plan<'a> {
    /// Finds the number of iterations that last at least 2 ms; this also warms everything up.
    #[must_use]
    pub fn new(mut routine: Routine<'a>) -> Self {
        let mut iterations = 1u64;
        loop {
            let took = run(&mut routine, iterations);
            if took >= SAMPLE {
                return Self { routine, iterations };
            }
            // Aim a fifth above the target, but never trust one short reading for more than a factor of ten.
            let wanted = 1.2 * SAMPLE.as_secs_f64() / took.as_secs_f64().max(1e-9);
            iterations = scaled(iterations, wanted.clamp(1.25, 10.0));
        }
    }

    /// One sample: microseconds per iteration.
    pub fn sample(&mut self) -> f64 {
        let iterations = u32::try_from(self.iterations).map_or(f64::from(u32::MAX), f64::from);
        run(&mut self.routine, self.iterations).as_secs_f64() * 1e6 / iterations
    }

    /// The median of `samples` samples.
    pub fn median(&mut self, samples: usize) -> f64 {
        median((0..samples).map(|_| self.sample()).collect())
    }
}

fn run(routine: &mut Routine<'_>, iterations: u64) -> Duration {
    let mut stopwatch = Stopwatch::default();
    routine.run(iterations, &mut stopwatch);
    stopwatch.total()
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a count of iterations that need not be exact"
)]
fn scaled(iterations: u64, factor: f64) -> u64 {
    (iterations as f64 * factor).ceil().min(f64::from(u32::MAX)) as u64
}

/// Samples two routines in turn, so that what slows the machine for a while slows both, and returns the
/// median time of each in microseconds and the median of the ratios first/second within a pair.
#[must_use]
pub fn pair(first: Routine<'_>, second: Routine<'_>, samples: usize) -> (f64, f64, f64) {
    let (mut first, mut second) = (Plan::new(first), Plan::new(second));
    let pairs: Vec<(f64, f64)> = (0..samples).map(|_| (first.sample(), second.sample())).collect();
    (
        median(pairs.iter().map(|pair| pair.0).collect()),
        median(pairs.iter().map(|pair| pair.1).collect()),
        median(pairs.iter().map(|pair| pair.0 / pair.1).collect()),
    )
}

/// The median; of an even number of samples the mean of the middle two.
#[must_use]
pub fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    let middle = samples.len() / 2;
    match (samples.len() % 2, samples.get(middle.saturating_sub(1)), samples.get(middle)) {
        (0, Some(below), Some(above)) => f64::midpoint(*below, *above),
        (_, _, Some(middle)) => *middle,
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < 1e-12);
        assert!((median(vec![4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < 1e-12);
        assert!(median(Vec::new()).is_nan());
    }

    #[test]
    fn a_sample_lasts_long_enough() {
        let mut count = 0u64;
        let mut plan = Plan::new(Routine::consume(|| (), |()| count += 1));
        let iterations = plan.iterations;
        assert!(plan.sample() > 0.0);
        drop(plan);
        assert!(count >= 2 * iterations);
    }
}
