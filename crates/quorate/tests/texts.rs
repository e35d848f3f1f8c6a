//! Every variant of every error, as it prints. Anyone who changes one reviews `texts/errors.txt`.
//! A text says what was expected, what came, and what to do.
//!
//! To write the file anew: `QUORATE_WRITE_TEXTS=1 cargo test -p quorate --features single-point-of-failure --test texts`.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::unwrap_in_result,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use core::fmt::{Debug, Display, Write};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use quorate_testkit::lockstep::id as party;
use texts::{ecdsa, frost, keys, prf, sessions};

mod texts {
    pub(crate) mod ecdsa;
    pub(crate) mod frost;
    pub(crate) mod keys;
    pub(crate) mod prf;
    pub(crate) mod sessions;
}

/// The lines of the file, by the crate's folder, the error and its variant.
#[derive(Default)]
struct Texts(BTreeMap<(&'static str, &'static str, String), String>);

impl Texts {
    fn put<E: Debug + Display>(&mut self, home: &'static str, errors: impl IntoIterator<Item = E>) {
        let path = core::any::type_name::<E>();
        let name = path.split('<').next().unwrap().rsplit("::").next().unwrap();
        for error in errors {
            let variant = format!("{error:?}");
            let text = error.to_string();
            assert!(!text.is_empty() && !text.ends_with('.') && !text.contains('\n'), "{text:?}");
            assert!(self.0.insert((home, name, variant), text).is_none(), "{error:?} twice");
        }
    }

    fn file(&self) -> String {
        let mut file = String::new();
        for ((home, name, variant), text) in &self.0 {
            // A structure prints its own name, a variant only its own.
            let of = if variant.starts_with(name) { String::new() } else { format!("{name}::") };
            writeln!(file, "{home} {of}{variant}\n    {text}").unwrap();
        }
        file
    }

    /// The variants, without their values.
    fn names(&self) -> BTreeSet<(String, String, String)> {
        let bare = |variant: &String| variant.split([' ', '(', '{']).next().unwrap().to_owned();
        let name = |(home, name, variant): &(&str, &str, String)| {
            ((*home).to_owned(), (*name).to_owned(), bare(variant))
        };
        self.0.keys().map(name).collect()
    }
}

fn all() -> Texts {
    let mut texts = Texts::default();
    sessions::refusals(&mut texts);
    sessions::ends(&mut texts);
    keys::all(&mut texts);
    keys::outside(&mut texts);
    frost::keys(&mut texts);
    frost::packages(&mut texts);
    frost::signatures(&mut texts);
    frost::roast(&mut texts);
    ecdsa::forms(&mut texts);
    ecdsa::keys(&mut texts);
    ecdsa::partial_signatures(&mut texts);
    ecdsa::inventories(&mut texts);
    prf::clients(&mut texts);
    prf::evaluations(&mut texts);
    prf::proofs(&mut texts);
    texts
}

#[test]
fn every_text_is_the_one_that_was_reviewed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/texts/errors.txt");
    let file = all().file();
    if std::env::var_os("QUORATE_WRITE_TEXTS").is_some() {
        fs::write(&path, &file).unwrap();
    }
    let reviewed = fs::read_to_string(&path).unwrap();
    for (reviewed, now) in reviewed.lines().zip(file.lines()) {
        assert_eq!(reviewed, now);
    }
    assert_eq!(reviewed.len(), file.len());
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else {
            into.push(path);
        }
    }
}

/// The variants of the enums with these names, read from the source: four spaces and a capital.
fn variants(source: &str, errors: &BTreeSet<String>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut within = None;
    for line in source.lines() {
        if let Some(rest) = line.strip_prefix("pub enum ") {
            let name = rest.split(['<', ' ']).next().unwrap().to_owned();
            within = errors.contains(&name).then_some(name);
        } else if line == "}" {
            within = None;
        } else if let (Some(name), Some(rest)) = (&within, line.strip_prefix("    "))
            && rest.starts_with(|first: char| first.is_ascii_uppercase())
        {
            let variant = rest.split(['(', ' ', ',', '{']).next().unwrap();
            found.push((name.clone(), variant.to_owned()));
        }
    }
    found
}

#[test]
fn no_variant_is_left_out() {
    let printed = all().names();
    let mut seen = 0;
    for home in ["session", "keys", "frost", "cggmp", "prf"] {
        let mut files = Vec::new();
        sources(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(home).join("src"),
            &mut files,
        );
        let files: Vec<_> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
        // Every type that is an error; and `Check`, which prints within one.
        let mut errors = BTreeSet::from(["Check".to_owned()]);
        for line in files.iter().flat_map(|file| file.lines()) {
            if let Some((_, rest)) = line.split_once("core::error::Error for ") {
                errors.insert(rest.split(['<', ' ']).next().unwrap().to_owned());
            }
        }
        for (name, variant) in files.iter().flat_map(|file| variants(file, &errors)) {
            seen += 1;
            let key = (home.to_owned(), name, variant);
            assert!(printed.contains(&key), "{key:?} is not in the list");
        }
    }
    assert!(seen > 150, "{seen}");
}
