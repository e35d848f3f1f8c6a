//! Holds the public names of every crate to the table in `CONTRIBUTING.md`: one name for each thing, and none of the
//! names that the table rules out.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Names that the table rules out for one thing, and that stand for another thing here: file, name, the other thing.
const EXCEPTIONS: [(&str, &str, &str); 12] = [
    ("envelope/src/directory/draft.rs", "finish", "a draft of a directory becomes a directory"),
    ("frost/src/hash.rs", "finish", "a hash function ends"),
    ("keys/src/migrate/cggmp24.rs", "key_info", "the type of another library that is migrated"),
    ("runner/src/runner/working.rs", "finish", "a runner takes the result of work done elsewhere"),
    ("session/src/rounds.rs", "finish", "a protocol ends"),
    ("session/src/transcript.rs", "finish", "a transcript ends"),
    ("session/src/wire.rs", "expect", "a reader looks at the length of what follows"),
    ("session/src/wire.rs", "finish", "a reader comes to the end"),
    ("zk/src/figures/pi_mod/prover.rs", "finish", "a proof ends"),
    ("zk/src/sigma/builder.rs", "finish", "a relation is complete"),
    ("zk/src/sigma/combine.rs", "combine", "linear combinations of equations"),
    ("zk/src/sigma/responder.rs", "finish", "a proof ends"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A name that is ruled out.
#[derive(Debug, PartialEq, Eq)]
enum Never {
    /// `name()`: a function of exactly this name.
    Function(String),
    /// `Name`: anything else of exactly this name.
    Item(String),
    /// `*word*`: any name with this word, or these words, in it.
    Word(String),
}

impl Never {
    fn parse(text: &str) -> Self {
        if let Some(name) = text.strip_suffix("()") {
            Self::Function(name.to_owned())
        } else if let Some(word) = text.strip_prefix('*').and_then(|text| text.strip_suffix('*')) {
            Self::Word(word.to_owned())
        } else {
            Self::Item(text.to_owned())
        }
    }

    fn is(&self, name: &Name) -> bool {
        match self {
            Self::Function(never) => name.function && name.text == *never,
            Self::Item(never) => !name.function && name.text == *never,
            Self::Word(never) => words(&name.text).contains(&format!("_{never}_")),
        }
    }
}

/// A public name of a source.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    text: String,
    function: bool,
}

/// `_signature_share_`, of `SignatureShare` as of `signature_share`.
fn words(name: &str) -> String {
    let mut words = String::from("_");
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !words.ends_with('_') {
            words.push('_');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words + "_"
}

fn identifier(text: &str) -> String {
    text.chars().take_while(|next| next.is_ascii_alphanumeric() || *next == '_').collect()
}

/// The name that a line declares, if it declares one.
fn declared(line: &str) -> Option<Name> {
    let mut words = line.split(' ');
    let keyword = words.find(|word| !["const", "unsafe", "async"].contains(word))?;
    let known = ["fn", "struct", "enum", "trait", "type", "mod"].contains(&keyword);
    let text = identifier(words.next()?);
    (known && !text.is_empty()).then(|| Name { text, function: keyword == "fn" })
}

/// The public names of a source: its declarations, the variants of its enums and the items of its traits.
fn names(source: &str) -> BTreeSet<Name> {
    let mut found = BTreeSet::new();
    // The line that closes the enum or the trait around, and the indentation of what stands in it.
    let mut inside: Option<(String, String, bool)> = None;
    for line in source.lines() {
        let indent: String = line.chars().take_while(|next| *next == ' ').collect();
        let text = line.trim_start();
        if let Some((close, within, is_enum)) = &inside {
            if line == close {
                inside = None;
                continue;
            }
            if indent == *within
                && *is_enum
                && text.starts_with(|next: char| next.is_ascii_uppercase())
            {
                found.insert(Name { text: identifier(text), function: false });
            } else if indent == *within && !is_enum {
                found.extend(declared(text));
            }
        } else if let Some(text) = text.strip_prefix("pub ") {
            found.extend(declared(text));
            let is_enum = text.starts_with("enum ");
            if (is_enum || text.starts_with("trait ")) && !line.ends_with('}') {
                inside = Some((format!("{indent}}}"), format!("{indent}    "), is_enum));
            }
        }
    }
    found
}

/// The names in backticks of the last column of the table.
fn ruled_out(contributing: &str) -> Vec<Never> {
    let section = contributing.split_once("## Vocabulary").unwrap().1;
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| ")).skip(1);
    let last = |row: &str| row.trim_end_matches(" |").rsplit(" | ").next().unwrap().to_owned();
    let quoted = rows.flat_map(|row| {
        let cell = last(row);
        cell.split('`').skip(1).step_by(2).map(Never::parse).collect::<Vec<_>>()
    });
    quoted.collect()
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|end| end == "rs") {
            into.push(path);
        }
    }
}

fn excepted(path: &Path, name: &Name) -> bool {
    EXCEPTIONS.iter().any(|(file, text, _)| path.ends_with(file) && name.text == *text)
}

#[test]
fn no_public_name_is_ruled_out_by_the_table() {
    let never = ruled_out(&fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap());
    assert!(never.len() >= 20, "{never:?}");
    let mut files = Vec::new();
    for folder in fs::read_dir(root().join("crates")).unwrap() {
        sources(&folder.unwrap().path().join("src"), &mut files);
    }
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for path in files {
        for name in names(&fs::read_to_string(&path).unwrap()) {
            seen += 1;
            let out = never.iter().find(|never| never.is(&name));
            if let Some(never) = out.filter(|_| !excepted(&path, &name)) {
                wrong.push(format!("{}: {} ({never:?})", path.display(), name.text));
            }
        }
    }
    assert!(seen > 2_000, "only {seen} names");
    assert!(wrong.is_empty(), "names that CONTRIBUTING.md rules out:\n{}", wrong.join("\n"));
}

#[test]
fn every_exception_is_a_name_that_is_there() {
    for (file, name, _) in EXCEPTIONS {
        let source = fs::read_to_string(root().join("crates").join(file)).unwrap();
        let found = names(&source).into_iter().any(|found| found.text == name);
        assert!(found, "{file} has no {name} any more");
    }
}

#[test]
fn planted_names_are_found() {
    let source = "pub const fn me(&self) -> PartyId {\n}\npub struct KeyInfo;\npub enum Why {\n    /// A doc.\n    \
                  BadPartialShare,\n    Good { party: u16 },\n}\npub trait Store {\n    fn put_back(&self);\n}\n";
    let never = "## Vocabulary\n\n| thing | name | never |\n|---|---|---|\n| a | `b` | `me()` |\n\
                 | a | `b` | `KeyInfo`, `*partial*` |\n| a | `b` | `*put_back*` |\n\n## Next\n";
    let never = ruled_out(never);
    let found: Vec<_> =
        names(source).into_iter().filter(|name| never.iter().any(|never| never.is(name))).collect();
    let found: Vec<_> = found.iter().map(|name| name.text.as_str()).collect();
    assert_eq!(found, ["BadPartialShare", "KeyInfo", "me", "put_back"]);
}

#[test]
fn names_that_only_resemble_a_forbidden_one_pass() {
    let source = "pub fn name_of_me(&self) {}\npub struct PostgresStore;\nfn me() {}\npub fn impartial() {}\n";
    let never: Vec<_> = ["me()", "*post*", "*partial*"].map(Never::parse).into();
    assert!(names(source).iter().all(|name| never.iter().all(|never| !never.is(name))));
    assert_eq!(names(source).len(), 3);
}
