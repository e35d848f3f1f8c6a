//! Both processes come to their ends, with one signature and one presignature.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::process::{Command, Stdio};

#[test]
fn two_processes_sign_and_presign() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_processes"));
    let output = command.stdin(Stdio::null()).stderr(Stdio::piped()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    let of =
        |start: &str| said.lines().find_map(|line| line.strip_prefix(start)).map(str::to_owned);
    assert!(of("party 1: ").unwrap().ends_with(" of Ed25519 verifies"), "{said}");
    let (one, two) = (of("party 1: presignature "), of("party 2: presignature "));
    assert!(one.is_some() && one == two, "{said}");
}

/// Whoever is at the other end of the pipe may die at any moment: the process ends, and says why.
#[test]
fn a_peer_that_is_gone_leaves_an_error() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_processes"));
    let child = command.arg("party-2").stdin(Stdio::null()).stdout(Stdio::null());
    let output = child.stderr(Stdio::piped()).output().unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("the other process is gone"), "{said}");
}
