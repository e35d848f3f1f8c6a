//! The command line of `report`.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, Error, value_parser};

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
    /// To sign for so many minutes, and where the file goes.
    Soak(f64, PathBuf),
    /// To print tables of a stored run, all or some, as Markdown.
    Tables(PathBuf, Vec<String>),
    /// To write a drawing of a stored run.
    Plot {
        /// The JSON of the run.
        run: PathBuf,
        /// The name of the drawing.
        name: String,
        /// The file.
        to: PathBuf,
    },
    /// To put the tables of a stored run into documents.
    Fill(PathBuf, Vec<PathBuf>),
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
    /// Whether measurements that an earlier run ended are taken from it.
    pub resume: bool,
    /// Loads of the custody service, as files.
    pub served: Vec<PathBuf>,
    /// A soak, as a file.
    pub soak: Option<PathBuf>,
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
        flag("resume")
            .help("Take what an earlier run of this machine has measured, and measure the rest"),
        path("service").action(ArgAction::Append).help("A load that custody load --json wrote"),
        path("soak").help("A soak that report soak wrote"),
    ])
}

fn path(name: &'static str) -> Arg {
    option(name, "FILE").value_parser(value_parser!(PathBuf))
}

/// The commands for documents.
fn documents() -> [Command; 3] {
    let run = || {
        Arg::new("run").value_name("RUN.json").required(true).value_parser(value_parser!(PathBuf))
    };
    let name = |name: &'static str, value| Arg::new(name).value_name(value).required(true);
    [
        Command::new("tables")
            .about("Print tables of a stored run as Markdown")
            .args([run(), Arg::new("table").value_name("TABLE").num_args(0..)]),
        Command::new("plot").about("Write a drawing of a stored run as SVG").args([
            run(),
            name("plot", "PLOT"),
            name("to", "FILE.svg").value_parser(value_parser!(PathBuf)),
        ]),
        Command::new("fill")
            .about("Put the tables of a stored run between the marks of documents")
            .args([
                run(),
                name("document", "FILE.md").num_args(1..).value_parser(value_parser!(PathBuf)),
            ]),
    ]
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
                .args([
                    option("minutes", "N")
                        .required(true)
                        .value_parser(minutes)
                        .help("How long, a fraction too"),
                    folder(),
                ]),
        )
        .subcommands(documents())
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
                Self::Soak(matches.get_one("minutes").copied().unwrap_or_default(), path("out"))
            }
            None if name == "tables" => {
                Self::Tables(path("run"), crate::args::all(matches, "table"))
            }
            None if name == "plot" => {
                let name = matches.get_one::<String>("plot").cloned().unwrap_or_default();
                Self::Plot { run: path("run"), name, to: path("to") }
            }
            None if name == "fill" => {
                Self::Fill(path("run"), crate::args::all(matches, "document"))
            }
            None => Self::Compare(path("old"), path("new")),
            Some(scale) => Self::Measure(Wanted {
                scale,
                chapters: crate::args::all(matches, "only"),
                folder: path("out"),
                quiet: matches.get_flag("quiet"),
                resume: matches.get_flag("resume"),
                served: crate::args::all(matches, "service"),
                soak: matches.get_one("soak").cloned(),
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
        let Order::Soak(minutes, folder) = parse("soak --minutes 0.5 --out x").unwrap() else {
            panic!("a soak")
        };
        assert!((minutes - 0.5).abs() < 1e-12 && folder.as_os_str() == "x");
        let Order::Measure(wanted) =
            parse("full --resume --service a --service b --soak c").unwrap()
        else {
            panic!("a run was asked for")
        };
        assert!(wanted.resume && wanted.soak == Some("c".into()));
        assert_eq!(wanted.served, [PathBuf::from("a"), PathBuf::from("b")]);
        let Order::Tables(run, names) = parse("tables a table-x table-y").unwrap() else {
            panic!("tables")
        };
        assert_eq!((run, names), ("a".into(), vec!["table-x".to_owned(), "table-y".to_owned()]));
        let Order::Plot { run, name, to } = parse("plot a plot-x b.svg").unwrap() else {
            panic!("a drawing")
        };
        assert_eq!((run, name.as_str(), to), ("a".into(), "plot-x", "b.svg".into()));
        let Order::Fill(run, documents) = parse("fill a b.md c.md").unwrap() else {
            panic!("documents")
        };
        assert_eq!((run, documents), ("a".into(), vec!["b.md".into(), "c.md".into()]));
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
            "fill a",
            "plot a b",
            "tables",
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
