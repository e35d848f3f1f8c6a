//! Figures in the documents: each names its processor, and only ratios are bold. Tables and lists are whole.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the workspace.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Names by which a document tells its reader the processor.
const PROCESSORS: [&str; 5] = ["Xeon", "EPYC", "Ryzen", "i5-", "model was not noted"];

/// Folders with documents of other programs.
const OTHERS: [&str; 4] = ["target", "corpus", "node_modules", ".git"];

/// A document: its name, and its lines outside of blocks of code.
struct Document {
    name: String,
    lines: Vec<String>,
}

/// The documents of the repository.
fn documents() -> Vec<Document> {
    let mut files = Vec::new();
    find(Path::new(ROOT), &mut files);
    let documents: Vec<_> = files.iter().map(|file| Document::read(file)).collect();
    assert!(documents.len() > 80, "only {} documents were found", documents.len());
    documents
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !OTHERS.contains(&name) {
            find(&path, files);
        } else if name.ends_with(".md") {
            files.push(path);
        }
    }
}

impl Document {
    fn read(path: &Path) -> Self {
        let (text, mut code) = (fs::read_to_string(path).unwrap(), false);
        let outside = text.lines().filter(|line| {
            let fence = line.trim_start().starts_with("```");
            code ^= fence;
            !code && !fence
        });
        let name = path.strip_prefix(ROOT).unwrap().display().to_string();
        Self { name, lines: outside.map(str::to_owned).collect() }
    }

    /// The sections: for each its own lines, below those of the sections that contain it.
    fn sections(&self) -> Vec<(Vec<&str>, Vec<&str>)> {
        let (mut above, mut sections) = (Vec::<(usize, Vec<&str>)>::new(), Vec::new());
        let (mut depth, mut own) = (0, Vec::new());
        for line in self.lines.iter().map(String::as_str).chain(["# The end"]) {
            let level = line.split(' ').next().unwrap();
            if level.is_empty() || !level.trim_start_matches('#').is_empty() {
                own.push(line);
                continue;
            }
            above.retain(|(of, _)| *of < depth);
            let outer = above.iter().flat_map(|(_, lines)| lines.iter().copied()).collect();
            sections.push((own.clone(), outer));
            above.push((depth, core::mem::take(&mut own)));
            depth = level.len();
        }
        sections
    }
}

/// Returns whether a text has a number with one of these units behind it.
fn has(text: &str, units: &[&str]) -> bool {
    let ends = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric());
    text.match_indices(|digit: char| digit.is_ascii_digit()).any(|(at, _)| {
        let rest = text[at + 1..].trim_start_matches(' ');
        units.iter().any(|unit| rest.strip_prefix(unit).is_some_and(ends))
    })
}

/// The bold parts of a line.
fn bold(line: &str) -> impl Iterator<Item = &str> {
    line.split("**").skip(1).step_by(2)
}

fn is_ratio(text: &str) -> bool {
    text.strip_suffix(" ×").is_some_and(|number| number.parse::<f64>().is_ok())
}

#[test]
fn every_measured_time_names_its_processor() {
    let mut measured = 0;
    for document in documents() {
        for (own, outer) in document.sections() {
            let Some(line) = own.iter().find(|line| has(line, &["ns", "µs", "ms"])) else {
                continue;
            };
            measured += 1;
            let named = |line: &&str| PROCESSORS.iter().any(|one| line.contains(one));
            let both = own.iter().chain(&outer);
            assert!(both.copied().any(|line| named(&line)), "{}: {line}", document.name);
        }
    }
    assert!(measured > 20, "only {measured} sections with times were found");
}

#[test]
fn bold_figures_are_ratios() {
    let units = ["ns", "µs", "ms", "s", "min", "h", "B", "kB", "MB", "GB", "/s", "%", "×"];
    let mut ratios = 0;
    for document in documents() {
        for line in &document.lines {
            for text in bold(line).filter(|text| has(text, &units)) {
                assert!(is_ratio(text), "{}: {text} in {line}", document.name);
                ratios += 1;
            }
        }
    }
    assert!(ratios > 50, "only {ratios} ratios were found");
}

/// In a table that a report made nothing is bold but ratios.
#[test]
fn nothing_but_ratios_is_bold_in_a_report() {
    let mut rows = 0;
    for document in documents() {
        let mut report = false;
        for line in &document.lines {
            report = line.starts_with("<!-- report: table") || report && !line.starts_with("<!--");
            if report && line.starts_with('|') {
                rows += 1;
                assert!(bold(line).all(is_ratio), "{}: {line}", document.name);
            }
        }
    }
    assert!(rows > 200, "only {rows} rows were found");
}

/// Lines that were wrapped again are still rows and items of their own.
#[test]
fn rows_and_items_are_whole() {
    for document in documents() {
        for line in &document.lines {
            let row = line.starts_with('|');
            assert!(!row || line.trim_end().ends_with('|'), "{}: {line}", document.name);
            // A dash at the end is the sign of the next item, unless it is a minus in code.
            let code = line.matches('`').count() % 2 == 1;
            assert!(code || !line.ends_with(" -"), "{}: {line}", document.name);
        }
    }
}

#[test]
fn units_and_sections_are_found() {
    for (text, found) in
        [("12 ms", true), ("0.1ms, fast", true), ("3 msg", false), ("ms 3", false), ("", false)]
    {
        assert_eq!(has(text, &["ms"]), found, "{text}");
    }
    let lines = ["# A", "on a Xeon", "## B", "1 ms", "# C", "2 ms"].map(str::to_owned).into();
    let document = Document { name: String::new(), lines };
    let sections = document.sections();
    assert_eq!(sections[2], (vec!["1 ms"], vec!["on a Xeon"]));
    assert_eq!(sections[3], (vec!["2 ms"], vec![]));
}
