//! New shares of a key that fail, come late, or come back: what is left of them goes, and the key stays.
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
use std::collections::BTreeSet;
use std::rc::Rc;

use backup::{copy, put_back};
use quorate::Parties;
use quorate_custody::bus::Peer;
use quorate_custody::change::SignedChange;
use quorate_custody::gateway::ask::KeyView;
use quorate_custody::orders::{Body, Kind, Name, Order, Shard};
use quorate_custody::request::{KeyId, Scheme};
use quorate_custody::side::Side;
use quorate_custody::wire::{Holding, Message, Stands};
use world::{World, id};

/// Orders that pass, and what is done with those of a kind.
#[derive(Clone, Default)]
struct Orders(Rc<RefCell<Vec<Order>>>);

impl Orders {
    /// Keeps the orders of some kinds; those of `held` are lost.
    fn watch(world: &mut World, kinds: [Kind; 2], held: Option<Kind>) -> Self {
        let orders = Self::default();
        let keep = orders.clone();
        world.meddler = Some(Box::new(move |_, _, message| match message {
            Message::Order(order) if kinds.contains(&order.kind) => {
                let lost = held == Some(order.kind);
                keep.0.borrow_mut().push(order.clone());
                if lost { vec![] } else { vec![Message::Order(order)] }
            }
            message => vec![message],
        }));
        orders
    }

    fn of(&self, kind: Kind) -> Option<Order> {
        self.0.borrow().iter().find(|order| order.kind == kind).cloned()
    }
}

/// The kinds of orders about new shares of a scheme.
const fn kinds(scheme: Scheme) -> [Kind; 2] {
    [Kind::resharing(scheme), Kind::storing(scheme)]
}

/// An order of another gateway to all three.
fn another(world: &World, kind: Kind, number: u32, body: &Body) -> Order {
    let members = (1..=3).map(|node| (id(node), 1)).collect();
    let name = Name::new(&[9; 32], kind, (2, number));
    Order::new((name, kind), &members, body, world.now + 60_000).unwrap()
}

fn two_gateways(name: &str, scheme: Scheme) -> (World, KeyView) {
    let mut world = World::new(name, &[scheme]);
    world.gateways = vec![1, 2];
    (1..=3).for_each(|node| world.start(node));
    world.ready();
    let key = world.key(scheme);
    (world, key)
}

/// New shares of both gateways' orders are made of a key, or of the first one's alone; the orders, and the public sides of
/// epoch 1.
fn made(world: &mut World, key: &KeyView, both: bool) -> Vec<Vec<u8>> {
    let [making, storing] = kinds(key.scheme);
    let orders = Orders::watch(world, [making, storing], Some(storing));
    assert!(world.refresh(key));
    if both {
        let first = Body::from_bytes(&orders.of(making).unwrap().job.body).unwrap();
        let other = another(world, making, 0, &first);
        world.give(2, &[1, 2, 3], &other);
    }
    world.until("new shares", |_| orders.of(storing).is_some());
    world.steps(300);
    let rows = world.rows_of(1, key);
    rows.into_iter().filter_map(|(epoch, public)| (epoch == 1).then_some(public)).collect()
}

/// All nodes are asked for their words for these shares of epoch 1, once: they keep them, and hear of each other that they do.
fn kept(world: &mut World, key: &KeyView, sides: &[Vec<u8>]) {
    for (number, public) in (70..).zip(sides) {
        let body = Body { public: public.clone(), ..Body::of_key(key.id, 1) };
        let order = another(world, Kind::storing(key.scheme), number, &body);
        world.give(2, &[1, 2, 3], &order);
    }
    world.steps(20);
}

/// What a node answers to an order.
fn answer(world: &mut World, node: u16, order: &Order) -> Result<Vec<u8>, String> {
    let said = world.say(node, Peer::Gateway(1), vec![Message::Order(order.clone())]);
    let found = said.into_iter().find_map(|message| match message {
        Message::Answer(sid, answer) if sid == order.job.sid => Some(answer),
        _ => None,
    });
    found.unwrap()
}

/// Two kinds of new shares of one epoch lie beside each other. A node gives its word for those that it is asked for first, after
/// a restart as well; when all have stored them the others are gone, and nobody gets them stored again.
#[test]
fn a_node_gives_its_word_for_one_kind_of_shares_of_an_epoch() {
    for scheme in Scheme::ALL {
        let (mut world, key) = two_gateways("word", scheme);
        let [making, storing] = kinds(scheme);
        let orders = Orders::watch(&mut world, [making, storing], Some(storing));
        assert!(world.refresh(&key));
        let first = orders.of(making).unwrap();
        let other = another(&world, making, 0, &Body::from_bytes(&first.job.body).unwrap());
        world.give(2, &[1, 2, 3], &other);
        world.until("new shares", |_| orders.of(storing).is_some());
        world.steps(500);
        assert!((1..=3).all(|node| world.shares_of(node, &key) == [0, 1, 1]));
        let wanted = orders.of(storing).unwrap();
        let public = Body::from_bytes(&wanted.job.body).unwrap().public;
        let rows = world.rows_of(1, &key);
        let left = rows.iter().find(|(epoch, of)| *epoch == 1 && *of != public).unwrap().1.clone();
        let unwanted = |world: &World, number| {
            let body = Body { public: left.clone(), ..Body::of_key(key.id, 1) };
            another(world, storing, number, &body)
        };
        kept(&mut world, &key, &[public.clone(), left.clone()]);
        world.give(1, &[1], &wanted);
        world.step();
        let refused = |world: &mut World, number: u32| {
            let order = unwanted(world, number);
            let why = answer(world, 1, &order).unwrap_err();
            assert!(why.contains("has given its word for other shares of epoch 1"), "{why}");
        };
        refused(&mut world, 1);
        world.start(1);
        refused(&mut world, 2);
        // Nor are others made of the old ones from now on.
        let third = another(&world, making, 7, &Body::from_bytes(&first.job.body).unwrap());
        let why = answer(&mut world, 1, &third).unwrap_err();
        assert!(why.contains("has given its word for shares of epoch 1"), "{why}");
        world.meddler = None;
        world.until("new shares", |world| world.epoch(&key) == 1);
        world.steps(100);
        assert!((1..=3).all(|node| world.rows_of(node, &key) == [(1, public.clone())]));
        for node in 1..=3 {
            let order = unwanted(&world, 3);
            assert!(answer(&mut world, node, &order).is_err());
        }
        (1..=4).for_each(|number| world.signs(number, &key));
    }
}

/// The messages of a resharing come after all have stored shares that were made beside it: what it makes is not kept.
#[test]
fn shares_that_come_late_are_not_kept() {
    for scheme in Scheme::ALL {
        let (mut world, key) = two_gateways("late", scheme);
        let [making, storing] = kinds(scheme);
        let orders = Orders::watch(&mut world, [making, storing], Some(storing));
        assert!(world.refresh(&key));
        world.until("new shares that nobody is asked for", |_| orders.of(storing).is_some());
        let first = Body::from_bytes(&orders.of(making).unwrap().job.body).unwrap();
        let wanted = Body::from_bytes(&orders.of(storing).unwrap().job.body).unwrap().public;
        let other = another(&world, making, 0, &first);
        let held = Rc::new(RefCell::new(true));
        let holds = Rc::clone(&held);
        world.meddler = Some(Box::new(move |_, to, message| match message {
            Message::Packet(bytes)
                if to == Peer::Node(id(1))
                    && Shard::of_packet(&bytes) == Some(Shard::Reshare)
                    && *holds.borrow() =>
            {
                vec![]
            }
            message => vec![message],
        }));
        world.give(2, &[1, 2, 3], &other);
        world.until("new shares", |world| world.epoch(&key) == 1);
        world.steps(200);
        let only =
            |world: &World| (1..=3).all(|node| world.rows_of(node, &key) == [(1, wanted.clone())]);
        assert!(only(&world));
        *held.borrow_mut() = false;
        world.steps(1000);
        for node in 1..=3 {
            let why = answer(&mut world, node, &other).unwrap_err();
            assert!(why.contains("other shares of epoch 1") || node > 1, "{why}");
        }
        assert!(only(&world));
        world.signs(1, &key);
    }
}

/// New shares that no gateway asks to be stored go when the time of their order is over, also in a node that is started again
/// meanwhile; later ones are made as if nothing had been.
#[test]
fn shares_that_nobody_asks_for_go() {
    let mut world = World::new("unasked", &[Scheme::Ed25519]);
    world.config.times.making = 20_000;
    world.open_gateway();
    world.ready();
    let key = world.key(Scheme::Ed25519);
    let [making, storing] = kinds(Scheme::Ed25519);
    let orders = Orders::watch(&mut world, [making, storing], Some(storing));
    assert!(world.refresh(&key));
    world.until("new shares", |_| orders.of(storing).is_some());
    assert_eq!([1, 2, 3].map(|node| world.shares_of(node, &key)), [[0, 1], [0, 1], [0, 1]]);
    (1..=3).for_each(|node| world.start(node));
    world.steps(5500);
    assert_eq!(world.shares_of(1, &key), [0, 1], "it may have been put back");
    world.steps(1000);
    assert_eq!([1, 2, 3].map(|node| world.shares_of(node, &key)), [[0], [0], [0]]);
    world.signs(1, &key);
}

/// Another worker of a node looks again, after shares of an epoch have gone and others of the same epoch have come.
#[test]
fn a_worker_sees_each_change_of_shares() {
    let mut world = World::new("sees", &[Scheme::Ed25519]);
    world.config.times.making = 20_000;
    world.open_gateway();
    world.ready();
    let key = world.key(Scheme::Ed25519);
    let [making, storing] = kinds(Scheme::Ed25519);
    let mut seen = Vec::new();
    let mut worker = world.node_config(1).vault().unwrap();
    for number in 0..2 {
        let orders = Orders::watch(&mut world, [making, storing], Some(storing));
        let body = Body {
            count: 2,
            committee: key.parties.clone(),
            public: world.rows_of(1, &key)[0].1.clone(),
            ..Body::of_key(key.id, 0)
        };
        let order = another(&world, making, number, &body);
        world.give(1, &[1, 2, 3], &order);
        drop(orders);
        world.until("new shares", |world| world.shares_of(1, &key) == [0, 1]);
        worker.look_again().unwrap();
        seen.push(worker.share(key.id, 1).unwrap().public());
        // The worker does not look while the first ones go.
        if number == 0 {
            world.until("that they go", |world| world.shares_of(1, &key) == [0]);
        }
    }
    assert_ne!(seen[0], seen[1]);
}

/// Two gateways have one key: the one that is added later takes over what is there, and each what the other has ordered.
#[test]
fn gateways_take_over_what_others_have_ordered() {
    let mut world = World::new("second", &Scheme::ALL);
    world.gateways = vec![1, 2];
    (1..=3).for_each(|node| world.start(node));
    world.ready();
    for scheme in Scheme::ALL {
        let key = world.key(scheme);
        assert!(world.refresh(&key));
        world.until("new shares", |world| world.epoch(&key) == 1);
    }
    let keys = world.keys();
    world.open_other(2);
    world.steps(500);
    let same = |world: &World| {
        let names = |keys: Vec<KeyView>| -> Vec<_> {
            keys.into_iter().map(|key| (key.id, key.epoch, key.public_key)).collect()
        };
        names(world.other.as_ref().unwrap().1.keys()) == names(world.keys())
    };
    assert!(same(&world), "{:?}", world.other.as_ref().unwrap().1.keys());
    assert_eq!(keys.len(), 2);
    world.change_over();
    world.ready();
    for (number, key) in (1..).zip(&keys) {
        world.signs(number, key);
        assert!(world.refresh(key));
        world.until("newer shares", |world| world.epoch(key) == 2);
    }
    world.steps(500);
    assert!(same(&world));
    world.change_over();
    for (number, key) in (11..).zip(&keys) {
        world.signs(number, key);
    }
    assert_eq!(world.keys().len(), 2);
}

/// What one node says alone of keys and shares no gateway takes over, and no node drops anything for: a key that is another's,
/// shares of a later epoch of another key, and shares that were made and that nobody has counted on.
#[test]
fn what_one_says_alone_is_not_taken_over() {
    let mut elsewhere = World::new("elsewhere", &[Scheme::Ed25519]);
    elsewhere.ready();
    let foreign = elsewhere.key(Scheme::Ed25519);
    assert!(elsewhere.refresh(&foreign));
    elsewhere.until("new shares", |world| world.epoch(&foreign) == 1);
    let foreign = elsewhere.rows_of(1, &foreign)[0].1.clone();
    let (mut world, key) = two_gateways("alone", Scheme::Ed25519);
    let [making, storing] = kinds(Scheme::Ed25519);
    let orders = Orders::watch(&mut world, [making, storing], Some(storing));
    assert!(world.refresh(&key));
    world.until("new shares", |_| orders.of(storing).is_some());
    let made = Body::from_bytes(&orders.of(storing).unwrap().job.body).unwrap().public;
    world.meddler = Some(Box::new(move |from, _, message| match message {
        Message::Beat(mut beat) if from == Peer::Node(id(2)) => {
            beat.holds = [7; 32];
            vec![Message::Beat(beat)]
        }
        Message::Holds(mut list) if from == Peer::Node(id(2)) => {
            let stored = |key, public: &Vec<u8>| {
                let (scheme, stands, public) = (Scheme::Ed25519, Stands::Stored, public.clone());
                Holding { key, scheme, stands, public }
            };
            list.clear();
            let other = KeyId([9; 16]);
            list.extend(
                [(other, &foreign), (key.id, &foreign), (key.id, &made)]
                    .map(|(key, public)| stored(key, public)),
            );
            vec![Message::Holds(list)]
        }
        Message::Order(order) if order.kind == storing => vec![],
        message => vec![message],
    }));
    world.open_other(2);
    world.steps(1000);
    assert_eq!([1, 3].map(|node| world.shares_of(node, &key)), [[0, 1], [0, 1]]);
    for _ in 0..2 {
        assert_eq!((world.keys().len(), world.epoch(&key)), (1, 0));
        world.change_over();
    }
    world.signs(1, &key);
}

/// One node acknowledges new shares to one of the others alone, denies that it has any, and signs nothing: the two who are left
/// have different shares to drop, and sign with those that both have.
#[test]
fn one_that_acknowledges_to_one_alone_hinders_nobody() {
    for scheme in Scheme::ALL {
        let mut world = World::new("equivocates", &[scheme]);
        world.config.times.presigning = 10_000;
        world.open_gateway();
        world.ready();
        let key = world.key(scheme);
        let storing: Rc<RefCell<BTreeSet<[u8; 32]>>> = Rc::default();
        let (liar, mut denies) = (Peer::Node(id(2)), false);
        world.meddler = Some(Box::new(move |from, to, message| match message {
            Message::Packet(bytes)
                if from == liar && Shard::of_packet(&bytes) == Some(Shard::Stored) =>
            {
                denies = true;
                if to == Peer::Node(id(3)) { vec![] } else { vec![Message::Packet(bytes)] }
            }
            Message::Order(order) => {
                if order.kind == Kind::storing(scheme) {
                    storing.borrow_mut().insert(*order.job.sid.as_bytes());
                }
                vec![Message::Order(order)]
            }
            Message::Answer(sid, _)
                if from == liar && storing.borrow().contains(sid.as_bytes()) =>
            {
                vec![Message::Answer(sid, Err("a lie".to_owned()))]
            }
            Message::Holds(mut list) if from == liar && denies => {
                list.truncate(0);
                vec![Message::Holds(list)]
            }
            Message::Share(..) if from == liar => vec![],
            message => vec![message],
        }));
        assert!(world.refresh(&key));
        world.until("the new epoch", |world| world.epoch(&key) == 1);
        assert_eq!([1, 3].map(|node| world.shares_of(node, &key)), [vec![1], vec![0, 1]]);
        (1..=4).for_each(|number| world.signs(number, &key));
    }
}

/// The words of the nodes for new shares are divided, so that of no kind all are stored: whoever has ordered some orders again,
/// from those that most have given their word for, and all that was before is gone.
#[test]
fn divided_words_hold_no_change_up() {
    for scheme in Scheme::ALL {
        let mut world = World::new("divided", &[scheme]);
        world.gateways = vec![1, 2];
        world.config.times.making = 20_000;
        world.open_gateway();
        (1..=3).for_each(|node| world.start(node));
        world.until("a key", |world| world.keys().len() == 1);
        world.ready();
        let key = world.key(scheme);
        let [making, storing] = kinds(scheme);
        let orders = Orders::watch(&mut world, [making, storing], Some(storing));
        assert!(world.refresh(&key));
        let first = Body::from_bytes(&orders.of(making).unwrap().job.body).unwrap();
        let other = another(&world, making, 0, &first);
        world.give(2, &[1, 2, 3], &other);
        world.until("new shares", |_| orders.of(storing).is_some());
        world.steps(500);
        let public = Body::from_bytes(&orders.of(storing).unwrap().job.body).unwrap().public;
        let rows = world.rows_of(1, &key);
        let left = rows.iter().find(|(epoch, of)| *epoch == 1 && *of != public).unwrap().1.clone();
        kept(&mut world, &key, &[public.clone(), left.clone()]);
        for (number, nodes, public) in [(1, &[1][..], &public), (2, &[2, 3], &left)] {
            let body = Body { public: public.clone(), ..Body::of_key(key.id, 1) };
            let order = another(&world, storing, number, &body);
            world.give(2, nodes, &order);
        }
        world.steps(100);
        world.meddler = None;
        let mut lines = Vec::new();
        world.until("a failure", |world| {
            lines.extend(world.gateway.as_mut().unwrap().lines());
            lines.iter().any(|line| line.contains("has given its word for other shares of epoch 1"))
        });
        world.signs(1, &key);
        assert!(world.refresh(&key));
        world.until("new shares", |world| world.epoch(&key) == 2);
        world.steps(200);
        assert_eq!([1, 2, 3].map(|node| world.shares_of(node, &key)), [[2], [2], [2]]);
        (2..=4).for_each(|number| world.signs(number, &key));
    }
}

/// A node comes back as it was when there were two kinds of new shares and nobody had given his word: what was not stored by all
/// it drops, and what was it keeps, however late it is.
#[test]
fn a_node_that_comes_back_with_what_was_left_drops_it() {
    for scheme in Scheme::ALL {
        let mut world = World::new("came-back", &[scheme]);
        world.gateways = vec![1, 2];
        world.config.times.presigning = 10_000;
        world.config.times.making = 30_000;
        world.open_gateway();
        world.witnesses = 2;
        (1..=3).for_each(|node| world.start(node));
        world.ready();
        let key = world.key(scheme);
        let [making, storing] = kinds(scheme);
        let orders = Orders::watch(&mut world, [making, storing], Some(storing));
        assert!(world.refresh(&key));
        let first = Body::from_bytes(&orders.of(making).unwrap().job.body).unwrap();
        let other = another(&world, making, 0, &first);
        world.give(2, &[1, 2, 3], &other);
        world.until("new shares", |_| orders.of(storing).is_some());
        world.steps(500);
        assert_eq!(world.shares_of(3, &key), [0, 1, 1]);
        let dir = world.dir.clone();
        copy(&dir, 3);
        world.meddler = None;
        world.until("new shares", |world| world.epoch(&key) == 1);
        world.ready();
        (1..=4).for_each(|number| world.signs(number, &key));
        world.steps(300);
        let kept = world.rows_of(1, &key);
        world.stop(3);
        put_back(&dir, 3);
        // Later than the orders were good.
        world.now += 60_000;
        world.start(3);
        for _ in 0..2 {
            world.steps(500);
            assert_eq!(world.rows_of(3, &key), kept);
            world.now += 70_000;
        }
        world.stop(2);
        (5..=7).for_each(|number| world.signs(number, &key));
    }
}

/// A node that leaves is down meanwhile: when it is back it drops its share, once all who have new ones have told it so, and
/// not before.
#[test]
fn whoever_leaves_while_it_is_down_drops_its_share_later() {
    for scheme in Scheme::ALL {
        let mut world = World::new("leaves", &[scheme]);
        world.allow(&[(&[1, 2], 2)]);
        world.ready();
        let key = world.key(scheme);
        world.stop(3);
        world.steps(500);
        world.reshare(&key, (&[1, 2], 2));
        world.until("new shares", |world| world.epoch(&key) == 1);
        world.steps(100);
        assert_eq!([1, 2, 3].map(|node| world.shares_of(node, &key)), [[1], [1], [0]]);
        world.stop(1);
        world.start(3);
        world.steps(500);
        assert_eq!(world.shares_of(3, &key), [0], "one alone may lie");
        world.start(1);
        world.steps(500);
        assert!(world.shares_of(3, &key).is_empty());
        world.stop(3);
        world.start(3);
        (1..=3).for_each(|number| world.signs(number, &key));
        // An order of a gateway that does not know is refused by it, and a key under its name, too.
        let stale = another(&world, Kind::making(scheme), 9, &Body::of_key(key.id, 0));
        let why = answer(&mut world, 3, &stale).unwrap_err();
        assert!(why.contains("a key has no name before it is made"), "{why}");
    }
}

/// A gateway asks one node alone for its word, or each for another one, and is gone until the deadline is over: the next shares
/// are made of those, and a liar who says that all have stored them hinders nobody.
#[test]
fn words_that_stay_divided_hold_no_change_up() {
    for scheme in Scheme::ALL {
        for (both, lies) in [(false, false), (true, false), (false, true)] {
            let mut world = World::new("stay-divided", &[scheme]);
            world.gateways = vec![1, 2];
            world.config.times.making = 20_000;
            world.open_gateway();
            (1..=3).for_each(|node| world.start(node));
            world.until("a key", |world| world.keys().len() == 1);
            world.ready();
            let key = world.key(scheme);
            let sides = made(&mut world, &key, both);
            kept(&mut world, &key, &sides);
            for (number, (nodes, public)) in [&[1][..], &[2, 3]].iter().zip(&sides).enumerate() {
                let body = Body { public: public.clone(), ..Body::of_key(key.id, 1) };
                let number = u32::try_from(number).unwrap() + 1;
                let order = another(&world, Kind::storing(scheme), number, &body);
                world.give(2, nodes, &order);
            }
            world.steps(8000);
            let kept = if both { vec![0, 1, 1] } else { vec![0, 1] };
            assert_eq!(
                [1, 2, 3].map(|node| world.shares_of(node, &key)),
                [(); 3].map(|()| kept.clone())
            );
            world.meddler = None;
            if lies {
                let (id, public, liar) = (key.id, sides[0].clone(), Peer::Node(id(3)));
                world.meddler = Some(Box::new(move |from, _, message| match message {
                    Message::Beat(mut beat) if from == liar => {
                        beat.holds = [7; 32];
                        vec![Message::Beat(beat)]
                    }
                    Message::Holds(_) if from == liar => {
                        let (public, stands) = (public.clone(), Stands::Stored);
                        vec![Message::Holds(vec![Holding { key: id, scheme, stands, public }])]
                    }
                    Message::Share(..) if from == liar => vec![],
                    Message::Packet(bytes)
                        if from == liar && Shard::of_packet(&bytes) == Some(Shard::Stored) =>
                    {
                        vec![]
                    }
                    message => vec![message],
                }));
                world.until("the new epoch", |world| world.epoch(&key) == 1);
            } else {
                world.until("new shares", |world| {
                    world.refresh(&key);
                    world.epoch(&key) == 2
                });
            }
            (1..=2).for_each(|number| world.signs(number, &key));
        }
    }
}

/// A gateway and node 1 lie: with node 3, which has no share of the key, they make another one, and order it to be given to a
/// committee that the nodes allow, under the name of the first. Neither node 2, which holds that, nor node 3 takes part in it,
/// so that node 3 can get a share of the key of this name later.
#[test]
fn another_key_comes_not_under_the_name_of_one_that_is_there() {
    for scheme in Scheme::ALL {
        let mut world = World::new("usurps", &[scheme]);
        world.gateways = vec![1, 2];
        world.allow(&[(&[2, 3], 2)]);
        world.config.nodes = Parties::numbered(2).unwrap();
        world.open_gateway();
        world.ready();
        let key = world.key(scheme);
        let (before, dir) = (world.rows_of(2, &key), world.dir.clone());
        world.stop(1);
        copy(&dir, 1);
        for name in ["node", "ledger"] {
            for end in ["", "-wal", "-shm"] {
                std::fs::remove_file(dir.join(format!("{name}-1.sqlite{end}"))).ok();
            }
        }
        world.start(1);
        let gateway = world.gateway.take();
        let order = |world: &World, kind, nodes: &[u16], body: &Body| {
            let members = nodes.iter().map(|node| (id(*node), 1)).collect();
            let name = Name::new(&[9; 32], kind, (2, 0));
            Order::new((name, kind), &members, body, world.now + 60_000).unwrap()
        };
        let named = order(&world, Kind::making(scheme), &[1, 3], &Body::of_key(key.id, 0));
        let why = answer(&mut world, 3, &named).unwrap_err();
        assert!(why.contains("a key has no name before it is made"), "{why}");
        let body = Body::of_key(KeyId::NONE, 0);
        let making = order(&world, Kind::making(scheme), &[1, 3], &body);
        world.give(2, &[1, 3], &making);
        world.steps(1000);
        assert!(world.rows_of(3, &key).is_empty());
        let public = answer(&mut world, 3, &making).unwrap();
        let other = KeyView { id: Side::read(scheme, &public).unwrap().name, ..key.clone() };
        assert_eq!(world.rows_of(3, &other), [(0, public.clone())]);
        let body =
            Body { count: 2, committee: vec![id(2), id(3)], public, ..Body::of_key(key.id, 0) };
        let dealing = order(&world, Kind::resharing(scheme), &[1, 2, 3], &body);
        world.give(2, &[1, 3], &dealing);
        for node in [2, 3] {
            let why = answer(&mut world, node, &dealing).unwrap_err();
            assert!(why.contains("another key than the one of this name"), "{why}");
        }
        world.steps(500);
        assert_eq!(world.rows_of(2, &key), before);
        world.gateway = gateway;
        world.stop(1);
        put_back(&dir, 1);
        world.start(1);
        world.signs(1, &key);
        world.config.nodes = Parties::numbered(3).unwrap();
        world.open_gateway();
        world.until("an order", |world| {
            let change = SignedChange::new(world.change(&key, (&[2, 3], 2)), &world.requester);
            world.ask_change(change).is_ok()
        });
        world.until("new shares", |world| world.epoch(&key) == 1);
        assert_eq!(world.shares_of(3, &key), [1]);
        world.signs(2, &key);
    }
}

/// Nodes are killed after a commit, before anything of it is sent, at one step after the other of a change.
#[test]
fn who_is_killed_after_any_commit_of_a_change_goes_on() {
    let mut world = World::new("killed", &[Scheme::Ed25519]);
    world.ready();
    let key = world.key(Scheme::Ed25519);
    let dying: Rc<RefCell<BTreeSet<u16>>> = Rc::default();
    let of = Rc::clone(&dying);
    world.meddler = Some(Box::new(move |from, _, message| match from {
        Peer::Node(node) if of.borrow().contains(&node.get()) => vec![],
        _ => vec![message],
    }));
    for (at, epoch) in (0..24).zip(0..) {
        let nodes = [vec![1], vec![2], vec![3], vec![1, 2, 3]][at % 4].clone();
        world.until("an order", |world| world.refresh(&key));
        world.steps(at / 2);
        dying.borrow_mut().extend(&nodes);
        world.step();
        dying.borrow_mut().clear();
        nodes.into_iter().for_each(|node| world.start(node));
        world.until("new shares", |world| world.epoch(&key) == epoch + 1);
        world.steps(250);
        let only = [u64::from(epoch) + 1];
        assert_eq!([1, 2, 3].map(|node| world.shares_of(node, &key)), [only; 3]);
        world.signs(u8::try_from(at).unwrap(), &key);
    }
}
