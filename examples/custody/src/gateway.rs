//! The gateway: it takes requests, orders what is needed for them, puts shares together, and keeps all of it in a database
//! until every request is signed or refused. It knows no secret.
//!
//! It works in turns: what has come and what it was asked, one transaction for all that follows, and only then answers and
//! orders. Whatever it orders it orders again until it is answered. What it takes out of a pool it gives to one request and
//! never puts back; that it is spent once is for the nodes to see to.

pub mod ask;
mod given;
mod holdings;
mod jobs;
mod key;
mod requests;
mod rows;
mod serve;
mod signing;
mod stock;
mod view;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use quorate::runner::Time;
use quorate::session::stock::WaterMarks;
use quorate::{Parties, PartyId};
use quorate_examples::failure::Failure;

use self::ask::{Ask, Reply, State};
use self::given::Given;
use self::jobs::JobOpen;
use self::key::Key;
use self::requests::Open;
use self::rows::{Rows, Writes};
pub use self::serve::{Input, serve};
use crate::bus::{Parcel, Peer};
use crate::orders::Kind;
use crate::post::Post;
use crate::request::{KeyId, RequestKey, Scheme, SignedRequest};
use crate::sql::Address;
use crate::statement::SignedStatement;
use crate::wire::{Beat, Holding, Message};

/// The stock of presignatures: filled up to the high mark when it has fallen below the low one.
pub const MARKS: WaterMarks = WaterMarks { low: 4, high: 8 };

/// For how many milliseconds something is good.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// An order for a key or auxiliary information.
    pub making: Time,
    /// An order for presignatures.
    pub presigning: Time,
    /// After this an order is given again, after twice as long the next time, up to sixteen times as long.
    pub again: Time,
    /// A signer that has not answered after this is done without, if others are there.
    pub patience: Time,
    /// After its deadline a request is held so long, in case that it turns out what has become of it.
    pub grace: Time,
    /// The farthest deadline that a request may have.
    pub longest: Time,
}

/// The settings of a gateway.
#[derive(Clone)]
pub struct Config {
    /// Its number.
    pub number: u16,
    /// The name of the custody, from which the names of all sessions come.
    pub custody: [u8; 32],
    /// The database.
    pub database: Address,
    /// The nodes.
    pub nodes: Parties,
    /// The threshold of keys.
    pub threshold: u16,
    /// The sets of signers for which presignatures are made, the first ones first.
    pub sets: Vec<Parties>,
    /// The number of sets that are kept stocked.
    pub stocked: usize,
    /// The keys that are made if they are not there.
    pub keys: Vec<Scheme>,
    /// Those whose requests are taken, or anybody's; the nodes look for themselves.
    pub requesters: Option<BTreeSet<[u8; 32]>>,
    /// The marks of presignatures: fewer than the low one are filled up to the high one.
    pub presignatures: WaterMarks,
    /// The marks of the nonces of each node, likewise.
    pub nonces: WaterMarks,
    /// The times.
    pub times: Times,
    /// The requests that may be open at a time.
    pub open: usize,
    /// Whether a key that cannot be made ends the gateway.
    pub gives_up: bool,
}

/// What a node holds of each key.
type ByKey = BTreeMap<KeyId, Vec<Holding>>;

/// What a gateway knows of a node.
#[derive(Default)]
struct Seen {
    heard: Option<Time>,
    /// The epoch that it says it is in; 0 before the first.
    epoch: u32,
    /// Since when it says that it is in an earlier one.
    behind: Option<Time>,
    /// The end of its chain of what it has released, in this life of the gateway.
    head: Option<[u8; 32]>,
    refuses: Option<String>,
    /// What it holds, by key, with the digest of that, once it has said so.
    holds: Option<([u8; 32], ByKey)>,
    /// Its statements of its keys, with the digest of what it held then.
    stated: Option<([u8; 32], BTreeMap<KeyId, SignedStatement>)>,
    cheated: bool,
    /// How often something that it was to make or sign has come to nothing, since it has last signed. Presignatures are made
    /// with others first.
    failures: u32,
}

/// A node is not believed to have begun more epochs than this since it was last heard: each that a peer can have talked it into
/// is one.
const FARTHEST: u32 = (1 << 16) + 1;
/// A node that has said for so many milliseconds, and nothing else, that it is in an earlier epoch is believed. One word may be
/// late.
const STANDS: Time = 5000;

impl Seen {
    /// Whether a node is in another epoch now, as it says.
    fn is_in(&mut self, epoch: u32, now: Time) -> bool {
        let behind = (epoch < self.epoch).then(|| self.behind.unwrap_or(now));
        let stands = behind.is_some_and(|since| now.saturating_sub(since) >= STANDS);
        self.behind = behind.filter(|_| !stands);
        let ahead = epoch.saturating_sub(self.epoch);
        self.epoch == 0 || stands || ahead > 0 && ahead <= FARTHEST
    }
}

/// What was counted in this life of the process.
#[derive(Default)]
struct Counts {
    taken: u64,
    signed: [u64; 2],
    refused: u64,
    rejected: u64,
    repeated: u64,
    latencies: VecDeque<u32>,
}

/// Those who wait for the end of a request.
type Waits = Vec<(Time, Reply<Option<State>>)>;

/// Something that is to be said once everything is stored.
type Said = Box<dyn FnOnce() + Send>;

/// A gateway. Nothing in it is worth keeping.
pub struct Gateway {
    config: Config,
    rows: Rows,
    keys: BTreeMap<KeyId, Key>,
    jobs: BTreeMap<[u8; 32], JobOpen>,
    /// The next number of a job of each kind.
    numbers: BTreeMap<Kind, u32>,
    has_aux: bool,
    /// Jobs of one kind that have failed in a row, and when the next is ordered.
    failed: BTreeMap<Kind, (u32, Time)>,
    requests: BTreeMap<RequestKey, Open>,
    /// Requests that have nothing to be signed with, by key.
    waiting: BTreeMap<KeyId, VecDeque<RequestKey>>,
    given: BTreeMap<[u8; 32], Given>,
    /// When orders are given again.
    due: BTreeSet<(Time, [u8; 32])>,
    /// When requests are given up.
    deadlines: BTreeSet<(Time, RequestKey)>,
    waits: BTreeMap<RequestKey, Waits>,
    waits_until: BTreeSet<(Time, RequestKey)>,
    /// Orders for Ed25519 whose shares are all there.
    complete: BTreeMap<KeyId, Vec<[u8; 32]>>,
    nodes: BTreeMap<PartyId, Seen>,
    writes: Writes,
    said: Vec<Said>,
    submitted: Vec<(SignedRequest, Reply<ask::Submitted>)>,
    post: Post,
    counts: Counts,
    /// What operators should know, each once.
    notices: BTreeSet<String>,
    noticed: VecDeque<String>,
    /// What has happened, line by line, for whoever shows it.
    lines: Vec<String>,
    draining: Option<Vec<Reply<()>>>,
    prune_at: Time,
}

impl Gateway {
    /// Opens the database of the gateway, and makes it if there is none; goes on with what is in it.
    ///
    /// # Errors
    /// A [`Failure`] of the database.
    pub fn open(config: Config, now: Time) -> Result<Self, Failure> {
        let rows = Rows::open(&config.database)?;
        let nodes = config.nodes.iter().map(|node| (node, Seen::default())).collect();
        let mut gateway = Self {
            config,
            rows,
            keys: BTreeMap::new(),
            jobs: BTreeMap::new(),
            numbers: BTreeMap::new(),
            has_aux: false,
            failed: BTreeMap::new(),
            requests: BTreeMap::new(),
            waiting: BTreeMap::new(),
            given: BTreeMap::new(),
            due: BTreeSet::new(),
            deadlines: BTreeSet::new(),
            waits: BTreeMap::new(),
            waits_until: BTreeSet::new(),
            complete: BTreeMap::new(),
            nodes,
            writes: Writes::default(),
            said: Vec::new(),
            submitted: Vec::new(),
            post: Post::default(),
            counts: Counts::default(),
            notices: BTreeSet::new(),
            noticed: VecDeque::new(),
            lines: Vec::new(),
            draining: None,
            prune_at: now,
        };
        gateway.load(now)?;
        Ok(gateway)
    }

    fn load(&mut self, now: Time) -> Result<(), Failure> {
        for (node, epoch) in self.rows.epochs()? {
            self.nodes.entry(node).and_modify(|seen| seen.epoch = epoch);
        }
        for (id, scheme, public) in self.rows.keys()? {
            self.keys.insert(id, Key::open(id, scheme, &public)?);
        }
        self.load_jobs()?;
        self.load_stock()?;
        self.load_requests(now)
    }

    /// Takes what has come and what it is asked, works on everything, stores what follows, and gives out what is to be sent.
    ///
    /// # Errors
    /// A [`Failure`] of the database; then nothing is sent or answered, and the gateway is to be opened again.
    pub fn turn(
        &mut self,
        came: Vec<(Peer, Message)>,
        asked: Vec<Ask>,
        now: Time,
    ) -> Result<Vec<Parcel>, Failure> {
        for (from, message) in came {
            if let Peer::Node(node) = from
                && self.nodes.contains_key(&node)
            {
                self.take(node, message, now)?;
            }
        }
        for ask in asked {
            self.answer(ask, now)?;
        }
        self.submit(now)?;
        self.finish(now);
        self.close_jobs(now)?;
        self.look_after_presigning(now);
        self.assign(now);
        self.repeat(now);
        self.expire(now);
        // After all that takes from a pool: what has fallen below its mark is ordered in the same turn.
        self.fill(now)?;
        self.store(now)?;
        Ok(self.post.take())
    }

    fn take(&mut self, node: PartyId, message: Message, now: Time) -> Result<(), Failure> {
        let lived = self.lives(node, now);
        if let Some(seen) = self.nodes.get_mut(&node) {
            seen.heard = Some(now);
        }
        match message {
            Message::Share(order, share) => self.shared(node, &order, share, now),
            Message::Answer(sid, answer) => self.answered(node, sid, answer),
            Message::Nonces(nonces) => self.nonces(node, &nonces)?,
            Message::Beat(beat) => self.beat(node, beat, now),
            Message::Begun(sid) => self.begun(node, sid),
            Message::Holds(list) => self.takes_note(node, list),
            Message::Stated(stated) => self.states(node, stated),
            Message::Notice(what) => self.notice(format!("node {node}: {what}")),
            // What nodes say to each other, and what gateways say.
            Message::Packet(_)
            | Message::Order(_)
            | Message::Sign(_)
            | Message::Replenish(_)
            | Message::Greeting(_)
            | Message::Tell
            | Message::Witness(_) => {}
        }
        if !lived && self.lives(node, now) {
            self.hurry(node, now);
        }
        Ok(())
    }

    /// A node is back: what it owes is given again at once, however long the pauses have become.
    fn hurry(&mut self, node: PartyId, now: Time) {
        let again = (now, self.config.times.again);
        for (id, given) in self.given.iter_mut().filter(|(_, given)| given.owing.contains(&node)) {
            self.due.remove(&(given.again.0, *id));
            given.again = again;
            self.due.insert((now, *id));
        }
        let owes = |job: &&mut JobOpen| !job.answers.contains_key(&node);
        self.jobs.values_mut().filter(owes).for_each(|job| job.again = again);
    }

    /// Takes in a sign of life. What a node had made ahead it has dropped when it announces another epoch.
    fn beat(&mut self, node: PartyId, beat: Beat, now: Time) {
        self.ask_what_it_holds(node, &beat.holds);
        let Some(seen) = self.nodes.get_mut(&node) else { return };
        seen.refuses = beat.refuses;
        seen.head = Some(beat.mark.head).filter(|_| beat.mark.number > 0);
        // A node that has released nothing yet is in its first epoch.
        let epoch = u32::try_from(beat.mark.epoch).unwrap_or(u32::MAX).max(1);
        let before = seen.epoch;
        if !seen.is_in(epoch, now) {
            if epoch > before {
                self.notice(format!(
                    "node {node} says that it is in epoch {epoch}, and is not believed"
                ));
            }
            return;
        }
        seen.epoch = epoch;
        self.writes.epochs.insert(node, epoch);
        if before > 0 {
            self.notice(format!(
                "node {node} has begun epoch {epoch}, without what it had made ahead"
            ));
            self.empty(node);
        }
    }

    /// Stores what the turn has brought, and says what waits for that.
    fn store(&mut self, now: Time) -> Result<(), Failure> {
        let writes = core::mem::take(&mut self.writes);
        if !writes.is_empty() {
            self.rows.store(&writes)?;
        }
        if now >= self.prune_at {
            self.prune_at = now.saturating_add(30_000);
            self.rows.prune()?;
        }
        for said in core::mem::take(&mut self.said) {
            said();
        }
        Ok(())
    }

    /// The next moment at which something is due.
    #[must_use]
    pub fn next_due(&self, now: Time) -> Time {
        let job = self.jobs.values().map(|job| job.again.0).min();
        let nonces = self.keys.values().flat_map(|key| key.pool.nonces.values());
        let ordered = nonces.filter_map(|nonces| Some(nonces.ordered?.1)).min();
        let rested = self.failed.values().map(|(_, until)| *until).filter(|until| *until > now);
        let first = [
            rested.min(),
            self.due.first().map(|(due, _)| *due),
            self.deadlines.first().map(|(due, _)| *due),
            self.waits_until.first().map(|(due, _)| *due),
            job,
            ordered,
        ];
        let due = first.into_iter().flatten().min();
        due.unwrap_or(Time::MAX).min(now.saturating_add(1000))
    }

    /// Something that these nodes were to do together has come to nothing.
    fn in_vain(&mut self, nodes: impl IntoIterator<Item = PartyId>) {
        for node in nodes {
            if let Some(seen) = self.nodes.get_mut(&node) {
                seen.failures = seen.failures.saturating_add(1);
            }
        }
    }

    /// Tells operators something, once.
    fn notice(&mut self, what: String) {
        if self.notices.len() < 4096 && self.notices.insert(what.clone()) {
            if self.noticed.len() >= 64 {
                self.noticed.pop_front();
            }
            self.noticed.push_back(what.clone());
            self.lines.push(what);
        }
    }

    /// What has happened since this was called last, line by line.
    pub fn lines(&mut self) -> Vec<String> {
        core::mem::take(&mut self.lines)
    }

    /// Whether a node seems to live and to sign.
    fn lives(&self, node: PartyId, now: Time) -> bool {
        let lately = |heard: Time| now.saturating_sub(heard) <= 3500;
        self.nodes.get(&node).is_some_and(|seen| {
            seen.heard.is_some_and(lately) && seen.refuses.is_none() && !seen.cheated
        })
    }
}
