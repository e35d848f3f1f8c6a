//! The files of `docs/spec/vectors` are what their seeds make: byte for byte, so a change of any format fails here.
#![allow(clippy::unwrap_used, reason = "a test that fails stops")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use quorate_vectors::{Problem, names, replay, write};

/// The vectors.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/spec/vectors");

/// An empty folder for a test.
fn empty(name: &str) -> PathBuf {
    let folder =
        std::env::temp_dir().join(format!("quorate-vectors-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn replayed(beginnings: &[&str]) -> usize {
    let chosen: Vec<_> = beginnings.iter().map(|one| (*one).to_owned()).collect();
    replay(Path::new(FOLDER), &chosen).unwrap_or_else(|problem| panic!("{problem}"))
}

#[test]
fn every_file_of_the_list_is_there_and_no_other() {
    let there: BTreeSet<_> = fs::read_dir(FOLDER)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let listed = names().into_iter().chain(["schema".to_owned()]).collect();
    assert_eq!(there, listed);
}

/// Every suite, with the shortest runs; and a repair.
#[test]
fn short_runs_of_frost_are_what_their_seeds_make() {
    let is_short = |name: &str| name.starts_with("frost-") && name.ends_with("-2-2");
    let all = names();
    let mut files: Vec<_> = all.iter().map(String::as_str).filter(|name| is_short(name)).collect();
    assert_eq!(files.len(), 6);
    files.push("frost-ed25519-3-2");
    assert_eq!(replayed(&files), files.len());
}

#[test]
fn short_runs_of_ecdsa_are_what_their_seeds_make() {
    let files =
        ["ecdsa-secp256k1-2-2", "ecdsa-p256-3-2", "aux-info-2048-2", "presign-p256-2048-2-2"];
    assert_eq!(replayed(&files), files.len());
}

#[test]
fn cheats_are_found_as_the_files_say() {
    let files = ["evidence-frost-ristretto255", "evidence-ecdsa-secp256k1"];
    assert_eq!(replayed(&files), files.len());
}

/// The names of an enum's variants in the sources of sessions.
fn variants(name: &str) -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../session/src/blame.rs");
    let text = fs::read_to_string(path).unwrap();
    let (_, body) = text.split_once(&format!("pub enum {name} {{")).unwrap();
    let (body, _) = body.split_once("\n}").unwrap();
    let lines = body.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    let names = lines.filter_map(|line| line.split([',', '(', ' ']).next());
    names.filter(|name| name.starts_with(char::is_uppercase)).map(str::to_owned).collect()
}

/// Every fault that a protocol can name has a run in which it is found, and so has every end but those that
/// `docs/spec/vectors.md` lists.
#[test]
fn every_fault_and_every_end_has_a_run() {
    let mut found = BTreeSet::new();
    for name in names().iter().filter(|name| name.starts_with("evidence")) {
        let text = fs::read_to_string(format!("{FOLDER}/{name}.json")).unwrap();
        for member in ["\"fault\": \"", "\"check\": \"", "\"reason\": \""] {
            let values = text.split(member).skip(1).map(|rest| rest.split('"').next().unwrap());
            found.extend(values.map(str::to_owned));
        }
    }
    let faults = variants("Fault");
    assert!(faults.len() > 12, "{faults:?}");
    let others = ["Complaint", "Internal"];
    let ends = variants("Abort").into_iter().chain(variants("Check"));
    for name in faults.into_iter().chain(ends).filter(|name| !others.contains(&name.as_str())) {
        assert!(found.contains(&name), "{name}");
    }
}

/// The whole folder.
#[test]
#[ignore = "two minutes: .ci/run vectors"]
fn every_run_is_what_its_seeds_make() {
    assert_eq!(replayed(&[]), names().len());
}

#[test]
fn what_is_written_is_what_is_there() {
    let (folder, name) = (empty("written"), "frost-p256-2-2");
    assert_eq!(write(&folder, &[name.to_owned()]).unwrap(), 1);
    let [written, there] = [&folder, Path::new(FOLDER)]
        .map(|folder| fs::read(folder.join(format!("{name}.json"))).unwrap());
    fs::remove_dir_all(folder).unwrap();
    assert!(written == there, "{name}");
}

/// A digit of a frame, of a share, of a seed.
#[test]
fn one_changed_digit_is_found() {
    let (folder, name) = (empty("changed"), "frost-ristretto255-2-2");
    let text = fs::read_to_string(Path::new(FOLDER).join(format!("{name}.json"))).unwrap();
    let path = folder.join(format!("{name}.json"));
    for member in ["\"bytes\": \"", "\"share\": \"", "\"fresh\": \"", "\"signature\": \""] {
        let at = text.find(member).unwrap() + member.len();
        let mut changed = text.clone().into_bytes();
        changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
        fs::write(&path, changed).unwrap();
        let found = replay(&folder, &[name.to_owned()]);
        assert!(matches!(found, Err(Problem::Differs(..))), "{member}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn missing_files_broken_files_and_unknown_names_are_refused() {
    let folder = empty("other");
    let missing = ["frost-p256-2-2".to_owned()];
    assert!(matches!(replay(&folder, &missing), Err(Problem::Io(..))));
    fs::write(folder.join("frost-p256-2-2.json"), "{").unwrap();
    assert!(matches!(replay(&folder, &missing), Err(Problem::Json(..))));
    let unknown = ["frost-p256-9-9".to_owned()];
    assert!(matches!(replay(&folder, &unknown), Err(Problem::NoSuchName(_))));
    fs::remove_dir_all(folder).unwrap();
}
