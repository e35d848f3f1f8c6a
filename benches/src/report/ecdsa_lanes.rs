//! Runs of threshold ECDSA as figures: every library of a run in turns.

use quorate_bignum::Engine;

use super::figure::{Figure, Middle, Unit};
use super::floor::{self, Prices};
use super::run::Peers;
use crate::Operations;
use crate::ecdsa::{
    EcdsaFixture, EcdsaLibrary, EcdsaStep, Lane, Ledger, QuorateEcdsa, Setup, parties, race_timed,
};

/// Samples of each operation for its price.
const SAMPLES: usize = 9;

/// Every library at one setup.
pub(super) struct Lanes {
    setup: Setup,
    lanes: Vec<Lane>,
    /// Ours once more, counting its operations.
    counting: Box<dyn EcdsaFixture>,
    prices: Prices,
}

/// The operations of our runs of a step.
pub(super) struct Counted {
    /// Of all parties in all runs, by round.
    rounds: Vec<Operations>,
    /// Runs, times parties, times results of a run.
    parts: f64,
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
        let counting = ours.counting(setup);
        Self { setup, lanes, counting, prices: Prices::new(Engine::detect(), SAMPLES) }
    }

    /// The operations of our runs of a step that was timed `runs` times. A search for primes takes a random number of tests, so it
    /// runs again as often, with the same seeds, which depend on the sessions before; of other steps one run is like another.
    pub(super) fn counted(&mut self, step: EcdsaStep, runs: usize) -> Counted {
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
        #[allow(clippy::cast_precision_loss, reason = "a small count")]
        let parts = runs as f64 * f64::from(results);
        Counted { rounds, parts }
    }

    /// The floor of each round for a party and a result, in microseconds.
    pub(super) fn floors(&mut self, counted: &Counted) -> Vec<f64> {
        counted.rounds.iter().map(|round| self.prices.floor(round) / counted.parts).collect()
    }

    /// The floor of a step that was timed so often, its operations, and the price of each.
    pub(super) fn floor(&mut self, prefix: &str, step: EcdsaStep, runs: usize) -> Vec<Figure> {
        let counted = self.counted(step, runs);
        let Setup { t, n, level, .. } = self.setup;
        let of = format!("{prefix}/{t}-of-{n}/{}", step.name());
        let us: f64 = self.floors(&counted).iter().sum();
        let (engine, level) = (engine("quorate"), format!("{} bits", level.modulus_bits()));
        let all = Operations::sum(&counted.rounds);
        let mut figures = vec![floor::figure(&of, "quorate", &engine, &level, us)];
        figures.extend(self.prices.listed(&of, &all, counted.parts));
        figures
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
