//! Runs of threshold ECDSA as figures: every library of a run in turns.

use quorate_bignum::Engine;

use super::ecdsa_floors::Floors;
use super::figure::{Figure, OURS, Unit};
use super::floor;
use super::run::Peers;
use crate::ecdsa::{
    EcdsaCurve, EcdsaLibrary, EcdsaStep, Lane, Level, QuorateEcdsa, Setup, race_timed,
};

/// The level of security of all runs.
pub(super) const LEVEL: &str = "2048 bits";

/// All of n parties, each of whom signs, with moduli of 2048 bits and k presignatures of a run in bulk.
pub(super) fn setup(n: u16, k: u16) -> Setup {
    Setup { curve: EcdsaCurve::Secp256k1, level: Level::Bits112, t: n, n, k }
}

/// Every library at one setup.
pub(super) struct Lanes {
    setup: Setup,
    lanes: Vec<Lane>,
    floors: Floors,
}

impl Lanes {
    /// Quorate, and the peers if they take part.
    pub(super) fn new(setup: Setup, peers: Option<&Peers>) -> Self {
        let ours = QuorateEcdsa(Engine::detect());
        let peers = peers.into_iter().flat_map(|peers| peers.ecdsa.iter().map(|peer| &**peer));
        let lanes = core::iter::once(&ours as &dyn EcdsaLibrary)
            .chain(peers)
            .filter_map(|library| Some(Lane::new(library.name(), library.fixture(setup)?)))
            .collect();
        Self { setup, lanes, floors: Floors::new(Engine::detect(), setup) }
    }

    /// The floor of each round of a step that was timed `runs` times, for a party and a result, in microseconds. `measured` is
    /// what each round took.
    pub(super) fn floors(&mut self, step: EcdsaStep, runs: usize, measured: &[f64]) -> Vec<f64> {
        self.floors.of_rounds(step, runs, measured)
    }

    /// The floor under this figure of a step, its operations, and the price of each.
    pub(super) fn floor(&mut self, figure: &Figure, step: EcdsaStep) -> Vec<Figure> {
        let (us, listed) = self.floors.listed(figure, step);
        let floor = floor::figure(&figure.name, OURS, &figure.engine, &figure.level, us);
        core::iter::once(floor).chain(listed).collect()
    }

    /// Milliseconds per party of each round of ours: the samples of the first round, of the second, and so on.
    pub(super) fn rounds(&mut self, step: EcdsaStep, runs: usize) -> Vec<Vec<f64>> {
        let ours = &mut self.lanes[0];
        race_timed(&mut [ours], self.setup, step, runs, || ());
        self.lanes[0].by_round()
    }

    /// Races all that have the step; times per party and result.
    pub(super) fn run(&mut self, name: &str, step: EcdsaStep, runs: usize) -> Vec<Figure> {
        // A peer that searches for its primes takes minutes.
        let races =
            |lane: &&mut Lane| lane.fixture.has(step) && (!step.searches() || lane.library == OURS);
        let mut racers: Vec<&mut Lane> = self.lanes.iter_mut().filter(races).collect();
        race_timed(&mut racers, self.setup, step, runs, || ());
        let figure = |lane: &&mut Lane| {
            let samples = lane.totals().iter().map(|ms| ms * 1e3).collect();
            let figure = Figure::new(name, Unit::Micros, samples).mean_if(step.searches());
            figure.of(&lane.library).with(engine(&lane.library), LEVEL)
        };
        racers.iter().map(figure).collect()
    }
}

/// The engine of a library's big numbers, where it is ours.
fn engine(library: &str) -> String {
    if library == OURS { Engine::detect().name().to_owned() } else { String::new() }
}
