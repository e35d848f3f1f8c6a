//! The command line of `timings ecdsa`, here and in `benches/peers`.

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, Error, value_parser};
use quorate_bignum::Engine;

use super::{EcdsaCurve, EcdsaStep, Level, Setup};
use crate::args::{all, count, json, one_of, option, options};

/// Threshold ECDSA: the steps to measure, and the form to print them in.
#[derive(Clone, Debug)]
pub struct EcdsaArgs {
    /// Every combination of curve, level and parties asked for.
    pub setups: Vec<Setup>,
    /// The steps asked for; none for the usual ones.
    steps: Vec<EcdsaStep>,
    /// Runs of each step, if not those of the step.
    runs: Option<usize>,
    /// The engine of Quorate.
    pub engine: Engine,
    /// Compare with the operations alone.
    pub floor: bool,
    /// One JSON object a line instead of a table.
    pub json: bool,
}

impl EcdsaArgs {
    /// The subcommand.
    #[must_use]
    pub fn command() -> Command {
        let levels = Level::ALL.map(|level| match level {
            Level::Bits112 => ("112", level),
            Level::Bits128 => ("128", level),
        });
        let engines = Engine::available().into_iter().map(|engine| (engine.name(), engine));
        let number = |name, value| options(name, value).value_parser(value_parser!(u16).range(2..));
        Command::new("ecdsa").about("Time the steps of threshold ECDSA").args([
            options("curve", "CURVE")
                .value_parser(one_of(EcdsaCurve::ALL.map(|curve| (curve.name(), curve))))
                .help("A curve; secp256k1 unless given"),
            options("level", "LEVEL")
                .value_parser(one_of(levels))
                .help("A level of the big moduli; both unless given"),
            number("parties", "N").help("A number of parties; 3 unless given"),
            number("threshold", "T")
                .action(ArgAction::Set)
                .help("The threshold; all parties unless given"),
            options("step", "STEP")
                .value_parser(one_of(EcdsaStep::ALL.map(|step| (step.name(), step))))
                .help("A step; all unless given"),
            option("count", "K")
                .value_parser(value_parser!(u16).range(1..=1024))
                .help("The presignatures of a run of presign_many; 32 unless given"),
            option("engine", "ENGINE").value_parser(one_of(engines)).help("Quorate's engine"),
            count("runs", "RUNS").help("Runs of each step"),
            Arg::new("floor").long("floor").action(ArgAction::SetTrue).help(
                "Compare with the time of the operations alone, each at its fastest (without peers; points of secp256k1)",
            ),
            json(),
        ])
    }

    /// Reads the arguments.
    ///
    /// # Errors
    /// A threshold above a number of parties.
    pub fn new(matches: &ArgMatches) -> Result<Self, Error> {
        let curves = given(matches, "curve", &[EcdsaCurve::Secp256k1]);
        let levels = given(matches, "level", &Level::ALL);
        let threshold = matches.get_one("threshold").copied();
        let k = matches.get_one("count").copied().unwrap_or(32);
        let mut setups = Vec::new();
        for n in given(matches, "parties", &[3]) {
            let t = threshold.unwrap_or(n);
            if t > n {
                let wrong = format!("{t} of {n} parties: at most all of them");
                return Err(Self::command().error(ErrorKind::ValueValidation, wrong));
            }
            for &curve in &curves {
                setups.extend(levels.iter().map(|&level| Setup { curve, level, t, n, k }));
            }
        }
        Ok(Self {
            setups,
            steps: all(matches, "step"),
            runs: matches.get_one("runs").map(|runs: &u16| usize::from(*runs)),
            engine: matches.get_one("engine").copied().unwrap_or_else(Engine::detect),
            floor: matches.get_flag("floor"),
            json: matches.get_flag("json"),
        })
    }

    /// Returns whether this step was asked for by name.
    #[must_use]
    pub fn asked(&self, step: EcdsaStep) -> bool {
        self.steps.contains(&step)
    }

    /// The steps asked for, or all.
    #[must_use]
    pub fn steps(&self) -> Vec<EcdsaStep> {
        if self.steps.is_empty() { EcdsaStep::ALL.to_vec() } else { self.steps.clone() }
    }

    /// How often a step is run.
    #[must_use]
    pub fn runs(&self, step: EcdsaStep) -> usize {
        self.runs.unwrap_or_else(|| step.runs())
    }
}

/// The values of an option, or these.
fn given<T: Copy + Send + Sync + 'static>(
    matches: &ArgMatches,
    name: &str,
    unless: &[T],
) -> Vec<T> {
    let values = all(matches, name);
    if values.is_empty() { unless.to_vec() } else { values }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<EcdsaArgs, Error> {
        let line = core::iter::once("ecdsa").chain(line.split_whitespace());
        EcdsaArgs::new(&EcdsaArgs::command().try_get_matches_from(line)?)
    }

    #[test]
    fn reads_every_option() {
        let line = "--curve p256 --level 112 --parties 3 --parties 6 --threshold 2 --step sign --runs 4 --count 8 --floor --json";
        let args = parse(line).unwrap();
        let setup = |n| Setup { curve: EcdsaCurve::P256, level: Level::Bits112, t: 2, n, k: 8 };
        assert_eq!(args.setups, [setup(3), setup(6)]);
        assert_eq!(args.steps(), [EcdsaStep::Sign]);
        assert_eq!((args.runs(EcdsaStep::Sign), args.floor, args.json), (4, true, true));
    }

    #[test]
    fn defaults() {
        let args = parse("").unwrap();
        assert_eq!(args.setups.len(), 2);
        assert!(args.setups.iter().all(|setup| (setup.t, setup.n) == (3, 3)));
        assert_eq!(args.steps(), EcdsaStep::ALL);
        assert!(!args.asked(EcdsaStep::AuxInfo));
    }

    #[test]
    fn lines_that_make_no_sense_are_refused() {
        for line in [
            "--parties",
            "--parties 1",
            "--parties 3 --threshold 4",
            "--threshold 1",
            "--level 100",
            "--curve x",
            "--step x",
            "--engine x",
            "--count 0",
            "--count 1025",
            "--what 1",
        ] {
            assert!(parse(line).is_err(), "{line:?}");
        }
    }
}
