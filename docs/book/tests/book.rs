//! The summary, the links and the pictures of the book.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use quorate_book::{FILES, pages};

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn read(file: &str) -> String {
    fs::read_to_string(book().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The targets of `[text](target)` outside of code.
fn links(text: &str) -> Vec<String> {
    let (mut links, mut code) = (Vec::new(), false);
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            code = !code;
        } else if !code {
            let targets = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
            links.extend(targets.map(|(target, _)| target.to_owned()));
        }
    }
    links
}

/// The anchors that headings get.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |line: &str| {
        let text = line.trim_start_matches('#').trim().to_lowercase();
        let kept =
            text.chars().filter(|one| one.is_alphanumeric() || matches!(one, ' ' | '-' | '_'));
        kept.map(|one| if one == ' ' { '-' } else { one }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn the_summary_lists_the_chapters_that_are_tested() {
    let listed = links(&read("SUMMARY.md"));
    assert_eq!(listed, FILES);
    let there = fs::read_dir(book())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let there: BTreeSet<_> =
        there.filter(|name| name.ends_with(".md") && name != "SUMMARY.md").collect();
    assert_eq!(there, FILES.iter().map(|&file| file.to_owned()).collect());
}

#[test]
fn every_link_leads_somewhere_and_every_picture_is_shown() {
    let mut shown = BTreeSet::new();
    for file in FILES {
        for link in links(&read(file)) {
            if link.starts_with("https://") {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            assert!(book().join(path).exists(), "{file}: {link}");
            if !anchor.is_empty() {
                assert!(anchors(&read(path)).contains(anchor), "{file}: {link}");
            }
            if path.starts_with("img/") {
                shown.insert(path.to_owned());
            }
        }
    }
    let there = fs::read_dir(book().join("img")).unwrap();
    let there: BTreeSet<_> =
        there.map(|entry| format!("img/{}", entry.unwrap().file_name().display())).collect();
    assert_eq!(shown, there);
}

/// Files of the repository that the book names in code spans.
#[test]
fn every_file_that_is_named_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut named, places) = (0, ["docs/", "crates/", "examples/", "benches/", "fuzz/"]);
    for file in FILES {
        let text = read(file);
        for span in
            text.split('`').filter(|span| places.iter().any(|place| span.starts_with(place)))
        {
            let path = span.split_whitespace().next().unwrap();
            let known = match path.split_once('*') {
                None => root.join(path).exists(),
                Some((before, after)) => {
                    let (folder, start) = before.rsplit_once('/').unwrap();
                    let entries = fs::read_dir(root.join(folder)).unwrap();
                    entries
                        .map(|entry| entry.unwrap())
                        .filter(|entry| entry.file_name().to_string_lossy().starts_with(start))
                        .any(|entry| entry.path().join(after.trim_start_matches('/')).exists())
                }
            };
            assert!(known, "{file}: {path}");
            named += 1;
        }
    }
    assert!(named > 20, "only {named} names were found");
}

/// The first program in Python is the file that `crates/ffi/run.sh` runs.
#[test]
fn the_python_of_the_book_is_the_file_that_is_run() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/ffi/python/example.py");
    let tested = fs::read_to_string(file).unwrap();
    let text = read("languages.md");
    let shown = text.split("```python\n").nth(1).and_then(|rest| rest.split("```").next());
    assert_eq!(shown, Some(tested.as_str()));
}

/// So the tests that look into the one hold for the other.
#[test]
fn the_loop_of_the_readme_is_the_loop_of_the_chapter() {
    let pages = pages().unwrap();
    let code = |name: &str| {
        let blocks = pages.iter().flat_map(|page| &page.blocks);
        blocks.filter(|block| block.name == name).map(|block| block.code.clone()).next().unwrap()
    };
    assert_eq!(code("readme_2"), code("sessions_2"));
}

/// Each block of the chapter stands in a file of the example, but for how far it is indented.
#[test]
fn the_code_of_the_service_is_that_of_the_example() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/service/src");
    let flat =
        |text: &str| text.lines().map(|line| line.trim().to_owned() + "\n").collect::<String>();
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.is_file());
    let sources: Vec<String> = files.map(|path| flat(&fs::read_to_string(path).unwrap())).collect();
    let text = read("three-processes.md");
    let blocks: Vec<&str> = text.split("```rs\n").skip(1).collect();
    for block in &blocks {
        let block = flat(block.split("```").next().unwrap());
        assert!(sources.iter().any(|source| source.contains(&block)), "{block}");
    }
    assert!(blocks.len() >= 8, "{} blocks", blocks.len());
}
