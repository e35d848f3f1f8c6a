//! The command line that both `timings` programs share.

use std::sync::Once;

use crate::{SAMPLES, Step, Suite};

/// The sizes that are measured when `--min` and `--max` are not given.
const SIZES: [Size; 3] = [Size { t: 2, n: 3 }, Size { t: 7, n: 10 }, Size { t: 67, n: 100 }];

/// The steps of distributed key generation are left out above this many parties unless asked for.
const DKG_PARTIES: u16 = 200;

/// Says that they are left out, once.
static NOTE: Once = Once::new();

/// A threshold and a number of parties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Signers needed, and signers in every signing step.
    pub t: u16,
    /// Parties that hold a share.
    pub n: u16,
}

/// What to measure and how to print it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Args {
    /// The suites.
    pub suites: Vec<Suite>,
    /// The sizes.
    pub sizes: Vec<Size>,
    /// The size came from the command line.
    pub given_size: bool,
    /// The steps; already without those of key generation where they were not asked for.
    steps: Vec<Step>,
    /// Key generation among many parties was asked for.
    dkg: bool,
    /// Samples per step.
    pub runs: usize,
    /// One JSON object a line instead of a table.
    pub json: bool,
    /// Heap instead of time (`benches/peers` only).
    pub memory: bool,
    /// Compare with the targets (`benches/peers` only).
    pub check: bool,
}

impl Args {
    /// How the programs are called.
    pub const USAGE: &str = "usage: timings frost [--suite NAME|all]... [--min T --max N] [--step NAME]... \
                             [--runs SAMPLES] [--dkg] [--json]";

    /// Reads the arguments after the program's name.
    ///
    /// # Errors
    /// What is wrong with them, in words for the user.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut arguments = arguments.into_iter();
        match arguments.next().as_deref() {
            Some("frost") => {}
            Some(other) => return Err(format!("no family of protocols is called {other:?}")),
            None => return Err("which family of protocols? (frost)".to_owned()),
        }
        let mut args = Self {
            suites: Vec::new(),
            sizes: Vec::new(),
            given_size: false,
            steps: Vec::new(),
            dkg: false,
            runs: SAMPLES,
            json: false,
            memory: false,
            check: false,
        };
        let (mut min, mut max) = (None, None);
        while let Some(option) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{option} needs a value"));
            match option.as_str() {
                "--suite" => args.add_suite(&value()?)?,
                "--step" => args.add_step(&value()?)?,
                "--min" => min = Some(number(&value()?)?),
                "--max" => max = Some(number(&value()?)?),
                "--runs" => args.runs = usize::from(number(&value()?)?).max(1),
                "--dkg" => args.dkg = true,
                "--json" => args.json = true,
                "--memory" => args.memory = true,
                "--check" => args.check = true,
                _ => return Err(format!("unknown option {option:?}")),
            }
        }
        args.sizes = sizes(min, max)?;
        args.given_size = min.is_some();
        if args.suites.is_empty() {
            args.suites = Suite::ALL.to_vec();
        }
        Ok(args)
    }

    fn add_suite(&mut self, name: &str) -> Result<(), String> {
        match (name, Suite::from_name(name)) {
            ("all", _) => self.suites = Suite::ALL.to_vec(),
            (_, Some(suite)) => self.suites.push(suite),
            _ => {
                return Err(format!(
                    "no suite is called {name:?}; there are all, {}",
                    names(Suite::ALL.iter().map(|suite| suite.name()))
                ));
            }
        }
        Ok(())
    }

    fn add_step(&mut self, name: &str) -> Result<(), String> {
        let step = Step::from_name(name).ok_or_else(|| {
            format!(
                "no step is called {name:?}; there are {}",
                names(Step::ALL.into_iter().map(Step::name))
            )
        })?;
        self.steps.push(step);
        Ok(())
    }

    /// The steps to run at that size: those asked for, or all. Key generation among many parties is left
    /// out, with a note on standard error, unless it was asked for.
    #[must_use]
    pub fn steps(&self, size: Size) -> Vec<Step> {
        let mut steps = if self.steps.is_empty() { Step::ALL.to_vec() } else { self.steps.clone() };
        if size.n > DKG_PARTIES && !self.dkg && steps.iter().any(|step| step.is_dkg()) {
            NOTE.call_once(|| {
                eprintln!("{}-of-{}: leaving out the dkg steps (--dkg runs them)", size.t, size.n)
            });
            steps.retain(|step| !step.is_dkg());
        }
        steps
    }
}

fn number(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| format!("{text:?} is not a number from 0 to {}", u16::MAX))
}

fn names(names: impl Iterator<Item = &'static str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

fn sizes(min: Option<u16>, max: Option<u16>) -> Result<Vec<Size>, String> {
    match (min, max) {
        (None, None) => Ok(SIZES.to_vec()),
        (Some(t), Some(n)) if 2 <= t && t <= n => Ok(vec![Size { t, n }]),
        (Some(_), Some(_)) => Err("--min must be at least 2 and at most --max".to_owned()),
        _ => Err("--min and --max go together".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Args, String> {
        Args::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn reads_every_option() {
        let args = parse(
            "frost --suite ed25519 --suite p256 --min 3 --max 5 --step round1 --step verify --runs 7 --json --dkg",
        )
        .unwrap();
        assert_eq!(
            args.suites.iter().map(|suite| suite.name()).collect::<Vec<_>>(),
            ["ed25519", "p256"]
        );
        assert_eq!(args.sizes, [Size { t: 3, n: 5 }]);
        assert_eq!(args.steps(Size { t: 3, n: 5 }), [Step::Round1, Step::Verify]);
        assert_eq!((args.runs, args.json, args.dkg), (7, true, true));
    }

    #[test]
    fn defaults() {
        let args = parse("frost").unwrap();
        assert_eq!(args.suites, Suite::ALL);
        assert_eq!(args.sizes, SIZES);
        assert_eq!(args.steps(Size { t: 2, n: 3 }), Step::ALL);
        assert!(args.steps(Size { t: 667, n: 1000 }).iter().all(|step| !step.is_dkg()));
    }

    #[test]
    fn refuses_nonsense() {
        for line in [
            "",
            "ecdsa",
            "frost --min 3",
            "frost --min 5 --max 3",
            "frost --min 1 --max 3",
            "frost --suite x",
            "frost --step x",
            "frost --runs",
            "frost --runs many",
            "frost what",
        ] {
            assert!(parse(line).is_err(), "{line:?}");
        }
    }
}
