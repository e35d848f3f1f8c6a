//! Every row of the table of keys in docs/operations.md, on the real servers. Skipped where a server is missing.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test fails by panicking"
)]

#[path = "common/place.rs"]
mod place;

use core::time::Duration;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Instant;

use place::{LONG, Place, process, ready};
use serde_json::Value;

impl Place {
    /// Ends processes of the deployment, as their operators do.
    fn end(&self, names: &[&str]) {
        for name in names {
            let pid = process(&self.status(), name)["pid"].clone();
            let done = Command::new("kill").arg(pid.to_string()).status().unwrap().success();
            assert!(done, "{name}");
            let start = Instant::now();
            while process(&self.status(), name)["pid"] == pid {
                assert!(start.elapsed() < LONG, "{name} does not end{}", self.logs());
                thread::sleep(Duration::from_millis(100));
            }
        }
    }

    /// Ends processes and starts them again, one after another.
    fn restart(&self, names: &[&str]) {
        for name in names {
            self.end(&[name]);
            // One that is at its last moments is not started yet: again.
            if !self.run(&["up"]).status.success() {
                self.text(&["up"]);
            }
        }
    }

    fn restart_all(&self) {
        let names = ["nats", "keeper", "n1-1", "n1-2", "n2-1", "n2-2", "n3-1", "n3-2", "g1"];
        self.restart(&names);
    }

    /// Both schemes sign, and the keys are these.
    fn signs(&self, message: &Path, keys: &[String; 2]) {
        self.when(ready);
        assert_eq!(&self.sign(message, &[])[1], &keys[0]);
        assert_eq!(&self.sign(message, &["--scheme", "ecdsa"])[1], &keys[1]);
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// What a command says that fails.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(!output.status.success(), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    fn key(&self, scheme: &str) -> (String, Value) {
        let status = self.status();
        let keys = status["gateway"]["keys"].as_array().unwrap();
        let key = keys.iter().find(|key| key["scheme"] == scheme).unwrap();
        (key["id"].as_str().unwrap().to_owned(), key.clone())
    }
}

#[test]
fn every_key_is_replaced() {
    let place = Place::new("rotation");
    let up = place.run(&["up"]);
    let said = String::from_utf8_lossy(&up.stderr).into_owned();
    if said.contains("is not installed") {
        eprintln!("skipped: {said}");
        return;
    }
    assert!(up.status.success(), "{said}{}", place.logs());
    place.when(ready);
    let message = place.0.join("message");
    fs::write(&message, "pay 3 to Alice").unwrap();
    let keys = [place.sign(&message, &[]), place.sign(&message, &["--scheme", "ecdsa"])];
    let keys = keys.map(|said| said[1].clone());

    seal_key(&place);
    place.signs(&message, &keys);
    identity(&place, &message);
    place.signs(&message, &keys);
    requester(&place, &message);
    place.signs(&message, &keys);
    certificates_and_passwords(&place);
    place.signs(&message, &keys);
    another_authority(&place, &message, &keys);
    shares(&place, &message, &keys);
}

/// The seal key: the first one is destroyed, and the node begins with the second one alone.
fn seal_key(place: &Place) {
    let said = place.text(&["reseal", "--node", "1", "--new-key"]);
    assert!(said.contains("Everything of node 1 is under key 2."), "{said}");
    let first = place.0.join("keys/n1");
    assert!(said.contains(&format!("{} can be destroyed", first.display())), "{said}");
    fs::remove_file(first).unwrap();
    place.restart(&["n1-1", "n1-2"]);
    assert!(place.refused(&["reseal", "--node", "4"]).contains("there is no node 4"));
}

/// A node's identity, and with it its name at the broker, which knows the old one no more.
fn identity(place: &Place, message: &Path) {
    let peers = |text: &str| -> Vec<Value> {
        let directory: Value = serde_json::from_str(text).unwrap();
        directory["peers"].as_array().unwrap().clone()
    };
    let before = peers(&place.read("directory.json"));
    place.text(&["rotate-identity", "--node", "2"]);
    let after = peers(&place.read("directory.json"));
    for (before, after) in before.iter().zip(&after) {
        let is_new = before["name"] == "n2";
        for key in ["ed25519", "x25519", "nkey"] {
            assert_eq!(before[key] != after[key], is_new, "{}: {key}", before["name"]);
        }
    }
    place.restart_all();
    let nkey = |all: &[Value]| {
        let peer = all.iter().find(|peer| peer["name"] == "n2").unwrap();
        peer["nkey"].as_str().unwrap().to_owned()
    };
    let broker = place.read("nats/server.conf");
    assert!(broker.contains(&nkey(&after)) && !broker.contains(&nkey(&before)));
    // Without node 3 it is needed.
    place.when(ready);
    place.end(&["n3-1", "n3-2"]);
    place.sign(message, &[]);
    place.text(&["up"]);
}

/// The requester's key: both are taken in between, and the old one is refused in the end.
fn requester(place: &Place, message: &Path) {
    let nodes = ["n1-1", "n1-2", "n2-1", "n2-2", "n3-1", "n3-2", "g1"];
    let old = fs::read(place.0.join("requester.key")).unwrap();
    assert!(place.refused(&["rotate-requester", "--finish"]).contains("no next key"));
    // Killed in between, it is run again: nothing is there twice.
    place.text(&["rotate-requester"]);
    let policy = place.read("n1/policy.json");
    place.text(&["rotate-requester"]);
    assert_eq!((policy.matches("requester").count(), place.read("n1/policy.json")), (2, policy));
    place.restart(&nodes);
    place.when(ready);
    let [used, next] = ["requester.key", "requester.key.next"].map(|name| place.0.join(name));
    let new = fs::read(&next).unwrap();
    for key in [&new, &old] {
        fs::write(&used, key).unwrap();
        place.sign(message, &[]);
    }
    place.text(&["rotate-requester", "--finish"]);
    assert_eq!(fs::read(&used).unwrap(), new);
    place.restart(&nodes);
    place.when(ready);
    place.sign(message, &[]);
    fs::write(&used, old).unwrap();
    let why = place.refused(&["sign", message.to_str().unwrap()]);
    assert!(why.contains("not signed by a requester that is known here"), "{why}");
    fs::write(&used, new).unwrap();
}

/// What is removed is made anew by `up`: certificates of the same authority, then all with another one; passwords.
fn certificates_and_passwords(place: &Place) {
    let folder = place.0.join("nats/certificates");
    for authority in [true, false] {
        let before = place.read("nats/certificates/n1.pem");
        place.text(&["down"]);
        for entry in fs::read_dir(&folder).unwrap().flatten() {
            let name = entry.file_name().into_string().unwrap();
            if !(authority && name.starts_with("authority")) {
                fs::remove_file(entry.path()).unwrap();
            }
        }
        place.text(&["up"]);
        assert_ne!(before, place.read("nats/certificates/n1.pem"));
    }
    let before = place.read("n1/1.json");
    for server in ["postgres", "ledger"] {
        fs::remove_file(place.0.join(server).join("n1.password")).unwrap();
    }
    // `up` changes the role's password, and what runs goes on with its connections until it is started again.
    place.text(&["up"]);
    assert_ne!(before, place.read("n1/1.json"));
    place.restart(&["n1-1", "n1-2"]);
}

/// Another authority of the broker's certificates, while everything goes on: both are trusted first, then all get certificates
/// of the new one, and then it is trusted alone.
fn another_authority(place: &Place, message: &Path, keys: &[String; 2]) {
    let folder = place.0.join("nats/certificates");
    let [trusted, key] = ["authority.pem", "authority.key"].map(|name| folder.join(name));
    let [next, next_key] = ["next.pem", "next.key"].map(|name| place.0.join(name));
    let mut make = Command::new("openssl");
    make.args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]);
    make.args(["-days", "3650", "-subj", "/CN=custody authority", "-keyout"]).arg(&next_key);
    make.args(["-addext", "keyUsage=critical,keyCertSign,cRLSign", "-out"]).arg(&next);
    match make.output() {
        Ok(made) => assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr)),
        Err(why) => return eprintln!("another authority is skipped: openssl: {why}"),
    }
    let new = fs::read_to_string(&next).unwrap();
    let both = format!("{new}{}", fs::read_to_string(&trusted).unwrap());
    let before = place.read("nats/certificates/n1.pem");
    fs::write(&trusted, both).unwrap();
    place.restart_all();
    place.signs(message, keys);
    for entry in fs::read_dir(&folder).unwrap().flatten() {
        if !entry.file_name().into_string().unwrap().starts_with("authority") {
            fs::remove_file(entry.path()).unwrap();
        }
    }
    fs::rename(&next_key, &key).unwrap();
    place.restart_all();
    place.signs(message, keys);
    assert_ne!(before, place.read("nats/certificates/n1.pem"));
    fs::write(&trusted, new).unwrap();
    place.restart_all();
    place.signs(message, keys);
}

/// New shares: to the same nodes, then to two of them, which need the policies' word.
fn shares(place: &Place, message: &Path, keys: &[String; 2]) {
    let (id, _) = place.key("ed25519");
    let refresh = ["reshare", "--key", &id, "--threshold", "2", "--nodes", "1,2,3"];
    assert!(place.text(&refresh).contains("of epoch 1"));
    for node in 1..=3 {
        let name = format!("n{node}/policy.json");
        let mut policy: Value = serde_json::from_str(&place.read(&name)).unwrap();
        policy["committees"] = serde_json::json!([{ "parties": [1, 2], "threshold": 2 }]);
        fs::write(place.0.join(name), policy.to_string()).unwrap();
    }
    place.restart(&["n1-1", "n1-2", "n2-1", "n2-2", "n3-1", "n3-2"]);
    place.when(ready);
    for (scheme, epoch) in [("ed25519", 2), ("ecdsa", 1)] {
        let (id, _) = place.key(scheme);
        let two = ["reshare", "--key", &id, "--threshold", "2", "--nodes", "1,2"];
        let said = place.text(&two);
        assert!(
            said.contains(&format!("Nodes 1, 2 have new shares of the same key, of epoch {epoch}")),
            "{said}"
        );
        assert_eq!(place.key(scheme).1["nodes"], serde_json::json!([1, 2]));
    }
    place.signs(message, keys);
}
