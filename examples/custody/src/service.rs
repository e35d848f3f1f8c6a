//! Three nodes as threads, the network between them, and the gateway.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use quorate::{Parties, PartyId};
use quorate_examples::failure::Failure;
use quorate_examples::out::Out;

use crate::gateway::{Gateway, Resolved, Times};
use crate::keyfile;
use crate::net::{Delivery, Net, Report};
use crate::node::{Config, Node};
use crate::plan::{Lock, Plan};

/// For how long orders are good, unless something else is asked for: searching for primes takes a minute or two.
const TIMES: Times = Times { making: 600_000, signing: 120_000 };

/// A custody in a folder: three nodes of which any two can sign, and a gateway.
pub struct Custody {
    dir: PathBuf,
    plan: Plan,
    parties: Parties,
    signers: Parties,
    nodes: BTreeMap<PartyId, Config>,
    times: Times,
    record: Option<PathBuf>,
    _lock: Lock,
}

impl Custody {
    /// Opens the custody of a folder, or makes a new one; says whether it was there. Each node has a folder of its own with
    /// its database. Its ledger and its key lie apart from that: a backup is one of the nodes' folders.
    ///
    /// # Errors
    /// A [`Failure`] if the folder is another's, in use, or was made with other settings.
    pub fn open(dir: &Path, settings: &crate::args::Settings) -> Result<(Self, bool), Failure> {
        let lock = Lock::take(dir)?;
        let (plan, there) = Plan::open(dir, settings.level, settings.requests)?;
        let (parties, signers) = (Parties::numbered(3)?, Parties::numbered(2)?);
        let mut nodes = BTreeMap::new();
        for me in parties.iter() {
            let folder = |name: &str| {
                let path = dir.join(name);
                fs::create_dir_all(&path).map_err(Failure::file("create", &path))?;
                Ok::<_, Failure>(path)
            };
            let config = Config {
                me,
                signers: signers.clone(),
                threshold: 2,
                level: plan.level,
                database: folder(&format!("node-{me}"))?.join("node.sqlite"),
                ledger: folder("ledgers")?.join(format!("node-{me}.sqlite")),
                seal_key: Arc::new(keyfile::open(&folder("keys")?.join(format!("node-{me}")))?),
            };
            nodes.insert(me, config);
        }
        let (dir, record) = (dir.to_owned(), settings.record.clone());
        let custody =
            Self { dir, plan, parties, signers, nodes, times: TIMES, record, _lock: lock };
        Ok((custody, there))
    }

    /// Gives a node another threshold than the others have. Nobody waits for it longer than this, in milliseconds.
    pub fn misconfigure(&mut self, node: PartyId, threshold: u16, patience: u64) {
        if let Some(config) = self.nodes.get_mut(&node) {
            config.threshold = threshold;
        }
        self.times.making = patience;
    }

    /// The configuration of a node.
    #[must_use]
    pub fn node(&self, node: PartyId) -> Option<&Config> {
        self.nodes.get(&node)
    }

    /// The path of the gateway's database.
    #[must_use]
    pub fn gateway(&self) -> PathBuf {
        self.dir.join("gateway.sqlite")
    }

    /// Lets the nodes work, from whatever is in their databases, until every one of these requests is signed or refused.
    ///
    /// # Errors
    /// A [`Failure`] if a node cannot go on.
    pub fn run(&self, requests: &[Vec<u8>], out: &mut Out) -> Result<Vec<Resolved>, Failure> {
        let (report, reports) = mpsc::channel();
        let (mut ways, mut inboxes) = (BTreeMap::new(), BTreeMap::new());
        for me in self.nodes.keys() {
            let (way, inbox) = mpsc::channel();
            ways.insert(*me, way);
            inboxes.insert(*me, inbox);
        }
        let mut net = Net::new(ways.clone());
        if let Some(record) = &self.record {
            net = net.recorded(record)?;
        }
        let mut threads = Vec::new();
        for (config, (_, inbox)) in self.nodes.values().zip(inboxes) {
            threads.push(start(config.clone(), net.clone(), inbox, report.clone())?);
        }
        drop((net, report));
        let who = (self.parties.clone(), self.signers.clone());
        let gateway =
            Gateway::open(&self.gateway(), self.plan.clone(), who, self.times, ways.clone());
        let result = gateway.and_then(|mut gateway| {
            for (number, message) in (1..).zip(requests) {
                gateway.request(number, message)?;
            }
            gateway.work(&reports, out)?;
            gateway.resolved()
        });
        ways.values().for_each(|node| drop(node.send(Delivery::End)));
        for thread in threads {
            thread.join().map_err(|_| Failure::new("a node has panicked"))?;
        }
        result
    }
}

/// Starts a node in a thread of its own.
fn start(
    config: Config,
    net: Net,
    inbox: Receiver<Delivery>,
    report: Sender<Report>,
) -> Result<JoinHandle<()>, Failure> {
    let me = config.me;
    let life = move || {
        let live = || Node::start(config, net, report.clone())?.live(&inbox);
        report.send(Report::Gone(me, live().err())).ok();
    };
    Ok(thread::Builder::new().name(format!("node {me}")).spawn(life)?)
}

/// The default folder.
#[must_use]
pub fn fresh_dir() -> PathBuf {
    std::env::temp_dir().join(quorate_examples::files::fresh_name("quorate-custody-"))
}
