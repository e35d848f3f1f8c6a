//! The figures of the published reports, as published, each on its own hardware. They stand beside ours and are never
//! part of a ratio with them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// A published report.
#[derive(Debug, Deserialize)]
pub(super) struct Published {
    /// The title of the report, with its year.
    pub(super) title: String,
    pub(super) hardware: String,
    /// The way in which they were taken, and remarks about them.
    pub(super) notes: String,
    /// A figure for the first line in the summary.
    pub(super) headline: Option<String>,
    tables: BTreeMap<String, Vec<Cited>>,
}

/// A row of a table.
#[derive(Debug, Deserialize)]
pub(super) struct Cited {
    /// The rows of ours that it stands under; nothing for the end of the table.
    pub(super) under: String,
    pub(super) label: String,
    /// By the beginning of a column's title.
    pub(super) cells: BTreeMap<String, String>,
}

static ALL: LazyLock<BTreeMap<String, Published>> =
    LazyLock::new(|| serde_json::from_str(include_str!("published.json")).expect("a valid file"));

/// The report that a chapter answers to.
pub(super) fn report(chapter: &str) -> &'static Published {
    &ALL[chapter]
}

/// The rows of a table under some of ours.
pub(super) fn rows(
    table: &str,
    under: &str,
) -> impl Iterator<Item = (&'static Published, &'static Cited)> {
    let all = ALL.values().flat_map(move |report| {
        report.tables.get(table).into_iter().flatten().map(move |row| (report, row))
    });
    all.filter(move |(_, row)| row.under == under)
}

/// The last cell of this column.
pub(super) fn cell(table: &str, under: &str, title: &str) -> Option<String> {
    rows(table, under).last()?.1.cells.get(title).cloned()
}
