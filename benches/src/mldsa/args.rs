//! The command line of threshold ML-DSA.

use clap::error::ErrorKind;
use clap::{ArgMatches, Command, Error, value_parser};

use super::{Level, MlDsaSetup};
use crate::args::{all, json, one_of, option, options};

/// The shapes that are measured unless one is given.
const SHAPES: [(u16, u16); 5] = [(2, 2), (3, 3), (2, 3), (3, 5), (4, 5)];

/// The arguments: levels, shapes, and how often.
pub struct MlDsaArgs {
    /// Levels and shapes.
    pub setups: Vec<MlDsaSetup>,
    /// Attempts of each.
    pub runs: usize,
    /// JSON for output.
    pub json: bool,
}

impl MlDsaArgs {
    /// The subcommand.
    #[must_use]
    pub fn command() -> Command {
        let levels = ["44", "65", "87"].into_iter().zip(Level::ALL);
        Command::new("mldsa").about("Time attempts to sign with threshold ML-DSA").args([
            options("level", "LEVEL").value_parser(one_of(levels)).help("All unless given"),
            option("threshold", "T")
                .value_parser(value_parser!(u16).range(2..=6))
                .requires("parties")
                .help("With --parties; 2 of 2, 3 of 3, 2 of 3, 3 of 5 and 4 of 5 unless given"),
            option("parties", "N")
                .value_parser(value_parser!(u16).range(2..=6))
                .requires("threshold"),
            option("runs", "RUNS")
                .value_parser(value_parser!(u16).range(1..))
                .help("Calls of each library, which take turns; 41 unless given"),
            json(),
        ])
    }

    /// Reads the arguments.
    ///
    /// # Errors
    /// For a threshold above the number of parties.
    pub fn new(matches: &ArgMatches) -> Result<Self, Error> {
        let mut levels: Vec<Level> = all(matches, "level");
        if levels.is_empty() {
            levels = Level::ALL.to_vec();
        }
        let one = |name| matches.get_one::<u16>(name).copied();
        let given = one("threshold").zip(one("parties"));
        if given.is_some_and(|(t, n)| t > n) {
            let message = "a threshold above the number of parties\n";
            return Err(Error::raw(ErrorKind::ValueValidation, message));
        }
        let shapes = given.map_or(SHAPES.to_vec(), |shape| vec![shape]);
        let of_level = |level| shapes.iter().map(move |&(t, n)| MlDsaSetup { level, t, n });
        Ok(Self {
            setups: levels.into_iter().flat_map(of_level).collect(),
            runs: one("runs").map_or(41, usize::from),
            json: matches.get_flag("json"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<MlDsaArgs, Error> {
        let line = core::iter::once("mldsa").chain(line.split_whitespace());
        MlDsaArgs::new(&MlDsaArgs::command().try_get_matches_from(line)?)
    }

    #[test]
    fn reads_every_option() {
        let args =
            parse("--level 44 --level 87 --threshold 2 --parties 4 --runs 5 --json").unwrap();
        let setup = |level| MlDsaSetup { level, t: 2, n: 4 };
        assert_eq!(args.setups, [setup(Level::MlDsa44), setup(Level::MlDsa87)]);
        assert_eq!((args.runs, args.json), (5, true));
        assert_eq!(parse("").unwrap().setups.len(), 15);
    }

    #[test]
    fn lines_that_make_no_sense_are_refused() {
        for line in [
            "--level 45",
            "--threshold 2",
            "--parties 2",
            "--threshold 3 --parties 2",
            "--threshold 1 --parties 2",
            "--threshold 2 --parties 7",
            "--runs 0",
        ] {
            assert!(parse(line).is_err(), "{line:?}");
        }
    }
}
