//! The table of public catalogues in `docs/security-catalogue.md`: what it calls tested has entries and tests that are there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the workspace.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The heading of the table.
const HEADING: &str = "## Coverage of public catalogues\n";

/// Folders without sources of ours.
const OTHERS: [&str; 5] = ["target", "corpus", "artifacts", "node_modules", ".git"];

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !OTHERS.contains(&name) {
            sources(&path, into);
        } else if name.ends_with(".rs") {
            into.push(path);
        }
    }
}

/// The name in front of which a text begins.
fn name(text: &str) -> &str {
    let end = text.find(|next: char| next != '_' && !next.is_ascii_alphanumeric());
    &text[..end.unwrap_or(text.len())]
}

/// The functions below an attribute for tests, and those that a macro makes tests of: `suite_tests!(one, two)`.
fn tests(text: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for ending in ["test]", "::test("] {
        for (at, _) in text.match_indices(ending) {
            let line = text[..at].lines().last().unwrap().trim_start();
            if line.starts_with("#[") {
                found.extend(text[at..].split("fn ").nth(1).map(name));
            }
        }
    }
    for (at, _) in text.match_indices(['(', '{']) {
        let before = text[..at].trim_end();
        let makes = ["_tests!", "every_curve!", "every_group!"];
        if makes.iter().any(|makes| before.ends_with(makes))
            && let Some(end) = text[at..].find([')', '}'])
        {
            let names = text[at + 1..at + end].split(|c: char| c == ',' || c.is_whitespace());
            found.extend(names.filter(|name| !name.is_empty()));
        }
    }
    found
}

/// A row of the table: its cells.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let (_, table) = text.split_once(HEADING).unwrap();
    let table = table.split("\n## ").next().unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| "));
    rows.skip(1).map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

#[test]
fn every_published_flaw_has_tests_that_are_there_or_a_reason() {
    let text = fs::read_to_string(format!("{ROOT}/docs/security-catalogue.md")).unwrap();
    let mut files = Vec::new();
    ["crates", "examples", "benches"]
        .iter()
        .for_each(|folder| sources(&Path::new(ROOT).join(folder), &mut files));
    let files: Vec<_> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let known: BTreeSet<&str> = files.iter().flat_map(|file| tests(file)).collect();
    let (mut published, mut count) = (BTreeSet::new(), 0);
    for row in rows(&text) {
        let [public, pattern, status, entries, last] = row[..] else { panic!("{row:?}") };
        assert!(published.insert(public), "{public} has two rows");
        assert!(pattern.len() > 10, "{public}: no pattern");
        for entry in entries.split(", ").filter(|entry| *entry != "–") {
            assert!(text.contains(&format!("\n**{entry} · ")), "{public}: there is no {entry}");
        }
        let named: Vec<&str> = last.split('`').skip(1).step_by(2).collect();
        match status {
            "tested" => {
                assert!(!named.is_empty(), "{public}: no test");
                let gone: Vec<_> = named.iter().filter(|name| !known.contains(*name)).collect();
                assert!(gone.is_empty(), "{public}: there is no test {gone:?}");
                count += 1;
            }
            "not here" => assert!(last.len() > 12 && entries == "–", "{public}: no reason"),
            other => panic!("{public}: {other}"),
        }
    }
    assert!(count > 100, "only {count} rows with tests were found");
}

#[test]
fn tests_are_told_from_other_functions() {
    let text = "#[test]\n#[ignore]\nfn one() {}\n/// #[test]\nfn two() {}\n#[tokio::test(x)]\nasync fn three() {}\nfn four() {}\n\
                a::curve_tests!(five, six);\nother!(seven);\nevery_curve! { eight\n nine }\n";
    let found: Vec<_> = tests(text).into_iter().collect();
    assert_eq!(found, ["eight", "five", "nine", "one", "six", "three"]);
}
