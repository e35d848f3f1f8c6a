//! Keys go to other committees and thresholds, while nodes are killed and the bus loses, and come back: the public key
//! stays, and old shares are of no use.
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

use std::sync::{Arc, Mutex};

use ed25519_dalek::SigningKey;
use quorate::{Parties, PartyId};
use quorate_custody::bus::Peer;
use quorate_custody::change::{Change, SignedChange};
use quorate_custody::gateway::Gateway;
use quorate_custody::gateway::ask::{KeyView, Submitted};
use quorate_custody::orders::{Body, Kind, Name, Order};
use quorate_custody::request::Scheme;
use quorate_custody::sql::{Db, Settings, Sql};
use quorate_custody::wire::{Message, Shared, SignOrder};
use quorate_examples::verifiers;
use world::{World, id, listen, signature};

fn verifies(key: &KeyView, message: &[u8], signed: &[u8]) -> bool {
    match key.scheme {
        Scheme::Ecdsa => verifiers::ecdsa_secp256k1(&key.public_key, message, &signed[..64]),
        _ => verifiers::ed25519(&key.public_key, message, signed),
    }
}

/// The rows of a node about a key: shares, presignatures, nonces.
fn rows(world: &World, node: u16, key: &KeyView) -> [u64; 3] {
    let mut db = Db::open(&world.node_config(node).database, Settings::default()).unwrap();
    [
        "SELECT count(*) FROM keys WHERE id = $1",
        "SELECT count(*) FROM presignatures WHERE key_id = $1",
        "SELECT count(*) FROM nonces WHERE key_id = $1",
    ]
    .map(|sql| db.one(sql, &[(&key.id.0).into()]).unwrap().number(0).unwrap())
}

/// Orders of a gateway that knows no better, with shares of an epoch that is over.
fn late_orders(world: &mut World, key: &KeyView) {
    let kind = Kind::resharing(key.scheme);
    let committee: Vec<PartyId> = [1, 2, 3].map(id).to_vec();
    let body = Body { count: 2, committee, ..Body::of_key(key.id, 0) };
    let nodes = Parties::numbered(3).unwrap();
    let members = nodes.iter().map(|node| (node, 1)).collect();
    let name = Name::new(&[9; 32], kind, (1, 77));
    let late = Order::new((name, kind), &members, &body, world.now + 60_000).unwrap();
    for node in 1..=3 {
        let said = world.say(node, Peer::Gateway(1), vec![Message::Order(late.clone())]);
        let answer = said.into_iter().find_map(|message| match message {
            Message::Answer(sid, answer) if sid == late.job.sid => Some(answer),
            _ => None,
        });
        let why = answer.unwrap().unwrap_err();
        assert!(why.contains("have replaced those of the order"), "node {node}: {why}");
    }
}

/// From all to two, from these to two of whom one is new, and to all of whom all have to sign; nodes are killed all the time,
/// and a fifth of the messages is lost.
fn goes_round(scheme: Scheme) {
    let mut world = World::new("reshare", &[scheme]);
    world.allow(&[(&[1, 2], 2), (&[2, 3], 2), (&[1, 2, 3], 3)]);
    world.ready();
    let key = world.key(scheme);
    let heard = listen(&mut world);
    let before = signature(world.sign(1, &key, b"pay 1 to Alice"));
    assert!(verifies(&key, b"pay 1 to Alice", &before));
    world.ready();
    // What was given to a signer before, of its old share, and was not answered.
    let unanswered = world.request(9, &key, b"pay 9 to Alice");
    (1..=3).for_each(|node| world.stop(node));
    assert!(matches!(world.submit(&unanswered), Submitted::Taken(_)));
    let held: Vec<(PartyId, SignOrder)> = heard.borrow().clone();
    let (node, old) = held.last().cloned().unwrap();
    assert_eq!(old.request, unanswered);
    (1..=3).for_each(|node| world.start(node));
    signature(world.end(9));
    world.ready();
    let mut kills = 0;
    for (number, to, down) in
        [(2, (&[1, 2][..], 2), Some(3)), (3, (&[2, 3], 2), Some(1)), (4, (&[1, 2, 3], 3), None)]
    {
        world.reshare(&key, to);
        world.faults = (200, 100, 100);
        world.until("new shares", |world| {
            if world.chance(12) == 0 {
                let node = 1 + u16::try_from(world.chance(3)).unwrap();
                world.start(node);
                kills += 1;
            }
            if world.chance(40) == 0 {
                world.gateway = Some(Gateway::open(world.config.clone(), world.now).unwrap());
            }
            world.epoch(&key) == number - 1
        });
        world.faults = (0, 0, 0);
        let now = world.keys().remove(0);
        assert_eq!((now.public_key.as_slice(), now.threshold), (key.public_key.as_slice(), to.1));
        assert_eq!(now.parties, to.0.iter().map(|node| id(*node)).collect::<Vec<_>>());
        world.until("rest", |world| world.gateway.as_ref().unwrap().rests());
        if let Some(down) = down {
            assert_eq!(rows(&world, down, &key), [0; 3], "node {down} has left");
            world.stop(down);
        }
        assert!(to.0.iter().all(|node| rows(&world, *node, &key)[0] == 1), "one share each");
        let message = format!("pay {number} to Alice");
        let number = u8::try_from(number).unwrap();
        let signed = signature(world.sign(number, &key, message.as_bytes()));
        assert!(verifies(&key, message.as_bytes(), &signed));
        (1..=3).for_each(|node| world.start(node));
    }
    // Twice in each change, though not evenly.
    assert!(kills > 5, "{kills}");
    // What the old shares were asked for is given again as it was, and nothing else is made of them.
    let mut other = old.clone();
    other.request = world.request(10, &key, b"pay 10 to Alice");
    assert!(matches!(world.share(node.get(), &other), Some(Shared::Gone(_))));
    late_orders(&mut world, &key);
    let message = b"pay 5 to Alice";
    let signed = signature(world.sign(5, &key, message));
    assert!(verifies(&key, message, &signed));
}

#[test]
fn an_ed25519_key_goes_to_other_committees_and_back() {
    goes_round(Scheme::Ed25519);
}

#[test]
fn an_ecdsa_key_goes_to_other_committees_and_back() {
    goes_round(Scheme::Ecdsa);
}

/// Nobody but a requester, at the epoch that is, once, and to a committee that every node's policy has.
#[test]
fn who_may_order_new_shares() {
    let mut world = World::new("authority", &[Scheme::Ed25519]);
    world.config.requesters = Some([world.requester.verifying_key().to_bytes()].into());
    world.gateway = Some(Gateway::open(world.config.clone(), world.now).unwrap());
    world.allow(&[(&[1, 2], 2)]);
    world.ready();
    let key = world.key(Scheme::Ed25519);
    let good = world.change(&key, (&[1, 2], 2));
    let signed = SignedChange::new(good.clone(), &world.requester);
    let stranger = SignedChange::new(good.clone(), &SigningKey::from_bytes(&[4; 32]));
    let altered =
        SignedChange { change: Change { threshold: 3, ..good.clone() }, ..signed.clone() };
    let of = |change: Change, world: &World| SignedChange::new(change, &world.requester);
    let late = of(Change { deadline: world.now, ..good.clone() }, &world);
    let epoch_1 = of(Change { epoch: 1, ..good.clone() }, &world);
    let node_4 = of(Change { committee: vec![id(1), id(4)], ..good.clone() }, &world);
    let three = of(Change { threshold: 3, ..good.clone() }, &world);
    for (signed, why) in [
        (stranger, "not signed by a requester"),
        (altered, "not signed by a requester"),
        (late, "the deadline has passed"),
        (epoch_1, "the key is in epoch 0"),
        (node_4, "there is no node 4"),
        (three, "3"),
    ] {
        let said = world.ask_change(signed).unwrap_err();
        assert!(said.contains(why), "{said}");
    }
    // One that the nodes do not allow, and the key is as it was.
    let elsewhere = of(Change { committee: vec![id(1), id(3)], ..good }, &world);
    let said = world.ask_change(elsewhere);
    assert_eq!(said, Ok(1));
    let busy = world.ask_change(signed.clone()).unwrap_err();
    assert!(busy.contains("are being made"), "{busy}");
    let mut lines = Vec::new();
    world.until("a refusal", |world| {
        lines.extend(world.gateway.as_mut().unwrap().lines());
        lines.iter().any(|line| line.contains("the policy of the node allows no such committee"))
    });
    assert_eq!(world.epoch(&key), 0);
    world.sign(1, &key, b"pay 1 to Alice");
    assert_eq!(world.ask_change(signed.clone()), Ok(1));
    world.until("new shares", |world| world.epoch(&key) == 1);
    let again = world.ask_change(signed).unwrap_err();
    assert!(again.contains("the key is in epoch 1"), "{again}");
}

/// Between the new shares and the word of all that they are stored, the old ones sign, and those alone; whoever leaves has
/// its share until then.
#[test]
fn until_all_have_stored_them_the_old_shares_sign() {
    let mut world = World::new("between", &[Scheme::Ed25519]);
    world.allow(&[(&[1, 2], 2)]);
    world.ready();
    let key = world.key(Scheme::Ed25519);
    let held = Arc::new(Mutex::new((true, 0)));
    let flag = Arc::clone(&held);
    world.meddler = Some(Box::new(move |_, _, message| match &message {
        Message::Order(order) if order.kind == Kind::StoredEd25519 => {
            let mut held = flag.lock().unwrap();
            held.1 += 1;
            if held.0 { Vec::new() } else { vec![message] }
        }
        _ => vec![message],
    }));
    world.reshare(&key, (&[1, 2], 2));
    world.until("new shares that nobody has acknowledged", |_| held.lock().unwrap().1 > 3);
    assert_eq!(world.epoch(&key), 0);
    assert_eq!([1, 2, 3].map(|node| rows(&world, node, &key)[0]), [2, 2, 1]);
    for (number, down) in [(1, 1), (2, 2), (3, 3)] {
        world.stop(down);
        let signed = signature(world.sign(number, &key, b"pay 1 to Alice"));
        assert!(verifies(&key, b"pay 1 to Alice", &signed));
        world.start(down);
    }
    held.lock().unwrap().0 = false;
    world.until("the new epoch", |world| world.epoch(&key) == 1);
    assert_eq!([1, 2, 3].map(|node| rows(&world, node, &key)[0]), [1, 1, 0]);
    signature(world.sign(4, &key, b"pay 1 to Alice"));
}

/// A third node joins two that have made an ECDSA key: auxiliary information is made anew with it, before it takes the key
/// over together with one of them.
#[test]
fn a_node_that_is_new_takes_a_key_over() {
    let mut world = World::new("joins", &[Scheme::Ecdsa]);
    world.allow(&[(&[2, 3], 2)]);
    world.config.nodes = Parties::numbered(2).unwrap();
    world.gateway = Some(Gateway::open(world.config.clone(), world.now).unwrap());
    world.ready();
    let key = world.key(Scheme::Ecdsa);
    assert_eq!(key.parties, [id(1), id(2)]);
    let signed = signature(world.sign(1, &key, b"pay 1 to Alice"));
    assert!(verifies(&key, b"pay 1 to Alice", &signed));
    world.config.nodes = Parties::numbered(3).unwrap();
    world.gateway = Some(Gateway::open(world.config.clone(), world.now).unwrap());
    let mut lines = Vec::new();
    world.until("auxiliary information of all", |world| {
        lines.extend(world.gateway.as_mut().unwrap().lines());
        lines.iter().any(|line| line.contains("auxiliary information"))
    });
    world.reshare(&key, (&[2, 3], 2));
    world.until("new shares", |world| world.epoch(&key) == 1);
    world.ready();
    world.stop(1);
    let signed = signature(world.sign(2, &key, b"pay 2 to Alice"));
    assert!(verifies(&key, b"pay 2 to Alice", &signed));
    assert_eq!(rows(&world, 3, &key)[0], 1);
}
