//! The floor of threshold ECDSA with one engine: its operations, counted, at the least time of each.

use quorate_bignum::Engine;

use super::figure::{Figure, real};
use super::floor::Prices;
use crate::Operations;
use crate::ecdsa::{EcdsaFixture, EcdsaStep, Ledger, QuorateEcdsa, Setup, parties};

/// Samples of each operation for its price.
const SAMPLES: usize = 9;

/// The floors of one setup.
pub(crate) struct Floors {
    setup: Setup,
    /// A fixture that counts its operations.
    counting: Box<dyn EcdsaFixture>,
    prices: Prices,
}

impl Floors {
    /// Those of this engine. The prices of points are those of secp256k1.
    pub(crate) fn new(engine: Engine, setup: Setup) -> Self {
        let counting = QuorateEcdsa(engine).counting(setup);
        Self { setup, counting, prices: Prices::new(engine, SAMPLES) }
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
    pub(super) fn of_rounds(&mut self, step: EcdsaStep, runs: usize, measured: &[f64]) -> Vec<f64> {
        let (rounds, parts) = self.counted(step, runs);
        let each = rounds.iter().zip(measured);
        each.map(|(round, took)| self.prices.floor(round, parts, *took)).collect()
    }

    /// The floor of a step that was timed `runs` times, for a party and a result, in microseconds. `measured` is what it took.
    pub(crate) fn of(&mut self, step: EcdsaStep, runs: usize, measured: f64) -> f64 {
        let (rounds, parts) = self.counted(step, runs);
        self.prices.floor(&Operations::sum(&rounds), parts, measured)
    }

    /// The floor under this figure of a step, with its operations and the price of each.
    pub(super) fn listed(&mut self, figure: &Figure, step: EcdsaStep) -> (f64, Vec<Figure>) {
        let (rounds, parts) = self.counted(step, figure.samples.len());
        let all = Operations::sum(&rounds);
        let us = self.prices.floor(&all, parts, figure.middle());
        (us, self.prices.listed(&figure.name, &all, parts))
    }
}
