//! Runs of threshold ECDSA as figures: every library of a run in turns.

use quorate_bignum::Engine;

use super::figure::{Figure, Middle, Unit};
use super::run::Peers;
use crate::ecdsa::{EcdsaLibrary, EcdsaStep, Lane, QuorateEcdsa, Setup, race_timed};

/// Every library at one setup.
pub(super) struct Lanes {
    setup: Setup,
    lanes: Vec<Lane>,
}

impl Lanes {
    /// Quorate, and the peers if they take part.
    pub(super) fn new(setup: Setup, peers: Option<&Peers>) -> Self {
        let ours = QuorateEcdsa(Engine::detect());
        let libraries = core::iter::once(&ours as &dyn EcdsaLibrary)
            .chain(peers.into_iter().flat_map(|peers| peers.ecdsa.iter().map(|peer| &**peer)));
        let lanes = libraries
            .filter_map(|library| Some(Lane::new(library.name(), library.fixture(setup)?)))
            .collect();
        Self { setup, lanes }
    }

    /// Milliseconds per party of each round of ours: the samples of the first round, of the second, and so on.
    pub(super) fn rounds(&mut self, step: EcdsaStep, runs: usize) -> Vec<Vec<f64>> {
        let mut ours: Vec<&mut Lane> = self.lanes.iter_mut().take(1).collect();
        race_timed(&mut ours, self.setup, step, runs, || ());
        ours.first().map(|lane| lane.by_round()).unwrap_or_default()
    }

    /// Races all that have the step; times per party and result.
    pub(super) fn run(&mut self, prefix: &str, step: EcdsaStep, runs: usize) -> Vec<Figure> {
        let setup = self.setup;
        // A peer that searches for its primes takes minutes.
        let mut racers: Vec<&mut Lane> = self
            .lanes
            .iter_mut()
            .filter(|lane| {
                lane.fixture.has(step) && (!step.searches() || lane.library == "quorate")
            })
            .collect();
        race_timed(&mut racers, setup, step, runs, || ());
        let figure = |lane: &&mut Lane| Figure {
            name: format!("{prefix}/{}-of-{}/{}", setup.t, setup.n, step.name()),
            who: lane.library.clone(),
            engine: engine(&lane.library),
            level: format!("{} bits", setup.level.modulus_bits()),
            unit: Unit::Micros,
            by: if step.searches() { Middle::Mean } else { Middle::Median },
            samples: lane.totals().iter().map(|ms| ms * 1e3).collect(),
        };
        racers.iter().map(figure).collect()
    }
}

/// The engine of a library's big numbers, where it is ours.
fn engine(library: &str) -> String {
    if library == "quorate" { Engine::detect().name().to_owned() } else { String::new() }
}
