//! The tables and drawings of a run that was stored, for documents: so that every figure in them is a file's.

use serde_json::Value;

use super::files::value;

/// A run, as its JSON has it.
pub struct Document(Value);

/// The name of the table of the summary.
const SUMMARY: &str = "table-summary";

/// A document has the mark of a table, then whatever, then the other mark.
const START: &str = "<!-- report: ";
const AFTER_NAME: &str = " -->";
const END: &str = "<!-- end of report -->";

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value[field].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}

/// A table of Markdown.
fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = head.iter().map(|title| cell(title)).collect();
    let mut out = line(&head);
    out += &format!("|{}\n", "---|".repeat(head.len()));
    rows.for_each(|row| out += &line(&row.iter().map(|text| cell(text)).collect::<Vec<_>>()));
    out
}

impl Document {
    /// Reads what a run wrote.
    ///
    /// # Errors
    /// A sentence on what is wrong.
    pub fn read(json: &str) -> Result<Self, String> {
        value(json).map(Self)
    }

    /// The names of all tables, that of the summary first.
    #[must_use]
    pub fn tables(&self) -> Vec<&str> {
        let all = list(&self.0, "tables").iter().map(|one| text(one, "id"));
        core::iter::once(SUMMARY).chain(all).collect()
    }

    /// A table of this name as Markdown, with its caption.
    #[must_use]
    pub fn table(&self, id: &str) -> Option<String> {
        if id == SUMMARY {
            return Some(self.summary());
        }
        let grid = list(&self.0, "tables").iter().find(|one| text(one, "id") == id)?;
        let head: Vec<&str> = list(grid, "head").iter().filter_map(Value::as_str).collect();
        let row = |row: &Value| {
            let bold = text(row, "kind") == "ours";
            let label = text(row, "label").to_owned();
            let label = if bold { format!("**{label}**") } else { label };
            let cells = list(row, "cells").iter().filter_map(Value::as_str).map(str::to_owned);
            core::iter::once(label).chain(cells).collect()
        };
        let rows = list(grid, "rows").iter().map(row);
        Some(format!("{}:\n\n{}", text(grid, "caption"), table(&head, rows)))
    }

    /// A line for each published table.
    fn summary(&self) -> String {
        let row = |line: &Value| {
            let ratio = match (line["peer"].as_str(), line["ratio"].as_f64()) {
                (Some(peer), Some(ratio)) => format!("{peer} {ratio:.1} ×"),
                _ => "–".to_owned(),
            };
            let of = |field: &str| text(line, field).to_owned();
            let published = format!("{} ({})", of("published"), of("hardware"));
            vec![of("what"), format!("**{}**", of("ours")), published, ratio]
        };
        let head = ["what", "ours", "as published", "peer of the same run takes"];
        table(&head, list(&self.0, "summary").iter().map(row))
    }

    /// The machine, the command and the load, in a paragraph.
    #[must_use]
    pub fn conditions(&self) -> String {
        let machine = &self.0["machine"];
        let ifma = if machine["ifma"] == true { "with" } else { "without" };
        format!(
            "Measured on {} ({} threads, {ifma} AVX-512 IFMA, engine {}) by `{}`. {}\n",
            text(machine, "cpu"),
            machine["cores"],
            text(machine, "engine"),
            text(&self.0, "command"),
            text(&self.0, "load"),
        )
    }

    /// A drawing as a file of its own, on white.
    #[must_use]
    pub fn plot(&self, id: &str) -> Option<String> {
        let plot = list(&self.0, "plots").iter().find(|one| text(one, "id") == id)?;
        let svg = text(plot, "svg");
        let after = svg.find("<svg").and_then(|at| Some(at + svg[at..].find('>')? + 1))?;
        let mut out = svg[..after].to_owned();
        out += &format!("\n<title>{}</title>", super::html::escape(text(plot, "title")));
        out += "\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>";
        out += &svg[after..];
        Some(out)
    }

    /// The document with the tables and drawings of this run between its marks, `<!-- report: table-… -->` and `<!-- end of
    /// report -->`. A drawing is the file of its name in the folder `plots`, which ends with a slash if it is any.
    ///
    /// # Errors
    /// A sentence: a mark without its end, or a table that the run does not have.
    pub fn fill(&self, document: &str, plots: &str) -> Result<String, String> {
        let (mut out, mut rest) = (String::new(), document);
        while let Some(mark) = Mark::first(rest)? {
            let Mark { before, id, after } = mark;
            let text = match id {
                "conditions" => Some(self.conditions()),
                _ if id.starts_with("plot-") => self.link(id, plots),
                _ => self.table(id),
            };
            let text = text.ok_or_else(|| format!("the run has no {id}"))?;
            out += &format!("{before}{START}{id}{AFTER_NAME}\n{text}{END}");
            rest = after;
        }
        out += rest;
        Ok(out)
    }

    /// A drawing in a document.
    fn link(&self, id: &str, plots: &str) -> Option<String> {
        let plot = list(&self.0, "plots").iter().find(|one| text(one, "id") == id)?;
        Some(format!("![{}]({plots}{id}.svg)\n", text(plot, "title")))
    }
}

/// The drawings that a document has marks of.
///
/// # Errors
/// A sentence: a mark without its end.
pub(super) fn plots_of(document: &str) -> Result<Vec<&str>, String> {
    let (mut found, mut rest) = (Vec::new(), document);
    while let Some(Mark { id, after, .. }) = Mark::first(rest)? {
        found.extend(Some(id).filter(|id| id.starts_with("plot-")));
        rest = after;
    }
    Ok(found)
}

/// A mark in a document, with what stands before and after it.
struct Mark<'a> {
    before: &'a str,
    id: &'a str,
    after: &'a str,
}

impl<'a> Mark<'a> {
    fn first(document: &'a str) -> Result<Option<Self>, String> {
        let Some((before, marked)) = document.split_once(START) else { return Ok(None) };
        let unended =
            || format!("a mark without its end: {}", marked.lines().next().unwrap_or_default());
        let (id, rest) = marked.split_once(AFTER_NAME).ok_or_else(unended)?;
        let (between, after) = rest.split_once(END).ok_or_else(unended)?;
        if between.contains(START) || id.contains('\n') {
            return Err(unended());
        }
        Ok(Some(Self { before, id, after }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> Document {
        Document::read(
            r#"{"format": 1, "scale": "tiny", "command": "report tiny", "load": "The machine was quiet.",
            "machine": {"cpu": "a CPU", "cores": 2, "ifma": true, "engine": "ifma"},
            "summary": [{"what": "a power", "ours": "1 ms", "published": "5 ms", "hardware": "old", "peer": "gmp", "ratio": 2.04}],
            "tables": [{"id": "table-x", "caption": "Powers", "head": ["engine", "1024 | bits"],
                "rows": [{"kind": "ours", "label": "quorate", "cells": ["1 < 2"]}, {"kind": "peer", "label": "b", "cells": ["3"]}]}],
            "plots": [{"id": "plot-x", "title": "A & B", "svg": "<svg width=\"5\">\n<rect/></svg>"}]}"#,
        )
        .unwrap()
    }

    #[test]
    fn tables_become_markdown() {
        let run = run();
        assert_eq!(run.tables(), ["table-summary", "table-x"]);
        assert_eq!(
            run.table("table-x").unwrap(),
            "Powers:\n\n| engine | 1024 \\| bits |\n|---|---|\n| **quorate** | 1 &lt; 2 |\n| b | 3 |\n"
        );
        let summary = run.table(SUMMARY).unwrap();
        assert!(
            summary.ends_with("| a power | **1 ms** | 5 ms (old) | gmp 2.0 × |\n"),
            "{summary}"
        );
        assert!(run.table("table-y").is_none() && Document::read("{}").is_err());
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
        assert!(
            filled.contains("\n![A & B](docs/plot-x.svg)\n")
                && plots_of(document).unwrap() == ["plot-x"]
        );
        assert!(filled.starts_with("a\n<!-- report: table-x -->\nPowers:"), "{filled}");
        assert!(
            filled.contains("| b | 3 |\n<!-- end of report -->\nb\n") && !filled.contains("old")
        );
        assert!(filled.contains(
            "Measured on a CPU (2 threads, with AVX-512 IFMA, engine ifma) by `report tiny`."
        ));
        assert_eq!(run().fill(&filled, "docs/").as_ref(), Ok(&filled));
        for wrong in
            ["<!-- report: table-x -->\n", "<!-- report: table-y --><!-- end of report -->"]
        {
            assert!(run().fill(wrong, "").is_err(), "{wrong}");
        }
    }
}
