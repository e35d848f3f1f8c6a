//! A step that is ready to run.

use core::hint::black_box;

/// Consumed inputs are made this many at a time, so that many iterations need little memory.
const CHUNK: u64 = 32;

/// A listener that is told when the measured part of a routine begins and ends.
pub trait Meter {
    /// The measured part begins, or goes on after a pause in which inputs were made.
    fn start(&mut self);
    /// The measured part pauses or ends.
    fn stop(&mut self);

    /// Measures a piece of work from its beginning to its end.
    fn measure<T>(&mut self, work: impl FnOnce() -> T) -> T
    where
        Self: Sized,
    {
        self.start();
        let made = work();
        self.stop();
        made
    }
}

/// Runs a step a number of times under a meter.
type Run<'a> = dyn FnMut(u64, &mut dyn Meter) + 'a;

/// A step with its inputs, run any number of times.
pub struct Routine<'a>(Box<Run<'a>>);

impl<'a> Routine<'a> {
    /// A step that borrows its inputs. Its output is dropped under the meter.
    pub fn repeat<O>(mut step: impl FnMut() -> O + 'a) -> Self {
        Self(Box::new(move |iterations, meter| {
            meter.start();
            for _ in 0..iterations {
                drop(black_box(step()));
            }
            meter.stop();
        }))
    }

    /// A step that consumes an input, which `input` makes outside the meter.
    pub fn consume<I, O>(
        mut input: impl FnMut() -> I + 'a,
        mut step: impl FnMut(I) -> O + 'a,
    ) -> Self {
        Self(Box::new(move |iterations, meter| {
            let mut left = iterations;
            while left > 0 {
                let now = left.min(CHUNK);
                let inputs: Vec<I> = (0..now).map(|_| input()).collect();
                meter.start();
                for input in inputs {
                    drop(black_box(step(black_box(input))));
                }
                meter.stop();
                left -= now;
            }
        }))
    }

    /// Runs the step `iterations` times under `meter`.
    pub fn run(&mut self, iterations: u64, meter: &mut dyn Meter) {
        (self.0)(iterations, meter);
    }
}
