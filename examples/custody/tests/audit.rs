//! The audit holds after a run with loss, copies, delay and restarts at any moment; and each of its checks fails on records
//! that were doctored.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::unwrap_in_result,
    clippy::integer_division_remainder_used,
    reason = "a test fails by panicking"
)]

#[path = "common/world.rs"]
mod world;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use quorate_custody::audit::{Audit, Bounds, NodePlace, Places};
use quorate_custody::gateway::Gateway;
use quorate_custody::gateway::ask::{State, Submitted};
use quorate_custody::request::Scheme;
use quorate_custody::sql::Address;
use rusqlite::{Connection, params};
use world::{World, id};

const FRAMES: &str = "one frame for each context, round, sender and recipient";
const ONE_DIGEST: &str = "a name is spent once, with one digest";
const ONE_ORDER: &str = "an order spends one thing at a node";
const STOCKS: &str = "equal presignatures at all signers, but for spent ones";
const LEDGERS: &str = "a ledger knows all that its node has released";
const ENDS: &str = "every accepted request ended, signed or with a reason, in time";
const VERIFIES: &str = "every signature is of its request, by other verifiers";
const RUNS: &str = "no run and no job is open past its deadline";
const BLAME: &str = "no honest party is blamed";

/// The records in a folder.
fn places(dir: &Path) -> Places {
    let file = |name: String| Address::Sqlite(dir.join(name));
    let place = |node| NodePlace {
        node: id(node),
        database: file(format!("node-{node}.sqlite")),
        ledger: file(format!("ledger-{node}.sqlite")),
    };
    Places {
        nodes: (1..=3).map(place).collect(),
        gateway: file("gateway.sqlite".to_owned()),
        records: (1..=3).map(|node| dir.join(format!("record-{node}"))).collect(),
        log: Some(dir.join("log")),
    }
}

/// A world whose nodes note the frames that they send, in a folder with a log.
fn noting() -> World {
    let mut world = World::new("audit", &Scheme::ALL);
    fs::write(world.dir.join("log"), "{\"message\":\"begun\"}\n").unwrap();
    world.records = true;
    world.config.presignatures.high = 6;
    (1..=3).for_each(|node| world.start(node));
    open(&mut world);
    world
}

fn open(world: &mut World) {
    world.gateway = Some(Gateway::open(world.config.clone(), world.now).unwrap());
}

/// Steps in which anybody may be begun anew: nothing of it is left but its database.
fn rough_steps(world: &mut World, count: usize) {
    for _ in 0..count {
        match world.chance(160) {
            0 => open(world),
            node @ 1..=3 => world.start(u16::try_from(node).unwrap()),
            _ => {}
        }
        world.step();
    }
}

fn ask(world: &mut World, number: u8) {
    let keys = world.keys();
    let to = if number == 3 { "Mallory" } else { "Alice" };
    let message = format!("pay {number} to {to}");
    let key = &keys[usize::from(number) % keys.len()];
    let signed = world.request(number, key, message.as_bytes());
    assert!(matches!(world.submit(&signed), Submitted::Taken(_)));
}

/// All requests that the gateway has taken, with what has become of them.
fn ends(world: &mut World) -> Vec<State> {
    let all = world.gateway.as_mut().unwrap().requests().unwrap();
    all.into_iter().map(|(_, state)| state).collect()
}

/// Doctors a copy of the records; what the audit says then of this check.
fn doctored(from: &Path, bounds: &Bounds, check: &str, doctor: impl FnOnce(&Path)) {
    let dir = from.join("doctored");
    fs::create_dir(&dir).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten().filter(|entry| entry.path().is_file()) {
        fs::copy(entry.path(), dir.join(entry.file_name())).unwrap();
    }
    doctor(&dir);
    let audit = Audit::of(&places(&dir), bounds).unwrap();
    assert!(audit.get(check).unwrap().found > 0, "{check}: {audit:#?}");
    fs::remove_dir_all(&dir).unwrap();
}

/// Runs a statement, which changes something.
fn sql(dir: &Path, file: &str, statement: &str) {
    let db = Connection::open(dir.join(file)).unwrap();
    assert!(db.execute(statement, []).unwrap() > 0, "{statement}");
}

#[test]
fn a_rough_run_holds_and_every_doctored_record_is_found() {
    let mut world = noting();
    world.ready();
    // A sixth of the messages is lost, and a sixth comes twice, all of them up to 60 ms late.
    world.faults = (167, 167, 59);
    for number in 1..=12 {
        ask(&mut world, number);
        rough_steps(&mut world, 20);
    }
    while !ends(&mut world).iter().all(State::is_end) {
        rough_steps(&mut world, 50);
    }
    world.faults = (0, 0, 0);
    world.ready();
    world.steps(500);
    // The gateway forgets the orders of ended requests every 30 seconds. It still has those of the last two, one of each scheme.
    open(&mut world);
    (13..=14).for_each(|number| ask(&mut world, number));
    while !ends(&mut world).iter().all(State::is_end) {
        world.step();
    }
    let ends = ends(&mut world);
    let signed = ends.iter().filter(|state| matches!(state, State::Signed { .. })).count();
    assert_eq!((ends.len(), signed), (14, 13));
    (world.gateway, world.nodes) = (None, BTreeMap::new());

    let bounds = Bounds { now: world.now, slack: 5_000, ..Bounds::default() };
    let audit = Audit::of(&places(&world.dir), &bounds).unwrap();
    assert!(audit.holds(), "{audit:#?}");
    let looked = |name: &str| audit.get(name).unwrap().looked;
    assert_eq!((looked(ENDS), looked(VERIFIES)), (14, 13));
    assert!(looked(FRAMES) > 30 && looked(ONE_DIGEST) >= 26 && looked(STOCKS) >= 6, "{audit:#?}");
    assert!(looked(LEDGERS) >= 3 + 13, "{audit:#?}");
    doctor_claims(&world.dir, &bounds);
    doctor_ledgers(&world.dir, &bounds);
    doctor_requests(&world.dir, &bounds);
    doctor_runs(&world.dir, &bounds);
}

fn doctor_claims(dir: &Path, bounds: &Bounds) {
    doctored(dir, bounds, FRAMES, |dir| {
        let path = dir.join("record-2");
        let text = fs::read_to_string(&path).unwrap();
        let (rest, _) = text.lines().next().unwrap().rsplit_once(' ').unwrap();
        fs::write(&path, format!("{text}{rest} {}\n", "0".repeat(64))).unwrap();
    });
    // A table that lets a name in twice.
    doctored(dir, bounds, ONE_DIGEST, |dir| {
        let db = Connection::open(dir.join("ledger-1.sqlite")).unwrap();
        db.execute_batch(
            "CREATE TABLE other AS SELECT * FROM spent; DROP TABLE spent; ALTER TABLE other RENAME TO spent;",
        )
        .unwrap();
        let twice = "INSERT INTO spent SELECT id, zeroblob(32), share FROM spent LIMIT 1";
        assert_eq!(db.execute(twice, []).unwrap(), 1);
    });
    doctored(dir, bounds, ONE_DIGEST, |dir| {
        sql(dir, "ledger-1.sqlite", "UPDATE spent SET share = NULL");
    });
    // A presignature that two signers have spent on different things.
    doctored(dir, bounds, ONE_DIGEST, |dir| {
        sql(dir, "ledger-1.sqlite", "UPDATE spent SET digest = zeroblob(32)");
    });
    doctored(dir, bounds, ONE_ORDER, |dir| {
        let again = "INSERT INTO spent SELECT zeroblob(32), digest, share FROM spent
            WHERE substr(share, 33, 1) = x'00' LIMIT 1";
        for node in 1..=3 {
            let file = format!("ledger-{node}.sqlite");
            Connection::open(dir.join(file)).unwrap().execute(again, []).unwrap();
        }
    });
    doctored(dir, bounds, STOCKS, |dir| {
        for node in 1..=3 {
            let file = format!("node-{node}.sqlite");
            let db = Connection::open(dir.join(file)).unwrap();
            let delete =
                "DELETE FROM presignatures WHERE name IN (SELECT name FROM presignatures LIMIT 1)";
            db.execute(delete, []).unwrap();
        }
    });
}

/// A ledger that was put back, by one claim or by its mark.
fn doctor_ledgers(dir: &Path, bounds: &Bounds) {
    for scheme in [1, 2] {
        doctored(dir, bounds, LEDGERS, |dir| {
            // A share that a signature was made of.
            let gateway = Connection::open(dir.join("gateway.sqlite")).unwrap();
            let sql =
                "SELECT signing.id FROM signing JOIN requests ON signing.request = requests.key
                WHERE requests.state = 2 AND length(requests.result) = ? LIMIT 1";
            let length = if scheme == 1 { 65 } else { 64 };
            let order: [u8; 32] = gateway.query_row(sql, [length], |row| row.get(0)).unwrap();
            let mut gone = 0;
            for node in 1..=3 {
                let ledger = Connection::open(dir.join(format!("ledger-{node}.sqlite"))).unwrap();
                let sql = "DELETE FROM spent WHERE substr(share, 1, 32) = ?";
                gone += ledger.execute(sql, [order.as_slice()]).unwrap();
            }
            assert!(gone > 0);
        });
    }
    doctored(dir, bounds, LEDGERS, |dir| {
        sql(dir, "ledger-2.sqlite", "UPDATE witness SET number = 1");
    });
    doctored(dir, bounds, LEDGERS, |dir| {
        sql(dir, "gateway.sqlite", "DELETE FROM signing");
        for node in 1..=3 {
            let file = format!("ledger-{node}.sqlite");
            Connection::open(dir.join(file)).unwrap().execute("DELETE FROM spent", []).unwrap();
        }
    });
}

fn doctor_requests(dir: &Path, bounds: &Bounds) {
    let late = bounds.now + 1_000_000;
    let bounds_late = Bounds { now: late, ..bounds.clone() };
    for (bounds, check, statement) in [
        (&bounds_late, ENDS, "UPDATE requests SET state = 0"),
        (bounds, ENDS, "UPDATE requests SET why = '' WHERE state > 2"),
        (bounds, ENDS, "UPDATE requests SET ended = NULL WHERE state = 2"),
        (bounds, ENDS, "UPDATE requests SET ended = ended + 1000000"),
        (bounds, VERIFIES, "UPDATE requests SET result = zeroblob(64) WHERE state = 2"),
        (bounds, VERIFIES, "UPDATE requests SET digest = zeroblob(32)"),
        (bounds, VERIFIES, "UPDATE requests SET public = zeroblob(32) WHERE state = 2"),
        (&bounds_late, RUNS, "UPDATE orders SET state = 0"),
        (
            bounds,
            BLAME,
            "UPDATE requests SET why = 'node 2: its share of the signature is wrong' WHERE state > 2",
        ),
    ] {
        doctored(dir, bounds, check, |dir| sql(dir, "gateway.sqlite", statement));
    }
}

fn doctor_runs(dir: &Path, bounds: &Bounds) {
    doctored(dir, bounds, RUNS, |dir| {
        sql(dir, "node-3.sqlite", "UPDATE runs SET ended = 0, deadline = 1");
    });
    let why = b"\x01aborted; party 2 in round 1: proof does not verify";
    let blame = |dir: &Path| {
        let db = Connection::open(dir.join("node-1.sqlite")).unwrap();
        let insert = "INSERT INTO answers (sid, answer) VALUES (?, ?)";
        db.execute(insert, params![[5_u8; 32], why.as_slice()]).unwrap();
    };
    doctored(dir, bounds, BLAME, blame);
    doctored(dir, bounds, BLAME, |dir| {
        fs::write(dir.join("log"), "{\"message\":\"node 2 has sent a wrong share: x\"}\n").unwrap();
    });
    // Whoever has misbehaved may be blamed.
    let culprits = [id(2)].into();
    let copy = dir.join("culprit");
    fs::create_dir(&copy).unwrap();
    for entry in fs::read_dir(dir).unwrap().flatten().filter(|entry| entry.path().is_file()) {
        fs::copy(entry.path(), copy.join(entry.file_name())).unwrap();
    }
    blame(&copy);
    let audit = Audit::of(&places(&copy), &Bounds { culprits, ..bounds.clone() }).unwrap();
    assert!(audit.holds(), "{audit:#?}");
}
