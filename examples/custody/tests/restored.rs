//! Databases, ledgers and whole machines that are put back to an older copy, with everybody honest, and with a broker that
//! is not: nothing is spent twice.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::unwrap_in_result,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "a test fails by panicking"
)]

#[path = "common/backup.rs"]
mod backup;
#[path = "common/world.rs"]
mod world;

use core::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::rc::Rc;

use quorate::PartyId;
use quorate_custody::bus::Peer;
use quorate_custody::request::Scheme;
use quorate_custody::wire::{Material, Message, Shared, SignOrder};
use world::{World, id};

/// What a node spends.
type Name = (PartyId, Vec<u8>);

/// Everything that was heard on the way.
#[derive(Default)]
struct Heard {
    orders: BTreeMap<[u8; 32], SignOrder>,
    /// The messages that each name was spent on, as far as a share of the signature was given out.
    spent: BTreeMap<Name, Vec<Vec<u8>>>,
    /// What nodes have said to nodes about their histories.
    words: Vec<(Peer, Peer, Message)>,
}

impl Heard {
    fn hear(&mut self, from: Peer, to: Peer, message: &Message) {
        match (message, from) {
            (Message::Sign(order), _) => drop(self.orders.insert(order.id(), (**order).clone())),
            (Message::Share(order, Shared::Share(_)), Peer::Node(node)) => {
                let order = &self.orders[order];
                let message = order.request.request.message.clone();
                let of = self.spent.entry((node, name(node, order))).or_default();
                if !of.contains(&message) {
                    of.push(message);
                }
            }
            (Message::Beat(_) | Message::Witness(_), Peer::Node(_)) => {
                self.words.push((from, to, message.clone()));
            }
            _ => {}
        }
    }

    /// The names that were spent on two messages.
    fn twice(&self) -> usize {
        self.spent.values().filter(|messages| messages.len() > 1).count()
    }
}

fn name(node: PartyId, order: &SignOrder) -> Vec<u8> {
    match &order.material {
        Material::Presignature(name) => name.to_vec(),
        Material::Commitments(list) => list.iter().find(|(id, _)| *id == node).unwrap().1.to_vec(),
    }
}

fn hear(world: &mut World) -> Rc<RefCell<Heard>> {
    let heard: Rc<RefCell<Heard>> = Rc::default();
    let put = Rc::clone(&heard);
    world.meddler = Some(Box::new(move |from, to, message| {
        put.borrow_mut().hear(from, to, &message);
        vec![message]
    }));
    heard
}

/// The processes of everybody end, with all that is on its way.
fn stop_all(world: &mut World) {
    (1..=3).for_each(|node| world.stop(node));
    world.gateway = None;
    world.way.clear();
}

fn start_all(world: &mut World) {
    (1..=3).for_each(|node| world.start(node));
    world.open_gateway();
}

/// Copies the folder of everybody, or puts the copy back.
fn copy_all(world: &World, back: bool) {
    let copy = world.dir.join("copy");
    fs::create_dir_all(&copy).unwrap();
    let (from, to) = if back { (&copy, &world.dir) } else { (&world.dir, &copy) };
    for file in fs::read_dir(to).unwrap().flatten().filter(|file| file.path().is_file()) {
        fs::remove_file(file.path()).unwrap();
    }
    for file in fs::read_dir(from).unwrap().flatten().filter(|file| file.path().is_file()) {
        fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}

/// Has some messages signed that nobody else has asked for.
fn sign(world: &mut World, scheme: Scheme, numbers: core::ops::Range<u8>) {
    let key = world.key(scheme);
    numbers.for_each(|number| world.signs(number, &key));
}

/// Stop, copy the folder of all nodes and the gateway, start, sign, stop, put the copy back, start, sign: a snapshot of the
/// machine under everything. Whatever was made before the copy is spent once.
#[test]
fn a_copy_of_everybody_that_is_put_back_spends_nothing_twice() {
    let mut world = World::new("all", &Scheme::ALL);
    world.witnesses = 2;
    let heard = hear(&mut world);
    start_all(&mut world);
    world.ready();
    world.steps(200);
    stop_all(&mut world);
    copy_all(&world, false);
    for (number, replays) in [(1, false), (21, false), (41, true)] {
        start_all(&mut world);
        if replays {
            // The broker was not put back, and delivers what was said before once more.
            let words = core::mem::take(&mut heard.borrow_mut().words);
            let old = words.iter().map(|(from, to, message)| (*from, *to, message.to_bytes()));
            let now = world.now;
            world.way.extend(old.map(|(from, to, bytes)| (now, from, to, bytes)));
        }
        for (scheme, number) in Scheme::ALL.into_iter().zip([number, number + 10]) {
            sign(&mut world, scheme, number..number + 3);
        }
        assert_eq!(heard.borrow().twice(), 0, "from {number}, replays: {replays}");
        world.steps(200);
        stop_all(&mut world);
        copy_all(&world, true);
    }
    // Each signature has two signers, and each of them has spent something.
    assert!(heard.borrow().spent.len() >= 36, "too little is signed");
}

/// Counters that no backup reaches tell a restart of everybody from a copy that is put back: after the one everything goes on
/// with what was made ahead, and after the other nothing does.
#[test]
fn a_counter_outside_keeps_the_stock_of_a_restart() {
    let mut world = World::new("counter", &[Scheme::Ed25519]);
    world.witnesses = 2;
    let counters = std::env::temp_dir().join(quorate_examples::files::fresh_name("counters-"));
    fs::create_dir(&counters).unwrap();
    world.counters = Some(counters.clone());
    start_all(&mut world);
    world.ready();
    let heard = hear(&mut world);
    for (number, back) in [(1, None), (2, None), (3, Some(false)), (4, Some(true))] {
        stop_all(&mut world);
        if let Some(back) = back {
            copy_all(&world, back);
        }
        start_all(&mut world);
        sign(&mut world, Scheme::Ed25519, number..number + 1);
        let anew = |node: &u16| {
            let head = world.node_config(*node).store().unwrap().head().unwrap().unwrap();
            head.epoch > 1
        };
        // Both who have signed since the copy; the third one lacks nothing.
        let anew = (1..=3).filter(anew).count();
        assert!(if back == Some(true) { anew >= 2 } else { anew == 0 }, "{anew} at start {number}");
    }
    assert_eq!(heard.borrow().twice(), 0);
    fs::remove_dir_all(counters).unwrap();
}

/// The broker, which is nobody's friend, hands a machine that was put back two words of before and withholds the new ones.
#[test]
fn old_words_of_witnesses_say_nothing_to_a_machine_that_was_put_back() {
    let mut world = World::new("withheld", &[Scheme::Ed25519]);
    world.ready();
    world.witnesses = 2;
    let key = world.key(Scheme::Ed25519);
    let heard = hear(&mut world);
    world.start(1);
    world.steps(300);
    backup::copy(&world.dir, 1);
    let words: Vec<_> = core::mem::take(&mut heard.borrow_mut().words);
    let words: Vec<_> = words.into_iter().filter(|(_, to, _)| *to == Peer::Node(id(1))).collect();
    (1..=4).for_each(|number| world.signs(number, &key));
    world.steps(300);
    let spent: Vec<SignOrder> = heard.borrow().orders.values().cloned().collect();
    let spent: Vec<_> = spent.into_iter().filter(|order| gives(order, 1)).collect();
    assert!(!spent.is_empty());
    world.stop(1);
    backup::put_back(&world.dir, 1);
    world.meddler = Some(Box::new(|from, to, message| {
        let word = matches!(message, Message::Beat(_) | Message::Witness(_));
        let withheld = word && to == Peer::Node(id(1)) && matches!(from, Peer::Node(_));
        if withheld { vec![] } else { vec![message] }
    }));
    world.start(1);
    for round in 0..15 {
        let now = world.now;
        let again = words.iter().map(|(from, to, message)| (now, *from, *to, message.to_bytes()));
        world.way.extend(again);
        world.steps(100);
        for order in &spent {
            let other = world.request(99, &key, b"pay 9 to Alice");
            let other = SignOrder { request: other, material: order.material.clone() };
            let said = world.share(1, &other);
            assert!(!matches!(said, Some(Shared::Share(_))), "after {round} s, it signs twice");
        }
    }
    // Once it hears its peers it goes on, in another epoch.
    world.meddler = None;
    world.steps(200);
    let epoch = world.node_config(1).store().unwrap().head().unwrap().unwrap().epoch;
    assert!(epoch > 1, "it has noticed");
    world.stop(3);
    world.signs(10, &key);
}

fn gives(order: &SignOrder, node: u16) -> bool {
    match &order.material {
        Material::Presignature(_) => true,
        Material::Commitments(list) => list.iter().any(|(of, _)| *of == id(node)),
    }
}

/// A world in which node 1 has signed with pairs of nonces, of which a backup of its ledger knows nothing; and the orders.
fn signed() -> (World, Vec<SignOrder>) {
    let mut world = World::new("ledger", &[Scheme::Ed25519]);
    world.ready();
    backup::copy(&world.dir, 1);
    let heard = hear(&mut world);
    sign(&mut world, Scheme::Ed25519, 1..5);
    world.meddler = None;
    let orders: Vec<SignOrder> = heard.borrow().orders.values().cloned().collect();
    let orders: Vec<_> = orders.into_iter().filter(|order| gives(order, 1)).collect();
    assert!(!orders.is_empty());
    (world, orders)
}

/// Node 1 signs nothing else with what these orders have spent.
fn signs_nothing_else(world: &mut World, orders: &[SignOrder], what: &str) {
    let key = world.key(Scheme::Ed25519);
    for order in orders {
        let other = world.request(99, &key, b"pay 9 to Alice");
        let other = SignOrder { request: other, material: order.material.clone() };
        let said = world.share(1, &other);
        assert!(matches!(said, Some(Shared::Gone(_))), "{what}: {said:?}");
    }
}

/// The ledger of a node alone is put back to a dump of the night before, or is a replica that lags.
#[test]
fn a_ledger_that_is_put_back_alone_has_nothing_spent_twice() {
    let (mut world, orders) = signed();
    world.stop(1);
    backup::put_back_ledger(&world.dir, 1);
    world.start(1);
    signs_nothing_else(&mut world, &orders, "a dump");
    let epoch = world.node_config(1).store().unwrap().head().unwrap().unwrap().epoch;
    assert_eq!(epoch, 2, "it has noticed");
    world.stop(3);
    world.signs(10, &world.key(Scheme::Ed25519));
}

/// The ledger is put back by so little that its mark does not say so, before a node begins or while it is up: what was spent
/// the database knows, too.
#[test]
fn a_ledger_that_has_lost_only_claims_has_nothing_spent_twice() {
    for begins in [false, true] {
        let (mut world, orders) = signed();
        if begins {
            world.stop(1);
        }
        let path = |name: &str| world.dir.join(format!("{name}-1.sqlite"));
        let ledger = rusqlite::Connection::open(path("ledger")).unwrap();
        let database = path("node").display().to_string();
        ledger.execute("ATTACH ? AS runs", [database]).unwrap();
        assert!(ledger.execute("DELETE FROM spent", []).unwrap() > 0);
        if begins {
            let last = "UPDATE witness SET (number, epoch, head) = (SELECT number, epoch, head FROM runs.marks
                ORDER BY number DESC LIMIT 1 OFFSET 1)";
            assert_eq!(ledger.execute(last, []).unwrap(), 1);
            world.start(1);
        }
        signs_nothing_else(&mut world, &orders, if begins { "begins" } else { "is up" });
    }
}

/// A node dies after its ledger has a share and before its database knows, begins again, and gives the share; then the ledger
/// is put back alone.
#[test]
fn a_share_that_only_the_ledger_knew_is_noted_before_it_is_given_again() {
    let (mut world, orders) = signed();
    world.stop(1);
    let path = |name: &str| world.dir.join(format!("{name}-1.sqlite"));
    let database = rusqlite::Connection::open(path("node")).unwrap();
    assert!(database.execute("DELETE FROM spent_pairs", []).unwrap() > 0);
    drop(database);
    let ledger = rusqlite::Connection::open(path("ledger")).unwrap();
    world.start(1);
    for order in &orders {
        assert!(matches!(world.share(1, order), Some(Shared::Share(_))));
    }
    ledger.execute("DELETE FROM spent", []).unwrap();
    world.start(1);
    signs_nothing_else(&mut world, &orders, "given again");
}
