//! Two workers of one node, and nodes that witness each other.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use ed25519_dalek::SigningKey;
use quorate::runner::Time;
use quorate::{Parties, PartyId, SealKey};
use quorate_custody::bus::{Kind, Peer, Route};
use quorate_custody::node::{Config, Node};
use quorate_custody::orders::{Body, Kind as Job, Name, Order, SHARDS};
use quorate_custody::policy::Rules;
use quorate_custody::post::SIGNING;
use quorate_custody::request::{KeyId, Request, RequestKey, Scheme, SignedRequest};
use quorate_custody::side::Side;
use quorate_custody::sql::{Address, Db, Settings, Sql};
use quorate_custody::wire::{
    Beat, Mark, Material, Message, Nonces, Replenish, Shared, SignOrder, Witness,
};
use quorate_examples::files::fresh_name;
use quorate_paillier::Level;

const GATEWAY: Peer = Peer::Gateway(1);

fn id(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

fn requester() -> SigningKey {
    SigningKey::from_bytes(&[3; 32])
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(fresh_name(&format!("quorate-custody-{name}-")));
        std::fs::create_dir(&dir).unwrap();
        Self(dir)
    }

    fn config(&self, node: u16, worker: (u16, u16), witnesses: usize) -> Config {
        let file = |name: &str| Address::Sqlite(self.0.join(format!("{name}-{node}.sqlite")));
        Config {
            me: id(node),
            nodes: Parties::numbered(2).unwrap(),
            gateways: vec![1],
            threshold: 2,
            level: Level::Bits112,
            database: file("node"),
            ledger: file("ledger"),
            seal_key: Arc::new(SealKey::new([u8::try_from(node).unwrap(); 32])),
            record: None,
            identity: None,
            worker,
            witnesses,
            rejoins: true,
            counters: Vec::new(),
        }
    }

    fn start(&self, node: u16, worker: (u16, u16), witnesses: usize) -> Node {
        let rules = Rules::payments(&[requester().verifying_key().to_bytes()]);
        Node::start(self.config(node, worker, witnesses), Box::new(rules)).unwrap()
    }

    /// What node 2 answers to the challenge of a worker's last life: that this is what it has seen, as one that has stayed up.
    fn word(&self, (node, worker): (u16, u16), seen: Mark) -> (Peer, Message) {
        let config = self.config(node, (worker, 2), 0);
        let mut db = Db::open(&config.database, Settings::default()).unwrap();
        let sql = "SELECT challenge FROM lives WHERE worker = $1";
        let echo = db.one(sql, &[worker.into()]).unwrap().array(0).unwrap();
        let mark = Mark::default();
        let word = Witness { echo, seen, vouches: true, mark, relies: false };
        (Peer::Node(id(2)), Message::Witness(word))
    }

    /// A copy of a node's files.
    fn copy(&self, node: u16, to: &str, files: &[&str]) {
        for file in files {
            let from =
                rusqlite::Connection::open(self.0.join(format!("{file}-{node}.sqlite"))).unwrap();
            let to = self.0.join(format!("{file}-{to}.sqlite"));
            from.execute("VACUUM INTO ?", [to.display().to_string()]).unwrap();
        }
    }

    fn put_back(&self, node: u16, from: &str, files: &[&str]) {
        for file in files {
            let path = self.0.join(format!("{file}-{node}.sqlite"));
            for end in ["", "-wal", "-shm"] {
                std::fs::remove_file(format!("{}{end}", path.display())).ok();
            }
            std::fs::copy(self.0.join(format!("{file}-{from}.sqlite")), path).unwrap();
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

type Sent = Vec<(Peer, Message)>;

fn turn(node: &mut Node, came: Sent, now: Time) -> Sent {
    let parcels = node.turn(came, now).unwrap();
    let each = parcels
        .into_iter()
        .flat_map(|parcel| parcel.messages.into_iter().map(move |bytes| (parcel.to, bytes)));
    each.map(|(to, bytes)| (to, Message::from_bytes(&bytes).unwrap())).collect()
}

/// Two nodes speak with each other until nothing is left to say, but for what is `lost`; gives what they say to the gateway.
fn talk(
    nodes: &mut [Node; 2],
    mut came: [Sent; 2],
    now: &mut Time,
    turns: u32,
) -> Vec<(u16, Message)> {
    let mut said = Vec::new();
    for _ in 0..turns {
        let taken = core::mem::take(&mut came);
        for ((number, node), taken) in (1..).zip(nodes.iter_mut()).zip(taken) {
            for (to, message) in turn(node, taken, *now) {
                match to {
                    Peer::Gateway(_) => said.push((number, message)),
                    Peer::Node(to) => {
                        came[usize::from(to.get() - 1)].push((Peer::Node(id(number)), message));
                    }
                }
            }
        }
        *now += 10;
    }
    said
}

/// A key, and nonces of both nodes.
struct Made(KeyId, [Vec<[u8; 64]>; 2]);

/// A key for Ed25519, and nonces of both.
fn made(nodes: &mut [Node; 2], now: &mut Time) -> Made {
    // They begin nothing before they have heard from each other.
    talk(nodes, Default::default(), now, 110);
    let parties = Parties::numbered(2).unwrap();
    let body = Body::of_key(KeyId::NONE, 0);
    let name = Name::new(&[1; 32], Job::Dkg, (1, 0));
    let members = parties.iter().map(|party| (party, 1)).collect();
    let order = Order::new((name, Job::Dkg), &members, &body, *now + 100_000).unwrap();
    let order = |_| vec![(GATEWAY, Message::Order(order.clone()))];
    let said = talk(nodes, [order(()), order(())], now, 100);
    let done = said.iter().filter_map(|(_, message)| match message {
        Message::Answer(_, Ok(public)) => Side::read(Scheme::Ed25519, public),
        _ => None,
    });
    let [one, two] = &done.collect::<Vec<_>>()[..] else { panic!("no key: {said:?}") };
    assert_eq!(one.name, two.name);
    let key = one.name;
    let replenish = Replenish { key, number: 0, count: 8, done: 0, epoch: 0 };
    let replenish = || vec![(GATEWAY, Message::Replenish(replenish))];
    let said = talk(nodes, [replenish(), replenish()], now, 2);
    let nonces = |node| {
        let nonces = said.iter().find_map(|(of, message)| match message {
            Message::Nonces(Nonces { published, .. }) if *of == node => Some(published.clone()),
            _ => None,
        });
        let mut read = quorate::frost::generic::PublishedNonces::<
            quorate::frost::ed25519::Ed25519Sha512,
        >::from_bytes(id(node), &nonces.unwrap())
        .unwrap();
        let slots: Vec<u32> = read.slots().iter().collect();
        assert_eq!(slots.len(), 8);
        let raw = slots.into_iter().map(|slot| {
            let one = read.take(slot).unwrap();
            [*one.hiding(), *one.binding()].concat().try_into().unwrap()
        });
        raw.collect()
    };
    Made(key, [1, 2].map(nonces))
}

fn order(number: u8, message: &[u8], Made(key, nonces): &Made, at: usize, now: Time) -> SignOrder {
    let request = Request {
        key: RequestKey([number; 16]),
        key_id: *key,
        scheme: Scheme::Ed25519,
        path: Default::default(),
        message: message.to_vec(),
        deadline: now + 1_000_000,
    };
    let list = vec![(id(1), nonces[0][at]), (id(2), nonces[1][at])];
    let request = SignedRequest::new(request, &requester());
    SignOrder { request, material: Material::Commitments(list) }
}

fn share(node: &mut Node, order: &SignOrder, now: Time) -> Shared {
    let said = turn(node, vec![(GATEWAY, Message::Sign(Box::new(order.clone())))], now);
    let found = said.into_iter().find_map(|(_, message)| match message {
        Message::Share(of, share) if of == order.id() => Some(share),
        _ => None,
    });
    found.unwrap()
}

/// Each shard of the jobs is one worker's. Of a worker that is gone the other one has all within two seconds, and it goes on with
/// what was begun; both sign, and neither twice.
#[test]
fn a_worker_takes_over_from_one_that_is_gone() {
    let folder = Folder::new("workers");
    let mut now = 5_000_000;
    let mut two = [folder.start(1, (0, 2), 0), folder.start(1, (1, 2), 0)];
    let mut queues = [BTreeSet::new(), BTreeSet::new()];
    let go = |two: &mut [Node], queues: &mut [BTreeSet<Route>], now: Time| {
        for (node, queues) in two.iter_mut().zip(queues) {
            turn(node, Vec::new(), now);
            if let Some(routes) = node.routes() {
                *queues = routes.into_iter().collect();
            }
        }
    };
    for _ in 0..300 {
        go(&mut two, &mut queues, now);
        now += 10;
    }
    let shared: BTreeSet<Route> = queues[0].intersection(&queues[1]).copied().collect();
    assert_eq!(shared, [SIGNING].into(), "orders to sign go to both");
    let all = 2 * SHARDS.len() + 1;
    assert_eq!(queues[0].union(&queues[1]).count(), all);
    assert!(queues.iter().all(|of| of.len() == SHARDS.len() + 1), "{queues:?}");
    // One is gone.
    let [_, mut left] = two;
    let gone = now;
    while queues[1].len() < all {
        now += 10;
        go(core::slice::from_mut(&mut left), &mut queues[1..], now);
        assert!(now - gone <= 2000, "{queues:?}");
    }
    assert!(now - gone > 1000, "while a lease is good nobody else takes it");
    assert!(queues[1].iter().all(|route| route.kind != Kind::Answer));
}

#[test]
fn two_workers_sign_the_same_order_the_same_and_nothing_else_with_it() {
    let folder = Folder::new("racing");
    let mut now = 5_000_000;
    let mut nodes = [folder.start(1, (0, 1), 0), folder.start(2, (0, 1), 0)];
    let nonces = made(&mut nodes, &mut now);
    // Another worker, which has made none of it.
    let mut other = folder.start(1, (1, 2), 0);
    for at in 0..8 {
        let number = u8::try_from(at).unwrap();
        let one = order(number, b"pay 1 to Alice", &nonces, at, now);
        let two = order(number + 100, b"pay 2 to Alice", &nonces, at, now);
        let [first, second] =
            if at & 1 == 0 { [&mut nodes[0], &mut other] } else { [&mut other, &mut nodes[0]] };
        let given = share(first, &one, now);
        assert!(matches!(given, Shared::Share(_)), "{given:?}");
        assert!(matches!(share(second, &two, now), Shared::Gone(_)));
        assert_eq!(share(second, &one, now), given);
    }
}

/// Two workers of one node find the same primes, whoever has begun: what one has opened with them the other can go on with.
#[test]
fn two_workers_find_the_same_primes() {
    let folder = Folder::new("primes");
    let config = folder.config(1, (0, 1), 0);
    let mut two = [config.vault().unwrap(), config.vault().unwrap()];
    for vault in &mut two {
        while vault.primes().is_none() {
            vault.search().unwrap();
        }
    }
    let [one, other] = two.map(|vault| vault.primes().unwrap());
    assert_eq!(one.encryption_key(), other.encryption_key());
}

/// A worker whose lease has ended may still take in what was on its way to it, and confirms it. The one that has the lease
/// now finds it.
#[test]
fn what_another_worker_took_in_is_found() {
    let folder = Folder::new("handover");
    let mut now = 5_000_000;
    let mut nodes =
        [folder.start(1, (0, 2), 0), folder.start(1, (1, 2), 0), folder.start(2, (0, 1), 0)];
    (0..300).for_each(|_| {
        nodes.iter_mut().for_each(|node| drop(turn(node, Vec::new(), now)));
        now += 10;
    });
    let owner = usize::from(Job::Dkg.shard().number() & 1);
    let parties = Parties::numbered(2).unwrap();
    let name = Name::new(&[1; 32], Job::Dkg, (1, 0));
    let members = parties.iter().map(|party| (party, 1)).collect();
    let order =
        Order::new((name, Job::Dkg), &members, &Body::of_key(KeyId::NONE, 0), now + 100_000);
    let order = || vec![(GATEWAY, Message::Order(order.clone().unwrap()))];
    let mut came: [Sent; 3] = Default::default();
    came[owner] = order();
    came[2] = order();
    let (mut done, start) = (0, now);
    while done < 2 {
        for (at, taken) in core::mem::take(&mut came).into_iter().enumerate() {
            let from = Peer::Node(id(if at == 2 { 2 } else { 1 }));
            for (to, message) in turn(&mut nodes[at], taken, now) {
                match to {
                    Peer::Gateway(_) => {
                        done += usize::from(matches!(message, Message::Answer(_, Ok(_))));
                    }
                    // All of node 1's goes to the worker that is not to work on it.
                    Peer::Node(to) if to == id(1) => came[1 - owner].push((from, message)),
                    Peer::Node(_) => came[2].push((from, message)),
                }
            }
        }
        now += 10;
        assert!(now - start < 30_000, "{done}");
    }
}

/// What peers say comes to one worker of a node. Another one that began later hears of it, too.
#[test]
fn a_worker_that_began_later_hears_what_peers_say() {
    let folder = Folder::new("later");
    let mut now = 5_000_000;
    let mut nodes = [folder.start(1, (0, 2), 1), folder.start(2, (0, 1), 1)];
    talk(&mut nodes, Default::default(), &mut now, 300);
    assert_eq!(nodes[0].refuses(), None);
    let mut late = folder.start(1, (1, 2), 1);
    let start = now;
    loop {
        talk(&mut nodes, Default::default(), &mut now, 10);
        drop(turn(&mut late, Vec::new(), now));
        let Some(why) = late.refuses() else { return };
        assert!(now - start < 5_000, "{why}");
    }
}

/// A worker that begins, of a node whose peers another one hears, signs as soon as a peer has answered its first word, and not
/// a sign of life later.
#[test]
fn a_worker_that_begins_hears_the_answer_to_its_first_word() {
    let folder = Folder::new("soon");
    let mut now = 5_000_000;
    let mut nodes = [folder.start(1, (0, 2), 1), folder.start(2, (0, 1), 1)];
    talk(&mut nodes, Default::default(), &mut now, 300);
    let mut late = folder.start(1, (1, 2), 1);
    let to = |sent: Sent, node: u16, from: u16| -> Sent {
        let sent = sent.into_iter().filter(|(to, _)| *to == Peer::Node(id(node)));
        sent.map(|(_, message)| (Peer::Node(id(from)), message)).collect()
    };
    let start = now;
    loop {
        let said = turn(&mut late, Vec::new(), now);
        if late.refuses().is_none() {
            return;
        }
        assert!(late.pause(now).unwrap().as_millis() <= 50);
        // The first word is lost.
        let said = if now == start { Sent::new() } else { to(said, 2, 1) };
        let answered = turn(&mut nodes[1], said, now);
        turn(&mut nodes[0], to(answered, 1, 2), now);
        now += 50;
        assert!(now - start <= 300, "{:?}", late.refuses());
    }
}

/// Signs of life come every second, and at once when a node may sign that could not.
#[test]
fn a_node_says_at_once_that_it_signs_again() {
    let folder = Folder::new("again");
    let now = 5_000_000;
    let mut node = folder.start(1, (0, 1), 1);
    let beats = |said: Vec<(Peer, Message)>| {
        let refuses = |(to, message)| match message {
            Message::Beat(beat) if to == GATEWAY => Some(beat.refuses),
            _ => None,
        };
        said.into_iter().filter_map(refuses).collect::<Vec<_>>()
    };
    let first = beats(turn(&mut node, Vec::new(), now));
    assert_eq!(first, [Some("it has heard from 0 of 1 witnesses".to_owned())]);
    assert!(beats(turn(&mut node, Vec::new(), now + 5)).is_empty());
    let word = folder.word((1, 0), Mark::default());
    assert_eq!(beats(turn(&mut node, vec![word], now + 10)), [None]);
    assert!(beats(turn(&mut node, Vec::new(), now + 20)).is_empty());
}

/// A worker that has not made new shares itself makes nonces of them at once, and in the place of those that were made of the
/// old ones for the same order.
#[test]
fn nonces_are_of_the_shares_that_all_have_stored() {
    let folder = Folder::new("nonces");
    let mut now = 5_000_000;
    let mut nodes = [folder.start(1, (0, 1), 0), folder.start(2, (0, 1), 0)];
    let Made(key, _) = made(&mut nodes, &mut now);
    let mut other = folder.start(1, (1, 2), 0);
    let begun = now;
    turn(&mut other, Vec::new(), begun);
    let epoch = |node: &mut Node, number: u64, now: Time| {
        let order = Replenish { key, number, count: 2, done: 0, epoch: 0 };
        let said = turn(node, vec![(GATEWAY, Message::Replenish(order))], now);
        let published = said.into_iter().find_map(|(_, message)| match message {
            Message::Nonces(nonces) => Some(nonces.published),
            _ => None,
        });
        quorate::frost::generic::PublishedNonces::<quorate::frost::ed25519::Ed25519Sha512>::from_bytes(
            id(1),
            &published.unwrap(),
        )
        .unwrap()
        .package_id()
        .epoch()
    };
    assert_eq!(epoch(&mut other, 5, begun), 0);
    let parties = Parties::numbered(2).unwrap();
    let committee = vec![id(1), id(2)];
    let reshare = Body { count: 2, committee, ..Body::of_key(key, 0) };
    for (kind, body) in [(Job::ReshareEd25519, reshare), (Job::StoredEd25519, Body::of_key(key, 1))]
    {
        let name = Name::new(&[1; 32], kind, (1, 0));
        let members = parties.iter().map(|party| (party, 1)).collect();
        let order = Order::new((name, kind), &members, &body, now + 100_000).unwrap();
        let order = || vec![(GATEWAY, Message::Order(order.clone()))];
        // They keep what they have made at the first one, and give their words at the second.
        talk(&mut nodes, [order(), order()], &mut now, 100);
        let said = talk(&mut nodes, [order(), order()], &mut now, 100);
        let done = said.iter().filter(|(_, message)| matches!(message, Message::Answer(_, Ok(_))));
        assert_eq!(done.count(), 2, "{said:?}");
    }
    // Within its second: it has not looked again by itself.
    assert_eq!([6, 5].map(|number| epoch(&mut other, number, begun + 1)), [1, 1]);
    assert_eq!([6, 5].map(|number| epoch(&mut nodes[0], number, now)), [1, 1]);
}

/// What peers say of a node goes to one of its workers; one that has begun since hears it of that one, each time anew.
#[test]
fn a_worker_that_begins_later_hears_what_another_is_told() {
    let folder = Folder::new("later");
    let mut now = 5_000_000;
    let mut first = folder.start(1, (0, 2), 1);
    let word = |worker| vec![folder.word((1, worker), Mark::default())];
    turn(&mut first, word(0), now);
    assert_eq!(first.refuses(), None);
    now += 5_000;
    let mut second = folder.start(1, (1, 2), 1);
    turn(&mut second, Vec::new(), now);
    assert!(second.refuses().is_some(), "what was said before it began counts nothing");
    turn(&mut first, word(1), now + 1_000);
    turn(&mut second, Vec::new(), now + 2_000);
    assert_eq!(second.refuses(), None);
    // Both have just begun. What answers the one is nothing to the other, which has got it.
    let folder = Folder::new("both");
    let [mut first, mut second] = [0, 1].map(|worker| folder.start(1, (worker, 2), 1));
    turn(&mut first, vec![folder.word((1, 1), Mark::default())], now);
    turn(&mut second, Vec::new(), now);
    assert!(first.refuses().is_some());
    assert_eq!(second.refuses(), None);
}

/// A worker that begins is told by another one of its node, which has stayed up, that the database is the latest.
#[test]
fn a_worker_that_stayed_up_vouches_for_its_node() {
    let folder = Folder::new("stayed");
    let mut now = 5_000_000;
    let mut nodes = [folder.start(1, (0, 2), 1), folder.start(2, (0, 1), 1)];
    talk(&mut nodes, Default::default(), &mut now, 300);
    let [mut stays, _] = nodes;
    assert_eq!(stays.refuses(), None);
    // Something is released.
    let members = [(id(1), 7), (id(2), 7)].into();
    let name = Name::new(&[1; 32], Job::Dkg, (1, 0));
    let body = Body::of_key(KeyId::NONE, 0);
    let order = Order::new((name, Job::Dkg), &members, &body, now + 100_000).unwrap();
    turn(&mut stays, vec![(GATEWAY, Message::Order(order))], now);
    let mut begins = folder.start(1, (1, 2), 1);
    turn(&mut begins, Vec::new(), now);
    assert!(begins.refuses().is_some());
    now += 1_500;
    turn(&mut stays, Vec::new(), now);
    turn(&mut begins, Vec::new(), now + 10);
    assert_eq!(begins.refuses(), None);
}

/// Database and ledger of a node are put back together. Nobody but a peer can know; told, it signs nothing, drops what it
/// had made ahead, and begins a new epoch, in which it signs with what it makes then.
#[test]
fn a_node_whose_ledger_was_put_back_too_is_told_by_its_peers() {
    let folder = Folder::new("witness");
    let mut now = 5_000_000;
    let mut nodes = [folder.start(1, (0, 1), 1), folder.start(2, (0, 1), 1)];
    // Nothing is signed before a peer was heard.
    let nothing = Made(KeyId::NONE, [vec![[1; 64]], vec![[1; 64]]]);
    let nothing = order(50, b"pay 1 to Alice", &nothing, 0, now);
    let Shared::NotYet(why) = share(&mut nodes[0], &nothing, now) else { panic!("it signs") };
    assert_eq!(why, "it has heard from 0 of 1 witnesses");
    let nonces = made(&mut nodes, &mut now);
    talk(&mut nodes, Default::default(), &mut now, 250);
    let files = ["node", "ledger"];
    folder.copy(1, "old", &files);
    let spent = order(1, b"pay 1 to Alice", &nonces, 0, now);
    assert!(matches!(share(&mut nodes[0], &spent, now), Shared::Share(_)));
    // A sign of life tells the peer how far the node is.
    talk(&mut nodes, Default::default(), &mut now, 250);
    let [_, two] = nodes;
    folder.put_back(1, "old", &files);
    let mut nodes = [folder.start(1, (0, 1), 1), two];
    let twice = order(2, b"pay 9 to Alice", &nonces, 0, now);
    assert!(matches!(share(&mut nodes[0], &twice, now), Shared::NotYet(_)));
    // What it hears in its first second.
    let said = talk(&mut nodes, Default::default(), &mut now, 250);
    let beats: Vec<&Beat> = said
        .iter()
        .filter_map(|(node, message)| match message {
            Message::Beat(beat) if *node == 1 => Some(beat),
            _ => None,
        })
        .collect();
    assert!(beats.last().unwrap().mark.epoch == 2, "{beats:?}");
    for order in [&twice, &order(3, b"pay 3 to Alice", &nonces, 5, now)] {
        let answer = share(&mut nodes[0], order, now);
        assert!(matches!(answer, Shared::Gone(_)), "what was made before is dropped: {answer:?}");
    }
    // What it makes from now on is good.
    let replenish = Replenish { key: nonces.0, number: 1, count: 1, done: 0, epoch: 0 };
    let said = turn(&mut nodes[0], vec![(GATEWAY, Message::Replenish(replenish))], now);
    let published = said.into_iter().find_map(|(_, message)| match message {
        Message::Nonces(nonces) => Some(nonces.published),
        _ => None,
    });
    let mut read = quorate::frost::generic::PublishedNonces::<
        quorate::frost::ed25519::Ed25519Sha512,
    >::from_bytes(id(1), &published.unwrap())
    .unwrap();
    let one = read.take(0).unwrap();
    let fresh = [*one.hiding(), *one.binding()].concat().try_into().unwrap();
    let good =
        order(4, b"pay 4 to Alice", &Made(nonces.0, [vec![fresh], vec![nonces.1[1][7]]]), 0, now);
    assert!(matches!(share(&mut nodes[0], &good, now), Shared::Share(_)));
}

/// A peer that lies about a node's history costs it an epoch and no more; one that knows nothing of it costs nothing.
#[test]
fn what_a_peer_knows_is_compared_and_not_believed_further() {
    let folder = Folder::new("liar");
    let mut now = 5_000_000;
    let mut nodes = [folder.start(1, (0, 1), 1), folder.start(2, (0, 1), 1)];
    let nonces = made(&mut nodes, &mut now);
    let first = order(1, b"pay 1 to Alice", &nonces, 0, now);
    let given = share(&mut nodes[0], &first, now);
    let hear = |node: &mut Node, mark: Mark, now: Time| {
        turn(node, vec![folder.word((1, 0), mark)], now);
        node.refuses()
    };
    let latest = || {
        let mark = folder.config(1, (0, 1), 1).store().unwrap().head().unwrap().unwrap();
        Mark { epoch: mark.epoch.into(), number: mark.number, head: mark.head }
    };
    nodes[0] = folder.start(1, (0, 1), 1);
    assert_eq!(hear(&mut nodes[0], latest(), now), None);
    let lie = Mark { epoch: 1, number: 9_999, head: [1; 32] };
    let before = order(3, b"pay 3 to Alice", &nonces, 3, now);
    assert!(matches!(share(&mut nodes[0], &before, now), Shared::Share(_)));
    // An older word than this one may have come first.
    assert_eq!(hear(&mut nodes[0], lie, now), None, "it has begun anew");
    // Once in a life, and in another life it is of an epoch that is over.
    let other = Mark { epoch: 3, ..lie };
    assert_eq!(hear(&mut nodes[0], other, now), None);
    nodes[0] = folder.start(1, (0, 1), 1);
    assert_eq!(hear(&mut nodes[0], latest(), now), None);
    assert_eq!(hear(&mut nodes[0], lie, now), None);
    // What was spent is spent in every epoch, and its share is given again.
    assert_eq!(share(&mut nodes[0], &first, now), given);
    let later = order(2, b"pay 2 to Alice", &nonces, 1, now);
    assert!(matches!(share(&mut nodes[0], &later, now), Shared::Gone(_)));
    // The same lie again costs nothing more.
    let said = turn(&mut nodes[0], vec![folder.word((1, 0), lie)], now + 2000);
    let epochs = said.iter().filter_map(|(_, message)| match message {
        Message::Beat(beat) => Some(beat.mark.epoch),
        _ => None,
    });
    assert_eq!(epochs.collect::<BTreeSet<_>>(), [2].into());
}
