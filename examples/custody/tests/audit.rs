//! The audit holds after a run with loss, copies, delay and restarts at any moment; and each of its checks fails on records
//! that were doctored.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ed25519_dalek::SigningKey;
use quorate::runner::Time;
use quorate::session::stock::WaterMarks;
use quorate::{Parties, PartyId, SealKey};
use quorate_custody::audit::{Audit, Bounds, NodePlace, Places};
use quorate_custody::bus::{Parcel, Peer};
use quorate_custody::gateway::ask::{Ask, Reply, State};
use quorate_custody::gateway::{Config, Gateway, Times};
use quorate_custody::node::{self, Node};
use quorate_custody::policy::Rules;
use quorate_custody::record::Record;
use quorate_custody::request::{Request, RequestKey, Scheme, SignedRequest};
use quorate_custody::sql::Address;
use quorate_custody::wire::Message;
use quorate_examples::files::fresh_name;
use quorate_paillier::Level;
use rusqlite::{Connection, params};

const FRAMES: &str = "one frame for each context, round, sender and recipient";
const ONE_DIGEST: &str = "a name is spent once, with one digest";
const ONE_ORDER: &str = "an order spends one thing at a node";
const STOCKS: &str = "equal presignatures at all signers, but for spent ones";
const ENDS: &str = "every accepted request ended, signed or with a reason, in time";
const VERIFIES: &str = "every signature is of its request, by other verifiers";
const RUNS: &str = "no run and no job is open past its deadline";
const BLAME: &str = "no honest party is blamed";

fn id(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

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

/// Three nodes and a gateway, turn by turn, which are begun anew at any moment.
struct World {
    dir: PathBuf,
    now: Time,
    nodes: BTreeMap<PartyId, Node>,
    gateway: Option<Gateway>,
    config: Config,
    requester: SigningKey,
    way: Vec<(Time, Peer, Peer, Vec<u8>)>,
    random: u64,
    rough: bool,
}

impl World {
    fn new() -> Self {
        let dir = std::env::temp_dir().join(fresh_name("quorate-custody-audit-"));
        fs::create_dir(&dir).unwrap();
        fs::write(dir.join("log"), "{\"message\":\"begun\"}\n").unwrap();
        let sets = [[1, 2], [1, 3], [2, 3]].map(|set| Parties::new(set.map(id)).unwrap());
        let config = Config {
            number: 1,
            custody: [9; 32],
            database: Address::Sqlite(dir.join("gateway.sqlite")),
            nodes: Parties::numbered(3).unwrap(),
            threshold: 2,
            sets: sets.to_vec(),
            stocked: 1,
            keys: Scheme::ALL.to_vec(),
            requesters: None,
            presignatures: WaterMarks { low: 2, high: 6 },
            nonces: WaterMarks { low: 8, high: 16 },
            times: Times {
                making: 600_000,
                presigning: 60_000,
                again: 200,
                patience: 2_000,
                grace: 3_000,
                longest: 3_600_000,
            },
            open: 64,
            gives_up: false,
        };
        let requester = SigningKey::from_bytes(&[3; 32]);
        let (nodes, way) = (BTreeMap::new(), Vec::new());
        let (gateway, random, rough) = (None, 11, false);
        let now = 1_000_000;
        let mut world = Self { dir, now, nodes, gateway, config, requester, way, random, rough };
        (1..=3).for_each(|node| world.start(node));
        world.gateway = Some(Gateway::open(world.config.clone(), now).unwrap());
        world
    }

    fn start(&mut self, node: u16) {
        let file = |name: &str| Address::Sqlite(self.dir.join(format!("{name}-{node}.sqlite")));
        let config = node::Config {
            me: id(node),
            nodes: Parties::numbered(3).unwrap(),
            gateways: vec![1],
            threshold: 2,
            level: Level::Bits112,
            database: file("node"),
            ledger: file("ledger"),
            seal_key: Arc::new(SealKey::new([u8::try_from(node).unwrap(); 32])),
            record: Some(Record::open(&self.dir.join(format!("record-{node}"))).unwrap()),
            worker: (0, 1),
            witnesses: 0,
            rejoins: true,
        };
        let rules = Rules::payments(&[self.requester.verifying_key().to_bytes()]);
        self.nodes.insert(id(node), Node::start(config, Box::new(rules)).unwrap());
    }

    fn chance(&mut self, of: u64) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.random >> 33) % of
    }

    fn send(&mut self, from: Peer, parcels: Vec<Parcel>) {
        for parcel in parcels {
            for bytes in parcel.messages {
                let copies = match self.chance(6) {
                    0 if self.rough => 0,
                    1 if self.rough => 2,
                    _ => 1,
                };
                for _ in 0..copies {
                    let late = if self.rough { self.chance(60) } else { 0 };
                    self.way.push((self.now + late, from, parcel.to, bytes.clone()));
                }
            }
        }
    }

    fn arrived(&mut self, to: Peer) -> Vec<(Peer, Message)> {
        let (came, rest): (Vec<_>, Vec<_>) = core::mem::take(&mut self.way)
            .into_iter()
            .partition(|one| one.2 == to && one.0 <= self.now);
        self.way = rest;
        let read =
            |(_, from, _, bytes): (_, _, _, Vec<u8>)| (from, Message::from_bytes(&bytes).unwrap());
        came.into_iter().map(read).collect()
    }

    fn step(&mut self, asked: Vec<Ask>) {
        if self.rough && self.chance(40) == 0 {
            // Nothing of it is left but its database.
            match self.chance(4) {
                0 => {
                    self.gateway = None;
                    self.gateway = Some(Gateway::open(self.config.clone(), self.now).unwrap());
                }
                node => {
                    let node = u16::try_from(node).unwrap();
                    self.nodes.remove(&id(node));
                    self.start(node);
                }
            }
        }
        let came = self.arrived(Peer::Gateway(1));
        let parcels = self.gateway.as_mut().unwrap().turn(came, asked, self.now).unwrap();
        self.send(Peer::Gateway(1), parcels);
        for number in 1..=3 {
            let came = self.arrived(Peer::Node(id(number)));
            let parcels = self.nodes.get_mut(&id(number)).unwrap().turn(came, self.now).unwrap();
            self.send(Peer::Node(id(number)), parcels);
        }
        self.now += 10;
    }

    fn until(&mut self, what: &str, so: impl Fn(&mut Gateway) -> bool) {
        for _ in 0..60_000 {
            self.step(Vec::new());
            if so(self.gateway.as_mut().unwrap()) {
                return;
            }
        }
        panic!("{what} has not come about");
    }

    fn ask(&mut self, number: u8) {
        let keys = self.gateway.as_ref().unwrap().keys();
        let key = &keys[usize::from(number) % keys.len()];
        let to = if number == 3 { "Mallory" } else { "Alice" };
        let request = Request {
            key: RequestKey([number; 16]),
            key_id: key.id,
            scheme: key.scheme,
            path: Default::default(),
            message: format!("pay {number} to {to}").into_bytes(),
            deadline: self.now + 60_000,
        };
        let signed = SignedRequest::new(request, &self.requester);
        let taken = Arc::new(Mutex::new(None));
        let put = Arc::clone(&taken);
        let reply = Reply::new(move |submitted| *put.lock().unwrap() = Some(submitted));
        self.step(vec![Ask::Submit(signed, reply)]);
        assert!(taken.lock().unwrap().is_some());
    }
}

impl Drop for World {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.dir).ok();
    }
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
    let mut world = World::new();
    world.until("readiness", |gateway| gateway.rests());
    world.rough = true;
    for number in 1..=12 {
        world.ask(number);
        (0..20).for_each(|_| world.step(Vec::new()));
    }
    world.until("the end of all requests", |gateway| {
        gateway.requests().unwrap().iter().all(|(_, state)| state.is_end())
    });
    world.rough = false;
    world.until("rest", |gateway| gateway.rests());
    (0..500).for_each(|_| world.step(Vec::new()));
    let ends = world.gateway.as_mut().unwrap().requests().unwrap();
    let signed = ends.iter().filter(|(_, state)| matches!(state, State::Signed { .. })).count();
    assert_eq!((ends.len(), signed), (12, 11));
    (world.gateway, world.nodes) = (None, BTreeMap::new());

    let bounds = Bounds { now: world.now, slack: 5_000, ..Bounds::default() };
    let audit = Audit::of(&places(&world.dir), &bounds).unwrap();
    assert!(audit.holds(), "{audit:#?}");
    let looked = |name: &str| audit.get(name).unwrap().looked;
    assert_eq!((looked(ENDS), looked(VERIFIES)), (12, 11));
    assert!(looked(FRAMES) > 30 && looked(ONE_DIGEST) >= 22 && looked(STOCKS) >= 6, "{audit:#?}");
    doctor_claims(&world.dir, &bounds);
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
