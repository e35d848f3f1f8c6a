//! Holds the public names of every crate and example to the table in `CONTRIBUTING.md`: one name for each thing, and none of the
//! names that the table rules out.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Names that the table rules out for one thing, and that stand for another thing here: file, name, the other thing.
const EXCEPTIONS: [(&str, &str, &str); 16] = [
    (
        "crates/envelope/src/directory/draft.rs",
        "finish",
        "a draft of a directory becomes a directory",
    ),
    ("crates/frost/src/hash.rs", "finish", "a hash function ends"),
    (
        "crates/keys/src/migrate/cggmp24.rs",
        "key_info",
        "the type of another library that is migrated",
    ),
    (
        "crates/runner/src/runner/working.rs",
        "finish",
        "a runner takes the result of work done elsewhere",
    ),
    ("crates/session/src/rounds.rs", "finish", "a protocol ends"),
    ("crates/session/src/transcript.rs", "finish", "a transcript ends"),
    ("crates/session/src/wire.rs", "expect", "a reader looks at the length of what follows"),
    ("crates/session/src/wire.rs", "finish", "a reader comes to the end"),
    ("crates/zk/src/figures/pi_mod/prover.rs", "finish", "a proof ends"),
    ("crates/zk/src/sigma/builder.rs", "finish", "a relation is complete"),
    ("crates/zk/src/sigma/combine.rs", "combine", "linear combinations of equations"),
    ("crates/zk/src/sigma/responder.rs", "finish", "a proof ends"),
    ("examples/common/src/args.rs", "party", "an argument is read as a party"),
    ("examples/common/src/files.rs", "shell_word", "a shell splits its line into words"),
    ("examples/custody/core/src/answer.rs", "KeyInfo", "what a node answers about a key"),
    ("examples/wallet/src/shares.rs", "share", "reads a party's share from its file"),
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

/// `_signature_share_`, of `SignatureShare` as of `signature_share` and `SIGNATURE_SHARE`.
fn words(name: &str) -> String {
    if !name.contains(|letter: char| letter.is_ascii_lowercase()) {
        return format!("_{}_", name.to_ascii_lowercase());
    }
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

/// The name that a line declares, if it declares one: also that of a field.
fn declared(line: &str) -> Option<Name> {
    let mut words = line.split(' ').filter(|word| !["unsafe", "async", "static"].contains(word));
    let first = words.next()?;
    if let Some(field) = first.strip_suffix(':') {
        return Some(Name { text: identifier(field), function: false });
    }
    let second = words.next()?;
    let (keyword, text) = match (first, second) {
        ("const", "fn") => ("fn", words.next()?),
        other => other,
    };
    let known = ["const", "fn", "struct", "enum", "trait", "type", "mod"].contains(&keyword);
    let text = identifier(text);
    (known && !text.is_empty()).then(|| Name { text, function: keyword == "fn" })
}

/// The names that a text gives before its colons: the fields of a variant.
fn fields(text: &str) -> impl Iterator<Item = Name> {
    let text = text.replace("::", "");
    let parts: Vec<_> = text.split(':').map(str::to_owned).collect();
    let before = parts.len().saturating_sub(1);
    let last = |part: String| part.rsplit([' ', '{', '(']).next().unwrap_or("").to_owned();
    let names = parts.into_iter().take(before).map(last).filter(|name| !name.is_empty());
    names.map(|text| Name { text, function: false })
}

/// The other names under which a source publishes something: `pub use … as name`.
fn renamed(source: &str) -> impl Iterator<Item = Name> {
    let uses = source.split("pub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let names = uses.flat_map(|list| list.split(" as ").skip(1)).map(identifier);
    names.filter(|name| name != "_").map(|text| Name { text, function: false })
}

/// The public names of a source: its declarations and their fields, the variants of its enums and their fields, the items of
/// its traits, and the names of its exports.
fn names(source: &str) -> BTreeSet<Name> {
    let mut found: BTreeSet<_> = renamed(source).collect();
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
                found.extend(fields(text));
            } else if *is_enum && indent.len() > within.len() && !text.starts_with("//") {
                found.extend(fields(text));
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
    for folder in ["crates", "examples", "examples/custody"] {
        for folder in fs::read_dir(root().join(folder)).unwrap() {
            let folder = folder.unwrap().path().join("src");
            if folder.exists() {
                sources(&folder, &mut files);
            }
        }
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
        let source = fs::read_to_string(root().join(file)).unwrap();
        let found = names(&source).into_iter().any(|found| found.text == name);
        assert!(found, "{file} has no {name} any more");
    }
}

#[test]
fn planted_names_are_found() {
    let source = "pub const fn me(&self) -> PartyId {\n}\npub struct KeyInfo;\npub enum Why {\n    /// A doc.\n    \
                  BadPartialShare,\n    Good { letter: u16 },\n    Fine {\n        /// A doc.\n        parcel: \
                  bool,\n    },\n}\npub const HOT_KEYS: u8 = 1;\npub use other::{Name, Kept as Buried};\npub struct Row \
                  {\n    pub post: u8,\n}\npub trait Store {\n    fn put_back(&self);\n}\n";
    let never = "## Vocabulary\n\n| thing | name | never |\n|---|---|---|\n| a | `b` | `me()` |\n\
                 | a | `b` | `KeyInfo`, `*partial*` |\n| a | `b` | `*put_back*`, `*letter*`, `*parcel*` |\n\
                 | a | `b` | `*post*`, `*hot*`, `*buried*` |\n\n## Next\n";
    let never = ruled_out(never);
    let found: Vec<_> =
        names(source).into_iter().filter(|name| never.iter().any(|never| never.is(name))).collect();
    let found: Vec<_> = found.iter().map(|name| name.text.as_str()).collect();
    let expected = [
        "BadPartialShare",
        "Buried",
        "HOT_KEYS",
        "KeyInfo",
        "letter",
        "me",
        "parcel",
        "post",
        "put_back",
    ];
    assert_eq!(found, expected);
}

#[test]
fn names_that_only_resemble_a_forbidden_one_pass() {
    let source = "pub fn name_of_me(&self) {}\npub struct PostgresStore;\nfn me() {}\npub fn impartial() {}\n";
    let never: Vec<_> = ["me()", "*post*", "*partial*"].map(Never::parse).into();
    assert!(names(source).iter().all(|name| never.iter().all(|never| !never.is(name))));
    assert_eq!(names(source).len(), 3);
}
