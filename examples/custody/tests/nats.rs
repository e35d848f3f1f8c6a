//! The bus over a real NATS server: deliveries, acknowledgements, losses, and who may do what. Skipped where there is none.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test fails by panicking"
)]

use core::time::Duration;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use async_nats::{Client, ConnectOptions};
use quorate::PartyId;
use quorate_custody::bus::nats::dead::dead_letters;
use quorate_custody::bus::nats::keeper::{Keeper, Layout};
use quorate_custody::bus::nats::{Access, Bounds, NatsBus, Settings};
use quorate_custody::bus::{Bus, Delivery, Event, Kind, Parcel, Peer, Route, subjects};
use quorate_custody::directory::{Directory, Identity};
use quorate_custody::engines::nats::Nats;
use quorate_custody::engines::{free_port, process};
use quorate_custody::envelope::{Versions, seal};
use quorate_examples::files::{fresh_name, hex};
use tokio::runtime::Runtime;

const GATEWAY: Peer = Peer::Gateway(1);
const JOBS: Route = Route { kind: Kind::Job, shard: 0 };
const FRAMES: Route = Route { kind: Kind::Frame, shard: 1 };
const ANSWERS: Route = Route { kind: Kind::Answer, shard: 0 };
const LONG: Duration = Duration::from_secs(20);
/// After this long, whatever is to come has come: longer than the broker waits for an acknowledgement.
const QUIET: Duration = Duration::from_secs(4);
const LAYOUT: Layout = Layout {
    jobs: 1,
    frames: 2,
    answers: 1,
    wait: Duration::from_millis(1500),
    attempts: 100,
    replicas: 1,
    life: Duration::from_secs(3),
};

fn node(number: u16) -> Peer {
    Peer::Node(PartyId::new(number).unwrap())
}

/// A server, its keeper, two nodes and a gateway; stopped and removed in the end.
struct World {
    dir: PathBuf,
    server: Nats,
    directory: Arc<Directory>,
    identities: Vec<Arc<Identity>>,
    keeper: Option<Keeper>,
}

impl World {
    /// Nothing, with a word, where there is no server.
    fn new() -> Option<Self> {
        let dir = std::env::temp_dir().join(fresh_name("quorate-custody-nats-"));
        let peers = [node(1), node(2), GATEWAY];
        let identities: Vec<_> = peers.map(|me| Arc::new(Identity::generate(me))).into();
        let public = identities.iter().map(|one| (one.me(), one.public().unwrap()));
        let directory = Arc::new(Directory::new(public, []).unwrap());
        let server = match Nats::open(&dir, free_port().unwrap(), &directory) {
            Ok(server) => server,
            Err(missing) if missing.to_string().contains("go install") => {
                eprintln!("skipped: {missing}");
                return None;
            }
            Err(error) => panic!("{error}"),
        };
        let mut world = Self { dir, server, directory, identities, keeper: None };
        world.server.start().unwrap();
        let seed = world.server.keeper_seed().unwrap();
        let keeper = Keeper::start(&world.server.keeper(), &seed, peers.to_vec(), LAYOUT).unwrap();
        assert!(keeper.wait(LONG).unwrap());
        world.keeper = Some(keeper);
        Some(world)
    }

    fn identity(&self, me: Peer) -> Arc<Identity> {
        self.identities.iter().find(|one| one.me() == me).unwrap().clone()
    }

    fn settings(&self, me: Peer, worker: u16) -> Settings {
        Settings {
            access: self.server.access(me),
            identity: self.identity(me),
            worker,
            directory: self.directory.clone(),
            versions: Versions::OURS,
            bounds: Bounds {
                attempts: 3,
                progress: Duration::from_millis(500),
                ..Bounds::default()
            },
        }
    }

    fn join(&self, me: Peer, worker: u16, routes: &[Route]) -> (NatsBus, Receiver<Event>) {
        self.join_with(self.settings(me, worker), routes)
    }

    fn join_with(&self, settings: Settings, routes: &[Route]) -> (NatsBus, Receiver<Event>) {
        let (sink, events) = channel();
        let bus = NatsBus::start(settings, sink).unwrap();
        bus.listen(routes);
        assert!(process::wait_until(LONG, || Ok(bus.connected())).unwrap());
        (bus, events)
    }

    /// A client with this peer's rights, or the keeper's, and what the server tells it.
    fn client(&self, who: Option<Peer>) -> Raw {
        let access = who.map_or_else(|| self.server.keeper(), |peer| self.server.access(peer));
        let seed = match who {
            Some(peer) => self.identity(peer).nkey_seed().unwrap(),
            None => self.server.keeper_seed().unwrap(),
        };
        let inbox = who.map_or_else(|| "_INBOX.keeper".to_owned(), subjects::inbox);
        Raw::new(&access, &seed, &inbox).unwrap()
    }

    fn messages(&self, stream: &str) -> u64 {
        let keeper = self.client(None);
        keeper.runtime.block_on(async {
            let context = async_nats::jetstream::new(keeper.client.clone());
            context.get_stream(stream).await.unwrap().cached_info().state.messages
        })
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.keeper = None;
        self.server.stop().ok();
        fs::remove_dir_all(&self.dir).ok();
    }
}

/// A client without the bus.
struct Raw {
    runtime: Runtime,
    client: Client,
    told: Arc<Mutex<Vec<String>>>,
}

impl Raw {
    fn new(access: &Access, seed: &str, inbox: &str) -> Result<Self, async_nats::ConnectError> {
        let told = Arc::new(Mutex::new(Vec::new()));
        let events = told.clone();
        let options = ConnectOptions::with_nkey(seed.to_owned())
            .require_tls(true)
            .add_root_certificates(access.authority.clone())
            .add_client_certificate(access.certificate.clone(), access.key.clone())
            .custom_inbox_prefix(inbox)
            .event_callback(move |event| {
                events.lock().unwrap().push(event.to_string());
                core::future::ready(())
            });
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|_| ())
            .unwrap_or_else(|()| panic!("no runtime"));
        let client = runtime.block_on(options.connect(access.url.clone()))?;
        Ok(Self { runtime, client, told })
    }

    fn publish(&self, subject: &str, bytes: &[u8]) {
        let (subject, bytes) = (subject.to_owned(), bytes.to_vec());
        self.runtime.block_on(async {
            self.client.publish(subject, bytes.into()).await.unwrap();
            self.client.flush().await.unwrap();
        });
    }

    /// Whether the server refuses something about this subject.
    fn refused(&self, subject: &str) -> bool {
        let subject = subject.to_lowercase();
        let told = |event: &String| {
            let event = event.to_lowercase();
            event.contains("violation") && event.contains(&subject)
        };
        let seen = || Ok(self.told.lock().unwrap().iter().any(told));
        process::wait_until(Duration::from_secs(5), seen).unwrap()
    }
}

fn parcel(to: Peer, route: Route, text: &str) -> Parcel {
    Parcel { to, route, messages: vec![text.as_bytes().to_vec()] }
}

fn parcels(to: Peer, route: Route, count: u32) -> Vec<Parcel> {
    (0..count).map(|number| parcel(to, route, &format!("a plain word {number}"))).collect()
}

/// The next delivery; other events are passed over.
fn delivery(events: &Receiver<Event>, wait: Duration) -> Option<Delivery> {
    let until = Instant::now() + wait;
    loop {
        match events.recv_timeout(until.saturating_duration_since(Instant::now())).ok()? {
            Event::Delivery(delivery) => return Some(delivery),
            Event::Reset => {}
            Event::Refused(from, why) => eprintln!("refused: {from:?} {why}"),
        }
    }
}

fn texts(delivery: &Delivery) -> Vec<String> {
    let text = |message: &Vec<u8>| String::from_utf8(message.clone()).unwrap();
    delivery.messages.iter().map(text).collect()
}

/// Whether a text stands in a file of a folder.
fn stands_in(folder: &Path, text: &[u8]) -> bool {
    fs::read_dir(folder).unwrap().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return stands_in(&path, text);
        }
        fs::read(&path).is_ok_and(|bytes| bytes.windows(text.len()).any(|window| window == text))
    })
}

#[test]
fn workers_share_what_comes_and_what_is_acknowledged_is_gone() {
    let Some(world) = World::new() else { return };
    let (gateway, answers) = world.join(GATEWAY, 0, &[ANSWERS]);
    gateway.publish(vec![parcel(node(1), JOBS, "early")]);
    assert!(process::wait_until(LONG, || Ok(gateway.counts().sent == 1)).unwrap());
    // Published while nobody listened, and sealed at the broker.
    assert_eq!(world.messages("q-n1"), 1);
    let store = world.server.store();
    assert!(stands_in(&store, b"q.job.n1.g1.0") && !stands_in(&store, b"early"));

    let workers = [0, 1].map(|worker| world.join(node(1), worker, &[JOBS, FRAMES]));
    assert_eq!(gateway.publish(parcels(node(1), JOBS, 300)), 0);
    let (mut seen, start) = (BTreeSet::new(), Instant::now());
    let mut envelopes = 0;
    while seen.len() < 301 && start.elapsed() < LONG {
        for (bus, events) in &workers {
            let Some(delivery) = delivery(events, Duration::from_millis(20)) else { continue };
            assert_eq!((delivery.from, delivery.attempt, delivery.route), (GATEWAY, 1, JOBS));
            let texts = texts(&delivery);
            for text in &texts {
                assert!(seen.insert(text.clone()), "{text} came twice");
            }
            let answer = Parcel { messages: delivery.messages, ..parcel(GATEWAY, ANSWERS, "") };
            assert_eq!(bus.publish(vec![answer]), 0);
            delivery.ack.done();
            envelopes += 1;
        }
    }
    assert_eq!(seen.len(), 301);
    assert!(envelopes < 100, "{envelopes} envelopes: what waits together travels together");
    let mut answered = BTreeSet::new();
    while answered.len() < 301 {
        let delivery = delivery(&answers, LONG).unwrap();
        assert!(matches!(delivery.from, Peer::Node(_)));
        answered.extend(texts(&delivery));
        delivery.ack.done();
    }
    assert_eq!(answered, seen);

    // Between nodes, in a queue of its own.
    let (other, _) = world.join(node(2), 0, &[]);
    other.publish(vec![parcel(node(1), FRAMES, "frame")]);
    let got = workers.iter().find_map(|(_, events)| delivery(events, Duration::from_secs(2)));
    let got = got.unwrap();
    assert_eq!((got.from, got.route, texts(&got)), (node(2), FRAMES, vec!["frame".to_owned()]));
    got.ack.done();
    for (_, events) in &workers {
        assert!(delivery(events, QUIET).is_none());
    }
    assert_eq!((world.messages("q-n1"), world.messages("q-g1")), (0, 0));
    assert_eq!(gateway.counts().dropped, 0);
}

#[test]
fn a_killed_worker_s_deliveries_come_to_another_and_a_slow_one_keeps_its_own() {
    let Some(world) = World::new() else { return };
    let (gateway, _) = world.join(GATEWAY, 0, &[]);
    let (first, events) = world.join(node(1), 0, &[JOBS]);
    gateway.publish(vec![parcel(node(1), JOBS, "work")]);
    let held = delivery(&events, LONG).unwrap();
    let (second, others) = world.join(node(1), 1, &[JOBS]);
    // Longer than the broker waits: it is told that the work goes on.
    assert!(delivery(&others, QUIET).is_none());
    // Without its thread the worker says no more, as one that was killed.
    drop(first);
    let again = delivery(&others, LONG).unwrap();
    assert_eq!((texts(&again), again.attempt), (vec!["work".to_owned()], 2));
    again.ack.done();
    drop(held);
    assert!(delivery(&others, QUIET).is_none());
    assert_eq!((second.counts().again, second.counts().open), (1, 0));
    assert_eq!(world.messages("q-n1"), 0);
}

#[test]
fn refused_ones_never_come_again_and_hopeless_ones_are_dead_letters() {
    let Some(world) = World::new() else { return };
    let (gateway, _) = world.join(GATEWAY, 0, &[]);
    let (bus, events) = world.join(node(1), 0, &[JOBS]);
    gateway.publish(vec![parcel(node(1), JOBS, "no job")]);
    delivery(&events, LONG).unwrap().ack.refuse("not a job");
    assert!(delivery(&events, QUIET).is_none());
    assert_eq!((bus.counts().refused, world.messages("q-n1")), (1, 0));
    assert!(stands_in(&world.server.store(), b"not a job"));

    gateway.publish(vec![parcel(node(1), JOBS, "hopeless")]);
    for attempt in 1..=3 {
        assert_eq!(delivery(&events, LONG).unwrap().attempt, attempt);
    }
    assert!(delivery(&events, QUIET).is_none());
    assert_eq!((world.messages("q-n1"), world.messages("q-dead")), (0, 2));
    assert!(stands_in(&world.server.store(), b"too many attempts"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let seed = world.server.keeper_seed().unwrap();
    let dead = runtime.block_on(dead_letters(&world.server.keeper(), &seed)).unwrap();
    let of_gateway = (2, "too many attempts".to_owned());
    assert_eq!((dead.total, dead.senders), (2, [(GATEWAY, of_gateway)].into()));
}

#[test]
fn the_broker_tells_one_envelope_twice_from_two_and_forged_ones_are_buried_by_name() {
    let Some(world) = World::new() else { return };
    let (bus, events) = world.join(node(1), 0, &[FRAMES]);
    let sender = world.client(Some(node(2)));
    let sealed = |to: Peer, route: Route| {
        let identity = world.identity(node(2));
        let message = [b"once".to_vec()];
        seal(&identity, &world.directory, (to, route), (1, Versions::OURS), &message).unwrap()
    };
    let subject = subjects::message(FRAMES, node(1), node(2));
    let envelope = sealed(node(1), FRAMES);
    let confirmed = sender.runtime.block_on(async {
        let context = async_nats::jetstream::new(sender.client.clone());
        let mut confirmed = Vec::new();
        for _ in 0..2 {
            let message = async_nats::jetstream::message::PublishMessage::build()
                .payload(envelope.bytes.clone().into())
                .message_id(hex(&envelope.id));
            let ack = context.send_publish(subject.clone(), message).await.unwrap();
            confirmed.push(ack.await.unwrap().duplicate);
        }
        confirmed
    });
    assert_eq!(confirmed, [false, true]);
    let got = delivery(&events, LONG).unwrap();
    assert_eq!((texts(&got), got.from), (vec!["once".to_owned()], node(2)));
    got.ack.done();
    assert!(delivery(&events, QUIET).is_none());

    // Bytes that are no envelope, one that was altered, and one in another queue than its own.
    sender.publish(&subject, b"rubbish");
    let mut altered = sealed(node(1), FRAMES).bytes;
    altered[60] ^= 1;
    sender.publish(&subject, &altered);
    sender.publish(&subject, &sealed(node(1), Route { shard: 0, ..FRAMES }).bytes);
    let refusals: Vec<_> = (0..3)
        .map(|_| match events.recv_timeout(LONG).unwrap() {
            Event::Refused(from, why) => (from, why),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        refusals,
        [
            (None, "envelope of nobody: not of the form of an envelope".to_owned()),
            (Some(node(2)), "envelope of n2: its signature does not verify".to_owned()),
            (Some(node(2)), "envelope of n2: in the wrong queue".to_owned()),
        ]
    );
    assert!(delivery(&events, QUIET).is_none());
    assert_eq!((world.messages("q-n1"), world.messages("q-dead")), (0, 3));
    assert_eq!(bus.counts().refused, 3);
}

#[test]
fn a_wiped_store_is_told_and_a_broker_that_is_away_blocks_nobody() {
    let Some(world) = World::new() else { return };
    let (gateway, told) = world.join(GATEWAY, 0, &[ANSWERS]);
    gateway.publish(vec![parcel(node(1), JOBS, "lost")]);
    assert!(process::wait_until(LONG, || Ok(gateway.counts().sent == 1)).unwrap());
    // The watcher has to have seen what is lost later.
    std::thread::sleep(Duration::from_millis(1500));
    world.server.stop().unwrap();
    fs::remove_dir_all(world.server.store()).unwrap();
    assert!(process::wait_until(LONG, || Ok(!gateway.connected())).unwrap());
    let start = Instant::now();
    assert_eq!(gateway.publish(parcels(node(1), JOBS, 10_000)), 10_000);
    assert!(start.elapsed() < Duration::from_secs(1));
    assert_eq!(gateway.counts().dropped, 10_000);

    world.server.start().unwrap();
    let reset = process::wait_until(LONG, || Ok(matches!(told.try_recv(), Ok(Event::Reset))));
    assert!(reset.unwrap());
    // The outbox goes out again, as often as it takes.
    let (_bus, events) = world.join(node(1), 0, &[JOBS]);
    let again = process::wait_until(LONG, || {
        gateway.publish(vec![parcel(node(1), JOBS, "again")]);
        Ok(delivery(&events, Duration::from_millis(300)).is_some())
    });
    assert!(again.unwrap());
    assert!(gateway.counts().resets >= 1);
}

#[test]
fn a_restarted_broker_keeps_what_it_confirmed_and_workers_find_it_again() {
    let Some(world) = World::new() else { return };
    let (gateway, _) = world.join(GATEWAY, 0, &[]);
    let (bus, events) = world.join(node(1), 0, &[]);
    gateway.publish(parcels(node(1), JOBS, 50));
    assert!(process::wait_until(LONG, || Ok(gateway.counts().sent == 50)).unwrap());
    bus.listen(&[FRAMES]);
    std::thread::sleep(Duration::from_millis(500));
    let pid = world.server.pid().unwrap().to_string();
    let killed = std::process::Command::new("kill").args(["-9", &pid]).status().unwrap();
    assert!(killed.success());
    assert!(process::wait_until(LONG, || Ok(world.server.pid().is_none())).unwrap());
    // Another process would find it by its folder.
    let found = Nats::find(&world.dir).unwrap().unwrap();
    assert_eq!((found.pid(), found.port()), (None, world.server.port()));
    found.start().unwrap();
    assert_eq!(world.server.pid(), found.pid());
    assert!(process::wait_until(LONG, || Ok(bus.connected())).unwrap());
    let start = Instant::now();
    let (other, _) = world.join(node(2), 0, &[]);
    other.publish(vec![parcel(node(1), FRAMES, "after")]);
    let after = delivery(&events, LONG).unwrap();
    assert_eq!(texts(&after), ["after"]);
    assert!(
        start.elapsed() < Duration::from_secs(5),
        "asked again only after {:?}",
        start.elapsed()
    );
    after.ack.done();
    bus.listen(&[JOBS]);
    let mut seen = BTreeSet::new();
    while seen.len() < 50 {
        let delivery = delivery(&events, LONG).unwrap();
        seen.extend(texts(&delivery));
        delivery.ack.done();
    }
    assert!(Nats::find(&world.dir.join("certificates")).unwrap().is_none());
}

#[test]
fn signs_of_life_reach_all_and_fade() {
    let Some(world) = World::new() else { return };
    let (gateway, _) = world.join(GATEWAY, 0, &[]);
    let (bus, _) = world.join(node(2), 5, &[]);
    let heard = || {
        bus.beat(b"well");
        let beats = gateway.alive();
        let its = |beat: &&quorate_custody::bus::Beat| (beat.peer, beat.worker) == (node(2), 5);
        Ok(beats.iter().find(its).is_some_and(|beat| beat.body == b"well"))
    };
    assert!(process::wait_until(LONG, heard).unwrap());
    assert!(process::wait_until(LONG, || Ok(gateway.alive().is_empty())).unwrap());
}

#[test]
fn a_client_needs_a_certificate_and_a_known_key() {
    let Some(world) = World::new() else { return };
    let access = world.server.access(node(1));
    let seed = world.identity(node(1)).nkey_seed().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let without = ConnectOptions::with_nkey((*seed).clone())
        .require_tls(true)
        .add_root_certificates(access.authority.clone());
    let refused = runtime.block_on(without.connect(access.url.clone()));
    assert!(refused.is_err());
    // A certificate of another authority, and a key that is in no directory.
    let elsewhere = World::new().unwrap();
    let theirs = elsewhere.server.access(node(1));
    let strange = Access { authority: access.authority.clone(), url: access.url.clone(), ..theirs };
    assert!(Raw::new(&strange, &seed, "_INBOX.n1").is_err());
    let stranger = Identity::generate(node(1));
    assert!(Raw::new(&access, &stranger.nkey_seed().unwrap(), "_INBOX.n1").is_err());
    // With the right ones it goes well.
    assert!(Raw::new(&access, &seed, "_INBOX.n1").is_ok());
}

#[test]
fn a_peer_publishes_under_its_own_name_and_reads_its_own_alone() {
    let Some(world) = World::new() else { return };
    let raw = world.client(Some(node(1)));
    // What it may do is not refused.
    raw.publish("q.f.n2.n1.0", b"x");
    raw.publish("$KV.q-beat.n1.0", b"x");
    raw.publish("$JS.API.STREAM.INFO.q-n2", b"");
    for subject in [
        "q.f.n1.n2.0",
        "q.s.g1.n2.0",
        "q.job.n2.n1.0",
        "q.job.n2.g1.0",
        "$KV.q-beat.n2.0",
        "dead.n2",
        "$JS.API.CONSUMER.MSG.NEXT.q-n2.f-0",
        "$JS.ACK.q-n2.f-0.1.1.1.1.1",
        "$JS.API.STREAM.CREATE.mine",
        "$JS.API.STREAM.UPDATE.q-n1",
        "$JS.API.STREAM.DELETE.q-n2",
        "$JS.API.STREAM.PURGE.q-n2",
        "$JS.API.STREAM.MSG.GET.q-n2",
        "$JS.API.DIRECT.GET.q-n2",
        "$JS.API.CONSUMER.CREATE.q-n1",
        "$JS.API.CONSUMER.CREATE.q-n2.mine.q.f.n2.>",
        "$JS.API.CONSUMER.DURABLE.CREATE.q-n2.mine",
        "$JS.API.CONSUMER.DELETE.q-n2.f-0",
        "$SYS.REQ.SERVER.PING",
    ] {
        raw.publish(subject, b"x");
        assert!(raw.refused(subject), "{subject} may be published");
    }
    for subject in ["q.f.n2.>", "q.>", ">", "_INBOX.n2.>", "_INBOX.>", "dead.*", "$JS.EVENT.>"] {
        let taken = raw.runtime.block_on(raw.client.subscribe(subject.to_owned()));
        assert!(taken.is_ok() && raw.refused(subject), "{subject} may be read");
    }
    let told = raw.told.lock().unwrap().join("\n");
    for allowed in ["q.f.n2.n1.0", "q-beat.n1.0", "STREAM.INFO"] {
        assert!(!told.contains(allowed), "{told}");
    }
    // Of all that, one message has arrived.
    assert_eq!((world.messages("q-n2"), world.messages("q-n1")), (1, 0));
}

#[test]
fn a_node_of_two_versions_and_one_of_one_understand_each_other() {
    let Some(world) = World::new() else { return };
    let newer = Settings { versions: Versions::new(1, 2).unwrap(), ..world.settings(node(2), 0) };
    let (newer, to_newer) = world.join_with(newer, &[FRAMES]);
    let (older, to_older) = world.join(node(1), 0, &[FRAMES]);
    for round in 0..3 {
        newer.publish(vec![parcel(node(1), FRAMES, &format!("to the older {round}"))]);
        older.publish(vec![parcel(node(2), FRAMES, &format!("to the newer {round}"))]);
        for (events, text) in [(&to_older, "to the older"), (&to_newer, "to the newer")] {
            let delivery = delivery(events, LONG).unwrap();
            assert_eq!(texts(&delivery), [format!("{text} {round}")]);
            delivery.ack.done();
        }
    }
}
