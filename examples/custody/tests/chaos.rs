//! Chaos over real servers, short: everything is killed once at least, and the audit holds. Skipped where a server is
//! missing.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test fails by panicking"
)]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use quorate_examples::files::fresh_name;
use serde_json::Value;

/// A deployment, stopped and removed in the end.
struct Place(PathBuf);

impl Place {
    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_custody"));
        command.args(arguments).arg("--dir").arg(&self.0).output().unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.run(&["down"]);
        fs::remove_dir_all(&self.0).ok();
    }
}

#[test]
fn every_process_and_server_dies_and_nothing_is_lost() {
    let place = Place(std::env::temp_dir().join(fresh_name("quorate-chaos-")));
    let arguments = [
        "chaos",
        "--requests",
        "40",
        "--kills",
        "10",
        "--seed",
        "7",
        "--scheme",
        "frost",
        "--json",
    ];
    let output = place.run(&arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if said.contains("is not installed") {
        eprintln!("skipped: {said}");
        return;
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!text.is_empty(), "{said}");
    let report: Value = serde_json::from_str(text.trim()).unwrap();
    assert!(output.status.success(), "{said}{report:#}");
    assert_eq!(report["audit"]["holds"], true, "{report:#}");
    assert_eq!(report["events"].as_array().unwrap().len(), 10, "{report:#}");
    for kind in ["broker killed, store wiped", "kill -9 of PostgreSQL", "kill -9 of the gateway"] {
        assert!(report["back_ms"][kind].is_array(), "{kind}: {report:#}");
    }
    assert_eq!(report["lost"], 0, "{report:#}");
    assert!(report["signed"].as_u64().unwrap() >= 30, "{report:#}");
}
