//! Attacks on new shares, stocks and answers: one node lies or comes back as it was before, and the threshold signs all the
//! same.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::unwrap_in_result,
    clippy::integer_division_remainder_used,
    reason = "a test fails by panicking"
)]

#[path = "common/backup.rs"]
mod backup;
#[path = "common/world.rs"]
mod world;

use core::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use backup::{copy, put_back};
use quorate::PartyId;
use quorate_custody::bus::Peer;
use quorate_custody::gateway::ask::KeyView;
use quorate_custody::orders::{Body, Kind, Name, Order};
use quorate_custody::request::Scheme;
use quorate_custody::reseal::{left, reseal};
use quorate_custody::sql::{Db, Settings, Sql};
use quorate_custody::wire::{Mark, Message, Shared, SignOrder, Witness};
use world::{World, id, listen};

/// What nobody makes is given up long before the deadlines of requests.
fn presigning_soon(name: &str, scheme: Scheme) -> World {
    let mut world = World::new(name, &[scheme]);
    world.config.times.presigning = 10_000;
    world.open_gateway();
    world
}

/// What node 2 says to every order to sign.
fn answers(world: &mut World, said: Option<Shared>) {
    world.meddler = Some(Box::new(move |from, _, message| match message {
        Message::Share(order, _) if from == Peer::Node(id(2)) => {
            said.clone().map(|said| Message::Share(order, said)).into_iter().collect()
        }
        message => vec![message],
    }));
}

/// A node makes no share of any of these, now that another request is in them.
fn gives_nothing(world: &mut World, nodes: &[u16], key: &KeyView, orders: &[(PartyId, SignOrder)]) {
    for (_, order) in orders {
        let mut other = order.clone();
        other.request = world.request(77, key, b"pay 77 to Alice");
        for node in nodes {
            let said = world.share(*node, &other);
            assert!(!matches!(said, Some(Shared::Share(_))), "node {node}: {said:?}");
        }
    }
}

/// A node answers orders of a kind with a failure, the first so many times.
fn lies_about(
    world: &mut World,
    liar: u16,
    kind: Kind,
    times: usize,
) -> Rc<RefCell<BTreeMap<[u8; 32], Kind>>> {
    let kinds: Rc<RefCell<BTreeMap<[u8; 32], Kind>>> = Rc::default();
    let (seen, left) = (Rc::clone(&kinds), RefCell::new(times));
    world.meddler = Some(Box::new(move |from, _, message| match message {
        Message::Order(order) => {
            seen.borrow_mut().insert(*order.job.sid.as_bytes(), order.kind);
            vec![Message::Order(order)]
        }
        Message::Answer(sid, _)
            if from == Peer::Node(id(liar))
                && seen.borrow().get(sid.as_bytes()) == Some(&kind)
                && *left.borrow() > 0 =>
        {
            *left.borrow_mut() -= 1;
            vec![Message::Answer(sid, Err("a lie".to_owned()))]
        }
        message => vec![message],
    }));
    kinds
}

/// New shares that all have made and that nobody counts on, because one has said that it has none, are not taken for those
/// that are made after them.
#[test]
fn shares_that_failed_are_not_those_that_came_after() {
    Scheme::ALL.into_iter().for_each(shares_that_failed);
}

fn shares_that_failed(scheme: Scheme) {
    let mut world = World::new("failed", &[scheme]);
    world.ready();
    let key = world.key(scheme);
    lies_about(&mut world, 2, Kind::resharing(scheme), 1);
    assert!(world.refresh(&key));
    world.until("a failure", |world| {
        world.gateway.as_mut().unwrap().lines().iter().any(|line| line.contains("a lie"))
    });
    assert_eq!(world.epoch(&key), 0);
    world.signs(1, &key);
    assert!(world.refresh(&key));
    world.until("new shares", |world| world.epoch(&key) == 1);
    assert_eq!(
        [1, 2, 3].map(|node| world.shares_of(node, &key)),
        [[1], [1], [1]],
        "the others are gone"
    );
    for number in 2..=7 {
        world.signs(number, &key);
    }
    assert!(world.refresh(&key), "from epoch 1 on");
    world.until("newer shares", |world| world.epoch(&key) == 2);
    world.signs(8, &key);
    assert_eq!([1, 2, 3].map(|node| world.shares_of(node, &key)), [[2], [2], [2]]);
}

/// Two gateways order new shares of one epoch at once: each gets some, and whoever signs does so with shares of one kind.
#[test]
fn two_orders_for_one_epoch_lose_no_key() {
    for scheme in Scheme::ALL {
        let mut world = World::new("both", &[scheme]);
        world.gateways = vec![1, 2];
        (1..=3).for_each(|node| world.start(node));
        world.ready();
        let key = world.key(scheme);
        let kind = Kind::resharing(scheme);
        let first: Rc<RefCell<Option<Order>>> = Rc::default();
        let keep = Rc::clone(&first);
        world.meddler = Some(Box::new(move |_, _, message| {
            if let Message::Order(order) = &message
                && order.kind == kind
            {
                keep.borrow_mut().get_or_insert(order.clone());
            }
            vec![message]
        }));
        assert!(world.refresh(&key));
        let one = first.borrow().clone().unwrap();
        let body = Body::from_bytes(&one.job.body).unwrap();
        let members = (1..=3).map(|node| (id(node), 1)).collect();
        let name = Name::new(&[9; 32], kind, (2, 0));
        let two = Order::new((name, kind), &members, &body, world.now + 60_000).unwrap();
        world.give(2, &[1, 2, 3], &two);
        world.until("new shares", |world| world.epoch(&key) == 1);
        (2..=6).for_each(|number| world.signs(number, &key));
        // The order again, after all.
        for node in 1..=3 {
            let said = world.say(node, Peer::Gateway(2), vec![Message::Order(two.clone())]);
            assert!(!said.iter().any(|message| matches!(message, Message::Packet(_))), "{said:?}");
        }
        world.signs(7, &key);
    }
}

/// One node of the committee tells the gateway for ever that it has not heard all of them, after the others have dropped their
/// old shares.
#[test]
fn one_that_denies_that_shares_are_stored_hinders_nobody() {
    for scheme in Scheme::ALL {
        let mut world = World::new("denies", &[scheme]);
        world.ready();
        let key = world.key(scheme);
        let kinds = lies_about(&mut world, 2, Kind::storing(scheme), usize::MAX);
        assert!(world.refresh(&key));
        let dropped = |world: &World| [1, 3].iter().all(|node| world.shares_of(*node, &key) == [1]);
        world.until("old shares that are gone", |world| dropped(world));
        for number in 1..=4 {
            world.signs(number, &key);
        }
        world.steps(3000);
        let storing = |kind: &&Kind| **kind == Kind::storing(scheme);
        let orders = kinds.borrow().values().filter(storing).count();
        assert!(orders < 20, "{orders} orders in half a minute");
    }
}

/// A node that lives, and takes part in making presignatures, answers no order to sign, or says that it has lost what they
/// spend: others sign, if only one set of signers is stocked, too.
#[test]
fn one_that_does_not_sign_hinders_nobody() {
    for silent in [true, false] {
        let mut world = World::new("silent", &[Scheme::Ecdsa]);
        world.ready();
        let key = world.key(Scheme::Ecdsa);
        answers(&mut world, (!silent).then(|| Shared::Gone("lost".into())));
        (1..=4).for_each(|number| world.signs(number, &key));
    }
}

/// A node that lives spoils each presigning that it takes part in.
#[test]
fn one_that_spoils_presigning_hinders_nobody() {
    let mut world = presigning_soon("spoils", Scheme::Ecdsa);
    world.ready();
    let key = world.key(Scheme::Ecdsa);
    world.meddler = Some(Box::new(move |_, to, message| match message {
        Message::Order(order) if to == Peer::Node(id(2)) && order.kind == Kind::Presign => vec![],
        message => vec![message],
    }));
    (1..=12).for_each(|number| world.signs(number, &key));
}

/// A node comes back, with database and ledger, as it was before new shares: its old one is of no use, and the others sign.
#[test]
fn a_share_from_before_new_ones_is_of_no_use() {
    Scheme::ALL.into_iter().for_each(put_back_before_new_shares);
}

fn put_back_before_new_shares(scheme: Scheme) {
    let mut world = presigning_soon("before", scheme);
    world.witnesses = 1;
    (1..=3).for_each(|node| world.start(node));
    world.ready();
    let key = world.key(scheme);
    let heard = listen(&mut world);
    world.signs(1, &key);
    world.ready();
    let dir = world.dir.clone();
    copy(&dir, 2);
    assert!(world.refresh(&key));
    world.until("new shares", |world| world.epoch(&key) == 1);
    world.ready();
    world.steps(300);
    world.stop(2);
    put_back(&dir, 2);
    world.start(2);
    let orders: Vec<(PartyId, SignOrder)> = heard.borrow().clone();
    gives_nothing(&mut world, &[2], &key, &orders);
    world.steps(500);
    gives_nothing(&mut world, &[1, 2, 3], &key, &orders);
    // Beside the new share of another it makes nothing of the old one.
    let members = [(id(1), 1), (id(2), 2)].into();
    let name = Name::new(&[9; 32], Kind::Presign, (1, 999));
    let body = Body { count: 2, ..Body::of_key(key.id, 0) };
    let old = Order::new((name, Kind::Presign), &members, &body, world.now + 5_000).unwrap();
    world.give(1, &[1, 2], &old);
    let count = "SELECT count(*) FROM presignatures WHERE epoch = 0";
    world.steps(1000);
    for node in [1, 2] {
        let mut db = Db::open(&world.node_config(node).database, Settings::default()).unwrap();
        assert_eq!(db.one(count, &[]).unwrap().number::<u64>(0).unwrap(), 0);
    }
    (10..=18).for_each(|number| world.signs(number, &key));
}

/// Those who live and sign are no set of the list, since the two others are down, or refuse: presignatures are made with them
/// all the same.
#[test]
fn those_who_are_left_sign_if_they_are_no_set_of_the_list() {
    for down in [true, false] {
        let mut world = presigning_soon("left", Scheme::Ecdsa);
        world.config.sets.remove(1);
        world.open_gateway();
        world.ready();
        let key = world.key(Scheme::Ecdsa);
        if down {
            world.stop(2);
        } else {
            answers(&mut world, Some(Shared::Never("it refuses".into())));
        }
        (1..=6).for_each(|number| world.signs(number, &key));
    }
}

/// A node announces an epoch that it never comes to: it harms itself alone, and nobody begins anything twice.
#[test]
fn an_epoch_that_is_announced_harms_nobody_else() {
    for epoch in [9, u64::from(u32::MAX), u64::MAX] {
        let mut world = presigning_soon("announced", Scheme::Ecdsa);
        world.ready();
        let key = world.key(Scheme::Ecdsa);
        world.meddler = Some(Box::new(move |from, _, message| match message {
            Message::Beat(mut beat) if from == Peer::Node(id(2)) => {
                beat.mark.epoch = epoch;
                vec![Message::Beat(beat)]
            }
            message => vec![message],
        }));
        (1..=8).for_each(|number| world.signs(number, &key));
    }
}

fn reseals(world: &World) {
    let config = world.node_config(1);
    reseal(&config, 1, || Ok(())).unwrap();
    assert_eq!(left(&config).unwrap(), 0);
}

/// A database and a ledger from before another seal key come back while the key before is still there: the node begins an
/// epoch with them, seals under the new key, and everything moves again.
#[test]
fn a_database_under_the_seal_key_before_comes_back() {
    let mut world = World::new("seal", &[Scheme::Ed25519]);
    world.witnesses = 1;
    (1..=3).for_each(|node| world.start(node));
    world.ready();
    let key = world.key(Scheme::Ed25519);
    let heard = listen(&mut world);
    let dir = world.dir.clone();
    copy(&dir, 1);
    (1..=4).for_each(|number| world.signs(number, &key));
    world.steps(300);
    world.rings[&1].current.store(2, core::sync::atomic::Ordering::Relaxed);
    world.steps(300);
    reseals(&world);
    world.stop(1);
    put_back(&dir, 1);
    world.start(1);
    world.steps(500);
    let orders = heard.borrow().clone();
    gives_nothing(&mut world, &[1], &key, &orders);
    world.stop(3);
    (5..=6).for_each(|number| world.signs(number, &key));
    reseals(&world);
    world.rings[&1].destroyed.lock().unwrap().insert(1);
    world.start(1);
    world.signs(7, &key);
}

/// Orders with epochs of other parties that are not theirs, older ones and later ones: whoever begins one begins another
/// session than the good one, which is made.
#[test]
fn orders_with_epochs_that_are_not_hinder_no_good_one() {
    let mut world = World::new("forged", &[Scheme::Ed25519]);
    world.ready();
    let key = world.key(Scheme::Ed25519);
    let kind = Kind::ReshareEd25519;
    let good: Rc<RefCell<Vec<Order>>> = Rc::default();
    let keep = Rc::clone(&good);
    // The first order is held back.
    world.meddler = Some(Box::new(move |_, _, message| match message {
        Message::Order(order) if order.kind == kind && keep.borrow().len() < 9 => {
            keep.borrow_mut().push(order);
            vec![]
        }
        message => vec![message],
    }));
    assert!(world.refresh(&key));
    let first = good.borrow()[0].clone();
    let body = Body::from_bytes(&first.job.body).unwrap();
    for epochs in [[1, 0, 1], [1, 9, 1], [1, 1, u32::MAX], [0, 1, 1], [u32::MAX; 3]] {
        let members = (1..=3).map(id).zip(epochs).collect();
        let name = Name::new(&[9; 32], kind, (1, 0));
        let forged = Order::new((name, kind), &members, &body, world.now + 2_000).unwrap();
        assert_ne!(forged.job.sid, first.job.sid);
        world.give(1, &[1, 2, 3], &forged);
        world.steps(10);
    }
    world.until("new shares", |world| world.epoch(&key) == 1);
    world.signs(1, &key);
}

/// A node says for a while that it is in an epoch that it cannot have come to. When it has stopped, it signs again: with
/// another one down, and after a start, for which it needs its peers' words.
#[test]
fn an_epoch_that_is_taken_back_harms_not_even_the_node() {
    for (epoch, number) in [(9, 0), (1_000_000_000, 0), (u64::MAX, u64::MAX), (1, u64::MAX)] {
        let mut world = presigning_soon("back", Scheme::Ed25519);
        world.witnesses = 1;
        (1..=3).for_each(|node| world.start(node));
        world.ready();
        let key = world.key(Scheme::Ed25519);
        world.meddler = Some(Box::new(move |from, _, message| match message {
            Message::Beat(mut beat) if from == Peer::Node(id(2)) => {
                (beat.mark.epoch, beat.mark.number) = (epoch, number.max(beat.mark.number));
                vec![Message::Beat(beat)]
            }
            message => vec![message],
        }));
        world.steps(500);
        world.meddler = None;
        world.start(2);
        world.steps(1500);
        world.stop(3);
        (1..=4).for_each(|number| world.signs(number, &key));
        world.start(2);
        (5..=6).for_each(|number| world.signs(number, &key));
    }
}

/// A peer that lived for hours with a great lie keeps what the node says instead, once the node has stood by it.
#[test]
fn a_peer_forgets_what_a_node_does_not_stand_by() {
    let mut world = World::new("stands", &[Scheme::Ed25519]);
    world.ready();
    world.steps(300);
    let kept = |world: &World| {
        let mut db = Db::open(&world.node_config(1).database, Settings::default()).unwrap();
        let sql = "SELECT epoch FROM witnessed WHERE node = 2";
        db.one(sql, &[]).unwrap().number::<u64>(0).unwrap()
    };
    let mut db = Db::open(&world.node_config(1).database, Settings::default()).unwrap();
    let lie = "UPDATE witnessed SET epoch = 1000000000 WHERE node = 2";
    assert_eq!(db.execute(lie, &[]).unwrap(), 1);
    drop(db);
    world.steps(3000);
    assert_eq!(kept(&world), 1_000_000_000, "it could be late yet");
    world.steps(3500);
    assert_eq!(kept(&world), 1);
}

/// What a node is told by peers that lie or are down.
fn told(world: &mut World, liar: Option<u16>, down: Option<u16>) {
    world.witnesses = 2;
    if let Some(down) = down {
        world.stop(down);
    }
    world.meddler = Some(Box::new(move |from, _, message| match message {
        Message::Witness(word) if liar.is_some_and(|liar| from == Peer::Node(id(liar))) => {
            vec![Message::Witness(Witness { seen: Mark::default(), ..word })]
        }
        message => vec![message],
    }));
}

/// A node comes back with database and ledger as they were: it hears of it although one of its two peers says that it knows
/// nothing, whose word comes first.
#[test]
fn one_liar_does_not_hide_that_a_node_was_put_back() {
    let mut world = World::new("hides", &[Scheme::Ed25519]);
    world.ready();
    let key = world.key(Scheme::Ed25519);
    let heard = listen(&mut world);
    let dir = world.dir.clone();
    copy(&dir, 2);
    (1..=4).for_each(|number| world.signs(number, &key));
    world.steps(300);
    world.stop(2);
    put_back(&dir, 2);
    let orders: Vec<(PartyId, SignOrder)> = heard.borrow().clone();
    assert!(orders.iter().any(|(node, _)| *node == id(2)));
    told(&mut world, Some(1), None);
    world.start(2);
    let late = world.now + 3_000;
    while world.now < late {
        // The word of the other one is on its way for long.
        let now = world.now;
        let others = |(_, from, to, _): &&mut (u64, Peer, Peer, Vec<u8>)| {
            (*from, *to) == (Peer::Node(id(3)), Peer::Node(id(2)))
        };
        world.way.iter_mut().filter(others).for_each(|one| one.0 = one.0.max(now + 100));
        world.step();
        gives_nothing(&mut world, &[2], &key, &orders);
    }
    world.steps(500);
    gives_nothing(&mut world, &[2], &key, &orders);
    let epoch =
        |world: &World| world.node_config(2).store().unwrap().head().unwrap().unwrap().epoch;
    assert_eq!(epoch(&world), 2, "it has noticed");
    world.stop(3);
    world.signs(5, &key);
}

/// One of two peers is down, or says nothing of what it knows: a node that begins signs after a while.
#[test]
fn one_silent_witness_stops_nobody() {
    for down in [true, false] {
        let mut world = World::new("witnesses", &[Scheme::Ed25519]);
        world.ready();
        let key = world.key(Scheme::Ed25519);
        told(&mut world, None, down.then_some(3));
        if !down {
            world.meddler = Some(Box::new(|from, _, message| match message {
                Message::Witness(_) if from == Peer::Node(id(3)) => vec![],
                message => vec![message],
            }));
        }
        world.start(2);
        let since = world.now;
        world.until("a node that signs", |world| {
            world.nodes[&id(2)].as_ref().unwrap().refuses().is_none()
        });
        let waited = world.now - since;
        assert!((9_000..14_000).contains(&waited), "{waited}");
        world.stop(3);
        world.signs(1, &key);
    }
}

/// A node lives and takes orders to presign, but does not say that it works on them, or works on none: within seconds others
/// are asked, long before the deadline of the run.
#[test]
fn one_that_holds_presigning_up_is_done_without_in_seconds() {
    for takes in [false, true] {
        let mut world = World::new("holds", &[Scheme::Ecdsa]);
        let first: Rc<RefCell<u64>> = Rc::default();
        let seen = Rc::clone(&first);
        let kinds: Rc<RefCell<BTreeMap<[u8; 32], Kind>>> = Rc::default();
        world.meddler = Some(Box::new(move |from, to, message| match message {
            Message::Order(order) if order.kind == Kind::Presign => {
                *seen.borrow_mut() += 1;
                kinds.borrow_mut().insert(*order.job.sid.as_bytes(), order.kind);
                let lost = !takes && to == Peer::Node(id(2));
                if lost { vec![] } else { vec![Message::Order(order)] }
            }
            // What it says to its peers from then on is nothing.
            Message::Packet(_) if *seen.borrow() > 0 && from == Peer::Node(id(2)) => vec![],
            message => vec![message],
        }));
        world.until("an order", |_| *first.borrow() > 0);
        let since = world.now;
        world.until("a stock", |world| world.keys().iter().any(|key| key.stock > 0));
        let took = world.now - since;
        assert!(took < if takes { 22_000 } else { 8_000 }, "{took} ms");
        let key = world.key(Scheme::Ecdsa);
        world.signs(1, &key);
    }
}

/// A node that lacks what an order is made with says so at once: a share of this epoch, an epoch of its own history.
#[test]
fn what_a_node_cannot_work_on_it_refuses_aloud() {
    let mut world = World::new("aloud", &[Scheme::Ecdsa]);
    world.ready();
    let key = world.key(Scheme::Ecdsa);
    let other = KeyView { id: quorate_custody::request::KeyId([7; 16]), ..key.clone() };
    for (key, epoch, history, why) in [
        (&key, 7, 1, "this node has no share of epoch 7 of the key"),
        (&other, 0, 1, "this node has no share of epoch 0 of the key"),
        (&key, 0, 9, "ordered in epoch 9 of this node, which is in epoch 1"),
    ] {
        let members = [(id(1), history), (id(2), history)].into();
        let name = Name::new(&[9; 32], Kind::Presign, (1, 999));
        let body = Body { count: 2, ..Body::of_key(key.id, epoch) };
        let order = Order::new((name, Kind::Presign), &members, &body, world.now + 60_000).unwrap();
        let said = world.say(1, Peer::Gateway(1), vec![Message::Order(order.clone())]);
        let no = |message: &Message| match message {
            Message::Answer(sid, Err(said)) => *sid == order.job.sid && said == why,
            _ => false,
        };
        assert!(said.iter().any(no), "{said:?}");
    }
    let members = [(id(1), 1), (id(2), 1)].into();
    let name = Name::new(&[9; 32], Kind::Presign, (1, 999));
    let body = Body { count: 2, ..Body::of_key(key.id, 0) };
    let good = Order::new((name, Kind::Presign), &members, &body, world.now + 60_000).unwrap();
    for _ in 0..2 {
        let said = world.say(1, Peer::Gateway(1), vec![Message::Order(good.clone())]);
        assert!(said.contains(&Message::Begun(good.job.sid)), "{said:?}");
    }
}
