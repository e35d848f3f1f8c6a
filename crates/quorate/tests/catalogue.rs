//! Holds `docs/security-catalogue.md` to the code: every number that is quoted has an entry, and every entry
//! has a source, files and tests that are there.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The families of numbers: keys, ciphertexts, proofs, sharing, sessions, ECDSA, FROST, encodings, side
/// channels, robustness, lattices.
const FAMILIES: [&str; 11] = ["PK", "CT", "ZK", "VS", "SE", "EC", "FR", "EN", "SC", "RB", "ML"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("..")
}

/// The sources and documents below a folder, without build output.
fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if !["target", "corpus", "artifacts"].contains(&name.as_str()) && !name.starts_with('.')
            {
                files(&path, into);
            }
        } else if [".rs", ".md", ".py"].iter().any(|end| name.ends_with(end)) {
            into.push(path);
        }
    }
}

/// The number at the front of a text: `FR-02`, or `fr_02` as the name of a test has it.
fn number(text: &str, dash: char) -> Option<String> {
    let (family, rest) = text.split_at_checked(2)?;
    let rest = rest.strip_prefix(dash)?;
    let (digits, rest) = rest.split_at_checked(2)?;
    let family = if dash == '_' { family.to_ascii_uppercase() } else { family.to_owned() };
    let whole = !rest.starts_with(|next: char| next.is_ascii_alphanumeric());
    let known = FAMILIES.contains(&family.as_str());
    let number = digits.bytes().all(|digit| digit.is_ascii_digit());
    (known && number && whole).then(|| format!("{family}-{digits}"))
}

/// The names of all functions of a source, in Rust or Python.
fn functions(text: &str) -> impl Iterator<Item = String> {
    let names = text.split("fn ").skip(1).chain(text.split("def ").skip(1));
    names.filter_map(|rest| Some(rest.split_once(['(', '<'])?.0.to_owned()))
}

/// The numbers that a text quotes.
fn quoted(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let starts = text.char_indices().filter(|(at, first)| {
        let before = text[..*at].chars().next_back();
        first.is_ascii_uppercase() && !before.is_some_and(|b| b.is_ascii_alphanumeric() || b == '-')
    });
    found.extend(starts.filter_map(|(at, _)| number(&text[at..], '-')));
    for name in text.split("fn ").skip(1) {
        let mut name = name;
        while let Some(one) = number(name, '_') {
            found.insert(one);
            name = name[5..].trim_start_matches('_');
        }
    }
    found
}

/// The part of an entry behind one mark, up to the next.
fn part<'a>(entry: &'a str, mark: &str, next: &str) -> &'a str {
    let (_, rest) = entry.split_once(mark).unwrap_or_else(|| panic!("no {mark} in {entry}"));
    rest.split(next).next().unwrap()
}

/// The texts between backticks.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

struct Entry {
    number: String,
    text: String,
}

fn entries() -> Vec<Entry> {
    let text = fs::read_to_string(root().join("docs/security-catalogue.md")).unwrap();
    let paragraphs = text.split("\n\n").filter_map(|paragraph| {
        let number = number(paragraph.strip_prefix("**")?, '-')?;
        Some(Entry { number, text: paragraph.replace('\n', " ") })
    });
    paragraphs.collect()
}

fn sources() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for folder in ["crates", "docs", "examples", "benches", "fuzz"] {
        files(&root().join(folder), &mut found);
    }
    for document in ["README.md", "SECURITY.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        found.push(root().join(document));
    }
    let read = |path: PathBuf| fs::read_to_string(&path).map(|text| (path, text)).unwrap();
    found.into_iter().map(read).collect()
}

#[test]
fn every_number_that_is_quoted_has_an_entry() {
    let entries = entries();
    let defined: BTreeSet<_> = entries.iter().map(|entry| entry.number.clone()).collect();
    assert_eq!(defined.len(), entries.len(), "a number has two entries");
    let mut all = BTreeSet::new();
    for (path, text) in sources() {
        let quoted = quoted(&text);
        let unknown: Vec<_> = quoted.difference(&defined).collect();
        assert!(unknown.is_empty(), "{} quotes {unknown:?}", path.display());
        all.extend(quoted);
    }
    // The search finds something, names of tests included.
    assert!(["FR-02", "EN-04", "VS-14", "RB-02"].iter().all(|known| all.contains(*known)));
}

#[test]
fn every_entry_names_its_source_its_check_and_its_tests() {
    let functions: BTreeSet<String> =
        sources().iter().flat_map(|(_, text)| functions(text)).collect();
    let entries = entries();
    assert!(entries.len() >= 70, "{}", entries.len());
    for Entry { number, text } in entries {
        assert!(part(&text, "*Source:*", "*Stopped by:*").trim().len() > 5, "{number}: no source");
        let checks: Vec<_> = code(part(&text, "*Stopped by:*", "*Tests:*"))
            .filter(|code| code.contains('/') || code.ends_with(".toml"))
            .collect();
        assert!(!checks.is_empty(), "{number}: no file");
        for file in checks {
            assert!(root().join(file).exists(), "{number}: there is no {file}");
        }
        let tests: Vec<_> = code(part(&text, "*Tests:*", "\n")).collect();
        assert!(!tests.is_empty(), "{number}: no test");
        for test in tests {
            assert!(functions.contains(test), "{number}: there is no test {test}");
        }
    }
}
