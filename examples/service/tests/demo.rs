//! The whole demonstration, as a reader starts it: three processes, one of which is killed.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn three_processes_make_keys_survive_a_kill_and_sign_what_the_policy_allows() {
    let demo = Command::new(env!("CARGO_BIN_EXE_quorate-service")).arg("demo").output().unwrap();
    let said = String::from_utf8(demo.stdout).unwrap();
    let errors = String::from_utf8_lossy(&demo.stderr);
    assert!(demo.status.success(), "{said}{errors}");
    for expected in [
        "Three nodes search for primes of 384 bits, and make keys.",
        "Node 2 is killed with SIGKILL",
        "Nodes [1, 3] sign \"pay 5 to Carol\" with Ed25519, and ed25519-dalek verifies it.",
        "4 presignatures are in stock.",
        "Nodes 1 and 2 sign \"pay 100 to Carol\" with ECDSA, and k256 verifies it.",
        "Nodes [1, 2] sign \"pay 9 to Dave\" with Ed25519, and ed25519-dalek verifies it.",
        "does not sign \"pay 101 to Carol\": the limit of Carol is 100.",
        "does not sign \"pay 1 to Eve\": Eve is not a recipient.",
    ] {
        assert!(said.contains(expected), "no {expected:?} in\n{said}{errors}");
    }
    assert!(said.lines().count() <= 30, "{said}");
}

/// A reader who copies the service reads all of it: comments and empty lines count, tests do not.
#[test]
fn the_service_has_at_most_600_lines() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let lines = files
        .filter(|path| path.is_file())
        .map(|path| fs::read_to_string(path).unwrap().lines().count());
    let lines: usize = lines.sum();
    assert!((400..=600).contains(&lines), "{lines} lines");
}
