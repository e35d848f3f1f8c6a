//! The command line that both `timings` programs share.

use core::fmt::{self, Display, Formatter};
use std::sync::Once;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, Error, value_parser};

use crate::bignum::BignumArgs;
use crate::ecdsa::EcdsaArgs;
use crate::mldsa::MlDsaArgs;
use crate::runner::RunnerArgs;
use crate::{Operation, SAMPLES, Suite};

/// The sizes that are measured when `--min` and `--max` are not given.
const SIZES: [Size; 3] = [Size { t: 2, n: 3 }, Size { t: 7, n: 10 }, Size { t: 67, n: 100 }];

/// The steps of distributed key generation are left out above this many parties unless asked for.
const DKG_PARTIES: u16 = 200;

/// Says that they are left out, once.
static NOTE: Once = Once::new();

/// The program `timings` of this package. Its families of protocols are subcommands.
#[must_use]
pub fn timings() -> Command {
    let malice = "Time one malicious frame of each round of threshold ECDSA";
    families([
        Args::command(),
        EcdsaArgs::command(),
        EcdsaArgs::command().name("malice").about(malice),
        BignumArgs::command(),
        MlDsaArgs::command(),
        RunnerArgs::command(),
    ])
}

/// A program `timings` with these families of protocols.
#[must_use]
pub fn families(families: impl IntoIterator<Item = Command>) -> Command {
    Command::new("timings")
        .about("Time the steps of the protocols and the big numbers under them")
        .disable_help_subcommand(true)
        .subcommand_required(true)
        .subcommands(families)
}

/// An option with a value.
pub(crate) fn option(name: &'static str, value: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value)
}

/// An option that may be given several times.
pub(crate) fn options(name: &'static str, value: &'static str) -> Arg {
    option(name, value).action(ArgAction::Append)
}

/// An option without a value.
#[must_use]
pub fn flag(name: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue)
}

/// JSON for output.
pub(crate) fn json() -> Arg {
    flag("json").help("Print one JSON object a line instead of a table")
}

/// One of these values, by its name.
pub(crate) fn one_of<T: Clone + Send + Sync + 'static>(
    values: impl IntoIterator<Item = (&'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    let values: Vec<_> = values.into_iter().collect();
    let names: Vec<_> = values.iter().map(|(name, _)| *name).collect();
    PossibleValuesParser::new(names).map(move |chosen| {
        let found = values.iter().find(|(name, _)| *name == chosen);
        found.expect("one of the possible values").1.clone()
    })
}

/// The values of an option.
pub(crate) fn all<T: Clone + Send + Sync + 'static>(matches: &ArgMatches, name: &str) -> Vec<T> {
    matches.get_many(name).map_or_else(Vec::new, |values| values.cloned().collect())
}

/// A number of samples, at least one.
pub(crate) fn count(name: &'static str, value: &'static str) -> Arg {
    option(name, value).value_parser(value_parser!(u16).range(1..))
}

/// A threshold and a number of parties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Signers needed, and signers in every signing step.
    pub t: u16,
    /// Parties that hold a share.
    pub n: u16,
}

impl Display for Size {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}-of-{}", self.t, self.n)
    }
}

/// FROST: the steps to measure, and the form to print them in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Args {
    /// The suites.
    pub suites: Vec<Suite>,
    /// The sizes.
    pub sizes: Vec<Size>,
    /// The size came from the command line.
    pub given_size: bool,
    /// The steps; already without those of key generation where they were not asked for.
    steps: Vec<Operation>,
    /// Key generation among many parties was asked for.
    dkg: bool,
    /// Samples per step.
    pub runs: usize,
    /// One JSON object a line instead of a table.
    pub json: bool,
}

impl Args {
    /// The subcommand.
    #[must_use]
    pub fn command() -> Command {
        let suites = Suite::ALL.iter().map(|suite| (suite.name(), Some(*suite)));
        let steps = Operation::ALL.map(|step| (step.name(), step));
        let number = |name, value| option(name, value).value_parser(value_parser!(u16).range(2..));
        Command::new("frost").about("Time the steps of FROST").args([
            options("suite", "SUITE")
                .value_parser(one_of(suites.chain([("all", None)])))
                .help("A ciphersuite; all unless given"),
            number("min", "T").requires("max").help("The threshold"),
            number("max", "N").requires("min").help("The number of parties"),
            options("step", "STEP").value_parser(one_of(steps)).help("A step; all unless given"),
            count("runs", "SAMPLES").help("Samples of each step"),
            flag("dkg").help("Key generation among many parties too"),
            json(),
        ])
    }

    /// Reads the arguments.
    ///
    /// # Errors
    /// A threshold above the number of parties.
    pub fn new(matches: &ArgMatches) -> Result<Self, Error> {
        let (min, max) = (matches.get_one("min").copied(), matches.get_one("max").copied());
        let sizes = match min.zip(max) {
            None => SIZES.to_vec(),
            Some((t, n)) if t <= n => vec![Size { t, n }],
            Some(_) => {
                let wrong = "--min must be at most --max";
                return Err(Self::command().error(ErrorKind::ValueValidation, wrong));
            }
        };
        let chosen: Vec<Option<Suite>> = all(matches, "suite");
        let every = chosen.is_empty() || chosen.contains(&None);
        let suites =
            if every { Suite::ALL.to_vec() } else { chosen.into_iter().flatten().collect() };
        Ok(Self {
            suites,
            sizes,
            given_size: min.is_some(),
            steps: all(matches, "step"),
            dkg: matches.get_flag("dkg"),
            runs: matches.get_one("runs").map_or(SAMPLES, |runs: &u16| usize::from(*runs)),
            json: matches.get_flag("json"),
        })
    }

    /// The steps to run at that size: those asked for, or all. Key generation among many parties is left
    /// out, with a note on standard error, unless it was asked for.
    #[must_use]
    pub fn steps(&self, size: Size) -> Vec<Operation> {
        let mut steps =
            if self.steps.is_empty() { Operation::ALL.to_vec() } else { self.steps.clone() };
        if size.n > DKG_PARTIES && !self.dkg && steps.iter().any(|step| step.is_dkg()) {
            NOTE.call_once(|| eprintln!("{size}: leaving out the dkg steps (--dkg runs them)"));
            steps.retain(|step| !step.is_dkg());
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Args, Error> {
        let line = core::iter::once("timings").chain(line.split_whitespace());
        let matches = timings().try_get_matches_from(line)?;
        match matches.subcommand() {
            Some(("frost", matches)) => Args::new(matches),
            other => panic!("{other:?}"),
        }
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
        assert_eq!(args.steps(Size { t: 3, n: 5 }), [Operation::Round1, Operation::Verify]);
        assert_eq!((args.runs, args.json, args.dkg), (7, true, true));
    }

    #[test]
    fn defaults() {
        let args = parse("frost").unwrap();
        assert_eq!(args.suites, Suite::ALL);
        assert_eq!(args.sizes, SIZES);
        assert_eq!(args.steps(Size { t: 2, n: 3 }), Operation::ALL);
        assert!(args.steps(Size { t: 667, n: 1000 }).iter().all(|step| !step.is_dkg()));
    }

    #[test]
    fn lines_that_make_no_sense_are_refused() {
        for line in [
            "",
            "other",
            "frost --runs 0",
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
