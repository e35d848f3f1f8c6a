//! Three nodes as threads, the network between them, and the restart of the one that is killed.

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use getrandom::SysRng;
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::{Parties, PartyId, SealKey};
use quorate_cggmp::{Secp256k1, Signature};
use quorate_paillier::Level;

use super::mail::{Delivery, HELLO, Letter, Mail};
use super::node::{Config, Node, Stop, key_in};
use super::step::Crash;
use super::store::Store;
use quorate_examples::failure::Failure;
use quorate_examples::verifiers;

/// A dead node is started again when nobody has sent anything for this long. What was sent to it
/// until then is lost.
const QUIET: Duration = Duration::from_millis(20);

/// When nobody has sent anything for this long, nodes that wait give up. Searching for primes is
/// quiet, and takes a minute or two.
const PATIENCE: Duration = Duration::from_secs(600);

/// The time that nodes have to give up.
const LAST_WORDS: Duration = Duration::from_secs(60);

/// A message of a thread to the service.
pub enum Event {
    /// A message to be passed on.
    Letter(Letter),
    /// Something that a node's operator should know.
    Notice(PartyId, String),
    /// A node has done its work, and has this signature if it is a signer.
    Done(PartyId, Option<Signature<Secp256k1>>),
    /// A node's thread is gone.
    Stopped(PartyId, Stop),
}

/// A custody: its nodes, with their databases in one folder.
pub struct Custody {
    nodes: BTreeMap<PartyId, Config>,
    /// The longest time without a message.
    patience: Duration,
}

/// The outcome of a run.
#[derive(Default)]
pub struct Report {
    /// The result of each signer.
    pub signatures: BTreeMap<PartyId, Signature<Secp256k1>>,
    /// The number of letters, including those that were sent again.
    pub letters: usize,
    /// The number of nodes that were killed.
    pub killed: usize,
    /// Notices for the nodes' operators.
    pub notices: BTreeSet<String>,
    /// From the start to the last signature.
    pub time: Duration,
}

struct Running {
    inbox: Sender<Delivery>,
    thread: JoinHandle<()>,
}

impl Custody {
    /// A new custody of three nodes with their databases in `dir`: any two can sign, and the first
    /// two will sign `message`.
    ///
    /// # Errors
    /// A [`Failure`] if the folder cannot be made.
    pub fn new(dir: &Path, level: Level, message: &[u8]) -> Result<Self, Failure> {
        std::fs::create_dir_all(dir).map_err(Failure::file("create", dir))?;
        let (parties, signers) = (Parties::numbered(3)?, Parties::numbered(2)?);
        let random = || {
            let mut bytes = [0; 32];
            UnwrapErr(SysRng).fill_bytes(&mut bytes);
            bytes
        };
        let custody = random();
        let config = |me: PartyId| Config {
            me,
            parties: parties.clone(),
            signers: signers.clone(),
            threshold: 2,
            level,
            custody,
            message: message.to_vec(),
            database: dir.join(format!("node-{}.db", me.get())),
            seal_key: Arc::new(SealKey::new(random())),
        };
        let nodes = parties.iter().map(|me| (me, config(me))).collect();
        Ok(Self { nodes, patience: PATIENCE })
    }

    /// Gives a node another threshold than the others have; whoever waits for it does not wait
    /// longer than this.
    pub fn misconfigure(&mut self, node: PartyId, threshold: u16, patience: Duration) {
        if let Some(config) = self.nodes.get_mut(&node) {
            config.threshold = threshold;
        }
        self.patience = patience;
    }

    /// A node's configuration.
    #[must_use]
    pub fn node(&self, party: PartyId) -> Option<&Config> {
        self.nodes.get(&party)
    }

    /// Runs the nodes from whatever is in their databases until every signer has the signature.
    /// Where one is killed at a step, it is started again, or, without `restart`, all end there.
    ///
    /// # Errors
    /// A [`Failure`] if a node cannot go on.
    pub fn run(&self, crash: Option<(PartyId, &str)>, restart: bool) -> Result<Report, Failure> {
        let clock = Instant::now();
        let (post, events) = mpsc::channel();
        let mut running = BTreeMap::new();
        for (me, config) in &self.nodes {
            let step = crash.filter(|(node, _)| node == me).map(|(_, step)| step);
            running.insert(*me, start(config.clone(), Crash::at(step), &post)?);
        }
        let mut report = Report::default();
        let result = self.pass_on(&post, &events, &mut running, restart, &mut report);
        report.time = clock.elapsed();
        // With nobody to write to them the nodes end.
        for (_, Running { inbox, thread }) in running {
            drop(inbox);
            thread.join().map_err(|_| Failure::new("a node has panicked"))?;
        }
        match result {
            Ok(()) => Ok(report),
            Err(failure) => Err(self.explain(&failure, &report)),
        }
    }

    /// The reason why a run has failed, with the frames that the nodes have rejected.
    fn explain(&self, failure: &Failure, report: &Report) -> Failure {
        let mut lines = vec![failure.to_string()];
        lines.extend(report.notices.iter().cloned());
        for config in self.nodes.values() {
            let rejected = Store::open_for(config).and_then(|store| store.rejected());
            // What the greetings say is among the notices.
            let frames = rejected.unwrap_or_default();
            let frames = frames.iter().filter(|what| !what.starts_with(HELLO));
            lines.extend(frames.map(|what| format!("node {}, not taken: {what}", config.me)));
        }
        Failure::new(lines.join("\n  "))
    }

    /// Delivers letters until all nodes have done their work.
    fn pass_on(
        &self,
        post: &Sender<Event>,
        events: &Receiver<Event>,
        running: &mut BTreeMap<PartyId, Running>,
        restart: bool,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let mut working = self.nodes.len();
        let mut dead: Option<&Config> = None;
        while working > 0 {
            let event = match dead {
                None => match events.recv_timeout(self.patience) {
                    Ok(event) => event,
                    Err(_) => return Err(give_up(events, running)),
                },
                Some(config) => match events.recv_timeout(QUIET) {
                    Ok(event) => event,
                    Err(_) => {
                        // All that is left of it is its database.
                        running.insert(config.me, start(config.clone(), Crash::default(), post)?);
                        dead = None;
                        continue;
                    }
                },
            };
            match event {
                Event::Letter(letter) => {
                    report.letters = report.letters.saturating_add(1);
                    // Lost if there is nobody to take it, or whoever took it dies before it is
                    // stored.
                    if let Some(to) = running.get(&letter.to) {
                        to.inbox.send(Delivery::Letter(letter)).ok();
                    }
                }
                Event::Notice(node, what) => {
                    report.notices.insert(format!("node {node}: {what}"));
                }
                Event::Done(node, signature) => {
                    working = working.saturating_sub(1);
                    report.signatures.extend(signature.map(|signature| (node, signature)));
                }
                Event::Stopped(node, Stop::Killed) => {
                    report.killed = report.killed.saturating_add(1);
                    dead = self.nodes.get(&node).filter(|_| restart);
                    if dead.is_none() {
                        return Ok(());
                    }
                }
                Event::Stopped(node, Stop::Failed(failure)) => {
                    return Err(Failure::new(format!("node {}: {failure}", node.get())));
                }
                Event::Stopped(_, Stop::Closed) => {}
            }
        }
        Ok(())
    }
}

/// Has every node that waits end its run: what they say.
fn give_up(events: &Receiver<Event>, running: &BTreeMap<PartyId, Running>) -> Failure {
    for node in running.values() {
        node.inbox.send(Delivery::GiveUp).ok();
    }
    let mut lines = Vec::new();
    let mut left = running.len();
    while left > 0 {
        let Ok(event) = events.recv_timeout(LAST_WORDS) else { break };
        if let Event::Stopped(node, stop) = event {
            left = left.saturating_sub(1);
            if let Stop::Failed(failure) = stop {
                lines.push(format!("node {node}: {failure}"));
            }
        }
    }
    Failure::new(lines.join("\n  "))
}

/// Starts a node in a thread of its own.
fn start(config: Config, crash: Crash, post: &Sender<Event>) -> Result<Running, Failure> {
    let (inbox, letters) = mpsc::channel();
    let (me, post) = (config.me, post.clone());
    let mail = Mail::new(me, &config.parties, post.clone(), letters, config.settings());
    let life = move || {
        let live = || {
            let mut node = Node::start(config, mail, crash)?;
            let signature = node.work()?;
            post.send(Event::Done(me, signature)).ok();
            node.serve()
        };
        // When this is said, the node has dropped everything.
        let stop = live().err().unwrap_or(Stop::Closed);
        post.send(Event::Stopped(me, stop)).ok();
    };
    let thread = thread::Builder::new().name(format!("node {}", me.get())).spawn(life);
    Ok(Running { inbox, thread: thread? })
}

/// Makes sure that a run has given one signature, that it verifies, and that no database has more
/// or less than it should.
///
/// # Errors
/// A [`Failure`] that says what is wrong.
pub fn check(custody: &Custody, report: &Report) -> Result<Signature<Secp256k1>, Failure> {
    let mut signatures = report.signatures.values();
    let signature = *signatures.next().ok_or_else(|| Failure::new("there is no signature"))?;
    if signatures.any(|other| *other != signature) {
        return Err(Failure::new("the signers hold different signatures"));
    }
    for config in custody.nodes.values() {
        let (node, store) = (config.me.get(), Store::open_for(config)?);
        // No session is left; one presignature was spent, for one signature.
        let expected = if config.signers.contains(config.me) { [0, 1, 1] } else { [0, 0, 0] };
        if store.counts()? != expected {
            return Err(Failure::new(format!("node {node} has other rows than it should")));
        }
        let key = key_in(&store)?;
        let (key, message) = (key.verifying_key(), &config.message);
        if !verifiers::ecdsa_secp256k1(key.as_bytes(), message, &signature.to_compact()) {
            return Err(Failure::new("k256 says that the signature does not verify"));
        }
    }
    Ok(signature)
}

/// The default folder of the databases.
#[must_use]
pub fn fresh_dir() -> PathBuf {
    std::env::temp_dir().join(quorate_examples::files::fresh_name("quorate-custody-"))
}
