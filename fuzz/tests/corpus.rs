//! The corpus on the stable compiler: what the fuzzer found once stays found.

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
