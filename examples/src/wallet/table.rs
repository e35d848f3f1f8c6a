//! Columns of text for the terminal.

use core::fmt::Write;
use core::time::Duration;

use super::rounds::Sent;
use super::signing::Message;

/// Rows of cells. Numbers and times stand to the right of their column.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(header: &[&str]) -> Self {
        Self { rows: vec![header.iter().map(|cell| (*cell).to_owned()).collect()] }
    }

    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Appends the table to `out`, indented.
    pub(crate) fn print(&self, out: &mut String) {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |at: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(at));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<_> = (0..columns).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths) {
                let number = cell.strip_suffix(" ms").unwrap_or(cell);
                let right = number.parse::<f64>().is_ok();
                let written = if right {
                    write!(line, "  {cell:>width$}")
                } else {
                    write!(line, "  {cell:<width$}")
                };
                written.ok();
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
}

/// A time for a reader.
pub(crate) fn time(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

/// What was sent in a run, and how long each party took: `what` in each round, and what is done
/// in the `end`.
pub(crate) fn rounds(rounds: &[Sent], what: &[&str], end: &str, out: &mut String) {
    let parties = rounds.first().map_or(&[][..], |round| &round.times);
    // A column for each party, as long as they fit on a line.
    let each = parties.len() <= 4;
    let mut header: Vec<String> = ["round", "what", "messages"].map(str::to_owned).into();
    if each {
        header.extend(parties.iter().map(|(party, _)| format!("party {party}")));
    } else {
        header.push("slowest party".to_owned());
    }
    let mut table = Table { rows: vec![header] };
    for (at, round) in rounds.iter().enumerate() {
        let mut row = match what.get(at) {
            Some(what) => vec![format!("{}", at.saturating_add(1)), (*what).to_owned()],
            None => vec!["end".to_owned(), end.to_owned()],
        };
        row.push(messages(round));
        if each {
            row.extend(round.times.iter().map(|(_, one)| time(*one)));
        } else {
            let slowest = round.times.iter().map(|(_, one)| *one).max();
            row.push(time(slowest.unwrap_or_default()));
        }
        table.row(row);
    }
    table.print(out);
}

fn messages(round: &Sent) -> String {
    let kinds = [(&round.broadcasts, "to everyone"), (&round.directs, "private")];
    let kinds = kinds.into_iter().filter_map(|(sizes, kind)| {
        let bytes = sizes.first()?;
        Some(format!("{} {kind}, {bytes} bytes each", sizes.len()))
    });
    kinds.collect::<Vec<_>>().join("; ")
}

/// What was sent for a signature.
pub(crate) fn signing(report: &[Message], out: &mut String) {
    let mut table = Table::new(&["from", "what", "bytes", "time"]);
    for message in report {
        let from = message.from.map_or("coordinator".to_owned(), |party| format!("party {party}"));
        let cells = [from, message.what.to_owned(), message.bytes.to_string(), time(message.time)];
        table.row(cells.into());
    }
    table.print(out);
}
