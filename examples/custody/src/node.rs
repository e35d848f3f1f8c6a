//! A node: a runner for each protocol, a database under them, and orders of the gateway, of which it looks at each.
//!
//! It may be killed at any moment, with nothing left but its files; started again, it goes on where it was.

use core::cell::RefCell;
use core::time::Duration;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{SystemTime, UNIX_EPOCH};

use quorate::runner::{Job, Outcome, Runner, Time, packet};
use quorate::{Parties, PartyId, SealKey};
use quorate_cggmp::{AuxInfoGen, IntersectError, Keygen, PresignMany, Secp256k1};
use quorate_examples::failure::Failure;
use quorate_paillier::Level;

use crate::apps::Known;
use crate::greeting::differences;
use crate::lane::{BOUNDS, Lane, Told};
use crate::net::{Delivery, Net, Report};
use crate::orders::{KINDS, Kind, Order, Request};
use crate::records::{self, Answer, Made};
use crate::runs::{OpenError, SqliteRuns};
use crate::signing::SignOff;
use crate::vault::{Vault, Withheld};

/// The settings of a node.
#[derive(Clone)]
pub struct Config {
    /// This node.
    pub me: PartyId,
    /// The signers, for which presignatures are made.
    pub signers: Parties,
    /// The threshold.
    pub threshold: u16,
    /// The size of the moduli.
    pub level: Level,
    /// The database.
    pub database: PathBuf,
    /// The ledger of what was spent: where no backup reaches.
    pub ledger: PathBuf,
    /// The key that opens the database, from a key service or the like: never from the same disk.
    pub seal_key: Arc<SealKey>,
}

impl Config {
    /// The settings that the others must have, too, line by line. Not secret.
    #[must_use]
    pub fn greeting(&self) -> String {
        let signers: Vec<String> = self.signers.iter().map(|party| party.to_string()).collect();
        let (threshold, bits) = (self.threshold, self.level.modulus_bits());
        format!("threshold {threshold}\nsigners {}\nmoduli {bits}\n", signers.join(","))
    }

    /// Opens the database with its ledger.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn store(&self) -> Result<SqliteRuns, OpenError> {
        SqliteRuns::open(&self.database, &self.ledger)
    }

    /// Opens the node's own tables.
    ///
    /// # Errors
    /// A [`Failure`] if the database was put back, or something in it does not open.
    pub fn vault(&self) -> Result<Vault, Failure> {
        Vault::open(self.me, self.level, Arc::clone(&self.seal_key), self.store()?)
    }
}

/// What the node signs: a policy. A real one would look at accounts and limits, and ask somebody.
///
/// # Errors
/// The reason why not.
fn policy(message: &[u8]) -> Result<(), &'static str> {
    let known = message.starts_with(b"pay ") && message.ends_with(b" to Alice");
    if known { Ok(()) } else { Err("the policy of the node allows payments to Alice only") }
}

/// Milliseconds since 1970: a clock that goes on across restarts.
#[must_use]
pub fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time::try_from(since.as_millis()).unwrap_or(Time::MAX)
}

/// A running node. Nothing in it is worth keeping.
pub struct Node {
    config: Config,
    vault: Rc<RefCell<Vault>>,
    lanes: [(Kind, Box<dyn Lane>); 4],
    /// The orders that were begun, so that an end can be answered.
    orders: Vec<Arc<Order>>,
    /// The presignatures that the other signers hold.
    lists: BTreeMap<PartyId, Vec<u8>>,
    /// A question of the gateway that is not answered yet.
    asked: Option<u64>,
    net: Net,
    gateway: Sender<Report>,
}

impl Node {
    /// Starts a node, for the first time or again.
    ///
    /// # Errors
    /// A [`Failure`] if its database does not open, or was put back.
    pub fn start(config: Config, net: Net, gateway: Sender<Report>) -> Result<Self, Failure> {
        let vault = Rc::new(RefCell::new(config.vault()?));
        let known = Known { threshold: config.threshold, vault: Rc::clone(&vault) };
        let (me, key) = (config.me, &config.seal_key);
        let on = || Ok::<_, Failure>((config.store()?, known.clone()));
        let lanes: [(Kind, Box<dyn Lane>); 4] = [
            (
                Kind::Keygen,
                Box::new(Runner::<Keygen<Secp256k1>, _, _>::new(
                    me,
                    Arc::clone(key),
                    on()?,
                    BOUNDS,
                )?),
            ),
            (
                Kind::AuxInfo,
                Box::new(Runner::<AuxInfoGen, _, _>::new(me, Arc::clone(key), on()?, BOUNDS)?),
            ),
            (
                Kind::Presign,
                Box::new(Runner::<PresignMany<Secp256k1>, _, _>::new(
                    me,
                    Arc::clone(key),
                    on()?,
                    BOUNDS,
                )?),
            ),
            (
                Kind::Sign,
                Box::new(Runner::<SignOff, _, _>::new(me, Arc::clone(key), on()?, BOUNDS)?),
            ),
        ];
        debug_assert!(lanes.iter().map(|(kind, _)| *kind).eq(KINDS));
        let node = Self {
            config,
            vault,
            lanes,
            orders: Vec::new(),
            lists: BTreeMap::new(),
            asked: None,
            net,
            gateway,
        };
        node.net.greet(node.config.me, &node.config.greeting());
        node.send_list();
        Ok(node)
    }

    /// Works, until it is told to end, or there is nobody left to write to it.
    ///
    /// # Errors
    /// A [`Failure`] of its database.
    pub fn live(mut self, inbox: &Receiver<Delivery>) -> Result<(), Failure> {
        loop {
            self.turn()?;
            let mut pause = self.pause()?;
            loop {
                match inbox.recv_timeout(pause) {
                    Ok(Delivery::End) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
                    Ok(delivery) => self.take(delivery)?,
                    Err(RecvTimeoutError::Timeout) => break,
                }
                pause = Duration::ZERO;
            }
        }
    }

    /// Works on everything that there is, and sends what is due.
    fn turn(&mut self) -> Result<(), Failure> {
        let time = now();
        for at in 0..self.lanes.len() {
            let Some((_, lane)) = self.lanes.get_mut(at) else { continue };
            for event in lane.work(time)? {
                let order = self.orders.iter().find(|order| order.job.sid == event.sid);
                if let Some(order) = order.cloned() {
                    self.ended(&order, &event.outcome)?;
                }
            }
        }
        for (_, lane) in &mut self.lanes {
            for parcel in lane.outgoing(time)? {
                self.net.send(self.config.me, parcel.to, &parcel.bytes)?;
            }
        }
        if self.vault.borrow_mut().search()? {
            self.lanes.iter_mut().try_for_each(|(_, lane)| lane.recover())?;
        }
        Ok(())
    }

    /// For how long nothing is due.
    fn pause(&mut self) -> Result<Duration, Failure> {
        if self.vault.borrow().primes().is_none() && self.vault.borrow().aux().is_none() {
            return Ok(Duration::ZERO);
        }
        let time = now();
        let due = match self.lanes.first_mut() {
            Some((_, lane)) => lane.next_due()?,
            None => None,
        };
        let pause = due.map_or(1000, |due| due.saturating_sub(time)).clamp(1, 1000);
        Ok(Duration::from_millis(pause))
    }

    fn take(&mut self, delivery: Delivery) -> Result<(), Failure> {
        match delivery {
            Delivery::Packet(from, bytes) => {
                // Acknowledgements are of no protocol: any runner takes them.
                let code = packet::code(&bytes);
                let mine = |lane: &dyn Lane| code.is_none_or(|code| lane.code() == code);
                match self.lanes.iter_mut().find(|(_, lane)| mine(&**lane)) {
                    Some((_, lane)) => lane.receive(from, &bytes, now()),
                    None => Ok(()),
                }
            }
            Delivery::Greeting(from, greeting) => {
                for what in differences(&self.config.greeting(), from, &greeting) {
                    self.gateway.send(Report::Notice(self.config.me, what)).ok();
                }
                Ok(())
            }
            Delivery::List(from, list) => {
                // Nobody else has a say in what all signers hold.
                if from != self.config.me && self.config.signers.contains(from) {
                    self.lists.insert(from, list);
                    self.say_held();
                }
                Ok(())
            }
            Delivery::Ask(number) => {
                // The network may have lost it.
                self.send_list();
                if self.config.signers.iter().next() == Some(self.config.me) {
                    self.asked = Some(number);
                    self.say_held();
                }
                Ok(())
            }
            Delivery::Order(order) => self.order(&order),
            Delivery::End => Ok(()),
        }
    }

    fn lane(&mut self, kind: Kind) -> Option<&mut Box<dyn Lane>> {
        self.lanes.iter_mut().find(|(of, _)| *of == kind).map(|(_, lane)| lane)
    }

    /// Begins what was ordered, once, or answers as before.
    fn order(&mut self, order: &Arc<Order>) -> Result<(), Failure> {
        let sid = order.job.sid;
        let answered = self.vault.borrow().answered(&sid)?;
        if let Some(answer) = answered {
            // A process that died may not have come to this.
            if let Some(lane) = self.lane(order.kind) {
                lane.forget(&order.job)?;
            }
            self.answer(order, answer);
            return Ok(());
        }
        if self.orders.iter().any(|other| other.job.sid == sid) {
            return Ok(());
        }
        let begun = self.lane(order.kind).map_or(Ok(false), |lane| lane.knows(&order.job))?;
        if order.kind == Kind::Sign
            && !begun
            && let Err(why) = self.spend(&order.job)?
        {
            return match why {
                Withheld::NotYet => Ok(()),
                Withheld::Never(why) => self.refuse(order, why),
            };
        }
        let Some(lane) = self.lane(order.kind) else { return Ok(()) };
        match lane.start(&order.job, now())? {
            Told::Running => self.orders.push(Arc::clone(order)),
            Told::NotYet => {}
            Told::Ended(outcome) => self.ended(order, &outcome)?,
            Told::Never(why) => self.refuse(order, why)?,
        }
        Ok(())
    }

    /// Spends a presignature on a request, if the policy allows it and there is time. Once the share is released it is too
    /// late for either to matter.
    fn spend(&self, job: &Job) -> Result<Result<(), Withheld>, Failure> {
        let never = |why: &str| Ok(Err(Withheld::Never(why.to_owned())));
        let Some(request) = Request::from_bytes(&job.body) else {
            return never("not a request");
        };
        if !self.vault.borrow().has_released(&job.sid)? {
            if let Err(why) = policy(&request.message) {
                return never(why);
            }
            if job.deadline <= now() {
                return never("the deadline of the request has passed");
            }
        }
        self.vault.borrow_mut().release(&job.sid, &request)
    }

    fn refuse(&mut self, order: &Arc<Order>, why: String) -> Result<(), Failure> {
        let answer = Err(self.reason(&order.job, why)?);
        self.vault.borrow_mut().settle(&order.job.sid, Made::Nothing, &answer)?;
        self.answer(order, answer);
        Ok(())
    }

    /// The reason why there is no result; of a signature it says if the node's share may have left.
    fn reason(&self, job: &Job, why: String) -> Result<String, Failure> {
        let released = self.vault.borrow().has_released(&job.sid)?;
        Ok(if released { format!("{why}; {}", records::RELEASED) } else { why })
    }

    /// Moves what a run has made into the vault, and answers.
    fn ended(&mut self, order: &Arc<Order>, outcome: &Outcome) -> Result<(), Failure> {
        let (level, engine) = (self.config.level, self.vault.borrow().engine());
        let (answer, made) = if outcome.record.is_empty() {
            (Err("the run was damaged in the database".to_owned()), Made::Nothing)
        } else {
            records::read((order.kind, level), &engine, &outcome.record)?
        };
        let answer = match answer {
            Ok(result) => Ok(result),
            Err(why) => Err(self.reason(&order.job, why)?),
        };
        self.vault.borrow_mut().settle(&order.job.sid, made, &answer)?;
        if let Some(lane) = self.lane(order.kind) {
            lane.forget(&order.job)?;
        }
        self.orders.retain(|other| other.job.sid != order.job.sid);
        self.answer(order, answer);
        Ok(())
    }

    fn answer(&self, order: &Order, answer: Answer) {
        self.send_list();
        self.gateway.send(Report::Answer(self.config.me, order.job.sid, answer)).ok();
    }

    /// Tells the other signers which presignatures this one holds.
    fn send_list(&self) {
        let Config { me, signers, .. } = &self.config;
        if signers.contains(*me) {
            let list = self.vault.borrow().stock().list(signers);
            signers.iter().filter(|to| to != me).for_each(|to| self.net.list(*me, to, &list));
        }
    }

    /// Tells the gateway which presignatures all signers hold, if it has asked and all lists are there.
    fn say_held(&mut self) {
        let (Some(number), signers) = (self.asked, &self.config.signers) else { return };
        let lists = self.lists.iter().map(|(from, list)| (*from, list));
        match self.vault.borrow().stock().intersect(signers, lists) {
            Ok(held) => {
                let names = held.iter().map(|id| id.to_bytes()).collect();
                self.gateway.send(Report::Held(number, names)).ok();
                self.asked = None;
            }
            // The question stays.
            Err(IntersectError::Missing(_)) => {}
            Err(why) => {
                let what = format!("presignatures: {why}");
                self.gateway.send(Report::Notice(self.config.me, what)).ok();
            }
        }
    }
}
