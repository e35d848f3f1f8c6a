//! Supervision and draining, with processes on the real servers. Skipped where a server is missing.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[path = "common/place.rs"]
mod place;

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use core::time::Duration;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use place::{LONG, Place, ended, signal};
use serde_json::Value;

/// Whoever supervises starts again what was killed, and stops everything when asked to. A worker that is asked to end does so
/// by itself, without an error.
#[test]
fn a_worker_that_is_killed_is_started_again_and_one_that_is_asked_ends_well() {
    let place = Place::new("supervise");
    let mut supervisor = place.command(&["up", "--supervise"]);
    let supervisor = supervisor.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    while !place.0.join("run/g1.pid").exists() && began.elapsed() < Duration::from_secs(30) {
        thread::sleep(Duration::from_millis(100));
    }
    if !place.0.join("run/g1.pid").exists() {
        let output = ended(supervisor);
        assert!(Place::skips(&output), "{}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    let first = place.ready("n1-1", 0);
    signal("-9", first);
    place.ready("n1-1", first);
    signal("-INT", supervisor.id().into());
    let output = ended(supervisor);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // One that this test starts itself, so that it sees how it ends.
    assert!(place.up());
    let worker = place.ready("n1-1", 0);
    signal("-TERM", worker);
    thread::sleep(Duration::from_secs(2));
    let mut again = Command::new(env!("CARGO_BIN_EXE_custody-old"));
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
    let place = Place::new("drain");
    if !place.up() {
        return;
    }
    let file = place.0.join("message");
    fs::write(&file, "pay 1 to Alice").unwrap();
    let sign = ["sign", file.to_str().unwrap()];
    let began = Instant::now();
    while !place.run(&sign).status.success() {
        assert!(began.elapsed() < LONG, "there is no key");
        thread::sleep(Duration::from_millis(500));
    }
    // One that this test starts itself, so that it sees how it ends.
    let settings: Value =
        serde_json::from_slice(&fs::read(place.0.join("deployment.json")).unwrap()).unwrap();
    let port = settings["ports"].as_u64().unwrap() + 3;
    signal("-TERM", place.pid("g1"));
    while http(port, "/healthz").is_some() {
        assert!(began.elapsed() < LONG, "it does not end");
        thread::sleep(Duration::from_millis(100));
    }
    let mut gateway = Command::new(env!("CARGO_BIN_EXE_custody-old"));
    gateway.args(["gateway", "--config"]).arg(place.0.join("g1/gateway.json"));
    let gateway = gateway.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    fs::write(place.0.join("run/g1.pid"), format!("{}\n", gateway.id())).unwrap();
    while !place.run(&sign).status.success() {
        assert!(began.elapsed() < LONG, "it does not sign");
    }
    // Nobody signs, until the gateway was asked to end.
    let workers: Vec<u64> = (1..=3)
        .flat_map(|node| [1, 2].map(|worker| place.pid(&format!("n{node}-{worker}"))))
        .collect();
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

/// `up` right after a `down`, after processes that were killed, and while one is about to end, on a machine that has more to
/// do than it can: everything runs afterwards.
#[test]
fn up_right_after_an_end_starts_everything() {
    let place = Place::new("again");
    if !place.up() {
        return;
    }
    let over = Arc::new(AtomicBool::new(false));
    for _ in 0..4 {
        let over = Arc::clone(&over);
        thread::spawn(move || {
            while !over.load(Relaxed) {
                core::hint::spin_loop();
            }
        });
    }
    for round in 0..4 {
        let before = place.pid("g1");
        if round & 1 == 0 {
            place.text(&["down"]);
        } else {
            signal("-TERM", before);
            ["keeper", "n1-1"].iter().for_each(|name| signal("-9", place.pid(name)));
        }
        assert!(place.up());
        for name in ["keeper", "n1-1", "n1-2", "n2-1", "n2-2", "n3-1", "n3-2", "g1"] {
            let pid = place.pid(name);
            assert!(Path::new(&format!("/proc/{pid}")).exists(), "{name}{}", place.logs());
        }
        assert_ne!(place.pid("g1"), before);
    }
    over.store(true, Relaxed);
}
