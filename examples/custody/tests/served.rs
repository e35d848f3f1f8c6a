//! The service on its real servers: up, both schemes, a worker killed, down. Skipped where a server is missing.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test fails by panicking"
)]

#[path = "common/place.rs"]
mod place;

use std::fs;
use std::process::Command;

use place::{Place, process, ready};
use serde_json::Value;

#[test]
fn up_sign_kill_sign_down() {
    let place = Place::new("served");
    let up = place.run(&["up"]);
    let said = String::from_utf8_lossy(&up.stderr).into_owned();
    if said.contains("is not installed") {
        eprintln!("skipped: {said}");
        return;
    }
    assert!(up.status.success(), "{said}{}", place.logs());
    let page = String::from_utf8(up.stdout).unwrap();
    assert!(page.contains("status page: http://127.0.0.1:"), "{page}");

    let status = place.when(ready);
    assert_eq!(status["processes"].as_array().unwrap().len(), 11, "{status:#}");
    let message = place.0.join("message");
    fs::write(&message, "pay 3 to Alice").unwrap();
    let frost = place.sign(&message, &[]);
    let ecdsa = place.sign(&message, &["--scheme", "ecdsa"]);
    let child = place.sign(&message, &["--scheme", "ecdsa", "--path", "m/0/7"]);
    assert_ne!(ecdsa[1], child[1], "a child key is another key");
    assert_eq!((frost[0].len(), ecdsa[0].len()), (128, 130));

    // A worker is killed: its node's other one, or another node, signs.
    let pid = process(&status, "n1-1")["pid"].to_string();
    assert!(Command::new("kill").args(["-9", &pid]).status().unwrap().success());
    place.sign(&message, &[]);
    assert_eq!(process(&place.status(), "n1-1")["state"], "down");
    // Up again starts what is down, and nothing else.
    place.text(&["up"]);
    let again = place.when(|status| process(status, "n1-1")["state"] == "ready");
    assert_ne!(process(&again, "n1-1")["pid"], process(&status, "n1-1")["pid"]);
    assert_eq!(process(&again, "n2-1")["pid"], process(&status, "n2-1")["pid"]);
    place.sign(&message, &["--scheme", "ecdsa"]);
    let load = place.text(&["load", "--seconds", "2", "--window", "8", "--json"]);
    let load: Value = serde_json::from_str(&load).unwrap();
    assert!(load["signatures"].as_u64().unwrap() > 0, "{load:#}");
    assert_eq!(load["refusals"], serde_json::json!({}), "{load:#}");
    assert_eq!(load["processes"].as_array().unwrap().len(), 11, "{load:#}");

    let epochs = |status: &Value| -> Vec<u64> {
        let nodes = status["gateway"]["nodes"].as_array().unwrap();
        nodes.iter().map(|node| node["epoch"].as_u64().unwrap()).collect()
    };
    // A worker alone leaves the node's history as it was.
    assert_eq!(epochs(&place.status()), [1; 3]);
    let down = place.text(&["down"]);
    assert!(down.starts_with("g1 has ended") && down.contains("n3-2 has ended"), "{down}");
    let left = fs::read_dir(place.0.join("run")).unwrap().flatten();
    let left: Vec<_> = left.map(|entry| entry.file_name()).filter(|name| name != "lock").collect();
    assert!(left.is_empty(), "{left:?}");
    // Everything that was there is there, but for what was made ahead: all have been restarted together.
    place.text(&["up"]);
    place.when(|status| ready(status) && epochs(status).iter().all(|epoch| *epoch > 1));
    assert_eq!(place.sign(&message, &[])[1], frost[1], "the key is the same");
}

#[test]
fn what_makes_no_sense_is_refused_before_anything_is_made() {
    let place = Place::new("served");
    for (arguments, why) in [
        (&["up", "--threshold", "4"][..], "2 at least sign"),
        (&["status"], "custody up --dir"),
        (&["load", "--window", "0"], "0 is not in 1..=900"),
        (&["sign", "/dev/null", "--path", "m/1'"], "--path"),
    ] {
        let output = place.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(why), "{arguments:?}: {said}");
    }
    assert!(!place.0.exists());
}
