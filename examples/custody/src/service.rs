//! Three nodes as threads, the bus between them, and the gateway: the embedded fitting.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use ed25519_dalek::SigningKey;
use quorate::{Parties, PartyId};
use quorate_cggmp::{Secp256k1, Signature};
use quorate_examples::failure::Failure;
use quorate_examples::files::hex;
use quorate_examples::out::Out;
use quorate_examples::verifiers;

use crate::bus::memory::{Limits, MemoryBus, Network};
use crate::bus::{Bus, Peer};
use crate::counter::CounterFile;
use crate::gateway::ask::{Ask, Reply, State, Submitted};
use crate::gateway::{self, Gateway, MARKS, Times};
use crate::keyfile::{self, KeyFiles};
use crate::node::{self, Config, Node, now};
use crate::orders::KINDS;
use crate::plan::{Lock, Plan};
use crate::policy::Rules;
use crate::post::{ANSWERS, routes};
use crate::record::Record;
use crate::request::{KeyId, Request, RequestKey, Scheme, SignedRequest};
use crate::sql::Address;

/// For how long orders are good, unless something else is asked for: searching for primes takes a minute or two.
const TIMES: Times = Times {
    making: 600_000,
    presigning: 120_000,
    again: 200,
    patience: 3_600_000,
    grace: 5_000,
    longest: 86_400_000,
};

/// A request of the demonstration is good for so long, in milliseconds.
const LONG: u64 = 3_600_000;

/// The number of the gateway.
const GATEWAY: u16 = 1;

/// A custody in a folder: three nodes of which any two can sign, and a gateway.
pub struct Custody {
    dir: PathBuf,
    plan: Plan,
    nodes: BTreeMap<PartyId, Config>,
    gateway: gateway::Config,
    requester: SigningKey,
    _lock: Lock,
}

/// A request, and what has become of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resolved {
    /// Its number.
    pub number: u32,
    /// What was to be signed.
    pub message: Vec<u8>,
    /// The signature, with its recovery id.
    pub signature: Option<[u8; 65]>,
    /// The reason why there is none here, and whether there is none elsewhere.
    pub refused: Option<(String, bool)>,
}

impl Custody {
    /// Opens the custody of a folder, or makes a new one; says whether it was there. Each node has a folder of its own with
    /// its database. Its ledger and its key lie apart from that: a backup is one of the nodes' folders. All nodes end with the
    /// process, so none has a peer that stays up: a counter for each lies in another folder, `DIR.counters`, beside the
    /// custody's. Whoever takes a copy of the whole folder, and puts it back, leaves that as it is.
    ///
    /// # Errors
    /// A [`Failure`] if the folder is another's, in use, or was made with other settings.
    pub fn open(dir: &Path, settings: &crate::args::Settings) -> Result<(Self, bool), Failure> {
        let lock = Lock::take(dir)?;
        let (plan, there) = Plan::open(dir, settings.level, settings.requests)?;
        let (parties, signers) = (Parties::numbered(3)?, Parties::numbered(2)?);
        let folder = |name: &str| {
            let path = dir.join(name);
            fs::create_dir_all(&path).map_err(Failure::file("create", &path))?;
            Ok::<_, Failure>(path)
        };
        let record = settings.record.as_deref().map(Record::open).transpose()?;
        let counters = counters(dir)?;
        let mut nodes = BTreeMap::new();
        for me in parties.iter() {
            let config = Config {
                me,
                nodes: parties.clone(),
                gateways: vec![GATEWAY],
                threshold: 2,
                level: plan.level,
                database: Address::Sqlite(folder(&format!("node-{me}"))?.join("node.sqlite")),
                ledger: Address::Sqlite(folder("ledgers")?.join(format!("node-{me}.sqlite"))),
                seal_key: Arc::new(KeyFiles::open(&folder("keys")?.join(format!("node-{me}")))?),
                record: record.clone(),
                identity: None,
                worker: (0, 1),
                witnesses: node::witnesses(3, 2),
                rejoins: false,
                counters: vec![Arc::new(CounterFile::new(&counters.join(format!("node-{me}"))))],
            };
            nodes.insert(me, config);
        }
        let seed = keyfile::open(&folder("keys")?.join("requester"))?;
        let requester = SigningKey::from_bytes(&seed.to_secret_bytes());
        let gateway = gateway::Config {
            number: GATEWAY,
            custody: plan.custody,
            database: Address::Sqlite(dir.join("gateway.sqlite")),
            nodes: parties,
            threshold: 2,
            sets: vec![signers],
            stocked: 1,
            keys: vec![Scheme::Ecdsa],
            requesters: Some([requester.verifying_key().to_bytes()].into()),
            presignatures: MARKS,
            nonces: MARKS,
            times: TIMES,
            open: 4096,
            gives_up: true,
        };
        let dir = dir.to_owned();
        Ok((Self { dir, plan, nodes, gateway, requester, _lock: lock }, there))
    }

    /// Gives a node another threshold than the others have. Nobody waits for it longer than this, in milliseconds.
    pub fn misconfigure(&mut self, node: PartyId, threshold: u16, patience: u64) {
        if let Some(config) = self.nodes.get_mut(&node) {
            config.threshold = threshold;
        }
        self.gateway.times.making = patience;
    }

    /// The configuration of a node.
    #[must_use]
    pub fn node(&self, node: PartyId) -> Option<&Config> {
        self.nodes.get(&node)
    }

    /// The configuration of the gateway.
    #[must_use]
    pub const fn gateway(&self) -> &gateway::Config {
        &self.gateway
    }

    /// The folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What the nodes sign.
    #[must_use]
    pub fn policy(&self) -> Rules {
        Rules::payments(&[self.requester.verifying_key().to_bytes()])
    }

    /// A request of this custody's requester.
    #[must_use]
    pub fn request(
        &self,
        number: u32,
        message: &[u8],
        key_id: KeyId,
        deadline: u64,
    ) -> SignedRequest {
        let request = Request {
            key: request_key(number),
            key_id,
            scheme: Scheme::Ecdsa,
            path: Default::default(),
            message: message.to_vec(),
            deadline,
        };
        SignedRequest::new(request, &self.requester)
    }

    /// Lets the nodes work, from whatever is in their databases, until every one of these requests is signed or refused.
    ///
    /// # Errors
    /// A [`Failure`] if a node cannot go on.
    pub fn run(&self, requests: &[Vec<u8>], out: &mut Out) -> Result<Vec<Resolved>, Failure> {
        let network = Network::new(0, Limits::default());
        let (gone, failures) = mpsc::channel();
        let mut threads = Vec::new();
        let mut ways = Vec::new();
        for config in self.nodes.values() {
            let (way, inbox) = mpsc::channel();
            let bus = network.connect(Peer::Node(config.me), 0, way.clone());
            bus.listen(&routes(KINDS));
            ways.push(way);
            threads.push(start(config.clone(), self.policy(), bus, inbox, gone.clone())?);
        }
        let (ask, inbox) = mpsc::channel();
        let bus = network.connect(Peer::Gateway(GATEWAY), 0, ask.clone());
        bus.listen(&[ANSWERS]);
        let result = self.serve(&bus, (&ask, &inbox), requests, &failures, out);
        ways.iter().for_each(|way| drop(way.send(node::Input::End)));
        for thread in threads {
            thread.join().map_err(|_| Failure::new("a node has panicked"))?;
        }
        result
    }

    /// The gateway's part: it hands the requests in as soon as there is a key, and ends when all is done.
    fn serve(
        &self,
        bus: &MemoryBus,
        (ask, inbox): (&Sender<gateway::Input>, &Receiver<gateway::Input>),
        requests: &[Vec<u8>],
        failures: &Receiver<Failure>,
        out: &mut Out,
    ) -> Result<Vec<Resolved>, Failure> {
        let mut gateway = Gateway::open(self.gateway.clone(), now())?;
        let mut shown = Shown::default();
        let mut handed_in = false;
        gateway::serve(&mut gateway, bus, inbox, |gateway| {
            if let Ok(failure) = failures.try_recv() {
                return Err(failure);
            }
            for line in gateway.lines() {
                out.line(line);
            }
            if !handed_in && let Some(key) = gateway.keys().first() {
                self.hand_in(gateway, key.id, requests, ask)?;
                handed_in = true;
                // What was asked comes with the next turn.
                return Ok(false);
            }
            shown.show(gateway, out)?;
            Ok(handed_in && shown.ended >= requests.len() && gateway.rests())
        })?;
        resolved(&mut gateway)
    }

    /// Hands in the requests that are not there yet.
    fn hand_in(
        &self,
        gateway: &mut Gateway,
        key: KeyId,
        requests: &[Vec<u8>],
        ask: &Sender<gateway::Input>,
    ) -> Result<(), Failure> {
        let there: BTreeMap<u32, Vec<u8>> =
            resolved(gateway)?.into_iter().map(|one| (one.number, one.message)).collect();
        for (number, message) in (1..).zip(requests) {
            match there.get(&number) {
                Some(other) if other != message => {
                    return Err(Failure::new(format!("request {number} was another one")));
                }
                Some(_) => {}
                None => {
                    let request = self.request(number, message, key, now().saturating_add(LONG));
                    let reply = Reply::new(|_: Submitted| {});
                    ask.send(gateway::Input::Ask(Ask::Submit(request, reply)))?;
                }
            }
        }
        Ok(())
    }

    /// The plan of the folder.
    #[must_use]
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }
}

/// The requests whose ends were shown.
#[derive(Default)]
struct Shown {
    ended: usize,
    numbers: std::collections::BTreeSet<u32>,
    before: Option<u64>,
}

impl Shown {
    fn show(&mut self, gateway: &mut Gateway, out: &mut Out) -> Result<(), Failure> {
        let ends = gateway.ends();
        if self.before == Some(ends) {
            return Ok(());
        }
        self.before = Some(ends);
        for (signed, state) in gateway.requests()? {
            let number = number_of(signed.request.key);
            if !state.is_end() || !self.numbers.insert(number) {
                continue;
            }
            self.ended = self.ended.saturating_add(1);
            let message = &signed.request.message;
            match &state {
                State::Signed { signature, public_key } => {
                    let text = String::from_utf8_lossy(message).into_owned();
                    let start = hex(signature.get(..4).unwrap_or_default());
                    let by = if verified(public_key, message, signature) {
                        "verifies by k256"
                    } else {
                        "does NOT verify by k256"
                    };
                    out.line(format!("request {number}: {text:?} is signed, {start}…, {by}"));
                }
                State::Refused { why, certain } => {
                    let said = if *certain { "refused" } else { MAY };
                    out.line(format!("request {number}: {said}\n  {why}"));
                }
                State::Waiting | State::Asked => {}
            }
        }
        Ok(())
    }
}

/// What is said of a request that has no signature here, and perhaps one elsewhere.
pub const MAY: &str = "may be signed";

/// A signature, if a verifier that is not ours takes it.
fn verified(key: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let Ok(bytes) = <&[u8; 65]>::try_from(signature) else { return false };
    let signature = Signature::<Secp256k1>::from_recoverable(bytes);
    signature.is_ok_and(|one| verifiers::ecdsa_secp256k1(key, message, &one.to_compact()))
}

/// The requests in the gateway's database.
///
/// # Errors
/// A [`Failure`] of the database.
pub fn resolved(gateway: &mut Gateway) -> Result<Vec<Resolved>, Failure> {
    let all = gateway.requests()?.into_iter().map(|(signed, state)| {
        let (number, message) = (number_of(signed.request.key), signed.request.message);
        let (signature, refused) = match state {
            State::Signed { signature, .. } => (signature.as_slice().try_into().ok(), None),
            State::Refused { why, certain } => (None, Some((why, certain))),
            State::Waiting | State::Asked => (None, None),
        };
        Resolved { number, message, signature, refused }
    });
    Ok(all.collect())
}

/// The key of a request of the demonstration.
#[must_use]
pub fn request_key(number: u32) -> RequestKey {
    let mut key = [0; 16];
    if let Some(end) = key.last_chunk_mut() {
        *end = number.to_be_bytes();
    }
    RequestKey(key)
}

fn number_of(key: RequestKey) -> u32 {
    key.0.last_chunk().map_or(0, |end| u32::from_be_bytes(*end))
}

/// The folder of the counters of a custody.
fn counters(dir: &Path) -> Result<PathBuf, Failure> {
    // Without a slash at its end.
    let mut path = std::path::absolute(dir)?.components().collect::<PathBuf>().into_os_string();
    path.push(".counters");
    let path = PathBuf::from(path);
    fs::create_dir_all(&path).map_err(Failure::file("create", &path))?;
    Ok(path)
}

/// Starts a node in a thread of its own.
fn start(
    config: Config,
    policy: Rules,
    bus: MemoryBus,
    inbox: Receiver<node::Input>,
    gone: Sender<Failure>,
) -> Result<JoinHandle<()>, Failure> {
    let me = config.me;
    let life = move || {
        let live =
            || node::serve(&mut Node::start(config, Box::new(policy))?, &bus, &inbox, |_| ());
        if let Err(failure) = live() {
            gone.send(Failure::new(format!("node {me}: {failure}"))).ok();
        }
    };
    Ok(thread::Builder::new().name(format!("node {me}")).spawn(life)?)
}

/// The default folder.
#[must_use]
pub fn fresh_dir() -> PathBuf {
    std::env::temp_dir().join(quorate_examples::files::fresh_name("quorate-custody-"))
}
