//! The corpus on the stable compiler: what the fuzzer found once stays found.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use quorate_fuzz::{SELECTORS, TARGETS, seeds};

#[test]
fn the_corpus_violates_nothing() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for (name, check) in TARGETS {
        let mut files = 0;
        for file in fs::read_dir(corpus.join(name)).expect("a folder for each target") {
            let path = file.expect("an entry").path();
            println!("{}", path.display());
            check(&fs::read(&path).expect("a file"));
            files += 1;
        }
        assert!(files >= SELECTORS.len(), "{name} has seeds for every suite");
    }
}

/// After a change of a form: `cargo run --example seeds`, and remove what this names.
#[test]
fn the_corpus_has_the_seeds_and_no_older_ones() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut made = BTreeMap::new();
    for (kind, seeds) in [("seed", seeds::all()), ("refused", seeds::refused())] {
        made.extend(seeds.into_iter().map(|seed| {
            (corpus.join(seed.target).join(format!("{kind}_{}", seed.name)), seed.bytes)
        }));
    }
    for (path, bytes) in &made {
        assert!(fs::read(path).is_ok_and(|stored| stored == *bytes), "{}", path.display());
    }
    for (name, _) in TARGETS {
        for file in fs::read_dir(corpus.join(name)).expect("a folder for each target") {
            let path = file.expect("an entry").path();
            let name = path.file_name().expect("a file").to_string_lossy();
            let is_seed = name.starts_with("seed_") || name.starts_with("refused_");
            assert!(!is_seed || made.contains_key(&path), "of an older form: {}", path.display());
        }
    }
}

#[test]
fn seeds_are_valid() {
    for seed in seeds::all() {
        let (_, check) = TARGETS.iter().find(|(name, _)| *name == seed.target).expect("a target");
        assert!(check(&seed.bytes), "{} {}", seed.target, seed.name);
    }
}

#[test]
fn what_differs_in_one_respect_is_refused() {
    for seed in seeds::refused() {
        let (_, check) = TARGETS.iter().find(|(name, _)| *name == seed.target).expect("a target");
        assert!(!check(&seed.bytes), "{} {}", seed.target, seed.name);
    }
}
