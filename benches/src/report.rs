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
pub mod frost;
mod html;
pub mod machine;
mod plot;
mod progress;
pub mod published;
mod run;
mod section;
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
pub use plot::{Label, Mark, Series, bars, lines};
pub use run::{Chapter, Peers, Run, Scale};
pub use section::{Block, Grid, Headline, Kind, Row, Section};
pub use soak::{Interval, Soak, soak};

use machine::{Machine, Watch};
use progress::Progress;

/// The program: reads the command line and does what it says.
#[must_use]
pub fn main(peers: &Peers) -> ExitCode {
    let order = match Order::new(command().try_get_matches()) {
        Ok(order) => order,
        Err(wrong) => wrong.exit(),
    };
    let done = match &order {
        Order::Measure(wanted) => {
            print(&measure(wanted, peers).summary).and_then(|()| io::stdout().flush())
        }
        Order::Flame(flame) => flame.draw().and_then(|paths| print(&paths)),
        Order::Soak(minutes) => print(&soak::command(*minutes)),
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

/// The files of a report, and its last lines.
pub struct Written {
    /// The page; the same name with `.csv` and `.json` has the figures.
    pub page: PathBuf,
    /// The last lines of the output: one for each report, and the path of the page.
    pub summary: String,
}

/// Measures, and writes the page, the CSV and the JSON.
///
/// # Panics
/// If they cannot be written.
#[must_use]
pub fn measure(wanted: &Wanted, peers: &Peers) -> Written {
    let machine = Machine::here();
    let chapters = chapters::chosen(&wanted.chapters);
    let jobs: Vec<_> =
        chapters.iter().flat_map(|chapter| chapter.jobs(wanted.scale, peers)).collect();
    let progress = Progress::new(&jobs, wanted.quiet, wanted.scale.pick(None, Some(160.0), None));
    if !wanted.quiet {
        eprintln!("{}\n{}: {}", machine.line(), wanted.scale.name(), progress.announcement());
    }
    let watch = Watch::start();
    let mut run = Run { scale: wanted.scale, peers, machine: &machine, progress };
    let sections: Vec<Section> = chapters.iter().map(|chapter| chapter.run(&mut run)).collect();
    let load = watch.seen();
    let command = wanted.command(!peers.frost.is_empty());
    let head =
        Head { machine: &machine, scale: wanted.scale.name(), command: &command, load: &load };
    let file =
        |ending: &str| wanted.folder.join(format!("report-{}.{ending}", wanted.scale.name()));
    fs::create_dir_all(&wanted.folder).expect("a folder that can be made");
    for (ending, text) in [
        ("html", page(&head, &sections)),
        ("csv", files::csv(&machine, &sections)),
        ("json", files::json(&machine, wanted.scale.name(), &load, &sections)),
    ] {
        fs::write(file(ending), text).expect("a folder that can be written to");
    }
    let mut summary: String = sections.iter().map(lines_of).collect();
    if !wanted.quiet {
        eprintln!("{}", load.sentence());
    }
    let page = file("html");
    summary += &format!("{}\n", page.display());
    Written { page, summary }
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
