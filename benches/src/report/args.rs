//! The command line of `report`.

use std::path::PathBuf;

use clap::{Args, Parser, builder::PossibleValuesParser};

use super::chapters;
use super::flame::Flame;
use super::run::Scale;

/// Set our figures beside those of five published reports.
#[derive(Clone, Debug, PartialEq, Parser)]
#[command(name = "report", disable_help_subcommand = true)]
pub enum Order {
    /// Every table and plot with the smallest sizes: a test of the report itself
    Tiny(Wanted),
    /// Measure within three minutes
    Quick(Wanted),
    /// Measure all sizes of the published tables; says first how long it takes
    Full(Wanted),
    /// Draw where a protocol run spends its time; needs the feature tracing
    Flame(Flame),
    /// Sign for minutes or hours: whether the rate falls and the heap grows
    Soak {
        /// How long, a fraction too
        #[arg(long, value_name = "N", value_parser = minutes)]
        minutes: f64,
        /// Where the file goes
        #[arg(long = "out", value_name = "FOLDER", default_value = "target/report")]
        folder: PathBuf,
    },
    /// Print tables of a stored run as Markdown
    Tables {
        /// The JSON of the run
        run: PathBuf,
        /// The tables; all unless given
        tables: Vec<String>,
    },
    /// Write a drawing of a stored run as SVG
    Plot {
        /// The JSON of the run
        run: PathBuf,
        /// The name of the drawing
        plot: String,
        /// The file
        to: PathBuf,
    },
    /// Put the tables of a stored run between the marks of documents
    Fill {
        /// The JSON of the run
        run: PathBuf,
        /// Files in Markdown
        #[arg(required = true)]
        documents: Vec<PathBuf>,
    },
    /// Compare two runs, with a test of significance
    Compare {
        /// The JSON of a run
        old: PathBuf,
        /// That of a later one
        new: PathBuf,
    },
}

/// A run that is wanted.
#[derive(Clone, Debug, PartialEq, Args)]
pub struct Wanted {
    /// A chapter; all unless given
    #[arg(long = "only", value_name = "CHAPTER",
        value_parser = PossibleValuesParser::new(chapters::ALL.map(|chapter| chapter.id)))]
    pub chapters: Vec<String>,
    /// Where the page goes
    #[arg(long = "out", value_name = "FOLDER", default_value = "target/report")]
    pub folder: PathBuf,
    /// Leave out the progress
    #[arg(long)]
    pub quiet: bool,
    /// Take what an earlier run of this machine has measured, and measure the rest
    #[arg(long)]
    pub resume: bool,
    /// A load that custody-load wrote
    #[arg(long = "service", value_name = "FILE")]
    pub served: Vec<PathBuf>,
    /// A soak that report soak wrote
    #[arg(long, value_name = "FILE")]
    pub soak: Option<PathBuf>,
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

impl Wanted {
    /// The command that runs this again, with or without peers.
    #[must_use]
    pub fn command(&self, scale: Scale, peers: bool) -> String {
        let package =
            if peers { "--manifest-path benches/peers/Cargo.toml" } else { "-p quorate-benches" };
        let only: String = self.chapters.iter().map(|name| format!(" --only {name}")).collect();
        format!("cargo run --release {package} --bin report -- {}{only}", scale.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ecdsa::EcdsaStep;

    fn parse(line: &str) -> Result<Order, clap::Error> {
        Order::try_parse_from(core::iter::once("report").chain(line.split_whitespace()))
    }

    fn wanted() -> Wanted {
        let Order::Full(wanted) = parse("full").unwrap() else { panic!("a run was asked for") };
        wanted
    }

    #[test]
    fn reads_every_order() {
        let (folder, paths) =
            ("x".into(), |names: &[&str]| names.iter().map(PathBuf::from).collect());
        let (chapters, all) = (vec!["frost".to_owned()], wanted());
        assert!(all.chapters.is_empty() && !all.quiet && all.folder.ends_with("target/report"));
        let quick = Wanted { chapters, folder, quiet: true, ..wanted() };
        let full =
            Wanted { resume: true, served: paths(&["a", "b"]), soak: Some("c".into()), ..wanted() };
        let flame = Flame { step: EcdsaStep::Presign, parties: 5, folder: "target/report".into() };
        let tables = vec!["table-x".to_owned(), "table-y".to_owned()];
        for (line, order) in [
            ("quick --only frost --out x --quiet", Order::Quick(quick)),
            ("full --resume --service a --service b --soak c", Order::Full(full)),
            ("compare a b", Order::Compare { old: "a".into(), new: "b".into() }),
            ("flame --protocol presign --parties 5", Order::Flame(flame)),
            ("soak --minutes 0.5 --out x", Order::Soak { minutes: 0.5, folder: "x".into() }),
            ("tables a table-x table-y", Order::Tables { run: "a".into(), tables }),
            (
                "plot a plot-x b.svg",
                Order::Plot { run: "a".into(), plot: "plot-x".into(), to: "b.svg".into() },
            ),
            (
                "fill a b.md c.md",
                Order::Fill { run: "a".into(), documents: paths(&["b.md", "c.md"]) },
            ),
        ] {
            assert_eq!(parse(line).unwrap(), order, "{line}");
        }
    }

    #[test]
    fn lines_that_make_no_sense_are_refused() {
        let nonsense = "|other|compare a|compare a b c|quick --only x|tiny what|soak|soak --minutes 0|\
                        soak --minutes nan|fill a|plot a b|tables|flame|flame --protocol x|\
                        flame --protocol sign --parties 1";
        for line in nonsense.split('|') {
            assert!(parse(line).is_err(), "{line:?}");
        }
    }

    #[test]
    fn a_command_makes_the_run_again() {
        let wanted = Wanted { chapters: vec!["frost".to_owned()], ..wanted() };
        let command = |peers| wanted.command(Scale::Quick, peers);
        assert!(command(false).ends_with("--bin report -- quick --only frost"));
        assert!(command(true).contains("benches/peers"));
    }
}
