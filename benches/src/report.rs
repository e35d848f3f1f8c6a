//! The command `report`: five published reports, each with our row beside theirs, as a page, CSV and JSON.

mod args;
mod chapters;
mod committee;
mod compare;
pub mod count;
mod ecdsa_lanes;
pub mod encoding;
pub mod figure;
mod files;
pub mod flame;
pub mod floor;
pub mod frost;
mod html;
pub mod machine;
mod markdown;
mod parts;
mod plot;
mod progress;
pub mod published;
mod run;
mod section;
mod served;
mod soak;
pub mod tendermint;
pub mod thorchain;
pub mod tss;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// How many chapters there are.
pub const CHAPTERS: usize = chapters::NAMES.len();

pub use args::{Order, Wanted, command};
pub use compare::{compare, mann_whitney};
pub use files::{Stored, read};
pub use html::{Head, page};
pub use markdown::Document;
pub use plot::{Label, Mark, Series, bars, lines};
pub use run::{Chapter, Peers, Run, Scale};
pub use section::{Block, Grid, Headline, Kind, Row, Section};
pub use served::Served;
pub use soak::{Interval, QUEUE, Soak, Soaked, Stress, soak, stress};

use machine::{Load, Machine};
use parts::Parts;
use progress::Progress;

/// The program: reads the command line and does what it says.
#[must_use]
pub fn main(peers: &Peers) -> ExitCode {
    let order = match Order::new(command().try_get_matches()) {
        Ok(order) => order,
        Err(wrong) => wrong.exit(),
    };
    let done = match &order {
        Order::Measure(wanted) => measure(wanted, peers)
            .and_then(|written| print(&written.summary))
            .and_then(|()| io::stdout().flush()),
        Order::Flame(flame) => flame.draw().and_then(|paths| print(&paths)),
        Order::Soak(minutes, folder) => {
            soak::command(*minutes, folder).and_then(|lines| print(&lines))
        }
        Order::Tables(run, names) => tables(run, names).and_then(|text| print(&text)),
        Order::Plot { run, name, to } => plot(run, name, to),
        Order::Fill(run, documents) => fill(run, documents),
        Order::Compare(old, new) => stored(old)
            .and_then(|old| Ok((old, stored(new)?)))
            .and_then(|(old, new)| print(&compare(&old, &new))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn print(text: &str) -> io::Result<()> {
    io::stdout().write_all(text.as_bytes())
}

fn stored(path: &Path) -> io::Result<Stored> {
    let named = |why: String| io::Error::other(format!("{}: {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|why| named(why.to_string()))?;
    read(&text).map_err(named)
}

fn document(path: &Path) -> io::Result<Document> {
    let named = |why: String| io::Error::other(format!("{}: {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|why| named(why.to_string()))?;
    Document::read(&text).map_err(named)
}

/// Tables of a stored run, all or those of these names, as Markdown.
fn tables(run: &Path, names: &[String]) -> io::Result<String> {
    let run = document(run)?;
    let all = run.tables().into_iter().map(str::to_owned).collect();
    let names: Vec<String> = if names.is_empty() { all } else { names.to_vec() };
    let mut out = run.conditions();
    for name in &names {
        let table =
            run.table(name).ok_or_else(|| io::Error::other(format!("the run has no {name}")))?;
        out += &format!("\n{table}");
    }
    Ok(out)
}

/// A drawing of a stored run as a file.
fn plot(run: &Path, name: &str, to: &Path) -> io::Result<()> {
    let svg = document(run)?.plot(name);
    fs::write(to, svg.ok_or_else(|| io::Error::other(format!("the run has no {name}")))?)
}

/// Puts the tables and drawings of a stored run between the marks of documents. Drawings go into the folder `docs` beside a
/// document, or else into its own.
fn fill(run: &Path, documents: &[PathBuf]) -> io::Result<()> {
    let run = document(run)?;
    for path in documents {
        let named = |why: String| io::Error::other(format!("{}: {why}", path.display()));
        let text = fs::read_to_string(path).map_err(|why| named(why.to_string()))?;
        let own = path.parent().unwrap_or(Path::new(""));
        let beside = if own.join("docs").is_dir() { "docs/" } else { "" };
        let filled = run.fill(&text, beside).map_err(named)?;
        for id in markdown::plots_of(&text).map_err(named)? {
            let svg = run.plot(id).ok_or_else(|| named(format!("the run has no {id}")))?;
            fs::write(own.join(beside).join(id).with_extension("svg"), svg)?;
        }
        fs::write(path, filled)?;
    }
    Ok(())
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
pub fn measure(wanted: &Wanted, peers: &Peers) -> io::Result<Written> {
    let served: Vec<Served> =
        wanted.served.iter().map(|path| served::served(path)).collect::<Result<_, _>>()?;
    let soaked = wanted.soak.as_deref().map(soak::soaked).transpose()?;
    let machine = Machine::here();
    let chapters = chapters::chosen(&wanted.chapters);
    let jobs: Vec<_> =
        chapters.iter().flat_map(|chapter| chapter.jobs(wanted.scale, peers)).collect();
    let progress = Progress::new(&jobs, wanted.quiet, wanted.scale.pick(None, Some(172.0), None));
    if !wanted.quiet {
        eprintln!("{}\n{}: {}", machine.line(), wanted.scale.name(), progress.announcement());
    }
    fs::create_dir_all(&wanted.folder)?;
    let file =
        |ending: &str| wanted.folder.join(format!("report-{}.{ending}", wanted.scale.name()));
    let parts = Parts::new(&file("parts"), &machine, wanted.resume);
    let mut run = Run {
        scale: wanted.scale,
        peers,
        machine: &machine,
        progress,
        parts,
        served: &served,
        soaked: soaked.as_ref(),
        loads: Vec::new(),
    };
    let sections: Vec<Section> = chapters.iter().map(|chapter| chapter.run(&mut run)).collect();
    let loads: Vec<_> = sections.iter().map(|section| section.load).collect();
    let load = Load::together(&loads);
    let command = wanted.command(!peers.frost.is_empty());
    let head =
        Head { machine: &machine, scale: wanted.scale.name(), command: &command, load: &load };
    for (ending, text) in [
        ("html", page(&head, &sections)),
        ("csv", files::csv(&machine, &sections)),
        ("json", files::json(&machine, [wanted.scale.name(), &command], &load, &sections)),
    ] {
        fs::write(file(ending), text)?;
    }
    let mut summary: String = sections.iter().map(lines_of).collect();
    if !wanted.quiet {
        eprintln!("{}", load.sentence());
    }
    let page = file("html");
    summary += &format!("{}\n", page.display());
    Ok(Written { page, summary })
}

/// A line for each published table.
fn lines_of(section: &Section) -> String {
    let hardware = section.source.hardware;
    let line = |line: &Headline| {
        let (title, ratio) = (&section.title, line.ratio());
        let Headline { what, ours, published, .. } = line;
        format!("{title}: {what}: ours {ours}; published {published} on {hardware}; {ratio}\n")
    };
    section.headlines.iter().map(line).collect()
}
