//! The command `report`: five published reports, each with our row beside theirs, as a page, CSV and JSON.

mod args;
mod chapters;
mod committee;
mod compare;
mod ecdsa_floors;
mod ecdsa_lanes;
pub mod encoding;
mod figure;
mod files;
mod flame;
mod floor;
mod frost;
mod html;
mod machine;
mod markdown;
mod parts;
mod plot;
mod progress;
mod published;
mod run;
mod section;
mod served;
mod soak;
mod tendermint;
mod thorchain;
mod tss;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use clap::Parser as _;

/// How many chapters there are.
pub const CHAPTERS: usize = chapters::ALL.len();

pub use args::{Order, Wanted};
pub use compare::{compare, mann_whitney};
pub(crate) use ecdsa_floors::Floors;
pub use figure::Figure;
pub use files::Stored;
pub use flame::Flame;
pub use run::{Peers, Scale};
pub use soak::{Interval, QUEUE, Soak, Stress, soak, stress};

use files::{Line, from_file, from_json};
use machine::{Load, Machine};
use parts::Parts;
use progress::RunProgress;
use run::Run;
use section::Section;
use served::Served;
use soak::Soaked;

/// The program: reads the command line and does what it says.
#[must_use]
pub fn main(peers: &Peers) -> ExitCode {
    match done(&Order::parse(), peers) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Carries out an order; what it prints.
fn done(order: &Order, peers: &Peers) -> io::Result<String> {
    let stored = |path: &Path| from_file(path, Stored::read);
    let run = |scale, wanted| Ok(measure(scale, wanted, peers)?.summary);
    match order {
        Order::Tiny(wanted) => run(Scale::Tiny, wanted),
        Order::Quick(wanted) => run(Scale::Quick, wanted),
        Order::Full(wanted) => run(Scale::Full, wanted),
        Order::Flame(flame) => flame.draw(),
        Order::Soak { minutes, folder } => soak::command(*minutes, folder),
        Order::Tables { run, tables } => stored(run)?.print(tables),
        Order::Plot { run, plot, to } => {
            let svg = stored(run)?.plot(plot);
            fs::write(to, svg.ok_or_else(|| lacks(plot))?)?;
            Ok(String::new())
        }
        Order::Fill { run, documents } => {
            let run = stored(run)?;
            documents.iter().try_for_each(|path| fill(&run, path))?;
            Ok(String::new())
        }
        Order::Compare { old, new } => Ok(compare(&stored(old)?, &stored(new)?)),
    }
}

fn lacks(name: &str) -> io::Error {
    io::Error::other(format!("the run has no {name}"))
}

impl Stored {
    /// Tables, all or those of these names, as Markdown.
    fn print(&self, names: &[String]) -> io::Result<String> {
        let all = self.names();
        let names = if names.is_empty() { all } else { names.iter().map(String::as_str).collect() };
        let tables = names.into_iter().map(|name| {
            let table = self.table(name).ok_or_else(|| lacks(name))?;
            Ok(format!("\n{table}"))
        });
        Ok(self.conditions() + &tables.collect::<io::Result<String>>()?)
    }
}

/// Puts the tables and drawings of a stored run between the marks of a document. Drawings go into the folder `docs` beside the
/// document, or else into its own.
fn fill(run: &Stored, path: &Path) -> io::Result<()> {
    let own = path.parent().unwrap_or(Path::new(""));
    let beside = if own.join("docs").is_dir() { "docs/" } else { "" };
    let (filled, plots) = from_file(path, |text| {
        let plots = markdown::plots_of(text)?;
        Ok((run.fill(text, beside)?, plots.into_iter().map(str::to_owned).collect::<Vec<_>>()))
    })?;
    for id in plots {
        let svg = run.plot(&id).ok_or_else(|| lacks(&id))?;
        fs::write(own.join(beside).join(id).with_extension("svg"), svg)?;
    }
    fs::write(path, filled)
}

/// The files of a report, and its last lines.
pub struct Written {
    /// The page; the same name with `.csv` and `.json` has the figures.
    pub page: PathBuf,
    /// The last lines of the output: one for each report, and the path of the page.
    pub summary: String,
}

/// Measures, and writes the page, the CSV and the JSON.
///
/// # Errors
/// If a file that was given cannot be read, or the page cannot be written.
pub fn measure(scale: Scale, wanted: &Wanted, peers: &Peers) -> io::Result<Written> {
    let served = wanted.served.iter().map(|path| from_file(path, from_json));
    let served: Vec<Served> = served.collect::<io::Result<_>>()?;
    let soaked: Option<Soaked> =
        wanted.soak.as_deref().map(|path| from_file(path, from_json)).transpose()?;
    let machine = Machine::here();
    let chapters = chapters::chosen(&wanted.chapters);
    let pieces = chapters.iter().flat_map(|chapter| (chapter.pieces)(scale, peers));
    let jobs: Vec<_> = pieces.map(|piece| piece.job).collect();
    let progress = RunProgress::new(&jobs, wanted.quiet, scale.pick([None, Some(172.0), None]));
    let name = scale.name();
    progress.say(&format!("{}\n{name}: {}", machine.line(), progress.announcement()));
    fs::create_dir_all(&wanted.folder)?;
    let file = |ending: &str| wanted.folder.join(format!("report-{name}.{ending}"));
    let parts = Parts::new(&file("parts"), &machine, wanted.resume);
    let (served, soaked) = (&served[..], soaked.as_ref());
    let mut run = Run { scale, peers, progress, parts, served, soaked, loads: Vec::new() };
    let sections: Vec<Section> = chapters.iter().map(|chapter| chapter.run(&mut run)).collect();
    let load = Load::together(&sections.iter().map(|section| section.load).collect::<Vec<_>>());
    let command = wanted.command(scale, !peers.frost.is_empty());
    let stored = Stored::new(&machine, [name, &command], &load, &sections);
    fs::write(file("html"), html::page(&stored, &sections))?;
    fs::write(file("csv"), files::csv(&machine, &sections).map_err(io::Error::other)?)?;
    fs::write(file("json"), stored.json()?)?;
    run.progress.say(&load.sentence());
    let page = file("html");
    let lines: String = stored.summary.iter().map(Line::sentence).collect();
    Ok(Written { summary: format!("{lines}{}\n", page.display()), page })
}
