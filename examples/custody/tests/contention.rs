//! Two workers of one node on one PostgreSQL server, which know of no leases and get the same in opposite orders: neither waits
//! for the other in a circle, and a transaction that meets somebody all the same is made anew. Skipped without PostgreSQL.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[path = "common/databases.rs"]
mod databases;
#[path = "common/postgres.rs"]
mod postgres;

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use databases::Databases;
use ed25519_dalek::SigningKey;
use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::generic::PublishedNonces;
use quorate::runner::Time;
use quorate::session::keyring::{KeyService, Keyring, SealKeyId, ServiceError};
use quorate::{Parties, PartyId, SealKey};
use quorate_custody::bus::Peer;
use quorate_custody::node::{BOUNDS, Config, Node, Tally};
use quorate_custody::orders::{Body, Kind, Name, Order};
use quorate_custody::policy::Rules;
use quorate_custody::request::{KeyId, Request, RequestKey, Scheme, SignedRequest};
use quorate_custody::reseal::reseal;
use quorate_custody::side::Side;
use quorate_custody::sql::{Address, Db, Settings, Sql};
use quorate_custody::store::{Outgoing, Runs};
use quorate_custody::wire::{Material, Message, Nonces, Replenish, Shared, SignOrder};
use quorate_paillier::Level;

const GATEWAY: Peer = Peer::Gateway(1);

type Sent = Vec<(Peer, Message)>;

fn id(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

fn requester() -> SigningKey {
    SigningKey::from_bytes(&[3; 32])
}

/// The key of a node, and a second one under which it seals now.
struct Newer([u8; 32]);

impl KeyService for Newer {
    fn current(&self) -> Result<SealKeyId, ServiceError> {
        Ok(SealKeyId::new(2).unwrap())
    }

    fn key(&self, id: SealKeyId) -> Result<Option<SealKey>, ServiceError> {
        Ok(Some(SealKey::new(if id.get() == 2 { [9; 32] } else { self.0 })))
    }
}

fn config(node: u16, (database, ledger): (Address, Address)) -> Config {
    Config {
        me: id(node),
        nodes: Parties::numbered(2).unwrap(),
        gateways: vec![1],
        threshold: 2,
        level: Level::Bits112,
        database,
        ledger,
        seal_key: Arc::new(SealKey::new([u8::try_from(node).unwrap(); 32])),
        record: None,
        identity: None,
        worker: (0, 1),
        witnesses: 0,
        rejoins: true,
        counters: Vec::new(),
    }
}

/// A worker in a thread of its own.
struct Worker {
    send: Sender<(Sent, Time)>,
    told: Receiver<(Sent, Tally)>,
}

impl Worker {
    fn start(config: Config) -> Self {
        let (send, inbox) = channel::<(Sent, Time)>();
        let (tell, told) = channel();
        thread::spawn(move || {
            let rules = Rules::payments(&[requester().verifying_key().to_bytes()]);
            let mut node = Node::start(config, Box::new(rules)).unwrap();
            for (came, now) in inbox {
                let parcels = node.turn(came, now).unwrap().into_iter();
                let each = parcels.flat_map(|parcel| {
                    parcel.messages.into_iter().map(move |bytes| (parcel.to, bytes))
                });
                let read =
                    |(to, bytes): (Peer, Vec<u8>)| (to, Message::from_bytes(&bytes).unwrap());
                tell.send((each.map(read).collect(), node.tally())).unwrap();
            }
        });
        Self { send, told }
    }

    fn turn(&self, came: Sent, now: Time) -> (Sent, Tally) {
        self.send.send((came, now)).unwrap();
        self.told.recv().unwrap()
    }
}

/// Node 1 with two workers on a server, and node 2.
struct Two {
    workers: [Worker; 2],
    other: Worker,
    now: Time,
    /// On its way to each node.
    way: [Sent; 2],
    /// What each node has said to the gateway.
    said: Vec<(u16, Message)>,
    met: [u64; 2],
}

impl Two {
    fn new(server: &Databases, files: &Databases) -> Self {
        let workers = [0, 1].map(|_| Worker::start(config(1, server.both(1))));
        let other = Worker::start(config(2, files.both(2)));
        let (way, said) = (Default::default(), Vec::new());
        Self { workers, other, now: 5_000_000, way, said, met: [0; 2] }
    }

    fn give(&mut self, message: &Message) {
        self.way.iter_mut().for_each(|way| way.push((GATEWAY, message.clone())));
    }

    /// Both workers get everything at the same time, in opposite orders.
    fn step(&mut self) {
        let [came, other] = core::mem::take(&mut self.way);
        let mut reversed = came.clone();
        reversed.reverse();
        for (worker, came) in self.workers.iter().zip([came, reversed]) {
            worker.send.send((came, self.now)).unwrap();
        }
        let (sent, _) = self.other.turn(other, self.now);
        self.deliver(2, sent);
        for at in 0..2 {
            let (sent, tally) = self.workers[at].told.recv().unwrap();
            self.met[at] = tally.met;
            self.deliver(1, sent);
        }
        self.now += 10;
    }

    fn deliver(&mut self, from: u16, sent: Sent) {
        for (to, message) in sent {
            match to {
                Peer::Gateway(_) => self.said.push((from, message)),
                Peer::Node(to) => {
                    let at = usize::from(to.get()) - 1;
                    self.way[at].push((Peer::Node(id(from)), message));
                }
            }
        }
    }

    /// Gives messages again and again until this is so.
    fn until(&mut self, messages: &[Message], so: impl Fn(&[(u16, Message)]) -> bool) {
        for turn in 0..2000 {
            if u32::is_multiple_of(turn, 20) {
                messages.iter().for_each(|message| self.give(message));
            }
            self.step();
            if so(&self.said) {
                return;
            }
        }
        panic!("it has not come about: {:?}", self.said);
    }

    /// Keys, and the nonces of both nodes for each.
    fn made(&mut self, keys: u8) -> BTreeMap<KeyId, [Vec<[u8; 64]>; 2]> {
        let order = |number: u8| {
            let name = Name::new(&[1; 32], Kind::Dkg, (1, number.into()));
            let members = [(id(1), 1), (id(2), 1)].into();
            let body = Body::of_key(KeyId::NONE, 0);
            Message::Order(Order::new((name, Kind::Dkg), &members, &body, 9_000_000).unwrap())
        };
        let orders: Vec<Message> = (0..keys).map(order).collect();
        let done = |said: &[(u16, Message)]| {
            let done = said.iter().filter_map(|(node, message)| match message {
                Message::Answer(_, answer) => Some((*node, answer.clone().unwrap())),
                _ => None,
            });
            done.collect::<BTreeSet<_>>()
        };
        self.until(&orders, |said| done(said).len() == 2 * usize::from(keys));
        let ids = done(&self.said)
            .into_iter()
            .map(|(_, public)| Side::read(Scheme::Ed25519, &public).unwrap().name);
        let ids: BTreeSet<KeyId> = ids.collect();
        assert_eq!(ids.len(), usize::from(keys));
        let order = |key: &KeyId| Replenish { key: *key, number: 0, count: 8, done: 0, epoch: 0 };
        let orders: Vec<Message> = ids.iter().map(|key| Message::Replenish(order(key))).collect();
        let found = |said: &[(u16, Message)]| {
            let mut all: BTreeMap<(KeyId, u16), BTreeSet<Vec<u8>>> = BTreeMap::new();
            for (node, message) in said {
                if let Message::Nonces(Nonces { key, published, .. }) = message {
                    all.entry((*key, *node)).or_default().insert(published.clone());
                }
            }
            all
        };
        self.until(&orders, |said| found(said).len() == 2 * usize::from(keys));
        let all = found(&self.said);
        assert!(all.values().all(|of| of.len() == 1), "both workers give the same");
        let of = |key: KeyId, node: u16| raw(id(node), all[&(key, node)].first().unwrap());
        ids.into_iter().map(|key| (key, [of(key, 1), of(key, 2)])).collect()
    }
}

fn raw(node: PartyId, published: &[u8]) -> Vec<[u8; 64]> {
    let mut read = PublishedNonces::<Ed25519Sha512>::from_bytes(node, published).unwrap();
    let slots: Vec<u32> = read.slots().iter().collect();
    let one = |slot| {
        let one = read.take(slot).unwrap();
        [*one.hiding(), *one.binding()].concat().try_into().unwrap()
    };
    slots.into_iter().map(one).collect()
}

fn order(number: u8, key: KeyId, nonces: &[Vec<[u8; 64]>; 2], at: usize) -> SignOrder {
    let request = Request {
        key: RequestKey([number; 16]),
        key_id: key,
        scheme: Scheme::Ed25519,
        path: Default::default(),
        message: b"pay 1 to Alice".to_vec(),
        deadline: 9_000_000,
    };
    let list = vec![(id(1), nonces[0][at]), (id(2), nonces[1][at])];
    let request = SignedRequest::new(request, &requester());
    SignOrder { request, material: Material::Commitments(list) }
}

/// One test at a time: the server counts what all do.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn number(db: &mut Db, sql: &'static str) -> i64 {
    db.one(sql, &[]).unwrap().int(0).unwrap()
}

#[test]
fn two_workers_with_the_same_in_opposite_orders_never_deadlock() {
    let _alone = alone();
    if postgres::database().is_none() {
        return;
    }
    let (server, files) = (Databases::new(true), Databases::new(false));
    let mut two = Two::new(&server, &files);
    let made = two.made(8);
    let orders = (1..).zip(&made).flat_map(|(number, (key, nonces))| {
        (0..8_u8).map(move |at| order(8 * number + at, *key, nonces, usize::from(at)))
    });
    let orders: Vec<SignOrder> = orders.collect();
    let messages = orders.iter().map(|order| Message::Sign(Box::new(order.clone())));
    let shares = |said: &[(u16, Message)]| {
        let mut shares: BTreeMap<[u8; 32], BTreeSet<Vec<u8>>> = BTreeMap::new();
        for (node, message) in said {
            if let (1, Message::Share(order, Shared::Share(share))) = (node, message) {
                shares.entry(*order).or_default().insert(share.clone());
            }
        }
        shares
    };
    two.until(&messages.collect::<Vec<_>>(), |said| shares(said).len() == orders.len());
    assert!(shares(&two.said).values().all(|of| of.len() == 1), "each order has one share");
    assert_eq!(two.met, [0, 0]);
    drop(two);
    // What a connection has counted is seen once it has ended, at the latest.
    let (runs, ledger) = server.both(1);
    for address in [runs, ledger] {
        let mut db = Db::open(&address, Settings::default()).unwrap();
        let others = "SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()";
        let start = Instant::now();
        while number(&mut db, others) > 0 {
            assert!(start.elapsed() < Duration::from_secs(30));
            thread::sleep(Duration::from_millis(50));
        }
        let deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
        assert_eq!(number(&mut db, deadlocks), 0, "{address}");
    }
}

/// A worker that has nothing to do writes little: each transaction costs the disk a sync, however short it is.
#[test]
fn an_idle_worker_renews_its_leases_in_one_transaction() {
    let _alone = alone();
    if postgres::database().is_none() {
        return;
    }
    let server = Databases::new(true);
    let worker = Worker::start(Config { worker: (0, 2), ..config(1, server.both(1)) });
    let mut db = Db::open(&server.both(1).0, Settings::default()).unwrap();
    let mut now = 5_000_000;
    // It has all leases, and has said that it lives.
    for _ in 0..20 {
        worker.turn(Vec::new(), now);
        now += 100;
    }
    // Each transaction that writes gets a number, and so does this one.
    let mut count = || number(&mut db, "SELECT CAST(txid_current() AS BIGINT)");
    let before = count();
    for _ in 0..20 {
        worker.turn(Vec::new(), now);
        now += 400;
    }
    let written = count() - before - 1;
    // Twenty renewals; signs of life, and the key under which it seals, once a second.
    assert!((20..=60).contains(&written), "{written}");
}

/// Somebody holds the marks, which the worker wants at the end of its transaction, and then wants a table that the worker has
/// written to: a circle, which the server breaks at the worker. What the worker says then, and how often it was met so far.
fn collide(two: &Two, server: &Databases, message: &Message, table: &'static str) -> (Sent, Tally) {
    let settings = Settings { lock: Duration::from_secs(10), ..Settings::default() };
    let address = server.both(1).0;
    let mut watch = Db::open(&address, settings).unwrap();
    let mut db = Db::open(&address, settings).unwrap();
    let done = db.transaction(|tx| {
        tx.execute("LOCK TABLE marks IN SHARE MODE", &[])?;
        two.workers[0].send.send((vec![(GATEWAY, message.clone())], two.now)).unwrap();
        let start = Instant::now();
        let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'relation'
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        while number(&mut watch, waiting) == 0 {
            assert!(start.elapsed() < Duration::from_secs(10), "it does not wait");
            thread::sleep(Duration::from_millis(5));
        }
        tx.execute(table, &[]).map(drop)
    });
    done.unwrap();
    two.workers[0].told.recv().unwrap()
}

/// Nothing is sent twice, and what is claimed is claimed for the same order.
#[test]
fn a_transaction_that_meets_somebody_is_made_anew() {
    let _alone = alone();
    if postgres::database().is_none() {
        return;
    }
    let (server, files) = (Databases::new(true), Databases::new(false));
    let mut two = Two::new(&server, &files);
    let (key, nonces) = two.made(1).pop_first().unwrap();
    let members = [(id(1), 1), (id(2), 1)].into();
    let (name, body) = (Name::new(&[1; 32], Kind::Dkg, (1, 7)), Body::of_key(KeyId::NONE, 0));
    let dkg = Order::new((name, Kind::Dkg), &members, &body, 9_000_000).unwrap();
    let dkg = Message::Order(dkg);
    let (sent, tally) = collide(&two, &server, &dkg, "LOCK TABLE jobs IN EXCLUSIVE MODE");
    assert_eq!(tally.met, 1);
    let packets = sent.iter().filter(|(_, message)| matches!(message, Message::Packet(_)));
    assert_eq!(packets.count(), 1, "{sent:?}");
    // A claim, which the ledger has before the transaction ends.
    let order = order(1, key, &nonces, 0);
    let sign = Message::Sign(Box::new(order.clone()));
    let of = |sent: &Sent| {
        let share = |(_, message): &(Peer, Message)| match message {
            Message::Share(id, share) if *id == order.id() => Some(share.clone()),
            _ => None,
        };
        sent.iter().filter_map(share).collect::<Vec<_>>()
    };
    let (sent, tally) = collide(&two, &server, &sign, "LOCK TABLE presignatures IN EXCLUSIVE MODE");
    assert_eq!(tally.met, 2);
    let given = of(&sent);
    assert!(matches!(given.as_slice(), [Shared::Share(_)]), "{given:?}");
    let (sent, _) = two.workers[1].turn(vec![(GATEWAY, sign)], two.now);
    assert_eq!(of(&sent), given);
    let (runs, ledger) = server.both(1);
    let store = Runs::open(&runs, &ledger, Settings::default()).unwrap();
    assert_eq!(store.ledger(|ledger| ledger.len()).unwrap(), 1);
}

/// Somebody works on rows of all kinds while a worker is in a transaction in which it has written two rows of a table, one after
/// the other in the opposite order, and then leaves its mark: gives what `act` comes to.
fn beside<T: Send>(
    server: &Databases,
    rows: [&'static str; 2],
    act: impl FnOnce() -> T + Send,
) -> (Result<(), String>, T) {
    let runs = server.open(1);
    let outgoing = Outgoing { now: 0, bounds: BOUNDS, most: 1 };
    thread::scope(|scope| {
        let mut act = Some(act);
        let mut other = None;
        let worked = runs.batch(outgoing, || {
            runs.hold(&BTreeSet::new(), &BTreeSet::new())?;
            runs.work(|work| work.execute(rows[0], &[]).map(drop))?;
            other = act.take().map(|act| scope.spawn(act));
            // It is as far as it comes.
            thread::sleep(Duration::from_millis(700));
            runs.work(|work| {
                work.release(&[1; 32]);
                work.execute(rows[1], &[]).map(drop)
            })
        });
        let worked = worked.map_err(|why: quorate_custody::sql::Error| why.to_string());
        (worked, other.unwrap().join().unwrap())
    })
}

/// Whoever begins an epoch waits for the transactions of the node's other workers before it writes anything: none of them
/// meets it in the middle of its own.
#[test]
fn who_begins_an_epoch_waits_for_the_other_workers() {
    let _alone = alone();
    if postgres::database().is_none() {
        return;
    }
    let server = Databases::new(true);
    let runs = server.open(1);
    let marked = |work: &mut quorate_custody::store::Work<'_>| {
        work.release(&[7; 32]);
        Ok(())
    };
    runs.work(marked).unwrap();
    let table = "CREATE TABLE mine (id BIGINT PRIMARY KEY, of BIGINT NOT NULL)";
    let (database, ledger) = server.both(1);
    let mut db = Db::open(&database, Settings::default()).unwrap();
    db.execute(table, &[]).unwrap();
    db.execute("INSERT INTO mine (id, of) VALUES (1, 0), (2, 0)", &[]).unwrap();
    let rows = ["UPDATE mine SET of = 1 WHERE id = 2", "UPDATE mine SET of = 1 WHERE id = 1"];
    let ends = runs.head().unwrap().unwrap().epoch;
    let (worked, rejoined) = beside(&server, rows, || {
        let begun = Runs::rejoin((&database, &ledger), Settings::default(), (&[], ends), |db| {
            db.execute("UPDATE mine SET of = 2 WHERE id = 1", &[])?;
            db.execute("UPDATE mine SET of = 2 WHERE id = 2", &[]).map(drop)
        });
        begun.map(|runs| runs.head().unwrap().unwrap().epoch).map_err(|why| why.to_string())
    });
    assert_eq!((worked, rejoined), (Ok(()), Ok(ends + 1)));
    let last = db.one("SELECT CAST(min(of) AS BIGINT) FROM mine", &[]).unwrap();
    assert_eq!(last.int(0).unwrap(), 2, "what it drops was there before");
}

/// Whoever seals a database anew waits for the node's workers likewise.
#[test]
fn who_seals_anew_waits_for_the_workers() {
    let _alone = alone();
    if postgres::database().is_none() {
        return;
    }
    let server = Databases::new(true);
    let mut config = config(1, server.both(1));
    drop(config.vault().unwrap());
    let mut db = Db::open(&server.both(1).0, Settings::default()).unwrap();
    let seals = Keyring::open(Arc::clone(&config.seal_key)).unwrap();
    for name in ["custody auxiliary information", "custody search for primes"] {
        let sealed = seals.seal(name, b"one of two");
        let sql = "INSERT INTO secrets (name, sealed) VALUES ($1, $2)";
        db.execute(sql, &[name.into(), (&sealed).into()]).unwrap();
    }
    config.seal_key = Arc::new(Newer([1; 32]));
    let rows = [
        "UPDATE secrets SET name = name WHERE name = 'custody search for primes'",
        "UPDATE secrets SET name = name WHERE name = 'custody auxiliary information'",
    ];
    let (worked, moved) =
        beside(&server, rows, || reseal(&config, 8, || Ok(())).map_err(|why| why.to_string()));
    assert_eq!(worked, Ok(()));
    assert_eq!(moved.unwrap()[0].moved, 2);
}
