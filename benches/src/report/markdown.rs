//! Tables and drawings of a stored run for documents, so that every figure in a document comes from a file.

use super::files::{Line, Stored};
use super::machine::Machine;
use super::section::{Kind, Row, or_dash};

/// The name of the table of the summary.
const SUMMARY: &str = "table-summary";

/// A document has the mark of a table, any text, and the mark of its end.
const START: &str = "<!-- report: ";
const AFTER_NAME: &str = " -->";
const END: &str = "<!-- end of report -->";

/// A line of a table of Markdown.
fn line<'a>(cells: impl IntoIterator<Item = &'a String>) -> String {
    let cell = |text: &String| text.replace('|', "\\|").replace('<', "&lt;");
    format!("| {} |\n", cells.into_iter().map(cell).collect::<Vec<_>>().join(" | "))
}

/// A table of Markdown.
fn table(head: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    let rows: String = rows.map(|row| line(&row)).collect();
    format!("{}|{}\n{rows}", line(head), "---|".repeat(head.len()))
}

impl Stored {
    /// The names of all tables, that of the summary first.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let all = self.tables.iter().map(|one| one.id.as_str());
        core::iter::once(SUMMARY).chain(all).collect()
    }

    /// A table of this name as Markdown, with its caption.
    #[must_use]
    pub fn table(&self, id: &str) -> Option<String> {
        if id == SUMMARY {
            return Some(self.summary());
        }
        let grid = self.tables.iter().find(|one| one.id == id)?;
        let row = |Row { kind, label, cells }: &Row| {
            let cell = |cell: &String| match kind {
                // Ratios of one run alone are bold: everything else depends on the processor.
                Kind::Ratio if cell.ends_with('×') => format!("**{cell}**"),
                _ => cell.clone(),
            };
            core::iter::once(label.clone()).chain(cells.iter().map(cell)).collect()
        };
        Some(format!("{}:\n\n{}", grid.caption, table(&grid.head, grid.rows.iter().map(row))))
    }

    /// A line for each published table.
    fn summary(&self) -> String {
        let row = |line: &Line| {
            let Line { hardware, headline, .. } = line;
            let published = format!("{} ({hardware})", headline.published);
            let ratio = headline.ratio().map(|(peer, ratio)| format!("{peer} **{ratio}**"));
            vec![headline.what.clone(), headline.ours.clone(), published, or_dash(ratio)]
        };
        let head = ["what", "ours", "as published", "peer of the same run takes"];
        table(&head.map(str::to_owned), self.summary.iter().map(row))
    }

    /// The machine, the command and the load, in a paragraph.
    #[must_use]
    pub fn conditions(&self) -> String {
        let Self { machine: Machine { cpu, cores, ifma, engine, .. }, command, load, .. } = self;
        let ifma = if *ifma { "with" } else { "without" };
        let machine = format!("{cpu} ({cores} threads, {ifma} AVX-512 IFMA, engine {engine})");
        format!("Measured on {machine} by `{command}`. {load}\n")
    }

    /// A drawing as a file of its own, on white.
    #[must_use]
    pub fn plot(&self, id: &str) -> Option<String> {
        let plot = self.plots.iter().find(|one| one.id == id)?;
        let (head, rest) = plot.svg.split_once('>')?;
        let title = maud::html! { (plot.title) }.into_string();
        let white = "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>";
        Some(format!("{head}>\n<title>{title}</title>\n{white}{rest}"))
    }

    /// The document with the tables and drawings of this run between its marks, `<!-- report: table-… -->` and `<!-- end of
    /// report -->`. A drawing is the file of its name in the folder `plots`, which ends with a slash if it is any.
    ///
    /// # Errors
    /// A sentence: a mark without its end, or a table that the run does not have.
    pub fn fill(&self, document: &str, plots: &str) -> Result<String, String> {
        let (marks, rest) = marks(document)?;
        let mut out = String::new();
        for [before, id] in marks {
            let text = match id {
                "conditions" => Some(self.conditions()),
                _ if id.starts_with("plot-") => {
                    let plot = self.plots.iter().find(|one| one.id == id);
                    plot.map(|plot| format!("![{}]({plots}{id}.svg)\n", plot.title))
                }
                _ => self.table(id),
            };
            let text = text.ok_or_else(|| format!("the run has no {id}"))?;
            out += &format!("{before}{START}{id}{AFTER_NAME}\n{text}{END}");
        }
        Ok(out + rest)
    }
}

/// The drawings that a document has marks of.
pub(super) fn plots_of(document: &str) -> Result<Vec<&str>, String> {
    let names = marks(document)?.0.into_iter().map(|[_, id]| id);
    Ok(names.filter(|id| id.starts_with("plot-")).collect())
}

/// What stands before each mark of a document, and its name; and what stands after the last one.
fn marks(mut document: &str) -> Result<(Vec<[&str; 2]>, &str), String> {
    let mut marks = Vec::new();
    while let Some((before, marked)) = document.split_once(START) {
        let unended =
            || format!("a mark without its end: {}", marked.lines().next().unwrap_or_default());
        let (id, rest) = marked.split_once(AFTER_NAME).ok_or_else(unended)?;
        let (between, after) = rest.split_once(END).ok_or_else(unended)?;
        if between.contains(START) || id.contains('\n') {
            return Err(unended());
        }
        marks.push([before, id]);
        document = after;
    }
    Ok((marks, document))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> Stored {
        Stored::read(
            r#"{"format": 1, "scale": "tiny", "command": "report tiny", "load": "The machine was quiet.", "busy": false,
            "machine": {"cpu": "a CPU", "cores": 2, "ifma": true, "engine": "ifma", "system": "linux", "build": "optimised"},
            "summary": [{"section": "x", "title": "powers", "what": "a power", "ours": "1 ms", "published": "5 ms",
                "hardware": "old", "peer": "gmp", "ratio": 2.04}],
            "tables": [{"id": "table-x", "caption": "Powers", "head": ["engine", "1024 | bits"],
                "rows": [{"kind": "ours", "label": "quorate", "cells": ["1 < 2"]}, {"kind": "peer", "label": "b", "cells": ["3"]},
                    {"kind": "ratio", "label": "b takes", "cells": ["2.00 ×"]}]}],
            "plots": [{"id": "plot-x", "title": "A & B", "svg": "<svg width=\"5\">\n<rect/></svg>"}], "figures": []}"#,
        )
        .unwrap()
    }

    #[test]
    fn tables_become_markdown() {
        let run = run();
        assert_eq!(run.names(), ["table-summary", "table-x"]);
        assert_eq!(
            run.table("table-x").unwrap(),
            "Powers:\n\n| engine | 1024 \\| bits |\n|---|---|\n| quorate | 1 &lt; 2 |\n| b | 3 |\n\
             | b takes | **2.00 ×** |\n"
        );
        let summary = run.table(SUMMARY).unwrap();
        assert!(
            summary.ends_with("| a power | 1 ms | 5 ms (old) | gmp **2.0 ×** |\n"),
            "{summary}"
        );
        assert!(run.table("table-y").is_none());
    }

    #[test]
    fn a_drawing_stands_on_white() {
        let svg = run().plot("plot-x").unwrap();
        assert_eq!(
            svg,
            "<svg width=\"5\">\n<title>A &amp; B</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<rect/></svg>"
        );
        assert!(run().plot("plot-y").is_none());
    }

    #[test]
    fn a_document_is_filled_again_and_again() {
        let document = "a\n<!-- report: table-x -->\nold\n<!-- end of report -->\nb\n\
                        <!-- report: conditions --><!-- end of report -->\n\
                        <!-- report: plot-x --><!-- end of report -->";
        let filled = run().fill(document, "docs/").unwrap();
        assert_eq!(plots_of(document).unwrap(), ["plot-x"]);
        assert!(filled.starts_with("a\n<!-- report: table-x -->\nPowers:"), "{filled}");
        assert!(!filled.contains("old"));
        for text in [
            "\n![A & B](docs/plot-x.svg)\n",
            "**2.00 ×** |\n<!-- end of report -->\nb\n",
            "Measured on a CPU (2 threads, with AVX-512 IFMA, engine ifma) by `report tiny`.",
        ] {
            assert!(filled.contains(text), "{text} in {filled}");
        }
        assert_eq!(run().fill(&filled, "docs/").as_ref(), Ok(&filled));
        for wrong in
            ["<!-- report: table-x -->\n", "<!-- report: table-y --><!-- end of report -->"]
        {
            assert!(run().fill(wrong, "").is_err(), "{wrong}");
        }
    }
}
