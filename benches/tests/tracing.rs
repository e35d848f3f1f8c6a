//! Without the feature `tracing` the crates of the protocols have not one instruction more: every line that names it
//! stands under the attribute that takes it out before anything is compiled, and no crate has the feature by default.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::path::{Path, PathBuf};

/// The crates with spans, and the one that passes the feature on.
const CRATES: [&str; 4] = ["bignum", "cggmp", "session", "zk"];

const GATE: &str = "#[cfg(feature = \"tracing\")]";

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn without_its_feature_nothing_is_traced() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let (mut spans, mut with_feature) = (0, 0);
    for folder in CRATES.map(|name| crates.join(name)) {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        // What tests depend on is not in what others build.
        let shipped = manifest.split("[dev-dependencies]").next().unwrap();
        for line in shipped.lines().filter(|line| line.contains("tracing")) {
            let feature = line.starts_with("tracing = [");
            let optional = line.starts_with("tracing = {") && line.contains("optional = true");
            assert!(feature || optional, "{}: {line}", folder.display());
            with_feature += usize::from(feature);
        }
        let mut files = Vec::new();
        sources(&folder.join("src"), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            let mut before = "";
            for line in text.lines().map(str::trim) {
                if line.contains("tracing::") {
                    spans += 1;
                    assert_eq!(before, GATE, "{}: {line}", file.display());
                    assert!(
                        line.starts_with("let _span = ") && line.ends_with(".entered();"),
                        "{line}"
                    );
                }
                before = line;
            }
        }
    }
    assert!(spans >= 8 && with_feature == CRATES.len(), "{spans} spans, {with_feature} features");
}
