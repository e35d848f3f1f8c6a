//! Supervision and draining, with processes on the real servers. Skipped where a server is missing.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test fails by panicking"
)]

use core::time::Duration;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Instant;

use quorate_examples::files::fresh_name;
use serde_json::Value;

const LONG: Duration = Duration::from_secs(90);

/// A deployment, stopped and removed in the end.
struct Place(PathBuf);

impl Place {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_custody"));
        command.args(arguments).arg("--dir").arg(&self.0);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The number of a process once it is ready, and another one than before.
    fn ready(&self, name: &str, before: u64) -> u64 {
        let start = Instant::now();
        loop {
            let output = self.run(&["status", "--json"]);
            let status: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
            let all = status["processes"].as_array().cloned().unwrap_or_default();
            let found = all.iter().find(|one| one["name"] == name && one["state"] == "ready");
            let pid = found.and_then(|one| one["pid"].as_u64()).filter(|pid| *pid != before);
            if let Some(pid) = pid {
                return pid;
            }
            assert!(start.elapsed() < LONG, "{name}: {status:#}");
            thread::sleep(Duration::from_millis(200));
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.run(&["down"]);
        fs::remove_dir_all(&self.0).ok();
    }
}

fn signal(name: &str, pid: u64) {
    assert!(Command::new("kill").args([name, &pid.to_string()]).status().unwrap().success());
}

fn ended(mut child: Child) -> Output {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < LONG, "it does not end");
        thread::sleep(Duration::from_millis(100));
    }
    child.wait_with_output().unwrap()
}

/// Whoever supervises starts again what was killed, and stops everything when asked to. A worker that is asked to end does so
/// by itself, without an error.
#[test]
fn a_worker_that_is_killed_is_started_again_and_one_that_is_asked_ends_well() {
    let place = Place(std::env::temp_dir().join(fresh_name("quorate-supervise-")));
    let mut supervisor = place.command(&["up", "--supervise"]);
    let supervisor = supervisor.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    while !place.0.join("run/g1.pid").exists() && began.elapsed() < Duration::from_secs(30) {
        thread::sleep(Duration::from_millis(100));
    }
    if !place.0.join("run/g1.pid").exists() {
        let said = String::from_utf8_lossy(&ended(supervisor).stderr).into_owned();
        assert!(said.contains("is not installed"), "{said}");
        eprintln!("skipped: {said}");
        return;
    }
    let first = place.ready("n1-1", 0);
    signal("-9", first);
    place.ready("n1-1", first);
    signal("-INT", supervisor.id().into());
    let output = ended(supervisor);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // One that this test starts itself, so that it sees how it ends.
    assert!(place.run(&["up"]).status.success());
    let worker = place.ready("n1-1", 0);
    signal("-TERM", worker);
    thread::sleep(Duration::from_secs(2));
    let mut again = Command::new(env!("CARGO_BIN_EXE_custody"));
    again.args(["node", "--config"]).arg(place.0.join("n1/1.json"));
    let again = again.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    fs::write(place.0.join("run/n1-1.pid"), format!("{}\n", again.id())).unwrap();
    place.ready("n1-1", worker);
    signal("-TERM", again.id().into());
    let output = ended(again);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}
