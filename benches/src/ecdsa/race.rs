//! Several libraries at the same step, in turns.

use core::time::Duration;

use super::{EcdsaFixture, EcdsaStep, Figures, Ledger, Setup};
use crate::median;

/// A library's place in a race, with its samples.
pub struct Lane {
    /// The library's name.
    pub library: String,
    /// The parties of the library.
    pub fixture: Box<dyn EcdsaFixture>,
    /// Milliseconds per party and result in each round, run by run.
    samples: Vec<Vec<f64>>,
    /// Bytes that all parties sent per result, and the largest peak of a party's heap.
    counted: (usize, usize),
}

impl Lane {
    /// A library that has run nothing yet.
    #[must_use]
    pub fn new(library: String, fixture: Box<dyn EcdsaFixture>) -> Self {
        Self { library, fixture, samples: Vec::new(), counted: (0, 0) }
    }

    /// Milliseconds per party, run by run.
    #[must_use]
    pub fn totals(&self) -> Vec<f64> {
        self.samples.iter().map(|rounds| rounds.iter().sum()).collect()
    }

    /// Milliseconds per party of each round: the samples of the first round, of the second, and so on.
    #[must_use]
    pub fn by_round(&self) -> Vec<Vec<f64>> {
        let rounds = self.samples.iter().map(Vec::len).max().unwrap_or(0);
        let of = |at: usize| self.samples.iter().filter_map(|run| run.get(at)).copied().collect();
        (0..rounds).map(of).collect()
    }

    fn count(&mut self, step: EcdsaStep) {
        // A search sends nothing and takes long.
        let given = EcdsaStep::AuxInfoGivenPrimes;
        let step = if step.searches() && self.fixture.has(given) { given } else { step };
        self.fixture.prepare(step);
        let mut ledger = Ledger::counting();
        self.fixture.run(step, &mut ledger);
        self.counted = (ledger.bytes() / usize::from(self.fixture.makes(step)), ledger.peak());
    }

    fn sample(&mut self, step: EcdsaStep, parties: f64) {
        let parts = parties * f64::from(self.fixture.makes(step));
        self.fixture.prepare(step);
        let mut ledger = Ledger::timing();
        self.fixture.run(step, &mut ledger);
        let ms = |round: &Duration| round.as_secs_f64() * 1e3 / parts;
        self.samples.push(ledger.rounds().iter().map(ms).collect());
    }

    /// The figures of the samples taken.
    #[must_use]
    pub fn figures(&self, setup: Setup, step: EcdsaStep) -> Figures {
        let parties = parties(setup, step);
        let middle = |samples| middle(step, samples);
        Figures {
            library: self.library.clone(),
            setup: Setup { k: self.fixture.makes(step), ..setup },
            step,
            ms: middle(self.totals()),
            bytes: self.counted.0 / usize::from(parties),
            peak: self.counted.1,
            rounds: self.by_round().into_iter().map(middle).collect(),
            runs: self.samples.len(),
        }
    }
}

/// The parties that take part in a step.
pub(crate) fn parties(setup: Setup, step: EcdsaStep) -> u16 {
    match step {
        EcdsaStep::Keygen
        | EcdsaStep::AuxInfo
        | EcdsaStep::AuxInfoGivenPrimes
        | EcdsaStep::AuxInfoOpen
        | EcdsaStep::Refresh => setup.n,
        EcdsaStep::Reshare => setup.n.saturating_add(1),
        EcdsaStep::Repair => setup.t.saturating_add(1),
        EcdsaStep::Presign
        | EcdsaStep::PresignMany
        | EcdsaStep::Sign
        | EcdsaStep::SignInteractive => setup.t,
    }
}

/// The median, or of times that are random the mean.
fn middle(step: EcdsaStep, samples: Vec<f64>) -> f64 {
    if !step.searches() {
        return median(samples);
    }
    #[allow(clippy::cast_precision_loss, reason = "a small count")]
    let count = samples.len() as f64;
    samples.iter().sum::<f64>() / count
}

/// Has every lane run the step `runs` times, one after the other in every turn, after a first run that counts
/// bytes. `between` is called once a turn.
pub fn race(
    lanes: &mut [&mut Lane],
    setup: Setup,
    step: EcdsaStep,
    runs: usize,
    between: impl FnMut(),
) {
    lanes.iter_mut().for_each(|lane| lane.count(step));
    race_timed(lanes, setup, step, runs, between);
}

/// As [`race`], without the run that counts bytes.
pub fn race_timed(
    lanes: &mut [&mut Lane],
    setup: Setup,
    step: EcdsaStep,
    runs: usize,
    mut between: impl FnMut(),
) {
    lanes.iter_mut().for_each(|lane| lane.samples.clear());
    for _ in 0..runs {
        for lane in lanes.iter_mut() {
            lane.sample(step, parties(setup, step).into());
        }
        between();
    }
}
