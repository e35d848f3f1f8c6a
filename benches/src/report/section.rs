//! The sections of a report: text, tables and plots.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::figure::{Figure, OURS, Unit};
use super::machine::Load;
use super::published;

/// Where the cells of a row come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
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
    /// The kind of a library's figures.
    pub(super) fn of(who: &str) -> Self {
        if who.starts_with(OURS) { Self::Ours } else { Self::Peer }
    }
}

/// A row of a table: whose it is, and its cells.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Row {
    /// Where its cells come from.
    pub(super) kind: Kind,
    pub(super) label: String,
    pub(super) cells: Vec<String>,
}

/// A table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Grid {
    /// The table's name in the page, `table-…`.
    pub(super) id: String,
    pub(super) caption: String,
    /// The head, that of the first column included.
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Row>,
}

/// The text of a cell, or a dash.
pub(super) fn or_dash(cell: impl Into<Option<String>>) -> String {
    cell.into().unwrap_or_else(|| "–".to_owned())
}

impl Grid {
    /// A table without rows.
    pub(super) fn new<T: Into<String>>(
        [id, caption, first]: [&str; 3],
        head: impl IntoIterator<Item = T>,
    ) -> Self {
        let [id, caption, first] = [id, caption, first].map(str::to_owned);
        let head = core::iter::once(first).chain(head.into_iter().map(Into::into)).collect();
        Self { id, caption, head, rows: Vec::new() }
    }

    /// Adds a row.
    pub(super) fn row<I>(&mut self, kind: Kind, label: impl Into<String>, cells: I)
    where
        I: IntoIterator<Item: Into<Option<String>>>,
    {
        let cells = cells.into_iter().map(or_dash).collect();
        self.rows.push(Row { kind, label: label.into(), cells });
    }

    /// Adds the published rows that stand under some of ours, each with its hardware. A figure is in the last column whose title
    /// begins as the figure's does.
    pub(super) fn cite(&mut self, under: &str) {
        let rows: Vec<_> = published::rows(&self.id, under).collect();
        for (report, row) in rows {
            let mut cells = vec![None; self.head.len()];
            for (title, cell) in &row.cells {
                let at = self.head.iter().rposition(|head| head.starts_with(title.as_str()));
                if let Some(at) = at {
                    cells[at] = Some(cell.clone());
                }
            }
            let label = format!("{} ({})", row.label, report.hardware);
            self.row(Kind::Published, label, cells.into_iter().skip(1));
        }
    }

    /// Adds a row for every library that has one of these figures. Under it stands its floor, if it has one, of `floor`; under a
    /// peer's, how many times as long it takes as `base`.
    pub(super) fn libraries(
        &mut self,
        found: Found<'_>,
        names: &[String],
        [title, base, floor]: [&str; 3],
    ) {
        let has = |who: &&str| names.iter().any(|name| found.of(name, who).is_some());
        for who in found.libraries().into_iter().filter(has) {
            let kind = Kind::of(who);
            let label = format!("{title}{}", found.conditions(names, who));
            self.row(kind, label, names.iter().map(|name| found.cell(name, who)));
            if names.iter().any(|name| found.floor(name, who).is_some()) {
                let label = if title.is_empty() { format!("{who}: ") } else { title.to_owned() };
                let floors = names.iter().map(|name| found.floor_cell(name, who));
                self.row(Kind::Counted, format!("{label}floor, {floor} alone"), floors);
            }
            if kind == Kind::Peer {
                let beside = if base == OURS { String::new() } else { format!(", beside {base}") };
                let ratio = |name: &String| Some(times(found.ratio(name, base, who)?));
                let label = format!("{title}{who} takes{beside}");
                self.row(Kind::Ratio, label, names.iter().map(ratio));
            }
        }
    }
}

/// How many times as long, as it is read.
pub(super) fn times(ratio: f64) -> String {
    format!("{ratio:.2} ×")
}

/// The paragraphs under a table of the page.
pub(super) fn notes(table: &str) -> impl Iterator<Item = &'static str> {
    let parts = include_str!("notes.md").split("\n## ");
    let of = parts.filter_map(move |part| part.split_once("\n\n").filter(|(id, _)| *id == table));
    of.flat_map(|(_, text)| text.trim().split("\n\n"))
}

/// A drawing.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Drawing {
    /// The name in the page, `plot-…`.
    pub(super) id: String,
    pub(super) title: String,
    pub(super) svg: String,
}

/// The line of a published table in the summary.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Headline {
    pub(super) what: String,
    pub(super) ours: String,
    pub(super) published: String,
    peer: Option<String>,
    ratio: Option<f64>,
}

impl Headline {
    /// Our figure and the published one, and how many times as long a peer took.
    pub(super) fn new(
        what: impl Into<String>,
        [ours, published]: [Option<String>; 2],
        ratio: Option<(String, f64)>,
    ) -> Self {
        let (peer, ratio) = ratio.unzip();
        let [ours, published] = [ours, published].map(or_dash);
        Self { what: what.into(), ours, published, peer, ratio }
    }

    /// The peer, and the ratio as it is read.
    pub(super) fn ratio(&self) -> Option<(&str, String)> {
        Some((self.peer.as_deref()?, format!("{:.1} ×", self.ratio?)))
    }

    /// Both, or that no peer was measured.
    pub(super) fn peer(&self) -> String {
        let both = |(peer, ratio)| format!("{peer} {ratio}");
        self.ratio().map_or_else(|| "no peer beside".to_owned(), both)
    }
}

/// What the page has of the figures of a section.
#[derive(Default)]
pub(super) struct Shown {
    pub(super) tables: Vec<Grid>,
    pub(super) plots: Vec<Drawing>,
    /// Lines of the summary, one for each published table.
    pub(super) headlines: Vec<Headline>,
    /// Figures that the run was given.
    pub(super) given: Vec<Figure>,
}

/// The answer to one published report.
pub(super) struct Section {
    /// The section's name in the page and on the command line.
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) figures: Vec<Figure>,
    pub(super) shown: Shown,
    /// The other load of the machine meanwhile.
    pub(super) load: Load,
}

/// Figures by name and library, while a section is put together.
#[derive(Clone, Copy)]
pub(super) struct Found<'a>(pub(super) &'a [Figure]);

impl<'a> Found<'a> {
    /// A library's figure of this name.
    pub(super) fn of(&self, name: &str, who: &str) -> Option<&'a Figure> {
        self.0.iter().find(|figure| figure.name == name && figure.who == who)
    }

    /// The cell of that figure.
    pub(super) fn cell(&self, name: &str, who: &str) -> Option<String> {
        self.of(name, who).map(Figure::cell)
    }

    /// The median or mean of one of our figures.
    pub(super) fn middle(&self, name: &str) -> Option<f64> {
        self.of(name, OURS).map(Figure::middle)
    }

    /// How many times as long `peer` took as `ours`.
    pub(super) fn ratio(&self, name: &str, ours: &str, peer: &str) -> Option<f64> {
        Some(self.of(name, ours)?.ratio_of(self.of(name, peer)?))
    }

    /// The floor under a figure of a library, and how many times as long the figure is.
    pub(super) fn floor(&self, name: &str, who: &str) -> Option<(f64, f64)> {
        let floor = self.of(&super::floor::name(name), who)?.middle();
        Some((floor, self.of(name, who)?.middle() / floor))
    }

    fn floor_cell(&self, name: &str, who: &str) -> Option<String> {
        let (floor, distance) = self.floor(name, who)?;
        Some(format!("{} (ours {})", Unit::Micros.show(floor), times(distance)))
    }

    /// The libraries, in the order in which they came.
    pub(super) fn libraries(&self) -> Vec<&'a str> {
        let mut seen = BTreeSet::new();
        self.0.iter().map(|figure| &*figure.who).filter(|who| seen.insert(*who)).collect()
    }

    /// The first peer whose name begins with one of these, and how many times as long it took as `ours`.
    pub(super) fn peer(&self, name: &str, ours: &str, wanted: &[&str]) -> Option<(String, f64)> {
        let mut peers = self.libraries();
        peers.retain(|who| Kind::of(who) == Kind::Peer);
        let find = |wanted: &&str| peers.iter().find(|who| who.starts_with(wanted));
        let peer = *wanted.iter().find_map(find)?;
        Some((peer.to_owned(), self.ratio(name, ours, peer)?))
    }

    /// Runs, engine and level of a library's figures of these names, for the label of a row.
    pub(super) fn conditions(&self, names: &[String], who: &str) -> String {
        let of: Vec<&Figure> = names.iter().filter_map(|name| self.of(name, who)).collect();
        let Some(first) = of.first() else { return who.to_owned() };
        let runs = of.iter().map(|one| one.samples.len());
        let runs = match (runs.clone().min().unwrap_or(0), runs.max().unwrap_or(0)) {
            (1, 1) => "1 run".to_owned(),
            (least, most) if least == most => format!("{least} runs"),
            (least, most) => format!("{least}–{most} runs"),
        };
        let same = of.iter().all(|one| one.level == first.level);
        let level = if same { first.level.as_str() } else { "" };
        let parts = [first.engine.as_str(), level, &runs];
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        format!("{who} ({})", parts.join(", "))
    }
}
