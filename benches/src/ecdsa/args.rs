//! The command line of `timings ecdsa`, here and in `benches/peers`.

use quorate_bignum::Engine;

use super::{EcdsaCurve, EcdsaStep, Level, Setup};

/// What to measure and how to print it.
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
    /// The libraries (`benches/peers` only); none for all.
    pub libraries: Vec<String>,
    /// One JSON object a line instead of a table.
    pub json: bool,
}

impl EcdsaArgs {
    /// How the program is called.
    pub const USAGE: &str = "usage: timings ecdsa [--curve secp256k1|p256]... [--level 112|128]... \
                             [--parties N]... [--threshold T] [--step NAME]... [--engine NAME] \
                             [--runs RUNS] [--json]";

    /// Reads the arguments after the word `ecdsa`.
    ///
    /// # Errors
    /// What is wrong with them, in words for the user.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut out = Self {
            setups: Vec::new(),
            steps: Vec::new(),
            runs: None,
            engine: Engine::detect(),
            libraries: Vec::new(),
            json: false,
        };
        let (mut curves, mut levels, mut parties) = (Vec::new(), Vec::new(), Vec::new());
        let mut threshold = None;
        let mut arguments = arguments.into_iter();
        while let Some(flag) = arguments.next() {
            if flag == "--json" {
                out.json = true;
                continue;
            }
            let value = arguments.next().ok_or_else(|| format!("{flag} wants a value"))?;
            match flag.as_str() {
                "--curve" => curves.push(curve(&value)?),
                "--level" => levels.push(level(&value)?),
                "--parties" => parties.push(number(&value)?),
                "--threshold" => threshold = Some(number(&value)?),
                "--step" => out.steps.push(step(&value)?),
                "--engine" => out.engine = engine(&value)?,
                "--runs" => out.runs = Some(usize::from(number(&value)?).max(1)),
                "--library" => out.libraries.push(value),
                _ => return Err(format!("unknown option {flag}")),
            }
        }
        fill(&mut curves, &[EcdsaCurve::Secp256k1]);
        fill(&mut levels, &Level::ALL);
        fill(&mut parties, &[3]);
        for n in parties {
            let t = threshold.unwrap_or(n);
            if !(2..=n).contains(&t) {
                return Err(format!("{t} of {n} parties: at least 2, at most all of them"));
            }
            for &curve in &curves {
                out.setups.extend(levels.iter().map(|&level| Setup { curve, level, t, n }));
            }
        }
        Ok(out)
    }

    /// Whether this step was asked for by name.
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

fn fill<T: Copy>(list: &mut Vec<T>, default: &[T]) {
    if list.is_empty() {
        list.extend_from_slice(default);
    }
}

fn number(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| format!("{text:?} is not a number from 0 to {}", u16::MAX))
}

fn curve(name: &str) -> Result<EcdsaCurve, String> {
    let found = EcdsaCurve::ALL.into_iter().find(|curve| curve.name() == name);
    found.ok_or_else(|| format!("no curve is called {name:?}; there are secp256k1, p256"))
}

fn level(bits: &str) -> Result<Level, String> {
    let found = Level::ALL.into_iter().find(|level| level.bits().to_string() == bits);
    found.ok_or_else(|| format!("there is no level {bits:?}; there are 112, 128"))
}

fn step(name: &str) -> Result<EcdsaStep, String> {
    EcdsaStep::from_name(name).ok_or_else(|| {
        let names = EcdsaStep::ALL.map(EcdsaStep::name).join(", ");
        format!("no step is called {name:?}; there are {names}")
    })
}

fn engine(name: &str) -> Result<Engine, String> {
    let found = Engine::available().into_iter().find(|engine| engine.name() == name);
    found.ok_or_else(|| format!("no engine {name} in this build or on this machine"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<EcdsaArgs, String> {
        EcdsaArgs::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn reads_every_option() {
        let line = "--curve p256 --level 112 --parties 3 --parties 6 --threshold 2 --step sign --runs 4 --json";
        let args = parse(line).unwrap();
        let setup = |n| Setup { curve: EcdsaCurve::P256, level: Level::Bits112, t: 2, n };
        assert_eq!(args.setups, [setup(3), setup(6)]);
        assert_eq!(args.steps(), [EcdsaStep::Sign]);
        assert_eq!((args.runs(EcdsaStep::Sign), args.json), (4, true));
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
    fn refuses_nonsense() {
        for line in [
            "--parties",
            "--parties 1",
            "--parties 3 --threshold 4",
            "--threshold 1",
            "--level 100",
            "--curve x",
            "--step x",
            "--engine x",
            "--what 1",
        ] {
            assert!(parse(line).is_err(), "{line:?}");
        }
    }
}
