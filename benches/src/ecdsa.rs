//! Threshold ECDSA: whole protocols among parties that take turns in one process.

mod args;
mod ledger;
mod malice;
mod ours;
mod race;
mod report;
pub(crate) mod sessions;
mod step;
mod trace;

pub use args::EcdsaArgs;
pub use ledger::Ledger;
pub use malice::malice;
pub use ours::QuorateEcdsa;
pub(crate) use ours::find;
pub(crate) use race::parties;
pub use race::{Lane, race, race_timed};
pub use report::{Figures, print, print_floor, print_ratio};
pub use step::{EcdsaCurve, EcdsaStep, Level, Setup};
pub use trace::{Trace, Turn};

use crate::report::Floors;

/// A library of threshold ECDSA under measurement.
pub trait EcdsaLibrary {
    /// The library's name in the output.
    fn name(&self) -> String;

    /// An empty fixture, unless the library does not do that.
    fn fixture(&self, setup: Setup) -> Option<Box<dyn EcdsaFixture>>;
}

/// Parties of one library with what they have: keys, auxiliary information and presignatures, made when a
/// step first needs them.
pub trait EcdsaFixture {
    /// Returns whether the library has this step.
    fn has(&self, step: EcdsaStep) -> bool;

    /// How many results one run of a step has: its costs are divided by them.
    fn makes(&self, _step: EcdsaStep) -> u16 {
        1
    }

    /// Makes whatever the step needs and has no part in its costs.
    fn prepare(&mut self, step: EcdsaStep);

    /// Runs the step once, which has been prepared.
    ///
    /// # Panics
    /// If the protocol fails.
    fn run(&mut self, step: EcdsaStep, ledger: &mut Ledger);
}

/// Measures Quorate alone and prints what it takes.
pub fn report(args: &EcdsaArgs) {
    let library = QuorateEcdsa(args.engine);
    for &setup in &args.setups {
        let fixture = library.fixture(setup).expect("Quorate does it all");
        let mut lane = Lane::new(library.name(), fixture);
        let mut floors = args.floor.then(|| Floors::new(args.engine, setup));
        for step in args.steps() {
            race(&mut [&mut lane], setup, step, args.runs(step), || ());
            let figures = lane.figures(setup, step);
            print(args.json, &figures);
            if let Some(floors) = &mut floors {
                let us = floors.of(step, figures.runs, figures.ms * 1e3);
                print_floor(args.json, &figures, us / 1e3);
            }
        }
    }
}
