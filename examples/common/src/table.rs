//! Columns of text for the terminal.

use core::time::Duration;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table as Cells};

use crate::out::Out;

/// Rows of cells. A column of numbers or times stands to the right.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these names over its columns.
    #[must_use]
    pub fn new(header: &[&str]) -> Self {
        Self { rows: vec![header.iter().map(|cell| (*cell).to_owned()).collect()] }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Prints the table, indented.
    pub fn print(&self, out: &mut Out) {
        let mut cells = Cells::new();
        cells.load_style(NOTHING).add_rows(&self.rows);
        for (at, column) in cells.column_iter_mut().enumerate() {
            column.set_padding((2, 0));
            let mut below = self.rows.iter().skip(1).filter_map(|row| row.get(at));
            if below.all(|cell| is_number(cell)) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        for line in cells.lines() {
            out.line(line.trim_end());
        }
    }
}

fn is_number(cell: &str) -> bool {
    cell.strip_suffix(" ms").unwrap_or(cell).parse::<f64>().is_ok()
}

/// A time for a reader.
#[must_use]
pub fn time(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}
