//! Gateway and nodes turn by turn, over a bus that loses, copies, delays and reorders: everything that is taken ends, what
//! is spent is spent once, and whoever cheats is named.
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

#[path = "common/world.rs"]
mod world;

use core::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

use ed25519_dalek::SigningKey;
use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::generic::PublishedNonces;
use quorate::session::stock::WaterMarks;
use quorate::{PartyId, SessionId};
use quorate_custody::bus::memory::{Limits, MemoryBus, Network};
use quorate_custody::bus::{Bus, Event, Peer};
use quorate_custody::gateway::ask::{Ask, Refusal, Reply, State, Submitted};
use quorate_custody::gateway::{Config, Gateway};
use quorate_custody::orders::{Body, KINDS, Kind};
use quorate_custody::post::{ANSWERS, SIGNING, routes};
use quorate_custody::request::{KeyId, Request, Scheme, SignedRequest};
use quorate_custody::sql::Address;
use quorate_custody::wire::{Beat, Material, Message, Replenish, Shared, SignOrder};
use quorate_examples::verifiers;
use world::{World, id, listen, refused, signature};

#[test]
fn both_schemes_sign_through_loss_copies_and_delay_and_their_shares_are_made_anew() {
    let mut world = World::new("both", &[Scheme::Ecdsa, Scheme::Ed25519]);
    world.faults = (50, 100, 40);
    world.ready();
    let (ecdsa, ed25519) = (world.key(Scheme::Ecdsa), world.key(Scheme::Ed25519));
    for round in 0..2_u8 {
        for number in 0..8 {
            let message = format!("pay {number} to Alice").into_bytes();
            let (one, other) = (100 * round + number, 100 * round + 50 + number);
            let signed = signature(world.sign(one, &ecdsa, &message));
            assert!(verifiers::ecdsa_secp256k1(&ecdsa.public_key, &message, &signed[..64]));
            let signed = signature(world.sign(other, &ed25519, &message));
            assert!(verifiers::ed25519(&ed25519.public_key, &message, &signed));
        }
        if round == 0 {
            refresh(&mut world, &[ecdsa.id, ed25519.id]);
        }
    }
    // A child of the key, by what was made for its parent.
    let mut child = world.request(77, &ecdsa, b"pay 7 to Alice");
    child.request.path = "m/44/7".parse().unwrap();
    let child = SignedRequest::new(child.request, &world.requester);
    assert!(matches!(world.submit(&child), Submitted::Taken(_)));
    let State::Signed { signature, public_key } = world.end(77) else { panic!("not signed") };
    assert_ne!(public_key, ecdsa.public_key);
    assert!(verifiers::ecdsa_secp256k1(&public_key, b"pay 7 to Alice", &signature[..64]));
}

/// New shares of keys: their epoch goes up, what was made before is of no use to anybody.
fn refresh(world: &mut World, keys: &[KeyId]) {
    let before = world.keys();
    let heard = listen(world);
    for key in keys {
        let done = Arc::new(Mutex::new(None));
        let put = Arc::clone(&done);
        let reply = Reply::new(move |begun| *put.lock().unwrap() = Some(begun));
        world.asked.push(Ask::Refresh(*key, reply));
        world.step();
        assert_eq!(*done.lock().unwrap(), Some(true));
    }
    world.until("new shares", |world| {
        world.keys().iter().all(|key| key.epoch == 1) && world.gateway.as_ref().unwrap().rests()
    });
    for (before, after) in before.iter().zip(world.keys()) {
        assert_eq!(before.public_key, after.public_key);
    }
    drop(heard);
    world.meddler = None;
}

#[test]
fn a_request_is_taken_once_and_ends() {
    let mut world = World::new("once", &[Scheme::Ed25519]);
    world.ready();
    let key = world.key(Scheme::Ed25519);
    let signed = signature(world.sign(1, &key, b"pay 1 to Alice"));
    assert!(verifiers::ed25519(&key.public_key, b"pay 1 to Alice", &signed));
    // Again: the stored result. Another one under its key: refused, also after the gateway was started again.
    for _ in 0..2 {
        let mut again = world.request(1, &key, b"pay 1 to Alice");
        again.request.deadline = 0;
        let other = SignedRequest::new(again.request.clone(), &world.requester);
        assert_eq!(world.submit(&other), Submitted::Conflict);
        assert_eq!(signature(world.state(1).unwrap()), signed);
        world.gateway = None;
        world.open_gateway();
    }
    // What is not taken at all.
    let good = world.request(2, &key, b"pay 2 to Alice");
    let forged = SignedRequest { signature: [1; 64], ..good.clone() };
    let late = Request { deadline: world.now - 1, ..good.request.clone() };
    let far = Request { deadline: world.now + 3_700_000, ..good.request.clone() };
    let no_key = Request { key_id: KeyId([0; 16]), ..good.request.clone() };
    let child = Request { path: "m/1".parse().unwrap(), ..good.request.clone() };
    let sign = |request| SignedRequest::new(request, &SigningKey::from_bytes(&[3; 32]));
    for (request, why) in [
        (forged, Refusal::Unsigned),
        (sign(late), Refusal::Deadline),
        (sign(far), Refusal::Deadline),
        (sign(no_key), Refusal::NoKey),
        (sign(child), Refusal::NoChild),
    ] {
        assert_eq!(world.submit(&request), Submitted::Refused(why));
        assert_eq!(world.state(2), None);
    }
    // The policy of the nodes, which is asked before anything is claimed.
    let (why, certain) = refused(world.sign(3, &key, b"pay 1000 to Mallory"));
    assert!(
        why.contains("the policy of the node allows payments to Alice only") && certain,
        "{why}"
    );
    let stranger = SigningKey::from_bytes(&[4; 32]);
    let unknown = SignedRequest::new(world.request(4, &key, b"pay 4 to Alice").request, &stranger);
    assert!(matches!(world.submit(&unknown), Submitted::Taken(_)));
    let (why, certain) = refused(world.end(4));
    assert!(why.contains("allows this requester nothing") && certain, "{why}");
}

/// Nobody answers: a request ends at its deadline, and it is said whether somebody may have signed it.
#[test]
fn what_nobody_answers_ends_at_its_deadline() {
    let mut world = World::new("deadline", &[Scheme::Ed25519]);
    world.ready();
    let key = world.key(Scheme::Ed25519);
    (1..=3).for_each(|node| world.stop(node));
    let begun = world.now;
    let (why, certain) = refused(world.sign(1, &key, b"pay 1 to Alice"));
    assert!(why.contains("the deadline has passed; no answer of node"), "{why}");
    assert!(!certain, "nobody knows");
    assert!(world.now - begun < 66_000);
    // One node is enough to be missed, and two to sign.
    world.start(1);
    world.start(3);
    let signed = signature(world.sign(2, &key, b"pay 2 to Alice"));
    assert!(verifiers::ed25519(&key.public_key, b"pay 2 to Alice", &signed));
    assert!(world.snapshot().nodes[1].heard > Some(60_000));
}

/// The same order is given the same share, before and after a restart and after its deadline; what was spent on one message
/// signs no other, whoever says so; and what comes from nobody known is not answered.
#[test]
fn what_is_spent_is_spent_once() {
    let mut world = World::new("spent", &[Scheme::Ecdsa, Scheme::Ed25519]);
    world.ready();
    let heard = listen(&mut world);
    for (number, scheme) in [(1, Scheme::Ecdsa), (2, Scheme::Ed25519)] {
        let key = world.key(scheme);
        signature(world.sign(number, &key, b"pay 1 to Alice"));
        let (node, order) = heard.borrow().last().cloned().unwrap();
        let share = world.share(node.get(), &order).unwrap();
        assert!(matches!(share, Shared::Share(_)), "{share:?}");
        // A gateway that equivocates: another message with the same presignature or nonces, rightly signed.
        let other = world.request(number + 10, &key, b"pay 2 to Alice");
        let other = SignOrder { request: other, material: order.material.clone() };
        let fresh = Some(Shared::Gone("already spent on something else".into()));
        assert_eq!(world.share(node.get(), &other), fresh);
        // The same request by another path or deadline is another one.
        let mut longer = order.clone();
        longer.request.request.deadline += 1;
        longer.request = SignedRequest::new(longer.request.request, &world.requester);
        assert_eq!(world.share(node.get(), &longer), fresh);
        // Another worker on the same databases, and a later life.
        world.start(node.get());
        assert_eq!(world.share(node.get(), &order).as_ref(), Some(&share));
        assert_eq!(world.share(node.get(), &other), fresh);
        world.now += 100_000;
        assert_eq!(world.share(node.get(), &order), Some(share));
        // Nobody else is obeyed.
        let message = || vec![Message::Sign(Box::new(order.clone()))];
        for from in [Peer::Gateway(2), Peer::Node(id(3))] {
            let said = world.say(node.get(), from, message());
            assert!(!said.iter().any(|one| matches!(one, Message::Share(..))), "{from}");
        }
        world.until("rest", |world| world.gateway.as_ref().unwrap().rests());
    }
}

/// Requests that are forged, late or against the policy are refused before anything is claimed; the refusal stays.
#[test]
fn what_is_refused_stays_refused() {
    let mut world = World::new("refused", &[Scheme::Ed25519]);
    world.ready();
    let key = world.key(Scheme::Ed25519);
    let heard = listen(&mut world);
    (1..=3).for_each(|node| world.stop(node));
    for number in 1..=3 {
        let signed = world.request(number, &key, format!("pay {number} to Alice").as_bytes());
        assert!(matches!(world.submit(&signed), Submitted::Taken(_)));
    }
    let orders = heard.borrow().clone();
    let of = |number: u8| {
        let is = |(_, order): &&(PartyId, SignOrder)| order.request.request.key.0 == [number; 16];
        orders.iter().find(is).cloned().unwrap()
    };
    (1..=3).for_each(|node| world.start(node));
    // Forged: nothing is claimed, and the good one is signed after that.
    let (node, good) = of(1);
    let mut forged = good.clone();
    forged.request.signature[5] ^= 1;
    let said = world.share(node.get(), &forged);
    assert_eq!(said, Some(Shared::Never("the requester has not signed the request".into())));
    assert!(matches!(world.share(node.get(), &good), Some(Shared::Share(_))));
    // Against the policy: what it would have spent is spent on nothing.
    let (node, order) = of(2);
    let bad = world.request(22, &key, b"pay 2 to Mallory");
    let bad = SignOrder { request: bad, material: order.material.clone() };
    for _ in 0..2 {
        let Some(Shared::Never(why)) = world.share(node.get(), &bad) else { panic!("signed") };
        assert!(why.contains("payments to Alice only"), "{why}");
        assert!(matches!(world.share(node.get(), &order), Some(Shared::Gone(_))));
        world.start(node.get());
    }
    // Too late, for ever: a clock that is set back changes nothing.
    let (node, order) = of(3);
    world.now += 70_000;
    for back in [70_000, 0] {
        let Some(Shared::Never(why)) = world.share(node.get(), &order) else { panic!("signed") };
        assert_eq!(why, "the deadline of the request has passed");
        world.now -= back;
    }
    // What nobody holds, and what is no commitment.
    let none = Material::Presignature([1; 32]);
    let none = SignOrder { request: world.request(23, &key, b"pay 3 to Alice"), material: none };
    assert!(matches!(world.share(1, &none), Some(Shared::Gone(_))));
    let list = vec![(id(1), [255; 64]), (id(2), [1; 64])];
    let none = SignOrder { material: Material::Commitments(list), ..none };
    assert!(matches!(world.share(1, &none), Some(Shared::Gone(_))));
}

/// A database is put back: what it holds of nonces that were spent since signs nothing.
#[test]
fn nonces_of_a_database_that_was_put_back_are_spent() {
    let mut world = World::new("back", &[Scheme::Ed25519]);
    world.ready();
    let key = world.key(Scheme::Ed25519);
    let path = |name: &str| world.dir.join(name);
    let (database, copy) = (path("node-1.sqlite"), path("copy.sqlite"));
    let snapshot = rusqlite::Connection::open(&database).unwrap();
    snapshot.execute("VACUUM INTO ?", [copy.display().to_string()]).unwrap();
    drop(snapshot);
    let heard = listen(&mut world);
    for number in 1..=6 {
        signature(world.sign(number, &key, format!("pay {number} to Alice").as_bytes()));
    }
    let spent: Vec<SignOrder> = heard
        .borrow()
        .iter()
        .filter(|(node, _)| *node == id(1))
        .map(|(_, order)| order.clone())
        .collect();
    assert!(!spent.is_empty());
    world.stop(1);
    for end in ["", "-wal", "-shm"] {
        std::fs::remove_file(format!("{}{end}", database.display())).ok();
    }
    std::fs::copy(&copy, &database).unwrap();
    world.start(1);
    for order in &spent {
        let other = world.request(99, &key, b"pay 9 to Alice");
        let other = SignOrder { request: other, material: order.material.clone() };
        assert!(matches!(world.share(1, &other), Some(Shared::Gone(_))));
        assert!(matches!(world.share(1, order), Some(Shared::Share(_))));
    }
}

/// A node's share is for something else, as after a restore or because of another gateway. That proves nothing: others sign this
/// request, and the node signs the next one.
#[test]
fn a_share_for_another_order_marks_no_cheater() {
    for scheme in [Scheme::Ed25519, Scheme::Ecdsa] {
        let mut world = World::new("unfit", &[scheme]);
        world.config.stocked = 3;
        world.open_gateway();
        world.ready();
        let key = world.key(scheme);
        let replayed = Rc::new(Cell::new(0));
        let (seen, mut first) = (Rc::clone(&replayed), None);
        world.meddler = Some(Box::new(move |from, _, mut message| {
            if let (Peer::Node(node), Message::Share(_, Shared::Share(bytes))) =
                (from, &mut message)
                && node == id(2)
                && seen.get() < 3
            {
                let old = first.get_or_insert_with(|| bytes.clone());
                if old != bytes {
                    bytes.clone_from(old);
                    seen.set(seen.get() + 1);
                }
            }
            vec![message]
        }));
        let mut number = 0;
        while replayed.get() < 3 {
            number += 1;
            assert!(number < 20, "{scheme:?}: it is not asked");
            signature(world.sign(number, &key, b"pay 1 to Alice"));
        }
        let snapshot = world.snapshot();
        assert!(snapshot.nodes.iter().all(|node| !node.cheated), "{:?}", snapshot.notices);
        // It is asked for later requests, as before.
        let heard = listen(&mut world);
        for number in 30..36 {
            signature(world.sign(number, &key, b"pay 1 to Alice"));
        }
        assert!(heard.borrow().iter().any(|(node, _)| *node == id(2)), "{scheme:?}");
    }
}

/// A node gives wrong shares: it is named, and others sign.
#[test]
fn a_node_that_gives_wrong_shares_is_named_and_done_without() {
    for scheme in [Scheme::Ed25519, Scheme::Ecdsa] {
        let mut world = World::new("wrong", &[scheme]);
        world.config.stocked = 3;
        world.open_gateway();
        world.ready();
        let key = world.key(scheme);
        world.meddler = Some(Box::new(|from, _, mut message| {
            if let (Peer::Node(node), Message::Share(_, Shared::Share(bytes))) =
                (from, &mut message)
                && node == id(2)
            {
                *bytes = wrong(bytes);
            }
            vec![message]
        }));
        let mut number = 0;
        while !world.snapshot().nodes[1].cheated {
            number += 1;
            assert!(number < 20, "{scheme:?}: it is not found");
            signature(world.sign(number, &key, b"pay 1 to Alice"));
        }
        let snapshot = world.snapshot();
        assert!(!snapshot.nodes[0].cheated && !snapshot.nodes[2].cheated);
        let named = |notice: &String| notice.starts_with("node 2 has sent a wrong share: ");
        assert!(snapshot.notices.iter().any(named), "{:?}", snapshot.notices);
        // From now on it is not asked.
        let heard = listen(&mut world);
        for number in 30..34 {
            signature(world.sign(number, &key, b"pay 1 to Alice"));
        }
        let asked: BTreeSet<PartyId> = heard.borrow().iter().map(|(node, _)| *node).collect();
        assert_eq!(asked, [id(1), id(3)].into());
    }
}

/// Another share: of the form that it has, and with another scalar.
fn wrong(share: &[u8]) -> Vec<u8> {
    use quorate::frost::ed25519::SignatureShare;
    use quorate::keys::Family;
    use quorate::session::{Transcript, container};
    use quorate_cggmp::{Ecdsa, Secp256k1};
    let body = share.len() - container::DIGEST;
    let families =
        [("Ed25519", "FROST-ED25519-SHA512-v1"), ("secp256k1", Ecdsa::<Secp256k1>::NAME)];
    for (curve, family) in families {
        // The scalar is the last field; a few of its values are none.
        for at in (body - 32..body).rev() {
            let mut changed = share[..body].to_vec();
            changed[at] ^= 1;
            let mut digest = Transcript::new("quorate stored form");
            digest.append("curve", curve.as_bytes());
            digest.append("family", family.as_bytes());
            digest.append("bytes", &changed);
            changed.extend_from_slice(&digest.finish32());
            let reads = SignatureShare::from_bytes(id(2), &changed).is_ok()
                || quorate_cggmp::SignatureShare::<Secp256k1>::from_bytes(id(2), &changed).is_ok();
            if reads {
                return changed;
            }
        }
    }
    panic!("no other share reads");
}

/// A node whose presignatures are others than its peers' is found before anything is signed with them.
/// Orders are repeated after longer and longer pauses; a node that signs again is not left waiting for the end of one.
#[test]
fn a_node_that_is_back_is_asked_at_once() {
    let mut world = World::new("back", &[Scheme::Ed25519]);
    world.ready();
    let key = world.key(Scheme::Ed25519);
    let refuses = Rc::new(RefCell::new(true));
    let still = Rc::clone(&refuses);
    world.meddler = Some(Box::new(move |_, _, message| match message {
        Message::Share(order, _) if *still.borrow() => {
            vec![Message::Share(order, Shared::NotYet("a witness is missing".into()))]
        }
        Message::Beat(beat) if *still.borrow() => {
            vec![Message::Beat(Beat { refuses: Some("a witness is missing".into()), ..beat })]
        }
        message => vec![message],
    }));
    let signed = world.request(1, &key, b"pay 1 to Alice");
    assert!(matches!(world.submit(&signed), Submitted::Taken(_)));
    // The order is given after 0, 0.2, 0.6, 1.4, 3 and 6.2 s; the next time would be after 9.4 s.
    (0..650).for_each(|_| world.step());
    assert_eq!(world.state(1), Some(State::Asked));
    *refuses.borrow_mut() = false;
    let since = world.now;
    signature(world.end(1));
    assert!(world.now - since <= 1500, "{} ms", world.now - since);
}

#[test]
fn different_results_are_no_result() {
    let mut world = World::new("different", &[Scheme::Ed25519]);
    let lied = Rc::new(RefCell::new(0));
    let count = Rc::clone(&lied);
    world.meddler = Some(Box::new(move |from, _, message| match message {
        Message::Answer(sid, Ok(mut result))
            if from == Peer::Node(id(3)) && *count.borrow() < 3 =>
        {
            *count.borrow_mut() += 1;
            result[40] ^= 1;
            vec![Message::Answer(sid, Ok(result))]
        }
        message => vec![message],
    }));
    world.until("a result", |_| *lied.borrow() > 0);
    let mut lines = Vec::new();
    world.until("a key", |world| {
        lines.extend(world.gateway.as_mut().unwrap().lines());
        !world.keys().is_empty()
    });
    assert!(
        lines.iter().any(|line| line.contains("the nodes have different results")),
        "{lines:?}"
    );
}

/// A stock that is deeper than a run of presigning takes several; a job that fails is ordered again less and less often.
#[test]
fn a_deep_stock_is_filled_in_runs_and_failures_are_spaced() {
    let mut world = World::new("deep", &[Scheme::Ecdsa]);
    world.config.presignatures = WaterMarks { low: 1000, high: 2000 };
    world.open_gateway();
    let seen = Rc::new(RefCell::new(BTreeMap::new()));
    let runs = Rc::clone(&seen);
    world.meddler = Some(Box::new(move |_, _, message| match message {
        // The nodes never hear of it.
        Message::Order(order) if order.kind == Kind::Presign => {
            let count = Body::from_bytes(&order.job.body).unwrap().count;
            runs.borrow_mut().insert(*order.job.sid.as_bytes(), count);
            vec![]
        }
        message => vec![message],
    }));
    world.until("an order", |_| !seen.borrow().is_empty());
    assert!(seen.borrow().values().all(|count| *count == 128), "{seen:?}");
    let (end, mut told) = (world.now + 120_000, BTreeSet::new());
    world.until("two minutes", |world| {
        let orders: Vec<[u8; 32]> = seen.borrow().keys().copied().collect();
        for sid in orders.into_iter().filter(|sid| told.insert(*sid)) {
            let no = Message::Answer(SessionId::new(sid), Err("no".to_owned())).to_bytes();
            for node in [1, 2, 3] {
                world.way.push((world.now, Peer::Node(id(node)), Peer::Gateway(1), no.clone()));
            }
        }
        world.now > end
    });
    // Pauses of 0.4, 0.8, … 51.2 s and no longer ones.
    assert!((6..=12).contains(&seen.borrow().len()), "{}", seen.borrow().len());
}

/// Bytes that mean nothing, and messages that are nobody's to send, change nothing.
#[test]
fn garbage_of_peers_changes_nothing() {
    let mut world = World::new("garbage", &[Scheme::Ed25519]);
    world.ready();
    let key = world.key(Scheme::Ed25519);
    let sid = SessionId::new([1; 32]);
    let rubbish = |from: Peer| {
        let nonces =
            quorate_custody::wire::Nonces { key: key.id, number: 1, published: vec![7; 90] };
        let mut all = vec![
            (from, Message::Packet(vec![0; 200])),
            (from, Message::Packet(Vec::new())),
            (from, Message::Packet(vec![1; 33])),
            (from, Message::Answer(sid, Ok(vec![1]))),
            (from, Message::Share([1; 32], Shared::Share(vec![1]))),
            (from, Message::Nonces(nonces)),
            (from, Message::Greeting("threshold \u{1b}[2J".into())),
        ];
        all.retain(|(from, message)| {
            !matches!((from, message), (Peer::Gateway(_), Message::Packet(_)))
        });
        all
    };
    let heard = listen(&mut world);
    for number in 1..=4 {
        let now = world.now;
        for node in 1..=3_u16 {
            let all = rubbish(Peer::Node(id(node % 3 + 1)));
            if let Some(Some(node)) = world.nodes.get_mut(&id(node)) {
                node.turn(all, now).unwrap();
            }
            world
                .gateway
                .as_mut()
                .unwrap()
                .turn(rubbish(Peer::Node(id(node))), vec![], now)
                .unwrap();
        }
        world.gateway.as_mut().unwrap().turn(rubbish(Peer::Node(id(9))), vec![], now).unwrap();
        signature(world.sign(number, &key, b"pay 1 to Alice"));
        // Shares of those who were not asked, or that are none.
        let (_, order) = heard.borrow().last().cloned().unwrap();
        let share = Message::Share(order.id(), Shared::Share(vec![9; 100]));
        let came = vec![(Peer::Node(id(1)), share)];
        world.gateway.as_mut().unwrap().turn(came, vec![], now).unwrap();
    }
    assert!(world.snapshot().nodes.iter().all(|node| !node.cheated));
}

/// Stopped and started again in the middle of everything, gateway and nodes go on where they were.
#[test]
fn restarts_lose_nothing() {
    let mut world = World::new("restarts", &[Scheme::Ed25519]);
    world.faults = (100, 100, 50);
    world.ready();
    let key = world.key(Scheme::Ed25519);
    let mut open: VecDeque<u8> = VecDeque::new();
    for number in 1..=40_u8 {
        let signed = world.request(number, &key, format!("pay {number} to Alice").as_bytes());
        assert!(matches!(world.submit(&signed), Submitted::Taken(_)));
        open.push_back(number);
        match number % 4 {
            0 => world.gateway = Some(Gateway::open(world.config.clone(), world.now).unwrap()),
            other => world.start(u16::from(other)),
        }
        (0..number % 7).for_each(|_| world.step());
    }
    let mut nonces = BTreeSet::new();
    for number in open {
        let signed = signature(world.end(number));
        let message = format!("pay {number} to Alice").into_bytes();
        assert!(verifiers::ed25519(&key.public_key, &message, &signed));
        assert!(nonces.insert(signed[..32].to_vec()), "one nonce for two signatures");
    }
}

/// A row that the disk has changed is of no use, and hinders no other.
#[test]
fn a_damaged_row_hinders_nobody() {
    let mut world = World::new("damaged", &[Scheme::Ecdsa, Scheme::Ed25519]);
    world.ready();
    let database = rusqlite::Connection::open(world.dir.join("node-1.sqlite")).unwrap();
    let sql = "UPDATE presignatures SET sealed = x'0102' WHERE name = (SELECT min(name) FROM presignatures)";
    assert_eq!(database.execute(sql, []).unwrap(), 1);
    assert_eq!(database.execute("UPDATE nonces SET sealed = x'0102'", []).unwrap(), 1);
    drop(database);
    world.start(1);
    for (number, scheme) in [(1, Scheme::Ecdsa), (2, Scheme::Ed25519)] {
        let key = world.key(scheme);
        for at in 0..4 {
            signature(world.sign(number + 10 * at, &key, b"pay 1 to Alice"));
        }
    }
}

#[test]
fn queues_are_told_apart() {
    assert_ne!(ANSWERS, SIGNING);
}

/// Nodes refuse all requests of these numbers.
fn refuse(world: &mut World, nodes: &'static [u16], numbers: &'static [u8]) {
    let of: RefCell<BTreeMap<[u8; 32], u8>> = RefCell::default();
    world.meddler = Some(Box::new(move |from, _, message| match (from, message) {
        (_, Message::Sign(order)) => {
            of.borrow_mut().insert(order.id(), order.request.request.key.0[0]);
            vec![Message::Sign(order)]
        }
        (Peer::Node(node), Message::Share(order, share)) => {
            let number = of.borrow().get(&order).copied();
            let refuses =
                nodes.contains(&node.get()) && number.is_some_and(|it| numbers.contains(&it));
            let no = Shared::Never(format!("not with {node}"));
            vec![Message::Share(order, if refuses { no } else { share })]
        }
        (_, message) => vec![message],
    }));
}

/// One node alone refuses a request: the others sign it, and meanwhile nothing else waits. If those who are left are too few,
/// it is refused, with the reasons of all.
#[test]
fn one_node_that_refuses_is_outvoted() {
    for scheme in [Scheme::Ed25519, Scheme::Ecdsa] {
        let mut world = World::new("never", &[scheme]);
        world.ready();
        let key = world.key(scheme);
        refuse(&mut world, &[2], &[1, 2, 3, 4]);
        let begun = world.now;
        for number in 1..=4 {
            let signed = world.request(number, &key, b"pay 1 to Alice");
            assert!(matches!(world.submit(&signed), Submitted::Taken(_)));
        }
        // It need not wait for what those wait for.
        signature(world.sign(50, &key, b"pay 1 to Alice"));
        assert!(world.now - begun < 2_000, "{scheme:?}: {} ms", world.now - begun);
        for number in 1..=4 {
            signature(world.end(number));
        }
        refuse(&mut world, &[1, 2], &[5]);
        let (why, certain) = refused(world.sign(5, &key, b"pay 1 to Alice"));
        assert!(certain, "{scheme:?}");
        assert_eq!(why, "node 1: not with 1; node 2: not with 2");
    }
}

/// A node refuses, and another one that was asked with it is silent: the request does not wait for it for ever.
#[test]
fn a_refusal_beside_silence_is_outvoted_too() {
    let mut world = World::new("silence", &[Scheme::Ed25519]);
    world.ready();
    let key = world.key(Scheme::Ed25519);
    let asked: Rc<RefCell<BTreeMap<PartyId, usize>>> = Rc::default();
    let seen = Rc::clone(&asked);
    world.meddler = Some(Box::new(move |from, to, message| match (from, to, message) {
        (_, Peer::Node(node), Message::Sign(order)) => {
            *seen.borrow_mut().entry(node).or_insert(0) += 1;
            vec![Message::Sign(order)]
        }
        (Peer::Node(node), _, Message::Share(order, _)) if node == id(1) => {
            vec![Message::Share(order, Shared::Never("not with 1".into()))]
        }
        // Its first answers are lost.
        (Peer::Node(node), _, Message::Share(..))
            if node == id(2) && seen.borrow().get(&id(3)).is_none_or(|asked| *asked == 0) =>
        {
            vec![]
        }
        (_, _, message) => vec![message],
    }));
    for number in 1..=4 {
        signature(world.sign(number, &key, b"pay 1 to Alice"));
    }
}

/// Once below the low mark, a stock is filled up to the high one, in pieces that hold up nobody; and not before it is below.
#[test]
fn stocks_are_filled_up_to_the_high_mark_in_pieces() {
    let mut world = World::new("marks", &[Scheme::Ed25519]);
    world.config.nonces = WaterMarks { low: 300, high: 700 };
    world.open_gateway();
    let counts: Rc<RefCell<Vec<u16>>> = Rc::default();
    let seen = Rc::clone(&counts);
    world.meddler = Some(Box::new(move |_, _, message| {
        if let Message::Replenish(order) = &message {
            seen.borrow_mut().push(order.count);
        }
        vec![message]
    }));
    world.until("the high mark", |world| world.keys().first().is_some_and(|key| key.stock == 700));
    let piece = counts.borrow().iter().copied().max().unwrap();
    assert!(piece <= quorate_custody::vault::MOST_NONCES, "{piece}");
    const { assert!(quorate_custody::vault::MOST_NONCES <= 128) };
    // A node makes no more at a time, whatever it is told.
    let key = world.key(Scheme::Ed25519);
    let order = Replenish { key: key.id, number: 99, count: u16::MAX, done: 0, epoch: 0 };
    let said = world.say(1, Peer::Gateway(1), vec![Message::Replenish(order)]);
    let made = said.iter().find_map(|message| match message {
        Message::Nonces(nonces) => {
            PublishedNonces::<Ed25519Sha512>::from_bytes(id(1), &nonces.published).ok()
        }
        _ => None,
    });
    assert_eq!(made.unwrap().slots().len(), u64::from(piece));
    // Above the low mark nothing is made.
    counts.borrow_mut().clear();
    for number in 1..=20 {
        signature(world.sign(number, &key, b"pay 1 to Alice"));
    }
    (0..200).for_each(|_| world.step());
    assert!(counts.borrow().is_empty());
}

/// Two gateways over a bus with the nodes of a world.
struct Two {
    ends: BTreeMap<Peer, (MemoryBus, Receiver<Event>)>,
    gateways: BTreeMap<Peer, Gateway>,
    /// The orders that a node has answered with what was gone.
    burnt: usize,
}

impl Two {
    fn new(world: &World) -> Self {
        let network = Network::new(1, Limits::default());
        let (mut ends, mut gateways) = (BTreeMap::new(), BTreeMap::new());
        for number in 1..=2 {
            let database = Address::Sqlite(world.dir.join(format!("gateway-{number}.sqlite")));
            let config = Config { number, database, ..world.config.clone() };
            gateways.insert(Peer::Gateway(number), Gateway::open(config, world.now).unwrap());
        }
        let nodes = (1..=3).map(|node| (Peer::Node(id(node)), routes(KINDS)));
        let answers = gateways.keys().map(|gateway| (*gateway, vec![ANSWERS]));
        for (peer, routes) in nodes.chain(answers) {
            let (send, inbox) = channel();
            let bus = network.connect(peer, 0, send);
            bus.listen(&routes);
            ends.insert(peer, (bus, inbox));
        }
        Self { ends, gateways, burnt: 0 }
    }

    fn step(&mut self, world: &mut World, mut asked: BTreeMap<Peer, Vec<Ask>>) {
        for (peer, (bus, inbox)) in &self.ends {
            let mut came = Vec::new();
            while let Ok(event) = inbox.try_recv() {
                let Event::Delivery(delivery) = event else { continue };
                let read = |bytes: &Vec<u8>| Message::from_bytes(bytes).unwrap();
                came.extend(delivery.messages.iter().map(|bytes| (delivery.from, read(bytes))));
                delivery.ack.done();
            }
            let gone =
                |(_, one): &&(Peer, Message)| matches!(one, Message::Share(_, Shared::Gone(_)));
            self.burnt += came.iter().filter(gone).count();
            let parcels = match peer {
                Peer::Node(node) => {
                    world.nodes.get_mut(node).unwrap().as_mut().unwrap().turn(came, world.now)
                }
                gateway => {
                    let asked = asked.remove(peer).unwrap_or_default();
                    self.gateways.get_mut(gateway).unwrap().turn(came, asked, world.now)
                }
            };
            bus.publish(parcels.unwrap());
        }
        world.now += 10;
    }

    fn until(&mut self, world: &mut World, so: impl Fn(&Self) -> bool) {
        for _ in 0..60_000 {
            if so(self) {
                return;
            }
            self.step(world, BTreeMap::new());
        }
        panic!("it has not come about");
    }
}

/// Two gateways of one deployment share their keys, and each spends what was made for it.
#[test]
fn two_gateways_do_not_meet() {
    let mut world = World::new("gateways", &Scheme::ALL);
    world.gateways = vec![1, 2];
    (1..=3).for_each(|node| world.start(node));
    let mut two = Two::new(&world);
    two.until(&mut world, |two| two.gateways.values().all(Gateway::rests));
    let of = |gateway: &Gateway| gateway.keys().into_iter().map(|key| key.public_key);
    let keys: BTreeSet<Vec<u8>> = two.gateways.values().flat_map(of).collect();
    assert_eq!(keys.len(), 2, "each has keys of its own");
    let mut asked: BTreeMap<Peer, Vec<Ask>> = BTreeMap::new();
    for (at, (peer, gateway)) in (0..).zip(&two.gateways) {
        for (key, number) in
            gateway.keys().into_iter().flat_map(|key| (0..12).map(move |of| (key.clone(), of)))
        {
            let number = 100 * at + 50 * u8::from(key.scheme == Scheme::Ecdsa) + number;
            let request = world.request(number, &key, b"pay 1 to Alice");
            let taken = Reply::new(|taken| assert!(matches!(taken, Submitted::Taken(_))));
            asked.entry(*peer).or_default().push(Ask::Submit(request, taken));
        }
    }
    two.step(&mut world, asked);
    two.until(&mut world, |two| two.gateways.values().all(|gateway| gateway.ends() == 24));
    for gateway in two.gateways.values_mut() {
        let ended = gateway.requests().unwrap();
        assert_eq!(ended.len(), 24);
        ended.into_iter().for_each(|(_, state)| drop(signature(state)));
    }
    assert_eq!(two.burnt, 0, "one has spent what the other one had");
}

/// Whoever begins to wait, or asks again, in the very turn in which a request ends is told so at once, and not when the
/// wait is over.
#[test]
fn a_wait_that_begins_as_the_request_ends_is_answered() {
    const TURNS: usize = 30;
    for scheme in Scheme::ALL {
        let mut world = World::new("wait", &[scheme]);
        world.ready();
        let key = world.key(scheme);
        let signed = world.request(1, &key, b"pay 1 to Alice");
        assert!(matches!(world.submit(&signed), Submitted::Taken(_)));
        let (waited, asked) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(Vec::new())));
        for _ in 0..TURNS {
            let put = Arc::clone(&waited);
            let reply = Reply::new(move |state| put.lock().unwrap().push(state));
            world.asked.push(Ask::Wait(signed.request.key, world.now + 30_000, reply));
            let put = Arc::clone(&asked);
            let reply = Reply::new(move |taken| put.lock().unwrap().push(taken));
            world.asked.push(Ask::Submit(signed.clone(), reply));
            world.step();
        }
        let waited = waited.lock().unwrap();
        let ended = |state: &Option<State>| state.as_ref().is_some_and(State::is_end);
        assert_eq!(waited.iter().filter(|state| ended(state)).count(), TURNS, "{scheme:?}");
        // Once it has ended, nobody is told that it has not.
        let asked = asked.lock().unwrap();
        let ends =
            asked.iter().map(|taken| matches!(taken, Submitted::Taken(state) if state.is_end()));
        let ends: Vec<bool> = ends.collect();
        assert!(ends.is_sorted() && ends[TURNS - 1], "{scheme:?}: {asked:?}");
    }
}

/// The turn that takes the stock of nonces below its low mark orders others, and the nodes make them as the order comes:
/// nobody waits for a clock.
#[test]
fn nonces_are_ordered_in_the_turn_that_falls_below_the_mark() {
    let mut world = World::new("refill", &[Scheme::Ed25519]);
    world.ready();
    let key = world.key(Scheme::Ed25519);
    let came = Rc::new(RefCell::new(Vec::new()));
    let put = Rc::clone(&came);
    world.meddler = Some(Box::new(move |from, to, message| {
        match &message {
            Message::Replenish(_) => put.borrow_mut().push(to),
            Message::Nonces(_) => put.borrow_mut().push(from),
            _ => {}
        }
        vec![message]
    }));
    // Of three times 16 pairs 30 are taken, evenly.
    for number in 1..=15 {
        let signed = world.request(number, &key, b"pay 1 to Alice");
        let taken = Reply::new(|taken| assert!(matches!(taken, Submitted::Taken(_))));
        world.asked.push(Ask::Submit(signed, taken));
    }
    let start = world.now;
    world.step();
    let nodes: Vec<Peer> = (1..=3).map(|node| Peer::Node(id(node))).collect();
    assert_eq!(came.borrow().get(..3), Some(nodes.as_slice()), "ordered in this turn");
    world.until("nonces", |_| came.borrow().len() == 6);
    assert!(world.now - start <= 50, "{} ms", world.now - start);
}
