//! The trait of a library that is measured.

use chacha20::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::{Operation, Routine, Size, Suite};

/// The message of every signature: the one that the benches of frost-core sign.
pub const MESSAGE: &[u8] = b"message to sign";

/// The generator that fixtures and steps draw from, the same for every library. Each `purpose` has a stream
/// of its own.
#[must_use]
pub fn generator(purpose: u8) -> ChaCha20Rng {
    ChaCha20Rng::from_seed([purpose; 32])
}

/// A library under measurement.
pub trait Library {
    /// The library's name in the output.
    fn name(&self) -> &'static str;

    /// An empty fixture for one suite and size; `None` for a suite that the library does not have.
    fn fixture(&self, suite: Suite, size: Size) -> Option<Box<dyn Fixture>>;
}

/// Keys, packages and shares of one suite and size, made when a step first needs them.
pub trait Fixture {
    /// The step, ready to run. Setting up may take much longer than the step.
    fn routine(&self, step: Operation) -> Routine<'_>;
}

/// The places, counted from zero, of the wrong shares of [`Operation::AggregateOneBad`]: the middle one.
#[must_use]
pub fn one_bad(size: Size) -> Vec<usize> {
    vec![usize::from(size.t / 2)]
}

/// The places, counted from zero, of the wrong shares of [`Operation::AggregateHalfBad`]: every other one, from
/// the second.
#[must_use]
pub fn half_bad(size: Size) -> Vec<usize> {
    (1..usize::from(size.t)).step_by(2).collect()
}
