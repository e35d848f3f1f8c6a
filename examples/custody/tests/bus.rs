//! The bus in memory: shared queues, acknowledgements, bounds and faults.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use quorate::PartyId;
use quorate_custody::bus::memory::{Faults, Limits, MemoryBus, Network};
use quorate_custody::bus::{Bus, Delivery, Event, Kind, Parcel, Peer, Route};

const GATEWAY: Peer = Peer::Gateway(1);
const JOBS: Route = Route { kind: Kind::Job, shard: 0 };
const LONG: Duration = Duration::from_secs(10);
const SHORT: Duration = Duration::from_millis(150);

fn node(number: u16) -> Peer {
    Peer::Node(PartyId::new(number).unwrap())
}

fn join(network: &Network, me: Peer, worker: u16) -> (MemoryBus, Receiver<Event>) {
    let (sink, events) = channel();
    let bus = network.connect(me, worker, sink);
    bus.listen(&[JOBS]);
    (bus, events)
}

fn parcel(to: Peer, number: u16) -> Parcel {
    Parcel { to, route: JOBS, messages: vec![number.to_be_bytes().to_vec()] }
}

fn parcels(to: Peer, numbers: core::ops::Range<u16>) -> Vec<Parcel> {
    numbers.map(|number| parcel(to, number)).collect()
}

fn number(delivery: &Delivery) -> u16 {
    assert_eq!(delivery.messages.len(), 1);
    u16::from_be_bytes(delivery.messages[0].as_slice().try_into().unwrap())
}

fn delivery(events: &Receiver<Event>, wait: Duration) -> Option<Delivery> {
    match events.recv_timeout(wait).ok()? {
        Event::Delivery(delivery) => Some(delivery),
        other => panic!("{other:?}"),
    }
}

/// What comes until nothing does, acknowledged, in its order.
fn all(events: &Receiver<Event>) -> Vec<u16> {
    let mut numbers = Vec::new();
    while let Some(delivery) = delivery(events, SHORT) {
        numbers.push(number(&delivery));
        delivery.ack.done();
    }
    numbers
}

#[test]
fn peers_have_names() {
    for peer in [node(1), node(65535), Peer::Gateway(7)] {
        assert_eq!(peer.to_string().parse(), Ok(peer));
    }
    for text in ["", "n", "n0", "n01", "n+1", "g0", "x1", "n65536", "n1 ", "g-1"] {
        assert!(text.parse::<Peer>().is_err(), "{text}");
    }
}

#[test]
fn workers_share_a_queue_and_get_each_parcel_once() {
    let network = Network::new(1, Limits { open: 8, ..Limits::default() });
    let (gateway, _) = join(&network, GATEWAY, 0);
    let (first, second) = (join(&network, node(1), 0), join(&network, node(1), 1));
    let other = join(&network, node(2), 0);
    assert_eq!(gateway.publish(parcels(node(1), 0..200)), 0);
    let (mut seen, mut took) = (BTreeSet::new(), BTreeMap::<usize, u16>::new());
    let start = Instant::now();
    while seen.len() < 200 && start.elapsed() < LONG {
        for (who, (_, events)) in [&first, &second].into_iter().enumerate() {
            let Some(delivery) = delivery(events, Duration::from_millis(20)) else { continue };
            assert_eq!((delivery.from, delivery.attempt, delivery.route), (GATEWAY, 1, JOBS));
            assert!(seen.insert(number(&delivery)));
            *took.entry(who).or_default() += 1;
            delivery.ack.done();
        }
    }
    assert_eq!(seen, (0..200).collect());
    assert!(took[&0] >= 50 && took[&1] >= 50, "{took:?}");
    assert!(delivery(&other.1, SHORT).is_none());
    assert!(network.dead_letters().is_empty());
    assert_eq!((network.waiting(), gateway.counts().sent), (0, 200));
}

#[test]
fn what_a_lost_worker_held_goes_to_the_other() {
    let network = Network::new(2, Limits { open: 8, ..Limits::default() });
    let (gateway, _) = join(&network, GATEWAY, 0);
    let first = join(&network, node(1), 0);
    gateway.publish(parcels(node(1), 0..8));
    let held = delivery(&first.1, LONG).unwrap();
    let (second, events) = join(&network, node(1), 1);
    assert!(delivery(&events, SHORT).is_none());
    // Seven wait in the channel, and one is being worked at.
    drop(first);
    drop(held);
    assert_eq!(all(&events).into_iter().collect::<BTreeSet<_>>(), (0..8).collect());
    assert_eq!((second.counts().again, second.counts().open), (8, 0));
}

#[test]
fn refused_ones_are_dead_letters_and_so_are_hopeless_ones() {
    let limits = Limits { attempts: 3, pause: Duration::from_millis(1), ..Limits::default() };
    let network = Network::new(3, limits);
    let (gateway, _) = join(&network, GATEWAY, 0);
    let (bus, events) = join(&network, node(1), 0);
    gateway.publish(vec![parcel(node(1), 7)]);
    delivery(&events, LONG).unwrap().ack.refuse("not a job");
    gateway.publish(vec![parcel(node(1), 8)]);
    for attempt in 1..=3 {
        assert_eq!(delivery(&events, LONG).unwrap().attempt, attempt);
    }
    assert!(delivery(&events, SHORT).is_none());
    let dead = network.dead_letters();
    let reasons: Vec<_> = dead.iter().map(|letter| letter.why.as_str()).collect();
    assert_eq!(reasons, ["not a job", "too many attempts"]);
    assert_eq!((dead[1].parcel.clone(), dead[1].from), (parcel(node(1), 8), GATEWAY));
    assert_eq!((bus.counts().refused, bus.counts().open), (1, 0));
}

#[test]
fn a_worker_that_acknowledges_nothing_is_not_flooded_and_queues_are_bounded() {
    let network = Network::new(4, Limits { open: 3, waiting: 10, ..Limits::default() });
    let (gateway, _) = join(&network, GATEWAY, 0);
    let (_bus, events) = join(&network, node(1), 0);
    gateway.publish(parcels(node(1), 0..3));
    // Three are handed over, ten wait, seven find no place.
    assert_eq!(gateway.publish(parcels(node(1), 3..20)), 7);
    assert_eq!((gateway.counts().dropped, gateway.counts().sent), (7, 13));
    let held: Vec<_> = (0..3).map(|_| delivery(&events, LONG).unwrap()).collect();
    assert!(delivery(&events, SHORT).is_none());
    assert_eq!(network.waiting(), 10);
    held.into_iter().for_each(|delivery| delivery.ack.done());
    assert_eq!(all(&events), (3..13).collect::<Vec<_>>());
}

/// What comes of 500 parcels under these faults.
fn under(seed: u64, faults: Faults) -> Vec<u16> {
    let network = Network::new(seed, Limits { open: 1000, ..Limits::default() });
    network.set_faults(faults);
    let (gateway, _) = join(&network, GATEWAY, 0);
    // First published, then listened to: the queue is full when shuffling begins.
    gateway.publish(parcels(node(1), 0..500));
    let (_bus, events) = join(&network, node(1), 0);
    all(&events)
}

#[test]
fn faults_happen_as_they_are_set_and_follow_from_the_seed() {
    let none = Faults::default();
    let sent: Vec<u16> = (0..500).collect();
    assert_eq!(under(5, none), sent);
    let lossy = under(5, Faults { loss: 300, ..none });
    assert!((300..400).contains(&lossy.len()), "{}", lossy.len());
    assert_eq!(lossy, under(5, Faults { loss: 300, ..none }));
    assert_ne!(lossy, under(6, Faults { loss: 300, ..none }));
    let copied = under(5, Faults { copies: 300, ..none });
    assert!((600..700).contains(&copied.len()), "{}", copied.len());
    for faults in
        [Faults { shuffle: true, ..none }, Faults { delay: Duration::from_millis(40), ..none }]
    {
        let mut mixed = under(5, faults);
        assert_ne!(mixed, sent);
        mixed.sort_unstable();
        assert_eq!(mixed, sent);
    }
}

#[test]
fn a_wiped_store_is_told_and_a_cut_peer_hears_nothing() {
    let network = Network::new(7, Limits::default());
    let (gateway, told) = join(&network, GATEWAY, 0);
    gateway.publish(vec![parcel(node(1), 1)]);
    network.wipe();
    assert!(matches!(told.recv_timeout(LONG), Ok(Event::Reset)));
    let (bus, events) = join(&network, node(1), 0);
    network.cut(node(1), true);
    gateway.publish(vec![parcel(node(1), 2)]);
    bus.publish(vec![parcel(GATEWAY, 3)]);
    assert!(delivery(&events, SHORT).is_none());
    assert!(delivery(&told, SHORT).is_none());
    network.cut(node(1), false);
    gateway.publish(vec![parcel(node(1), 4)]);
    assert_eq!(all(&events), [4]);
    assert_eq!(gateway.counts().resets, 1);
}

#[test]
fn signs_of_life_fade() {
    let network = Network::new(8, Limits { life: Duration::from_millis(200), ..Limits::default() });
    let (gateway, _) = join(&network, GATEWAY, 0);
    let (bus, _) = join(&network, node(1), 4);
    bus.beat(b"one");
    bus.beat(b"two");
    let beats = gateway.alive();
    assert_eq!(beats.len(), 1);
    assert_eq!(
        (beats[0].peer, beats[0].worker, beats[0].body.as_slice()),
        (node(1), 4, &b"two"[..])
    );
    std::thread::sleep(Duration::from_millis(250));
    assert!(gateway.alive().is_empty());
}

#[test]
fn a_queue_nobody_listens_to_keeps_what_it_has() {
    let network = Network::new(9, Limits::default());
    let (gateway, _) = join(&network, GATEWAY, 0);
    let (bus, events) = join(&network, node(1), 0);
    bus.listen(&[]);
    gateway.publish(vec![parcel(node(1), 1)]);
    assert!(delivery(&events, SHORT).is_none());
    bus.listen(&[JOBS]);
    assert_eq!(all(&events), [1]);
}
