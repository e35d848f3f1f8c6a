//! Holds the sources to one rule: a length that does not fit is an error, and is never cut to the greatest number. The
//! helpers are in `quorate::session::wire`.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::{Path, PathBuf};

/// Numbers that are no lengths, for which the greatest is right: file, how often, what they are.
const EXCEPTIONS: [(&str, usize, &str); 12] = [
    ("crates/bignum/src/exponent/window.rs", 1, "an estimate of costs"),
    ("crates/bignum/src/prime/search.rs", 1, "a budget"),
    ("crates/bignum/src/prime/sieve.rs", 2, "a place beyond the window, which has no mark"),
    ("crates/cggmp/src/aux_info/search.rs", 1, "an estimate of progress"),
    ("crates/curve/src/msm/pippenger.rs", 1, "an estimate of costs"),
    ("crates/ffi/src/row_store/runs.rs", 1, "a sum that is compared with a bound"),
    ("crates/store/src/value.rs", 2, "a moment and a bound, to compare with"),
    ("crates/tokio/src/builder.rs", 2, "a bound"),
    ("crates/tokio/src/clock.rs", 1, "a time"),
    ("crates/tokio/src/handle.rs", 1, "a time"),
    ("crates/tokio/src/meters.rs", 1, "a gauge"),
    ("crates/tokio/src/transport.rs", 1, "a share of a bound, at most the whole"),
];

/// The conversions in a source that give the greatest number, or zero, for one that does not fit.
fn cuts(source: &str) -> Vec<String> {
    let source: String = source.split_whitespace().collect();
    let conversions = source.split("::try_from(").skip(1);
    let cut = conversions.filter_map(|rest| {
        let mut depth = 1;
        let end = rest.find(|next| {
            depth += i32::from(next == '(') - i32::from(next == ')');
            depth == 0
        })?;
        let (value, then) = rest.split_at(end);
        let instead = then.strip_prefix(").unwrap_or")?;
        let is_cut = instead.starts_with("_default()")
            || instead.strip_prefix('(')?.split(')').next()?.contains("::MAX");
        is_cut.then(|| value.to_owned())
    });
    cut.collect()
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        let is_source = path.extension().is_some_and(|end| end == "rs");
        if path.is_dir() && !path.ends_with("tests") {
            sources(&path, into);
        } else if is_source && !path.ends_with("tests.rs") {
            into.push(path);
        }
    }
}

#[test]
fn no_length_is_cut_to_what_fits() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    let crates = fs::read_dir(root.join("crates")).unwrap().map(|one| one.unwrap().path());
    let examples = ["common", "service", "wallet"].map(|one| root.join("examples").join(one));
    for folder in crates.chain(examples) {
        sources(&folder.join("src"), &mut files);
    }
    assert!(files.len() > 500, "only {} files", files.len());
    let (mut found, mut allowed) = (Vec::new(), 0);
    for path in files {
        let cuts = cuts(&fs::read_to_string(&path).unwrap());
        let exception = EXCEPTIONS.iter().find(|(file, ..)| path.ends_with(file));
        if exception.is_some_and(|(_, number, _)| *number == cuts.len()) {
            allowed += 1;
        } else {
            found.extend(cuts.iter().map(|value| format!("{}: {value}", path.display())));
        }
    }
    assert!(found.is_empty(), "conversions that cut what does not fit:\n{}", found.join("\n"));
    assert_eq!(allowed, EXCEPTIONS.len(), "an exception is not there any more");
}

#[test]
fn planted_cuts_are_found() {
    let source = "let a = u32::try_from(x.len())\n    .unwrap_or(u32::MAX);\n\
                  let b = u8::try_from(f(y)).unwrap_or_default();\n\
                  let c = u16::try_from(z).map_err(drop)?;\nlet d = i8::try_from(w).unwrap_or(0);\n";
    assert_eq!(cuts(source), ["x.len()", "f(y)"]);
}
