//! Chaos over real servers, short: everything is killed once at least, and the audit holds. Skipped where a server is
//! missing.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[path = "common/place.rs"]
mod place;

use core::time::Duration;
use std::fs;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use place::Place;

/// One after the other: each has all the servers of its own.
static ONE: Mutex<()> = Mutex::new(());

#[test]
fn a_database_that_was_put_back_begins_a_new_epoch_and_everything_is_signed() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let place = Place::new("chaos");
    let output = place.run(&["chaos", "--rollback", "--requests", "10", "--scheme", "frost"]);
    if Place::skips(&output) {
        return;
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, said) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{said}{out}");
    assert!(out.matches("10 of 10 requests are signed").count() >= 3, "{out}");
    assert!(out.contains("Node 1 is in epoch "), "{out}");
}

/// Beyond what the server itself takes to start again, nobody waits for long.
#[test]
fn a_request_right_after_a_kill_of_the_database_ends_soon_after_its_recovery() {
    const MARGIN: Duration = Duration::from_secs(10);
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let place = Place::new("chaos");
    if !place.up() {
        return;
    }
    let message = place.0.join("message");
    fs::write(&message, "pay 3 to Alice").unwrap();
    let sign = |most: Duration| {
        let start = Instant::now();
        while !place.run(&["sign", message.to_str().unwrap()]).status.success() {
            assert!(start.elapsed() < most, "nothing is signed within {most:?}");
            thread::sleep(Duration::from_millis(100));
        }
    };
    // The key is made meanwhile.
    sign(Duration::from_secs(120));
    for _ in 0..2 {
        let pid = fs::read_to_string(place.0.join("postgres/data/postmaster.pid")).unwrap();
        let pid = pid.lines().next().unwrap();
        assert!(Command::new("kill").args(["-9", pid]).status().unwrap().success());
        let start = Instant::now();
        let recovery = thread::scope(|scope| {
            let up = scope.spawn(|| {
                assert!(place.run(&["up"]).status.success());
                start.elapsed()
            });
            sign(Duration::from_secs(60));
            up.join().unwrap()
        });
        let took = start.elapsed();
        assert!(took < recovery + MARGIN, "{took:?}; the server was back after {recovery:?}");
    }
}

#[test]
fn every_process_and_server_dies_and_nothing_is_lost() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let place = Place::new("chaos");
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
    let Some(report) = place.report(&arguments) else { return };
    assert_eq!(report["audit"]["holds"], true, "{report:#}");
    assert_eq!(report["events"].as_array().unwrap().len(), 10, "{report:#}");
    for kind in ["broker killed, store wiped", "kill -9 of PostgreSQL", "kill -9 of the gateway"] {
        assert!(report["back_ms"][kind].is_array(), "{kind}: {report:#}");
    }
    assert_eq!(report["lost"], 0, "{report:#}");
    assert!(report["signed"].as_u64().unwrap() >= 30, "{report:#}");
}

/// A node that equivocates or sends garbage is named by the others, one that is silent is not; nobody else is blamed, and
/// every request ends.
#[test]
fn a_node_that_cheats_is_named_and_done_without() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    for (how, scheme, named) in
        [("garbage", "frost", &[3][..]), ("stall", "frost", &[]), ("equivocate", "mixed", &[3])]
    {
        let place = Place::new("chaos");
        let arguments = ["chaos", "--misbehave", how, "--node", "3", "--requests", "30"];
        let more = ["--kills", "5", "--seed", "5", "--scheme", scheme, "--json"];
        let Some(report) = place.report(&[&arguments[..], &more].concat()) else { return };
        assert_eq!(report["audit"]["holds"], true, "{report:#}");
        assert_eq!(report["named"], serde_json::json!(named), "{report:#}");
        assert_eq!(report["lost"], 0, "{report:#}");
        assert!(report["signed"].as_u64().unwrap() >= 20, "{report:#}");
    }
}
