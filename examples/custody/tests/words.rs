//! The nodes' words for new shares of a key: whoever gives his and goes, for a while, for long, or again and again, holds no
//! change up that the others make without him, and no key is lost.
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

use core::cell::{Cell, RefCell};
use std::rc::Rc;

use backup::{copy, put_back_alone};
use quorate::runner::Time;
use quorate::session::{Protocol as _, frame::Header};
use quorate_custody::apps::ReshareEd25519;
use quorate_custody::bus::Peer;
use quorate_custody::change::SignedChange;
use quorate_custody::gateway::ask::KeyView;
use quorate_custody::orders::{Body, Kind, Name, Order, Shard};
use quorate_custody::request::Scheme;
use quorate_custody::wire::{Message, Stands};
use world::{World, id};

/// An order for new shares is good for so long.
const GOOD: Time = 20_000;
/// A gateway gives an order up so long after that, at most.
const GRACE: Time = 6_000;

const THIRD: Peer = Peer::Node(match quorate::PartyId::new(3) {
    Some(three) => three,
    None => panic!(),
});

fn ready(name: &str, scheme: Scheme) -> (World, KeyView) {
    let mut world = World::new(name, &[scheme]);
    world.gateways = vec![1, 2];
    world.config.times.making = GOOD;
    world.config.times.presigning = 10_000;
    world.open_gateway();
    world.allow(&[(&[1, 2], 2), (&[1, 2, 3], 2)]);
    world.ready();
    let key = world.key(scheme);
    (world, key)
}

/// Whether it is the word of a node that its share is stored.
fn is_word(bytes: &[u8]) -> bool {
    Shard::of_packet(bytes) == Some(Shard::Stored)
}

/// How the shares of a node stand, each with its epoch.
fn stands(world: &World, node: u16, key: &KeyView) -> Vec<(u32, Stands)> {
    let vault = world.node_config(node).vault().unwrap();
    let side = |public: &[u8]| quorate_custody::side::Side::read(key.scheme, public).unwrap();
    let of = vault.holdings().iter().filter(|one| one.key == key.id);
    let mut all: Vec<_> = of.map(|one| (side(&one.public).epoch, one.stands)).collect();
    all.sort_unstable();
    all
}

/// A key gets other shares, ordered again and again until it has; how long that has taken.
fn changed(world: &mut World, key: &KeyView, to: &[u16]) -> Time {
    let (begun, before) = (world.now, world.epoch(key));
    world.until("new shares", |world| {
        if world.now % 500 == 0 {
            let signed = SignedChange::new(world.change(key, (to, 2)), &world.requester);
            world.ask_change(signed).ok();
        }
        world.epoch(key) > before
    });
    world.now - begun
}

/// Orders new shares for all three, which are made, and whose acknowledging fails.
fn fails(world: &mut World, key: &KeyView) {
    let mut lines = Vec::new();
    world.until("an order", |world| world.refresh(key));
    world.until("a failure", |world| {
        lines.extend(world.gateway.as_mut().unwrap().lines());
        lines.iter().any(|line| line.contains("acknowledging") && line.contains("has failed"))
    });
}

/// One node alone is asked for its word, and is down until the others have dropped what nobody has asked them for: it has not
/// given it, since it has not heard that they keep theirs.
#[test]
fn a_word_waits_until_all_keep_theirs() {
    for scheme in Scheme::ALL {
        let (mut world, key) = ready("alone", scheme);
        let asked = Rc::new(Cell::new(0));
        let count = Rc::clone(&asked);
        world.meddler = Some(Box::new(move |_, to, message| match &message {
            Message::Order(order) if order.kind == Kind::storing(scheme) => {
                count.set(count.get() + 1);
                if to == THIRD { vec![message] } else { vec![] }
            }
            _ => vec![message],
        }));
        assert!(world.refresh(&key));
        world.until("its order", |_| asked.get() > 6);
        world.steps(100);
        assert_eq!(stands(&world, 3, &key), [(0, Stands::Stored), (1, Stands::Kept)]);
        world.stop(3);
        world.steps(9000);
        assert_eq!([1, 2].map(|node| world.shares_of(node, &key)), [[0], [0]]);
        world.meddler = None;
        world.start(3);
        world.signs(1, &key);
        changed(&mut world, &key, &[1, 2, 3]);
        world.steps(200);
        assert_eq!([1, 2, 3].map(|node| world.shares_of(node, &key)), [[1], [1], [1]]);
        world.stop(1);
        world.signs(2, &key);
    }
}

/// How far the third node comes with new shares before it is down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Until {
    Made,
    Kept,
    Promised,
    Settled,
}

/// Orders new shares, which the third node comes to this far with before it is down.
fn goes_down(world: &mut World, key: &KeyView, until: Until) {
    let scheme = key.scheme;
    world.meddler = Some(Box::new(move |from, to, message| match &message {
        Message::Order(order) if order.kind == Kind::storing(scheme) => {
            if to == THIRD && until == Until::Made { vec![] } else { vec![message] }
        }
        // It does not hear that the others keep theirs.
        Message::Holds(_) if to == THIRD && until == Until::Kept => vec![],
        Message::Beat(_) if to == THIRD && until == Until::Kept => vec![],
        Message::Packet(bytes) if is_word(bytes) => {
            let heard = to == THIRD && from != THIRD && until == Until::Settled;
            if heard { vec![message] } else { vec![] }
        }
        _ => vec![message],
    }));
    assert!(world.refresh(key));
    let wanted = match until {
        Until::Made => vec![(0, Stands::Stored), (1, Stands::Made)],
        Until::Kept => vec![(0, Stands::Stored), (1, Stands::Kept)],
        Until::Promised => vec![(0, Stands::Stored), (1, Stands::Promised)],
        Until::Settled => vec![(1, Stands::Stored)],
    };
    let mut turn = 0;
    world.until("this far", |world| {
        turn += 1;
        turn % 20 == 0 && stands(world, 3, key) == wanted
    });
    world.steps(300);
    assert_eq!(stands(world, 3, key), wanted);
    world.stop(3);
    world.meddler = None;
    world.steps(usize::try_from(GOOD + 2 * GRACE).unwrap() / 10);
    // They have heard that it keeps its share, but where it does not.
    let others = if until == Until::Made { Stands::Kept } else { Stands::Promised };
    for node in [1, 2] {
        assert_eq!(stands(world, node, key), [(0, Stands::Stored), (1, others)], "{until:?}");
    }
}

const ALL: [Until; 4] = [Until::Made, Until::Kept, Until::Promised, Until::Settled];

fn each(mut test: impl FnMut(Scheme, Until)) {
    ALL.into_iter().for_each(|until| test(Scheme::Ed25519, until));
    test(Scheme::Ecdsa, Until::Promised);
}

/// A node is down from any point of a change until long after its deadline. The others sign meanwhile; when it is back with its
/// old word the next change is made, with it.
#[test]
fn a_node_that_is_back_after_the_deadline_takes_part() {
    each(|scheme, until| {
        let (mut world, key) = ready("late", scheme);
        goes_down(&mut world, &key, until);
        world.signs(1, &key);
        world.start(3);
        let took = changed(&mut world, &key, &[1, 2, 3]);
        assert!(took < GOOD, "{until:?}: {took}");
        world.until("one epoch", |world| {
            let all = [1, 2, 3].map(|node| world.shares_of(node, &key));
            all[0].len() == 1 && all.iter().all(|one| *one == all[0])
        });
        world.stop(1);
        world.signs(2, &key);
    });
}

/// The same, and the others have made two further epochs without it: it drops what it has, word and all, and gets a share again
/// when the key is given to it.
#[test]
fn a_node_that_is_back_two_epochs_later_takes_part() {
    each(|scheme, until| {
        let (mut world, key) = ready("later", scheme);
        goes_down(&mut world, &key, until);
        for number in 1..=2 {
            let took = changed(&mut world, &key, &[1, 2]);
            assert!(took < GOOD, "{until:?}: {took}");
            world.signs(number, &key);
        }
        world.start(3);
        world.until("that it drops its shares", |world| world.shares_of(3, &key).is_empty());
        changed(&mut world, &key, &[1, 2, 3]);
        world.steps(300);
        let epoch = u64::from(world.epoch(&key));
        assert_eq!([1, 2, 3].map(|node| world.shares_of(node, &key)), [(); 3].map(|()| [epoch]));
        world.stop(1);
        world.signs(3, &key);
    });
}

/// What the third node does while it lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lies {
    /// It says that it keeps its shares and that it has given its word, and acknowledges nothing.
    Nothing,
    /// It says that to one of the others alone.
    ToOne,
    /// It deals nothing either once it is to leave.
    Stalls,
}

/// A node promises each time and never comes. The change that it is to be part of fails at its deadline; the one that leaves it
/// out is made at once, however often it gets shares again, and whatever the others have given their words for.
#[test]
fn a_liar_that_promises_and_never_comes_holds_nobody_up() {
    for (scheme, lies) in [
        (Scheme::Ed25519, Lies::Nothing),
        (Scheme::Ed25519, Lies::ToOne),
        (Scheme::Ed25519, Lies::Stalls),
        (Scheme::Ecdsa, Lies::Nothing),
    ] {
        let (mut world, key) = ready("liar", scheme);
        let leaves = Rc::new(Cell::new(false));
        let stalls = Rc::clone(&leaves);
        world.meddler = Some(Box::new(move |from, to, message| match message {
            Message::Packet(bytes) if from == THIRD && is_word(&bytes) => vec![],
            Message::Packet(_) if from == THIRD && lies == Lies::Stalls && stalls.get() => vec![],
            Message::Holds(mut list)
                if from == THIRD && to == Peer::Node(id(2)) && lies == Lies::ToOne =>
            {
                list.retain(|one| one.stands == Stands::Stored);
                vec![Message::Holds(list)]
            }
            // Its stock would be used, and it signs nothing.
            Message::Share(..) if from == THIRD => vec![],
            message => vec![message],
        }));
        for round in 0..3 {
            leaves.set(false);
            if round > 0 {
                let order =
                    SignedChange::new(world.change(&key, (&[1, 2, 3], 2)), &world.requester);
                world.ask_change(order).unwrap();
            }
            fails(&mut world, &key);
            // Once more, of those that some have given their words for.
            fails(&mut world, &key);
            leaves.set(true);
            let took = changed(&mut world, &key, &[1, 2]);
            assert!(took < GOOD / 4, "{lies:?}: {took}");
            world.steps(300);
            let epoch = u64::from(world.epoch(&key));
            assert_eq!([1, 2].map(|node| world.shares_of(node, &key)), [[epoch], [epoch]]);
            world.signs(round + 1, &key);
        }
    }
}

/// A node that leaves deals nothing, though it lives: the change is made without it at the second attempt.
#[test]
fn one_that_leaves_and_stalls_costs_one_deadline() {
    let (mut world, key) = ready("stalls", Scheme::Ed25519);
    world.meddler = Some(Box::new(move |from, _, message| match message {
        Message::Packet(_) if from == THIRD => vec![],
        message => vec![message],
    }));
    let took = changed(&mut world, &key, &[1, 2]);
    assert!((GOOD..GOOD + GRACE).contains(&took), "{took}");
    world.signs(1, &key);
}

/// The database of a node is put back to before it has given its word, and the ledger is not: it gives no other one.
#[test]
fn a_database_that_is_put_back_gives_no_other_word() {
    for scheme in Scheme::ALL {
        let (mut world, key) = ready("forgets", scheme);
        let [making, storing] = [Kind::resharing(scheme), Kind::storing(scheme)];
        let orders: Rc<RefCell<Vec<Order>>> = Rc::default();
        let keep = Rc::clone(&orders);
        world.meddler = Some(Box::new(move |_, _, message| match message {
            Message::Order(order) if order.kind == storing => vec![],
            Message::Order(order) => {
                keep.borrow_mut().push(order.clone());
                vec![Message::Order(order)]
            }
            message => vec![message],
        }));
        let order = |world: &World, kind, (number, epoch): (u32, u32), body: &Body| {
            let members = [(id(1), epoch), (id(2), 1), (id(3), 1)].into();
            let name = Name::new(&[9; 32], kind, (2, number));
            Order::new((name, kind), &members, body, world.now + 60_000).unwrap()
        };
        assert!(world.refresh(&key));
        let first = orders.borrow().iter().find(|order| order.kind == making).cloned().unwrap();
        let other = order(&world, making, (0, 1), &Body::from_bytes(&first.job.body).unwrap());
        world.give(2, &[1, 2, 3], &other);
        world.until("two kinds", |world| {
            (1..=3).all(|node| world.shares_of(node, &key) == [0, 1, 1])
        });
        let rows = world.rows_of(1, &key);
        let words: Vec<Order> = (1..)
            .zip(&rows[1..])
            .map(|(number, (_, public))| {
                let body = Body { public: public.clone(), ..Body::of_key(key.id, 1) };
                order(&world, storing, (number, 1), &body)
            })
            .collect();
        words.iter().for_each(|word| world.give(2, &[1, 2, 3], word));
        world.steps(20);
        let dir = world.dir.clone();
        copy(&dir, 1);
        world.give(2, &[1], &words[0]);
        world.steps(5);
        assert!(stands(&world, 1, &key).contains(&(1, Stands::Promised)));
        world.stop(1);
        put_back_alone(&dir, 1);
        world.start(1);
        world.steps(20);
        assert!(!stands(&world, 1, &key).contains(&(1, Stands::Promised)));
        let body = Body { public: rows[2].1.clone(), ..Body::of_key(key.id, 1) };
        let word = order(&world, storing, (7, 2), &body);
        let said = world.say(1, Peer::Gateway(2), vec![Message::Order(word)]);
        let refused = said.iter().any(|message| match message {
            Message::Answer(_, Err(why)) => why.contains("has given its word for other shares"),
            _ => false,
        });
        assert!(refused, "{said:?}");
        assert!(stands(&world, 1, &key).contains(&(1, Stands::Promised)), "it knows which again");
        let body = Body { public: rows[1].1.clone(), ..Body::of_key(key.id, 1) };
        let word = order(&world, storing, (8, 2), &body);
        let said = world.say(1, Peer::Gateway(2), vec![Message::Order(word)]);
        assert!(said.iter().any(|message| matches!(message, Message::Begun(_))), "{said:?}");
    }
}

/// The database of a node is put back to before anybody has asked for its new shares, which its peers count on by now: the node
/// notices, and keeps them.
#[test]
fn a_database_that_is_put_back_keeps_what_others_count_on() {
    let (mut world, key) = ready("kept", Scheme::Ed25519);
    let held = Rc::new(Cell::new(true));
    let holds = Rc::clone(&held);
    world.meddler = Some(Box::new(move |_, to, message| match &message {
        Message::Order(order) if order.kind == Kind::StoredEd25519 => {
            if holds.get() || to != Peer::Node(id(1)) { vec![] } else { vec![message] }
        }
        _ => vec![message],
    }));
    assert!(world.refresh(&key));
    world.until("new shares", |world| (1..=3).all(|node| world.shares_of(node, &key) == [0, 1]));
    // All that it has released is in the copy.
    world.steps(300);
    let dir = world.dir.clone();
    copy(&dir, 1);
    held.set(false);
    let last = world.node_config(1).store().unwrap().head().unwrap().unwrap().number;
    world.until("that it keeps them", |world| {
        stands(world, 1, &key) == [(0, Stands::Stored), (1, Stands::Kept)]
    });
    world.stop(1);
    assert!(world.node_config(1).store().unwrap().head().unwrap().unwrap().number > last);
    put_back_alone(&dir, 1);
    held.set(true);
    world.start(1);
    assert_eq!(world.node_config(1).store().unwrap().head().unwrap().unwrap().epoch, 2);
    world.steps(9000);
    assert_eq!([1, 2].map(|node| world.shares_of(node, &key)), [vec![0, 1], vec![0]]);
}

/// What nodes say of their shares is lost. When they hold the same each hears it all the same, by the digest.
#[test]
fn that_all_keep_their_shares_is_heard_though_it_is_lost() {
    let (mut world, key) = ready("lost", Scheme::Ed25519);
    world.meddler = Some(Box::new(move |_, to, message| match message {
        Message::Holds(_) if matches!(to, Peer::Node(_)) => vec![],
        message => vec![message],
    }));
    assert!(world.refresh(&key));
    let begun = world.now;
    world.until("new shares", |world| world.epoch(&key) == 1);
    assert!(world.now - begun < GOOD / 2);
}

/// A gateway asks those who stay for their words before the one who leaves has seen the end of the resharing: it hears of
/// them again when it has.
#[test]
fn that_others_keep_their_shares_is_heard_though_it_was_early() {
    let (mut world, key) = ready("early", Scheme::Ed25519);
    let held = Rc::new(Cell::new(true));
    let holds = Rc::clone(&held);
    let is_last = |bytes: &[u8]| {
        let frame = bytes.split_first().filter(|(kind, _)| **kind == 0);
        let header = frame.and_then(|(_, frame)| Header::parse(frame));
        header.is_some_and(|header| header.code == ReshareEd25519::CODE && header.round.get() == 3)
    };
    world.meddler = Some(Box::new(move |_, to, message| match message {
        Message::Packet(bytes) if to == THIRD && holds.get() && is_last(&bytes) => vec![],
        message => vec![message],
    }));
    let begun = world.now;
    world.reshare(&key, (&[1, 2], 2));
    world.until("new shares", |world| {
        [1, 2].iter().all(|node| world.shares_of(*node, &key) == [0, 1])
    });
    let public = world.rows_of(1, &key)[1].1.clone();
    let body = Body { public, ..Body::of_key(key.id, 1) };
    let name = Name::new(&[9; 32], Kind::StoredEd25519, (2, 0));
    let members = (1..=3).map(|node| (id(node), 1)).collect();
    let order = Order::new((name, Kind::StoredEd25519), &members, &body, world.now + GOOD).unwrap();
    for _ in 0..3 {
        world.give(2, &[1, 2], &order);
        world.steps(150);
    }
    assert!([1, 2].iter().all(|node| stands(&world, *node, &key)[1] == (1, Stands::Promised)));
    held.set(false);
    world.until("the new epoch", |world| world.epoch(&key) == 1);
    assert!(world.now - begun < GOOD, "{}", world.now - begun);
    world.signs(1, &key);
}
