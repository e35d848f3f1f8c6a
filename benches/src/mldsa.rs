//! Threshold ML-DSA: what an attempt to sign takes a party, by round, what a signature takes with the attempts that fail, and
//! what is sent.

mod args;
mod ours;
mod table;

pub use args::MlDsaArgs;
pub(crate) use ours::keygen;
pub use ours::{Made, MlDsaCommittee, QuorateMlDsa};
pub use table::{Figures, print, print_ratios, print_target};

pub use quorate::mldsa::Level;

use crate::median;

/// A level, and how many of how many parties sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MlDsaSetup {
    /// The level.
    pub level: Level,
    /// The number of signers.
    pub t: u16,
    /// The number of parties.
    pub n: u16,
}

/// One call of a library, for all signers together: an attempt, or as many as it takes to sign.
#[derive(Clone, Debug)]
pub struct Tried {
    /// Seconds of the start and of each round, where the library has its parties apart.
    pub rounds: Option<[f64; 4]>,
    /// Seconds in all.
    pub seconds: f64,
    /// The attempts that were made.
    pub attempts: u32,
    /// The signatures that came out: one, or none.
    pub signatures: u32,
    /// Where messages are sent.
    pub sent: Option<Sent>,
}

/// Bytes of one signer's broadcasts in an attempt, on the mean of the signers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sent {
    /// Bytes of the bodies, which the protocol makes.
    pub bodies: f64,
    /// Bytes of the headers, which the session puts before the bodies.
    pub headers: f64,
}

/// A library of threshold ML-DSA under measurement.
pub trait MlDsaLibrary {
    /// The library's name in the output.
    fn name(&self) -> &'static str;

    /// Parties with a key; `None` for what the library does not have.
    fn fixture(&self, setup: MlDsaSetup) -> Option<Box<dyn MlDsaFixture>>;
}

/// Parties of one library with a key.
pub trait MlDsaFixture {
    /// The slots K of an attempt.
    fn slots(&self) -> u16;

    /// Tries to sign.
    fn sign(&mut self) -> Tried;
}

/// A library in a race, with what it has done so far.
pub struct MlDsaLane {
    /// The library's name.
    pub library: &'static str,
    fixture: Box<dyn MlDsaFixture>,
    tried: Vec<Tried>,
}

impl MlDsaLane {
    /// A library at the start, if it has this setup.
    #[must_use]
    pub fn new(library: &dyn MlDsaLibrary, setup: MlDsaSetup) -> Option<Self> {
        let fixture = library.fixture(setup)?;
        Some(Self { library: library.name(), fixture, tried: Vec::new() })
    }

    /// Milliseconds of a signer for an attempt, call by call.
    fn attempts(&self, setup: MlDsaSetup) -> Vec<f64> {
        let each = |one: &Tried| one.seconds * 1e3 / f64::from(one.attempts) / f64::from(setup.t);
        self.tried.iter().map(each).collect()
    }

    /// The figures of the calls so far.
    #[must_use]
    pub fn figures(&self, setup: MlDsaSetup) -> Figures {
        let sum = |of: fn(&Tried) -> f64| self.tried.iter().map(of).sum::<f64>();
        let round = |i: usize| {
            let of = |one: &Tried| one.rounds.map(|rounds| rounds[i] * 1e3 / f64::from(setup.t));
            let samples: Vec<f64> = self.tried.iter().filter_map(of).collect();
            (!samples.is_empty()).then(|| median(samples))
        };
        let attempts = self.attempts(setup);
        let least = attempts.iter().copied().fold(f64::INFINITY, f64::min);
        let (tried, signed) = (sum(|one| one.attempts.into()), sum(|one| one.signatures.into()));
        let sent: Vec<Sent> = self.tried.iter().filter_map(|one| one.sent).collect();
        #[allow(clippy::cast_precision_loss, reason = "a count of calls")]
        let mean =
            |of: fn(&Sent) -> f64| sent.iter().map(of).sum::<f64>() / sent.len().max(1) as f64;
        let bytes = Sent { bodies: mean(|sent| sent.bodies), headers: mean(|sent| sent.headers) };
        let attempt = median(attempts);
        Figures {
            library: self.library,
            setup,
            slots: self.fixture.slots(),
            rounds: [0, 1, 2, 3].map(round),
            least,
            attempt,
            tries: tried / signed,
            signature: sum(|one| one.seconds) * 1e3 / signed / f64::from(setup.t),
            sent: (!sent.is_empty()).then_some(bytes),
            runs: self.tried.len(),
        }
    }

    /// The medians, over the calls in turn, of a peer's time for an attempt over that of `ours`.
    #[must_use]
    pub fn ratio(&self, ours: &Self, setup: MlDsaSetup) -> f64 {
        let pairs = self.attempts(setup).into_iter().zip(ours.attempts(setup));
        median(pairs.map(|(peer, own)| peer / own).collect())
    }
}

/// Has each library sign in turn, `runs` times after one that does not count.
pub fn race_attempts(lanes: &mut [MlDsaLane], runs: usize) {
    for lane in &mut *lanes {
        lane.fixture.sign();
    }
    for _ in 0..runs {
        for lane in &mut *lanes {
            let tried = lane.fixture.sign();
            lane.tried.push(tried);
        }
    }
}

/// The most that an attempt may take a party, in milliseconds, where a target is set.
#[must_use]
pub fn most(setup: MlDsaSetup) -> Option<f64> {
    match (setup.level, setup.t, setup.n) {
        (Level::MlDsa44, 3, 3) => Some(0.22),
        (Level::MlDsa44, 4, 5) => Some(1.7),
        _ => None,
    }
}

/// Measures Quorate alone and prints what it takes.
pub fn report(args: &MlDsaArgs) {
    for &setup in &args.setups {
        let Some(lane) = MlDsaLane::new(&QuorateMlDsa, setup) else { continue };
        let mut lanes = [lane];
        race_attempts(&mut lanes, args.runs);
        let figures = lanes[0].figures(setup);
        print(args.json, &figures);
        print_target(args.json, &figures);
    }
}
