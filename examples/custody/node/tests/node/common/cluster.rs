//! Nodes with their databases, and the network between them.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use core::time::Duration;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use custody_core::{Answer, KeyId, Order, Refusal, Scheme, Witness};
use custody_node::{Limits, Node, NodeService, Settings, Vault, Witnesses, open, open_witnessed};
use futures_util::{sink, stream};
use getrandom::SysRng;
use quorate::ecdsa::Level;
use quorate::envelope::{Directory, Envelope, Identity, Member, Name, Opener, TrustedDirectory};
use quorate::runner::{IncomingPacket, OutgoingPacket, Runner};
use quorate::session::Continuity;
use quorate::session::rand_core::UnwrapErr;
use quorate::{PartyId, SealKey};
use quorate_store::{AnyStore, SqliteStore};
use quorate_tokio::Builder;
use tokio::sync::mpsc;

use super::{Rules, callers};

type Links = Arc<Mutex<BTreeMap<PartyId, mpsc::Sender<IncomingPacket>>>>;
/// The packets that a node sends instead of one.
pub type Lie = fn(&[u8]) -> Vec<Vec<u8>>;
type Lies = Arc<Mutex<BTreeMap<PartyId, Lie>>>;
type Running = (Node, NodeService);
type Heartbeats = Arc<Mutex<BTreeMap<PartyId, Witnesses>>>;

/// The nodes of a cluster, which may be down.
pub struct Cluster {
    folder: PathBuf,
    count: u8,
    links: Links,
    running: BTreeMap<PartyId, Running>,
    heartbeats: Heartbeats,
    /// Seconds by which the clocks of the nodes are ahead.
    ahead: Arc<AtomicU64>,
    /// The packets that a node may still send, if it is going to fall silent.
    left: Arc<Mutex<BTreeMap<PartyId, u32>>>,
    /// The nodes that lie.
    lies: Lies,
    pub limits: Limits,
    /// The experimental schemes that nodes have from their next start on.
    pub experimental: Vec<Scheme>,
    /// The number of peers that have to vouch, if it is not the threshold.
    pub witnesses: Option<usize>,
}

pub fn party(number: u8) -> PartyId {
    PartyId::new(number.into()).unwrap()
}

pub fn identity(number: u8) -> Identity {
    Identity::from_seed(Name::new(&format!("n{number}")).unwrap(), &[number; 32])
}

pub fn directory(count: u8) -> Directory {
    let first = Directory::first(Name::new("test").unwrap());
    let all = (1..=count).fold(first, |draft, number| {
        let identity = identity(number);
        let member = Member::new(identity.name().clone(), identity.public().clone());
        draft.member(member.with_party(party(number)))
    });
    all.finish().unwrap()
}

impl Cluster {
    /// Starts nodes with empty databases.
    pub async fn start(count: u8) -> Self {
        static FOLDERS: AtomicU32 = AtomicU32::new(0);
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let memory = Path::new("/dev/shm");
        let place = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let folder = place.join(format!("custody-node-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut cluster = Self {
            folder,
            count,
            links: Links::default(),
            running: BTreeMap::new(),
            heartbeats: Heartbeats::default(),
            ahead: Arc::default(),
            left: Arc::default(),
            lies: Arc::default(),
            limits: Limits { run_time: 60_000, ..Limits::default() },
            experimental: vec![Scheme::MlDsa65],
            witnesses: None,
        };
        for number in 1..=count {
            cluster.up(number).await.unwrap();
        }
        cluster
    }

    pub fn settings(&self, number: u8) -> Settings {
        let directory = directory(self.count);
        let id = directory.id();
        let directory = TrustedDirectory::confirm(directory, id).unwrap();
        Settings {
            me: party(number),
            seal_key: Arc::new(SealKey::new([number; 32])),
            identity: Arc::new(identity(number)),
            directory: directory.record(|_| Ok::<_, String>(())).unwrap(),
            callers: Arc::new(callers()),
            policy: Arc::new(Rules),
            policy_digest: [0; 32],
            level: Level::Toy,
            experimental: self.experimental.clone(),
            limits: self.limits,
        }
    }

    pub fn file(&self, number: u8, name: &str) -> PathBuf {
        self.folder.join(format!("n{number}-{name}.db"))
    }

    /// Starts a node on its databases.
    pub async fn up(&mut self, number: u8) -> Result<(), Refusal> {
        self.up_with(number, Continuity::Operator).await
    }

    pub async fn up_with(&mut self, number: u8, otherwise: Continuity) -> Result<(), Refusal> {
        let settings = self.settings(number);
        let on = settings.clone();
        self.spawn(number, settings, move |mut store| {
            let continuity = store.continuity(otherwise).map_err(internal)?;
            open(on, store, continuity)
        })
        .await
    }

    /// Starts a node that asks its peers for their witness.
    pub async fn up_witnessed(&mut self, number: u8, rejoin: bool) -> Result<(), Refusal> {
        let settings = self.settings(number);
        let (on, witnesses) = (settings.clone(), Witnesses::new(&settings, self.witnesses));
        self.heartbeats.lock().unwrap().insert(party(number), witnesses.clone());
        let asks = tokio::spawn(ask(self.count, Arc::clone(&self.heartbeats)));
        let opened = self
            .spawn(number, settings, move |store| open_witnessed(on, store, &witnesses, rejoin))
            .await;
        asks.abort();
        match opened {
            // The others hear of it. A node that rejoins waits for that by itself.
            Ok(()) if rejoin => {}
            Ok(()) => heartbeat(self.count, &self.heartbeats),
            Err(_) => drop(self.heartbeats.lock().unwrap().remove(&party(number))),
        }
        opened
    }

    /// Starts nodes that know nothing of each other yet.
    pub async fn up_together(&mut self, numbers: &[u8]) {
        for number in numbers {
            let witnesses = Witnesses::new(&self.settings(*number), self.witnesses);
            self.heartbeats.lock().unwrap().insert(party(*number), witnesses);
        }
        for number in numbers {
            self.up_witnessed(*number, false).await.unwrap();
        }
    }

    /// The answer of a node to a heartbeat of another one, as the network carried it.
    pub fn witness(&self, one: u8, other: u8) -> Vec<u8> {
        exchange(one, other, self.count, &self.heartbeats.lock().unwrap())
    }

    /// Delivers an envelope with an answer to a node once more.
    ///
    /// Gives whether it counts.
    pub fn repeat(&self, number: u8, sealed: &[u8]) -> bool {
        let (me, directory) = (identity(number), trusted(self.count));
        let opened = Opener::new(&me, &directory).open(sealed).unwrap();
        let witnesses = &self.heartbeats.lock().unwrap()[&party(number)];
        witnesses.witnessed(opened, super::now() * 1000).is_ok()
    }

    /// A round of heartbeats of a node.
    pub async fn heartbeat(&self, number: u8) {
        let witnesses = self.heartbeats.lock().unwrap()[&party(number)].clone();
        self.node(number).update(&witnesses).await.unwrap();
        heartbeat(self.count, &self.heartbeats);
    }

    /// Starts a node on its store, which `open` opens.
    async fn spawn(
        &mut self,
        number: u8,
        settings: Settings,
        open: impl FnOnce(AnyStore) -> Result<Runner<AnyStore, Vault>, Refusal> + Send + 'static,
    ) -> Result<(), Refusal> {
        let me = party(number);
        let (packets, mut received) = mpsc::channel(1024);
        self.links.lock().unwrap().insert(me, packets);
        let incoming = stream::poll_fn(move |cx| received.poll_recv(cx));
        let (links, left) = (Arc::clone(&self.links), Arc::clone(&self.left));
        let lies = Arc::clone(&self.lies);
        let outgoing = sink::unfold(
            (links, left, lies),
            move |(links, left, lies), packet: OutgoingPacket| async move {
                let to = links.lock().unwrap().get(&packet.to).cloned();
                let silent = left.lock().unwrap().get_mut(&me).is_some_and(|left| {
                    let over = *left == 0;
                    *left = left.saturating_sub(1);
                    over
                });
                let to = to.filter(|_| !silent);
                // A node that is down loses what is sent to it.
                if let Some(to) = to {
                    let lie = lies.lock().unwrap().get(&me).copied();
                    let honest = |bytes: &[u8]| vec![bytes.to_vec()];
                    for bytes in lie.map_or_else(|| honest(&packet.bytes), |lie| lie(&packet.bytes))
                    {
                        to.try_send(IncomingPacket { from: me, bytes }).ok();
                    }
                }
                Ok::<_, String>((links, left, lies))
            },
        );
        let (node, spent) = (self.file(number, "node"), self.file(number, "spent"));
        let open = move || {
            let store = SqliteStore::options().spent(spent).allow_rolled_back().open(node);
            open(store.map_err(internal)?.into_any())
        };
        let ahead = Arc::clone(&self.ahead);
        let clock = move || super::milliseconds() + ahead.load(Ordering::Relaxed) * 1000;
        let builder = Builder::new().workers(1).clock(clock);
        let running = Node::spawn(settings, builder, open, incoming, outgoing).await?;
        self.running.insert(me, running);
        Ok(())
    }

    /// Kills a node: whatever is not in its databases is lost.
    pub async fn down(&mut self, number: u8) {
        self.links.lock().unwrap().remove(&party(number));
        self.heartbeats.lock().unwrap().remove(&party(number));
        if let Some((_, service)) = self.running.remove(&party(number)) {
            service.shutdown(Duration::from_millis(1)).await;
        }
    }

    /// Sets the clocks of all nodes ahead, by seconds more.
    pub fn wait(&self, seconds: u64) {
        self.ahead.fetch_add(seconds, Ordering::Relaxed);
    }

    /// Sets the clocks of all nodes right again.
    pub fn right_clocks(&self) {
        self.ahead.store(0, Ordering::Relaxed);
    }

    /// Lets a node send this number of packets more, and none after these.
    pub fn silence(&self, number: u8, after: u32) {
        self.left.lock().unwrap().insert(party(number), after);
    }

    /// Lets a node lie.
    pub fn lie(&self, number: u8, lie: Lie) {
        self.lies.lock().unwrap().insert(party(number), lie);
    }

    /// Lets a node send again.
    pub fn hear(&self, number: u8) {
        self.left.lock().unwrap().remove(&party(number));
    }

    /// Copies the databases of a node that is down, or puts the copies in their place.
    pub fn copy(&self, number: u8, names: &[&str], back: bool) {
        for name in names {
            let file = self.file(number, name);
            let copy = file.with_extension("copy");
            let (from, to) = if back { (copy, file.clone()) } else { (file.clone(), copy) };
            for end in ["db-wal", "db-shm"] {
                std::fs::remove_file(file.with_extension(end)).ok();
            }
            std::fs::copy(from, to).unwrap();
        }
    }

    /// The numbers of rows in these spaces of a node's ledger.
    pub fn ledger_rows(&self, number: u8, spaces: &[u8]) -> Vec<u64> {
        let options = SqliteStore::options().spent(self.file(number, "spent"));
        let mut store = options.open(self.file(number, "node")).unwrap();
        let count = |space: &u8| store.read_ledger(|rows| rows.count(*space, &[])).unwrap();
        spaces.iter().map(count).collect()
    }

    /// The number of rows in a space beside a node's runs.
    pub fn rows(&self, number: u8, space: u8) -> u64 {
        let options = SqliteStore::options().spent(self.file(number, "spent")).allow_rolled_back();
        let mut store = options.open(self.file(number, "node")).unwrap();
        store.read_records(|rows| rows.count(space, &[])).unwrap()
    }

    pub fn node(&self, number: u8) -> Node {
        self.running[&party(number)].0.clone()
    }

    pub async fn order(&self, number: u8, order: Order) -> Answer {
        self.node(number).order(order).await
    }

    /// Gives nodes an order until none answers that it is under way.
    pub async fn until(&self, numbers: &[u8], order: &Order) -> Vec<Answer> {
        for _ in 0..600 {
            let mut answers = Vec::new();
            for number in numbers {
                answers.push(self.order(*number, order.clone()).await);
            }
            if !answers.contains(&Answer::Pending) {
                return answers;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the nodes do not come to an end of {}", order.name());
    }

    /// Searches for the primes of all nodes.
    pub async fn search_primes(&self) {
        for (node, _) in self.running.values() {
            node.search_primes().await.unwrap();
        }
    }

    /// Makes a key of all nodes.
    pub async fn make_key(&self, scheme: &str, threshold: u8) -> KeyId {
        let all: Vec<u8> = (1..=self.count).collect();
        let kinds = r#"["opaque-message"]"#;
        let body = format!(
            r#"{{"scheme":"{scheme}","threshold":{threshold},"members":{all:?},"purposes":{kinds}}}"#
        );
        self.make_key_as(&body).await
    }

    pub async fn make_key_as(&self, body: &str) -> KeyId {
        let all: Vec<u8> = (1..=self.count).collect();
        let request = super::administrator().request("/v1/keys", body);
        let answers = self.until(&all, &Order::Generate { request, approvals: vec![] }).await;
        let Answer::Made { key } = answers[0] else { panic!("{:?}", answers[0]) };
        assert!(answers.iter().all(|answer| *answer == Answer::Made { key }), "{answers:?}");
        key
    }
}

fn internal(why: quorate_store::Error) -> Refusal {
    Refusal::new(custody_core::Reason::Internal, why)
}

/// Sends heartbeats until it is aborted.
async fn ask(count: u8, heartbeats: Heartbeats) {
    loop {
        heartbeat(count, &heartbeats);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Heartbeats of all nodes, and the sealed answers to them.
fn heartbeat(count: u8, heartbeats: &Heartbeats) {
    let all = heartbeats.lock().unwrap().clone();
    for one in 1..=count {
        let Some(witnesses) = all.get(&party(one)) else { continue };
        for (to, heartbeat) in witnesses.heartbeats(super::now() * 1000) {
            // A node that is down hears nothing.
            if all.contains_key(&to) {
                answer(one, to.get().try_into().unwrap(), (count, &all), &heartbeat);
            }
        }
    }
}

/// A heartbeat of one node to another, and the answer. Gives the sealed answer.
fn exchange(one: u8, other: u8, count: u8, all: &BTreeMap<PartyId, Witnesses>) -> Vec<u8> {
    let heartbeats = all[&party(one)].heartbeats(super::now() * 1000);
    let (_, heartbeat) = heartbeats.into_iter().find(|(to, _)| *to == party(other)).unwrap();
    answer(one, other, (count, all), &heartbeat)
}

/// Answers a heartbeat of one node as another, and gives the sealed answer.
fn answer(
    one: u8,
    other: u8,
    (count, all): (u8, &BTreeMap<PartyId, Witnesses>),
    heartbeat: &[u8],
) -> Vec<u8> {
    let directory = trusted(count);
    let (me, peer, now) = (identity(one), identity(other), super::now() * 1000);
    let (challenge, messages) =
        all[&party(other)].heartbeat((party(one), me.name()), heartbeat).unwrap();
    let answer = Envelope::answer(challenge).messages(messages.iter().map(Vec::as_slice));
    let sealed = answer.seal(&peer, &directory, &mut UnwrapErr(SysRng)).unwrap();
    let opened = Opener::new(&me, &directory).open(&sealed).unwrap();
    assert_eq!(opened.header.kind, Witness::KIND);
    all[&party(one)].witnessed(opened, now).unwrap();
    sealed
}

pub fn trusted(count: u8) -> TrustedDirectory {
    let directory = directory(count);
    let id = directory.id();
    TrustedDirectory::confirm(directory, id).unwrap().record(|_| Ok::<_, String>(())).unwrap()
}

impl Drop for Cluster {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.folder).ok();
    }
}
