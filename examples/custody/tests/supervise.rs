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
use std::io::{Read, Write};
use std::net::TcpStream;
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

/// The status of a path at the gateway.
fn http(port: u64, path: &str) -> Option<u16> {
    let mut stream = TcpStream::connect(("127.0.0.1", u16::try_from(port).unwrap())).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(2))).ok()?;
    write!(stream, "GET {path} HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    answer.split(' ').nth(1)?.parse().ok()
}

/// A gateway that is asked to end says that it drains, ends what it has taken, and ends without an error.
#[test]
fn a_gateway_that_is_asked_to_end_loses_nothing() {
    let place = Place(std::env::temp_dir().join(fresh_name("quorate-drain-")));
    let up = place.run(&["up"]);
    let said = String::from_utf8_lossy(&up.stderr).into_owned();
    if said.contains("is not installed") {
        eprintln!("skipped: {said}");
        return;
    }
    assert!(up.status.success(), "{said}");
    let file = place.0.join("message");
    fs::write(&file, "pay 1 to Alice").unwrap();
    let sign = ["sign", file.to_str().unwrap()];
    let began = Instant::now();
    while !place.run(&sign).status.success() {
        assert!(began.elapsed() < LONG, "there is no key");
        thread::sleep(Duration::from_millis(500));
    }
    // One that this test starts itself, so that it sees how it ends.
    let pid = |name: &str| -> u64 {
        fs::read_to_string(place.0.join(format!("run/{name}.pid"))).unwrap().trim().parse().unwrap()
    };
    let settings: Value =
        serde_json::from_slice(&fs::read(place.0.join("deployment.json")).unwrap()).unwrap();
    let port = settings["ports"].as_u64().unwrap() + 3;
    signal("-TERM", pid("g1"));
    while http(port, "/healthz").is_some() {
        assert!(began.elapsed() < LONG, "it does not end");
        thread::sleep(Duration::from_millis(100));
    }
    let mut gateway = Command::new(env!("CARGO_BIN_EXE_custody"));
    gateway.args(["gateway", "--config"]).arg(place.0.join("g1/gateway.json"));
    let gateway = gateway.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    fs::write(place.0.join("run/g1.pid"), format!("{}\n", gateway.id())).unwrap();
    while !place.run(&sign).status.success() {
        assert!(began.elapsed() < LONG, "it does not sign");
    }
    // Nobody signs, until the gateway was asked to end.
    let workers: Vec<u64> =
        (1..=3).flat_map(|node| [1, 2].map(|worker| pid(&format!("n{node}-{worker}")))).collect();
    workers.iter().for_each(|worker| signal("-STOP", *worker));
    let caller =
        place.command(&sign).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    thread::sleep(Duration::from_secs(1));
    signal("-TERM", gateway.id().into());
    thread::sleep(Duration::from_millis(500));
    let drains = http(port, "/readyz");
    workers.iter().for_each(|worker| signal("-CONT", *worker));
    assert_eq!(drains, Some(503));
    let said = ended(caller);
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let output = ended(gateway);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}
