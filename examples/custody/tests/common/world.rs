//! Three nodes and a gateway, one step of the clock after the other, over a bus that does what a test wants.
#![allow(dead_code, unused_imports, reason = "not every test uses all of it")]

use core::cell::RefCell;
use core::sync::atomic::{AtomicU32, Ordering};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use ed25519_dalek::SigningKey;
use quorate::runner::Time;
use quorate::session::keyring::{KeyService, SealKeyId, ServiceError};
use quorate::session::stock::WaterMarks;
use quorate::{Parties, PartyId, SealKey};
use quorate_custody::bus::{Parcel, Peer};
use quorate_custody::change::{Change, SignedChange};
use quorate_custody::counter::{Counter, CounterFile};
use quorate_custody::directory::{Directory, Identity};
use quorate_custody::gateway::ask::{Ask, KeyView, Refusal, Reply, Snapshot, State, Submitted};
use quorate_custody::gateway::{Config, Gateway, Times};
use quorate_custody::node::{self, Node};
use quorate_custody::orders::Order;
use quorate_custody::policy::{CommitteeRule, Rules};
use quorate_custody::post::{ANSWERS, SIGNING};
use quorate_custody::record::Record;
use quorate_custody::request::{KeyId, Request, RequestKey, Scheme, SignedRequest};
use quorate_custody::sql::{Address, Db, Settings, Sql};
use quorate_custody::wire::{Mark, Material, Message, Shared, SignOrder, Witness};
use quorate_examples::failure::Failure;
use quorate_examples::files::fresh_name;
use quorate_examples::verifiers;
use quorate_paillier::Level;

pub(crate) fn id(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

/// The keys of a node's database.
pub(crate) struct Ring {
    node: u8,
    pub(crate) current: AtomicU32,
    pub(crate) destroyed: Mutex<BTreeSet<u32>>,
}

impl Ring {
    fn new(node: u16) -> Arc<Self> {
        let (node, current) = (u8::try_from(node).unwrap(), AtomicU32::new(1));
        Arc::new(Self { node, current, destroyed: Mutex::default() })
    }
}

impl KeyService for Ring {
    fn current(&self) -> Result<SealKeyId, ServiceError> {
        Ok(SealKeyId::new(self.current.load(Ordering::Relaxed)).unwrap())
    }

    fn key(&self, id: SealKeyId) -> Result<Option<SealKey>, ServiceError> {
        let number = id.get();
        let mut key = [self.node; 32];
        key[0] = u8::try_from(number).unwrap_or(0);
        Ok((!self.destroyed.lock().is_ok_and(|all| all.contains(&number)))
            .then(|| SealKey::new(key)))
    }
}

fn identity(node: u16) -> Arc<Identity> {
    Arc::new(Identity::generate(Peer::Node(id(node))))
}

/// What somebody does to a message on its way: nothing, or something else instead.
pub(crate) type Meddler = Box<dyn FnMut(Peer, Peer, Message) -> Vec<Message>>;

/// Three nodes and a gateway, one step of the clock after the other.
pub(crate) struct World {
    pub(crate) dir: PathBuf,
    pub(crate) now: Time,
    pub(crate) nodes: BTreeMap<PartyId, Option<Node>>,
    pub(crate) gateway: Option<Gateway>,
    pub(crate) config: Config,
    pub(crate) rules: Rules,
    pub(crate) requester: SigningKey,
    /// On its way: when it arrives, from whom, to whom.
    pub(crate) way: Vec<(Time, Peer, Peer, Vec<u8>)>,
    pub(crate) random: u64,
    /// Of a thousand parcels, so many are lost, and so many copied; each is late by up to so many milliseconds.
    pub(crate) faults: (u64, u64, u64),
    pub(crate) meddler: Option<Meddler>,
    pub(crate) asked: Vec<Ask>,
    pub(crate) rings: BTreeMap<u16, Arc<Ring>>,
    /// The identities of the nodes, which sign their statements of keys.
    pub(crate) identities: BTreeMap<u16, Arc<Identity>>,
    /// Databases and ledgers elsewhere than in the folder.
    pub(crate) addresses: BTreeMap<u16, (Address, Address)>,
    /// The witnesses of a node that is started.
    pub(crate) witnesses: usize,
    /// A folder with a counter of each node.
    pub(crate) counters: Option<PathBuf>,
    /// The gateways that a node takes orders of.
    pub(crate) gateways: Vec<u16>,
    /// Whether nodes note the frames that they send.
    pub(crate) records: bool,
    /// A gateway that works beside.
    pub(crate) other: Option<(Config, Gateway)>,
}

impl World {
    /// Opens the gateway, with the settings as they are now.
    pub(crate) fn open_gateway(&mut self) {
        self.gateway = Some(Gateway::open(self.config.clone(), self.now).unwrap());
    }

    pub(crate) fn new(name: &str, keys: &[Scheme]) -> Self {
        let dir = std::env::temp_dir().join(fresh_name(&format!("quorate-custody-{name}-")));
        std::fs::create_dir(&dir).unwrap();
        let requester = SigningKey::from_bytes(&[3; 32]);
        let nodes = Parties::numbered(3).unwrap();
        let sets = [[1, 2], [1, 3], [2, 3]];
        let set = |set: [u16; 2]| Parties::new(set.map(id)).unwrap();
        let config = Config {
            number: 1,
            custody: [9; 32],
            database: Address::Sqlite(dir.join("gateway.sqlite")),
            nodes,
            threshold: 2,
            sets: sets.map(set).to_vec(),
            stocked: 1,
            keys: keys.to_vec(),
            requesters: None,
            presignatures: WaterMarks { low: 2, high: 4 },
            nonces: WaterMarks { low: 8, high: 16 },
            times: Times {
                making: 600_000,
                presigning: 60_000,
                again: 200,
                patience: 2_000,
                grace: 3_000,
                longest: 3_600_000,
            },
            open: 64,
            gives_up: false,
        };
        let rules = Rules::payments(&[requester.verifying_key().to_bytes()]);
        let mut world = Self {
            dir,
            now: 1_000_000,
            nodes: BTreeMap::new(),
            gateway: None,
            config,
            rules,
            requester,
            way: Vec::new(),
            random: 7,
            faults: (0, 0, 0),
            meddler: None,
            asked: Vec::new(),
            rings: (1..=3).map(|node| (node, Ring::new(node))).collect(),
            identities: (1..=3).map(|node| (node, identity(node))).collect(),
            addresses: BTreeMap::new(),
            witnesses: 0,
            counters: None,
            gateways: vec![1],
            records: false,
            other: None,
        };
        (1..=3).for_each(|node| world.start(node));
        world.gateway = Some(Gateway::open(world.config.clone(), world.now).unwrap());
        world
    }

    pub(crate) fn node_config(&self, node: u16) -> node::Config {
        let file = |name: &str| Address::Sqlite(self.dir.join(format!("{name}-{node}.sqlite")));
        let here = || (file("node"), file("ledger"));
        let (database, ledger) = self.addresses.get(&node).cloned().unwrap_or_else(here);
        node::Config {
            me: id(node),
            nodes: Parties::numbered(3).unwrap(),
            gateways: self.gateways.clone(),
            threshold: 2,
            level: Level::Bits112,
            database,
            ledger,
            seal_key: Arc::clone(&self.rings[&node]) as Arc<dyn KeyService>,
            record: self
                .records
                .then(|| Record::open(&self.dir.join(format!("record-{node}"))).unwrap()),
            identity: Some(Arc::clone(&self.identities[&node])),
            worker: (0, 1),
            witnesses: self.witnesses,
            rejoins: true,
            counters: self.counter(node).into_iter().collect(),
        }
    }

    /// The directory of the nodes.
    pub(crate) fn directory(&self) -> Directory {
        let peers = self.identities.values();
        Directory::new(peers.map(|one| (one.me(), one.public().unwrap())), []).unwrap()
    }

    fn counter(&self, node: u16) -> Option<Arc<dyn Counter>> {
        let path = self.counters.as_ref()?.join(format!("node-{node}"));
        Some(Arc::new(CounterFile::new(&path)))
    }

    pub(crate) fn start(&mut self, node: u16) {
        let started = Node::start(self.node_config(node), Box::new(self.rules.clone())).unwrap();
        self.nodes.insert(id(node), Some(started));
    }

    pub(crate) fn stop(&mut self, node: u16) {
        self.nodes.insert(id(node), None);
    }

    pub(crate) fn chance(&mut self, of: u64) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.random >> 33) % of.max(1)
    }

    pub(crate) fn send(&mut self, from: Peer, parcels: Vec<Parcel>) {
        for parcel in parcels {
            for bytes in parcel.messages {
                let messages = match &mut self.meddler {
                    None => vec![bytes],
                    Some(meddler) => {
                        let message = Message::from_bytes(&bytes).unwrap();
                        let changed = meddler(from, parcel.to, message);
                        changed.iter().map(Message::to_bytes).collect()
                    }
                };
                let (loss, copies, delay) = self.faults;
                for bytes in messages {
                    if self.chance(1000) < loss {
                        continue;
                    }
                    let times = 1 + usize::from(self.chance(1000) < copies);
                    for _ in 0..times {
                        let at = self.now + self.chance(delay + 1);
                        self.way.push((at, from, parcel.to, bytes.clone()));
                    }
                }
            }
        }
    }

    /// What has arrived for somebody, in any order if there are delays.
    pub(crate) fn arrived(&mut self, to: Peer) -> Vec<(Peer, Message)> {
        let (mut came, mut rest) = (Vec::new(), Vec::new());
        for one in core::mem::take(&mut self.way) {
            if one.2 == to && one.0 <= self.now { came.push(one) } else { rest.push(one) }
        }
        self.way = rest;
        came.sort_by_key(|(at, ..)| *at);
        came.into_iter()
            .map(|(_, from, _, bytes)| (from, Message::from_bytes(&bytes).unwrap()))
            .collect()
    }

    pub(crate) fn step(&mut self) {
        let asked = core::mem::take(&mut self.asked);
        let me = Peer::Gateway(self.config.number);
        let came = self.arrived(me);
        if let Some(gateway) = &mut self.gateway {
            let parcels = gateway.turn(came, asked, self.now).unwrap();
            self.send(me, parcels);
        }
        if let Some((config, mut gateway)) = self.other.take() {
            let me = Peer::Gateway(config.number);
            let came = self.arrived(me);
            let parcels = gateway.turn(came, Vec::new(), self.now).unwrap();
            self.send(me, parcels);
            self.other = Some((config, gateway));
        }
        for number in 1..=3 {
            let came = self.arrived(Peer::Node(id(number)));
            let now = self.now;
            if let Some(Some(node)) = self.nodes.get_mut(&id(number)) {
                let parcels = node.turn(came, now).unwrap();
                self.send(Peer::Node(id(number)), parcels);
            }
        }
        self.now += 10;
    }

    /// Steps until something is so.
    pub(crate) fn until(&mut self, what: &str, mut so: impl FnMut(&mut Self) -> bool) {
        for _ in 0..30_000 {
            self.step();
            if so(self) {
                return;
            }
        }
        let lines = self.gateway.as_mut().unwrap().lines();
        panic!("{what} has not come about\n{lines:?}\n{:#?}", self.snapshot());
    }

    pub(crate) fn keys(&self) -> Vec<KeyView> {
        self.gateway.as_ref().unwrap().keys()
    }

    pub(crate) fn key(&self, scheme: Scheme) -> KeyView {
        self.keys().into_iter().find(|key| key.scheme == scheme).unwrap()
    }

    /// Until there are keys, and enough to sign with.
    pub(crate) fn ready(&mut self) {
        self.until("readiness", |world| world.gateway.as_ref().unwrap().rests());
    }

    pub(crate) fn request(&self, number: u8, key: &KeyView, message: &[u8]) -> SignedRequest {
        let request = Request {
            key: RequestKey([number; 16]),
            key_id: key.id,
            scheme: key.scheme,
            path: Default::default(),
            message: message.to_vec(),
            deadline: self.now + 60_000,
        };
        SignedRequest::new(request, &self.requester)
    }

    pub(crate) fn submit(&mut self, signed: &SignedRequest) -> Submitted {
        let answer = Arc::new(Mutex::new(None));
        let put = Arc::clone(&answer);
        let reply = Reply::new(move |submitted| *put.lock().unwrap() = Some(submitted));
        self.asked.push(Ask::Submit(signed.clone(), reply));
        self.step();
        let answer = answer.lock().unwrap().take();
        answer.unwrap()
    }

    pub(crate) fn state(&mut self, number: u8) -> Option<State> {
        let answer = Arc::new(Mutex::new(None));
        let put = Arc::clone(&answer);
        let reply = Reply::new(move |state| *put.lock().unwrap() = Some(state));
        self.asked.push(Ask::Status(RequestKey([number; 16]), reply));
        self.step();
        let answer = answer.lock().unwrap().take();
        answer.unwrap()
    }

    pub(crate) fn snapshot(&mut self) -> Snapshot {
        let answer = Arc::new(Mutex::new(None));
        let put = Arc::clone(&answer);
        let reply = Reply::new(move |state| *put.lock().unwrap() = Some(state));
        self.asked.push(Ask::Snapshot(reply));
        self.step();
        let answer = answer.lock().unwrap().take();
        *answer.unwrap()
    }

    /// The end of a request, for which is waited.
    pub(crate) fn end(&mut self, number: u8) -> State {
        let mut end = None;
        self.until("the end of a request", |world| {
            end = world.state(number).filter(State::is_end);
            end.is_some()
        });
        end.unwrap()
    }

    /// Submits a request, and waits for its end.
    pub(crate) fn sign(&mut self, number: u8, key: &KeyView, message: &[u8]) -> State {
        let signed = self.request(number, key, message);
        assert!(matches!(self.submit(&signed), Submitted::Taken(_)));
        self.end(number)
    }

    /// Opens another gateway, which works beside.
    pub(crate) fn open_other(&mut self, number: u16) {
        let database = Address::Sqlite(self.dir.join(format!("gateway-{number}.sqlite")));
        let config = Config { number, database, ..self.config.clone() };
        let gateway = Gateway::open(config.clone(), self.now).unwrap();
        self.other = Some((config, gateway));
    }

    /// What is asked from now on is asked of the other gateway.
    pub(crate) fn change_over(&mut self) {
        let (config, gateway) = self.other.take().unwrap();
        let before = core::mem::replace(&mut self.config, config);
        let gateway = self.gateway.replace(gateway).unwrap();
        self.other = Some((before, gateway));
    }

    /// All nodes may give the key to these committees, each with its threshold.
    pub(crate) fn allow(&mut self, committees: &[(&[u16], u16)]) {
        let rule = |(parties, threshold): &(&[u16], u16)| CommitteeRule {
            parties: parties.to_vec(),
            threshold: *threshold,
        };
        self.rules.committees = committees.iter().map(rule).collect();
        (1..=3).for_each(|node| self.start(node));
    }

    /// The change of a key to this committee and threshold.
    pub(crate) fn change(&self, key: &KeyView, (nodes, threshold): (&[u16], u16)) -> Change {
        let (epoch, committee) = (self.epoch(key), nodes.iter().map(|node| id(*node)).collect());
        Change { key: key.id, epoch, threshold, committee, deadline: self.now + 60_000 }
    }

    /// What the gateway says to a change.
    pub(crate) fn ask_change(&mut self, signed: SignedChange) -> Result<u32, String> {
        let answer = Arc::new(Mutex::new(None));
        let put = Arc::clone(&answer);
        let reply = Reply::new(move |said| *put.lock().unwrap() = Some(said));
        self.asked.push(Ask::Change(signed, reply));
        self.step();
        let said = answer.lock().unwrap().take();
        said.unwrap()
    }

    /// Orders the change of a key to this committee and threshold.
    pub(crate) fn reshare(&mut self, key: &KeyView, to: (&[u16], u16)) {
        let change = self.change(key, to);
        let epoch = change.epoch;
        let signed = SignedChange::new(change, &self.requester);
        assert_eq!(self.ask_change(signed), Ok(epoch + 1));
    }

    pub(crate) fn steps(&mut self, count: usize) {
        (0..count).for_each(|_| self.step());
    }

    /// An order of a gateway is on its way to these nodes.
    pub(crate) fn give(&mut self, from: u16, to: &[u16], order: &Order) {
        let bytes = Message::Order(order.clone()).to_bytes();
        for node in to {
            self.way.push((self.now, Peer::Gateway(from), Peer::Node(id(*node)), bytes.clone()));
        }
    }

    /// Orders new shares of a key; says whether that is done.
    pub(crate) fn refresh(&mut self, key: &KeyView) -> bool {
        let answer = Arc::new(Mutex::new(None));
        let put = Arc::clone(&answer);
        let reply = Reply::new(move |said| *put.lock().unwrap() = Some(said));
        self.asked.push(Ask::Refresh(key.id, reply));
        self.step();
        let said = answer.lock().unwrap().take();
        said.unwrap()
    }

    /// The epoch of a key, as the gateway knows it.
    pub(crate) fn epoch(&self, key: &KeyView) -> u32 {
        self.keys().into_iter().find(|one| one.id == key.id).unwrap().epoch
    }

    /// A request is signed, under the key that is meant.
    pub(crate) fn signs(&mut self, number: u8, key: &KeyView) {
        let message = format!("pay {number} to Alice").into_bytes();
        let signed = signature(self.sign(number, key, &message));
        assert!(match key.scheme {
            Scheme::Ecdsa => verifiers::ecdsa_secp256k1(&key.public_key, &message, &signed[..64]),
            _ => verifiers::ed25519(&key.public_key, &message, &signed),
        });
    }

    /// The shares of a node: its rows of a key, by epoch.
    pub(crate) fn shares_of(&self, node: u16, key: &KeyView) -> Vec<u64> {
        let rows = self.rows_of(node, key);
        rows.into_iter().map(|(epoch, _)| epoch).collect()
    }

    /// The same, with the public side of each.
    pub(crate) fn rows_of(&self, node: u16, key: &KeyView) -> Vec<(u64, Vec<u8>)> {
        let mut db = Db::open(&self.node_config(node).database, Settings::default()).unwrap();
        let sql = "SELECT epoch, public FROM keys WHERE id = $1 ORDER BY epoch, public";
        let rows = db.query(sql, &[(&key.id.0).into()]).unwrap();
        rows.into_iter().map(|mut row| (row.number(0).unwrap(), row.bytes(1).unwrap())).collect()
    }

    /// The answer to what the last life of a node asks its witnesses: that this is what was seen of it.
    pub(crate) fn word(&self, node: u16, seen: Mark) -> Message {
        let mut db = Db::open(&self.node_config(node).database, Settings::default()).unwrap();
        let echo = db.one("SELECT challenge FROM lives", &[]).unwrap().array(0).unwrap();
        let mark = Mark::default();
        Message::Witness(Witness { echo, seen, vouches: true, mark, relies: false })
    }

    /// What a node says to messages.
    pub(crate) fn say(&mut self, node: u16, from: Peer, messages: Vec<Message>) -> Vec<Message> {
        let came = messages.into_iter().map(|message| (from, message)).collect();
        let now = self.now;
        let Some(Some(node)) = self.nodes.get_mut(&id(node)) else { panic!("the node is down") };
        let parcels = node.turn(came, now).unwrap();
        let all = parcels.into_iter().flat_map(|parcel| parcel.messages);
        all.map(|bytes| Message::from_bytes(&bytes).unwrap()).collect()
    }

    /// What a node says to an order to sign.
    pub(crate) fn share(&mut self, node: u16, order: &SignOrder) -> Option<Shared> {
        let message = Message::Sign(Box::new(order.clone()));
        let said = self.say(node, Peer::Gateway(1), vec![message]);
        said.into_iter().find_map(|message| match message {
            Message::Share(of, share) if of == order.id() => Some(share),
            _ => None,
        })
    }
}

impl Drop for World {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.dir).ok();
    }
}

pub(crate) fn signature(state: State) -> Vec<u8> {
    match state {
        State::Signed { signature, .. } => signature,
        other => panic!("not signed: {other:?}"),
    }
}

pub(crate) fn refused(state: State) -> (String, bool) {
    match state {
        State::Refused { why, certain } => (why, certain),
        other => panic!("not refused: {other:?}"),
    }
}

/// Keeps the orders to sign that pass.
pub(crate) fn listen(world: &mut World) -> Rc<RefCell<Vec<(PartyId, SignOrder)>>> {
    let heard = Rc::new(RefCell::new(Vec::new()));
    let put = Rc::clone(&heard);
    world.meddler = Some(Box::new(move |_, to, message| {
        if let (Message::Sign(order), Peer::Node(node)) = (&message, to) {
            put.borrow_mut().push((node, (**order).clone()));
        }
        vec![message]
    }));
    heard
}
