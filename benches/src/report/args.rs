//! The command line of `report`.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, Error, value_parser};

use super::chapters::NAMES;
use super::flame::Flame;
use super::run::Scale;
use crate::args::{flag, one_of, option, options};
use crate::ecdsa::EcdsaStep;

/// A command of the program, with its options.
#[derive(Clone, Debug)]
pub enum Order {
    /// To measure.
    Measure(Wanted),
    /// To draw a run.
    Flame(Flame),
    /// To sign for so many minutes.
    Soak(f64),
    /// To compare two runs.
    Compare(PathBuf, PathBuf),
}

/// A run that is wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// How much.
    pub scale: Scale,
    /// The chapters; none for all.
    pub chapters: Vec<String>,
    /// Where the page goes.
    pub folder: PathBuf,
    /// Whether progress is left out.
    pub quiet: bool,
}

fn measuring(scale: Scale) -> Command {
    let about = match scale {
        Scale::Tiny => "Every table and plot with the smallest sizes: a test of the report itself",
        Scale::Quick => "Measure within three minutes",
        Scale::Full => "Measure all sizes of the published tables; says first how long it takes",
    };
    Command::new(scale.name()).about(about).args([
        options("only", "CHAPTER")
            .value_parser(one_of(NAMES.map(|name| (name, name.to_owned()))))
            .help("A chapter; all unless given"),
        folder(),
        flag("quiet").help("Leave out the progress"),
    ])
}

fn flaming() -> Command {
    let steps = EcdsaStep::ALL.map(|step| (step.name(), step));
    Command::new("flame")
        .about("Draw where a protocol run spends its time; needs the feature tracing")
        .args([
            option("protocol", "STEP")
                .value_parser(one_of(steps))
                .required(true)
                .help("A step of threshold ECDSA"),
            option("parties", "N")
                .value_parser(value_parser!(u16).range(2..))
                .default_value("3")
                .help("All take part"),
            folder(),
        ])
}

fn folder() -> Arg {
    option("out", "FOLDER")
        .value_parser(value_parser!(PathBuf))
        .default_value("target/report")
        .help("Where the files go")
}

/// A length of time up to a month.
fn minutes(text: &str) -> Result<f64, String> {
    let minutes: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if minutes > 0.0 && minutes <= 43_200.0 {
        Ok(minutes)
    } else {
        Err("not between 0 and 43200".to_owned())
    }
}

/// The program.
#[must_use]
pub fn command() -> Command {
    let file = |name: &'static str| {
        Arg::new(name).value_name("FILE").required(true).value_parser(value_parser!(PathBuf))
    };
    Command::new("report")
        .about("Set our figures beside those of five published reports")
        .disable_help_subcommand(true)
        .subcommand_required(true)
        .subcommands(Scale::ALL.map(measuring))
        .subcommand(flaming())
        .subcommand(
            Command::new("soak")
                .about("Sign for minutes or hours: whether the rate falls and the heap grows")
                .arg(
                    option("minutes", "N")
                        .required(true)
                        .value_parser(minutes)
                        .help("How long, a fraction too"),
                ),
        )
        .subcommand(
            Command::new("compare").about("Compare two runs, with a test of significance").args([
                file("old").help("The JSON of a run"),
                file("new").help("That of a later one"),
            ]),
        )
}

impl Order {
    /// Reads the arguments.
    ///
    /// # Errors
    /// Those of the command line.
    pub fn new(matches: Result<ArgMatches, Error>) -> Result<Self, Error> {
        let matches = matches?;
        let Some((name, matches)) = matches.subcommand() else {
            return Err(command().error(clap::error::ErrorKind::MissingSubcommand, "which?"));
        };
        let path = |of: &str| matches.get_one::<PathBuf>(of).cloned().unwrap_or_default();
        Ok(match Scale::ALL.into_iter().find(|scale| scale.name() == name) {
            None if name == "flame" => Self::Flame(Flame {
                step: matches.get_one("protocol").copied().unwrap_or(EcdsaStep::Presign),
                parties: matches.get_one("parties").copied().unwrap_or(3),
                folder: path("out"),
            }),
            None if name == "soak" => {
                Self::Soak(matches.get_one("minutes").copied().unwrap_or_default())
            }
            None => Self::Compare(path("old"), path("new")),
            Some(scale) => Self::Measure(Wanted {
                scale,
                chapters: crate::args::all(matches, "only"),
                folder: path("out"),
                quiet: matches.get_flag("quiet"),
            }),
        })
    }
}

impl Wanted {
    /// The command that runs this again, with or without peers.
    #[must_use]
    pub fn command(&self, peers: bool) -> String {
        let program = if peers {
            "cargo run --release --manifest-path benches/peers/Cargo.toml --bin report"
        } else {
            "cargo run --release -p quorate-benches --bin report"
        };
        let only: String = self.chapters.iter().map(|name| format!(" --only {name}")).collect();
        format!("{program} -- {}{only}", self.scale.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Order, Error> {
        let line = core::iter::once("report").chain(line.split_whitespace());
        Order::new(command().try_get_matches_from(line))
    }

    #[test]
    fn reads_every_order() {
        let Order::Measure(wanted) = parse("quick --only frost --out x --quiet").unwrap() else {
            panic!("a run was asked for")
        };
        assert_eq!((wanted.scale, wanted.quiet), (Scale::Quick, true));
        assert_eq!(
            (wanted.chapters, wanted.folder),
            (vec!["frost".to_owned()], PathBuf::from("x"))
        );
        let Order::Measure(wanted) = parse("full").unwrap() else { panic!("a run was asked for") };
        assert!(wanted.chapters.is_empty() && !wanted.quiet && wanted.scale == Scale::Full);
        let Order::Compare(old, new) = parse("compare a b").unwrap() else {
            panic!("a comparison")
        };
        assert_eq!((old, new), ("a".into(), "b".into()));
        let Order::Flame(flame) = parse("flame --protocol presign --parties 5").unwrap() else {
            panic!("a drawing")
        };
        assert_eq!((flame.step, flame.parties), (EcdsaStep::Presign, 5));
        let Order::Soak(minutes) = parse("soak --minutes 0.5").unwrap() else { panic!("a soak") };
        assert!((minutes - 0.5).abs() < 1e-12);
    }

    #[test]
    fn refuses_nonsense() {
        for line in [
            "",
            "other",
            "compare a",
            "compare a b c",
            "quick --only x",
            "tiny what",
            "soak",
            "soak --minutes 0",
            "soak --minutes nan",
            "flame",
            "flame --protocol x",
            "flame --protocol sign --parties 1",
        ] {
            assert!(parse(line).is_err(), "{line:?}");
        }
    }

    #[test]
    fn a_command_makes_the_run_again() {
        let Order::Measure(wanted) = parse("quick --only frost").unwrap() else { panic!("a run") };
        assert!(wanted.command(false).ends_with("--bin report -- quick --only frost"));
        assert!(wanted.command(true).contains("benches/peers"));
    }
}
