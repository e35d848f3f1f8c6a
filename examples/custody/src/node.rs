//! A node: a runner of all protocols, shares of keys, and orders of gateways, of which it looks at each.
//!
//! It works in turns: it takes what has come, stores what follows from it, and only then gives out what is to be sent. It may
//! be killed at any moment, with nothing left but its databases; started again, it goes on where it was.

mod allowed;
mod batch;
mod holdings;
mod leases;
mod runs;
mod sealing;
mod serve;
mod witness;

use core::cell::RefCell;
use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use quorate::runner::{Outcome, RunTable, Time};
use quorate::session::keyring::{KeyService, Keyring};
use quorate::{Parties, PartyId};
use quorate_examples::failure::Failure;
use quorate_paillier::Level;

pub use self::runs::BOUNDS;
use self::runs::{NodeRunner, Told};
pub use self::serve::{Input, serve};
pub use self::witness::witnesses;
use self::witness::{Own, Standing};
use crate::apps::{self, Known};
use crate::bus::{Parcel, Peer, Route};
use crate::counter::Counter;
use crate::directory::Identity;
use crate::greeting::differences;
use crate::orders::{Body, KINDS, Kind, Order, Shard};
use crate::policy::Policy;
use crate::post::{self, ANSWERS, Post};
use crate::record::Record;
use crate::records::{self, Answer, Made};
use crate::request::KeyId;
use crate::sql::{Address, Settings};
use crate::store::{OpenError, Runs};
use crate::vault::Vault;
use crate::wire::{Beat, Message, Shared, SignOrder};

/// A node says that it lives after so many milliseconds, again and again.
const BEAT: Time = 1000;
/// Open runs are looked at again after so many: another worker may have taken in what they wait for, as its lease ended.
const LOOK: Time = 5000;

/// A worker that hears peers since so lately drops no new shares that nobody has asked the node's word for: the node may have
/// been put back to before somebody has, or peers count on the shares, and it hears of that first.
const SETTLES: Time = 60_000;

/// The settings of a node.
#[derive(Clone)]
pub struct Config {
    /// This node.
    pub me: PartyId,
    /// All nodes.
    pub nodes: Parties,
    /// The gateways that it takes orders of.
    pub gateways: Vec<u16>,
    /// The threshold of new keys.
    pub threshold: u16,
    /// The size of the moduli.
    pub level: Level,
    /// The database.
    pub database: Address,
    /// The ledger of what was spent: where no backup reaches.
    pub ledger: Address,
    /// The keys that open the database, from a key service or the like: never from the same disk.
    pub seal_key: Arc<dyn KeyService>,
    /// Where the frames that are sent are noted, for an audit.
    pub record: Option<Record>,
    /// The identity that signs the node's statements of its keys; without it there are none.
    pub identity: Option<Arc<Identity>>,
    /// The number of this worker, from 0, and of all workers of the node.
    pub worker: (u16, u16),
    /// The number of peers that have to vouch for the history of this node before it uses what it had made ahead, and to have
    /// told what they have seen of it before it signs. With 0 the node trusts its database, whatever was done to it.
    pub witnesses: usize,
    /// Whether a node whose database was put back begins a new epoch, without what it had made ahead. It refuses to work
    /// otherwise.
    pub rejoins: bool,
    /// What remembers how far the node has come, besides its ledger and its peers: the memory of the process, and a counter
    /// outside if there is one.
    pub counters: Vec<Arc<dyn Counter>>,
}

/// Messages that are sent in a turn, at most.
const MOST: usize = 1024;
/// Who has just begun, and waits to hear from witnesses, says that it lives after so many.
const ASK: Time = 200;
/// Whoever waits to hear from witnesses looks after so many milliseconds whether another worker has.
const HEAR: Time = 50;

impl Config {
    /// The settings that the others must have, too, line by line. Not secret.
    #[must_use]
    pub fn greeting(&self) -> String {
        let nodes: Vec<String> = self.nodes.iter().map(|party| party.to_string()).collect();
        let (threshold, bits) = (self.threshold, self.level.modulus_bits());
        format!("threshold {threshold}\nnodes {}\nmoduli {bits}\n", nodes.join(","))
    }

    /// Opens the database with its ledger.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn store(&self) -> Result<Runs, OpenError> {
        Runs::open(&self.database, &self.ledger, Settings::default())
    }

    /// Opens the node's own tables.
    ///
    /// # Errors
    /// A [`Failure`] if the database was put back, or something in it does not open.
    pub fn vault(&self) -> Result<Vault, Failure> {
        Vault::open(
            (self.me, self.level),
            Rc::new(Keyring::open(Arc::clone(&self.seal_key))?),
            self.store()?,
        )
    }
}

/// Milliseconds since 1970: a clock that goes on across restarts.
#[must_use]
pub fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let time = Time::try_from(since.as_millis()).unwrap_or(Time::MAX);
    time.saturating_add_signed(crate::clock::ahead())
}

/// What the runner of a node has counted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Sessions opened from the database.
    pub opened: u64,
    /// Steps that another worker had made already.
    pub lost_swaps: u64,
    /// Transactions that met another worker at the same rows, and were made anew.
    pub met: u64,
}

/// Orders by their sessions, and who wants the answer.
type Orders = BTreeMap<[u8; 32], (Order, BTreeSet<Peer>)>;

/// A running node. Nothing in it is worth keeping.
pub struct Node {
    config: Config,
    policy: Box<dyn Policy>,
    runs: Runs,
    vault: Rc<RefCell<Vault>>,
    /// The keys of the database, with the one under which this worker seals.
    seals: Rc<Keyring>,
    runner: NodeRunner,
    /// The kinds of jobs that this worker may work on, and those that it works on now.
    may: BTreeSet<Kind>,
    mine: BTreeSet<Kind>,
    /// Those whose runs are to be looked at again: another worker was at them, or had them until now.
    passed: BTreeSet<Kind>,
    /// The queues that are to be listened to from now on.
    routes: Option<Vec<Route>>,
    /// The orders that were begun, so that an end can be answered, and who wants the answer.
    orders: Orders,
    post: Post,
    beat_at: Time,
    lease_at: Time,
    look_at: Time,
    /// When it was started.
    started: Option<Time>,
    witness: witness::State,
    /// What runners have counted that are no more.
    before: Tally,
    told: holdings::Told,
}

impl Node {
    /// Starts a node, for the first time or again.
    ///
    /// # Errors
    /// A [`Failure`] if its database does not open, or was put back and the node does not [rejoin](Config::rejoins).
    pub fn start(config: Config, policy: Box<dyn Policy>) -> Result<Self, Failure> {
        let opened = config.store().and_then(|runs| {
            let latest = witness::remembered(&config, &runs)?;
            Ok((runs, if latest { Own::Remembered } else { Own::None }))
        });
        let (runs, own) = match opened {
            Err(
                OpenError::PutBack { epoch, .. }
                | OpenError::LedgerPutBack { epoch, .. }
                | OpenError::NoLedger { epoch, .. },
            ) if config.rejoins => (witness::rejoin(&config, &[], epoch)?, Own::Fresh),
            opened => opened?,
        };
        let mut node = Self::over(config, policy, runs)?;
        if own != Own::None {
            node.witness.own = own;
        }
        node.announce()?;
        Ok(node)
    }

    fn over(config: Config, policy: Box<dyn Policy>, runs: Runs) -> Result<Self, Failure> {
        runs.schema(leases::SCHEMA)?;
        runs.schema(witness::SCHEMA)?;
        runs.schema(sealing::SCHEMA)?;
        let (me, seals) = (config.me, Rc::new(Keyring::open(Arc::clone(&config.seal_key))?));
        runs.seal_under(Rc::clone(&seals))?;
        let vault = Vault::open((me, config.level), Rc::clone(&seals), runs.clone())?;
        let vault = Rc::new(RefCell::new(vault));
        let known = Known { threshold: config.threshold, vault: Rc::clone(&vault) };
        let runner = runs::open(me, seals.current(), (runs.clone(), known))?;
        let witness = witness::State::new(&runs)?;
        // One worker alone needs no leases.
        let alone = config.worker.1 <= 1;
        let mine: BTreeSet<Kind> = KINDS.into_iter().filter(|_| alone).collect();
        let routes = Some(post::routes(mine.iter().copied()));
        Ok(Self {
            config,
            policy,
            runs,
            vault,
            seals,
            runner,
            may: KINDS.into_iter().collect(),
            mine,
            passed: BTreeSet::new(),
            routes,
            orders: BTreeMap::new(),
            post: Post::default(),
            beat_at: 0,
            lease_at: 0,
            look_at: 0,
            started: None,
            witness,
            before: Tally::default(),
            told: holdings::Told::default(),
        })
    }

    /// Works on these kinds of jobs alone, and leaves the others to the node's other workers.
    #[must_use]
    pub fn work_on(mut self, kinds: impl IntoIterator<Item = Kind>) -> Self {
        self.may = kinds.into_iter().collect();
        self.mine.retain(|kind| self.may.contains(kind));
        self.routes = Some(post::routes(self.mine.iter().copied()));
        self
    }

    /// Takes what has come, works on everything that there is, and gives out what is to be sent: all that it follows from is
    /// stored.
    ///
    /// # Errors
    /// A [`Failure`] of its databases; then nothing is sent, and the node is to be started again.
    pub fn turn(&mut self, came: Vec<(Peer, Message)>, now: Time) -> Result<Vec<Parcel>, Failure> {
        self.go_along()?;
        if now >= self.lease_at {
            self.lease_at = now.saturating_add(leases::RENEW);
            self.lease(now)?;
        }
        let looks = now >= self.beat_at;
        self.batch(&came, now)?;
        self.send(now)?;
        if self.mine.contains(&Kind::AuxInfo) && self.vault.borrow_mut().search()? {
            self.runner.recover()?;
        }
        self.rejoin(now)?;
        if looks {
            self.look_for_key(now)?;
        }
        Ok(self.post.take())
    }

    /// The queues that are to be listened to from now on, if they have changed.
    pub fn routes(&mut self) -> Option<Vec<Route>> {
        self.routes.take()
    }

    /// What its runner has counted since the node was started.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let (before, counts) = (self.before, self.runner.metrics());
        Tally {
            opened: before.opened.saturating_add(counts.opened),
            lost_swaps: before.lost_swaps.saturating_add(counts.stale),
            ..before
        }
    }

    /// The orders that were begun here and have not ended.
    pub fn open(&self) -> impl Iterator<Item = [u8; 32]> {
        self.orders.keys().copied()
    }

    /// The messages to peers that wait for their acknowledgement.
    ///
    /// # Errors
    /// A [`Failure`] of the database.
    pub fn outbox(&self) -> Result<u64, Failure> {
        let sql = "SELECT CAST(COALESCE(SUM(messages), 0) AS BIGINT) FROM totals";
        let rows = self.runs.read(|on| on.query(sql, &[]))?;
        Ok(rows.first().map_or(Ok(0), |row| row.number(0))?)
    }

    /// Why it signs nothing now, if that is so.
    #[must_use]
    pub fn refuses(&self) -> Option<String> {
        self.witness.refuses(self.config.witnesses)
    }

    fn take(&mut self, came: &[(Peer, Message)], now: Time) -> Result<(), Failure> {
        let held = self.hold(came)?;
        let refused = self.refuses().is_some();
        let (mut sign, mut nonces) = (Vec::new(), Vec::new());
        for (from, message) in came {
            match (*from, message) {
                (from @ Peer::Gateway(_), Message::Sign(order)) if self.obeys(from) => {
                    sign.push((from, &**order));
                }
                (from @ Peer::Gateway(number), Message::Replenish(order)) if self.obeys(from) => {
                    nonces.push((number, order));
                }
                (from @ Peer::Gateway(_), Message::Order(order)) if self.obeys(from) => {
                    self.order(from, order, now)?;
                }
                (from @ Peer::Gateway(_), Message::Tell) if self.obeys(from) => {
                    self.tell(from, now)?;
                }
                (Peer::Node(peer), message)
                    if peer != self.config.me && self.config.nodes.contains(peer) =>
                {
                    self.take_word(peer, message, now)?;
                }
                // Of nobody whom it knows.
                _ => {}
            }
        }
        // Until it knows that its database is the latest, it goes on with nothing that is in there.
        let relies = self.refuses().is_none();
        if relies {
            self.runs.count(&self.config.counters)?;
            self.replenish(nonces)?;
        }
        self.sign(&sign, now)?;
        if relies {
            self.work(&held, now)?;
        }
        if refused {
            self.look_who_told(now)?;
        }
        // Who waits for it hears at once that it signs again, or no longer.
        if now >= self.beat_at || refused != self.refuses().is_some() {
            // The first word may be lost, as long as the broker is not reached.
            let soon = self.witness.listens(self.config.witnesses, now);
            self.beat_at = now.saturating_add(if soon { ASK } else { BEAT });
            self.look_who_told(now)?;
            self.vouch_here()?;
            let hears = self.told.hears(self.mine.contains(&Kind::Keygen), now);
            if self.refuses().is_none() && hears >= SETTLES {
                self.vault.borrow_mut().drop_unasked(now)?;
            }
            self.beat()?;
        }
        Ok(())
    }

    /// Whether it takes orders of this peer.
    fn obeys(&self, from: Peer) -> bool {
        matches!(from, Peer::Gateway(number) if self.config.gateways.contains(&number))
    }

    fn take_word(&mut self, from: PartyId, message: &Message, now: Time) -> Result<(), Failure> {
        match message {
            // What is wrong with one is counted.
            Message::Packet(bytes) => Ok(self.runner.receive(from, bytes, now).map(drop)?),
            Message::Beat(beat) => {
                self.ask_what_it_holds(from, &beat.holds)?;
                self.seen(from, beat)
            }
            Message::Tell => self.tell(Peer::Node(from), now),
            Message::Holds(list) => self.takes_note(from, list),
            Message::Witness(word) => self.witnessed(from, word, now),
            Message::Greeting(greeting) => {
                for what in differences(&self.config.greeting(), from, greeting) {
                    self.tell_gateways(&Message::Notice(what));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Signs what was ordered, all together.
    fn sign(&mut self, orders: &[(Peer, &SignOrder)], now: Time) -> Result<(), Failure> {
        if orders.is_empty() {
            return Ok(());
        }
        if let Some(why) = self.refuses() {
            for (from, order) in orders {
                self.post.put(*from, ANSWERS, &Message::Share(order.id(), not_now(&why)));
            }
            return Ok(());
        }
        let all: Vec<&SignOrder> = orders.iter().map(|(_, order)| *order).collect();
        let answers = self.vault.borrow_mut().sign(&all, &*self.policy, now)?;
        for ((from, order), answer) in orders.iter().zip(answers) {
            self.post.put(*from, ANSWERS, &Message::Share(order.id(), answer));
        }
        Ok(())
    }

    /// Works on the runs of these shards, as far as they are its own.
    fn work(&mut self, held: &BTreeSet<Shard>, now: Time) -> Result<(), Failure> {
        let works: BTreeSet<Kind> =
            self.mine.iter().copied().filter(|kind| held.contains(&kind.shard())).collect();
        self.runs.show(works.iter().copied().map(apps::protocol).collect())?;
        let look = now >= self.look_at;
        if look {
            self.look_at = now.saturating_add(LOOK);
        }
        if look || !self.passed.is_disjoint(&works) {
            self.runner.recover()?;
        }
        // What another worker is at waits for the next turn.
        self.passed = self.mine.difference(&works).copied().collect();
        for event in runs::work(&mut self.runner, now)? {
            if let Some((order, _)) = self.orders.get(event.sid.as_bytes()).cloned() {
                self.ended(&order, &event.outcome)?;
            }
        }
        Ok(())
    }

    /// Puts the packets out that are to be sent.
    fn send(&mut self, now: Time) -> Result<(), Failure> {
        for packet in self.runner.outgoing(now, MOST)? {
            if let Some(record) = &self.config.record {
                record.note(self.config.me, packet.to, &packet.bytes)?;
            }
            let shard = Shard::of_packet(&packet.bytes).unwrap_or(Shard::Keygen);
            let route = post::packets(shard);
            self.post.put(Peer::Node(packet.to), route, &Message::Packet(packet.bytes.to_vec()));
        }
        Ok(())
    }

    /// For how long nothing is due.
    ///
    /// # Errors
    /// A [`Failure`] of its database.
    pub fn pause(&mut self, now: Time) -> Result<Duration, Failure> {
        let seeks = self.mine.contains(&Kind::AuxInfo);
        if seeks && self.vault.borrow().primes().is_none() && self.vault.borrow().aux().is_none() {
            return Ok(Duration::ZERO);
        }
        let works = self.refuses().is_none();
        let due = if works { self.runner.next_due()? } else { None };
        let listens = self.witness.listens(self.config.witnesses, now);
        let hear = if listens { now.saturating_add(HEAR) } else { Time::MAX };
        let due = due.unwrap_or(Time::MAX).min(self.beat_at).min(self.lease_at).min(hear);
        Ok(Duration::from_millis(due.saturating_sub(now).clamp(1, BEAT)))
    }

    /// Begins what was ordered, once, or answers as before.
    fn order(&mut self, from: Peer, order: &Order, now: Time) -> Result<(), Failure> {
        let sid = order.job.sid;
        let answered = self.vault.borrow_mut().answered(&sid)?;
        if let Some(answer) = answered {
            // A process that died may not have come to this.
            self.runner.forget_record(&order.job)?;
            self.post.put(from, ANSWERS, &Message::Answer(sid, answer));
            return Ok(());
        }
        if let Some((_, who)) = self.orders.get_mut(sid.as_bytes()) {
            who.insert(from);
            self.post.put(from, ANSWERS, &Message::Begun(sid));
            return Ok(());
        }
        // What is in the database goes on as it is there.
        let allowed = if self.runner.store().job(&sid)?.is_some() {
            if self.refuses().is_some() {
                return Ok(());
            }
            Ok(())
        } else {
            match self.standing(order)? {
                Standing::Now => match self.allows(order, now)? {
                    Some(allowed) => allowed,
                    // It is given again.
                    None => return Ok(()),
                },
                Standing::Never(why) => Err(why),
                Standing::Unknown => return Ok(()),
            }
        };
        self.orders.insert(*sid.as_bytes(), (order.clone(), BTreeSet::from([from])));
        if let Err(why) = allowed {
            return self.refuse(order, why);
        }
        match runs::start(&mut self.runner, order, now)? {
            Told::Running => self.post.put(from, ANSWERS, &Message::Begun(sid)),
            Told::NotYet => drop(self.orders.remove(sid.as_bytes())),
            Told::Ended(outcome) => self.ended(order, &outcome)?,
            Told::Never(why) => self.refuse(order, why)?,
        }
        Ok(())
    }

    fn refuse(&mut self, order: &Order, why: String) -> Result<(), Failure> {
        self.settle(order, Made::Nothing, Err(why))
    }

    /// Moves what a run has made into the vault, and answers.
    fn ended(&mut self, order: &Order, outcome: &Outcome) -> Result<(), Failure> {
        let (mut answer, mut made) = if outcome.record_bytes.is_empty() {
            (Err("the run was damaged in the database".to_owned()), Made::Nothing)
        } else {
            records::read(order.kind, &outcome.record_bytes)?
        };
        // Shares that came too late.
        if let Err(why) = self.is_wanted(order, &made) {
            (answer, made) = (Err(why), Made::Nothing);
        }
        self.settle(order, made, answer)?;
        self.runner.forget_record(&order.job)?;
        Ok(())
    }

    fn settle(&mut self, order: &Order, made: Made, answer: Answer) -> Result<(), Failure> {
        let none = || Body::of_key(KeyId::NONE, 0);
        let body = Body::from_bytes(&order.job.body).unwrap_or_else(none);
        self.vault.borrow_mut().settle((order, &body), made, &answer)?;
        let who = self.orders.remove(order.job.sid.as_bytes()).map(|(_, who)| who);
        let answer = Message::Answer(order.job.sid, answer);
        for gateway in who.into_iter().flatten() {
            self.post.put(gateway, ANSWERS, &answer);
        }
        Ok(())
    }

    /// Says that it lives, to everybody.
    fn beat(&mut self) -> Result<(), Failure> {
        self.vault.borrow_mut().look_again()?;
        let runs = u32::try_from(self.orders.len()).unwrap_or(u32::MAX);
        let (mark, holds) = (self.mark()?, self.vault.borrow().holds());
        let (challenge, refuses) = (self.witness.challenge(), self.refuses());
        let beat = Message::Beat(Beat { mark, challenge, refuses, runs, holds });
        self.tell_gateways(&beat);
        let greeting = Message::Greeting(self.config.greeting());
        for peer in self.config.nodes.iter().filter(|peer| *peer != self.config.me) {
            for message in [&greeting, &beat] {
                self.post.put(Peer::Node(peer), post::packets(Shard::Keygen), message);
            }
        }
        Ok(())
    }

    fn tell_gateways(&mut self, message: &Message) {
        for gateway in &self.config.gateways {
            self.post.put(Peer::Gateway(*gateway), ANSWERS, message);
        }
    }
}

/// What is said to orders while a node signs nothing.
#[must_use]
pub fn not_now(why: &str) -> Shared {
    Shared::NotYet(why.to_owned())
}
