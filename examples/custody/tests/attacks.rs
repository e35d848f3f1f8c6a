//! Attacks on the service: liars among nodes and gateways, databases that were put back, messages that are old.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::unwrap_in_result,
    clippy::integer_division_remainder_used,
    reason = "a test fails by panicking"
)]

#[path = "common/databases.rs"]
mod databases;
#[path = "common/postgres.rs"]
mod postgres;
#[path = "common/world.rs"]
mod world;

use core::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

use quorate::SessionId;
use quorate_custody::bus::Peer;
use quorate_custody::orders::{Body, Kind, Name, Order};
use quorate_custody::request::Scheme;
use quorate_custody::sql::{Db, Settings, Sql};
use quorate_custody::store::{OpenError, Runs};
use quorate_custody::wire::{Mark, Message, Replenish, Shared, SignOrder, Witness};
use world::{World, id, listen, signature};

const FILES: [&str; 2] = ["node-1.sqlite", "ledger-1.sqlite"];

fn copy(dir: &Path) {
    for file in FILES {
        let from = rusqlite::Connection::open(dir.join(file)).unwrap();
        let to = dir.join(format!("copy-{file}"));
        std::fs::remove_file(&to).ok();
        from.execute("VACUUM INTO ?", [to.display().to_string()]).unwrap();
    }
}

fn put_back(dir: &Path, files: &[&str]) {
    for file in files {
        for end in ["", "-wal", "-shm"] {
            std::fs::remove_file(dir.join(format!("{file}{end}"))).ok();
        }
        std::fs::copy(dir.join(format!("copy-{file}")), dir.join(file)).unwrap();
    }
}

fn ask(dir: &Path, sql: &str) -> i64 {
    let database = rusqlite::Connection::open(dir.join("node-1.sqlite")).unwrap();
    database.query_row(sql, [], |row| row.get(0)).unwrap()
}

const EPOCH: &str = "SELECT max(epoch) FROM marks";

/// The history of a node goes on after a peer has lied about it, and its ledger follows.
#[test]
fn a_lie_about_a_nodes_history_costs_one_epoch() {
    for (epoch, number) in [(2, i64::MAX as u64), (u64::from(u32::MAX), 5), (9, u64::MAX)] {
        let mut world = World::new("history", &[Scheme::Ed25519]);
        world.ready();
        let key = world.key(Scheme::Ed25519);
        world.start(1);
        let lie = world.word(1, Mark { epoch, number, head: [1; 32] });
        world.say(1, Peer::Node(id(2)), vec![lie]);
        for number in 1000..1003 {
            let more = Replenish { key: key.id, number, count: 1, done: 0, epoch: 0 };
            world.say(1, Peer::Gateway(1), vec![Message::Replenish(more)]);
            let opened = world.node_config(1).store();
            assert!(opened.is_ok(), "{epoch} {number}: {:?}", opened.err());
        }
        assert!(ask(&world.dir, EPOCH) <= 10);
    }
}

/// A backup of database and ledger holds a run that has ended, but what it made was not moved to the vault yet.
#[test]
fn presignatures_of_a_run_that_ended_before_the_backup_are_dropped_too() {
    let mut world = World::new("ended", &[Scheme::Ecdsa]);
    let given: Rc<RefCell<BTreeSet<[u8; 32]>>> = Rc::default();
    let orders: Rc<RefCell<Vec<Order>>> = Rc::default();
    let (seen, keep) = (Rc::clone(&given), Rc::clone(&orders));
    world.meddler = Some(Box::new(move |_, to, message| {
        if let (Message::Order(order), Peer::Node(node)) = (&message, to)
            && order.kind == Kind::Presign
            && node == id(1)
        {
            keep.borrow_mut().push(order.clone());
            if !seen.borrow_mut().insert(*order.job.sid.as_bytes()) {
                return vec![];
            }
        }
        vec![message]
    }));
    world.until("an order", |_| !orders.borrow().is_empty());
    world.start(1);
    let dir = world.dir.clone();
    world.until("a run that has ended", |_| {
        ask(&dir, "SELECT count(*) FROM jobs WHERE length(outcome) > 1000 AND sid NOT IN (SELECT sid FROM answers)") > 0
    });
    copy(&dir);
    let heard = listen(&mut world);
    world.ready();
    let key = world.key(Scheme::Ecdsa);
    signature(world.sign(1, &key, b"pay 1 to Alice"));
    let (_, order) = heard.borrow().iter().find(|(node, _)| *node == id(1)).cloned().unwrap();
    let first = world.share(1, &order).unwrap();
    assert!(matches!(first, Shared::Share(_)));
    // The peers hear of it.
    (0..300).for_each(|_| world.step());
    world.stop(1);
    put_back(&dir, &FILES);
    world.start(1);
    let before = ask(&dir, EPOCH);
    world.until("another epoch", |_| ask(&dir, EPOCH) > before);
    for order in orders.borrow().clone() {
        world.say(1, Peer::Gateway(1), vec![Message::Order(order)]);
    }
    let other = world.request(99, &key, b"pay 9 to Alice");
    let other = SignOrder { request: other, material: order.material.clone() };
    let said = world.share(1, &other);
    assert!(!matches!(said, Some(Shared::Share(_))), "one presignature for two messages");
}

/// A word of a peer from before the backup, which the bus delivers late, is no word about what came after.
#[test]
fn an_old_word_of_a_witness_does_not_hide_a_new_one() {
    let mut world = World::new("old", &[Scheme::Ed25519]);
    world.ready();
    let key = world.key(Scheme::Ed25519);
    let old: Rc<RefCell<Vec<(Peer, Message)>>> = Rc::default();
    let keep = Rc::clone(&old);
    world.meddler = Some(Box::new(move |from, to, message| {
        if matches!(message, Message::Witness(_)) && to == Peer::Node(id(1)) {
            keep.borrow_mut().push((from, message.clone()));
        }
        vec![message]
    }));
    world.until("words", |_| old.borrow().len() > 6);
    let words = old.borrow().clone();
    let dir = world.dir.clone();
    copy(&dir);
    let heard = listen(&mut world);
    let mut number = 0;
    while !heard.borrow().iter().any(|(node, _)| *node == id(1)) {
        number += 1;
        signature(world.sign(number, &key, b"pay 1 to Alice"));
    }
    (0..300).for_each(|_| world.step());
    let (_, order) = heard.borrow().iter().find(|(node, _)| *node == id(1)).cloned().unwrap();
    world.stop(1);
    put_back(&dir, &FILES);
    world.start(1);
    let before = ask(&dir, EPOCH);
    let now = world.now;
    world.nodes.get_mut(&id(1)).unwrap().as_mut().unwrap().turn(words, now).unwrap();
    (0..500).for_each(|_| world.step());
    assert!(ask(&dir, EPOCH) > before, "it has not noticed");
    let other = world.request(99, &key, b"pay 9 to Alice");
    let other = SignOrder { request: other, material: order.material.clone() };
    let said = world.share(1, &other);
    assert!(!matches!(said, Some(Shared::Share(_))), "one pair of nonces for two messages");
}

/// The statements of a new epoch mean the same in both kinds of databases.
#[test]
fn an_epoch_begins_in_every_kind_of_database() {
    databases::Databases::each(|databases| {
        let world_config = |(database, ledger)| quorate_custody::node::Config {
            me: id(1),
            nodes: quorate::Parties::numbered(3).unwrap(),
            gateways: vec![1],
            threshold: 2,
            level: quorate_paillier::Level::Bits112,
            database,
            ledger,
            seal_key: std::sync::Arc::new(quorate::SealKey::new([1; 32])),
            record: None,
            identity: None,
            worker: (0, 1),
            witnesses: 0,
            rejoins: true,
            counters: Vec::new(),
        };
        let config = world_config(databases.both(0));
        let start = || {
            let policy = Box::new(quorate_custody::policy::Deny);
            quorate_custody::node::Node::start(config.clone(), policy).unwrap()
        };
        let mut node = start();
        let mut db = Db::open(&config.database, Settings::default()).unwrap();
        let echo = db.one("SELECT challenge FROM lives", &[]).unwrap().array(0).unwrap();
        let seen = Mark { epoch: 7, number: 5, head: [1; 32] };
        let mark = Mark::default();
        let lie = Message::Witness(Witness { echo, seen, vouches: true, mark, relies: false });
        node.turn(vec![(Peer::Node(id(2)), lie)], 1_000_000).unwrap();
        let epoch = config.store().unwrap().head().unwrap().unwrap().epoch;
        assert_eq!(epoch, 8);
        drop(node);
        drop(start());
    });
}

/// A node that says of everything that it is gone is asked for less and less, and the others sign.
#[test]
fn a_node_that_has_lost_everything_burns_no_stock() {
    for scheme in [Scheme::Ed25519, Scheme::Ecdsa] {
        let mut world = World::new("gone", &[scheme]);
        world.config.stocked = 3;
        world.open_gateway();
        world.ready();
        let key = world.key(scheme);
        let said = Rc::new(RefCell::new(0));
        let count = Rc::clone(&said);
        world.meddler = Some(Box::new(move |from, _, message| match message {
            Message::Share(order, _) if from == Peer::Node(id(2)) => {
                *count.borrow_mut() += 1;
                vec![Message::Share(order, Shared::Gone("lost".into()))]
            }
            message => vec![message],
        }));
        for number in 1..=10 {
            signature(world.sign(number, &key, b"pay 1 to Alice"));
        }
        assert!(*said.borrow() <= 20, "{scheme:?}: {} orders were burnt", said.borrow());
    }
}

/// If there is nobody else, a node that has lost what was made with it before signs with what is made with it now.
#[test]
fn what_is_gone_holds_up_nobody_for_ever() {
    for scheme in [Scheme::Ed25519, Scheme::Ecdsa] {
        let mut world = World::new("lost", &[scheme]);
        world.ready();
        let key = world.key(scheme);
        world.stop(3);
        let left = Rc::new(RefCell::new(6));
        let count = Rc::clone(&left);
        world.meddler = Some(Box::new(move |from, _, message| match message {
            Message::Share(order, _) if from == Peer::Node(id(2)) && *count.borrow() > 0 => {
                *count.borrow_mut() -= 1;
                vec![Message::Share(order, Shared::Gone("lost".into()))]
            }
            message => vec![message],
        }));
        for number in 1..=3 {
            signature(world.sign(number, &key, b"pay 1 to Alice"));
        }
        assert_eq!(*left.borrow(), 0);
    }
}

/// A job that a node had begun after the backup is not begun again with other randomness: its peers would have two first
/// messages of it.
#[test]
fn a_job_from_after_the_backup_is_not_begun_again() {
    let mut world = World::new("again", &[Scheme::Ecdsa]);
    world.ready();
    let dir = world.dir.clone();
    copy(&dir);
    let orders: Rc<RefCell<Vec<Order>>> = Rc::default();
    let packets: Rc<RefCell<BTreeSet<Vec<u8>>>> = Rc::default();
    let (seen, sent) = (Rc::clone(&orders), Rc::clone(&packets));
    world.meddler = Some(Box::new(move |from, to, message| {
        match (&message, to) {
            (Message::Order(order), Peer::Node(node)) if node == id(1) => {
                seen.borrow_mut().push(order.clone());
            }
            (Message::Packet(bytes), _) if from == Peer::Node(id(1)) => {
                sent.borrow_mut().insert(bytes.clone());
                // Its peers get it later.
                return vec![];
            }
            _ => {}
        }
        vec![message]
    }));
    let key = world.key(Scheme::Ecdsa);
    for number in 1..=3 {
        signature(world.sign(number, &key, b"pay 1 to Alice"));
    }
    world.until("a job", |_| !orders.borrow().is_empty() && !packets.borrow().is_empty());
    (0..200).for_each(|_| world.step());
    let before: BTreeSet<Vec<u8>> = packets.borrow().clone();
    world.stop(1);
    put_back(&dir, &FILES);
    world.witnesses = 1;
    world.start(1);
    let epoch = ask(&dir, EPOCH);
    world.until("another epoch", |_| ask(&dir, EPOCH) > epoch);
    let begun = orders.borrow()[0].clone();
    let sid = *begun.job.sid.as_bytes();
    world.say(1, Peer::Gateway(1), vec![Message::Order(begun)]);
    (0..100).for_each(|_| world.step());
    let again: Vec<_> = packets.borrow().difference(&before).cloned().collect();
    let database = rusqlite::Connection::open(dir.join("node-1.sqlite")).unwrap();
    let runs: i64 = database
        .query_row("SELECT count(*) FROM runs WHERE sid = ?", [&sid[..]], |row| row.get(0))
        .unwrap();
    assert_eq!(runs, 0, "begun again, and {} other packets are sent", again.len());
    // The order with another number for the epoch is none.
    let mut forged = orders.borrow()[0].clone();
    let at = 32 + 2;
    forged.job.body[at..at + 4].copy_from_slice(&2_u32.to_be_bytes());
    forged.job.sid = SessionId::new([7; 32]);
    let said = world.say(1, Peer::Gateway(1), vec![Message::Order(forged)]);
    let wrong = |message: &Message| matches!(message, Message::Answer(_, Err(why)) if why.contains("not its own"));
    assert!(said.iter().any(wrong), "{said:?}");
    // What is ordered from now on is made.
    world.meddler = None;
    (10..16).for_each(|number| drop(signature(world.sign(number, &key, b"pay 1 to Alice"))));
}

/// A gateway, or somebody who has taken its place, orders a key under the name of one that is there: no node takes part, and
/// what it holds stays.
#[test]
fn a_key_is_not_made_again_under_its_name() {
    for scheme in [Scheme::Ed25519, Scheme::Ecdsa] {
        let mut world = World::new("name", &[scheme]);
        world.ready();
        let key = world.key(scheme);
        let kind = Kind::making(scheme);
        let name = Name::new(&[9; 32], kind, (1, 77));
        let members = (1..=3).map(|node| (id(node), 1)).collect();
        let body = Body::of_key(key.id, 0);
        let order = Order::new((name, kind), &members, &body, world.now + 60_000).unwrap();
        for node in 1..=3 {
            let said = world.say(node, Peer::Gateway(1), vec![Message::Order(order.clone())]);
            let no = |message: &Message| match message {
                Message::Answer(sid, Err(why)) => {
                    *sid == order.job.sid && why.contains("a key has no name before it is made")
                }
                _ => false,
            };
            assert!(said.iter().any(no), "{said:?}");
            assert!(!said.iter().any(|message| matches!(message, Message::Packet(_))));
        }
        signature(world.sign(1, &key, b"pay 1 to Alice"));
        assert_eq!(world.key(scheme).public_key, key.public_key);
    }
}

/// A gateway orders more presignatures in one run than a node's policy allows: the node takes no part, and says the bound.
#[test]
fn an_order_for_more_presignatures_than_the_policy_allows_is_refused() {
    let mut world = World::new("many", &[Scheme::Ecdsa]);
    world.rules.presignatures_per_order = Some(8);
    (1..=3).for_each(|node| world.start(node));
    world.ready();
    let key = world.key(Scheme::Ecdsa);
    let members = (1..=2).map(|node| (id(node), 1)).collect();
    let order = |number, count| {
        let name = Name::new(&[9; 32], Kind::Presign, (1, number));
        let body = Body { count, ..Body::of_key(key.id, 0) };
        Order::new((name, Kind::Presign), &members, &body, world.now + 60_000).unwrap()
    };
    let [within, beyond] = [order(77, 8), order(78, 9)];
    let said = world.say(1, Peer::Gateway(1), vec![Message::Order(beyond.clone())]);
    let no = |message: &Message| match message {
        Message::Answer(sid, Err(why)) => {
            *sid == beyond.job.sid && why.contains("8 presignatures in an order, got 9")
        }
        _ => false,
    };
    assert!(said.iter().any(no), "{said:?}");
    assert!(!said.iter().any(|message| matches!(message, Message::Packet(_))));
    let said = world.say(1, Peer::Gateway(1), vec![Message::Order(within)]);
    assert!(said.iter().any(|message| matches!(message, Message::Packet(_))), "{said:?}");
}

/// What a gateway has of a node is dropped when the node begins a new epoch, also after the gateway was started again; of the
/// others nothing is.
#[test]
fn a_new_epoch_empties_the_pools_of_its_node() {
    let mut world = World::new("empties", &Scheme::ALL);
    world.ready();
    let heard = listen(&mut world);
    world.step();
    // The gateway is down meanwhile.
    world.gateway = None;
    let lie = world.word(2, Mark { epoch: 1, number: 1 << 30, head: [1; 32] });
    world.say(2, Peer::Node(id(1)), vec![lie]);
    world.step();
    world.open_gateway();
    (0..200).for_each(|_| world.step());
    heard.borrow_mut().clear();
    world.ready();
    let (ecdsa, ed25519) = (world.key(Scheme::Ecdsa), world.key(Scheme::Ed25519));
    for number in 1..=8 {
        signature(world.sign(number, &ecdsa, b"pay 1 to Alice"));
        signature(world.sign(number + 100, &ed25519, b"pay 1 to Alice"));
    }
    // Each at two signers, once: nothing of before was ordered.
    let orders = heard.borrow().len();
    assert_eq!(orders, 32, "{orders} orders");
}

fn release(runs: &Runs, what: u8) -> quorate_custody::sql::Result<()> {
    runs.work(|work| {
        work.release(&[what; 32]);
        Ok(())
    })
}

/// Two workers of a node find at the same time that its database was put back: it begins one epoch.
#[test]
fn two_workers_begin_one_epoch() {
    databases::Databases::each(|databases| {
        let (database, ledger) = databases.both(0);
        let both = (&database, &ledger);
        let settings = Settings::default();
        let first = databases.open(0);
        release(&first, 1).unwrap();
        release(&first, 2).unwrap();
        let ends = first.head().unwrap().unwrap().epoch;
        let seen = [quorate_custody::store::Mark { epoch: 1, number: 9, head: [1; 32] }];
        let one = Runs::rejoin(both, settings, (&seen, ends), |_| Ok(())).unwrap();
        let two = Runs::rejoin(both, settings, (&seen, ends), |_| panic!("dropped twice")).unwrap();
        let marks = [one.head(), two.head()].map(|mark| mark.unwrap().unwrap());
        assert_eq!(marks[0], marks[1]);
        assert_eq!((marks[0].epoch, marks[0].number), (2, 10));
        // A worker that does not know of it yet commits nothing.
        release(&first, 3).unwrap_err();
        assert_eq!(one.head().unwrap().unwrap(), marks[0]);
        release(&first.fresh(), 4).unwrap();
        assert_eq!(one.head().unwrap().unwrap().number, 11);
    });
}

/// A worker that dies after it has begun an epoch, and before the ledger has heard of it, leaves that epoch to the next one.
#[test]
fn an_epoch_that_the_ledger_has_not_heard_of_is_not_begun_twice() {
    databases::Databases::each(|databases| {
        let (database, ledger) = databases.both(0);
        let (both, settings) = ((&database, &ledger), Settings::default());
        let first = databases.open(0);
        release(&first, 1).unwrap();
        release(&first, 2).unwrap();
        let mut of = Db::open(&ledger, settings).unwrap();
        of.execute("CREATE TABLE before AS SELECT * FROM witness", &[]).unwrap();
        drop(Runs::rejoin(both, settings, (&[], 1), |_| Ok(())).unwrap());
        of.execute("DELETE FROM witness", &[]).unwrap();
        of.execute("INSERT INTO witness SELECT * FROM before", &[]).unwrap();
        let next = Runs::open(&database, &ledger, settings).unwrap();
        assert_eq!(next.head().unwrap().unwrap().epoch, 2);
        release(&next, 3).unwrap();
        drop(databases.open(0));
        // Once something was released in it, a ledger that does not know of it is another one.
        of.execute("DELETE FROM witness", &[]).unwrap();
        of.execute("INSERT INTO witness SELECT * FROM before", &[]).unwrap();
        let refused = Runs::open(&database, &ledger, settings).unwrap_err();
        assert!(matches!(refused, OpenError::LedgerPutBack { epoch: 2, .. }), "{refused}");
    });
}
