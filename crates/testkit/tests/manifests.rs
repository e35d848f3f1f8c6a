//! Each published crate describes itself: its manifest to the registry and to the host of the documentation, and a table of
//! its features in the documentation of the crate.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The folder of the workspace.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A crate that is published.
struct Package {
    name: String,
    manifest: String,
    /// The documentation, without the signs of a comment.
    text: String,
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap()
}

fn published() -> Vec<Package> {
    let folders =
        fs::read_dir(format!("{ROOT}/crates")).unwrap().map(|folder| folder.unwrap().path());
    let packages: Vec<Package> = folders
        .map(|folder| (read(folder.join("Cargo.toml")), folder))
        .filter(|(manifest, _)| !manifest.contains("\npublish = false"))
        .map(|(manifest, folder)| {
            let documented = read(folder.join("src/lib.rs"));
            let documented = documented
                .lines()
                .map_while(|line| line.strip_prefix("//!").or(line.strip_prefix("#![doc")));
            let documented: Vec<&str> =
                documented.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
            Package {
                name: value(&manifest, "name").unwrap().trim_matches('"').to_owned(),
                manifest,
                text: documented.join("\n"),
            }
        })
        .collect();
    assert!(packages.len() > 15, "there are more crates than that");
    packages
}

/// The value of a line `key = value`.
fn value<'a>(toml: &'a str, key: &str) -> Option<&'a str> {
    toml.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "))
}

/// The strings in quotes.
fn strings(toml: &str) -> Vec<String> {
    toml.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The lines of a table of TOML, without comments.
fn section(toml: &str, title: &str) -> String {
    let lines = toml.lines().skip_while(|line| *line != format!("[{title}]")).skip(1);
    let lines =
        lines.take_while(|line| !line.starts_with('[')).filter(|line| !line.starts_with('#'));
    lines.fold(String::new(), |text, line| text + line + "\n")
}

/// The features and dependencies that each feature turns on.
fn features(manifest: &str) -> BTreeMap<String, Vec<String>> {
    let text = section(manifest, "features");
    let entries = text.split(']').filter_map(|entry| entry.split_once('='));
    entries.map(|(name, list)| (name.trim().to_owned(), strings(list))).collect()
}

/// The features that the feature `default` turns on, by itself or through others.
fn by_default(features: &BTreeMap<String, Vec<String>>) -> BTreeSet<String> {
    let (mut on, mut waiting) = (BTreeSet::new(), vec!["default".to_owned()]);
    while let Some(next) = waiting.pop() {
        if let Some(list) = features.get(&next)
            && on.insert(next)
        {
            waiting.extend(list.iter().cloned());
        }
    }
    on
}

/// The first table under the heading *Features*: the name, and whether it is on by default.
fn table(text: &str) -> BTreeMap<String, bool> {
    let rows = text.lines().skip_while(|line| *line != "# Features");
    let rows = rows.skip_while(|line| !line.starts_with('|'));
    let rows = rows.take_while(|line| line.starts_with('|')).skip(2);
    let cells = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    cells
        .map(|cells| match cells.as_slice() {
            ["", name, on @ ("yes" | "no"), what, ""] if !what.is_empty() => {
                (name.trim_matches('`').to_owned(), *on == "yes")
            }
            _ => panic!("feature, yes or no, what it adds: {cells:?}"),
        })
        .collect()
}

#[test]
fn each_table_of_features_is_that_of_the_manifest() {
    for package in published() {
        let mut features = features(&package.manifest);
        let on = by_default(&features);
        features.remove("default");
        let expected: BTreeMap<String, bool> =
            features.into_keys().map(|name| (name.clone(), on.contains(&name))).collect();
        assert_eq!(table(&package.text), expected, "the table of {}", package.name);
    }
}

#[test]
fn each_manifest_has_what_a_registry_and_its_documentation_want() {
    for Package { name, manifest, .. } in published() {
        let inherited = ["version", "edition", "rust-version", "license", "categories"];
        for key in inherited {
            assert!(manifest.contains(&format!("\n{key}.workspace = true\n")), "{name}: {key}");
        }
        assert!(value(&manifest, "description").is_some_and(|text| text.len() > 20), "{name}");
        assert_eq!(value(&manifest, "readme"), Some(r#""README.md""#), "{name}");
        let keywords = strings(value(&manifest, "keywords").unwrap());
        // The registry's own limits.
        let fits = |word: &String| {
            word.len() <= 20 && word.chars().all(|c| c == '-' || c.is_ascii_alphanumeric())
        };
        assert!(
            (1..=5).contains(&keywords.len()) && keywords.iter().all(fits),
            "{name}: {keywords:?}"
        );
        let documentation = section(&manifest, "package.metadata.docs.rs");
        assert_eq!(value(&documentation, "all-features"), Some("true"), "{name}");
        assert_eq!(
            value(&documentation, "targets"),
            Some(r#"["x86_64-unknown-linux-gnu"]"#),
            "{name}"
        );
    }
}

#[test]
fn all_crates_have_one_version_and_ask_for_it() {
    let workspace = read(format!("{ROOT}/Cargo.toml"));
    let version = value(&section(&workspace, "workspace.package"), "version").unwrap().to_owned();
    let dependencies = section(&workspace, "workspace.dependencies");
    for Package { name, manifest, .. } in published() {
        let asked = value(&dependencies, &name).unwrap_or_else(|| panic!("{name} is not listed"));
        assert!(asked.contains(&format!("version = {version}")), "{name}: {asked}");
        // A published crate must not depend on an unpublished one.
        assert!(!section(&manifest, "dependencies").contains("quorate-testkit"), "{name}");
    }
}

/// Runs `.ci/contact` over a repository of one crate.
#[cfg(unix)]
fn contact(name: &str, security: &str, workspace: &str, package: &str) -> (bool, String) {
    let folder =
        std::env::temp_dir().join(format!("quorate-contact-{name}-{}", std::process::id()));
    fs::create_dir_all(folder.join("crates/one")).unwrap();
    let files =
        [("SECURITY.md", security), ("Cargo.toml", workspace), ("crates/one/Cargo.toml", package)];
    for (file, text) in files {
        fs::write(folder.join(file), text).unwrap();
    }
    let script = format!("{ROOT}/.ci/contact");
    let output = std::process::Command::new(script).arg(&folder).output().unwrap();
    fs::remove_dir_all(folder).unwrap();
    (output.status.success(), String::from_utf8(output.stdout).unwrap())
}

#[cfg(unix)]
#[test]
fn nothing_is_released_before_somebody_can_be_reached() {
    let address = "# Security\n\nReport to: security@example.org\n";
    let workspace = "[workspace.package]\nrepository = \"https://example.org/q\"\n";
    let package = "[package]\nrepository.workspace = true\n";
    assert_eq!(contact("whole", address, workspace, package), (true, String::new()));
    assert!(contact("unpublished", address, workspace, "[package]\npublish = false\n").0);
    let page = "Report to: https://example.org/report\n";
    assert!(contact("page", page, workspace, package).0);

    let (whole, said) = contact("nobody", "begins with `Report to:`\n", workspace, package);
    assert!(!whole && said.contains("SECURITY.md"), "{said}");
    assert!(!contact("empty", "Report to: \n", workspace, package).0);
    let (whole, said) = contact("nowhere", address, "[workspace.package]\n", package);
    assert!(!whole && said.contains("Cargo.toml has no repository"), "{said}");
    let (whole, said) = contact("one", address, workspace, "[package]\n");
    assert!(!whole && said.contains("crates/one/Cargo.toml"), "{said}");
}

/// `.ci/publish` first runs `.ci/contact`, which asks who can be reached, and then rehearses the release.
#[test]
fn a_rehearsal_of_a_release_asks_who_can_be_reached() {
    let script = read(format!("{ROOT}/.ci/publish"));
    let first = script.lines().position(|line| line == "rehearse").unwrap();
    let asked = script.lines().position(|line| line.ends_with("|| .ci/contact")).unwrap();
    assert!(asked < first);
}

/// A library whose manifest turns its tests off must not contain any: they would not run.
#[test]
fn libraries_without_tests_have_none_in_their_sources() {
    let mut without = 0;
    for folder in ["crates", "examples"] {
        for package in fs::read_dir(format!("{ROOT}/{folder}")).unwrap() {
            let package = package.unwrap().path();
            let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap_or_default();
            if section(&manifest, "lib").contains("test = false\n") {
                without += 1;
                let found = tests_in(&package.join("src"));
                assert_eq!(found, [""; 0], "{}", package.display());
            }
        }
    }
    assert!(without > 10, "{without}");
}

/// The files with a test that no macro makes.
fn tests_in(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(tests_in(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = read(&path);
            let mut lines = text.lines();
            if lines.any(|line| matches!(line, "#[cfg(test)]" | "#[test]" | "    #[test]")) {
                found.push(path.display().to_string());
            }
        }
    }
    found
}
