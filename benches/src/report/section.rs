//! The sections of a report: text, tables and plots.

use super::figure::Figure;
use super::machine::Load;
use super::published::Source;

/// Where the cells of a row come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Measured in this run, Quorate.
    Ours,
    /// Measured in this run, another library.
    Peer,
    /// How many times as long a peer of this run took.
    Ratio,
    /// Published, on the hardware that the row names.
    Published,
    /// Counted or computed, the same on every machine.
    Counted,
}

impl Kind {
    /// The name in files and styles.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Peer => "peer",
            Self::Ratio => "ratio",
            Self::Published => "published",
            Self::Counted => "counted",
        }
    }
}

/// A row of a table: whose it is, and its cells.
#[derive(Clone, Debug)]
pub struct Row {
    /// Where its cells come from.
    pub kind: Kind,
    /// The first cell.
    pub label: String,
    /// The others.
    pub cells: Vec<String>,
}

impl Row {
    /// A row.
    pub fn new(kind: Kind, label: impl Into<String>, cells: Vec<String>) -> Self {
        Self { kind, label: label.into(), cells }
    }
}

/// A table.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Its name in the page, `table-…`.
    pub id: String,
    /// Its title.
    pub caption: String,
    /// The head, that of the first column included.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A part of a section.
#[derive(Clone, Debug)]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// A table.
    Table(Grid),
    /// A drawing: its name in the page, its title, and the SVG.
    Plot(String, String, String),
}

/// The line of a published table in the summary.
#[derive(Clone, Debug)]
pub struct Headline {
    /// The quantity that is compared.
    pub what: String,
    /// Our figure, from this run.
    pub ours: String,
    /// Theirs, as published.
    pub published: String,
    /// The peer that ran beside, and how many times as long it took.
    pub ratio: Option<(String, f64)>,
}

impl Headline {
    /// The ratio as it is read.
    #[must_use]
    pub fn ratio(&self) -> String {
        match &self.ratio {
            Some((peer, ratio)) => format!("{peer} {ratio:.1} ×"),
            None => "no peer beside".to_owned(),
        }
    }
}

/// The answer to one published report.
pub struct Section {
    /// Its name in the page and on the command line.
    pub id: &'static str,
    /// Its title.
    pub title: String,
    /// The published report.
    pub source: Source,
    /// All figures measured.
    pub figures: Vec<Figure>,
    /// Text, tables and plots.
    pub blocks: Vec<Block>,
    /// Its lines in the summary, one for each published table.
    pub headlines: Vec<Headline>,
    /// The other load of the machine meanwhile.
    pub load: Load,
}

/// Figures by name and library, while a section is put together.
pub(super) struct Found<'a>(pub(super) &'a [Figure]);

impl<'a> Found<'a> {
    /// A library's figure of this name.
    #[must_use]
    pub(super) fn of(&self, name: &str, who: &str) -> Option<&'a Figure> {
        self.0.iter().find(|figure| figure.name == name && figure.who == who)
    }

    /// The cell of that figure, or a dash.
    #[must_use]
    pub(super) fn cell(&self, name: &str, who: &str) -> String {
        self.of(name, who).map_or_else(|| "–".to_owned(), Figure::cell)
    }

    /// How many times as long `peer` took as `ours`.
    #[must_use]
    pub(super) fn ratio(&self, name: &str, ours: &str, peer: &str) -> Option<f64> {
        Some(self.of(name, ours)?.ratio_of(self.of(name, peer)?))
    }

    /// The libraries, in the order in which they came.
    #[must_use]
    pub(super) fn libraries(&self) -> Vec<&'a str> {
        let mut all: Vec<&str> = Vec::new();
        for figure in self.0 {
            if !all.contains(&figure.who.as_str()) {
                all.push(&figure.who);
            }
        }
        all
    }

    /// Runs, engine and level of a library's figures of this beginning, for the label of a row.
    #[must_use]
    pub(super) fn conditions(&self, prefix: &str, who: &str) -> String {
        let of: Vec<&Figure> =
            self.0.iter().filter(|one| one.who == who && one.name.starts_with(prefix)).collect();
        let Some(first) = of.first() else { return who.to_owned() };
        let runs = of.iter().map(|one| one.samples.len());
        let (least, most) = (runs.clone().min().unwrap_or(0), runs.max().unwrap_or(0));
        let runs = if least == most { least.to_string() } else { format!("{least}–{most}") };
        let parts = [first.engine.as_str(), first.level.as_str()];
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let comma = if parts.is_empty() { "" } else { ", " };
        let plural = if runs == "1" { "run" } else { "runs" };
        format!("{who} ({}{comma}{runs} {plural})", parts.join(", "))
    }
}
