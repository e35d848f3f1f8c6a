//! The custody example: killed at any moment, databases that are put back, keys, and what its operators see.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::unwrap_in_result,
    clippy::integer_division_remainder_used,
    reason = "a test fails by panicking"
)]

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Instant;

use quorate::PartyId;
use quorate_cggmp::{Secp256k1, Signature};
use quorate_custody::args::Settings;
use quorate_custody::bus::memory::{Limits, Network};
use quorate_custody::bus::{Bus, Peer};
use quorate_custody::demo::requests;
use quorate_custody::gateway::ask::{Ask, Reply};
use quorate_custody::gateway::{self, Gateway, MARKS};
use quorate_custody::node::{self, Node, now};
use quorate_custody::orders::{Body, KINDS};
use quorate_custody::post::{ANSWERS, routes};
use quorate_custody::service::{Custody, Resolved, resolved};
use quorate_custody::sql::Address;
use quorate_custody::wire::{Material, Shared, SignOrder};
use quorate_examples::files::fresh_name;
use quorate_examples::out::Out;
use quorate_examples::verifiers;
use quorate_paillier::Level;
use rusqlite::Connection;

/// A folder, removed in the end.
struct Place(PathBuf);

impl Place {
    fn new() -> Self {
        let dir = std::env::temp_dir().join(fresh_name("quorate-custody-test-"));
        fs::create_dir(&dir).unwrap();
        Self(dir)
    }

    fn record(&self) -> PathBuf {
        self.0.join("record")
    }

    fn custody(&self) -> PathBuf {
        self.0.join("custody")
    }

    fn settings(&self) -> Settings {
        Settings {
            level: Level::Bits112,
            dir: None,
            requests: 12,
            record: Some(self.record()),
            other_threshold: None,
        }
    }

    /// The custody of the folder works until these requests are resolved.
    fn run(&self, requests: &[Vec<u8>]) -> Result<Vec<Resolved>, String> {
        let (custody, _) = Custody::open(&self.custody(), &self.settings()).unwrap();
        custody.run(requests, &mut Out::captured()).map_err(|failure| failure.to_string())
    }

    /// The frames that were sent since a phase began, or the shares that were released: signing sends no frames.
    fn frames(&self, phase: usize) -> usize {
        if phase == SIGNING {
            return if self.ledger(1).exists() { self.spent(1).len() } else { 0 };
        }
        let text = fs::read_to_string(self.record()).unwrap_or_default();
        let of = |line: &&str| {
            let code = line.split(' ').nth(2);
            PHASES[phase..].iter().any(|(later, _)| code == Some(later))
        };
        text.lines().filter(of).count()
    }

    /// The number of requests that the folder was made for.
    fn requests(&self) -> u32 {
        let plan = fs::read_to_string(self.custody().join("plan")).unwrap();
        plan.lines().last().unwrap().strip_prefix("requests ").unwrap().parse().unwrap()
    }

    fn node(&self, node: u16) -> PathBuf {
        self.custody().join(format!("node-{node}"))
    }

    fn ledger(&self, node: u16) -> PathBuf {
        self.custody().join(format!("ledgers/node-{node}.sqlite"))
    }

    fn database(&self, node: u16) -> Connection {
        Connection::open(self.node(node).join("node.sqlite")).unwrap()
    }

    /// What a node's ledger has of each presignature of which a share was released.
    fn spent(&self, node: u16) -> BTreeMap<[u8; 32], [u8; 32]> {
        let ledger = Connection::open(self.ledger(node)).unwrap();
        ledger.busy_timeout(Duration::from_secs(10)).unwrap();
        let sql = "SELECT id, digest FROM spent WHERE substr(share, 33, 1) = x'00'";
        let Ok(mut rows) = ledger.prepare(sql) else { return BTreeMap::new() };
        let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        let rows: Vec<([u8; 32], [u8; 32])> = rows.collect::<Result<_, _>>().unwrap();
        let spent: BTreeMap<_, _> = rows.iter().copied().collect();
        assert_eq!(spent.len(), rows.len(), "a presignature is claimed once");
        spent
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// Frames are one for each context, round, sender and recipient, however often they were sent; gives the number of lines
/// and of frames.
fn audit_frames(place: &Place) -> (usize, usize) {
    let text = fs::read_to_string(place.record()).unwrap();
    let (mut said, mut broken) = (BTreeMap::new(), 0);
    for line in text.lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let [from, to, code, round, named, context, digest] = fields[..] else {
            // A kill in the middle of a line.
            broken += 1;
            continue;
        };
        assert!(named == "0" || named == to, "{line}");
        let first = said.entry((context, code, round, from, named)).or_insert(digest);
        assert_eq!(*first, digest, "two frames in one place: {line}");
    }
    assert!(broken <= 1, "{broken} lines are broken");
    (text.lines().count(), said.len())
}

/// Every request is signed or refused with a reason; no two signatures have one nonce, or are of one message.
fn audit_requests(place: &Place, resolved: &[Resolved]) {
    let gateway = Connection::open(place.custody().join("gateway.sqlite")).unwrap();
    let sql = "SELECT public FROM requests WHERE state = 2 LIMIT 1";
    let key: Vec<u8> = gateway.query_row(sql, [], |row| row.get(0)).unwrap();
    let mut nonces = BTreeSet::new();
    for one in resolved {
        if one.message.ends_with(b"Mallory") {
            assert_eq!(one.signature, None);
            let (why, certain) = one.refused.as_ref().unwrap();
            assert!(why.contains("the policy of the node") && *certain, "{why}");
            continue;
        }
        assert_eq!(one.refused, None);
        let bytes = one.signature.unwrap();
        let compact = Signature::<Secp256k1>::from_recoverable(&bytes).unwrap().to_compact();
        assert!(verifiers::ecdsa_secp256k1(&key, &one.message, &compact));
        assert!(nonces.insert(compact[..32].to_vec()), "one nonce for two signatures");
    }
    // Nobody was blamed for anything, in any run at any node.
    let failed: u32 = gateway
        .query_row("SELECT count(*) FROM answers WHERE done = 0", [], |row| row.get(0))
        .unwrap();
    assert_eq!(failed, 0);
    // Both signers have spent the same presignatures on the same, and released a share for each.
    let spent = place.spent(1);
    assert_eq!(spent, place.spent(2));
    assert_eq!(spent.len(), nonces.len());
    assert_eq!(spent.values().collect::<BTreeSet<_>>().len(), nonces.len());
    assert!(place.spent(3).is_empty());
    for node in 1..=3 {
        let open: u32 = place
            .database(node)
            .query_row("SELECT sum(open) FROM totals", [], |row| row.get(0))
            .unwrap();
        assert_eq!(open, 0, "node {node} has ended all of its runs");
    }
    audit_secrets(place);
}

/// What was spent is in no stock any more, and what was made lies in the vault alone: no outcome has a record.
fn audit_secrets(place: &Place) {
    let settings = Settings { requests: place.requests(), ..place.settings() };
    let (custody, _) = Custody::open(&place.custody(), &settings).unwrap();
    let gateway = Connection::open(place.custody().join("gateway.sqlite")).unwrap();
    let sql = "SELECT name FROM presignatures ORDER BY name";
    let mut pool = gateway.prepare(sql).unwrap();
    let pool = pool.query_map([], |row| row.get(0)).unwrap();
    let pool: Vec<[u8; 32]> = pool.collect::<Result<_, _>>().unwrap();
    for node in 1..=3 {
        let config = custody.node(id(node)).unwrap();
        let (stock, spent) = (config.vault().unwrap().stock().unwrap(), place.spent(node));
        assert!(!stock.iter().any(|name| spent.contains_key(name)), "node {node}");
        // Whoever signs has all that the gateway can give.
        assert!(node == 3 || pool.iter().all(|name| stock.contains(name)), "node {node}");
        let sql = "SELECT max(length(outcome)) FROM jobs";
        let longest: usize =
            place.database(node).query_row(sql, [], |row| row.get::<_, u32>(0)).unwrap() as usize;
        // With the stamp of its key before it, and without damaged peers or unopened bytes.
        assert!(longest < 16 + 33 + 3 + 84 + 1, "node {node}: a record of {longest} bytes");
    }
}

fn all_resolved(place: &Place) -> Vec<Resolved> {
    let settings = Settings { requests: place.requests(), ..place.settings() };
    let (custody, _) = Custody::open(&place.custody(), &settings).unwrap();
    resolved(&mut Gateway::open(custody.gateway().clone(), now()).unwrap()).unwrap()
}

fn spawn(place: &Place) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_custody-old"));
    command
        .args(["demo", "--requests", &REQUESTS.to_string(), "--dir"])
        .arg(place.custody())
        .arg("--record")
        .arg(place.record());
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The process ends by itself, or it is killed when so many frames of a phase were sent, or so much time has passed.
fn ends_before(place: &Place, (phase, frames): (usize, usize), time: Duration) -> bool {
    let (mut child, begun) = (spawn(place), Instant::now());
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            let said = child.wait_with_output().unwrap().stderr;
            assert!(status.success(), "{}", String::from_utf8_lossy(&said));
            return true;
        }
        if place.frames(phase) >= frames || begun.elapsed() >= time {
            child.kill().unwrap();
            child.wait().unwrap();
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Protocols, in the order in which they begin, and how often the program is killed after that.
const PHASES: [(&str, usize); 4] = [("16", 6), ("17", 8), ("20", 12), ("signing", 14)];
/// The last of them.
const SIGNING: usize = 3;
/// So many that the stock is filled again and again: signing goes on for as long as the program is killed in it, also if
/// much was signed while it was killed in presigning.
const REQUESTS: usize = 80;

/// SE-19: `kill -9`, again and again in each protocol, by the clock and by what has been sent; then everything is as if
/// nothing had happened.
#[test]
fn killed_at_any_moment_it_goes_on_and_ends() {
    let place = Place::new();
    let forever = Duration::from_secs(300);
    let mut killed = [0; PHASES.len()];
    for (phase, (_, kills)) in PHASES.into_iter().enumerate() {
        for kill in 0..kills {
            // In turn after a few frames more, and after some milliseconds.
            let (step, pause) = if phase == SIGNING { (kill % 2, 40) } else { (kill * 2 % 5, 1) };
            let frames = place.frames(phase) + 1 + step;
            let longest = if phase == SIGNING { 60 } else { 300 };
            let time = Duration::from_millis((pause + kill * 137 % longest) as u64);
            let ended = match kill % 3 {
                2 => ends_before(&place, (phase, usize::MAX), time),
                _ => ends_before(&place, (phase, frames), forever),
            };
            if ended {
                break;
            }
            killed[phase] += 1;
        }
    }
    assert_eq!(killed[..SIGNING], [6, 8, 12]);
    assert!(killed[SIGNING] > 3, "it was killed only {} times while it signed", killed[SIGNING]);
    ends_before(&place, (0, usize::MAX), forever);
    let all = all_resolved(&place);
    assert_eq!(all.len(), REQUESTS);
    audit_requests(&place, &all);
    let (lines, frames) = audit_frames(&place);
    assert!(lines > frames, "{lines} lines of {frames} frames: nothing was sent again");
    // Nothing is left to do, and nothing else comes of it.
    assert!(ends_before(&place, (0, usize::MAX), forever));
    assert_eq!(all_resolved(&place), all);
}

fn copy(from: &Path, to: &Path) {
    fs::remove_dir_all(to).ok();
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

/// SE-21: a signer's database is put back to a time at which it held presignatures that were spent since.
#[test]
fn a_database_that_was_put_back_signs_nothing() {
    let place = Place::new();
    let all = requests(7);
    place.run(&all[..2]).unwrap();
    let (backup, current) = (place.0.join("backup"), place.0.join("current"));
    copy(&place.node(2), &backup);
    place.run(&all[..5]).unwrap();
    copy(&place.node(2), &current);
    copy(&backup, &place.node(2));
    let before = (place.spent(2), place.frames(0));
    let refusal = place.run(&all[..6]).unwrap_err();
    for part in ["node 2: ", "was put back from a backup", "the ledger has seen step"] {
        assert!(refusal.contains(part), "{refusal}");
    }
    let sent = fs::read_to_string(place.record()).unwrap();
    assert!(sent.lines().skip(before.1).all(|line| !line.starts_with("2 ")), "node 2 is silent");
    assert_eq!(place.spent(2), before.0);
    // Even with the witness gone, what was spent stays spent: its record is not in the backup.
    let ledger = place.0.join("forced");
    fs::copy(place.ledger(2), &ledger).unwrap();
    let forced = Connection::open(&ledger).unwrap();
    forced.execute("DELETE FROM witness", []).unwrap();
    let sql = "INSERT INTO witness (one, number, epoch, head)
        SELECT 1, number, epoch, head FROM runs.marks ORDER BY number DESC LIMIT 1";
    let database = place.node(2).join("node.sqlite");
    forced.execute("ATTACH ? AS runs", [database.display().to_string()]).unwrap();
    forced.execute(sql, []).unwrap();
    drop(forced);
    let (custody, _) = Custody::open(&place.custody(), &place.settings()).unwrap();
    let mut config = custody.node(id(2)).unwrap().clone();
    config.ledger = Address::Sqlite(ledger);
    // What the backup holds of what was spent since is dropped when it is opened.
    let held = |path: &Path| {
        let database = Connection::open(path).unwrap();
        let mut rows = database.prepare("SELECT name FROM presignatures").unwrap();
        let rows = rows.query_map([], |row| row.get(0)).unwrap();
        rows.collect::<Result<BTreeSet<[u8; 32]>, _>>().unwrap()
    };
    let spent: Vec<_> =
        held(&database).into_iter().filter(|name| before.0.contains_key(name)).collect();
    assert_eq!(spent.len(), 2, "requests 4 and 5");
    let mut vault = config.vault().unwrap();
    assert!(!vault.stock().unwrap().iter().any(|name| before.0.contains_key(name)));
    let key = quorate_custody::request::KeyId([0; 16]);
    let request = custody.request(99, b"pay 9 to Alice", key, now() + 60_000);
    let order = SignOrder { request, material: Material::Presignature(spent[0]) };
    let answers = vault.sign(&[&order], &custody.policy(), now()).unwrap();
    let [Shared::Gone(why)] = answers.as_slice() else { panic!("a presignature was spent twice") };
    assert!(why.contains("already spent"), "{why}");
    drop((vault, custody));
    // The current database is taken, and all goes on.
    copy(&current, &place.node(2));
    let resolved = place.run(&all).unwrap();
    audit_requests(&place, &resolved);
    audit_frames(&place);
}

/// The stock is filled by runs for many presignatures, up to the high mark when it has fallen below the low one.
#[test]
fn the_stock_is_kept_between_its_marks() {
    let place = Place::new();
    let all = requests(9);
    for (until, runs) in [(0, 1), (4, 1), (9, 2), (9, 2)] {
        place.run(&all[..until]).unwrap();
        let gateway = Connection::open(place.custody().join("gateway.sqlite")).unwrap();
        let mut rows =
            gateway.prepare("SELECT body FROM orders WHERE kind = 2 ORDER BY number").unwrap();
        let made = rows.query_map([], |row| row.get(0)).unwrap();
        let count = |body: Vec<u8>| Body::from_bytes(&body).unwrap().count;
        let made: Vec<u16> = made.map(|body| count(body.unwrap())).collect();
        assert!(made.iter().all(|made| usize::from(*made) <= MARKS.high));
        assert_eq!(made.first(), Some(&8));
        let left: usize = gateway
            .query_row("SELECT count(*) FROM presignatures", [], |row| row.get(0))
            .map(|left: u32| left as usize)
            .unwrap();
        assert!((MARKS.low..=MARKS.high).contains(&left), "{left} left of {made:?}");
        // A run begins only below the low mark.
        assert_eq!(made.len(), runs, "{made:?}");
    }
}

/// The operators of all three see which node is configured otherwise, and how; by the ends of their runs.
#[test]
fn another_threshold_is_shown() {
    let place = Place::new();
    let dir = place.custody().display().to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_custody-old"));
    let output = command.args(["demo", "--other-threshold", "3", "--dir", &dir]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    for line in [
        "key generation has failed:",
        "node 1: party 3 uses threshold 3, expected 2",
        "node 2: party 3 uses threshold 3, expected 2",
        "node 3: party 1 uses threshold 2, expected 3",
        "node 1: gave up in round 1, still waiting for party 3; ",
        "from party 3: the sender was started with another threshold",
        "node 3: gave up in round 1, still waiting for party 1, party 2; ",
        "from party 1: the sender was started with another threshold",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
    // Configured as the others are, it goes on in the same folder.
    let output = run(&format!("demo --dir {dir}")).unwrap();
    assert!(output.contains("Going on in:") && output.contains("request 12: "), "{output}");
}

/// The key that seals a database lies apart from it, for its owner alone; without it nothing opens.
#[test]
fn the_key_is_not_with_the_database() {
    let place = Place::new();
    let open = || Custody::open(&place.custody(), &place.settings());
    let key = place.custody().join("keys/node-1");
    let (custody, there) = open().unwrap();
    assert!(!there);
    assert!(!custody.node(id(1)).unwrap().vault().unwrap().search().unwrap());
    let refusal = open().err().unwrap().to_string();
    assert!(refusal.contains("another process works in"), "{refusal}");
    drop(custody);
    let secret = fs::read(&key).unwrap();
    assert_eq!(secret.len(), 32);
    for entry in fs::read_dir(place.node(1)).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        assert!(!bytes.windows(32).any(|window| window == secret));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&key, fs::Permissions::from_mode(0o640)).unwrap();
        let refusal = open().err().unwrap().to_string();
        assert!(refusal.contains("others may read it"), "{refusal}");
        fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    }
    // Another key.
    fs::write(&key, [1; 32]).unwrap();
    let refusal = open().unwrap().0.node(id(1)).unwrap().vault().err().unwrap().to_string();
    assert!(refusal.contains("the key service has another key 1"), "{refusal}");
    fs::write(&key, [1; 31]).unwrap();
    assert!(open().err().unwrap().to_string().contains("not a key"));
}

fn run(line: &str) -> Result<String, String> {
    let mut out = Out::captured();
    let args = line.split_whitespace().map(OsString::from);
    let result = quorate_custody::run(args, &mut out);
    result.map(|()| out.into_text()).map_err(|failure| failure.to_string())
}

#[test]
fn the_command_line() {
    let fails = |line: &str, part: &str| {
        let failure = run(line).expect_err(line);
        assert!(failure.contains(part), "{line}\n  says: {failure}\n  not:  {part}");
    };
    fails("", "Usage: custody <COMMAND>");
    fails("dance", "unrecognized subcommand 'dance'");
    fails("demo --other-threshold 4", "node 4: there are three nodes");
    fails("demo --requests 0", "invalid value '0' for '--requests <NUMBER>'");
    fails("demo --level 80", "invalid value '80' for '--level <LEVEL>'");
    fails("demo --node 1", "unexpected argument '--node'");
    assert!(run("demo --help").unwrap().contains("--other-threshold <NODE>"));
    let place = Place::new();
    let dir = place.0.display();
    fs::write(place.record(), "something").unwrap();
    fails(&format!("demo --dir {dir}"), "is not empty, and no custody");
    drop(Custody::open(&place.custody(), &place.settings()).unwrap());
    let dir = place.custody();
    fails(&format!("demo --requests 3 --dir {}", dir.display()), "was made for 12 requests");
    fails(&format!("demo --level 128 --dir {}", dir.display()), "moduli of 2048 bits");
    fs::write(dir.join("plan"), "custody 00\nmoduli 2048\nrequests 12\n").unwrap();
    fails(&format!("demo --dir {}", dir.display()), "not a plan of a custody");
}

fn id(node: u16) -> PartyId {
    PartyId::new(node).unwrap()
}

/// One node dies again and again, with all that it has not acknowledged, while the others go on.
#[test]
fn a_node_that_dies_alone_holds_nobody_up_for_long() {
    let place = Place::new();
    let (custody, _) = Custody::open(&place.custody(), &place.settings()).unwrap();
    let network = Network::new(7, Limits::default());
    let (ask, inbox) = channel();
    let bus = network.connect(Peer::Gateway(1), 0, ask.clone());
    bus.listen(&[ANSWERS]);
    let over = AtomicBool::new(false);
    let deaths = AtomicU32::new(0);
    let mut gateway = Gateway::open(custody.gateway().clone(), now()).unwrap();
    std::thread::scope(|scope| {
        for me in 1..=3 {
            let config = custody.node(id(me)).unwrap().clone();
            let (network, policy) = (network.clone(), custody.policy());
            let (over, deaths) = (&over, &deaths);
            scope.spawn(move || {
                while !over.load(Ordering::SeqCst) {
                    let (way, inbox) = channel();
                    let bus = network.connect(Peer::Node(id(me)), 0, way.clone());
                    bus.listen(&routes(KINDS));
                    // So long does it live, the others until all is over.
                    let number = deaths.fetch_add(u32::from(me == 2), Ordering::SeqCst);
                    let life = Duration::from_millis((40 + number * 61 % 300).into());
                    std::thread::spawn(move || {
                        std::thread::sleep(if me == 2 { life } else { Duration::from_millis(500) });
                        way.send(node::Input::End).ok();
                    });
                    let mut node = Node::start(config.clone(), Box::new(policy.clone())).unwrap();
                    node::serve(&mut node, &bus, &inbox, |_| ()).unwrap();
                }
            });
        }
        let mut handed_in = false;
        gateway::serve(&mut gateway, &bus, &inbox, |gateway| {
            if !handed_in && let Some(key) = gateway.keys().first() {
                for (number, message) in (1..).zip(requests(12)) {
                    let request = custody.request(number, &message, key.id, now() + 300_000);
                    let reply = Reply::new(|_| {});
                    ask.send(gateway::Input::Ask(Ask::Submit(request, reply))).unwrap();
                }
                handed_in = true;
            }
            Ok(gateway.ends() == 12 && gateway.rests())
        })
        .unwrap();
        over.store(true, Ordering::SeqCst);
    });
    assert!(deaths.into_inner() > 5);
    let all = resolved(&mut gateway).unwrap();
    assert_eq!(all.len(), 12);
    drop((gateway, custody));
    audit_requests(&place, &all);
    audit_frames(&place);
}

/// A file that was left where a key is written first gives the key neither its mode nor its readers.
#[cfg(unix)]
#[test]
fn a_key_is_written_to_a_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let (new, key) = (place.0.join("node-1.new"), place.0.join("node-1"));
    fs::write(&new, b"left").unwrap();
    fs::set_permissions(&new, fs::Permissions::from_mode(0o666)).unwrap();
    let reader = fs::File::open(&new).unwrap();
    quorate_custody::keyfile::open(&key).unwrap();
    assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(std::io::read_to_string(reader).unwrap(), "left");
}
