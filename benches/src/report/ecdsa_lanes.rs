//! Runs of threshold ECDSA as figures: every library of a run in turns.

use quorate_bignum::Engine;

use super::figure::{Figure, OURS, Unit, real};
use super::floor::{self, Prices};
use super::run::Peers;
use crate::Operations;
use crate::ecdsa::{
    EcdsaCurve, EcdsaFixture, EcdsaLibrary, EcdsaStep, Lane, Ledger, Level, QuorateEcdsa, Setup,
    parties, race_timed,
};

/// Samples of each operation for its price.
const SAMPLES: usize = 9;
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
    /// Ours once more, counting its operations.
    counting: Box<dyn EcdsaFixture>,
    prices: Prices,
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
        let counting = ours.counting(setup);
        Self { setup, lanes, counting, prices: Prices::new(Engine::detect(), SAMPLES) }
    }

    /// Counts the operations of a step that was timed `runs` times: those of all parties in all runs, by round; and how many
    /// results of a party they are for. A search for primes takes a random number of tests, so it is repeated as often, with the
    /// same seeds, which depend on the sessions before. All runs of another step are alike, so one is counted.
    fn counted(&mut self, step: EcdsaStep, runs: usize) -> (Vec<Operations>, f64) {
        let seeded = step.searches() || step == EcdsaStep::Keygen;
        let runs = if seeded { runs } else { 1 };
        let mut rounds: Vec<Operations> = Vec::new();
        for _ in 0..runs {
            self.counting.prepare(step);
            let mut ledger = Ledger::operating();
            self.counting.run(step, &mut ledger);
            for (at, made) in ledger.operations().iter().enumerate() {
                rounds.resize_with(rounds.len().max(at + 1), Operations::default);
                rounds[at].add(made);
            }
        }
        let results = parties(self.setup, step) * self.counting.makes(step);
        (rounds, real(runs) * f64::from(results))
    }

    /// The floor of each round of a step that was timed `runs` times, for a party and a result, in microseconds. `measured` is
    /// what each round took.
    pub(super) fn floors(&mut self, step: EcdsaStep, runs: usize, measured: &[f64]) -> Vec<f64> {
        let (rounds, parts) = self.counted(step, runs);
        let each = rounds.iter().zip(measured);
        each.map(|(round, took)| self.prices.floor(round, parts, *took)).collect()
    }

    /// The floor under this figure of a step, its operations, and the price of each.
    pub(super) fn floor(&mut self, figure: &Figure, step: EcdsaStep) -> Vec<Figure> {
        let (rounds, parts) = self.counted(step, figure.samples.len());
        let all = Operations::sum(&rounds);
        let us = self.prices.floor(&all, parts, figure.middle());
        let mut figures =
            vec![floor::figure(&figure.name, OURS, &figure.engine, &figure.level, us)];
        figures.extend(self.prices.listed(&figure.name, &all, parts));
        figures
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
